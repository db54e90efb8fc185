//! What a person sees of the engine's findings.

use super::driver::{Desk, Page, in_chromium, in_every_browser};
use super::person::IDLE;
use crate::common::play_random;
use crate::common::program::{Run, quadrille, scratch, wait_for};
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::system::random::Random;
use std::path::Path;
use std::time::Duration;

in_every_browser!(
    lines_of_the_engine_are_stepped_into,
    a_line_is_seen_on_its_own_and_its_positions_beside_it,
    a_threat_is_shown_until_something_changes,
    a_lesson_asks_for_better_moves,
    the_lines_are_never_empty,
);
in_chromium!(
    steps_mark_a_move_of_the_list_that_stays,
    comments_of_a_match_are_scores_and_clocks,
    numbers_of_marks_are_shown_as_symbols_or_words,
    a_curve_has_two_values,
    an_analysis_continues_where_it_stopped,
    a_whole_game_is_analysed_as_annotate_does,
);

/// The moves of a PGN with what was said about them.
fn movetext(pgn: &str) -> String {
    let (_, moves) = pgn.split_once("\n\n").unwrap();
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Analyses the game of a page, and compares with `annotate` in a folder.
pub(super) fn assert_analysed(page: &Page<'_>, name: &str, folder: &Path) {
    let mut session = find_variant(VARIANTS, name).unwrap().open();
    let mut random = Random::new(9, 0);
    let moves: Vec<_> = (0..10).flat_map(|_| play_random(&mut *session, &mut random)).collect();
    let pgn = format!("[Variant \"{name}\"]\n\n{} *\n\n", moves.join(" "));
    std::fs::write(folder.join("game.pgn"), &pgn).unwrap();
    let mut annotate = quadrille(["annotate", "game.pgn"]);
    let annotated = annotate.current_dir(folder).run().succeeded().stdout;
    let quoted = quadrille::records::json::string(&pgn);
    assert_eq!(page.value(&format!("openPgn({quoted}, 0)")), "null");
    page.until(&format!("last() === 10 && {IDLE}"));
    let before = page.value("pgn()");
    page.click("#analyse-game");
    // Stepping through the game disturbs nothing.
    page.until("isJudging && !part('progress').hidden");
    page.value("go(3), go(4)");
    page.until("!isJudging && game.undo.length === 1");
    assert_eq!(movetext(&page.value("pgn()")), movetext(&annotated), "{name}");
    let marked = page.value("document.querySelectorAll('#curve .slip, #curve .fault').length");
    assert_ne!(marked, "0");
    // Again, it is the same; and it can be undone.
    page.click("#analyse-game");
    page.until("!isJudging && game.undo.length === 2");
    assert_eq!(movetext(&page.value("pgn()")), movetext(&annotated), "{name}");
    page.value("undo(), queue.then(undo), queue");
    page.until("game.undo.length === 0");
    assert_eq!(movetext(&page.value("pgn()")), movetext(&before), "{name}");
}

fn a_whole_game_is_analysed_as_annotate_does(desk: Desk) {
    let page = desk.open("gothic");
    let folder = scratch("browser/whole-game");
    for variant in VARIANTS {
        assert_analysed(&page, variant.info.name, &folder);
    }
}

/// A click on a move of a line plays the line up to it as a variation.
fn lines_of_the_engine_are_stepped_into(desk: Desk) {
    let page = desk.open("gothic");
    assert_eq!(page.value("openPgn('[Variant \"gothic\"]\\n\\n1. a3 a6 2. a4 *', 0)"), "null");
    page.until(&format!("last() === 3 && {IDLE}"));
    page.value("go(1)");
    page.click("#analyse");
    page.until("document.querySelectorAll('#best li').length === 3 && document.querySelector('#best li a:nth-of-type(3)')");
    let depth = page.value("part('depth').textContent");
    assert!(depth.contains("M nodes/s\nWhite "), "{depth}");
    // A line is a row: a score, a strip of the chances, and moves that stay what they are.
    let row = "document.querySelector('#best li')";
    assert_eq!(
        page.value(&format!(
            "/^[+−]?\\d+\\.\\d$/.test({row}.firstChild.textContent) && {row}.clientHeight < 40"
        )),
        "true"
    );
    assert_eq!(
        page.value("[...document.querySelector('.chances').children].reduce((sum, { style }) => sum + Number(style.flexGrow), 0)"),
        "1000"
    );
    page.value(&format!(
        "(window.link = {row}.querySelector('a'), window.deep = found.lines[0].depth, 0)"
    ));
    page.until("found.lines[0].depth > deep && link.isConnected");
    // What was found survives a reload, and so does the wish for more.
    page.value("go(0)");
    page.until("found.ply === here() && here().known.brief && at === 0");
    page.value("go(1)");
    page.until("found.ply === here()");
    page.reload();
    assert_eq!(
        page.value(
            "Boolean(game.root.known.brief && game.root.known.white && part('analyse').checked)"
        ),
        "true"
    );
    page.until("found?.ply === here() && document.querySelector('#best li a:nth-of-type(3)')");
    page.click("#best li a:nth-of-type(3)");
    page.until("at === 4 && found.ply === here()");
    assert_eq!(page.value("game.plies[1].next[0].san + nodesOf(game.root).length"), "a67");
    // Threads and table are the person's choice, as far as the engine allows.
    page.choose("hash", "64");
    page.until("given.Hash === 64 && found.ply === here()");
    assert_eq!(
        page.value("[...part('threads').options].at(-1).value <= navigator.hardwareConcurrency"),
        "true"
    );
    page.click("#analyse");
    // A solved ending says how far it is.
    assert_eq!(page.value("openPgn('7r2/10/10/10/10/1k8/10/K9 b - - 0 1')"), "null");
    page.until("part('solved').textContent === 'Solved: Black wins in 1 move.'");
}

/// The lines under the pointer, and those that Tab leads to.
fn a_line_is_seen_on_its_own_and_its_positions_beside_it(desk: Desk) {
    let page = desk.open("gothic");
    let arrows = "document.querySelectorAll('#board .arrow').length";
    for variant in VARIANTS {
        let name = variant.info.name;
        page.value(&format!("openPgn('[Variant \"{name}\"]\\n\\n*', 0)"));
        page.until(&format!("game.variant === '{name}' && isKnown"));
        page.press(&["l"]);
        page.until(&format!(
            "{arrows} === 3 && document.querySelectorAll('#best li:nth-child(2) a').length > 2"
        ));
        assert_eq!(page.value("document.querySelectorAll('#board .faint').length"), "2");
        // WebKit does not see that a line changes under a mouse at rest.
        wait_for("a preview", Duration::from_secs(60), || {
            page.hover("#best li:nth-child(2) a:nth-child(3)");
            page.value(&format!("{arrows} === 1 && !part('preview').hidden")) == "true"
        });
        let shown = page.value("part('preview').querySelectorAll('[data-man]').length");
        assert_ne!(shown, "0");
        // The engine knows the positions.
        let asked = page.value("Object.entries(here().known.after)[0].join('|')");
        let (moves, fen) = asked.split_once('|').unwrap();
        let mut session = variant.open();
        let moves: Vec<_> = moves.split(' ').collect();
        assert_eq!(moves.len(), 3);
        session.set_position(None, &moves).unwrap();
        assert_eq!(fen, session.fen(), "{name}");
        page.hover("#status");
        page.until(&format!("{arrows} === 3 && part('preview').hidden"));
        page.press(&["a"]);
        page.until(&format!("{arrows} === 0"));
        page.press(&["a"]);
        page.until(&format!("{arrows} === 3"));
        page.press(&["l"]);
        page.until("document.querySelectorAll('#best li').length === 0");
    }
    page.press(&["l"]);
    page.until("document.querySelectorAll('#best li:nth-child(1) a').length > 2");
    page.value("part('analyse').focus()");
    page.press(&["Tab"]);
    page.until(&format!("{arrows} === 1 && !part('preview').hidden"));
    page.press(&["Enter"]);
    page.until("at === 1 && found?.ply === here()");
}

fn a_threat_is_shown_until_something_changes(desk: Desk) {
    let page = desk.open("gothic");
    for variant in VARIANTS {
        let name = variant.info.name;
        page.value(&format!("openPgn('[Variant \"{name}\"]\\n\\n*', 0)"));
        page.until(&format!("game.variant === '{name}' && isKnown"));
        page.press(&["x"]);
        page.until("document.querySelector('#board .threat') && part('status').textContent.startsWith('Threat: ')");
        let start = variant.info.start.to_string();
        let other = if start.contains(" w ") {
            start.replace(" w ", " b ")
        } else {
            start.replace(" b ", " w ")
        };
        let mut session = variant.open();
        session.set_position(Some(&other), &[]).unwrap();
        let threat = page.value("state.hint.move");
        assert!(session.moves().contains(&threat), "{name}: {threat}");
        page.press(&["f"]);
        assert_ne!(page.value("state.hint"), "null");
        page.press(&["l"]);
        page.until("!document.querySelector('#board .threat') && !state.hint");
        page.press(&["l"]);
    }
    page.value("openPgn('5k4/10/10/10/10/5r4/10/5K4 w - - 0 1')");
    page.until("here().known.check && canMove()");
    page.press(&["x"]);
    page.until("fault === 'White is in check: that is the threat.'");
}

/// A game with marks and better lines, as `annotate` writes them; nearly all is better than the second one.
const MISTAKES: &str = "[Variant \"gothic\"]\n\n\
    1. e4 {[%eval 0.05,13]} 1... e5 {[%eval 0.08,13]} 2. Nc3 Nc6 3. Af3 d6 4. d4 h6 5. dxe5 Nxe5 {[%eval -0.58,12]}\n\
    6. Axe5?? {[%eval -2.38,13]} (6. Ae2 g5 7. h3 {[%eval -0.58,12]}) 6... dxe5 {[%eval -2.43,12]}\n\
    7. a3? {[%eval -4.01,14]} (7. h3 {[%eval -9.00,12]}) 7... a6?! {[%eval -3.00,14]} (7... b6 {[%eval -4.01,14]}) *\n";

/// The positions before a side's mistakes are asked for again; no try is a move of the game.
fn a_lesson_asks_for_better_moves(desk: Desk) {
    let page = desk.open("gothic");
    let quoted = quadrille::records::json::string(MISTAKES);
    page.value(&format!("openPgn({quoted}, 0)"));
    page.until(&format!("last() === 14 && {IDLE}"));
    let before = page.value("pgn()");
    assert_eq!(page.value("part('summary').textContent.trim()"), "7 of 14 moves analysed");
    page.hover("#curve");
    page.until("part('told').textContent === '4. d4'");
    page.press(&["b"]);
    page.until("here().san === 'Axe5' && part('bar').textContent === '2.4'");
    let says = |text: &str| page.until(&format!("part('taught').textContent === '{text}'"));
    page.click("#learn");
    let asks = |how: &str| {
        page.until(&format!("part('how').textContent === '{how}' && at === 0 && isKnown"));
    };
    asks("White played 6. Axe5??.");
    assert_eq!(page.value("part('lesson-at').textContent + part('side').hidden"), "1 of 2true");
    // What was played, what is no better, and the answer, by the mouse. A try stays on the board.
    page.drag("f3", "e5");
    says("Axe5 was played. Look for a better move.");
    page.until("here().san === 'Axe5' && document.querySelector('#board .badge.wrong')");
    page.click("#again");
    asks("White played 6. Axe5??.");
    page.drag("d1", "d6");
    says("Qxd6+ is a blunder too. Look for a better move.");
    page.click("#again");
    asks("White played 6. Axe5??.");
    page.drag("f3", "e2");
    says("Ae2 is the best move.");
    page.until("part('answer').hidden && document.querySelector('#board .badge:not(.wrong)')");
    page.click("#next-lesson");
    asks("White played 7. a3?.");
    page.drag("h2", "h4");
    says("h4 is good too. The best move was h3. You found 2 of 2.");
    page.click("#next-lesson");
    page.until("state.mode === 'look' && !part('side').hidden && at === 11");
    // The other side, and an answer that is asked for; a reload ends the lesson.
    page.press(&["f"]);
    page.click("#learn");
    asks("Black played 7... a6?!.");
    page.click("#answer");
    says("Better was 7... b6.");
    page.drag("b7", "b6");
    says("b6 is the best move. You found 0 of 1.");
    page.reload();
    page.until("state.mode === 'look'");
    assert_eq!(page.value("pgn()"), before);
}

/// Each line that the engine sends replaces one that is read.
fn the_lines_are_never_empty(desk: Desk) {
    let page = desk.open("gothic");
    for (fen, count, changes) in [
        // A quiet position, and one in which depth runs and soon ends.
        ("rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1", 3, true),
        ("5k4/10/10/10/10/10/R9/1R3K4 w - - 0 1", 3, false),
    ] {
        assert_eq!(page.value(&format!("openPgn('{fen}')")), "null");
        page.until(IDLE);
        page.value("state.analyses || analysis.turn()");
        page.until(&format!("document.querySelectorAll('#best li').length === {count}"));
        let seen = page.value(&format!(
            "new Promise((done) => {{ \
               let [texts, empty] = [new Set(), 0]; \
               const look = setInterval(() => {{ \
                 const rows = [...document.querySelectorAll('#best li')]; \
                 texts.add(part('depth').textContent + rows.map((row) => row.textContent).join()); \
                 if (rows.length < {count} || rows.some((row) => !row.querySelector('a')?.textContent)) empty += 1; \
               }}, 5); \
               setTimeout(() => {{ clearInterval(look); done(`${{empty}} ${{texts.size > 2}}`); }}, 4000); \
             }})"
        ));
        assert!(seen.starts_with("0 "), "{fen}: {seen}");
        assert!(!changes || seen == "0 true", "{fen}: {seen}");
        page.value("analysis.turn(), queue");
    }
}

/// One value is no curve.
fn a_curve_has_two_values(desk: Desk) {
    let page = desk.open("gothic");
    for (said, is_shown) in [
        (["", ""], "false"),
        (["{[%eval 0.3]}", ""], "false"),
        (["{[%eval 0.3]}", "{[%eval 0.1]}"], "true"),
    ] {
        let [one, two] = said;
        page.value(&format!("openPgn('[Variant \"gothic\"]\\n\\n1. e4 {one} e5 {two} *', 0)"));
        page.until("here().san === 'e5' && isKnown");
        assert_eq!(page.value("part('curve').checkVisibility()"), is_shown, "{said:?}");
    }
}

/// The links stay where they are while one steps; a change of the record is listed.
fn steps_mark_a_move_of_the_list_that_stays(desk: Desk) {
    let page = desk.open("gothic");
    let quoted = quadrille::records::json::string(MISTAKES);
    assert_eq!(page.value(&format!("openPgn({quoted}, 0)")), "null");
    page.until(&format!("last() === 14 && {IDLE}"));
    page.value("(window.links = [...document.querySelectorAll('#moves a')], 0)");
    let shown = "[...document.querySelectorAll('#moves .here, #moves .following')].map((each) => each.className.split(' ').at(-1) + ' ' + each.firstChild.data).join()";
    for (keys, at, wanted) in [
        (["Home", "Home"], 0, ""),
        (["ArrowRight", "ArrowRight"], 2, "here e5"),
        (["b", "ArrowLeft"], 10, "here Nxe5,following Axe5"),
        (["ArrowDown", "ArrowRight"], 11, "here Ae2"),
    ] {
        page.press(&keys);
        page.until(&format!("at === {at} && isKnown"));
        assert_eq!(page.value(shown), wanted);
        assert_eq!(page.value("links.every((each) => each.isConnected)"), "true", "{keys:?}");
    }
    page.value("state.annotate(here(), { marks: ['!'] }), change()");
    page.until("document.querySelector('#moves .here').textContent === 'Ae2!'");
    // The same game with another comment, and without it.
    for (text, wanted) in [("1. e4 {x} *", "1"), ("1. e4 *", "0"), ("1. e4 (1. d4) *", "0")] {
        page.value(&format!("openPgn('[Variant \"gothic\"]\\n\\n{text}', 0)"));
        page.until("here().san === 'e4' && isKnown");
        assert_eq!(
            page.value("document.querySelectorAll('#moves .remark').length"),
            wanted,
            "{text}"
        );
    }
    assert_eq!(page.value("document.querySelectorAll('#moves a').length"), "2");
}

/// As cutechess, fastchess and `quadrille match` write them: the score is that of the side that moved.
fn comments_of_a_match_are_scores_and_clocks(desk: Desk) {
    // A comment of White's move and one of Black's; the score, the clock and the remark of each.
    let table = [
        (["book", "+0.5/5 0.1s"], ["||", "\u{2212}0.50|0.1s|"]),
        (["-4.54/5 0.000s", "+M5/12 0.3s"], ["\u{2212}4.54|0.000s|", "#\u{2212}5|0.3s|"]),
        (
            ["+0.25/7 1.5s, tl=8.766s, n=5, pv=\"a b\"", "-M3/9 12s, White mates"],
            ["0.25|8.766s|", "#3|12s|White mates"],
        ),
        (["0.00/1 0.02s, fine", "[%clk 0:00:09] 0.7s"], ["0.00|0.02s|fine", "|0:00:09|"]),
        // A person's words.
        (["0.5s too late", "booked, +0.5"], ["||0.5s too late", "||booked, +0.5"]),
        (["[%eval 0.30,12] +0.90/5 0.1s", "+1/2"], ["0.30|0.1s|", "||+1/2"]),
        (["[%move 1] fine", "+1.5.2/3 1s"], ["||fine", "||+1.5.2/3 1s"]),
    ];
    let page = desk.open("gothic");
    let moves = ["e4 e5", "Nc3 Nc6", "d3 d6", "a3 a6", "b3 b6", "i3 i6", "j3 j6"];
    let lines = table.iter().zip(moves).enumerate().map(|(at, ((said, _), moves))| {
        let (white, black) = moves.split_once(' ').unwrap();
        let number = at + 1;
        format!("{number}. {white} {{{}}} {number}... {black} {{{}}}", said[0], said[1])
    });
    let moves = lines.collect::<Vec<_>>().join(" ");
    let quoted = quadrille::records::json::string(&format!("[Variant \"gothic\"]\n\n{moves} *"));
    assert_eq!(page.value(&format!("openPgn({quoted}, 0)")), "null");
    page.until(&format!("last() === 14 && {IDLE}"));
    for (at, (said, wanted)) in table.iter().enumerate() {
        for (side, wanted) in wanted.iter().enumerate() {
            let node = format!("game.plies[{}]", 2 * at + side + 1);
            let read = format!(
                "[scoreOf({node}), clockOf({node}) ?? '', remarkOf({node}.comment)].join('|')"
            );
            assert_eq!(page.value(&read), *wanted, "{}", said[side]);
            // A score is a point of the curve and a number of the list, and no text.
            let [score, _, remark] = wanted.split('|').collect::<Vec<_>>()[..] else {
                unreachable!()
            };
            let is_known = page.value(&format!("{node}.known.white !== undefined"));
            assert_eq!(is_known, (!score.is_empty()).to_string(), "{}", said[side]);
            // A remark stands behind it, and is all that goes.
            let again = format!(
                "[withRemark({node}.comment, 'a b'), withRemark(withRemark({node}.comment, 'a b'), {})]",
                quadrille::records::json::string(remark)
            );
            let read = page.value(&format!(
                "(([a, b]) => [remarkOf(a), b === {node}.comment].join())({again})"
            ));
            assert_eq!(read, "a b,true", "{}", said[side]);
        }
    }
    assert_eq!(movetext(&page.value("pgn()")), movetext(&format!("\n\n{moves} *")));
    assert_eq!(
        page.value("[...document.querySelectorAll('#moves .remark')].map((each) => each.textContent).join('|')"),
        "White mates|fine|0.5s too late|booked, +0.5|+1/2|fine|+1.5.2/3 1s"
    );
    assert_eq!(page.value("part('curve').checkVisibility()"), "true");
    assert!(page.value("part('above').textContent").ends_with("0:00:09"));
}

/// A number that stands for a mark is shown as its symbol or in words, for either side.
fn numbers_of_marks_are_shown_as_symbols_or_words(desk: Desk) {
    let page = desk.open("gothic");
    for (mark, wanted) in [
        ("$9", "e4 worst move"),
        ("$8", "e4 \u{25a1}"),
        ("$12", "e4 ="),
        ("$23", "e4 \u{2a00}"),
        ("$139", "e4 \u{2295}"),
        ("??", "e4??"),
    ] {
        page.value(&format!("openPgn('[Variant \"gothic\"]\\n\\n1. e4 {mark} *', 0)"));
        page.until("here().san === 'e4' && isKnown");
        assert_eq!(page.value("document.querySelector('#moves a').textContent"), wanted);
        assert!(
            (page.value("pgn()").replace("e4 ", "e4")).contains(&format!("e4{mark} *")),
            "{mark}"
        );
    }
}

/// An analysis that was stopped says how far it came, and continues there.
fn an_analysis_continues_where_it_stopped(desk: Desk) {
    let page = desk.open("congress");
    let mut session = find_variant(VARIANTS, "congress").unwrap().open();
    let mut random = Random::new(9, 0);
    let moves: Vec<_> = (0..10).flat_map(|_| play_random(&mut *session, &mut random)).collect();
    let game = moves.join(" ");
    page.value(&format!("openPgn('[Variant \"congress\"]\\n\\n{game} *')"));
    page.until("last() > 5 && isKnown");
    let (last, judged) = (page.value("last()"), "part('progress').value");
    // Each `go` of the analysis is one position.
    page.value("(() => { window.searched = 0; const { go } = engine; engine.go = (...all) => { searched += 1; return go(...all); }; })()");
    page.click("#analyse-game");
    page.until(&format!("{judged} >= 3"));
    page.click("#analyse-game");
    page.until("!isJudging");
    let (done, count) = page
        .value("part('summary').textContent.trim()")
        .split_once(" of ")
        .map(|(done, count)| (done.parse::<usize>().unwrap(), count.to_string()))
        .unwrap();
    assert_eq!(count, format!("{last} moves analysed"));
    let whole: usize = last.parse().unwrap();
    assert!((2..whole).contains(&done), "{done}");
    let before: usize = page.value("searched").parse().unwrap();
    page.click("#analyse-game");
    page.until("isJudging");
    assert_eq!(page.value(&format!("{judged} > {done}")), "true");
    page.until("!isJudging && / · /.test(part('summary').textContent)");
    let after: usize = page.value("searched").parse().unwrap();
    assert!(after - before <= whole - done + 1, "{before} {after}");
    // What is undone is done again.
    page.click("#undo");
    page.until(&format!(
        "part('summary').textContent.trim() === '{done} of {whole} moves analysed'"
    ));
    page.click("#analyse-game");
    page.until("!isJudging && / · /.test(part('summary').textContent) && game.undo.length === 2");
}
