//! `match` takes the command lines of cutechess-cli and fastchess, and prints their lines.

use crate::common::matches::{COPIES, run_match, try_match};
#[cfg(unix)]
use crate::common::program::shell;
use crate::common::program::{QUADRILLE, Run, quadrille, scratch};
use crate::common::rows;
use quadrille::cli::interrupt::Interrupt;
use quadrille::engine::VARIANTS;
use quadrille::tournament::{self, Range, numbers};
use std::env::consts::EXE_EXTENSION;

#[test]
fn published_command_lines_run() {
    let folder = scratch("match_words/published");
    let start = "rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1";
    let second = "rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1";
    std::fs::write(folder.join("book.epd"), format!("{start}\n{second}\n")).unwrap();
    std::fs::write(
        folder.join("book.pgn"),
        "[Event \"1\"]\n\n1. e2e4 e7e5 2. b1c3 *\n\n[Event \"2\"]\n\n1. d2d4 d7d5 *\n",
    )
    .unwrap();
    let program = folder.join("sf_1").with_extension(EXE_EXTENSION);
    std::fs::hard_link(QUADRILLE, program).unwrap();
    let seed = std::process::id().to_string();
    for [games, words] in rows(include_str!("data/published.txt")) {
        let games = games.parse().unwrap();
        let said = run_match(&folder, &words.replace("$$", &seed)).stdout;
        let count = |beginning: &str| {
            let lines = said.lines();
            lines.filter(|line| line.starts_with(beginning)).count()
        };
        assert_eq!(count("Started game "), games, "{words}: {said}");
        assert_eq!(count("Finished game "), games, "{words}: {said}");
        assert!(!said.contains("Fault in game"), "{words}: {said}");
    }
}

/// The lines that scripts look for, as cutechess-cli prints them.
#[test]
fn cutechess_lines_are_printed() {
    let said = run_match(
        &scratch("match_words/cutechess"),
        &format!("-variant congress {COPIES} -openings random seed=2 -games 2 -sprt elo0=0 elo1=9"),
    )
    .stdout;
    let lines: Vec<_> = said.lines().collect();
    for (wanted, at) in [
        ("Started game 1 of 2 (A vs B)", 0),
        ("Finished game 1 (A vs B): ", 1),
        ("Score of A vs B: ", 2),
        ("Started game 2 of 2 (B vs A)", 3),
        ("Finished game 2 (B vs A): ", 4),
        ("Score of A vs B: ", 5),
    ] {
        assert!(lines[at].starts_with(wanted), "{said}");
    }
    assert!(lines[1].contains(" {") && lines[1].ends_with('}'), "{said}");
    assert_eq!(lines.last(), Some(&"Finished match"), "{said}");
    for (beginning, ending) in [
        ("...      A playing White: ", "] 1"),
        ("...      A playing Black: ", "] 1"),
        ("...      White vs Black: ", "] 2"),
        ("Elo difference: ", " %"),
        ("SPRT: llr ", "%), lbound -2.94, ubound 2.94"),
        ("Player: A", ""),
        ("   \"", ": 1"),
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(beginning) && line.ends_with(ending)),
            "no `{beginning}` in {said}"
        );
    }
    let elo = lines.iter().find(|line| line.starts_with("Elo difference: ")).unwrap();
    let words: Vec<_> = elo.split(' ').collect();
    assert_eq!(
        (words[3], words[5], words[7], words[8]),
        ("+/-", "LOS:", "%,", "DrawRatio:"),
        "{elo}"
    );
}

/// Lines of fastchess with its defaults: two games an opening, and bounds in normalised Elo.
#[test]
fn fastchess_lines_are_printed() {
    let said = run_match(
        &scratch("match_words/fastchess"),
        &format!(
            "-variant congress {COPIES} -each option.Threads=1 option.Hash=1 -openings random \
             -rounds 2 -sprt elo0=0 elo1=9 -output format=fastchess"
        ),
    )
    .stdout;
    let beginnings = "\
        Started game 4 of 4 (B vs A); Finished game 4 (B vs A): ; \
        Results of A vs B (30 nodes, 1t, 1MB, random):; Elo: ; LOS: ; Games: 4, Wins: ; \
        Ptnml(0-2): [; LLR: ; Tournament finished";
    for beginning in beginnings.split("; ") {
        assert!(said.lines().any(|line| line.starts_with(beginning)), "no `{beginning}` in {said}");
    }
    assert!(said.contains(", nElo: ") && said.contains(", PairsRatio: "), "{said}");
    assert!(said.contains("%) (-2.94, 2.94) [0.00, 9.00]"), "{said}");
    assert!(!said.contains("Score of"), "{said}");
}

#[test]
fn words_without_effect_are_warned_of() {
    let warned = run_match(
        &scratch("match_words/ignored"),
        &format!(
            "-variant congress {COPIES} -games 1 -bookmode ram -tb x -tbpieces 5 -tbignore50 \
             -resultformat wide -use-affinity 1-3 -autosaveinterval 5 \
             -each tscale=2 -crc32 pgn=true -startup-ms 5 -show-latency -check-mate-pvs \
             -ping-ms 5 -ucinewgame-ms 5 -testEnv -tbadjudicate BOTH -seeds 2 \
             -config outname=c.json stats=false discard=true file=c.json"
        ),
    )
    .stderr;
    let words = "\
        -bookmode; -tb; -tbpieces; -tbignore50; -resultformat; -use-affinity; -autosaveinterval; \
        -each tscale; -crc32; -startup-ms; -show-latency; -check-mate-pvs; -ping-ms; \
        -ucinewgame-ms; -testEnv; -tbadjudicate; -seeds; -config";
    for word in words.split("; ") {
        assert!(
            warned.contains(&format!("quadrille: match: {word} is ignored: ")),
            "{word}: {warned}"
        );
    }
}

/// Each number of the table is taken at its borders, and refused with its range beyond them.
#[test]
fn numbers_have_ranges() {
    let refusal = |option: &str, key: &str, value: &str| {
        let own = match key {
            "" => value.to_string(),
            "free" => format!("-{value}"),
            "tc moves" => format!("tc={value}/1"),
            "tc increment" => format!("tc=1+{value}"),
            _ => format!("{key}={value}"),
        };
        let before: &[&str] = match (option, key) {
            ("-engine", _) => &["-each"],
            ("-openings", _) => &["-openings", "random"],
            ("-resign", "movecount") => &["-resign", "score=1"],
            ("-sprt", "elo0") => &["-sprt", "elo1=5"],
            ("-sprt", "elo1") => &["-sprt", "elo0=0"],
            ("-sprt", _) => &["-sprt", "elo0=0", "elo1=5"],
            _ => &[option],
        };
        let engine = ["-engine", "cmd=/nonexistent/engine", "depth=1"];
        let words = [&engine, &engine, before, &[own.as_str()]].concat();
        let refused = tournament::run(VARIANTS, &words, &Interrupt::default(), &mut |_: &str| {});
        refused.unwrap_err().to_string()
    };
    for (option, key, range) in numbers() {
        let name = if key.is_empty() { option } else { key };
        let (least, most, beyond) = match range {
            Range::Whole(least, most) => (
                least.to_string(),
                most.to_string(),
                [i128::from(least) - 1, i128::from(most) + 1].map(|value| value.to_string()),
            ),
            Range::Decimal(least, most) => {
                let unit = 1e-7 * most;
                let beyond = [least - unit, most + unit].map(|value| value.to_string());
                (least.to_string(), most.to_string(), beyond)
            }
        };
        for border in [&least, &most] {
            let error = refusal(option, key, border);
            assert!(!error.contains("not a "), "{option} {key}={border}: {error}");
        }
        let ranged = format!("number from {least} to {most}");
        let words = ["-7777777777", "NaN", "x", "1e99", "9".repeat(30).as_str(), "+1", "1,5", ""]
            .map(str::to_string);
        for value in beyond.iter().chain(&words) {
            // `-1` leaves a processor free, and `-x` is an option.
            let is_free = (option, key) == ("-concurrency", "") && value.starts_with('-');
            if is_free || key == "free" && value.starts_with(char::is_alphabetic) {
                continue;
            }
            let error = refusal(option, key, value);
            let is_named = error.contains(&format!("{name}: `")) && error.contains(&ranged);
            assert!(is_named, "{option} {key}={value}: {error}");
        }
    }
}

/// No file is replaced under another of its names.
#[test]
#[cfg(unix)]
fn two_names_of_one_file_are_one_file() {
    use std::os::unix::fs::symlink;
    let folder = scratch("match_words/names");
    let at = |name: &str| folder.join(name);
    std::fs::create_dir(at("d")).unwrap();
    for name in ["games", "eng", "net.quadrille-part"] {
        std::fs::write(at(name), "1. d3 *").unwrap();
    }
    symlink("games", at("link")).unwrap();
    symlink("new", at("dangling")).unwrap();
    std::fs::hard_link(at("games"), at("hard")).unwrap();
    let twice = |words: &str, options: [&str; 2]| {
        let words = words.replace("MATCH", &format!("match -variant congress {COPIES}"));
        let refused = shell(&folder, &format!("quadrille {words}")).refused();
        let wanted = format!("{} and {} have the same file, ", options[0], options[1]);
        assert!(refused.contains(&wanted), "{words}: {refused}");
        for name in ["games", "eng", "net.quadrille-part"] {
            assert_eq!(std::fs::read_to_string(at(name)).unwrap(), "1. d3 *", "{words}");
        }
    };
    for name in ["link", "hard", "d/../games", "./games"] {
        for option in ["-epdout", "-log", "-json", "-html"] {
            twice(&format!("MATCH -pgnout games {option} {name}"), ["-pgnout", option]);
        }
        twice(
            &format!("MATCH -openings file=games format=pgn -html {name}"),
            ["-openings", "-html"],
        );
        twice(&format!("match --merge games -json {name}"), ["--merge", "-json"]);
        twice(&format!("annotate games --out {name}"), ["FILE", "--out"]);
        twice(&format!("prove congress --out games --table {name}"), ["--out", "--table"]);
    }
    twice("MATCH -pgnout new -json dangling", ["-pgnout", "-json"]);
    twice("MATCH -pgnout net.quadrille-part -json net", ["-pgnout", "-json"]);
    twice("MATCH -json r.quadrille-part -html r", ["-json", "-html"]);
    twice("MATCH -engine cmd=./eng nodes=1 -json eng", ["-json", "cmd="]);
    twice("MATCH -engine cmd=./eng nodes=1 stderr=games -log hard", ["-log", "stderr="]);
}

#[test]
fn what_is_said_twice_holds() {
    let same = "option.UCI_Variant=Congress";
    let words = format!(
        "-variant congress -engine cmd=quadrille nodes=9 {same} -engine cmd=self nodes=9 {same} tc=inf -maxmoves 1 \
         -pgnout /dev/null -games 2 -games 1"
    );
    run_match(&scratch("match_words/twice"), &words);
}

/// A gauntlet of cutechess-cli keeps its first engines apart; in one of fastchess they meet.
#[test]
fn the_first_engines_of_a_gauntlet_are_chosen() {
    let folder = scratch("match_words/seeds");
    let four = format!("-variant congress {COPIES} {COPIES} -tournament gauntlet -maxmoves 1");
    for (words, games) in [
        ("", 3),
        ("-seeds 2", 4),
        ("-seeds 2 -games 1 -output format=fastchess", 5),
        ("-seeds 9", 3),
    ] {
        let said = run_match(&folder, &format!("{four} {words}")).stdout;
        assert_eq!(said.matches("Started game ").count(), games, "{words}");
    }
}

#[test]
fn processors_can_be_left_free() {
    let folder = scratch("match_words/concurrency");
    for number in ["0", "-1", "-1000"] {
        let words = format!("-variant congress {COPIES} -concurrency {number} -maxmoves 1");
        assert_eq!(run_match(&folder, &words).stderr, "");
    }
}

/// The status is 1 after a warning before the first game, and after a fault in it.
#[test]
fn a_strict_match_ends_at_the_first_warning() {
    let folder = scratch("match_words/strict");
    let illegal = "-engine name=P cmd=quadrille nodes=9 option.EvalFile=nothing \
                   -engine name=S cmd=self nodes=9";
    for (words, games, status) in [
        (format!("{COPIES} -games 1"), 1, 0),
        (format!("{COPIES} -crc32 pgn=true"), 0, 1),
        (format!("{COPIES} -games 2 -rounds 3"), 3, 1),
        (format!("{illegal} -maxmoves 1"), 0, 1),
    ] {
        let ended = try_match(&folder, &format!("-variant congress {words} -strict"));
        assert_eq!(ended.status.code(), Some(status), "{words}: {ended:#?}");
        let played = ended.stdout.matches("Finished game ").count();
        assert_eq!(played, games, "{words}: {ended:#?}");
        // Complaints of an engine are printed.
        let complaint = "P: info string error value setoption: option EvalFile: nothing: ";
        assert_eq!(ended.stderr.contains(complaint), words.contains("nothing"), "{ended:#?}");
    }
}

#[test]
fn what_is_written_can_be_chosen() {
    let folder = scratch("match_words/written");
    run_match(
        &folder,
        &format!(
            "-variant congress {COPIES} -openings random -games 2 -pgnout min.pgn min fi \
             -epdout last.epd -site \"A B\" -event C D"
        ),
    );
    let pgn = std::fs::read_to_string(folder.join("min.pgn")).unwrap();
    assert!(pgn.contains("[Event \"C D\"]\n[Site \"A B\"]\n[Date \"20"), "{pgn}");
    assert!(!pgn.contains('{') && !pgn.contains("[PlyCount"), "{pgn}");
    let epd = std::fs::read_to_string(folder.join("last.epd")).unwrap();
    assert_eq!(epd.lines().count(), 2, "{epd}");
    // The words of fastchess, and a new file.
    run_match(
        &folder,
        &format!("-variant congress {COPIES} -games 1 -pgnout file=min.pgn append=false"),
    );
    let pgn = std::fs::read_to_string(folder.join("min.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), 1, "{pgn}");
    assert!(pgn.contains("[UTCTime \"") && pgn.contains("[GameDuration \"00:00:"), "{pgn}");
}

#[test]
fn what_passes_can_be_seen() {
    let folder = scratch("match_words/debug");
    let traffic = run_match(
        &folder,
        "-variant congress -engine name=P cmd=quadrille nodes=9 -engine name=S cmd=self nodes=9 \
         -games 1 -debug all -log file=log.txt -maxmoves 1",
    )
    .stderr;
    let log = std::fs::read_to_string(folder.join("log.txt")).unwrap();
    for text in [&traffic, &log] {
        for line in [" >P: uci\n", " <P: uciok\n", " >P: debug on\n", " >P: go nodes 9\n"] {
            assert!(text.contains(line), "no `{line}` in {text}");
        }
    }
}

#[test]
fn games_that_are_the_same_are_warned_of_and_counted() {
    let words = format!("-variant congress {COPIES} -games 2 -rounds 3");
    let repeated = run_match(&scratch("match_words/repeated"), &words);
    let (said, warned) = (repeated.stdout, repeated.stderr);
    assert!(said.contains("Repeated games: 4 of 6"), "{said}");
    assert_eq!(warned.matches("move for move").count(), 1, "{warned}");
    assert!(warned.contains("game 3 repeats game 1"), "{warned}");
    let new = run_match(&scratch("match_words/new"), &format!("{words} -openings random"));
    assert!(!new.stdout.contains("Repeated games") && new.stderr.is_empty(), "{new:#?}");
}

#[test]
fn a_crosstable_shows_who_scored_what_against_whom() {
    let said = run_match(
        &scratch("match_words/crosstable"),
        "-variant congress -engine name=one cmd=self nodes=300 -engine name=two cmd=self nodes=10 \
         -engine name=three cmd=self nodes=10 -openings random -games 2",
    )
    .stdout;
    assert_eq!(said.matches("\nFinished game ").count(), 6, "{said}");
    let ranks = "\nRank Name                          Elo     +/-   Games   Score    Draw\n";
    assert!(said.contains(ranks), "{said}");
    let table: Vec<_> = said.lines().skip_while(|line| *line != "Crosstable").collect();
    assert_eq!(table[1], "                   1        2        3", "{said}");
    for row in &table[2..5] {
        let cells: Vec<_> = row.split_whitespace().collect();
        assert_eq!(cells.len(), 5, "{row}");
        assert_eq!(cells.iter().filter(|cell| cell.ends_with("/2")).count(), 2, "{row}");
    }
}

/// Fields and notations of fastchess's `-pgnout`, from each kind of engine.
#[test]
fn what_a_pgn_has_can_be_chosen() {
    let folder = scratch("match_words/pgnout");
    let all = ["timeleft", "latency", "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv"];
    let fields: String = all.iter().map(|name| format!(" {name}=true")).collect();
    std::fs::write(folder.join("e4.pgn"), "1. e2e4 *\n").unwrap();
    let play = |engine: &str, pgnout: &str| {
        let words = format!(
            "-variant gothic -engine name=E cmd={engine} depth=2 -engine name=S cmd=self nodes=30 \
             -games 1 -maxmoves 5 -pgnout file=g.pgn append=false {pgnout}"
        );
        assert_eq!(run_match(&folder, &words).stderr, "", "{engine} {pgnout}");
        std::fs::read_to_string(folder.join("g.pgn")).unwrap()
    };
    let marks = ["tl=", "latency=", "n=", "sd=", "nps=", "hashfull=", "tbhits=", "pv=\""];
    // In the order of fastchess; what is unknown is left out.
    for (engine, written) in [
        ("quadrille tc=60", &marks[..]),
        ("quadrille", &marks[1..]),
        ("self", &marks[1..]),
        ("quadrille proto=xboard tc=60", &["tl=", "latency=", "n=", "pv=\""]),
    ] {
        let pgn = play(engine, &fields);
        let words = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
        let comment = words.split(['{', '}']).nth(1).unwrap();
        let rest = comment.split_once("s, ").expect(comment).1;
        let (numbers, pv) = rest.split_once(", pv=\"").expect(rest);
        let found: Vec<_> = numbers
            .split(", ")
            .map(|field| field.split_inclusive('=').next().unwrap())
            .chain(["pv=\""])
            .collect();
        assert_eq!(found, written, "{engine}: {comment}");
        assert!(pv.ends_with('"') && pv.len() > 4, "{engine}: {comment}");
    }
    for (words, mark, is_there) in [
        ("nodes=true", ", n=", true),
        ("nodes=false", ", n=", false),
        ("nodes=true min=true", "{", false),
        ("", ", ", false),
        ("notation=lan", "1. e2-e4", true),
        ("notation=uci", "1. e2e4", true),
        ("notation=san", "1. e4", true),
    ] {
        let pgn = play("quadrille", &format!("{words} -openings file=e4.pgn"));
        let moves = pgn.rsplit_once("]\n").unwrap().1;
        assert_eq!(moves.contains(mark), is_there, "{words}: {pgn}");
        let mut replay = quadrille(["replay", "g.pgn"]);
        let replayed = replay.current_dir(&folder).run().succeeded().stdout;
        assert!(replayed.contains(", 0 faults"), "{words}: {replayed}");
    }
}
