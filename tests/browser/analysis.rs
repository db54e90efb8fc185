//! What a person sees of the engine's findings.

use super::Server;
use super::chromium::{Chromium, Page};
use super::person::IDLE;
use crate::common::play_random;
use crate::common::program::{Run, quadrille, scratch};
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::system::random::Random;

/// The moves of a PGN with what was said about them.
fn movetext(pgn: &str) -> String {
    let (_, moves) = pgn.split_once("\n\n").unwrap();
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Analyses the game of a page, and compares with `annotate`.
pub(super) fn assert_analysed(page: &Page<'_>, name: &str) {
    let folder = scratch(&format!("browser/annotated-{name}"));
    let mut session = find_variant(VARIANTS, name).unwrap().open();
    let mut random = Random::new(9, 0);
    let moves: Vec<_> = (0..10)
        .flat_map(|_| play_random(&mut *session, &mut random))
        .collect();
    let pgn = format!("[Variant \"{name}\"]\n\n{} *\n\n", moves.join(" "));
    std::fs::write(folder.join("game.pgn"), &pgn).unwrap();
    let mut annotate = quadrille(["annotate", "game.pgn"]);
    let annotated = annotate.current_dir(&folder).run().succeeded().stdout;
    let quoted = quadrille::records::json::string(&pgn);
    assert_eq!(page.value(&format!("openPgn({quoted}, 0)")), "null");
    page.until(&format!("last() === 10 && {IDLE}"));
    let before = page.value("pgn()");
    page.click("#analyse-game");
    // Stepping through the game disturbs nothing.
    page.until("isJudging && !part('progress').hidden");
    page.value("go(3), go(4)");
    page.until("!isJudging && game.undo.length === 1");
    assert_eq!(
        movetext(&page.value("pgn()")),
        movetext(&annotated),
        "{name}"
    );
    let marked = page.value("document.querySelectorAll('#curve .slip, #curve .fault').length");
    assert_ne!(marked, "0");
    // Again, it is the same; and it can be undone.
    page.click("#analyse-game");
    page.until("!isJudging && game.undo.length === 2");
    assert_eq!(
        movetext(&page.value("pgn()")),
        movetext(&annotated),
        "{name}"
    );
    page.value("undo(), queue.then(undo), queue");
    page.until("game.undo.length === 0");
    assert_eq!(movetext(&page.value("pgn()")), movetext(&before), "{name}");
}

#[test]
#[ignore = "needs chromium"]
fn a_whole_game_is_analysed_as_annotate_does() {
    let server = Server::new();
    let browser = Chromium::start("whole");
    let page = browser.open(&server.address("gothic"));
    for variant in VARIANTS {
        assert_analysed(&page, variant.info.name);
    }
}

/// A click on a move of a line plays the line up to it as a variation.
#[test]
#[ignore = "needs chromium"]
fn lines_of_the_engine_are_stepped_into() {
    let server = Server::new();
    let browser = Chromium::start("lines");
    let page = browser.open(&server.address("gothic"));
    assert_eq!(
        page.value("openPgn('[Variant \"gothic\"]\\n\\n1. a3 a6 2. a4 *', 0)"),
        "null"
    );
    page.until(&format!("last() === 3 && {IDLE}"));
    page.value("go(1)");
    page.click("#analyse");
    page.until("document.querySelectorAll('#best li').length === 3 && document.querySelector('#best li a:nth-of-type(3)')");
    assert!(
        page.value("part('depth').textContent")
            .contains("nodes a second")
    );
    let chances = "document.querySelector('#best li .number').textContent.split(' ').map(Number).reduce((a, b) => a + b)";
    let sum: i32 = page.value(chances).parse().unwrap();
    assert!((99..=101).contains(&sum), "{sum}");
    page.click("#best li a:nth-of-type(3)");
    page.until("at === 4 && found.ply === here()");
    assert_eq!(
        page.value("game.plies[1].next[0].san + nodesOf(game.root).length"),
        "a67"
    );
    // Threads and table are the person's choice, as far as the engine allows.
    page.choose("hash", "64");
    page.until("given.Hash === 64 && found.ply === here()");
    assert_eq!(
        page.value("[...part('threads').options].at(-1).value <= navigator.hardwareConcurrency"),
        "true"
    );
    page.click("#analyse");
    // A solved ending says how far it is.
    assert_eq!(
        page.value("openFen('7r2/10/10/10/10/1k8/10/K9 b - - 0 1')"),
        "null"
    );
    page.until("part('solved').textContent === 'Solved: Black wins in 1 move.'");
}
