//! Habits of people who play on other boards: keys and mouse, games as trees, clocks.

use super::driver::{Desk, Page, in_chromium, in_every_browser};
use super::person::{IDLE, parts, play};
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::records::json::string;
use quadrille::records::pgn::Reader;

in_every_browser!(
    keys_and_mouse_do_what_everybody_knows,
    a_move_may_wait_for_its_turn,
    a_game_is_played_by_keys_alone,
    clocks_are_kept_and_end_the_game,
    every_key_and_finger_is_understood,
    fields_and_dialogs_do_what_they_seem_to,
    a_move_waits_for_the_connection,
    the_opponent_follows_the_person,
);
in_chromium!(
    opened_games_come_out_as_they_were,
    typed_moves_wait_and_leave_nothing_behind,
    no_game_ends_or_goes_by_a_slip,
);

/// A game with comments, marks, commands, nested variations, and one that nobody can play.
const NESTED: &str = "[Event \"\\\"x\\\"\"]\n[Variant \"gothic\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"*\"]\n\n\
    {start} 1. e4 {[%clk 0:05:00] [%cal Ge4e5,Rd1h5] hi} (1. Zz9 d5) ({before} 1. d4! $14 d5 (1... c5 2. d5) 2. c4)\n\
    (1. c4) 1... e5?! {[%eval 0.50,20]} 2. Nh3 *\n";

/// Opens a game as a person does who pasted it.
pub(super) fn open(page: &Page<'_>, pgn: &str) {
    let quoted = string(pgn);
    assert_eq!(page.value(&format!("openPgn({quoted}, 0)")), "null", "{pgn}");
    page.value("queue");
}

/// Opens the games of a text one after the other. Nobody answers in them, and they come out as they were.
fn come_out_as_they_were(page: &Page<'_>, text: &str) {
    let mut opened = 0;
    for record in Reader::new(text.as_bytes()) {
        let mut record = record.unwrap();
        let variant = record.variant(VARIANTS, None).unwrap();
        record.start = variant.info.start.into();
        // XBoard writes some moves of Pressman as no board reads them.
        if record.rewrite(variant, |session, mv| session.san(mv)).is_err() {
            continue;
        }
        opened += 1;
        let pgn = record.to_string();
        open(page, &pgn);
        assert_eq!(page.value("pgn()"), pgn);
        assert_eq!(page.value("isThinking || last()"), record.moves.len().to_string());
        page.reload();
        assert_eq!(page.value("pgn()"), pgn, "after a reload");
    }
    assert!(opened > 0);
}

fn opened_games_come_out_as_they_were(desk: Desk) {
    let page = desk.game("gothic", "you=w time=100");
    let games = std::fs::read_to_string("src/games/games.pgn").unwrap();
    let annotated = {
        use crate::common::program::{Run, quadrille};
        let mut annotate = quadrille("annotate --nodes 100 src/games/games.pgn".split(' '));
        annotate.run().succeeded().stdout
    };
    assert!(annotated.contains("?? ") && annotated.contains("(1"));
    let xboard = std::fs::read_to_string("tests/data/xboard.pgn").unwrap();
    for text in [&games, &annotated, &xboard, NESTED] {
        come_out_as_they_were(&page, text);
    }
    // The names, and what was said.
    assert!(page.value("part('above').textContent").contains("Black: Bob"));
    assert!(page.value("part('below').textContent").contains("White: Ann0:05:00"));
    page.until(
        "part('moves').textContent.includes('hi') && part('moves').textContent.includes('Zz9')",
    );
    page.press(&["Home", "i"]);
    page.until("here().san === 'e5' && judgementOf(here()) === '?!'");
    // A change of each kind, out and in again.
    let before = page.value("pgn()");
    page.press(&["Home"]);
    page.until("at === 0 && canMove() && isKnown");
    page.drag("g2", "g4");
    page.until(&format!("at === 1 && here().san === 'g4' && {IDLE}"));
    page.click("#marks button:nth-child(3)");
    page.value("queue");
    page.click("#write");
    page.value("part('remark').value = 'a {try} of mine'");
    page.press(&[" ", "Enter"]);
    page.value("queue");
    page.draw("a1", "a4", 0);
    let added = "(1. g4!? {[%cal Ga1a4] a (try) of mine})";
    let after = page.value("pgn()").replace('\n', " ");
    assert!(after.contains(added) && after.contains("2. Nh3"), "{after}");
    page.click("#promote");
    page.until("part('promote').disabled");
    let after = page.value("pgn()");
    assert!(after.contains("1. g4!? {"), "{after}");
    open(&page, &after);
    assert_eq!(page.value("pgn()"), after);
    // What is deleted comes back.
    page.press(&["Home", "ArrowRight"]);
    page.until("at === 1 && isKnown");
    page.click("#cut");
    page.until("at === 0");
    assert_eq!(page.value("pgn().replace('SetUp', '')"), before);
    page.click("#undo");
    page.until("game.root.next[0].san === 'g4'");
    assert_eq!(page.value("pgn()"), after);
    // Only where the person takes over does the engine answer.
    page.press(&["Home"]);
    page.until("at === 0 && isKnown");
    page.click("#take-over");
    page.click("#begin-game");
    page.until("canMove() && here() === game.tip");
    page.drag("b2", "b3");
    page.until(&format!("at === 2 && {IDLE}"));
    assert!(page.value("pgn()").contains("[White \"Human\"]\n[Black \"Quadrille, level 1\"]"));
}

fn keys_and_mouse_do_what_everybody_knows(desk: Desk) {
    let page = desk.game("gothic", "you=wb time=100");
    for (ply, mv) in (1..).zip(["e2e4", "e7e5", "b1c3"]) {
        play(&page, mv, ply % 2 == 0);
        page.until(&format!("last() === {ply} && {IDLE}"));
    }
    let at = |ply: usize| page.until(&format!("at === {ply} && isKnown && canMove()"));
    // After a move with the mouse, also while the engine analyses, and after a button.
    page.press(&["ArrowLeft"]);
    at(2);
    assert_eq!(page.value("cursor"), "null");
    page.press(&["l"]);
    page.until("found?.ply === here() && found.lines.length === 3");
    page.press(&["ArrowLeft"]);
    at(1);
    page.press(&["ArrowRight", "End"]);
    at(3);
    // What stands beside the button moves while they come.
    page.until("found?.ply === here() && found.lines.length === 3");
    page.click("#back");
    at(2);
    page.press(&["Home"]);
    at(0);
    page.wheel("e4", 100);
    at(1);
    page.wheel("e4", -100);
    at(0);
    // Space plays the best move, which begins a variation, as any other.
    page.until("found?.ply === here() && found.lines[0]");
    page.press(&[" "]);
    at(1);
    page.press(&["l", "Home"]);
    page.until("at === 0 && !state.analyses && canMove()");
    page.drag("d2", "d4");
    at(1);
    assert_eq!(page.value("game.root.next[0].san + lineThrough(game.root).length"), "e44");
    page.press(&["ArrowLeft"]);
    at(0);
    let others = page.value("game.root.next.length").parse::<usize>().unwrap();
    for index in 0..others {
        page.press(&["ArrowDown"]);
        page.until(&format!("game.plies[1] === game.root.next[{index}]"));
    }
    page.press(&["ArrowRight"]);
    page.until("here() === game.root.next.at(-1)");
    // Arrows and circles in four colours; the same again goes; a click on an empty square removes all.
    for (to, modifiers) in [("e5", 0), ("e6", 8), ("c3", 1), ("e7", 9)] {
        page.draw("c3", to, modifiers);
    }
    assert_eq!(page.value("here().comment"), "[%csl Bc3] [%cal Gc3e5,Rc3e6,Yc3e7]");
    assert_eq!(page.value("document.querySelectorAll('#board .drawn').length"), "4");
    page.draw("c3", "e6", 8);
    assert_eq!(page.value("here().comment"), "[%csl Bc3] [%cal Gc3e5,Yc3e7]");
    page.click_square("e5");
    assert_eq!(page.value("here().comment"), "null");
    // A piece that is dropped where it was stays lifted.
    page.drag("a7", "a7");
    assert_eq!(page.value("lifted"), "a7");
    page.click_square("a7");
    assert_eq!(page.value("lifted"), "null");
    page.press(&["?"]);
    page.until("part('help').open");
    page.press(&["Escape"]);
    page.until("!part('help').open");
    // The king castles onto the rook.
    for (rook, san) in [("j1", "O-O"), ("a1", "O-O-O")] {
        page.value("openPgn('5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1')");
        page.until("canMove() && isKnown");
        page.click_square("f1");
        page.click_square(rook);
        page.until(&format!("here().san === '{san}'"));
    }
}

fn a_move_may_wait_for_its_turn(desk: Desk) {
    let page = desk.game("gothic", "you=w level=20 time=100");
    page.hold(2);
    play(&page, "e2e4", false);
    page.until("isThinking");
    page.drag("d2", "d3");
    page.press(&["Escape"]);
    assert_eq!(page.value("premove"), "null");
    page.click_square("d2");
    page.click_square("d4");
    assert_eq!(page.value("document.querySelectorAll('#board .premove').length"), "2");
    page.let_move();
    // What is not legal then is dropped without a word.
    page.until("game.plies[3]?.san === 'd4' && isThinking && at === 3");
    page.drag("a1", "a8");
    page.let_move();
    page.until("at === 4 && canMove() && premove === null");
    assert!(page.value("fault").is_empty());
    // A king that goes onto its rook waits too.
    page.value("begin('gothic', '5k4/10/10/p9/10/10/10/R4K3R w KQ - 0 1')");
    page.until(&format!("last() === 0 && {IDLE}"));
    page.hold(1);
    page.drag("a1", "a2");
    page.until("isThinking && at === 1");
    page.click_square("f1");
    page.click_square("j1");
    page.let_move();
    page.until("game.plies[3]?.san === 'O-O'");
}

/// Walks to the board by Tab, and plays a game on it to its mate.
/// Presses Tab until something has the focus.
#[track_caller]
pub(super) fn tab_to(page: &Page<'_>, name: &str) {
    for _ in 0..60 {
        if page.value("document.activeElement.id || document.activeElement.name") == name {
            return;
        }
        page.press(&["Tab"]);
    }
    panic!("Tab does not lead to {name}");
}

/// Leads the cursor of the board to a square, and presses Enter.
pub(super) fn press_square(page: &Page<'_>, square: &str) {
    if page.value("cursor") == "null" {
        page.press(&["ArrowUp"]);
    }
    let steps = page.value(&format!(
        "(() => {{ const [[x, y], [u, v]] = [cursor, '{square}'].map((name) => columnAndRow(gameSet(), name)); \
         const sign = flipped ? -1 : 1; return `${{sign * (u - x)}} ${{sign * (v - y)}}`; }})()"
    ));
    let (across, down) = steps.split_once(' ').unwrap();
    for (count, back, on) in [(across, "ArrowLeft", "ArrowRight"), (down, "ArrowUp", "ArrowDown")] {
        let count: i32 = count.parse().unwrap();
        let key = if count < 0 { back } else { on };
        page.press(&vec![key; count.unsigned_abs() as usize]);
    }
    page.press(&["Enter"]);
}

fn a_game_is_played_by_keys_alone(desk: Desk) {
    let page = desk.open("congress");
    let tab_to = |name: &str| tab_to(&page, name);
    tab_to("new");
    page.press(&["Enter"]);
    tab_to("you");
    page.press(&["ArrowDown", "ArrowDown", "ArrowDown"]);
    page.until("part('choices').you.value === 'wb'");
    tab_to("begin-game");
    page.press(&["Enter"]);
    page.until(&format!("state.humans === 'wb' && {IDLE}"));
    tab_to("board");
    let games = std::fs::read("src/games/games.pgn").unwrap();
    let record = Reader::new(&games[..]).map(Result::unwrap);
    let mut record = record.skip(1);
    let record = record.next().unwrap();
    let mut session = find_variant(VARIANTS, "congress").unwrap().open();
    for (ply, played) in (1..).zip(&record.moves) {
        let mv = session.play_san(&played.text).unwrap();
        let (from, to, promotion) = parts(&mv);
        assert_eq!(promotion, None);
        press_square(&page, from);
        press_square(&page, to);
        page.until(&format!("last() === {ply} && {IDLE}"));
        assert_eq!(page.value("here().move"), mv);
    }
    page.until("part('status').textContent.includes('wins by')");
    assert!(session.outcome().is_some());
}

fn no_game_ends_or_goes_by_a_slip(desk: Desk) {
    let page = desk.game("gothic", "you=w time=100");
    play(&page, "e2e4", false);
    page.until(&format!("last() === 2 && {IDLE}"));
    // The last games would have it again.
    page.value("localStorage.removeItem('last games')");
    for (button, asks) in [("#resign", "Resign"), ("#new", "not saved")] {
        page.click(button);
        if button == "#new" {
            page.click("#begin-game");
        }
        page.until("part('question').open");
        assert!(page.value("part('asked').textContent").contains(asks));
        page.click("#no");
        page.value("part('begin').close()");
        assert_eq!(page.value("part('question').open || outcome()"), "null");
        assert_eq!(page.value("last()"), "2");
    }
    page.click("#draw");
    page.click("#yes");
    page.until("part('status').textContent === 'Quadrille wants to play on.'");
    page.click("#resign");
    page.click("#yes");
    page.until("part('status').textContent === 'Black wins by resignation'");
    assert!(page.value("pgn()").contains("[Reason \"resignation\"]"));
    // The end alone is taken back, and then the move.
    page.click("#takeback");
    page.until(&format!("!outcome() && last() === 2 && {IDLE}"));
    page.click("#takeback");
    page.until(&format!("last() === 0 && {IDLE}"));
    page.click("#undo");
    page.until("last() === 2 && canMove()");
    // An opened game ended where it did, also after a reload, and can be continued from there.
    open(
        &page,
        "[Variant \"gothic\"]\n[Result \"1-0\"]\n[Reason \"resignation\"]\n\n1. e4 (1. d4) 1... e5 1-0",
    );
    for _ in 0..2 {
        let status = page.value("part('status').textContent");
        assert_eq!(status, "White wins by resignation");
        page.reload();
    }
    page.press(&["ArrowLeft"]);
    page.until("part('status').textContent === 'Black to move'");
    page.press(&["End"]);
    page.click("#take-over");
    page.click("#begin-game");
    page.until("part('status').textContent === 'White to move' && canMove()");
}

fn clocks_are_kept_and_end_the_game(desk: Desk) {
    let page = desk.game("gothic", "you=wb time=150000+4000");
    assert_eq!(page.value("game.control"), "150000+4000");
    play(&page, "e2e4", false);
    page.until(&format!("last() === 1 && {IDLE}"));
    page.until("left('b') < 149000");
    // A reload does not fill them.
    page.reload();
    page.until("last() === 1 && canMove()");
    assert_eq!(page.value("clock.w === 154000 && left('b') < 149000"), "true");
    play(&page, "e7e5", false);
    page.until(&format!("last() === 2 && {IDLE}"));
    let pgn = page.value("pgn()");
    for text in [
        "[Event \"Casual game\"]",
        "[Date \"20",
        "[Result \"*\"]",
        "[TimeControl \"150+4\"]",
        "1. e4 {[%clk 0:02:34]} 1... e5 {[%clk 0:02:3",
    ] {
        assert!(pgn.contains(text), "{text}: {pgn}");
    }
    page.begin("time=1200+0");
    page.until(&format!("last() === 0 && {IDLE}"));
    play(&page, "e2e4", false);
    page.until("part('status').textContent === 'White wins by time'");
    let pgn = page.value("pgn()");
    assert!(pgn.contains("[Result \"1-0\"]") && pgn.contains("[Reason \"time forfeit\"]"), "{pgn}");
}

/// What a browser or another layout of the keyboard means by an event, and a palm.
fn every_key_and_finger_is_understood(desk: Desk) {
    let page = desk.game("gothic", "you=wb time=100");
    play(&page, "e2e4", false);
    page.until(&format!("last() === 1 && {IDLE}"));
    // The wheel steps, but not where it zooms or swipes.
    for (wheel, steps) in [
        ("deltaY: -120, ctrlKey: true", false),
        ("deltaY: 120, ctrlKey: true", false),
        ("deltaX: -120", false),
        ("deltaX: 90, deltaY: -60", false),
        ("deltaY: -120", true),
        ("deltaX: 3, deltaY: 120", true),
    ] {
        let at = page.value("at");
        assert_eq!(
            page.value(&format!(
                "part('board').dispatchEvent(new WheelEvent('wheel', {{ {wheel}, bubbles: true, cancelable: true }}))"
            )),
            (!steps).to_string(),
            "{wheel}"
        );
        page.until("isKnown");
        assert_eq!(page.value("at") != at, steps, "{wheel}");
    }
    // A Russian F, L and Ctrl+Z; and the A of a French keyboard, where an English one has its Q.
    let press = |key: &str, code: &str, ctrl: bool| {
        page.value(&format!(
            "dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', code: '{code}', ctrlKey: {ctrl} }}))"
        ));
    };
    press("\u{430}", "KeyF", false);
    assert_eq!(page.value("flipped"), "true");
    press("f", "KeyF", false);
    page.draw("e4", "e5", 0);
    press("\u{44f}", "KeyZ", true);
    page.until("!/cal/.test(pgn())");
    open(&page, "1. e4 e5 2. Nc3 *");
    press("\u{434}", "KeyL", false);
    page.until("state.analyses && document.querySelectorAll('#board .arrow').length === 3");
    press("a", "KeyQ", false);
    assert_eq!(page.value("document.querySelectorAll('#board .arrow').length"), "0");
    press("a", "KeyQ", false);
    press("l", "KeyP", false);
    // While one finger drags, others do nothing, wherever they are and whatever they do.
    page.until("!state.analyses && isKnown");
    page.value(
        "(() => { part('board').setPointerCapture = () => {}; \
         window.touch = (kind, pointerId, square) => { \
           const { cell } = gameSet(), [x, y] = corner(gameSet(), flipped, ...columnAndRow(gameSet(), square)); \
           const at = new DOMPoint(x + cell / 2, y + cell / 2).matrixTransform(part('board').getScreenCTM()); \
           part('board').dispatchEvent(new PointerEvent(`pointer${kind}`, { pointerId, isPrimary: pointerId === 7, \
             pointerType: 'touch', clientX: at.x, clientY: at.y, bubbles: true, cancelable: true })); }; })()",
    );
    for (square, ending) in [("h6", "up"), ("d2", "up"), ("e4", "cancel")] {
        page.value("touch('down', 7, 'b8'), touch('move', 7, 'b7')");
        page.value(&format!(
            "touch('down', 8, '{square}'), touch('move', 8, 'a1'), touch('{ending}', 8, 'a1')"
        ));
        assert_eq!(page.value("lifted"), "b8", "{square}");
        page.value("touch('move', 7, 'c6'), touch('up', 7, 'c6')");
        page.until(&format!("here().san === 'Nc6' && {IDLE}"));
        page.press(&["ArrowLeft"]);
        page.until("here().san === 'Nc3' && canMove() && isKnown");
    }
    // The queen comes first.
    page.value("openPgn('1r7k/P9/10/10/10/10/10/K9 w - - 0 1')");
    page.until(&format!("last() === 0 && {IDLE}"));
    page.click_square("a7");
    page.click_square("a8");
    page.until("part('promotion').open");
    assert_eq!(
        page.value("[...part('promotion').children].map((each) => each.dataset.letter).join('')"),
        "QCARBN"
    );
    page.value("part('promotion').firstChild.click()");
    page.until("here().move === 'a7a8q'");
    assert_eq!(page.value("faults.join()"), "");
}

/// A typed move is refused and forgotten, waits for its turn, or for the connection.
fn typed_moves_wait_and_leave_nothing_behind(desk: Desk) {
    let page = desk.game("gothic", "you=w time=100");
    let enter = |text: &str| {
        page.press(&["t"]);
        page.until("document.activeElement === part('move')");
        let mut keys: Vec<_> = text.split("").filter(|key| !key.is_empty()).collect();
        keys.push("Enter");
        page.press(&keys);
        page.until("document.activeElement === document.body");
    };
    for (typed, said) in [
        ("xyz", "`xyz` is not a move."),
        ("Ke5", "Ke5 is not legal; no move goes there."),
        ("O-O", "O-O is not legal"),
    ] {
        enter(typed);
        page.until(&format!("fault.startsWith('{said}') && part('move').value === ''"));
    }
    page.hold(2);
    enter("e4");
    page.until("isThinking && here().known.foreseen.length > 0");
    // Targets are shown, and what waits is said; Esc takes it back.
    page.click_square("g1");
    assert_eq!(
        page.value("marks().filter(([, kind]) => kind === 'target').map(([square]) => square).sort().join()"),
        "e2,f3,h3"
    );
    page.press(&["Escape"]);
    enter("Nh3");
    page.until("part('status').textContent === 'Nh3 waits for your turn.'");
    page.press(&["Escape"]);
    assert_eq!(page.value("premove + part('status').textContent"), "nullQuadrille is thinking");
    enter("2. Nc3");
    page.until("isThinking && premove?.text === 'Nc3'");
    page.let_move();
    page.until("game.plies[3]?.san === 'Nc3' && isThinking");
    // What is no move then is said.
    enter("Ke8");
    page.let_move();
    page.until("at === 4 && /^Ke8 is not legal/.test(part('status').textContent)");
    assert_eq!(page.value("premove"), "null");
}

/// A field that is left with a click, dialogs that are closed, and times that are typed do what they seem to.
fn fields_and_dialogs_do_what_they_seem_to(desk: Desk) {
    let page = desk.game("gothic", "you=wb time=100");
    open(&page, "1. e4 e5 2. Nc3 {old} Nc6 *");
    let begin = |text: &str| {
        page.press(&["Home", "ArrowRight", "ArrowRight", "ArrowRight"]);
        page.until("here().san === 'Nc3' && isKnown");
        page.value("document.querySelector('#write').click()");
        page.value("part('remark').select()");
        let keys: Vec<_> = text.split("").filter(|key| !key.is_empty()).collect();
        page.press(&keys);
    };
    // The first click counts, on a move and on the curve.
    begin("new");
    page.click("#moves a:nth-of-type(1)");
    page.until("here().san === 'e4' && part('comment').hidden && game.plies[3].comment === 'new'");
    page.value("state.line.forEach((node) => { node.known.white = 0.5; }), control.draw()");
    begin("newer");
    page.click("#curve");
    page.until("here().san === 'e5' && game.plies[3].comment === 'newer'");
    // Esc drops what was typed.
    begin("dropped");
    page.press(&["Escape"]);
    page.until("part('comment').hidden");
    page.value("queue");
    assert_eq!(page.value("game.plies[3].comment"), "newer");
    // After a dialog the keys are the page's again.
    for button in ["#new", "#show-settings", "#keys-help"] {
        page.click(button);
        page.until("document.querySelector('dialog[open]')");
        page.press(&["Escape"]);
        page.until(
            "!document.querySelector('dialog[open]') && document.activeElement === document.body",
        );
    }
    // The time counts that was typed last.
    let own = |fields: &[(&str, &str)]| {
        page.value("begins.ask(), part('choices').time.value = 'own'");
        for (name, text) in fields {
            page.value(&format!(
                "part('choices').{name}.value = '{text}', part('choices').{name}.dispatchEvent(new Event('input', {{ bubbles: true }}))"
            ));
        }
        page.value("part('begin-game').click()");
        page.value("part('question').open && part('yes').click()");
        page.until("!part('begin').open");
        page.value("queue");
        page.value("game.control")
    };
    assert_eq!(own(&[("seconds", "0.1")]), "100");
    assert_eq!(own(&[("minutes", "3"), ("increment", "2")]), "180000+2000");
    assert_eq!(own(&[("minutes", "4"), ("seconds", "2")]), "2000");
    assert_eq!(own(&[("increment", "1")]), "240000+1000");
    // What is copied can be opened anywhere.
    page.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }, begin('congress')");
    page.until(&format!("game.variant === 'congress' && {IDLE}"));
    for game in [
        "[Variant \"gothic\"]\n[FEN \"5k4/10/10/p9/10/10/10/R4K3R w KQ - 0 1\"]\n\n1. O-O Kf7 *",
        "[Variant \"congress\"]\n\n1. Hc3 Hc4 *",
        "[Variant \"pressman\"]\n\n*",
    ] {
        open(&page, game);
        page.until(IDLE);
        if page.value("last()") == "0" {
            continue;
        }
        let before = page.value("here().fen");
        page.value("document.querySelector('#copy-line').click(), openPgn('[Variant \"crosseyed\"]\\n\\n*')");
        page.until("game.variant === 'crosseyed'");
        page.value("openPgn(copied)");
        page.until(&format!("here().fen === '{before}'"));
    }
    // Two people agree, or one of them resigns by name; then there is another game.
    page.begin("variant=gothic you=wb time=60000+1000");
    page.until(IDLE);
    play(&page, "e2e4", false);
    page.until(&format!("last() === 1 && {IDLE}"));
    page.click("#resign");
    page.until("part('asked').textContent === 'Does Black resign?'");
    page.click("#no");
    page.click("#draw");
    page.until("part('asked').textContent === 'Do both agree to a draw?'");
    page.click("#yes");
    page.until("outcome()?.reason === 'agreement' && pgn().includes('1/2-1/2')");
    // The curve has its room before it has points: nothing moves above it.
    assert_eq!(page.value("part('curve').checkVisibility()"), "true");
    page.value("records.save(state.record)");
    page.click("#rematch");
    page.until(&format!("state.runs && state.humans === 'wb' && last() === 0 && {IDLE}"));
    // A clock counts what passes, and stands while the rules are open.
    play(&page, "e2e4", false);
    page.until("clock.side === 'b'");
    page.value("window.real = Date.now, Date.now = () => real() + 3.6e6");
    std::thread::sleep(std::time::Duration::from_millis(300));
    page.value("Date.now = () => real() - 3.6e6");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(
        page.value("!outcome() && /^0:5\\d$/.test(part('above').lastElementChild.textContent)"),
        "true"
    );
    page.click("#show-rules");
    page.until("clock.side === null");
    page.click("#rules .close");
    page.until("clock.side === 'b'");
    assert_eq!(page.value("faults.join()"), "");
}

/// A move that was made while the server does not answer is played when it does.
fn a_move_waits_for_the_connection(desk: Desk) {
    let page = desk.game("gothic", "you=wb time=100");
    play(&page, "e2e4", false);
    page.until(&format!("last() === 1 && {IDLE}"));
    let signal = |name: &str| {
        let mut kill = std::process::Command::new("kill");
        let kill = kill.args([name, &desk.server.program.id().to_string()]).status();
        assert!(kill.unwrap().success());
    };
    signal("-STOP");
    play(&page, "e7e5", true);
    page.until("!part('notice').hidden && premove?.text === 'e7e5'");
    assert_eq!(page.value("marks().filter(([, kind]) => kind === 'premove').length"), "2");
    signal("-CONT");
    page.until(&format!("last() === 2 && here().san === 'e5' && {IDLE}"));
    assert_eq!(page.value("premove"), "null");
}

/// Results against levels say how strong the person is in a game, and which level comes next.
fn the_opponent_follows_the_person(desk: Desk) {
    let page = desk.game("congress", "you=w level=6 time=60000+0");
    page.value("(window.six = strength.eloOf('congress', 6), strength.of('congress'))");
    let resign = || {
        page.click("#resign");
        page.click("#yes");
        page.until(
            "part('won').checkVisibility() && part('won').textContent === 'You lost' && /\\d+$/.test(part('rating').textContent)",
        );
    };
    resign();
    let first: i32 = page.value("strength.of('congress')").parse().unwrap();
    assert!(first < page.value("six").parse::<f64>().unwrap() as i32);
    let level = page.value("strength.levelFor('congress')");
    assert!(
        page.value("part('next-level').textContent").starts_with(&format!("Level {level}, about "))
    );
    page.click("#next-level");
    page.until(&format!(
        "state.runs && state.humans === 'w' && game.tip && state.game.players.b === {level}"
    ));
    page.until(IDLE);
    resign();
    let second: i32 = page.value("strength.of('congress')").parse().unwrap();
    assert!(second < first, "{second}, {first}");
    page.reload();
    assert_eq!(page.value("strength.of('congress')"), second.to_string());
    // Who takes back and wins has won.
    page.click("#takeback");
    page.until("state.runs");
    page.value("control.act(() => state.end({ winner: 'w', reason: 'time forfeit' }, 0))");
    page.until("part('won').textContent === 'You won' && part('ended').textContent.startsWith('Out of time on move ')");
    let third: i32 = page.value("strength.of('congress')").parse().unwrap();
    assert!(third > second, "{third}, {second}");
    // The next game is offered at this level, another kind of game at the level that was chosen last.
    page.click("#new");
    page.until("part('begin').open");
    let offered = "Number(part('choices').level.value)";
    assert_eq!(page.value(offered), page.value("strength.levelFor('congress')"));
    page.value("(part('choices').variant.value = 'gothic', document.querySelector('#choices [value=gothic]').dispatchEvent(new Event('input', { bubbles: true })))");
    assert_eq!(page.value(offered), "6");
    page.value("part('begin').close()");
    // What another page kept there is no result.
    page.value("(records.save(state.record), true)");
    page.begin("variant=congress");
    page.until(IDLE);
    for kept in ["[1]", "{\"congress\": [[1, 2]]}", "no JSON", "null"] {
        page.value(&format!(
            "(localStorage.setItem('strength', '{kept}'), control.goTo(state.root), true)"
        ));
        assert_eq!(page.value("strength.of('congress')"), "null", "{kept}");
    }
    assert_eq!(page.value("faults.join()"), "");
}
