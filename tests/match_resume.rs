//! A `match` continues after any interruption.

use crate::common::matches::{figures, games_of, refused_match, run_match, start_match};
use crate::common::program::{Ended, Program, QUADRILLE, Run, quadrille, scratch, wait_for};
use quadrille::system::random::Random;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn games_in(file: &Path) -> usize {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .filter(|line| line.starts_with("game\t"))
        .count()
}

/// Kills a match a little after some games more.
fn kill_after(folder: &Path, words: &str, state: &Path, games: usize, later: Duration) {
    let mut command = quadrille(["match"]);
    command.args(words.split(' ')).current_dir(folder);
    let wanted = games_in(state) + games;
    let mut child = Program::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    wait_for("games", Duration::from_secs(60), || {
        games_in(state) >= wanted || !child.is_running()
    });
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
    assert!(
        !folder.join("whole.pgn.match").exists(),
        "there is nothing to resume"
    );
    let words =
        format!("{MATCH} -concurrency 2 -pgnout parts.pgn -epdout parts.epd -resume parts.state");
    let state = folder.join("parts.state");
    // The moments differ in each run; the results must not.
    let mut random = Random::new(u64::from(std::process::id()), 0);
    for _ in 0..10 {
        let later = Duration::from_millis(random.below(64) as u64);
        kill_after(&folder, &words, &state, 1 + random.below(4), later);
    }
    // The file alone is enough, and the number of games at once may change.
    let parts = run_match(&folder, "-resume parts.state -concurrency 1").stdout;
    assert_eq!(
        games_of(&folder.join("whole.pgn")),
        games_of(&folder.join("parts.pgn"))
    );
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
    let Ended {
        stdout: again,
        stderr: warned,
        ..
    } = run_match(&folder, "-resume parts.state");
    assert!(
        warned.contains("40 of 40 games are played already"),
        "{warned}"
    );
    assert!(!again.contains("Started game"), "{again}");
    assert_eq!(figures(&whole), figures(&again));
}

#[test]
fn a_match_is_kept_beside_its_pgn() {
    let folder = scratch("match_resume/beside");
    let words = format!("{MATCH} -pgnout g.pgn");
    let state = folder.join("g.pgn.match");
    kill_after(&folder, &words, &state, 3, Duration::ZERO);
    let Ended {
        stdout: said,
        stderr: warned,
        ..
    } = run_match(&folder, "-resume g.pgn.match");
    assert!(
        warned.contains("of 40 games are played already"),
        "{warned}"
    );
    assert!(
        said.contains("\nStarted game 40 of 40 (B vs A)\n"),
        "{said}"
    );
    assert_eq!(games_of(&folder.join("g.pgn")).len(), 40);
    // A new match is possible too, with a warning.
    std::fs::remove_file(&state).unwrap();
    kill_after(&folder, &words, &state, 1, Duration::ZERO);
    let warned = run_match(&folder, &format!("{words} -rounds 1")).stderr;
    assert!(
        warned.contains("the unfinished match in it is discarded"),
        "{warned}"
    );
    assert!(!state.exists());
}

/// The file has all words of the first command line. Those that do not touch the games can change.
#[test]
fn a_match_resumed_by_its_file_alone_writes_what_it_wrote() {
    let folder = scratch("match_resume/outputs");
    let outputs = "-concurrency 2 -json r.json -html r.html -log file=log.txt -epdout g.epd \
                   -scoreinterval 0 -debug";
    let words = format!("{MATCH} -pgnout g.pgn {outputs}");
    kill_after(
        &folder,
        &words,
        &folder.join("g.pgn.match"),
        3,
        Duration::ZERO,
    );
    for (more, wanted) in [
        (
            "-rounds 30",
            "-resume: g.pgn.match: `-rounds 30` would change the match; leave it out",
        ),
        (
            "-pgnout x.pgn",
            "`-pgnout x.pgn` would change the match; leave it out",
        ),
        (
            "-draw score=5",
            "`-draw score=5` would change the match; leave it out",
        ),
    ] {
        let error = refused_match(&folder, &format!("-resume g.pgn.match {more}"));
        assert!(error.contains(wanted), "{error}");
    }
    std::fs::remove_file(folder.join("log.txt")).unwrap();
    let changed = "-variant congress --ratinginterval 20 -json s.json -strict";
    let ended = run_match(&folder, &format!("-resume g.pgn.match {changed}"));
    assert!(
        ended.stderr.contains("of 40 games are played already"),
        "{ended:#?}"
    );
    assert_eq!(
        ended.stdout.matches("Score of A vs B: ").count(),
        1,
        "{ended:#?}"
    );
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("s.json").contains("\"games\": 40, ") && !folder.join("r.json").exists());
    assert!(read("r.html").contains("<p class=\"soft\">40 games</p>"));
    assert_eq!(read("g.epd").lines().count(), 40);
    assert!(folder.join("log.txt").exists());
}

/// A match is played even if the file beside its PGN cannot be written.
#[test]
fn a_match_that_cannot_be_kept_is_played() {
    let folder = scratch("match_resume/unkept");
    std::fs::create_dir(folder.join("g.pgn.match")).unwrap();
    let words = MATCH.replace("-rounds 20", "-rounds 1");
    let Ended {
        stdout: said,
        stderr: warned,
        ..
    } = run_match(&folder, &format!("{words} -pgnout g.pgn"));
    assert!(said.contains("Finished game 2 "), "{said}");
    assert!(
        warned.contains("the match cannot be kept: g.pgn.match: it is not a file"),
        "{warned}"
    );
}

/// A power cut can lose the last bytes written.
#[test]
fn games_that_the_pgn_has_lost_are_played_again() {
    let folder = scratch("match_resume/lost");
    let words = format!("{MATCH} -pgnout g.pgn -resume g.state");
    kill_after(&folder, &words, &folder.join("g.state"), 5, Duration::ZERO);
    let pgn = std::fs::read(folder.join("g.pgn")).unwrap();
    std::fs::write(folder.join("g.pgn"), &pgn[..pgn.len() / 2]).unwrap();
    // It can also leave half a line.
    let state = std::fs::read_to_string(folder.join("g.state")).unwrap();
    std::fs::write(folder.join("g.state"), &state[..state.len() - 7]).unwrap();
    run_match(&folder, "-resume g.state");
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
                 -openings file=book.epd -rounds 2 -pgnout g.pgn -resume g.state";
    run_match(&folder, words);
    let error = refused_match(&folder, &words.replace("nodes=60", "nodes=61"));
    assert!(
        error.contains("-resume: g.state: it is the file of another match: -variant congress"),
        "{error}"
    );
    assert!(
        error.contains("; it has no `-engine name=A cmd=self nodes=61`"),
        "{error}"
    );
    std::fs::write(folder.join("book.epd"), "k7/6p1/2p5/2P5/1P6/K7 b - -\n").unwrap();
    let error = refused_match(&folder, "-resume g.state");
    assert!(error.contains("the openings have changed since"), "{error}");
    std::fs::write(folder.join("book.epd"), "k7/6p1/2p5/2P5/1P6/K7 w - -\n").unwrap();
    let pgn = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
    std::fs::write(folder.join("g.pgn"), pgn.repeat(2)).unwrap();
    let error = refused_match(&folder, "-resume g.state");
    assert!(
        error.contains("-resume: g.pgn: other games have been added since"),
        "{error}"
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("g.pgn")).unwrap(),
        pgn.repeat(2)
    );
    let error = refused_match(&folder, "-resume book.epd");
    assert!(
        error.contains("-resume: book.epd: it is not the file of a match"),
        "{error}"
    );
    let error = refused_match(&folder, "-resume nothing");
    assert!(error.contains("-resume: nothing: "), "{error}");
    let error = refused_match(&folder, "-resume");
    assert!(
        error.contains("match: -resume: its value is missing; see match --help"),
        "{error}"
    );
}

#[test]
fn a_test_that_is_decided_stays_so() {
    let folder = scratch("match_resume/decided");
    let words = "-variant congress -engine name=A cmd=self nodes=300 -engine name=B cmd=self nodes=10 \
                 -openings random -games 2 -rounds 100 -sprt elo0=0 elo1=200 -resume s.state";
    let said = run_match(&folder, words).stdout;
    assert!(
        said.contains("The match ends: the test is decided."),
        "{said}"
    );
    let played = games_in(&folder.join("s.state"));
    let again = run_match(&folder, words).stdout;
    assert!(
        again.contains("The match ends: the test is decided."),
        "{again}"
    );
    assert_eq!(games_in(&folder.join("s.state")), played);
}

/// Standard error of a terminal, which `script` provides, shows the progress of the match.
#[test]
#[ignore = "needs script"]
fn a_terminal_shows_how_far_the_match_is() {
    let folder = scratch("match_resume/terminal");
    let words = MATCH.replace("-rounds 20", "-rounds 1");
    let script = format!("{QUADRILLE} match {words}");
    let output = Command::new("script")
        .args(["-qec", &script, "/dev/null"])
        .current_dir(&folder)
        .run();
    let said = output.stdout;
    assert!(
        said.contains("\r1 of 2 games, 0 in progress, 0:0") && said.contains(" to go; "),
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
    std::fs::write(folder.join("g.pgn.match"), "quadrille match 2\nword old\n").unwrap();
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
        "-epdout none/e.epd -resume new.state",
    ] {
        let error = refused_match(&folder, &format!("{words} {outputs}"));
        assert!(!error.contains("discarded"), "{outputs}: {error}");
        assert_eq!(files(), before, "{outputs}: {error}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("none/g.pgn", folder.join("dangling")).unwrap();
        refused_match(&folder, &format!("{words} -pgnout dangling"));
        assert!(!folder.join("dangling.match").exists());
        std::fs::remove_file(folder.join("dangling")).unwrap();
    }
    // Another process writes to them.
    let endless = words.replace("nodes=60", "nodes=18446744073709551615");
    let mut first = start_match(&folder, &format!("{endless} -pgnout g.pgn"));
    let started = first.lines().recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(started.starts_with("Started game 1 "), "{started}");
    let during = files();
    let error = refused_match(&folder, &format!("{endless} -pgnout g.pgn append=false"));
    assert_eq!(
        error,
        "quadrille: match: -pgnout: g.pgn: another process writes to it\n"
    );
    assert_eq!(files(), during);
}
