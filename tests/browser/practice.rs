//! What the engine says to who plays against it: hints, and marks at once.

use super::driver::{Desk, Page, in_every_browser};
use super::person::{IDLE, play};

in_every_browser!(
    a_hint_names_the_piece_and_then_the_move,
    the_engine_waits_after_a_slip,
    practice_needs_no_mouse_and_fits_a_phone,
    practice_is_off_where_nobody_asked_for_it,
);

fn a_hint_names_the_piece_and_then_the_move(desk: Desk) {
    let page = desk.open("congress");
    for (you, whose) in [("w", "Your"), ("wb", "White's")] {
        page.begin(&format!("variant=congress you={you} level=3"));
        page.value("begin('congress', '1k5k/8/2H5/8/8/K6K w - - 0 1')");
        page.until(&format!("last() === 0 && {IDLE}"));
        let piece = format!("{whose} horse on c4 has the best move");
        for (text, squares, arrows) in
            [(&piece[..], 1, 0), ("Hint: Hxb6#", 0, 1), (&piece[..], 1, 0)]
        {
            page.click("#hint");
            page.until(&format!("part('status').textContent === \"{text}\""));
            let shown = "['hinted', 'arrow'].map((name) => document.querySelectorAll(`#board .${name}`).length).join()";
            page.until(&format!("{shown} === '{squares},{arrows}'"));
            assert_eq!(page.value("part('spoken').textContent"), text);
        }
        // It is a hint for this position alone.
        play(&page, "c4b6", false);
        page.until("outcome() && state.hint === null");
    }
    assert_eq!(page.value("faults.join()"), "");
}

/// Queens that can be given away, in a position of balance.
const QUEENS: &str = "q4k4/p1pppppppp/10/10/10/10/P1PPPPPPPP/Q4K4 w - - 0 1";

/// Begins a game at these queens, with choices as in the dialog.
fn begin_at_queens(page: &Page<'_>, choices: &str) {
    page.begin(choices);
    page.value(&format!("begin('gothic', '{QUEENS}')"));
    page.until(&format!("last() === 0 && {IDLE}"));
}

/// The engine waits with its answer to Qf6, and the page says why.
fn assert_waits(page: &Page<'_>) {
    page.until("!isThinking && isKnown && state.slip && !part('practice').hidden");
    page.until("document.querySelector('#moves .here').textContent === 'Qf6??'");
    let shown = page.value(
        "[last(), part('slip').textContent.slice(0, 4), part('refutation').textContent.slice(0, 16), \
         part('above').textContent.includes('level 1 · waits for you'), part('hint').disabled, \
         ...[...document.querySelectorAll('#board .badge, #slip-sign')].map((each) => each.textContent.trim()), \
         document.querySelectorAll('#board .threat').length].join()",
    );
    assert_eq!(shown, "1,Qf6 ,Black can answer,true,true,??,??,1");
}

fn the_engine_waits_after_a_slip(desk: Desk) {
    let page = desk.open("gothic");
    begin_at_queens(&page, "you=w level=1 time=100 marks=on");
    let before = page.value("pgn()");
    play(&page, "a1f6", false);
    assert_waits(&page);
    page.until("/^Qf6 .*[.] Black can answer/.test(part('spoken').textContent)");
    // What is looked at meanwhile, and a reload, change nothing.
    page.press(&["Home", "l"]);
    page.until(
        "found?.ply === here() && found.lines[0] && !document.querySelector('#board .threat')",
    );
    page.press(&["l", "End"]);
    page.reload();
    assert_waits(&page);
    page.click("#try-again");
    page.until(&format!("last() === 0 && part('practice').hidden && {IDLE}"));
    assert_eq!([page.value("pgn()"), page.value("here().fen")], [before, QUEENS.into()]);
    // A good move is answered at once.
    page.value("(window.waited = 0, control.on('draw', () => { waited += Number(!part('practice').hidden); }), true)");
    play(&page, "a1d4", true);
    page.until(&format!("last() === 2 && {IDLE}"));
    assert_eq!(page.value("[waited, state.tip.before.marks].join()"), "0,");
    // The mark of who plays on stays in the record. Without marks the engine does not wait, also where it did.
    for (button, marks) in [("#play-on", "true"), ("#marking", "false")] {
        page.click("#takeback");
        page.until(&format!("last() === 0 && {IDLE}"));
        play(&page, "a1f6", true);
        assert_waits(&page);
        page.click(button);
        page.until(&format!("last() === 2 && part('practice').hidden && {IDLE}"));
        page.reload();
        assert!(page.value("pgn()").contains("1. Qf6??"));
        assert_eq!(page.value("part('marking').ariaPressed"), marks);
    }
    assert_eq!(page.value("[...check(state), ...faults].join('; ')"), "");
}

fn practice_needs_no_mouse_and_fits_a_phone(desk: Desk) {
    let page = desk.open("gothic");
    page.resize(390, 844);
    begin_at_queens(&page, "you=w level=1 time=100 marks=on");
    for (button, plies) in [("try-again", 0), ("play-on", 2)] {
        play(&page, "a1f6", false);
        assert_waits(&page);
        let outside = "[...document.querySelectorAll('#practice > *')].some((each) => { \
            const { left, right, bottom } = each.getBoundingClientRect(); \
            return left < 0 || right > innerWidth || bottom > innerHeight; })";
        assert_eq!(page.value(outside), "false");
        page.value("(part('board').focus(), true)");
        while page.value("document.activeElement.id") != button {
            page.press(&["Tab"]);
        }
        page.press(&["Enter"]);
        page.until(&format!("last() === {plies} && {IDLE}"));
        assert_eq!(page.value("document.activeElement.id"), "board");
    }
}

fn practice_is_off_where_nobody_asked_for_it(desk: Desk) {
    let page = desk.open("gothic");
    begin_at_queens(&page, "you=w level=1 time=100");
    play(&page, "a1f6", false);
    page.until(&format!("last() === 2 && {IDLE}"));
    assert_eq!(page.value("[part('practice').hidden, state.tip.before.marks].join()"), "true,");
    for (choices, can) in
        [("you=w time=60000+1000", false), ("you=wb time=100", false), ("you=w time=100", true)]
    {
        begin_at_queens(&page, &format!("{choices} marks=on"));
        let asked = "(begins.ask(), !document.querySelector('[data-name=marks]').disabled)";
        let shown = [asked, "part('begin').close()", "!part('marking').hidden"];
        let [can_ask, _, can_mark] = shown.map(|expression| page.value(expression));
        assert_eq!([can_ask, can_mark], [can.to_string(), can.to_string()], "{choices}");
    }
}
