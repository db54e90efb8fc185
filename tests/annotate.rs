//! `annotate`: games with scores, marks and better lines.

use crate::common::play_random;
use crate::common::program::{Ended, Run, quadrille, scratch};
#[cfg(unix)]
use crate::common::program::{Program, interruptible, length, wait_for};
use quadrille::engine::{Session, VARIANTS, Variant};
use quadrille::games::result;
use quadrille::search::Score;
use quadrille::system::random::Random;
#[cfg(unix)]
use std::{path::Path, time::Duration};

/// Annotates games, which must all be sound.
fn annotate(arguments: &[&str], games: &str) -> String {
    let mut command = quadrille(["annotate"]);
    let ended = command.args(arguments).arg("-").run_with(games).succeeded();
    assert_eq!(ended.stderr, "");
    ended.stdout
}

/// Joins the lines of a text by single blanks.
fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a random game, with a remark at each move.
fn random_game(variant: Variant, seed: u64, plies: usize) -> String {
    let mut random = Random::new(seed, 0);
    let mut session = variant.open();
    let mut text = format!("[Variant \"{}\"]\n\n", variant.info.name);
    for _ in 0..plies {
        let Some(mv) = play_random(&mut *session, &mut random) else { break };
        text.push_str(&mv);
        text.push_str(" {a remark}\n");
    }
    let end = session.outcome().map_or("*", |over| result(over.winner));
    text + end + "\n\n"
}

/// A text without what its better lines begin with, and without the accuracy at the end, which have brackets too.
fn without_phrases(text: &str) -> String {
    let mut parts = text.split("({");
    let first = parts.next().unwrap().to_string();
    let text = parts.fold(first, |all, part| all + "(" + part.split_once("} ").unwrap().1);
    let mut games = text.split("Accuracy: ");
    let first = games.next().unwrap().to_string();
    games.fold(first, |all, game| all.trim_end().to_string() + game.split_once(").").unwrap().1)
}

/// The moves, brackets and marks of a game, without numbers and comments.
fn words(game: &str) -> Vec<String> {
    let (_, moves) = game.split_once("\n\n").unwrap();
    let mut text = String::new();
    let mut is_comment = false;
    for letter in moves.chars() {
        match letter {
            '{' => is_comment = true,
            '}' => is_comment = false,
            _ if is_comment => {}
            '(' | ')' => text.extend([' ', letter, ' ']),
            _ => text.push(letter),
        }
    }
    let words = text.split_whitespace().map(str::to_string);
    words.filter(|word| !word.ends_with('.') && word != "*").collect()
}

fn play(session: &mut dyn Session, word: &str) {
    let mv = session.read_san(word).unwrap();
    // The spelling is the standard one.
    assert_eq!(session.san(&mv).unwrap(), word.trim_end_matches(['!', '?']));
    session.play(&mv).unwrap();
}

/// Every move has a score. Every better line is legal instead of its move, and begins with another.
#[test]
fn all_moves_of_all_games_are_annotated() {
    for &variant in VARIANTS {
        let game = random_game(variant, 5, 12);
        let annotated = annotate(&["--nodes", "300"], &game);
        let text = without_phrases(&in_a_line(&annotated));
        let scores = text.matches("[%eval ").count();
        assert_eq!(scores, 12 + text.matches('(').count(), "{text}");
        assert_eq!(text.matches("] a remark}").count(), 12, "{text}");
        assert!(annotated.contains("[Annotator \"Quadrille "));
        let mut session = variant.open();
        let (mut before, mut last) = (String::new(), String::new());
        let mut line: Option<Box<dyn Session>> = None;
        let mut lines = 0;
        for word in words(&annotated) {
            match (&*word, &mut line) {
                ("(", _) => {
                    assert!(last.contains('?'), "{last} in {annotated}");
                    let mut session = variant.open();
                    session.set_position(Some(&before), &[]).unwrap();
                    line = Some(session);
                    lines += 1;
                }
                (")", _) => line = None,
                (_, Some(session)) => {
                    assert!(session.fen() != before || !last.starts_with(&word));
                    play(&mut **session, &word);
                }
                (_, None) => {
                    before = session.fen();
                    play(&mut *session, &word);
                    last = word;
                }
            }
        }
        assert!(lines > 0, "{} has no better line", variant.info.name);
        let replayed = quadrille(["replay", "-"]).run_with(&annotated);
        assert_eq!(replayed.stdout, "1 game, 12 moves, 0 faults\n");
        // The number of searches at once does not matter, nor a second annotation.
        for jobs in ["1", "3"] {
            let again = annotate(&["--nodes", "300", "--jobs", jobs], &annotated);
            assert_eq!(again, annotated);
        }
    }
}

/// The last score of a text, for White.
fn last_score(text: &str) -> Score {
    let (_, score) = text.rsplit_once("[%eval ").unwrap();
    let (score, _) = score.split_once(',').unwrap();
    match score.strip_prefix('#') {
        Some(moves) => Score::Mate(moves.parse().unwrap()),
        None => Score::Centipawns((100.0 * score.parse::<f64>().unwrap()).round() as i32),
    }
}

/// A mark follows from the two scores written, of the move and of the better line, though the
/// engine's values are finer.
#[test]
fn marks_follow_from_the_scores() {
    for &variant in VARIANTS {
        let games: String = (0..20).map(|seed| random_game(variant, seed, 60)).collect();
        let text = without_phrases(&in_a_line(&annotate(&["--nodes", "100"], &games)));
        let parts: Vec<_> = text.split(['(', ')']).collect();
        for pair in parts.chunks_exact(2) {
            let [before, after] = [pair[1], pair[0]]
                .map(|text| variant.info.score_model.expected_of(last_score(text)));
            let loss = (before - after).abs();
            let (words, _) = pair[0].rsplit_once(" {").unwrap();
            let expected = match loss {
                0.2.. => "??",
                0.1.. => "?",
                _ => "?!",
            };
            let (_, mv) = words.rsplit_once(' ').unwrap();
            let mark = mv.trim_start_matches(|letter| letter != '?' && letter != '!');
            assert!(loss >= 0.05 && mark == expected, "{loss}: {mv}");
        }
        assert!(parts.len() > 400, "{}", parts.len());
    }
}

#[test]
fn a_blunder_is_marked() {
    // White could take the queen, and loses its own.
    let game = "[Variant \"gothic\"]\n[FEN \"q8k/10/10/10/10/10/10/Q8K w - - 0 1\"]\n\n\
                1. j1j2 {+0.10/5 0.1s} a8a1 *";
    let annotated = annotate(&["--depth", "4"], game);
    let (_, moves) = annotated.split_once("\n\n").unwrap();
    let moves = in_a_line(moves);
    assert!(moves.starts_with("1. Kj2?? {[%eval #-"), "{moves}");
    assert!(moves.contains(",4]} ({loses the queen (Qxa1)} 1. Qxa8+ {[%eval #"), "{moves}");
    assert!(moves.contains("]}) 1... Qxa1 {[%eval #-"), "{moves}");
    // Its own words are replaced, a person's are kept with their line.
    let older = annotated.replace("the queen (Qxa1)", "a rook (Qxb1)");
    assert_eq!(annotate(&["--depth", "4"], &older), annotated);
    let own = annotated.replace("loses the queen (Qxa1)", "loses the queen at once");
    let both = in_a_line(&annotate(&["--depth", "4"], &own));
    let line = both.find("({loses the queen (Qxa1)} 1. Qxa8+ {[%eval #");
    assert!(line < both.find("({loses the queen at once} 1. Qxa8+ {[%eval"), "{both}");
    assert!(line.is_some(), "{both}");
    // The mover mates, and the end has no score.
    let game = "[Variant \"gothic\"]\n[FEN \"9k/10/8K1/10/10/10/10/Q9 w - - 0 1\"]\n\n\
                1. Qa2 Ki8 2. Qa8# 1-0";
    let annotated = annotate(&["--depth", "6"], game);
    let (_, moves) = annotated.split_once("\n\n").unwrap();
    assert!(moves.starts_with("1. Qa2 {[%eval #"), "{moves}");
    let moves = in_a_line(moves);
    let accuracy = "Accuracy: White 100 % (opening 100), Black 100 % (opening 100).";
    assert!(moves.ends_with(&format!("2. Qa8# {{{accuracy}}} 1-0")), "{moves}");
    // Its own words stand once, also behind a person's that begin like them.
    let own = annotated.replace("{Accuracy: White", "{Accuracy: mine. Accuracy: White");
    assert_eq!(in_a_line(&annotate(&["--depth", "6"], &own)), in_a_line(&own));
    // Its own words are replaced where they are no longer at the end, a person's are kept.
    let longer = game.replace(
        "Qa2 Ki8 2.",
        "Qa2 {Accuracy: White 3 % (opening 3). Well!} Ki8 {Accuracy: mine} 2.",
    );
    let again = in_a_line(&annotate(&["--depth", "6"], &longer));
    assert!(
        again.contains(",6] Well!} 1... Ki8 {[%eval #1,6] Accuracy: mine} 2. Qa8# {Accuracy: "),
        "{again}"
    );
}

/// A line of JSON says of each game what its PGN says.
#[test]
fn games_are_written_as_json() {
    let folder = scratch("annotate/json");
    let [json, out] =
        ["games.json", "games.pgn"].map(|name| folder.join(name).display().to_string());
    let games = std::fs::read_to_string("src/games/games.pgn").unwrap();
    let words =
        ["annotate", "--nodes", "50", "--json", &json, "--out", &out, "src/games/games.pgn"];
    assert_eq!(quadrille(words).run().succeeded().stdout, "");
    let [json, text] = [json, out].map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(json.lines().count(), games.matches("[Variant ").count());
    let mut quoted = Vec::new();
    for (line, game) in json.lines().zip(text.split("[Event ").skip(1)) {
        let game = in_a_line(game);
        for phase in ["opening", "middle", "ending"] {
            assert!(line.contains(&format!("\"{phase}\": ")), "{line}");
        }
        let words = line.split_once("\"words\": \"").unwrap().1.split('"').next().unwrap();
        assert!(game.contains(words), "{words}");
        for why in line.split("\"why\": \"").skip(1) {
            quoted.push(why.split('"').next().unwrap().to_string());
            assert!(game.contains(&format!("({{{}}} ", quoted.last().unwrap())), "{why}");
        }
        let marks = ["?!\"", "?\"", "??\""]
            .map(|mark| line.matches(&format!("\"mark\": \"{mark}")).count());
        assert_eq!(marks.iter().sum::<usize>(), line.matches("\"better\": [").count());
    }
    assert!(quoted.len() > 5, "{quoted:?}");
}

#[test]
fn faults_are_named_with_their_place() {
    let folder = scratch("annotate/faults");
    let [games, out] = ["games.pgn", "annotated.pgn"].map(|name| folder.join(name));
    let good = "[Variant \"congress\"]\n\n1. Hc3 *\n\n";
    let bad = "[Variant \"congress\"]\n\n1. Hc3 Hc3 *\n\n";
    std::fs::write(&games, format!("{good}{bad}[Event \"?\"]\n\n1. e4 {{ *\n")).unwrap();
    let [games, out] = [&games, &out].map(|path| path.to_str().unwrap());
    let output = quadrille(["annotate", "--depth", "1", games, "--out", out]).run();
    let Ended { stderr: complaint, .. } = &output;
    let complaints: Vec<_> = complaint.lines().collect();
    let [one, two] = complaints[..] else { panic!("{complaint}") };
    let place = format!("quadrille: annotate: {games}: game ");
    assert!(one.starts_with(&format!("{place}2, line 5: move 2: `Hc3` is illegal")), "{one}");
    assert!(two.starts_with(&format!("{place}3, line 11: a comment is not closed")), "{two}");
    assert_eq!(output.code(), Some(1));
    assert_eq!(output.stdout, "");
    let written = std::fs::read_to_string(out).unwrap();
    assert!(written.contains("\n\n1. Hc3"), "{written}");
}

#[test]
fn what_is_written_can_be_read() {
    let (signs, quotes) = ("+-".repeat(400_000), "\" ".repeat(400_000));
    let signs = format!("[Variant \"congress\"]\n\n1. Hc3 {signs} *\n");
    let quotes = format!("[Variant \"congress\"]\n[Event \"{quotes}\"]\n\n1. Hc3 *\n");
    for game in [signs, quotes] {
        let ended = quadrille(["annotate", "--depth", "1", "-"]).run_with(game);
        let fault = &ended.stderr;
        assert!(fault.contains("game 1, once annotated: line "), "{fault}");
        assert!(fault.contains("longer than 1048576 bytes"), "{fault}");
        assert_eq!((ended.code(), &*ended.stdout), (Some(1), ""));
    }
}

/// The names in a folder, in order.
#[cfg(unix)]
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

/// An unfinished file belongs to one process, is never a stranger's, and is named when it stays.
#[cfg(unix)]
#[test]
fn what_is_unfinished_is_nobody_elses() {
    const SOON: Duration = Duration::from_secs(60);
    let folder = scratch("annotate/unfinished");
    let short =
        "[Variant \"gothic\"]\n[FEN \"9k/10/8K1/10/10/10/10/Q9 w - - 0 1\"]\n\n1. Qa8# 1-0\n\n";
    let long = random_game(VARIANTS[0], 1, 30);
    std::fs::write(folder.join("games.pgn"), format!("{short}{long}")).unwrap();
    std::fs::write(folder.join("long.pgn"), &long).unwrap();
    std::fs::write(folder.join("out.pgn.part"), "a stranger's").unwrap();
    let part = folder.join("out.pgn.quadrille-part");
    let before = names(&folder);
    let quick = || {
        let mut annotate = quadrille("annotate --nodes 1 games.pgn --out out.pgn".split(' '));
        annotate.current_dir(&folder).run()
    };
    let half_done = |games: u64| {
        let file = ["long.pgn", "games.pgn"][games.min(1) as usize];
        let words = "annotate --movetime 1500 --jobs 1 --out out.pgn --html out.html";
        let mut annotate = interruptible();
        annotate.args(words.split(' ')).arg(file).current_dir(&folder);
        let program = Program::piped(&mut annotate, 2 * SOON);
        wait_for("an unfinished file", SOON, || part.exists() && length(&part) >= games);
        program
    };
    for (signal, games) in [("INT", 0), ("INT", 1), ("TERM", 1), ("KILL", 1)] {
        let program = half_done(games);
        if signal == "TERM" {
            let error = quick().refused();
            assert!(error.contains("out.pgn: another process writes to it"), "{error}");
        }
        program.signal(signal);
        let ended = program.output();
        assert!(!ended.status.success(), "{ended:?}");
        let left = match (signal, games) {
            ("KILL", _) => "",
            (_, 0) => "no game is written",
            _ => "out.pgn.quadrille-part has 1 game",
        };
        assert!(ended.stderr.contains(left), "{ended:?}");
        assert!(!folder.join("out.pgn").exists());
        if games == 0 {
            assert_eq!(names(&folder), before);
            continue;
        }
        let replayed = quadrille(["replay"]).arg(&part).run().stdout;
        assert_eq!(replayed, "1 game, 1 move, 0 faults\n");
        let said = quick().succeeded().stderr;
        let warning = "out.pgn.quadrille-part, which an interrupted run left, is begun anew\n";
        assert_eq!(said, format!("quadrille: annotate: {warning}"));
        std::fs::remove_file(folder.join("out.pgn")).unwrap();
        let _ = std::fs::remove_file(folder.join("out.html.quadrille-part"));
        assert_eq!(names(&folder), before);
    }
    // A link of the name would lead to another file.
    for target in ["out.pgn.part", "nowhere"] {
        std::os::unix::fs::symlink(target, &part).unwrap();
        let error = quick().refused();
        assert!(error.contains("out.pgn.quadrille-part is not a file"), "{error}");
        std::fs::remove_file(&part).unwrap();
    }
    let stranger = std::fs::read_to_string(folder.join("out.pgn.part")).unwrap();
    assert_eq!(stranger, "a stranger's");
    assert_eq!(names(&folder), before);
}

#[test]
fn a_file_without_games_is_named() {
    for words in [&["annotate", "-"][..], &["annotate", "--nodes", "1", "-"]] {
        let ended = quadrille(words).run_with("\n");
        assert_eq!(ended.code(), Some(1));
        assert_eq!(ended.said(), "quadrille: annotate: -: there is no game in it\n");
    }
}
