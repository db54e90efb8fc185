//! A `match` continues after any interruption.

use crate::common::drawn;
use crate::common::matches::{figures, games_of, last, refused_match, run_match, start_match};
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
    let words = format!("{MATCH} -concurrency 2 -pgnout parts.pgn -epdout parts.epd -resume");
    let pgn = folder.join("parts.pgn");
    // The moments differ in each run; the results must not.
    let mut random = Random::new(u64::from(std::process::id()), 0);
    for _ in 0..10 {
        let later = Duration::from_millis(random.below(64) as u64);
        kill_after(&folder, &words, &pgn, 1 + random.below(4), later);
    }
    // The number of games at once may change.
    let words = words.replace("-concurrency 2", "-concurrency 1");
    let parts = run_match(&folder, &words).stdout;
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
    let Ended { stdout: again, stderr: warned, .. } = run_match(&folder, &words);
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
    let words = format!("{words} -pgnout g.pgn -epdout g.epd -resume");
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
    // A power cut may have reserved space; what is torn is reported. Editors add a byte-order mark,
    // and end lines in their own way.
    let text = String::from_utf8(games.clone()).unwrap();
    let begin = text.rfind("% game ").unwrap();
    let tags = begin + text[begin..].find("\n\n").unwrap();
    let comment = format!("{}\n\n1. d3 {{ it hopes for 1-0\n", &text[..tags]);
    let mark = "\u{feff}";
    for (text, torn_bytes) in [
        (format!("{text}{}", "\0".repeat(4096)), 4096),
        (text[..begin + 5].into(), 5),
        (text[..tags].into(), tags - begin),
        (comment.clone(), comment.len() - begin),
        (format!("{mark}{comment}"), comment.len() - begin),
        (format!("{mark}{text}"), 0),
        (text.replace('\n', "\r\n"), 0),
        (text.trim_end().into(), 0),
        (text.replace("[Site \"?\"]\n", "").replace("1. ", "{ here } 1. "), 0),
    ] {
        std::fs::write(&pgn, &text).unwrap();
        let ended = run_match(&folder, &words);
        let torn = format!(
            "quadrille: match: g.pgn: the last game is torn, {torn_bytes} bytes: it is dropped, \
             and played again\n"
        );
        let torn = if torn_bytes > 0 { torn } else { String::new() };
        let played = 4 - usize::from((1..4096).contains(&torn_bytes));
        let wanted = format!("{torn}quadrille: match: {played} of 4 games are played already\n");
        assert_eq!(ended.stderr, wanted, "{text}");
        let text = std::fs::read_to_string(&pgn).unwrap().replace("\r\n", "\n");
        std::fs::write(&pgn, text.trim_start_matches(mark).replace("{ here } ", "")).unwrap();
        let found = games_of(&pgn);
        assert!(found.iter().zip(&whole).all(|(one, other)| one.ends_with(&other[30..])), "{text}");
    }
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
    let error = refused_match(&folder, &format!("{words} -maxmoves 1000 -resume"));
    assert!(error.contains("its match was begun by another command"), "{error}");
    let Ended { stdout: said, stderr: warned, .. } =
        run_match(&folder, &format!("{words} -resume"));
    assert!(warned.contains("of 40 games are played already"), "{warned}");
    assert!(said.contains("\nStarted game 40 of 40 (B vs A)\n"), "{said}");
    let text = std::fs::read(&pgn).unwrap();
    assert!(text.starts_with(&other));
    let text = String::from_utf8_lossy(&text);
    assert_eq!(text.matches("[Event ").count(), 40);
    assert_eq!(text.lines().filter(|line| line.starts_with("% quadrille match ")).count(), 1);
    let replayed = quadrille(["replay", "g.pgn"]).current_dir(&folder).run();
    let counts = last(&replayed.stdout, "41 games, ");
    assert!(counts.ends_with(" moves, 1 fault"), "{replayed:#?}");
    // The match can be played anew too, with a hint if the other was not over.
    let next = words.replace("-rounds 20", "-rounds 3");
    let hint = |played| {
        format!(
            "quadrille: match: g.pgn has {played} of 6 games already; -resume would play the others\n"
        )
    };
    for kept in [6, 1] {
        assert_eq!(run_match(&folder, &next).stderr, "");
        let text = std::fs::read(&pgn).unwrap();
        let text = String::from_utf8_lossy(&text);
        let head = text.rfind("% quadrille").unwrap();
        let end = text[head..].match_indices("% end\n").nth(kept - 1).unwrap().0;
        std::fs::write(&pgn, &text[head..head + end + 6]).unwrap();
    }
    assert_eq!(run_match(&folder, &next).stderr, hint(1));
    assert_eq!(games_of(&pgn).len(), 7);
    run_match(&folder, &format!("{next} -resume"));
    assert_eq!(games_of(&pgn).len(), 7);
    run_match(&folder, &next.replace("g.pgn", "g.pgn append=false"));
    assert_eq!(games_of(&pgn).len(), 6);
}

/// The command is given again as a whole. What does not touch the games may differ.
#[test]
fn a_resumed_match_writes_what_its_command_names() {
    let folder = scratch("match_resume/outputs");
    let words = format!("{MATCH} -pgnout g.pgn -json r.json -debug -epdout g.epd");
    kill_after(&folder, &words, &folder.join("g.pgn"), 3, Duration::ZERO);
    std::fs::rename(folder.join("g.pgn"), folder.join("h.pgn")).unwrap();
    std::fs::write(folder.join("r.html"), "a diary").unwrap();
    let words = MATCH.replace("-ratinginterval 0", "--ratinginterval 20");
    let changed = "-concurrency 2 -json s.json -html r.html -log file=log.txt -epdout h.epd \
                   -scoreinterval 0 -strict -pgnout file=h.pgn notation=uci -resume";
    let ended = run_match(&folder, &format!("{words} {changed}"));
    assert!(ended.stderr.contains("of 40 games are played already"), "{ended:#?}");
    assert_eq!(ended.stdout.matches("Score of A vs B: ").count(), 1, "{ended:#?}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("s.json").contains("\"games\": 40, ") && !folder.join("r.json").exists());
    assert!(read("r.html").contains("<p class=\"soft\">40 games</p>"));
    assert_eq!(read("h.epd").lines().count(), 40);
    assert!(folder.join("log.txt").exists());
}

/// What a file says is text of strangers. If it is not what this match has written, the match does
/// not begin, and the file stays as it is.
#[test]
fn what_does_not_fit_is_refused() {
    let folder = scratch("match_resume/refused");
    let (book, pgn) = (folder.join("book.epd"), folder.join("g.pgn"));
    std::fs::write(&book, "k7/6p1/2p5/2P5/1P6/K7 w - -\n").unwrap();
    let words = "-variant congress -engine name=A cmd=self nodes=60 -engine name=B cmd=self nodes=40 \
                 -openings file=book.epd -rounds 2 -pgnout g.pgn -resume";
    run_match(&folder, words);
    let whole = std::fs::read_to_string(&pgn).unwrap();
    let refuses = |words: &str, text: &str, fault: &str| {
        std::fs::write(&pgn, text).unwrap();
        let error = refused_match(&folder, words);
        assert!(error.contains("-resume: g.pgn: ") && error.contains(fault), "{fault}: {error}");
        assert_eq!(std::fs::read_to_string(&pgn).unwrap(), text, "{fault}");
    };
    for (from, to) in
        [("nodes=60", "nodes=61"), ("-rounds 2", "-rounds 3"), ("-rounds", "-draw score=5 -rounds")]
    {
        refuses(&words.replace(from, to), &whole, "its match was begun by another command; with ");
    }
    std::fs::write(&book, "k7/6p1/2p5/2P5/1P6/K7 b - -\n").unwrap();
    let fault = "line 3: round 1, A against B: its opening is not the one that -openings gives now";
    refuses(words, &whole, fault);
    std::fs::write(&book, "k7/6p1/2p5/2P5/1P6/K7 w - -\n").unwrap();
    let (head, games) = whole.split_once('\n').unwrap();
    let first = &games[..games.find("% end\n").unwrap() + 6];
    let bare = &first[first.find('[').unwrap()..first.find("% end").unwrap()];
    let added = |more: &str| format!("{whole}{more}");
    let edited = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        whole.replacen(from, to, 1)
    };
    let mv = first.split("\n\n").nth(1).unwrap().split(' ').nth(1).unwrap();
    let other_result = if first.contains("[Result \"1-0\"]") { "0-1" } else { "1-0" };
    let tag = |name: &str| {
        let begin = first.find(&format!("[{name} ")).unwrap();
        first[begin..].lines().next().unwrap()
    };
    let old = "% quadrille match -variant congress -engine cmd=touch arg=started -html book.epd";
    let no_game = "it is not a game of the match";
    let begins_none = "begins no unfinished game of the match";
    for (text, fault) in [
        (added(first), ": round 1, A against B: it is there twice"),
        (edited("Round \"2\"", "Round \"3\""), no_game),
        (edited("% game 2", "% game 3"), no_game),
        (edited("% game 2", "% game 1"), "it is there twice"),
        (edited("% game 2", "2"), no_game),
        (edited("White \"A\"", "White \"C\""), "line 3: round 1, C against B: it is not a game"),
        (edited("\"congress\"", "\"gothic\""), no_game),
        (edited(&format!("1. {mv}"), "1. Ka9"), "line 3: round 1, A against B: move 1: "),
        (edited(tag("Result"), &format!("[Result \"{other_result}\"]")), "the tag Result says"),
        (edited(tag("PlyCount"), "[PlyCount \"9\"]"), "A against B: the tag PlyCount says"),
        (edited(tag("Reason"), "[Reason \"repetition\"]"), "A against B: the game ends by "),
        (edited("\"]\n\n1. ", "\"]\n\n1. ) "), "line 21: a `)` that closes nothing"),
        // Games of others, whole and torn, between those of the match and behind them.
        (edited("% end\n", &format!("{bare}% end\n")), no_game),
        (edited("% game 2", &format!("{bare}% game 2")), no_game),
        (added("% end\n"), "a game is missing"),
        (added("a note"), "`a note` begins no unfinished game"),
        (added(bare), begins_none),
        (added(&bare[..40]), begins_none),
        (added("[Event \"Quadrille match\"]\n\n1. d3 {never closed\n\n"), begins_none),
        (format!("{head}\n{}\n{bare}", &first[..40]), begins_none),
        (games.into(), "it is not the file of a match: no line begins with `% quadrille match`"),
        (
            edited(head, old),
            "an earlier version of Quadrille began this match; finish it with that",
        ),
        (added(&format!("{old}\n")), "an earlier version of Quadrille began this match"),
    ] {
        refuses(words, &text, fault);
    }
    assert!(!folder.join("started").exists());
    // Where no game is finished, the match begins.
    for text in [head, &format!("{head}\n"), &head[..20], ""] {
        std::fs::write(&pgn, text).unwrap();
        run_match(&folder, words);
        assert_eq!(games_of(&pgn).len(), 2, "{text}");
    }
}

#[test]
fn a_test_that_is_decided_stays_so() {
    let folder = scratch("match_resume/decided");
    let words = "-variant congress -engine name=A cmd=self nodes=300 -engine name=B cmd=self nodes=10 \
                 -openings random -games 2 -rounds 100 -sprt elo0=0 elo1=200 -pgnout s.pgn -resume";
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
        "-pgnout new.pgn -log none/log -resume",
        "-pgnout g.pgn -resume",
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
        for second in ["append=false", "-resume"] {
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
