//! The page of `annotate --html`: games to step through, without a server and, but for one, without an engine.

use super::driver::{Desk, Page, in_every_browser};
use super::person::assert_shows;
use crate::common::play_random;
use crate::common::program::{Run, quadrille, scratch};
use quadrille::engine::{VARIANTS, Variant, find_variant};
use quadrille::system::random::Random;
use std::path::{Path, PathBuf};

in_every_browser!(
    every_step_shows_the_position_of_the_engine,
    better_lines_are_walked_by_keys,
    without_an_engine_nothing_is_played,
);

/// Limit for the plies of a game on the page.
const PLIES: usize = 6;

/// Start of one more game: a rank with a piece behind eleven empty squares.
const WIDE: &str = "****4****/****4****/****4****/***6***/12/12/p11/11K/***6***/****4****/****2k1****/\
                    ****K3**** b - - 0 1";

/// A game of three slips, with what people say of games.
const SLIPS: &str = "[Event \"Open\"]\n[Site \"Ulm\"]\n[White \"Ann\"]\n[Variant \"gothic\"]\n\n\
                     1. e4 e5 (1... d5 {[%csl Gd5] so} 2. exd5) 2. Qh5 Nc6 3. Qxe5 a6 4. Qxc7 (4. Zz9) *\n";

/// Starts of the games on the page: one of each kind, and another.
fn games() -> Vec<(Variant, Option<&'static str>)> {
    let crosseyed = find_variant(VARIANTS, "crosseyed").unwrap();
    let starts = VARIANTS.iter().map(|&variant| (variant, None));
    starts.chain([(crosseyed, Some(WIDE))]).collect()
}

/// Random moves of a game.
fn random_moves(variant: Variant, fen: Option<&str>) -> Vec<String> {
    let mut random = Random::new(7, 0);
    let mut session = variant.open();
    session.set_position(fen, &[]).unwrap();
    let mut moves = Vec::new();
    while session.outcome().is_none() && moves.len() < PLIES {
        moves.extend(play_random(&mut *session, &mut random));
    }
    moves
}

/// Annotates games in a folder, and returns the page.
fn annotated(folder: &Path, pgn: &str, options: &str) -> PathBuf {
    std::fs::write(folder.join("games.pgn"), pgn).unwrap();
    let words = format!("annotate --html games.html games.pgn {options}");
    let ended = quadrille(words.split(' ')).current_dir(folder).run().succeeded();
    assert_eq!(ended.stdout, "", "the page alone is written");
    folder.join("games.html")
}

/// A game of each kind, whose names and comments are no HTML.
fn random_games() -> String {
    let text = |(variant, fen): (Variant, Option<&str>)| {
        let moves = random_moves(variant, fen).join(" ");
        let fen = fen.map_or(String::new(), |fen| format!("[FEN \"{fen}\"]\n"));
        let name = variant.info.name;
        format!("[White \"<b>&amp;\"]\n[Variant \"{name}\"]\n{fen}\n{moves} {{</script>}}\n\n")
    };
    games().into_iter().map(text).collect()
}

/// Opens a page at a move, and waits until it is shown.
fn open<'d>(desk: &'d Desk, file: &Path, address: &str, at: usize) -> Page<'d> {
    let page = desk.browser.visit(&format!("file://{}#{address}", file.display()));
    page.until(&format!("state.mode === 'look' && at === {at} && last() > 0"));
    page
}

fn every_step_shows_the_position_of_the_engine(desk: Desk) {
    let folder = scratch(&format!("browser/annotated-{:?}", desk.engine));
    let file = annotated(&folder, &random_games(), "--nodes 200");
    let page = open(&desk, &file, "2.3", 3);
    assert_eq!(
        page.value("document.querySelector('#above b bdi, #below b bdi').textContent"),
        "Black"
    );
    assert_eq!(page.value("part('below').querySelector('bdi').textContent"), "<b>&amp;");
    for (number, (variant, fen)) in (1..).zip(games()) {
        let moves = random_moves(variant, fen);
        let last = moves.len();
        let mut session = variant.open();
        page.value(&format!("location.hash = '#{number}.0'"));
        page.until(&format!("games.place?.at === {} && at === 0 && last() === {last}", number - 1));
        session.set_position(fen, &[]).unwrap();
        assert_shows(&page, &*session);
        for (ply, mv) in (1..).zip(&moves) {
            match number {
                1 => page.press(&["ArrowRight"]),
                2 => page.click("#on"),
                3 => page.click_point(&format!(
                    "(() => {{ const {{ x, y, width, height }} = part('curve').getBoundingClientRect(); \
                     return `${{x + (width - 2) * {ply} / {last}}} ${{y + height / 2}}`; }})()"
                )),
                4 => page.click(&format!("#moves > a[href=\"#4.{ply}\"]")),
                _ => page.press(&["j"]),
            }
            page.until(&format!("at === {ply}"));
            session.play(mv).unwrap();
            assert_shows(&page, &*session);
        }
        page.until(&format!("location.hash === '#{number}.{last}'"));
        // There is nothing after the end. Then the other way round.
        page.press(&["ArrowRight", "f", "ArrowLeft"]);
        page.until(&format!("at === {}", last - 1));
        let played: Vec<_> = moves[..last - 1].iter().map(String::as_str).collect();
        session.set_position(fen, &played).unwrap();
        assert_shows(&page, &*session);
        page.press(&["f"]);
    }
    assert_eq!(page.value("faults.join()"), "");
}

fn better_lines_are_walked_by_keys(desk: Desk) {
    let folder = scratch(&format!("browser/better-{:?}", desk.engine));
    let file = annotated(&folder, SLIPS, "--nodes 2000");
    let page = open(&desk, &file, "", 0);
    assert_eq!(page.value("part('about').textContent"), "Open, Ulm");
    // The curve begins before the first move.
    assert_eq!(
        page.value("part('curve').checkVisibility() && typeof state.root.known.white"),
        "number"
    );
    for (mark, key) in [("?!", "i"), ("?", "m"), ("??", "b")] {
        page.press(&["Home", key]);
        let has = page.value(&format!(
            "lineThrough(state.root).some((node) => judgementOf(node) === '{mark}')"
        ));
        page.until(&format!("({has}) === (judgementOf(here()) === '{mark}')"));
    }
    page.value(
        "(window.slip = lineThrough(state.root).find(shade), control.goTo(slip.before), true)",
    );
    page.until("here() === slip.before && document.querySelector('#board .arrow')");
    page.press(&["ArrowDown", "ArrowRight", "ArrowRight"]);
    page.until("here().before === slip.before.next[1] && location.hash === `#${nodesOf(state.root).indexOf(here())}`");
    page.press(&["?"]);
    page.until("part('help').open");
    page.press(&["Escape"]);
    page.value("dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', shiftKey: true, cancelable: true }))");
    page.until("here() === slip.before");
    assert!(page.value("part('summary').lastElementChild.textContent").starts_with("White: "));
    // A variation that was there, and what is no move in it.
    page.click("#moves a[href=\"#1\"]");
    page.press(&["ArrowDown", "ArrowRight"]);
    page.until("here().san === 'd5' && remarkOf(here().comment) === 'so'");
    assert_eq!(page.value("document.querySelector('#moves span.unplayed, #moves .variation > span:not(.number)').textContent"), "Zz9");
    assert_eq!(page.value("faults.join()"), "");
}

/// What needs the engine is not there; what is said of a game can be changed and saved.
fn without_an_engine_nothing_is_played(desk: Desk) {
    let folder = scratch(&format!("browser/alone-{:?}", desk.engine));
    let file = annotated(&folder, SLIPS, "--nodes 200");
    let page = open(&desk, &file, "4", 4);
    let unseen = "[...document.querySelectorAll('.of-engine')].filter((each) => each.checkVisibility()).length";
    assert_eq!(page.value(unseen), "0");
    page.click_square("a2");
    page.click_square("a4");
    page.press(&["l", " ", "x", "t"]);
    assert_eq!(
        page.value(
            "[state.lifted, state.analyses, at, document.querySelector('dialog[open]')].join()"
        ),
        ",false,4,"
    );
    page.value("(state.annotate(here(), { comment: 'mine' }), control.act(), true)");
    page.until(
        "document.querySelector('#moves').textContent.includes('mine') && pgn().includes('{mine}')",
    );
    assert!(
        page.value("openPgn('1. d4 d5').then(({ message }) => message)")
            .contains("this page has no engine")
    );
    assert_eq!(page.value("[at, pgn().includes('{mine}'), faults.join()].join()"), "4,true,");
}

/// Text of a PGN stays text on the page, and the page loads nothing.
#[test]
fn the_page_is_whole_and_safe() {
    let file = annotated(&scratch("browser/annotated-safe"), &random_games(), "--nodes 200");
    let page = std::fs::read_to_string(file).unwrap();
    assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (3, 3));
    assert!(!page.contains("<b>&amp;"));
    assert!(page.contains(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src blob:"
    ));
    for word in ["src=", "url(", "@import", "import(", "<link", "@DATA@", "@HEAD@", "@NONCE@"] {
        assert!(!page.contains(word), "{word}");
    }
}
