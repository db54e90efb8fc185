//! A `match` continues after any interruption.

use crate::common::drawn;
use crate::common::matches::{figures, games_of, refused_match, run_match, start_match, try_match};
use crate::common::program::{Ended, Program, QUADRILLE, Run, quadrille, scratch, wait_for};
use quadrille::system::random::Random;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn games_in(pgn: &Path) -> usize {
    let text = std::fs::read(pgn).unwrap_or_default();
    String::from_utf8_lossy(&text).matches("[Event ").count()
}

/// Kills a match a little after some games more.
fn kill_after(folder: &Path, words: &str, pgn: &Path, games: usize, later: Duration) {
    let mut command = quadrille(["match"]);
    command.args(words.split(' ')).current_dir(folder);
    let wanted = games_in(pgn) + games;
    let mut child = Program::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    wait_for("games", Duration::from_secs(60), || games_in(pgn) >= wanted || !child.is_running());
    std::thread::sleep(later);
    child.kill();
}

const MATCH: &str = "-variant congress -engine name=A cmd=self nodes=60 -engine name=B cmd=self \
                     nodes=40 -openings random seed=8 -games 2 -rounds 20 -ratinginterval 0";

#[test]
fn a_match_killed_ten_times_has_the_same_games() {
    let folder = scratch("match_resume/killed");
    let words = format!("{MATCH} -concurrency 2 -pgnout whole.pgn -epdout whole.epd");
    let whole = run_match(&folder, &words).stdout;
    let words =
        format!("{MATCH} -concurrency 2 -pgnout parts.pgn -epdout parts.epd -resume parts.pgn");
    let pgn = folder.join("parts.pgn");
    // The moments differ in each run; the results must not.
    let mut random = Random::new(u64::from(std::process::id()), 0);
    for _ in 0..10 {
        let later = Duration::from_millis(random.below(64) as u64);
        kill_after(&folder, &words, &pgn, 1 + random.below(4), later);
    }
    // The file alone is enough, and the number of games at once may change.
    let parts = run_match(&folder, "-resume parts.pgn -concurrency 1").stdout;
    assert_eq!(games_of(&folder.join("whole.pgn")), games_of(&folder.join("parts.pgn")));
    assert_eq!(games_of(&folder.join("whole.pgn")).len(), 40);
    assert_eq!(figures(&whole), figures(&parts));
    let lines = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let mut lines: Vec<_> = text.lines().map(str::to_string).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(lines("whole.epd"), lines("parts.epd"));
    // A finished match stays finished.
    let before = std::fs::read(&pgn).unwrap();
    let Ended { stdout: again, stderr: warned, .. } = run_match(&folder, "-resume parts.pgn");
    assert!(warned.contains("40 of 40 games are played already"), "{warned}");
    assert!(!again.contains("Started game"), "{again}");
    assert_eq!(figures(&whole), figures(&again));
    assert!(std::fs::read(&pgn).unwrap() == before);
}

/// The end of a process can leave any part of what it has written.
#[test]
fn a_match_torn_at_any_byte_has_the_same_games() {
    let folder = scratch("match_resume/torn");
    let words = MATCH.replace("-rounds 20", "-rounds 2");
    let words = format!("{words} -pgnout g.pgn -epdout g.epd -resume g.pgn");
    let older = "an older line\n";
    std::fs::write(folder.join("g.epd"), older).unwrap();
    let said = run_match(&folder, &words).stdout;
    let (pgn, epd) = (folder.join("g.pgn"), folder.join("g.epd"));
    let [games, positions] = [&pgn, &epd].map(|file| std::fs::read(file).unwrap());
    let (whole, last) = (games_of(&pgn), games.len());
    let head = games.iter().position(|&byte| byte == b'\n').unwrap();
    let mut random = Random::new(u64::from(std::process::id()), 1);
    let anywhere = (0..drawn(30)).map(|_| random.below(last));
    let lengths = (last - 30..=last).chain([0, 1, 40, head, head + 1, head + 5]).chain(anywhere);
    for length in lengths.collect::<Vec<_>>() {
        // At most one position more than games is there.
        let begun = String::from_utf8_lossy(&games[..length]);
        let begun = begun.matches("[Event ").count();
        let lines = positions.split_inclusive(|&byte| byte == b'\n');
        let most: usize = lines.take(1 + begun).map(<[u8]>::len).sum();
        let kept = older.len() + random.below(most - older.len() + 1);
        std::fs::write(&pgn, &games[..length]).unwrap();
        std::fs::write(&epd, &positions[..kept]).unwrap();
        let again = run_match(&folder, &words);
        assert_eq!(games_of(&pgn), whole, "{length}");
        assert_eq!(figures(&again.stdout), figures(&said), "{length}");
        assert!(std::fs::read(&epd).unwrap() == positions, "{length}, {kept}");
    }
    // Those of another match are not touched.
    let added = [&positions[..], b"one\ntwo\n"].concat();
    std::fs::write(&epd, &added).unwrap();
    std::fs::write(&pgn, &games[..last - 9]).unwrap();
    let error = refused_match(&folder, &words);
    let wanted = "-epdout: g.epd: other positions have been added since; move it away";
    assert!(error.contains(wanted), "{error}");
    assert!(std::fs::read(&epd).unwrap() == added);
    assert!(std::fs::read(&pgn).unwrap() == games[..last - 9]);
    std::fs::remove_file(&epd).unwrap();
    run_match(&folder, &words);
    assert!(std::fs::read(&epd).unwrap() == positions[older.len()..]);
    // A power cut may have reserved space.
    let zeros = [&games[..last], &[0; 4096][..]].concat();
    std::fs::write(&pgn, zeros).unwrap();
    run_match(&folder, "-resume g.pgn");
    assert!(std::fs::read(&pgn).unwrap() == games);
}

#[test]
fn a_match_is_kept_in_its_pgn() {
    let folder = scratch("match_resume/inside");
    let words = format!("{MATCH} -pgnout g.pgn");
    let pgn = folder.join("g.pgn");
    // Games of others stand before it.
    let other = "[White \"Jos\u{e9}\"]\n\n1. e4 {never closed *";
    let other: Vec<_> = other.chars().map(|letter| letter as u8).collect();
    std::fs::write(&pgn, &other).unwrap();
    kill_after(&folder, &words, &pgn, 3, Duration::ZERO);
    let Ended { stdout: said, stderr: warned, .. } = run_match(&folder, "-resume g.pgn");
    assert!(warned.contains("of 40 games are played already"), "{warned}");
    assert!(said.contains("\nStarted game 40 of 40 (B vs A)\n"), "{said}");
    let text = std::fs::read(&pgn).unwrap();
    assert!(text.starts_with(&other));
    let text = String::from_utf8_lossy(&text);
    assert_eq!(text.matches("[Event ").count(), 40);
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with('%')).collect();
    assert_eq!(lines, [format!("% quadrille match {words}")]);
    // The match can be played anew too, with a hint if the other was not over.
    let next = MATCH.replace("-rounds 20", "-rounds 3");
    let next = format!("{next} -pgnout g.pgn");
    for played in [1, 3] {
        let mut text = format!("% quadrille match {next}\n");
        text += &"[Event \"?\"]\n\n*\n\n".repeat(played);
        std::fs::write(&pgn, text).unwrap();
        let wanted = format!(
            "quadrille: match: g.pgn has {played} of 6 games already; -resume g.pgn would play the others\n"
        );
        assert_eq!(run_match(&folder, &next).stderr, wanted);
        assert_eq!(games_of(&pgn).len(), played + 6);
    }
    assert_eq!(run_match(&folder, &next).stderr, "");
    assert_eq!(run_match(&folder, &words.replace("-rounds 20", "-rounds 1")).stderr, "");
    run_match(&folder, &next.replace("g.pgn", "g.pgn append=false"));
    assert_eq!(games_of(&pgn).len(), 6);
}

/// The file has all words of the first command line. Those that do not touch the games can change.
#[test]
fn a_match_resumed_by_its_file_alone_writes_what_it_wrote() {
    let folder = scratch("match_resume/outputs");
    let outputs = "-concurrency 2 -json r.json -html r.html -log file=log.txt -epdout g.epd \
                   -scoreinterval 0 -debug";
    let words = format!("{MATCH} -pgnout g.pgn {outputs}");
    kill_after(&folder, &words, &folder.join("g.pgn"), 3, Duration::ZERO);
    for (more, wanted) in [
        ("-rounds 30", "-resume: g.pgn: `-rounds 30` would change the match; leave it out"),
        ("-pgnout x.pgn", "`-pgnout x.pgn` would change the match; leave it out"),
        ("-draw score=5", "`-draw score=5` would change the match; leave it out"),
    ] {
        let error = refused_match(&folder, &format!("-resume g.pgn {more}"));
        assert!(error.contains(wanted), "{error}");
    }
    std::fs::remove_file(folder.join("log.txt")).unwrap();
    let changed = "-variant congress --ratinginterval 20 -json s.json -strict";
    let ended = run_match(&folder, &format!("-resume g.pgn {changed}"));
    assert!(ended.stderr.contains("of 40 games are played already"), "{ended:#?}");
    assert_eq!(ended.stdout.matches("Score of A vs B: ").count(), 1, "{ended:#?}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("s.json").contains("\"games\": 40, ") && !folder.join("r.json").exists());
    assert!(read("r.html").contains("<p class=\"soft\">40 games</p>"));
    assert_eq!(read("g.epd").lines().count(), 40);
    assert!(folder.join("log.txt").exists());
}

/// A power cut can lose the last bytes written.
#[test]
fn games_that_the_pgn_has_lost_are_played_again() {
    let folder = scratch("match_resume/lost");
    let words = format!("{MATCH} -pgnout g.pgn -resume g.pgn");
    kill_after(&folder, &words, &folder.join("g.pgn"), 5, Duration::ZERO);
    let pgn = std::fs::read(folder.join("g.pgn")).unwrap();
    std::fs::write(folder.join("g.pgn"), &pgn[..pgn.len() / 2]).unwrap();
    run_match(&folder, "-resume g.pgn");
    let games = games_of(&folder.join("g.pgn"));
    assert_eq!(games.len(), 40);
    run_match(&folder, &format!("{MATCH} -pgnout whole.pgn"));
    assert_eq!(games, games_of(&folder.join("whole.pgn")));
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = scratch("match_resume/refused");
    std::fs::write(folder.join("book.epd"), "k7/6p1/2p5/2P5/1P6/K7 w - -\n").unwrap();
    let words = "-variant congress -engine name=A cmd=self nodes=60 -engine name=B cmd=self nodes=40 \
                 -openings file=book.epd -rounds 2 -pgnout g.pgn -resume g.pgn";
    run_match(&folder, words);
    let error = refused_match(&folder, &words.replace("nodes=60", "nodes=61"));
    assert!(
        error.contains("-resume: g.pgn: it is the file of another match: -variant congress"),
        "{error}"
    );
    assert!(error.contains("; it has no `-engine name=A cmd=self nodes=61`"), "{error}");
    std::fs::write(folder.join("book.epd"), "k7/6p1/2p5/2P5/1P6/K7 b - -\n").unwrap();
    let error = refused_match(&folder, "-resume g.pgn");
    let wanted = "-resume: g.pgn: line 2: round 1, A against B: the openings have changed since";
    assert!(error.contains(wanted), "{error}");
    std::fs::write(folder.join("book.epd"), "k7/6p1/2p5/2P5/1P6/K7 w - -\n").unwrap();
    let pgn = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
    let (head, games) = pgn.split_once('\n').unwrap();
    let first = &games[..games[1..].find("[Event ").unwrap() + 1];
    let added = |more: &str| format!("{pgn}{more}");
    let edited = |from: &str, to: &str| {
        assert!(pgn.contains(from), "{from}");
        pgn.replacen(from, to, 1)
    };
    let mv = first.split("\n\n").nth(1).unwrap().split(' ').nth(1).unwrap();
    let other_result = if first.contains("[Result \"1-0\"]") { "0-1" } else { "1-0" };
    let tag = |name: &str| {
        let begin = first.find(&format!("[{name} ")).unwrap();
        first[begin..].lines().next().unwrap()
    };
    for (text, fault) in [
        (added(first), ": round 1, A against B: it is there twice"),
        (
            edited("Round \"2\"", "Round \"3\""),
            ": round 3, B against A: it is not a game of the match",
        ),
        (
            edited("White \"A\"", "White \"C\""),
            "line 2: round 1, C against B: it is not a game of the match",
        ),
        (
            edited("congress", "gothic")
                .replacen("-variant gothic", "-variant congress", 1)
                .replacen("congress\"", "gothic\"", 1),
            ": it is not a game of the match",
        ),
        (edited(&format!("1. {mv}"), "1. Ka9"), "line 2: round 1, A against B: move 1: "),
        (
            edited(tag("Result"), &format!("[Result \"{other_result}\"]")),
            "A against B: the tag Result says",
        ),
        (edited(tag("PlyCount"), "[PlyCount \"9\"]"), "A against B: the tag PlyCount says"),
        (edited(tag("Reason"), "[Reason \"repetition\"]"), "A against B: the reason"),
        (edited("\"]\n\n1. ", "\"]\n\n1. ) "), "line 20: a `)` that closes nothing"),
        (
            added("[White \"C\"]\n\n1. a1a2 *\n"),
            ": round ?, C against ?: it is not a game of the match",
        ),
        (added("a note"), "`a note` begins no unfinished game"),
        (added(&first[..40]) + &first[..40], "begins no unfinished game"),
        (
            games.to_string(),
            "it is not the file of a match: no line begins with `% quadrille match`",
        ),
        (edited("-rounds 2", "-rounds 3"), "it is the file of another match: "),
    ] {
        std::fs::write(folder.join("g.pgn"), &text).unwrap();
        let error = refused_match(&folder, words);
        assert!(error.contains("-resume: g.pgn: ") && error.contains(fault), "{fault}: {error}");
        assert_eq!(std::fs::read_to_string(folder.join("g.pgn")).unwrap(), text, "{fault}");
    }
    // What does not touch the games can be edited.
    let edited =
        pgn.replace('\n', "\r\n").replace("[Site \"?\"]\r\n", "").replace("1. ", "{ here } 1. ");
    for text in [&edited, edited.trim_end(), head, &format!("{head}\n")] {
        std::fs::write(folder.join("g.pgn"), text).unwrap();
        run_match(&folder, words);
        assert_eq!(games_of(&folder.join("g.pgn")).len(), 2, "{text}");
    }
    let error = refused_match(&folder, "-resume book.epd");
    assert!(error.contains("-resume: book.epd: it is not the file of a match"), "{error}");
    for (given, fault) in [
        ("", "-resume: g.pgn: a match is resumed from its games: write -pgnout g.pgn too"),
        (" -pgnout h.pgn", "-resume: g.pgn: the games go to another file, h.pgn"),
    ] {
        let error = refused_match(&folder, &words.replace(" -pgnout g.pgn", given));
        assert!(error.contains(fault), "{error}");
    }
    let error = refused_match(&folder, "-resume nothing");
    assert!(error.contains("-resume: nothing: "), "{error}");
    let error = refused_match(&folder, "-resume");
    assert!(error.contains("match: -resume: its value is missing; see match --help"), "{error}");
}

/// Tags, comments and lines of a PGN are text of strangers.
#[test]
fn nothing_that_a_file_says_is_trusted() {
    let folder = scratch("match_resume/hostile");
    let words = MATCH.replace("-rounds 20", "-rounds 1");
    run_match(&folder, &format!("{words} -pgnout whole.pgn"));
    std::fs::write(folder.join("victim"), "dear").unwrap();
    let whole = std::fs::read_to_string(folder.join("whole.pgn")).unwrap();
    let (head, games) = whole.split_once('\n').unwrap();
    let mut random = Random::new(8, 2);
    let programs = ["cmd=touch arg=started", "cmd=sh arg=-c arg=touch\\sstarted", "cmd=self"];
    let outputs = ["-html victim", "-json victim", "-epdout file=victim append=false", "-wait 1"];
    for number in 0..50 {
        let program = programs[random.below(programs.len())];
        let output = outputs[random.below(outputs.len())];
        let names = [["A", "B"], ["X", "Y"]][random.below(2)];
        let line = format!(
            "% quadrille match -variant congress -engine name={} {program} nodes=1 -engine \
             name={} cmd=self nodes=1 -games 2 {output} -pgnout g.pgn",
            names[0], names[1]
        );
        let text = match number % 7 {
            0 => format!("{whole}[Event \"?\"]\n\n{{\n{line}\n}} 1. d3 *\n\n"),
            1 => whole.replacen("{", &format!("{{\n{line}\n"), 1),
            2 => format!("{whole}[Event \"\n{line}\n\"]\n\n1. d3 *\n\n"),
            3 => format!("{whole}\n{line}\n"),
            4 => format!("{line}\n{games}"),
            5 => format!("{head}\n{line}\n{games}"),
            // A comment opens between two tags of a line.
            _ => format!("{head}\n[A \"1\"] {{c [B \"2\"]\n{line}\n}}\n{games}"),
        };
        std::fs::write(folder.join("g.pgn"), &text).unwrap();
        let ended = try_match(&folder, "-resume g.pgn");
        // Where the line is part of a comment in an own game, the match goes on.
        let wanted = [2, 0][usize::from([1, 6].contains(&(number % 7)))];
        assert_eq!(ended.code(), Some(wanted), "{line}: {ended:#?}");
        assert!(!folder.join("started").exists(), "{line}: {ended:#?}");
        let victim = std::fs::read_to_string(folder.join("victim")).unwrap();
        assert_eq!(victim, "dear", "{line}: {ended:#?}");
        let after = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
        assert_eq!(after, text, "{line}: {ended:#?}");
    }
}

/// The results of other matches are kept; the program that a file names is named first.
#[test]
fn what_a_file_alone_would_replace_or_start_is_checked() {
    let folder = scratch("match_resume/alone");
    let words = MATCH.replace("nodes=60", "nodes=1").replace("A cmd=self", "A cmd=quadrille");
    for (option, name) in [("-json", "r.json"), ("-html", "r.html")] {
        let whole = format!("{words} -maxmoves 1 -pgnout {name}.pgn {option} {name}");
        run_match(&folder, &whole);
        let resume = format!("-resume {name}.pgn");
        let said = run_match(&folder, &resume).stderr;
        assert!(said.starts_with("quadrille: match: engine A runs quadrille\n"), "{said}");
        let own = std::fs::read_to_string(folder.join(name)).unwrap();
        for other in ["a diary".into(), own.replace("congress", "gothic"), own.replace('B', "C")] {
            std::fs::write(folder.join(name), &other).unwrap();
            let error = refused_match(&folder, &resume);
            let wanted = format!("{option}: {name}: it is not the result of this match; ");
            assert!(error.contains(&wanted), "{error}");
            assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), other);
        }
        run_match(&folder, &format!("{resume} {option} {name}"));
        assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap().len(), own.len());
    }
}

/// Only the beginning of a game that the match has still to play is cut off.
#[test]
fn a_torn_game_is_told_from_a_foreign_one() {
    let folder = scratch("match_resume/last");
    let words = MATCH.replace("-rounds 20", "-rounds 2");
    run_match(&folder, &format!("{words} -pgnout whole.pgn"));
    let whole = std::fs::read_to_string(folder.join("whole.pgn")).unwrap();
    let pgn = folder.join("renamed.pgn");
    let last = whole.rfind("[Event ").unwrap();
    let mark = "\u{feff}";
    // An engine's comment may end a line with a result.
    let (tags, _) = whole[last..].split_once("\n\n").unwrap();
    let torn = format!("{}{tags}\n\n1. d3 {{ it hopes for 1-0\n", &whole[..last]);
    for (text, torn_bytes) in [
        (torn.clone(), torn.len() - last),
        (format!("{mark}{torn}"), torn.len() - last),
        (whole[..last + tags.len() / 2].to_string(), tags.len() / 2),
        (whole[..last + 5].to_string(), 5),
        (whole.replace('\n', "\r\n"), 0),
        (format!("{mark}{whole}"), 0),
    ] {
        std::fs::write(&pgn, &text).unwrap();
        let ended = run_match(&folder, "-resume renamed.pgn");
        let said = match torn_bytes {
            0 => String::new(),
            bytes => format!(
                "quadrille: match: renamed.pgn: the last game is torn, {bytes} bytes: it is \
                 dropped, and played again\n"
            ),
        };
        let played = 4 - usize::from(torn_bytes > 0);
        let wanted = format!("{said}quadrille: match: {played} of 4 games are played already\n");
        assert_eq!(ended.stderr, wanted, "{text}");
        let text = std::fs::read_to_string(&pgn).unwrap().replace("\r\n", "\n");
        std::fs::write(&pgn, text.trim_start_matches(mark)).unwrap();
        assert_eq!(games_of(&pgn), games_of(&folder.join("whole.pgn")));
    }
    // The whole command line resumes it under its new name too, and from elsewhere.
    run_match(&folder, &format!("{words} -pgnout renamed.pgn -resume renamed.pgn"));
    std::fs::create_dir(folder.join("sub")).unwrap();
    run_match(&folder.join("sub"), "-resume ../renamed.pgn");
    for last in [
        "[Event \"Mine\"]\n[Variant \"congress\"]\n\n1. d3 d6 1-0 {on time}\n\n",
        "[Event \"Mine\"]\n[Variant \"congress\"]\n\n1. d3 d6\n\n",
        "[Event \"Mine\"]\n[Variant \"congress\"]\n\n1. d3 d6 1-0 ; on time",
        "[Event \"Quadrille match\"]\n\n1. d3 {never closed\n\n",
        "[Event \"Quadrille match\"]\n[Site \"?\"]\n[Round \"2.1\"]\n[White \"A\"]\n[Black \"B\"]\n",
    ] {
        let text = format!("{whole}{last}");
        std::fs::write(&pgn, &text).unwrap();
        refused_match(&folder, "-resume renamed.pgn");
        assert_eq!(std::fs::read_to_string(&pgn).unwrap(), text);
    }
    // One random opening shows whether the words that determine them have changed.
    let other = whole.replace("seed=8", "seed=9");
    std::fs::write(&pgn, other).unwrap();
    let error = refused_match(&folder, "-resume renamed.pgn");
    assert!(error.contains("the openings have changed since"), "{error}");
}

#[test]
fn a_test_that_is_decided_stays_so() {
    let folder = scratch("match_resume/decided");
    let words = "-variant congress -engine name=A cmd=self nodes=300 -engine name=B cmd=self nodes=10 \
                 -openings random -games 2 -rounds 100 -sprt elo0=0 elo1=200 -pgnout s.pgn -resume s.pgn";
    let said = run_match(&folder, words).stdout;
    assert!(said.contains("The match ends: the test is decided."), "{said}");
    let played = games_in(&folder.join("s.pgn"));
    let again = run_match(&folder, words).stdout;
    assert!(again.contains("The match ends: the test is decided."), "{again}");
    assert_eq!(games_in(&folder.join("s.pgn")), played);
}

/// Standard error of a terminal, which `script` provides, shows the progress of the match.
#[test]
#[ignore = "needs script"]
fn a_terminal_shows_how_far_the_match_is() {
    let folder = scratch("match_resume/terminal");
    let words = MATCH.replace("-rounds 20", "-rounds 1");
    let script = format!("{QUADRILLE} match {words}");
    let output =
        Command::new("script").args(["-qec", &script, "/dev/null"]).current_dir(&folder).run();
    let said = output.stdout;
    assert!(
        said.contains("\r1 of 2 games, 0 in progress, 00:0") && said.contains(" to go; "),
        "{said:?}"
    );
    let silent = run_match(&folder, &words).stderr;
    assert_eq!(silent, "");
}

/// A match that cannot begin changes nothing.
#[test]
fn a_match_that_is_refused_leaves_all_files_as_they_are() {
    let folder = scratch("match_resume/unbegun");
    let words = MATCH.replace("-rounds 20", "-rounds 1");
    std::fs::write(folder.join("g.pgn"), "old games").unwrap();
    let files = || {
        let entries = std::fs::read_dir(&folder).unwrap();
        let mut files: Vec<_> = entries
            .map(|entry| entry.unwrap().path())
            .map(|path| (std::fs::read(&path).unwrap(), path))
            .collect();
        files.sort();
        files
    };
    let before = files();
    for outputs in [
        "-pgnout g.pgn append=false -epdout none/e.epd",
        "-pgnout g.pgn append=false -log file=none/log",
        "-pgnout g.pgn append=false -json .",
        "-pgnout g.pgn append=false -html .",
        "-pgnout none/g.pgn",
        "-pgnout new.pgn/",
        "-pgnout new.pgn -epdout none/e.epd",
        "-pgnout new.pgn -log none/log -resume new.pgn",
        "-pgnout g.pgn -resume g.pgn",
    ] {
        let error = refused_match(&folder, &format!("{words} {outputs}"));
        assert_eq!(files(), before, "{outputs}: {error}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("none/g.pgn", folder.join("dangling")).unwrap();
        refused_match(&folder, &format!("{words} -pgnout dangling"));
        std::fs::remove_file(folder.join("dangling")).unwrap();
    }
    // Another process writes to them, and has paused between two games.
    let mut first = start_match(&folder, &format!("{words} -pgnout g.pgn -wait 600000"));
    let lines = first.lines();
    let said = || lines.recv_timeout(Duration::from_secs(20)).unwrap();
    while !said().starts_with("Finished game 1 ") {}
    let during = files();
    std::thread::scope(|scope| {
        for second in ["append=false", "-resume g.pgn"] {
            let (folder, words) = (&folder, &words);
            scope.spawn(move || {
                let error = refused_match(folder, &format!("{words} -pgnout g.pgn {second}"));
                let fault = "quadrille: match: -pgnout: g.pgn: another process writes to it\n";
                assert_eq!(error, fault);
            });
        }
    });
    assert_eq!(files(), during);
}
