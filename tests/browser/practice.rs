//! What the engine says to who plays against it: hints, and marks at once.

use super::driver::{Desk, in_every_browser};
use super::person::{IDLE, play};

in_every_browser!(a_hint_names_the_piece_and_then_the_move,);

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
