//! `quadrille analyse` on the command line, and in this process where pipes would hide the
//! behaviour.

use crate::common::client::SOON;
use crate::common::console::TestConsole;
use crate::common::positions::random_positions;
use crate::common::program::{Ended, Program, Run, quadrille, scratch};
use crate::common::{drawn, rows};
use quadrille::cli::sources::Source;
use quadrille::engine::VARIANTS;
use quadrille::for_all_games;
use quadrille::games::*;
use quadrille::tools::analyse::{self, AnalyseOptions};
use std::cell::Cell;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

const PROBLEMS: &str = include_str!("data/problems.epd");

fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Ended {
    quadrille(["analyse"]).args(arguments).run_with(input)
}

/// Runs the command, and returns its lines and exit status.
fn lines(arguments: &[&str], input: impl AsRef<[u8]>) -> (Vec<String>, i32) {
    let ended = run(arguments, input);
    assert_eq!(ended.stderr, "");
    let lines = ended.stdout.lines().map(str::to_string).collect();
    (lines, ended.code().unwrap())
}

/// Runs the command, and returns its only line.
fn line(arguments: &[&str], input: &str) -> String {
    let (lines, _) = lines(arguments, input);
    let [line] = &lines[..] else { panic!("not one line: {lines:#?}") };
    line.clone()
}

/// The first value of a key: all up to the comma or bracket after it.
fn value<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(&format!("\"{key}\": "))?;
    let (mut depth, mut quoted) = (0, false);
    let end = rest.find(|letter| {
        quoted ^= letter == '"';
        match letter {
            _ if quoted => {}
            '{' | '[' => depth += 1,
            ',' if depth == 0 => return true,
            '}' | ']' if depth == 0 => return true,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        false
    });
    Some(&rest[..end?])
}

/// A line without a key and its value.
fn without(line: &str, key: &str) -> String {
    let member = format!("\"{key}\": {}, ", value(line, key).unwrap());
    assert!(line.contains(&member), "{member} in {line}");
    line.replace(&member, "")
}

#[test]
fn results_have_these_keys() {
    let mates = "pressman 8/8/8/8/8/8/q7/Q7 w - - 5 9 id \"a \\ b\"; bm a1a2;";
    let result = line(&["--depth", "1"], mates);
    assert_eq!(
        without(&without(&result, "time_ms"), "nodes"),
        "{\"line\": 1, \"variant\": \"pressman\", \"fen\": \"8/8/8/8/8/8/q7/Q7 w - - 5 9\", \
         \"bestmove\": \"a1a2\", \"score\": {\"mate\": 1}, \"wdl\": [1000, 0, 0], \"depth\": 1, \"seldepth\": 7, \
         \"pv\": [\"a1a2\"], \"san\": [\"Qxa2#\"], \"id\": \"a \\\\ b\", \"solved\": true}"
    );
    let result = line(&["--depth", "2"], Gothic::START);
    let keys: Vec<_> = result
        .split(['{', ' '])
        .filter_map(|word| word.strip_prefix('"')?.strip_suffix("\":"))
        .collect();
    let wanted = "line variant fen bestmove score cp wdl depth seldepth nodes time_ms pv san";
    assert_eq!(keys.join(" "), wanted);
}

/// Some positions of all games, in no order of games.
fn mixed_positions() -> Vec<String> {
    fn of<G: Game>() -> Vec<String> {
        random_positions::<G>(drawn(15))
            .map(|position| format!("{} {}\n", G::NAME, position.fen()))
            .collect()
    }
    macro_rules! each {
        ($($game:ident),*) => { [$(of::<$game>()),*] };
    }
    let mut games = for_all_games!(each).map(Vec::into_iter);
    let mut mixed = Vec::new();
    loop {
        let before = mixed.len();
        for game in &mut games {
            mixed.extend(game.next());
        }
        if mixed.len() == before {
            return mixed;
        }
    }
}

#[test]
fn a_result_depends_on_its_line_alone() {
    let positions = mixed_positions();
    assert!(positions.len() > drawn(50));
    let results = |jobs, input: &[String]| -> Vec<String> {
        let (lines, status) = lines(&["--nodes", "500", "--jobs", jobs], input.concat());
        assert_eq!(status, 0, "{lines:#?}");
        assert_eq!(lines.len(), input.len());
        for (number, line) in (1..).zip(&lines) {
            assert_eq!(value(line, "line"), Some(&*number.to_string()));
        }
        let bare = lines.iter().map(|line| without(line, "time_ms"));
        bare.map(|line| without(&line, "line")).collect()
    };
    let one = results("1", &positions);
    for (line, position) in one.iter().zip(&positions) {
        let (variant, fen) = position.trim_end().split_once(' ').unwrap();
        assert_eq!(value(line, "variant"), Some(&*format!("\"{variant}\"")));
        assert_eq!(value(line, "fen"), Some(&*format!("\"{fen}\"")));
    }
    let twice: Vec<_> = (positions.iter().flat_map(|line| [line, line]).cloned()).collect();
    let pairs = results("3", &twice);
    for (pair, result) in pairs.chunks(2).zip(&one) {
        assert!(pair.iter().all(|again| again == result), "{pair:?}");
    }
    let backwards: Vec<_> = positions.iter().rev().cloned().collect();
    let mut results = results("2", &backwards);
    results.reverse();
    assert_eq!(results, one);
}

#[test]
fn positions_are_read_in_every_spelling() {
    let board = "8/8/8/8/8/8/q7/Q7";
    for (fields, fen) in [
        ("w", "w - - 0 1"),
        ("b - -", "b - - 0 1"),
        ("b - - 7", "b - - 7 1"),
        ("b - -\t7  9 \r", "b - - 7 9"),
        ("b - - 7 9 c0 \"no; move\"; id x", "b - - 7 9"),
    ] {
        let fen = format!("\"{board} {fen}\"");
        let alone = line(&["--depth", "1", "--variant", "pressman"], &format!("{board} {fields}"));
        assert_eq!(value(&alone, "fen"), Some(&*fen), "{fields}");
        let named = line(&["--depth", "1"], &format!(" pressman {board} {fields}\n"));
        assert_eq!(value(&named, "fen"), Some(&*fen), "{fields}");
    }
    for (text, fen) in [
        (format!("{board} b - - 7 9 moves a2b3 Qa2;"), "8/8/8/8/8/1q6/Q7/8 b - - 9 10"),
        ("startpos".into(), Pressman::START),
    ] {
        let played = line(&["--depth", "1"], &format!("pressman {text}"));
        assert_eq!(value(&played, "fen"), Some(&*format!("\"{fen}\"")));
    }
}

#[test]
fn broken_lines_do_no_harm() {
    let fine = format!("{}\n", Gothic::START);
    let mut input = b"\n# a comment\n  # \xe9\n".to_vec();
    let mut faults = Vec::new();
    for [broken, fault] in rows(include_str!("data/analyse.txt")) {
        faults.push(fault);
        input.extend(broken.as_bytes());
        input.extend(b"\n");
    }
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\n");
    input.extend(fine.as_bytes());
    let (lines, status) = lines(&["--depth", "1"], input);
    faults.push("the line is longer than 1048576 bytes");
    let wanted: Vec<_> = (4..)
        .zip(faults)
        .map(|(number, fault)| format!("{{\"line\": {number}, \"error\": \"{fault}\"}}"))
        .collect();
    let (last, before) = lines.split_last().unwrap();
    assert_eq!(before, wanted);
    assert_eq!(value(last, "line"), Some("15"));
    assert!(value(last, "bestmove").is_some(), "{last}");
    assert_eq!(status, 1);
}

#[test]
fn problems_are_counted() {
    let right = PROBLEMS.lines().count() - 1;
    let (solved, status) = lines(&["--nodes", "20000", "--score"], PROBLEMS);
    let sums = format!("{{\"solved\": {right}, \"total\": {right}}}");
    assert_eq!(solved.last(), Some(&sums));
    assert_eq!(status, 0);
    // Moves to find become moves to avoid. A line without either does not count.
    let input = PROBLEMS.replace("bm ", "am ") + Gothic::START + "\n" + "broken";
    let (failed, status) = lines(&["--nodes", "20000", "--score"], input);
    let sums = format!("{{\"solved\": 0, \"total\": {right}}}");
    assert_eq!(failed.last(), Some(&sums));
    assert_eq!(status, 1);
    // Without --score there are no sums.
    let (lines, _) = lines(&["--nodes", "20000"], PROBLEMS);
    assert_eq!(lines.len(), right);
    assert!(lines.iter().all(|l| value(l, "solved") == Some("true")));
}

#[test]
fn moves_of_problems_are_read_in_every_spelling() {
    let solved = |operations: &str| {
        // Three promotions mate. There are too many pieces for a solved ending.
        let position = "9k/PR8/10/10/4p1p1p1/4P1P1P1/10/K9 w - -";
        let line = line(&["--depth", "4"], &format!("{position} {operations}"));
        let value = value(&line, "solved").unwrap_or(&line);
        value.to_string()
    };
    assert_eq!(solved("bm a7a8Q a7a8r a7a8C;"), "true");
    assert_eq!(solved("bm a8=C; bm a8Q+; bm a7a8R;"), "true");
    assert_eq!(solved("am Rb8;"), "true");
    assert_eq!(solved("bm a7a8Q; am a7a8q a7a8r a7a8c;"), "false");
    assert_eq!(solved("bm b7b8;"), "false");
    assert_eq!(solved("bm #-3; am a7a8Q;"), "false");
    // The distance of a mate is no move.
    for mate in ["bm #1;", "bm #12"] {
        let line = solved(mate);
        let operation = mate.trim_matches(['b', 'm', ' ', ';']);
        let kept = format!("{{\"bm\": \"{operation}\"}}");
        assert_eq!(value(&line, "operations"), Some(&*kept), "{line}");
    }
}

#[test]
fn limits_are_kept() {
    let number = |arguments: &[&str], key: &str| -> u64 {
        let line = line(arguments, Gothic::START);
        value(&line, key).unwrap().parse().unwrap()
    };
    assert_eq!(number(&["--depth", "3"], "depth"), 3);
    assert_eq!(number(&["--nodes", "777"], "nodes"), 777);
    assert!(number(&["--nodes", "777", "--depth", "1"], "nodes") < 777);
    let time = number(&["--movetime", "100"], "time_ms");
    assert!((100..10_000).contains(&time), "{time}");
    assert_eq!(number(&[], "nodes"), 100_000);
}

#[test]
fn multipv_gives_several_lines() {
    // The search is interrupted at every stage of a depth.
    for (nodes, start) in (50..2000).step_by(50).zip(["gothic", "congress"].iter().cycle()) {
        let arguments = ["--multipv", "4", "--nodes", &nodes.to_string()];
        let result = line(&arguments, &format!("{start} startpos"));
        let all = value(&result, "multipv").unwrap();
        let pvs: Vec<_> = all.split("\"pv\": [").skip(1).collect();
        assert!(pvs.len() == 4 || nodes < 500 && !pvs.is_empty(), "{result}");
        let mut firsts: Vec<_> =
            pvs.iter().map(|pv| pv.split([',', ']']).next().unwrap()).collect();
        assert_eq!(value(&result, "bestmove"), Some(firsts[0]), "{result}");
        assert!(all.contains(&format!("\"pv\": {}", value(&result, "pv").unwrap())));
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), pvs.len(), "a move twice: {result}");
        let depths = all.split("\"depth\": ").skip(1);
        let depths = depths.map(|rest| rest.split(',').next().unwrap().parse::<u32>().unwrap());
        assert!(depths.is_sorted_by(|a, b| a >= b), "{result}");
    }
    let only = line(&["--multipv", "3"], "congress k7/6p1/2p5/2P5/1P6/K7 w - - id \"one move\";");
    let all = value(&only, "multipv").unwrap();
    assert_eq!(all.matches("\"pv\"").count(), 1, "{only}");
}

#[test]
fn lines_of_logs_are_read() {
    let lines = [
        "position startpos moves e2e4 e7e5",
        "startpos moves e2e4 e7e5",
        "position fen 9k/10/8K1/10/10/10/10/Q9 w - - 0 1 moves a1a7",
        "fen 9k/Q9/8K1/10/10/10/10/10 b - - 1 1",
    ];
    let fens = lines.map(|text| {
        let line = line(&["--depth", "2"], text);
        assert!(!value(&line, "san").unwrap().contains('2'), "{line}");
        value(&line, "fen").unwrap().to_string()
    });
    assert_eq!(fens[0], fens[1]);
    assert_eq!(fens[2], fens[3]);
    let several = line(&["--multipv", "2", "--depth", "1"], "startpos");
    assert_eq!(several.matches("\"san\": [").count(), 3);
}

#[test]
fn a_pgn_is_recognised() {
    let game = "\n[Event \"x\"]\n[Variant \"gothic\"]\n\n1. e4 *\n";
    let (lines, status) = lines(&[], game);
    let expected = "{\"line\": 2, \"error\": \"this is a PGN: \
                    quadrille replay --fens - | quadrille analyse\"}";
    assert_eq!((lines, status), (vec![expected.to_string()], 1));
    let (json, _) = self::lines(&[], "[{\"fen\": \"startpos\"}]\n");
    assert!(!json[0].contains("PGN"), "{json:?}");
}

/// Finished games with their score, chances, result and reason.
const FINISHED: &str = r#"k9/2Q7/10/10/10/10/10/9K b - -|{"cp": 0}|[0, 1000, 0]|"1/2-1/2"|"stalemate"
B3ckabnr/p1pApppppp/3p6/10/2P7/10/PP1PKP1P1P/RNBQC3NR b k -|{"mate": 0}|[0, 0, 1000]|"1-0"|"checkmate"
pressman 8/8/8/8/8/8/8/Q7 w - -|{"mate": 1}|[1000, 0, 0]|"1-0"|"no-pieces""#;

#[test]
fn finished_games_have_a_result() {
    for [position, score, wdl, result, reason] in rows(FINISHED) {
        let line = line(&[], position);
        assert_eq!(value(&line, "bestmove"), Some("null"), "{line}");
        assert_eq!(value(&line, "score"), Some(score), "{line}");
        assert_eq!(value(&line, "pv"), Some("[]"), "{line}");
        assert_eq!(value(&line, "wdl"), Some(wdl), "{line}");
        assert_eq!(value(&line, "result"), Some(result), "{line}");
        assert_eq!(value(&line, "reason"), Some(reason), "{line}");
    }
    // A draw that must be claimed does not stop the search.
    let shuffle = "b1c3 b8c6 c3b1 c6b8 ".repeat(2);
    for (position, reason) in [
        ("9k/10/10/10/10/10/10/K9 b", "\"material\""),
        ("9k/10/10/10/10/10/10/KR8 b - - 100 90", "\"clock\""),
        (&format!("startpos moves {shuffle}"), "\"repetition\""),
    ] {
        let line = line(&["--depth", "3"], position);
        assert_ne!(value(&line, "bestmove"), Some("null"), "{line}");
        assert_eq!(value(&line, "wdl"), Some("[0, 1000, 0]"), "{line}");
        assert_eq!(value(&line, "result"), Some("\"1/2-1/2\""), "{line}");
        assert_eq!(value(&line, "reason"), Some(reason), "{line}");
    }
}

#[test]
fn other_operations_are_passed_through() {
    let operations = "c0 \"no; \\move\"; dm 4; id \"x\"; acd; dm 3";
    let line = line(&["--depth", "1"], &format!("{} {operations}", Gothic::START));
    let wanted = "{\"c0\": \"no; \\\\move\", \"acd\": \"\", \"dm\": \"3\"}";
    assert_eq!(value(&line, "operations"), Some(wanted));
    assert_eq!(value(&line, "id"), Some("\"x\""));
}

#[test]
fn files_are_read_one_after_the_other() {
    let folder = scratch("analyse/files");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let [one, two] = ["one.epd", "two.epd"].map(path);
    let mark = "\u{feff}";
    std::fs::write(&one, format!("{mark}# positions\n\n{}\n", Gothic::START)).unwrap();
    std::fs::write(&two, format!("{mark}congress startpos\nbroken")).unwrap();
    let (lines, status) = lines(&["--depth", "1", &one, "-", &two], "pressman startpos");
    assert_eq!(status, 1);
    let told: Vec<_> = lines
        .iter()
        .map(|line| ["file", "line", "variant"].map(|key| value(line, key).unwrap_or("")))
        .collect();
    let [one, two] = [one, two].map(|name| format!("{name:?}"));
    assert_eq!(
        told,
        [
            [&*one, "3", "\"gothic\""],
            ["", "1", "\"pressman\""],
            [&*two, "1", "\"congress\""],
            [&*two, "2", ""],
        ]
    );
}

#[test]
fn each_line_is_answered_when_it_is_known() {
    let mut program = Program::piped(&mut quadrille(["analyse", "--depth", "1"]), SOON);
    let mut input = program.stdin.take().unwrap();
    let mut output = BufReader::new(program.stdout.take().unwrap()).lines();
    for number in 1..=3 {
        writeln!(input, "{}", Gothic::START).unwrap();
        let line = output.next().unwrap().unwrap();
        assert_eq!(value(&line, "line"), Some(&*number.to_string()));
    }
    drop(input);
    assert!(output.next().is_none());
    assert!(program.wait().success());
}

fn options(arguments: &[&str]) -> AnalyseOptions {
    AnalyseOptions::read(VARIANTS, arguments).unwrap()
}

/// A reader that yields a line at a time, and counts them.
struct Lines<'c> {
    left: usize,
    given: &'c AtomicUsize,
}

impl Read for Lines<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        self.left -= 1;
        self.given.fetch_add(1, SeqCst);
        let line = format!("{}\n", Gothic::START);
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

#[test]
fn it_does_not_read_far_ahead() {
    let given = AtomicUsize::new(0);
    let lines = Lines { left: 500, given: &given };
    let sources = vec![Source::new(BufReader::new(lines))];
    let mut said = 0;
    let mut ahead = 0;
    let mut say = |_: &str| {
        if said == 0 {
            // The output blocks once: meanwhile the reader could read all lines.
            std::thread::sleep(Duration::from_millis(100));
        }
        ahead = ahead.max(given.load(SeqCst) - said);
        said += 1;
    };
    let options = options(&["--jobs", "2", "--nodes", "10"]);
    assert!(analyse::run(&options, sources, &mut say).unwrap());
    assert_eq!(said, 500);
    assert!((2..100).contains(&ahead), "{ahead} lines read ahead");
}

#[test]
fn progress_is_reported() {
    let input = [Gothic::START, "broken", ""].join("\n");
    let said = Cell::new(0);
    let mut told = Vec::new();
    let all_in_order = analyse::run(
        &options(&["--movetime", "250", "--jobs", "1"]),
        vec![Source::new(input.as_bytes())],
        &mut TestConsole {
            say: &mut |_| said.set(said.get() + 1),
            progress: &mut |text| told.push((said.get(), text.to_string())),
            ask: &mut || None,
        },
    );
    assert!(!all_in_order.unwrap());
    let [(1, first), .., (2, last)] = &told[..] else { panic!("{told:?}") };
    assert!(first.starts_with("1 lines, 0 broken, "), "{first}");
    assert_eq!(last, "", "it is to be wiped out");
}

/// Standard error is no terminal in a test.
#[test]
fn progress_is_for_people() {
    let output = run(&["--movetime", "250"], Gothic::START);
    assert_eq!(output.stderr, "");
}
