//! A `match` that was ended in any way goes on where it was.

use crate::common::program::{InTime, Program};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const QUADRILLE: &str = env!("CARGO_BIN_EXE_quadrille");

/// A folder of a test's own.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match_resume-{name}"));
    // It need not be there.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(QUADRILLE);
    command
        .arg("match")
        .args(words.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// What a match says on each output; it must end well.
fn run(folder: &Path, words: &str) -> (String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command(folder, words).output_in_time();
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(status.success(), "{words}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

fn refused(folder: &Path, words: &str) -> String {
    let output = command(folder, words).output_in_time();
    assert_eq!(output.status.code(), Some(2), "{words}");
    String::from_utf8(output.stderr).unwrap()
}

/// The process that works, without the one that waits for it, so that a signal kills it at once.
fn start(folder: &Path, words: &str) -> Program {
    let mut command = command(folder, words);
    command
        .arg("--supervised")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Program::start(&mut command)
}

fn games_in(file: &Path) -> usize {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .filter(|line| line.starts_with("game\t"))
        .count()
}

/// Kills a match when it has played so many games more, and a little later.
fn kill_after(folder: &Path, words: &str, state: &Path, games: usize, later: Duration) {
    let wanted = games_in(state) + games;
    let mut child = start(folder, words);
    let begin = Instant::now();
    while games_in(state) < wanted && child.is_running() {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(later);
    child.kill();
}

/// The games of a PGN: round, names, result and moves, sorted.
fn games_of(pgn: &Path) -> Vec<String> {
    let mut text = String::new();
    std::fs::File::open(pgn)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let mut games: Vec<_> = text
        .split("[Event ")
        .skip(1)
        .map(|game| {
            let tags = game.lines().filter(|line| {
                ["[Round ", "[White ", "[Black ", "[Result ", "[Reason "]
                    .iter()
                    .any(|tag| line.starts_with(tag))
            });
            let tags: Vec<_> = tags.collect();
            let moves = game.split_once("\n\n").unwrap().1;
            let mut depth = 0;
            let moves: String = moves
                .chars()
                .filter(|&letter| {
                    depth += i32::from(letter == '{');
                    let is_move = depth == 0;
                    depth -= i32::from(letter == '}');
                    is_move
                })
                .collect();
            format!(
                "{}\n{}",
                tags.join("\n"),
                moves.split_whitespace().collect::<Vec<_>>().join(" ")
            )
        })
        .collect();
    games.sort_unstable();
    games
}

/// The lines of the result, in which the order of the games does not matter.
fn result(said: &str) -> Vec<&str> {
    let beginnings = [
        "...",
        "Elo difference",
        "Pentanomial",
        "Normalized",
        "Faults",
        "   \"",
    ];
    let lines = said
        .lines()
        .skip_while(|line| !line.starts_with("Elo difference"));
    let mut lines: Vec<_> = said
        .lines()
        .rev()
        .take(lines.count() + 4)
        .filter(|line| {
            beginnings
                .iter()
                .any(|beginning| line.starts_with(beginning))
        })
        .collect();
    lines.dedup();
    lines
}

const MATCH: &str = "-variant congress -engine name=A cmd=self nodes=60 -engine name=B cmd=self \
                     nodes=40 -openings random seed=8 -games 2 -rounds 20 -ratinginterval 0";

#[test]
fn a_match_killed_ten_times_has_the_same_games() {
    let folder = scratch("killed");
    let words = format!("{MATCH} -concurrency 2 -pgnout whole.pgn -epdout whole.epd");
    let (whole, _) = run(&folder, &words);
    assert!(
        !folder.join("whole.pgn.match").exists(),
        "there is nothing to go on with"
    );
    let words =
        format!("{MATCH} -concurrency 2 -pgnout parts.pgn -epdout parts.epd -resume parts.state");
    let state = folder.join("parts.state");
    // The moments differ from run to run; the results must not.
    let mut random = u64::from(std::process::id()) | 1;
    for _ in 0..10 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let (games, later) = (1 + ((random >> 33) & 3), (random >> 40) & 63);
        kill_after(
            &folder,
            &words,
            &state,
            games as usize,
            Duration::from_millis(later),
        );
    }
    // The file alone is enough, and other numbers of games at once may be wanted.
    let (parts, _) = run(&folder, "-resume parts.state -concurrency 1");
    assert_eq!(
        games_of(&folder.join("whole.pgn")),
        games_of(&folder.join("parts.pgn"))
    );
    assert_eq!(games_of(&folder.join("whole.pgn")).len(), 40);
    assert_eq!(result(&whole), result(&parts));
    let lines = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let mut lines: Vec<_> = text.lines().map(str::to_string).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(lines("whole.epd"), lines("parts.epd"));
    // Once it is over it stays over.
    let (again, warned) = run(&folder, "-resume parts.state");
    assert!(
        warned.contains("40 of 40 games are played already"),
        "{warned}"
    );
    assert!(!again.contains("Started game"), "{again}");
    assert_eq!(result(&whole), result(&again));
}

#[test]
fn a_match_is_kept_beside_its_pgn() {
    let folder = scratch("beside");
    let words = format!("{MATCH} -pgnout g.pgn");
    let state = folder.join("g.pgn.match");
    kill_after(&folder, &words, &state, 3, Duration::ZERO);
    let (said, warned) = run(&folder, "-resume g.pgn.match");
    assert!(
        warned.contains("of 40 games are played already"),
        "{warned}"
    );
    assert!(
        said.contains("\nStarted game 40 of 40 (B vs A)\n"),
        "{said}"
    );
    assert_eq!(games_of(&folder.join("g.pgn")).len(), 40);
    // To begin anew is possible too, and said.
    std::fs::remove_file(&state).unwrap();
    kill_after(&folder, &words, &state, 1, Duration::ZERO);
    let (_, warned) = run(&folder, &format!("{words} -rounds 1"));
    assert!(
        warned.contains("the unfinished match there is given up"),
        "{warned}"
    );
    assert!(!state.exists());
}

/// That the file beside the PGN cannot be written keeps nobody from playing.
#[test]
fn a_match_that_cannot_be_kept_is_played() {
    let folder = scratch("unkept");
    std::fs::create_dir(folder.join("g.pgn.match")).unwrap();
    let words = MATCH.replace("-rounds 20", "-rounds 1");
    let (said, warned) = run(&folder, &format!("{words} -pgnout g.pgn"));
    assert!(said.contains("Finished game 2 "), "{said}");
    assert!(
        warned.contains("the match is not kept: g.pgn.match: it is not a file"),
        "{warned}"
    );
}

/// A power cut can take what was written last.
#[test]
fn games_that_the_pgn_has_lost_are_played_again() {
    let folder = scratch("lost");
    let words = format!("{MATCH} -pgnout g.pgn -resume g.state");
    kill_after(&folder, &words, &folder.join("g.state"), 5, Duration::ZERO);
    let pgn = std::fs::read(folder.join("g.pgn")).unwrap();
    std::fs::write(folder.join("g.pgn"), &pgn[..pgn.len() / 2]).unwrap();
    // So can it leave half a line.
    let state = std::fs::read_to_string(folder.join("g.state")).unwrap();
    std::fs::write(folder.join("g.state"), &state[..state.len() - 7]).unwrap();
    run(&folder, "-resume g.state");
    let games = games_of(&folder.join("g.pgn"));
    assert_eq!(games.len(), 40);
    run(&folder, &format!("{MATCH} -pgnout whole.pgn"));
    assert_eq!(games, games_of(&folder.join("whole.pgn")));
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = scratch("refused");
    std::fs::write(folder.join("book.epd"), "k7/6p1/2p5/2P5/1P6/K7 w - -\n").unwrap();
    let words = "-variant congress -engine name=A cmd=self nodes=60 -engine name=B cmd=self nodes=40 \
                 -openings file=book.epd -rounds 2 -pgnout g.pgn -resume g.state";
    run(&folder, words);
    let error = refused(&folder, &words.replace("nodes=60", "nodes=61"));
    assert!(
        error.contains("-resume: g.state: it is of another match: -variant congress"),
        "{error}"
    );
    std::fs::write(folder.join("book.epd"), "k7/6p1/2p5/2P5/1P6/K7 b - -\n").unwrap();
    let error = refused(&folder, "-resume g.state");
    assert!(error.contains("the openings have changed since"), "{error}");
    std::fs::write(folder.join("book.epd"), "k7/6p1/2p5/2P5/1P6/K7 w - -\n").unwrap();
    let pgn = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
    std::fs::write(folder.join("g.pgn"), pgn.repeat(2)).unwrap();
    let error = refused(&folder, "-resume g.state");
    assert!(
        error.contains("-resume: g.pgn: other games have been added since"),
        "{error}"
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("g.pgn")).unwrap(),
        pgn.repeat(2)
    );
    let error = refused(&folder, "-resume book.epd");
    assert!(
        error.contains("-resume: book.epd: it is not of a match"),
        "{error}"
    );
    let error = refused(&folder, "-resume nothing");
    assert!(error.contains("-resume: nothing: No such file"), "{error}");
    let error = refused(&folder, "-resume");
    assert!(
        error.contains("match: -resume: its value is missing; see match --help"),
        "{error}"
    );
}

#[test]
fn a_test_that_is_decided_stays_so() {
    let folder = scratch("decided");
    let words = "-variant congress -engine name=A cmd=self nodes=300 -engine name=B cmd=self nodes=10 \
                 -openings random -games 2 -rounds 100 -sprt elo0=0 elo1=200 -resume s.state";
    let (said, _) = run(&folder, words);
    assert!(
        said.contains("The match ends: the test is decided."),
        "{said}"
    );
    let played = games_in(&folder.join("s.state"));
    let (again, _) = run(&folder, words);
    assert!(
        again.contains("The match ends: the test is decided."),
        "{again}"
    );
    assert_eq!(games_in(&folder.join("s.state")), played);
}

/// At a terminal, which `script` is, standard error shows how far the match is.
#[test]
#[ignore = "needs script"]
fn a_terminal_shows_how_far_the_match_is() {
    let folder = scratch("terminal");
    let words = MATCH.replace("-rounds 20", "-rounds 1");
    let script = format!("{QUADRILLE} match {words}");
    let output = Command::new("script")
        .args(["-qec", &script, "/dev/null"])
        .current_dir(&folder)
        .output_in_time();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("\r\u{1b}[K1 of 2 games, 0 under way, 0:0") && said.contains(" to go; "),
        "{said:?}"
    );
    let (_, silent) = run(&folder, &words);
    assert_eq!(silent, "");
}
