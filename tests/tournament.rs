//! `match`: referee, report, PGN and an interrupt.

use crate::common::matches::{
    COPIES, games_of, last, refused_match, run_match as run, start_match,
};
use crate::common::program::{Run, quadrille, scratch, wait_for};
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::records::pgn::{Reader, Record};
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

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
        let said = run_match(&folder, &format!("{words} -rounds 3 -concurrency 2 -pgnout san.pgn"));
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
            .rewrite(find_variant(VARIANTS, variant).unwrap(), |session, mv| session.san(mv))
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
fn adjudication_ends_games_early() {
    let folder = scratch("tournament/adjudication");
    for (rule, ending) in [
        ("-draw movenumber=1 movecount=1 score=30000", "{Draw by adjudication}"),
        ("-resign movecount=1 score=1", " wins by adjudication}"),
        ("-maxmoves 3", "1/2-1/2 {Draw by adjudication: maximal game length}"),
    ] {
        let words = format!("-variant gothic {COPIES} {rule} -games 1");
        let said = run_match(&folder, &words);
        assert!(said.contains(ending), "{rule}: {said}");
    }
}

/// With a clock no draw comes sooner than the scored moves since the last irreversible one allow;
/// without a clock, two moves of both are enough.
#[test]
fn irreversible_moves_begin_the_count_of_a_draw_anew() {
    for variant in VARIANTS {
        let name = variant.info.name;
        let folder = scratch(&format!("tournament/draws-{name}"));
        let words = format!(
            "-variant {name} {COPIES} -openings random -games 2 -rounds 3 -epdout last.epd \
             -draw movecount=2 score=100000 -pgnout games.pgn"
        );
        let said = run_match(&folder, &words);
        assert!(said.contains("{Draw by adjudication}"), "{name}: {said}");
        let games = std::fs::File::open(folder.join("games.pgn")).unwrap();
        let games = Reader::new(BufReader::new(games)).map(Result::unwrap);
        let fens = std::fs::read_to_string(folder.join("last.epd")).unwrap();
        for (fen, game) in fens.lines().zip(games) {
            let mut session = variant.open();
            session.set_position(Some(fen), &[]).unwrap();
            if game.tag("Reason") == Some("adjudication: the scores are even") {
                assert!(session.clock().is_none_or(|clock| clock >= 3), "{fen}");
                assert!(session.clock().is_some() || game.moves.len() == 12, "{fen}");
            }
        }
    }
}

/// A tag of PGN knows no limits but time.
#[test]
fn the_time_control_is_that_of_pgn() {
    let folder = scratch("tournament/time-control");
    for (first, second, tags) in [
        ("nodes=30", "depth=1", "[TimeControl \"-\"]\n"),
        (
            "tc=inf nodes=30",
            "depth=1 st=9",
            "[WhiteTimeControl \"-\"]\n[BlackTimeControl \"9/move\"]\n",
        ),
        ("tc=1:00+0.5 nodes=30", "tc=60+0.5 depth=1", "[TimeControl \"60+0.5\"]\n"),
        (
            "tc=40/60 nodes=30",
            "tc=inf/2+0.02s depth=1",
            "[WhiteTimeControl \"40/60\"]\n[BlackTimeControl \"2+0.02\"]\n",
        ),
    ] {
        let engines = format!("-engine cmd=self {first} -engine cmd=self {second}");
        let file = "-pgnout file=games.pgn append=false";
        run_match(&folder, &format!("-variant congress {engines} -maxmoves 2 {file}"));
        let text = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
        assert!(text.contains(tags), "{text}");
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
    for fen in
        ["[FEN \"k7/6p1/2p5/2P5/1P6/K7 w - - 0 1\"]", "[FEN \"k7/6p1/2p5/2P5/1P6/K7 b - - 0 9\"]"]
    {
        assert!(text.contains(fen), "{text}");
    }
    run_match(
        &folder,
        &format!("{words} file=from-epd.pgn plies=1 start=2 -games 1 -pgnout from-pgn.pgn"),
    );
    let text = std::fs::read_to_string(folder.join("from-pgn.pgn")).unwrap();
    assert!(text.contains("b - - 0 9"));
}

/// Whatever a book leaves out, engines and PGN get the six fields of a FEN.
#[test]
fn a_position_of_a_book_is_completed() {
    let folder = scratch("tournament/completed");
    let board = "rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR";
    let book = |fields: &str| format!("{board} {fields}");
    let fields = ["b KQkq", "b", "b kqKQ - 0 1", "b - - 007 0012", "b KQkq - 3"];
    let lines = fields.map(|fields| book(fields) + "\n").concat();
    std::fs::write(folder.join("book.epd"), lines).unwrap();
    let game = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n1... e5 *\n", book("b KQkq"));
    std::fs::write(folder.join("book.pgn"), game).unwrap();
    for (file, wanted) in [
        (
            "book.epd -rounds 5",
            &["b KQkq - 0 1", "b - - 0 1", "b KQkq - 0 1", "b - - 7 12", "b KQkq - 3 1"][..],
        ),
        ("book.pgn", &["b KQkq - 0 1"]),
    ] {
        run_match(
            &folder,
            &format!(
                "-variant gothic -engine cmd=quadrille -engine cmd=self -each nodes=9 -maxmoves 2 \
                 -openings file={file} -pgnout file=g.pgn append=false -log file=log.txt append=false"
            ),
        );
        let read = |name| std::fs::read_to_string(folder.join(name)).unwrap();
        let (games, log) = (read("g.pgn"), read("log.txt"));
        let tags = games.lines().filter(|line| line.starts_with("[FEN "));
        let wanted: Vec<_> = wanted.iter().map(|fields| book(fields)).collect();
        let named: Vec<_> = wanted.iter().map(|fen| format!("[FEN \"{fen}\"]")).collect();
        assert_eq!(tags.collect::<Vec<_>>(), named);
        for fen in wanted {
            assert!(log.contains(&format!(": position fen {fen} ")), "{fen}: {log}");
        }
    }
}

#[test]
fn whole_games_are_no_openings() {
    let folder = scratch("tournament/whole");
    let words = format!("-variant congress {COPIES}");
    run_match(&folder, &format!("{words} -openings random seed=1 -games 1 -pgnout g.pgn"));
    let error = refused_match(&folder, &format!("{words} -openings file=g.pgn"));
    assert!(error.contains("g.pgn: number 1: the game is over: "), "{error}");
    assert!(error.contains("; take fewer moves with plies="), "{error}");
    run_match(&folder, &format!("{words} -openings file=g.pgn plies=4"));
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
        (format!("{start}\n{start} bm b1c3; id \"x"), "line 2: `id`: a quote does not end"),
        (format!("{start}\nstartpos moves Hc3 Hc4 Ka1\n"), "line 2: move 3: `Ka1` is illegal in "),
        (format!("# two\n\ngothic {start} 0 1\n"), "line 3: it is for `gothic`"),
        (
            format!("{start}\ngarbage line\n"),
            "line 2: `garbage` is neither a FEN, `startpos` nor a game",
        ),
        ("x".repeat(2_000_000), "line 1: the line is longer than 1048576 bytes"),
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
    assert!(said.contains("The match ends: the test is decided."), "{said}");
    let test = last(&said, "SPRT: llr ");
    assert!(test.ends_with("%), lbound -2.94, ubound 2.94 - H1 was accepted"), "{said}");
    assert_eq!(
        last(&said, "SPRT model: "),
        "SPRT model: logistic, elo0 0, elo1 50, alpha 0.05, beta 0.05"
    );
}

#[test]
fn an_interrupt_loses_nothing() {
    for signal in ["INT", "TERM", "KILL"] {
        let folder = scratch(&format!("tournament/interrupted-{signal}"));
        let pgn = folder.join("games.pgn");
        let words = format!(
            "-variant congress {COPIES} -openings random seed=5 -games 1000000 -concurrency 2 \
             -pgnout games.pgn"
        );
        let program = start_match(&folder, &words);
        wait_for("a game", SOON, || {
            std::fs::read_to_string(&pgn).is_ok_and(|text| text.contains("[Event "))
        });
        program.signal(signal);
        let output = program.output();
        assert!(!output.status.success(), "{signal}");
        let said = output.stdout;
        let replayed = replay(&pgn);
        assert!(replayed.contains(", 0 faults"), "{signal}: {replayed}");
        if cfg!(unix) && signal != "KILL" {
            assert!(said.contains("The match was interrupted."), "{said}");
            let games = last(&said, "Score of A vs B").rsplit(' ').next();
            assert!(said.contains("Elo difference: "), "{said}");
            assert_eq!(replayed.split(' ').next(), games, "{signal}");
        }
    }
}
