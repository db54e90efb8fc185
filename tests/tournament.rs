//! `match`: referee, report, PGN, interrupts and engines that misbehave.

use crate::common::matches::{
    COPIES, UCI, games_of, last, refused_match, run_match as run, script,
};
use crate::common::program::{Program, Run, interruptible, length, quadrille, scratch, wait_for};
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::records::pgn::{Reader, Record};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time limit for an interrupted match, with its first games.
const SOON: Duration = Duration::from_secs(60);

/// Runs a match, and returns its output.
#[track_caller]
fn run_match(folder: &Path, words: &str) -> String {
    run(folder, words).stdout
}

/// Replays a PGN without a fault, and returns the figures.
#[track_caller]
fn replay(pgn: &Path) -> String {
    let replayed = quadrille(["replay"]).arg(pgn).run().succeeded();
    replayed.stdout.lines().last().unwrap().to_string()
}

/// The first game of a match, wherever it stands in the file.
fn first_game(pgn: &Path) -> Record {
    let file = std::fs::File::open(pgn).unwrap();
    let games = Reader::new(BufReader::new(file)).map(Result::unwrap);
    let mut first = games.filter(|game| game.tag("Round") == Some("1.1"));
    first.next().unwrap()
}

#[test]
fn every_game_is_played_and_its_pgn_replays() {
    for variant in ["gothic", "congress", "pressman", "crosseyed"] {
        let folder = scratch(&format!("tournament/games-{variant}"));
        let words = format!("-variant {variant} {COPIES} -openings random plies=6 seed=3 -games 2");
        let said = run_match(
            &folder,
            &format!("{words} -rounds 3 -concurrency 2 -pgnout san.pgn"),
        );
        assert!(last(&said, "Score of A vs B").ends_with(" 6"), "{said}");
        assert_eq!(
            last(&said, "Faults of A"),
            "Faults of A: 0 time losses, 0 illegal moves, 0 crashes, 0 hangs"
        );
        assert!(said.contains("Pentanomial: ["), "{said}");
        let pgn = folder.join("san.pgn");
        assert!(replay(&pgn).starts_with("6 games, "), "{variant}");
        // The first of them in coordinates.
        let in_coordinates = "-pgnout file=coordinates.pgn notation=uci";
        run_match(&folder, &format!("{words} {in_coordinates}"));
        let [san, mut plain] = [&pgn, &folder.join("coordinates.pgn")].map(|path| first_game(path));
        let texts = |game: &Record| -> Vec<_> {
            let moves = game.moves.iter();
            moves.map(|mv| mv.text.clone()).collect()
        };
        assert_ne!(texts(&san), texts(&plain));
        plain
            .write_san(find_variant(VARIANTS, variant).unwrap())
            .unwrap();
        assert_eq!(texts(&san), texts(&plain));
        let date = san.tag("Date").unwrap();
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        assert!(date.len() == 10 && date.split('.').all(digits), "{date}");
        // The same openings with either colour.
        let games = std::fs::read_to_string(&pgn).unwrap();
        let beginning = |round: &str| {
            let game = games
                .split("[Event ")
                .find(|game| game.contains(&format!("[Round \"{round}\"]")))
                .unwrap();
            let moves = game.split("\n\n").nth(1).unwrap();
            moves
                .split('{')
                .next()
                .unwrap()
                .split_whitespace()
                .take(6)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(beginning("2.1"), beginning("2.2"), "{variant}");
        assert_ne!(beginning("2.1"), beginning("3.1"), "{variant}");
    }
}

#[test]
fn the_seed_decides_the_openings_and_so_the_games() {
    let games = |seed: u32, concurrency: u32| {
        let folder = scratch(&format!("tournament/seed-{seed}-{concurrency}"));
        let words = format!("-variant congress {COPIES} -openings random seed={seed} -games 4");
        let more = format!("-concurrency {concurrency} -pgnout games.pgn");
        run_match(&folder, &format!("{words} {more}"));
        games_of(&folder.join("games.pgn"))
    };
    assert_eq!(games(1, 1), games(1, 2));
    assert_ne!(games(1, 2), games(2, 2));
}

/// Writes a shell script that answers `go`, and returns the words for a match of it against this
/// program.
fn script_match(folder: &Path, answer: &str, control: &str, games: u32, more: &str) -> String {
    let script = script(folder, "fake", &format!("{UCI} go) {answer};;"));
    format!(
        "-variant gothic {script} -engine name=real cmd=self nodes=50 -each {control} \
         -games {games} {more}"
    )
}

/// Runs a match of a shell script that answers `go` against this program.
#[track_caller]
fn against_script(test: &str, answer: &str, control: &str, games: u32, more: &str) -> String {
    let folder = scratch(&format!("tournament/{test}"));
    run_match(
        &folder,
        &script_match(&folder, answer, control, games, more),
    )
}

#[test]
fn an_illegal_move_loses_that_game_only() {
    let said = against_script("illegal", "echo bestmove e2e5", "st=5", 2, "");
    assert!(
        said.contains("Finished game 1 (fake vs real): 0-1 {White makes an illegal move: e2e5}"),
        "{said}"
    );
    assert!(
        said.contains("Finished game 2 (real vs fake): 1-0 {Black makes an illegal move: e2e5}"),
        "{said}"
    );
    assert!(
        said.contains(
            "Fault in game 1: fake: played `e2e5`, which is illegal, in \
             rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1"
        ),
        "{said}"
    );
    assert_eq!(
        last(&said, "Faults of fake"),
        "Faults of fake: 0 time losses, 2 illegal moves, 0 crashes, 0 hangs"
    );
    assert_eq!(
        last(&said, "Faults of real"),
        "Faults of real: 0 time losses, 0 illegal moves, 0 crashes, 0 hangs"
    );
    assert!(
        last(&said, "Score of").starts_with("Score of fake vs real: 0 - 2 - 0  [0.000] 2"),
        "{said}"
    );
}

#[test]
fn nonsense_is_skipped_and_a_nonsense_move_is_illegal() {
    let said = against_script(
        "nonsense",
        r"printf 'b\303\050\000\ninfo depth x score cp\nbestmove\n'",
        "st=5",
        1,
        "",
    );
    assert!(
        said.contains("0-1 {White makes an illegal move: }"),
        "{said}"
    );
}

#[test]
fn a_late_move_loses_on_time() {
    let said = against_script("late", "sleep 0.4; echo bestmove e2e4", "st=0.1", 2, "");
    assert!(
        said.contains("Finished game 1 (fake vs real): 0-1 {White loses on time}"),
        "{said}"
    );
    assert!(
        said.contains("Fault in game 1: fake: lost on time in rnbq"),
        "{said}"
    );
    assert_eq!(
        last(&said, "Faults of fake"),
        "Faults of fake: 2 time losses, 0 illegal moves, 0 crashes, 0 hangs"
    );
    // The margin forgives engines that are a little late.
    let said = against_script(
        "late",
        "sleep 0.4; echo bestmove e2e4",
        "st=0.1",
        1,
        "-each timemargin=3000 -maxmoves 1",
    );
    assert!(
        last(&said, "Faults of fake").contains(" 0 time losses"),
        "{said}"
    );
}

#[test]
fn an_engine_that_hangs_loses_and_is_started_again() {
    let said = against_script(
        "hangs",
        "exec sleep 60",
        "st=0.1",
        2,
        "-recover -concurrency 2",
    );
    assert!(said.contains("{White's connection stalls}"), "{said}");
    assert_eq!(
        last(&said, "Faults of fake"),
        "Faults of fake: 0 time losses, 0 illegal moves, 0 crashes, 2 hangs"
    );
}

#[test]
fn an_engine_that_talks_without_end_hangs() {
    let said = against_script(
        "talks",
        "while :; do echo y; done",
        "st=0.1",
        2,
        "-recover -concurrency 2",
    );
    assert_eq!(
        last(&said, "Faults of fake"),
        "Faults of fake: 0 time losses, 0 illegal moves, 0 crashes, 2 hangs"
    );
}

/// Runs a match that might hang.
fn soon(run: impl FnOnce() -> String + Send + 'static) -> String {
    let (sender, said) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(run()));
    let said = said.recv_timeout(Duration::from_secs(60));
    said.expect("the match hangs")
}

/// The engine answers without reading until the pipe to it is full.
#[test]
fn an_engine_that_does_not_read_hangs() {
    let deaf = "while :; do echo readyok; echo bestmove a1a1; done";
    let quiet = "-scoreinterval 0 -ratinginterval 0";
    let said = soon(move || against_script("deaf", deaf, "st=5", 3000, quiet));
    assert!(said.contains("The match ends: an engine died"), "{said}");
    let faults = last(&said, "Faults of fake");
    assert!(
        faults.ends_with(" illegal moves, 0 crashes, 1 hangs"),
        "{faults}"
    );
}

/// Neither terminal codes nor endless text reach the terminal.
#[test]
fn what_an_engine_writes_is_made_visible_and_bounded() {
    // A process that it leaves behind keeps nobody waiting.
    let noise = "sleep 100 & awk 'BEGIN { for (i = 0; i < 200000; i++) print \"a\\033[31mred\" }' >&2; \
                 printf 'bestmove \\033[31mred\\n'";
    let folder = scratch("tournament/noise");
    let words = script_match(&folder, noise, "st=20", 1, "");
    let said = soon(move || run(&folder, &words).said());
    let wanted =
        "Finished game 1 (fake vs real): 0-1 {White makes an illegal move: \u{fffd}[31mred}";
    assert!(said.contains(wanted), "{said}");
    assert_eq!(
        said.matches("quadrille: fake: a\u{fffd}[31mred\n").count(),
        20,
        "{said}"
    );
    assert!(said.contains("quadrille: fake: and so on\n"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
}

#[test]
fn what_is_no_move_need_not_be_kept() {
    let folder = scratch("tournament/no-move");
    let long = "printf 'bestmove '; head -c 2000000 /dev/zero | tr '\\0' a; echo";
    let words = script_match(&folder, long, "st=5", 1, "-pgnout games.pgn");
    let said = run_match(&folder, &words);
    assert!(said.contains(" 1 illegal moves"), "{said}");
    assert!(said.len() < 10_000);
    assert!(replay(&folder.join("games.pgn")).starts_with("1 game, "));
}

#[test]
fn a_game_begins_on_a_line_of_its_own() {
    let folder = scratch("tournament/torn");
    let pgn = folder.join("games.pgn");
    std::fs::write(&pgn, "[Event \"torn\"]\n[Whi").unwrap();
    let words = format!("-variant congress {COPIES} -games 1 -pgnout games.pgn");
    run_match(&folder, &words);
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(
        text.contains("[Whi\n\n[Event \"Quadrille match\"]\n"),
        "{text}"
    );
}

/// Starts a match that a signal reaches.
fn start(folder: &Path, words: &str) -> Program {
    let mut command = interruptible();
    command.arg("match").args(words.split_whitespace());
    Program::piped(command.current_dir(folder), SOON)
}

#[cfg(unix)]
#[test]
fn the_first_interrupt_lets_the_game_end() {
    let folder = scratch("tournament/first-interrupt");
    let words = script_match(&folder, "sleep 2; echo bestmove a1a1", "st=20", 2, "");
    let mut program = start(&folder, &words);
    let mut said = String::new();
    let mut output = BufReader::new(program.stdout.take().unwrap());
    output.read_line(&mut said).unwrap();
    assert_eq!(said, "Started game 1 of 2 (fake vs real)\n");
    program.signal("INT");
    output.read_to_string(&mut said).unwrap();
    let finished = "Finished game 1 (fake vs real): 0-1 {White makes an illegal move: a1a1}";
    assert!(said.contains(finished), "{said}");
    assert!(!said.contains("Started game 2"), "{said}");
    assert!(said.contains("The match was interrupted."), "{said}");
    // The status is the signal.
    assert_eq!(program.wait().code(), None);
}

/// The first interrupt lets the games under way finish, the second ends them.
#[cfg(unix)]
#[test]
fn the_second_interrupt_ends_long_searches() {
    let endless = "-variant congress -each nodes=18446744073709551615 \
                   -engine cmd=self -engine cmd=self";
    let mut program = start(Path::new("."), endless);
    let mut said = String::new();
    let mut output = BufReader::new(program.stdout.take().unwrap());
    output.read_line(&mut said).unwrap();
    program.signal("INT");
    let mut told = String::new();
    let mut errors = BufReader::new(program.stderr.take().unwrap());
    errors.read_line(&mut told).unwrap();
    let wanted = "the games under way are played to their end";
    assert!(told.contains(wanted), "{told}");
    assert!(program.is_running());
    program.signal("INT");
    // Its output closes when the working process has ended too.
    let begun = Instant::now();
    output.read_to_string(&mut said).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert!(!program.wait().success());
    assert!(said.contains("The match was interrupted."), "{said}");
}

#[test]
fn a_crash_loses_and_ends_the_match_without_recover() {
    let said = against_script("dies", "exit 3", "st=5", 3, "-recover");
    assert!(said.contains("0-1 {White disconnects}"), "{said}");
    assert_eq!(
        last(&said, "Faults of fake"),
        "Faults of fake: 0 time losses, 0 illegal moves, 3 crashes, 0 hangs"
    );
    let said = against_script("dies", "exit 3", "st=5", 3, "");
    assert!(said.contains("The match ends: an engine died"), "{said}");
    assert!(last(&said, "Score of").ends_with(" 1"), "{said}");
}

#[test]
fn processes_play_with_clocks() {
    let folder = scratch("tournament/clock");
    let pgn = folder.join("games.pgn");
    let said = run_match(
        &folder,
        "-variant congress -engine name=P cmd=quadrille option.Hash=1 \
         -engine name=Q cmd=quadrille arg=--variant arg=gothic -each tc=40/0.5+0.01 \
         timemargin=5000 -games 2 -concurrency 2 -pgnout games.pgn",
    );
    assert!(last(&said, "Score of P vs Q").ends_with(" 2"), "{said}");
    assert!(
        last(&said, "Faults of P").contains("0 time losses, 0 illegal moves, 0 crashes"),
        "{said}"
    );
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(text.contains("[TimeControl \"40/0.5+0.01\"]"), "{text}");
    assert!(replay(&pgn).starts_with("2 games, "));
}

#[test]
fn round_robin_and_gauntlet_end_in_a_table() {
    let three = format!(
        "-variant congress {COPIES} -engine name=C cmd=self depth=1 -openings random seed=9 -games 2"
    );
    let folder = scratch("tournament/round-robin");
    let said = run_match(&folder, &three);
    assert_eq!(
        said.lines()
            .filter(|line| line.starts_with("Finished game"))
            .count(),
        6
    );
    assert_eq!(
        last(&said, "Rank"),
        "Rank Name                          Elo     +/-   Games   Score    Draw"
    );
    assert!(said.contains("\nCrosstable\n"), "{said}");
    let said = run_match(&folder, &format!("{three} -tournament gauntlet"));
    assert_eq!(
        said.lines()
            .filter(|line| line.starts_with("Finished game"))
            .count(),
        4
    );
    assert!(!said.contains("Score of B vs C"), "{said}");
}

#[test]
fn adjudication_ends_games_early() {
    let folder = scratch("tournament/adjudication");
    for (rule, ending) in [
        (
            "-draw movenumber=1 movecount=1 score=30000",
            "{Draw by adjudication}",
        ),
        ("-resign movecount=1 score=-30000", " wins by adjudication}"),
        (
            "-maxmoves 3",
            "1/2-1/2 {Draw by adjudication: maximal game length}",
        ),
    ] {
        let words = format!("-variant gothic {COPIES} {rule} -games 1");
        let said = run_match(&folder, &words);
        assert!(said.contains(ending), "{rule}: {said}");
    }
}

#[test]
fn openings_come_from_files() {
    let folder = scratch("tournament/openings");
    let epd = folder.join("openings.epd");
    std::fs::write(
        &epd,
        "# two kings each\nk7/6p1/2p5/2P5/1P6/K7 w - -\n\nk7/6p1/2p5/2P5/1P6/K7 b - - 3 9\n",
    )
    .unwrap();
    let words = format!("-variant congress {COPIES} -openings");
    run_match(
        &folder,
        &format!("{words} file=openings.epd order=sequential -games 2 -pgnout from-epd.pgn"),
    );
    let text = std::fs::read_to_string(folder.join("from-epd.pgn")).unwrap();
    for fen in [
        "[FEN \"k7/6p1/2p5/2P5/1P6/K7 w - - 0 1\"]",
        "[FEN \"k7/6p1/2p5/2P5/1P6/K7 b - - 3 9\"]",
    ] {
        assert!(text.contains(fen), "{text}");
    }
    run_match(
        &folder,
        &format!("{words} file=from-epd.pgn plies=1 start=2 -games 1 -pgnout from-pgn.pgn"),
    );
    let text = std::fs::read_to_string(folder.join("from-pgn.pgn")).unwrap();
    assert!(text.contains("b - - 3 9"));
    std::fs::write(
        &epd,
        "k7/6p1/2p5/2P5/1P6/K7 w - -\nk7/6p1/2x5/2P5/1P6/K7 w - -\n",
    )
    .unwrap();
    let error = refused_match(&folder, &format!("{words} file=openings.epd"));
    assert!(
        error.contains("number 2") && error.contains("placement"),
        "{error}"
    );
}

#[test]
fn a_file_of_openings_is_read_line_by_line() {
    let folder = scratch("tournament/lines");
    let file = folder.join("lines.epd");
    let words = format!("-variant congress {COPIES} -openings file=lines.epd");
    let start = "hh1kk1bb/1pppppp1/8/8/1PPPPPP1/HH1KK1BB w - -";
    let fault = |text: &str| {
        std::fs::write(&file, text).unwrap();
        refused_match(&folder, &words)
    };
    for (text, wanted) in [
        (
            format!("{start}\n{start} bm b1c3; id \"x"),
            "line 2: `id`: a quote does not end",
        ),
        (
            format!("{start}\nstartpos moves Hc3 Hc4 Ka1\n"),
            "line 2: move 3: `Ka1` is illegal in ",
        ),
        (
            format!("# two\n\ngothic {start} 0 1\n"),
            "line 3: it is for `gothic`",
        ),
        (
            "x".repeat(2_000_000),
            "line 1: it has more than 1048576 bytes",
        ),
    ] {
        let error = fault(&text);
        assert!(error.contains(wanted), "{error}");
    }
    let sound = format!("congress {start} hmvc 0; id \"a; b\";\nstartpos moves b2b3 Hc4\n");
    std::fs::write(&file, sound).unwrap();
    let said = run_match(&folder, &format!("{words} -games 2"));
    assert!(last(&said, "Score of").ends_with(" 2"), "{said}");
}

#[test]
fn many_more_nodes_are_found_stronger() {
    let said = run_match(
        &scratch("tournament/stronger"),
        "-variant congress -engine name=strong cmd=self nodes=800 -engine name=weak cmd=self nodes=50 \
         -openings random plies=6 seed=1 -games 2 -rounds 300 -concurrency 2 -sprt elo0=0 elo1=50",
    );
    assert!(
        said.contains("The match ends: the test is decided."),
        "{said}"
    );
    let test = last(&said, "SPRT: llr ");
    assert!(
        test.ends_with("%), lbound -2.94, ubound 2.94 - H1 was accepted"),
        "{said}"
    );
    assert_eq!(
        last(&said, "SPRT model: "),
        "SPRT model: logistic, elo0 0, elo1 50, alpha 0.05, beta 0.05"
    );
}

#[test]
fn parts_of_a_match_are_put_together() {
    let folder = scratch("tournament/parts");
    for seed in [1, 2] {
        let words = format!("-variant congress {COPIES} -openings random seed={seed} -games 2");
        run_match(&folder, &format!("{words} -rounds 2 -pgnout {seed}.pgn"));
    }
    let merge = |files: &str| run_match(&folder, &format!("--merge {files}"));
    let [one, both] = [merge("1.pgn"), merge("1.pgn 2.pgn")];
    assert!(last(&one, "Score of A vs B").ends_with(" 4"), "{one}");
    assert!(last(&both, "Score of A vs B").ends_with(" 8"), "{both}");
    let pairs: u32 = last(&both, "Pentanomial")
        .split(['[', ',', ']'])
        .filter_map(|word| word.trim().parse::<u32>().ok())
        .sum();
    assert_eq!(pairs, 4);
    assert!(both.contains("Elo difference: "), "{both}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_loses_nothing() {
    for signal in ["INT", "TERM", "KILL"] {
        let folder = scratch(&format!("tournament/interrupted-{signal}"));
        let pgn = folder.join("games.pgn");
        let words = format!(
            "-variant congress {COPIES} -openings random seed=5 -games 1000000 -concurrency 2 \
             -pgnout games.pgn"
        );
        let program = start(&folder, &words);
        wait_for("a game", SOON, || length(&pgn) > 0);
        program.signal(signal);
        let output = program.output();
        assert!(!output.status.success(), "{signal}");
        let said = output.stdout;
        assert!(said.contains("The match was interrupted."), "{said}");
        let games = last(&said, "Score of A vs B").rsplit(' ').next().unwrap();
        assert!(said.contains("Elo difference: "), "{said}");
        assert_eq!(replay(&pgn).split(' ').next(), Some(games), "{signal}");
    }
}

#[test]
fn wrong_words_are_named() {
    let folder = scratch("tournament/wrong");
    for (words, fault) in [
        ("-engine cmd=self nodes=5", "two engines"),
        (&format!("{COPIES} -variant chess"), "`chess` is not one of"),
        (&format!("{COPIES} -games no"), "-games: `no`"),
        (
            &format!("{COPIES} -games 0"),
            "-games: `0` is not a whole number from 1 to 1000000",
        ),
        (&format!("{COPIES} -frobnicate"), "`-frobnicate`"),
        (
            &format!("{COPIES} -openings random file=x"),
            "both random and file",
        ),
        (
            &format!("{COPIES} -openings file=/nonexistent"),
            "/nonexistent",
        ),
        (
            &format!("{COPIES} -sprt elo0=5 elo1=0"),
            "elo0 must be below elo1",
        ),
        (
            &format!("{COPIES} -sprt elo0=0 elo1=5 model=linear"),
            "match: -sprt: model: `linear` is not one of logistic, normalized; see match --help",
        ),
        (
            &format!("{COPIES} -pgnout /nonexistent/x.pgn"),
            "/nonexistent/x.pgn",
        ),
        (
            "-engine cmd=self -engine cmd=self nodes=5",
            "engine 1 (self): how long may it think?",
        ),
        (
            "-engine nodes=5 -engine cmd=self nodes=5",
            "engine 1: `cmd` is missing",
        ),
        (
            "-engine cmd=self tc=1 proto=telnet -engine cmd=self nodes=5",
            "proto: `telnet` is not one of uci, xboard",
        ),
        (
            "-engine cmd=self tc=abc -engine cmd=self nodes=5",
            "tc: `abc` is not a number from 0 to",
        ),
        (
            "-engine cmd=self st=1e19 depth=1 -engine cmd=self nodes=5",
            "st: `1e19` is not a number from 0 to",
        ),
        (
            "-engine cmd=self tc=1 -engine cmd=self nodes=5",
            "engine 1: `self` plays without a clock, and needs nodes= or depth=",
        ),
        (
            "-engine cmd=self nodes=0 -engine cmd=self nodes=5",
            "nodes: `0` is not a whole number from 1",
        ),
        (
            &format!("{COPIES} -games 1000000000"),
            "-games: `1000000000` is not a whole number from 1 to",
        ),
        (
            &format!("{COPIES} -maxmoves 9223372036854775808"),
            "-maxmoves: `9223372036854775808` is not",
        ),
        (
            &format!("{COPIES} -concurrency 100000"),
            "-concurrency: `100000` is not a whole number from 1 to 256",
        ),
        (
            &format!("{COPIES} -resign movecount=0 score=500"),
            "movecount: `0` is not a whole number from 1",
        ),
        (
            &format!("{COPIES} -draw movecount=0"),
            "movecount: `0` is not a whole number from 1",
        ),
        (
            &format!("{COPIES} -openings random plies=99999999999"),
            "plies: `99999999999` is not a whole number from 0 to",
        ),
        (
            "-engine cmd=/nonexistent/engine nodes=5 -engine cmd=self nodes=5",
            "/nonexistent/engine",
        ),
        (
            "-engine cmd=self nodes=5 option.Nope=1 -engine cmd=self nodes=5",
            "Nope",
        ),
        ("nonsense", "`nonsense`"),
        ("--merge", "no files"),
        ("--merge /nonexistent.pgn", "/nonexistent.pgn"),
    ] {
        let error = refused_match(&folder, words);
        assert!(error.contains(fault), "{words}: {error}");
    }
}
