//! The result of a `match` as JSON and as a page, and of several matches merged.

use crate::common::matches::{MATCH, figures, last, refused_match, run_match, try_match};
#[cfg(unix)]
use crate::common::program::shell;
use crate::common::program::{Run, quadrille, scratch};
use quadrille::protocol::NAME;
use std::path::Path;
use std::process::Command;

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn parts_give_the_figures_of_the_one_match() {
    let folder = scratch("match_result/merge");
    let run = |words: &str| run_match(&folder, words).stdout;
    let test = "-sprt elo0=0 elo1=400 alpha=0.001 beta=0.001";
    let whole = run(&format!("{MATCH} -rounds 6 {test} -pgnout whole.pgn"));
    run(&format!("{MATCH} -rounds 2 -pgnout part1.pgn"));
    let rest = "-openings random seed=3 start=3 -rounds 4 -pgnout part2.pgn";
    run(&format!("{MATCH} {rest}"));
    let merged =
        run(&format!("--merge part1.pgn part2.pgn {test} --json merged.json --html merged.html"));
    assert_eq!(figures(&whole), figures(&merged));
    assert!(figures(&merged).len() > 12, "{merged}");
    assert!(read(&folder, "merged.json").contains("\"games\": 12, "));
    assert!(read(&folder, "merged.html").contains("<p class=\"soft\">12 games</p>"));
    // A PGN of others may state no reason, or one of PGN's own.
    let plain = |text: String, [from, to]: [&str; 2]| {
        let lines = text.lines().filter(|line| !line.starts_with("[Reason "));
        lines.map(|line| line.replace(from, to) + "\n").collect::<String>()
    };
    for (tag, reason) in [("[Foo", "no reason stated"), ("[Termination", "on a bridge")] {
        let text = plain(
            read(&folder, "part1.pgn"),
            ["[Site ", &format!("{tag} \"on a bridge\"]\n[Site ")],
        );
        let text = text.replace("[Termination \"normal\"]\n", "");
        std::fs::write(folder.join("foreign.pgn"), text).unwrap();
        let said = run("--merge foreign.pgn");
        assert!(said.contains(&format!("{reason}\": ")) && !said.contains(": \"\""), "{said}");
    }
    // A copy is refused.
    std::fs::copy(folder.join("part1.pgn"), folder.join("copy.pgn")).unwrap();
    for file in ["part1.pgn", "copy.pgn"] {
        let error = refused_match(&folder, &format!("--merge part1.pgn part2.pgn {file}"));
        let wanted = format!(
            "quadrille: match: {file}: round 1.1, A against B: the same game is in part1.pgn\n"
        );
        assert_eq!(error, wanted);
    }
    // The same moves played once more are no copy.
    run(&format!("{MATCH} -rounds 2 -site there -pgnout again.pgn"));
    let twice = run("--merge part1.pgn again.pgn");
    assert!(twice.contains("Repeated games: 4 of 8"), "{twice}");
    // What adds nothing is named, and what is of another game refused.
    std::fs::write(folder.join("none.pgn"), "").unwrap();
    let merged = run_match(&folder, "--merge part1.pgn none.pgn");
    assert_eq!(merged.stderr, "quadrille: match: none.pgn: no finished game\n");
    let other = read(&folder, "part1.pgn").replace("congress", "gothic");
    std::fs::write(folder.join("gothic.pgn"), other).unwrap();
    let error = refused_match(&folder, "--merge part1.pgn gothic.pgn");
    assert!(
        error.contains(
            "gothic.pgn: round 1.1, A against B: a game of gothic, but the others are of congress"
        ),
        "{error}"
    );
}

/// However far the bounds are, a sequential test ends, and all figures are numbers.
#[test]
fn a_test_with_wide_bounds_ends() {
    let folder = scratch("match_result/wide");
    for bounds in ["elo0=-400 elo1=-200", "elo0=1400 elo1=1500"] {
        for style in ["cutechess", "fastchess"] {
            let said = run_match(
                &folder,
                &format!(
                    "{MATCH} -rounds 200 -maxmoves 2 -sprt {bounds} model=normalized \
                     -output format={style} -json r.json -html r.html"
                ),
            )
            .stdout;
            let json = read(&folder, "r.json");
            for wrong in ["nan", "NaN", "inf", ": null"] {
                assert!(!said.contains(wrong), "{wrong} in {said}");
                assert!(!json.contains(wrong), "{wrong} in {json}");
            }
            assert!(json.contains("\"accepted\": \"H"), "{json}");
            assert_sound(&read(&folder, "r.html"));
        }
    }
}

/// A parser reads the JSON.
#[test]
#[ignore = "needs python3"]
fn the_result_is_json() {
    let folder = scratch("match_result/json");
    run_match(
        &folder,
        &format!("{MATCH} -rounds 2 -sprt elo0=0 elo1=9 -json r.json -event 'a \"b\"'"),
    );
    let json = read(&folder, "r.json");
    let checks = "import json, sys\n\
        r = json.load(open('r.json'))\n\
        assert r['variant'] == 'congress' and r['event'] == 'a \"b\"' and r['over'] is True\n\
        assert [e['name'] for e in r['engines']] == ['A', 'B']\n\
        assert [e['control'] for e in r['engines']] == ['80 nodes', '20 nodes']\n\
        p = r['pairings'][0]\n\
        assert p['engines'] == ['A', 'B'] and p['games'] == 4 == p['wins'] + p['draws'] + p['losses']\n\
        assert sum(p['pairs']) == 2 and 0 <= p['los'] <= 1\n\
        assert p['sprt']['model'] == 'logistic' and p['sprt']['elo1'] == 9\n\
        assert [g['number'] for g in r['games']] == [1, 2, 3, 4]\n\
        assert r['games'][1]['white'] == 'B' and r['games'][1]['begun'].endswith('Z')\n";
    let python = Command::new("python3").args(["-c", checks]).current_dir(&folder).run();
    assert!(python.status.success(), "{}\n{json}", python.stderr);
}

#[test]
fn the_result_is_a_page() {
    let folder = scratch("match_result/html");
    run_match(&folder, &format!("{MATCH} -rounds 3 -html two.html -event 'a <b> & c'"));
    let page = read(&folder, "two.html");
    assert_sound(&page);
    assert!(page.contains("<title>a &lt;b&gt; &amp; c: congress</title>"), "{page}");
    assert!(page.contains("<th>1</th><th>1½</th><th>2</th>"), "{page}");
    for section in ["Score over time", "Elo", "How games ended", "Games"] {
        assert!(page.contains(&format!("<h2>{section}</h2>")), "{section}");
    }
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(page.contains("<polyline class=\"curve\""));
    run_match(&folder, &format!("{MATCH} -engine name=C cmd=self nodes=20 -html three.html"));
    let page = read(&folder, "three.html");
    assert_sound(&page);
    assert!(page.contains("<h2>Crosstable</h2>"));
    assert!(!page.contains("<h2>Score over time</h2>"));
    // It says under which conditions the games were played.
    run_match(&folder, &format!("{MATCH} -games 1 -html one.html"));
    let page = read(&folder, "one.html");
    assert_sound(&page);
    assert!(page.contains("<p class=\"soft\">1 game</p>") && !page.contains("<polyline"), "{page}");
    let conditions =
        format!("UTC; A has 80 nodes; B has 20 nodes; openings: random; referee: {NAME}");
    assert!(page.contains(&conditions), "{page}");
}

/// Asserts that all elements are closed, nothing is loaded, and every number is finite.
#[track_caller]
fn assert_sound(page: &str) {
    for wrong in ["http", "<script", "url(", "@import", "NaN", "inf"] {
        assert!(!page.contains(wrong), "{wrong} in {page}");
    }
    let mut open: Vec<&str> = Vec::new();
    for piece in page.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').unwrap();
        let name = tag.trim_start_matches('/').split(' ').next().unwrap();
        if ["!DOCTYPE", "meta"].contains(&name) || tag.ends_with('/') {
            continue;
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{page}");
        } else {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// A game that is cut off is no game, wherever the cut is.
#[test]
fn torn_games_are_left_out() {
    let folder = scratch("match_result/torn");
    for min in ["min=true", ""] {
        let pgn = "-pgnout file=whole.pgn append=false";
        run_match(&folder, &format!("{MATCH} -rounds 2 {pgn} {min}"));
        let whole = read(&folder, "whole.pgn");
        let last = whole.rfind("[Event ").unwrap();
        let begin = last + whole[last..].find("\n\n").unwrap();
        let after = |from: usize, text: &str| from + whole[from..].find(text).unwrap() + text.len();
        let end = whole.trim_end_matches("% end\n").trim_end();
        let end = end.rfind(char::is_whitespace).unwrap();
        for (cut, has_moves) in [
            (after(last, "[Result \""), false),
            (after(last, "[Variant \"congress\"]\n"), false),
            (begin + 2, false),
            (after(begin, " "), true),
            (after(after(begin, " 2. "), " "), true),
            (end, true),
            // In a tag, and in a comment.
            (last + 4, false),
            (whole.rfind('{').map_or(end, |at| at + 2), true),
        ] {
            let torn = &whole[..cut];
            std::fs::write(folder.join("torn.pgn"), torn).unwrap();
            let merged = try_match(&folder, "--merge torn.pgn");
            let games = "Score of A vs B: ";
            let is_left_out = merged.stderr.contains("the game is torn, and does not count")
                && merged
                    .stdout
                    .lines()
                    .any(|line| line.starts_with(games) && line.ends_with(" 3"));
            assert!(is_left_out, "{cut} {min}: {merged:#?}");
            let replayed = quadrille(["replay", "torn.pgn"]).current_dir(&folder).run();
            let is_found = !replayed.status.success();
            assert!(!has_moves || is_found, "{cut} {min}: {replayed:#?}");
        }
    }
}

/// Other programs give both games of a pair one round.
#[test]
fn pairs_of_other_programs_are_found() {
    let folder = scratch("match_result/others");
    let merged = |fens: [&str; 2], moves: [&str; 2]| {
        let mut text = String::new();
        for round in 1..=6 {
            let sides = [["A", "B"], ["B", "A"]].into_iter().zip(fens).zip(moves);
            for (([white, black], fen), moves) in sides {
                let fen = fen.replace('#', &round.to_string());
                text += &format!(
                    "[Event \"?\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                     [Result \"1-0\"]\n[Variant \"gothic\"]\n{fen}[PlyCount \"3\"]\n\n{moves} 1-0\n\n"
                );
            }
        }
        std::fs::write(folder.join("others.pgn"), text).unwrap();
        run_match(&folder, "--merge others.pgn").stdout
    };
    let fen = "[SetUp \"1\"]\n[FEN \"position #\"]\n";
    let other = "[SetUp \"1\"]\n[FEN \"other #\"]\n";
    let plain = "1. e4 {+0.1/1 0s} e5 {0.0/1 0s} 2. d4 {0.1/1 0s}";
    let book = "1. e4 {book} e5 {book} 2. d4 {0.1/1 0s}";
    let longer = "1. e4 {book} e5 {book} 2. d4 {book}";
    for (fens, moves, is_paired) in [
        ([fen, fen], [plain, plain], true),
        (["", ""], [book, book], true),
        ([fen, other], [plain, plain], false),
        (["", ""], [book, longer], false),
        (["", ""], [plain, plain], false),
    ] {
        let said = merged(fens, moves);
        let has_pairs = said.contains("Pentanomial: [0, 0, 6, 0, 0]");
        assert_eq!(has_pairs, is_paired, "{fens:?} {moves:?}: {said}");
        let error = if is_paired { "+/- 75.5" } else { "+/- 222.8" };
        assert!(last(&said, "Elo difference: ").contains(error), "{said}");
    }
}

/// Of two files that cannot be written, the error of neither hides that of the other.
#[test]
#[cfg(unix)]
fn every_file_that_is_full_is_named() {
    let folder = scratch("match_result/full");
    let words = format!("{MATCH} -rounds 20 -pgnout f.pgn -html f.html");
    let limited = format!("trap '' XFSZ; ulimit -f 8; quadrille match {words}");
    let ended = shell(&folder, &limited);
    assert_eq!(ended.status.code(), Some(2), "{ended:#?}");
    for wanted in
        ["-pgnout: f.pgn: ", "-html: f.html: ", "the same command with -resume continues the match"]
    {
        assert!(ended.stderr.contains(wanted), "{wanted}: {ended:#?}");
    }
    let said = run_match(&folder, &format!("{words} -resume")).stdout;
    assert!(last(&said, "Score of").ends_with(" 40"), "{said}");
}

/// A match in the same file as another is not mixed up with it.
#[test]
fn matches_in_one_file_keep_their_pairs() {
    let folder = scratch("match_result/added");
    // The engines are about equal, so that pairs are split.
    let even = MATCH.replace("nodes=80", "nodes=22");
    run_match(&folder, &format!("{even} -rounds 5 -pgnout once.pgn"));
    let once = std::fs::read_to_string(folder.join("once.pgn")).unwrap();
    let other = once.replace("[Site \"", "[Site \"there ");
    std::fs::write(folder.join("other.pgn"), &other).unwrap();
    std::fs::write(folder.join("added.pgn"), once + &other).unwrap();
    let apart = run_match(&folder, "--merge once.pgn other.pgn").stdout;
    let added = run_match(&folder, "--merge added.pgn").stdout;
    assert!(added.contains("Pentanomial: "), "{added}");
    assert_eq!(figures(&added), figures(&apart));
}
