//! What the page shows beside the game: the board on every screen, rules, set-up, sharing, and what a
//! person hears of errors.

use super::Server;
use super::driver::{Desk, Engine, Page, in_chromium, in_every_browser};
use super::person::IDLE;
use crate::common::program::{Run, quadrille, scratch};
use quadrille::engine::{VARIANTS, find_variant};

in_every_browser!(
    the_board_takes_every_window,
    the_moves_and_the_buttons_are_in_sight,
    a_move_is_seen_and_heard,
    nobody_needs_to_know_the_rules,
    a_position_is_set_up_with_its_rights,
    a_position_is_shared,
    the_board_has_room_in_every_window_and_at_every_zoom,
    nothing_moves_on_a_phone_while_one_plays,
    a_translated_page_keeps_notation_and_choices,
);
in_chromium!(
    inherited_names_are_no_games,
    one_page_too_many_says_so,
    sounds_do_not_wait_for_a_click,
    choices_are_seen_in_forced_colours,
    a_game_is_printed_whole,
);

/// Screens of desks, laptops, tablets and phones.
const SCREENS: [(u32, u32); 5] = [(1920, 1080), (1280, 800), (768, 1024), (375, 667), (667, 375)];

/// Asserts that nothing is wider than the window, of the page and of a dialog that is open.
#[track_caller]
pub(super) fn assert_fits(page: &Page<'_>, what: &str) {
    // A name is cut off by what it stands in, a line of a picture by the picture.
    let wider = "[...document.querySelectorAll('body *')].filter((each) => \
        !each.closest('#board, .examples, .unseen, bdi') && !each.matches('svg *') && each.getBoundingClientRect().right > innerWidth + 1) \
        .map((each) => each.id || each.tagName).join()";
    assert_eq!(page.value(wider), "", "{what}");
    assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth"), "true", "{what}");
}

fn the_board_takes_every_window(desk: Desk) {
    let page = desk.open("gothic");
    page.begin("you=wb");
    for variant in VARIANTS {
        let name = variant.info.name;
        // Elsewhere one board that is wide and one that is square.
        if desk.engine != Engine::Chromium && !["gothic", "crosseyed"].contains(&name) {
            continue;
        }
        page.value(&format!("begin('{name}', null)"));
        page.until(&format!("game.variant === '{name}' && {IDLE}"));
        for (width, height) in SCREENS {
            let what = format!("{name}, {width} x {height}");
            page.resize(width, height);
            assert_fits(&page, &what);
            for open in ["exchange", "show-rules", "first-steps", "set-up"] {
                page.value(&format!("part('{open}').click(), queue"));
                assert_fits(&page, &format!("{what}, {open}"));
                page.value(
                    "part('files').close(), part('rules').close(), setUp && part('cancel').click(), state.aside && part('end-lesson').click(), queue",
                );
            }
            // In one direction the picture takes all that names, bar and the other column leave.
            let share = page.value(
                "(() => { const { width, height } = part('board').getBoundingClientRect(); \
                 const across = innerWidth > innerHeight ? Math.min(innerWidth - 304, 0.7 * innerWidth) : innerWidth; \
                 return Math.max(width / across, height / innerHeight); })()",
            );
            assert!(share.parse::<f64>().unwrap() > 0.6, "{what}: {share}");
            assert_eq!(
                page.value("part('play').getBoundingClientRect().bottom <= innerHeight + 1"),
                "true",
                "{what}"
            );
            // The bar is as high as the squares, if there is room for one.
            let differs = "(() => { const { height } = part('bar').getBoundingClientRect(); \
                const { ranks, cell } = gameSet(); const scale = part('board').getScreenCTM().a; \
                return height && Math.abs(height - ranks * cell * scale); })()";
            let differs: f64 = page.value(differs).parse().unwrap();
            assert!(differs < 2.0, "{what}: {differs}");
        }
    }
    let page = annotated_page(&desk, "gothic");
    for (width, height) in SCREENS {
        page.resize(width, height);
        assert_fits(&page, &format!("annotated, {width} x {height}"));
    }
}

/// Windows in CSS pixels, also those of a page that is zoomed: 320 by 256 is 1280 by 1024 at 400 %.
const WIDTHS: [u32; 10] = [320, 390, 480, 568, 656, 768, 853, 1024, 1280, 2560];
const HEIGHTS: [u32; 10] = [256, 320, 390, 480, 533, 583, 667, 800, 1080, 1440];

/// Asserts that in every window the board is longer than half of the window's shorter side, and that
/// nothing lies on it or beyond the window.
#[track_caller]
fn assert_has_room(engine: Engine, page: &Page<'_>, what: &str) {
    let windows = WIDTHS.iter().flat_map(|&width| HEIGHTS.map(|height| (width, height)));
    // All of them in Chromium; a seventh, of each width and height, elsewhere.
    let step = if engine == Engine::Chromium { 1 } else { 7 };
    for (width, height) in windows.step_by(step) {
        let what = format!("{what}, {width} x {height}");
        page.resize(width, height);
        assert_fits(page, &what);
        let share = page.value(
            "(({ width, height }) => Math.max(width, height) / Math.min(innerWidth, innerHeight))( \
             part('board').getBoundingClientRect())",
        );
        assert!(share.parse::<f64>().unwrap() > 0.5, "{what}: {share}");
        let overlaps = page.value(
            "(() => { const all = [...document.querySelectorAll('header, #above, #frame, #below, #play ~ section')] \
               .filter((each) => each.checkVisibility()).map((each) => [each, each.getBoundingClientRect()]); \
             const meet = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && \
               Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1; \
             return all.flatMap((a, at) => all.slice(at + 1).filter((b) => meet(a, b)) \
               .map(([b]) => `${a[0].id} ${b.id}`)).join(); })()",
        );
        assert_eq!(overlaps, "", "{what}");
    }
}

fn the_board_has_room_in_every_window_and_at_every_zoom(desk: Desk) {
    let page = desk.open("gothic");
    for name in ["gothic", "crosseyed"] {
        page.value(&format!("begin('{name}', null)"));
        page.until(&format!("game.variant === '{name}' && {IDLE}"));
        assert_has_room(desk.engine, &page, name);
        let annotated = annotated_page(&desk, name);
        assert_has_room(desk.engine, &annotated, &format!("annotated, {name}"));
    }
}

/// The page of `annotate` with a game of one move, and a select of games that have long names.
fn annotated_page<'d>(desk: &'d Desk, name: &str) -> Page<'d> {
    let folder = scratch(&format!("browser/screens-annotated-{name}-{:?}", desk.engine));
    let moves = find_variant(VARIANTS, name).unwrap().open().moves();
    let game =
        |white: &str| format!("[White \"{white}\"]\n[Variant \"{name}\"]\n\n1. {} *\n\n", moves[0]);
    let games = game(&"A long name ".repeat(8)) + &game("B");
    std::fs::write(folder.join("games.pgn"), games).unwrap();
    let mut annotate = quadrille("annotate --nodes 200 --html games.html games.pgn".split(' '));
    annotate.current_dir(&folder).run().succeeded();
    let file = folder.join("games.html");
    let page = desk.browser.visit(&format!("file://{}", file.display()));
    page.until("document.querySelectorAll('#moves a').length > 0");
    page
}

/// A phone needs no scrolling to play, and beside three lines of analysis the list of moves keeps its place.
fn the_moves_and_the_buttons_are_in_sight(desk: Desk) {
    let page = desk.open("gothic");
    let below = "[...document.querySelectorAll('#steps button, #actions button')].filter((each) => \
        each.checkVisibility() && each.getBoundingClientRect().bottom > innerHeight).map(({ id }) => id).join()";
    page.resize(390, 844);
    for variant in VARIANTS {
        let name = variant.info.name;
        page.value(&format!("begin('{name}', null)"));
        page.until(&format!("game.variant === '{name}' && !part('hint').disabled"));
        let overhang = page.value("document.documentElement.scrollHeight - innerHeight");
        assert_eq!((overhang.as_str(), page.value(below).as_str()), ("0", ""), "{name}");
    }
    page.resize(1280, 800);
    let games = std::fs::read_to_string("src/games/games.pgn").unwrap();
    let (game, _) = games.split_once("\n\n[").unwrap();
    let quoted = quadrille::records::json::string(game);
    assert_eq!(page.value(&format!("openPgn({quoted})")), "null");
    page.press(&["l"]);
    page.until("document.querySelectorAll('#best li').length === 3");
    for key in ["ArrowLeft", "Home", "End"] {
        page.press(&[key]);
        page.until("found?.ply === here() && document.querySelectorAll('#best li').length === 3");
        page.until(
            "(([list, move]) => list.height >= 260 && list.top <= move.top && move.bottom <= list.bottom)( \
             ['#moves', '#moves .here'].map((name) => document.querySelector(name)?.getBoundingClientRect() ?? \
             document.querySelector('#moves a').getBoundingClientRect()))",
        );
    }
    assert_eq!(page.value(below), "");
}

/// The moves of the list stand in two columns, captured pieces beside the names, and pieces slide for those
/// who do not mind.
fn a_move_is_seen_and_heard(desk: Desk) {
    let page = desk.game("gothic", "you=wb");
    page.value(
        "(() => { window.heard = []; const Real = AudioContext; \
         window.AudioContext = class extends Real { createOscillator() { heard.push(1); return super.createOscillator(); } }; })()",
    );
    let step = |mv: &str| {
        page.value(&format!("play('{mv}')"));
        page.until(&format!("here().move === '{mv}' && {IDLE}"));
    };
    page.prefer("reduced-motion", "no-preference");
    for mv in ["e2e4", "d7d5", "e4d5"] {
        step(mv);
    }
    assert_eq!(page.value("slide.ways.join()"), "e4,d5");
    page.value("go(2), go(3)");
    assert_eq!(page.value("part('board').getAnimations({ subtree: true }).length"), "1");
    page.prefer("reduced-motion", "reduce");
    step("d8d5");
    assert_eq!(page.value("slide"), "null");
    let captured = "['above', 'below'].map((name) => part(name).querySelectorAll('.captured svg').length).join()";
    assert_eq!(page.value(captured), "1,1");
    let left = "[...document.querySelectorAll('#moves a')].map((move) => move.offsetLeft)";
    assert_eq!(
        page.value(&format!("(([a, b, c, d]) => a === c && b === d && a < b)({left})")),
        "true"
    );
    assert_eq!(page.value("heard.length"), "0");
    // On a machine without a loudspeaker Firefox's sound never begins.
    if desk.engine != Engine::Firefox {
        page.click("#show-settings");
        page.click("#sound");
        page.until("heard.length === 1");
        page.value("part('settings').close()");
        step("b1c3");
        assert_eq!(page.value("heard.length"), "2");
        page.value("begin('congress', '1k6/8/2H5/8/8/K6K w - - 0 1')");
        page.until(&format!("game.variant === 'congress' && {IDLE}"));
        let mv = "c4b6";
        page.value(&format!("play('{mv}')"));
        page.until("outcome() && heard.length === 5");
    }
}

/// The rules are those that `quadrille rules` prints; what is typed is answered in a person's words.
fn nobody_needs_to_know_the_rules(desk: Desk) {
    let page = desk.open("gothic");
    page.begin("you=wb");
    for (name, typed, refusal) in [
        ("gothic", "Ke5", "Ke5 is not legal; no move goes there."),
        ("gothic", "e4 e5", "E4 e5 is not legal; no piece stands on e4."),
        ("congress", "N", "`N` is not a move."),
        ("pressman", "a2a3", "A2a3 is not legal; the piece on a2 is White's."),
        ("crosseyed", "e3e5", "E3e5 is not legal; moves from e3: e3e4."),
    ] {
        page.value(&format!("begin('{name}', null)"));
        page.until(&format!("game.variant === '{name}' && last() === 0 && {IDLE}"));
        let mut session = find_variant(VARIANTS, name).unwrap().open();
        let placeholder = page.value("part('move').placeholder");
        for text in placeholder.split(", ") {
            assert!(session.read_san(text).is_ok(), "{name}: {placeholder}");
        }
        page.value(&format!("part('move').value = '{typed}', part('typed').requestSubmit()"));
        page.until(&format!("part('status').textContent === \"{refusal}\""));
        let mv = session.moves().remove(0);
        session.play(&mv).unwrap();
        page.value(&format!(
            "part('move').value = ' {} ', part('typed').requestSubmit()",
            mv.to_uppercase()
        ));
        page.until(&format!("here().fen === '{}'", session.fen()));
        page.until("part('move').value === ''");
        page.click("#show-rules");
        let printed = quadrille(["rules", name]).run().succeeded().stdout;
        let words = |text: &str| {
            text.split_whitespace()
                .filter(|word| !word.contains("--") && !word.contains("=="))
                .map(|word| word.trim_start_matches("- ").to_string())
                .collect::<Vec<_>>()
        };
        let shown = page.value("[...document.querySelectorAll('#details :is(h2, h3, code, p:not(.samples))')].map((each) => each.textContent).join('\\n')");
        let without_bullets: Vec<_> =
            words(&printed).into_iter().filter(|word| word != "-").collect();
        let shown: Vec<_> = words(&shown).into_iter().filter(|word| word != "-").collect();
        assert_eq!(shown, without_bullets, "{name}");
        let pieces = find_variant(VARIANTS, name).unwrap().info.examples.len();
        assert_eq!(page.value("[...document.querySelectorAll('#details figure')].filter((each) => each.querySelector('.target')).length"), pieces.to_string());
        // Details that open are in sight.
        page.click("#details summary");
        page.until("part('details').getBoundingClientRect().top < innerHeight / 3");
        // The pieces of the four boards go where they may, and the last board is won.
        let samples = "[...document.querySelectorAll('#samples figure')]";
        page.until(&format!(
            "{samples}.every((each) => each.querySelector('.target')) && {samples}.length === 4"
        ));
        for board in 0..4 {
            let target = format!("{samples}[{board}].querySelector('.target.captures, .target')");
            page.value(&format!("(() => {{ const {{ x, y, width, height }} = {target}.getBoundingClientRect(); \
                const event = {{ clientX: x + width / 2, clientY: y + height / 2, bubbles: true }}; \
                {target}.dispatchEvent(new MouseEvent('click', event)); }})()"));
            page.until(&format!("{samples}[{board}].querySelectorAll('.last').length === 2"));
        }
        page.value(&format!("{samples}[0].querySelector('button').click()"));
        page.until(&format!(
            "!{samples}[0].querySelector('.last') && {samples}[0].querySelector('.target')"
        ));
        page.click("#rules .close");
        // A piece has a name, and the colours are explained only while one is lifted.
        assert_ne!(page.value("document.querySelector('#board [data-man] title').textContent"), "");
        assert_eq!(page.value("part('legend').hidden"), "true");
        let from = session.moves().remove(0);
        page.click_square(&from[..from.rfind(char::is_alphabetic).unwrap()]);
        page.until("lifted && !part('legend').hidden && part('status').hidden");
    }
}

fn a_position_is_set_up_with_its_rights(desk: Desk) {
    let page = desk.game("gothic", "you=wb");
    let fen_is = |fen: &str| page.until(&format!("part('set-up-fen').value === '{fen}'"));
    page.click("#set-up");
    fen_is("rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1");
    page.drag("e2", "e5");
    page.drag_off("j1");
    fen_is("rnbqckabnr/pppppppppp/10/4P5/10/10/PPPP1PPPPP/RNBQCKABN1 w Qkq - 0 1");
    assert_eq!(
        page.value("[...part('rights').querySelectorAll('input')].map((each) => [each.checked, each.disabled]).join(' ')"),
        "false,true true,false true,false true,false"
    );
    page.click("#rights label:nth-child(4) input");
    page.drag("d7", "d5");
    page.until("part('passant').options.length === 2");
    page.choose("passant", "d6");
    fen_is("rnbqckabnr/ppp1pppppp/10/3pP5/10/10/PPPP1PPPPP/RNBQCKABN1 w Qk d6 0 1");
    // What is wrong is said, and nothing else happens.
    page.drag_off("f8");
    page.until("part('done').disabled && part('set-up-fault').textContent === '0 black kings, but there must be one.'");
    page.click("#pieces [data-letter=\"k\"]");
    page.click_square("f8");
    fen_is("rnbqckabnr/ppp1pppppp/10/3pP5/10/10/PPPP1PPPPP/RNBQCKABN1 w Qk d6 0 1");
    page.click("#done");
    page.click("#begin-game");
    page.until(&format!("!setUp && {IDLE}"));
    assert_eq!(
        page.value("readEffects(here().known.effects).some(({ move }) => move === 'e5d6')"),
        "true"
    );
    assert!(page.value("here().fen").contains(" w Qk d6 "));
    // A FEN goes in; one that is none is refused in a sentence.
    for (name, fen) in [
        (
            "crosseyed",
            "****k3****/****4****/****4****/***6***/12/12/5R6/12/***6***/****4****/****4****/****3K**** b - - 0 1",
        ),
        ("congress", "k6k/8/8/1p1p4/2H5/K6K w - - 0 1"),
        ("pressman", "8/8/2q5/8/2Q5/8/8/8 w - - 0 1"),
    ] {
        page.value(&format!("begin('{name}', null)"));
        page.until(&format!("game.variant === '{name}' && {IDLE}"));
        page.click("#set-up");
        page.value("queue");
        page.value("part('set-up-fen').value = 'x/y', part('set-up-fen').onchange()");
        page.until("part('set-up-fault').textContent.startsWith('This FEN')");
        page.value(&format!("part('set-up-fen').value = '{fen}', part('set-up-fen').onchange()"));
        fen_is(fen);
        page.value("queue");
        page.until("part('set-up-fault').textContent === '' && !part('done').disabled && part('castling').hidden && part('passant').parentElement.hidden");
        page.click("#empty");
        page.until("part('set-up-fault').textContent !== ''");
        page.click("#cancel");
        page.until(&format!("!setUp && {IDLE}"));
    }
    // What is pressed behind the end and before the page is drawn anew has no effect.
    page.click("#set-up");
    page.click("#start");
    page.value("queue");
    page.value(
        "(() => { const { enter } = state; state.enter = (mode) => { \
          delete state.enter; enter.call(state, mode); \
          setTimeout(() => { for (const each of ['eraser', 'empty', 'look-at']) \
            (part(each) ?? part('pieces').firstChild).click(); }); }; \
          part('look-at').click(); })()",
    );
    page.until(&format!("!setUp && {IDLE}"));
    assert_eq!(page.value("faults.join() + state.mode"), "look");
}

/// An address leads to the position, and a picture shows it.
fn a_position_is_shared(desk: Desk) {
    let page = desk.game("crosseyed", "you=wb");
    page.value("play('e3e4')");
    page.until(&format!("last() === 1 && {IDLE}"));
    page.click("#open-files");
    let other = desk.browser.open(&page.value("part('address').value"));
    assert_eq!(other.value("here().fen"), page.value("here().fen"));
    assert_eq!(other.value("game.variant"), "crosseyed");
    page.value("download = (name, blob) => { window.saved = { name, blob }; }");
    page.click("#save-svg");
    page.until("saved.name === 'crosseyed.svg'");
    let parsed = "saved.blob.text().then((text) => { const svg = new DOMParser().parseFromString(text, 'image/svg+xml'); \
        return [svg.querySelectorAll('[data-man]').length, svg.querySelectorAll('.last').length, svg.querySelectorAll('parsererror').length].join(); })";
    assert_eq!(page.value(parsed), "40,2,0");
    page.click("#save-png");
    page.until("saved.name === 'crosseyed.png'");
    // The last move is marked there too: the colour of the empty square e3 is not that of the board.
    let pixel = "createImageBitmap(saved.blob).then((image) => { \
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d'); canvas.drawImage(image, 0, 0); \
        const [x, y] = corner(gameSet(), flipped, ...columnAndRow(gameSet(), 'e3')); \
        return [...canvas.getImageData(2 * x + 8, 2 * y + 60, 1, 1).data].join(); })";
    let [red, green, blue, alpha]: [u32; 4] = page
        .value(pixel)
        .split(',')
        .map(|part| part.parse().unwrap())
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    assert!(alpha == 255 && red > 190 && green > 160 && blue < 90, "{red} {green} {blue}");
}

/// An address and a kept game name games, and nothing that every object has.
fn inherited_names_are_no_games(desk: Desk) {
    for name in ["constructor", "__proto__", "toString"] {
        let page = desk.visit(name);
        page.until("part('begin').open");
        // Beside the first choice there is no game yet: a click there leaves it.
        page.click_point("`2 ${innerHeight / 2}`");
        assert_eq!(page.value("part('begin').open"), "true");
        page.value("part('begin').close()");
        let is_sound = format!("variants.includes(game.variant) && last() === 0 && {IDLE}");
        page.until(&is_sound);
        page.value(&format!("(location.hash = '{name}/x', queue)"));
        page.value(&format!(
            "sessionStorage.setItem('game', JSON.stringify({{ variant: '{name}', pgn: '*' }}))"
        ));
        page.value("(window.isOld = true, location.reload())");
        page.until("!window.isOld && part('begin').open");
        page.value("part('begin').close()");
        page.until(&is_sound);
        page.close();
    }
}

/// The sixth page says why it does nothing, and works when another is closed; a server that was started
/// again says how to go on.
fn one_page_too_many_says_so(desk: Desk) {
    let Desk { server, browser, .. } = desk;
    let open = |variant| browser.open(&server.address(variant));
    let mut pages: Vec<_> = (0..5).map(|_| open("gothic")).collect();
    let sixth = browser.visit(&server.address("congress"));
    sixth.until("part('notice').textContent.includes('5 pages are open; close one.')");
    pages.pop().unwrap().close();
    sixth.until(&format!("part('notice').hidden && game.variant === 'congress' && {IDLE}"));
    pages.into_iter().for_each(Page::close);
    let port = server.host.split_once(':').unwrap().1.to_string();
    drop(server);
    sixth.until("part('notice').textContent.includes('lost')");
    let server = Server::start(&["--port", &port]);
    sixth.until("part('notice').textContent.includes('started again')");
    let _other = browser.open(&server.address("gothic"));
    sixth.until(&format!("part('notice').hidden && {IDLE}"));
}

/// Where the parts of the page stand.
const PLACES: &str = "['above', 'frame', 'below', 'side', 'moves', 'steps', 'actions'].map((name) => { \
    const { top, height } = part(name).getBoundingClientRect(); return `${name} ${top} ${height}`; }).join()";

/// Of each game and of each piece that can move.
fn nothing_moves_on_a_phone_while_one_plays(desk: Desk) {
    let page = desk.open("gothic");
    page.resize(390, 844);
    for variant in VARIANTS {
        let name = variant.info.name;
        page.value(&format!(
            "control.begin('{name}', null, {{ players: {{ w: null, b: null }}, time: '100' }})"
        ));
        page.until(&format!("game.variant === '{name}' && {IDLE}"));
        let places = page.value(PLACES);
        let lifts = page.value(
            "[...new Set(readEffects(here().known.effects).map(({ from }) => from))].join()",
        );
        for from in lifts.split(',') {
            page.click_square(from);
            page.until(&format!("lifted === '{from}' && !part('legend').hidden"));
            assert_eq!(page.value(PLACES), places, "{name}, {from} is lifted");
        }
        let to =
            page.value("readEffects(here().known.effects).find(({ from }) => from === lifted).to");
        page.click_square(&to);
        page.until(&format!("last() === 1 && {IDLE}"));
        assert_eq!(page.value(PLACES), places, "{name}, a move is made");
        // A look back, and a tap on the line that says so.
        page.press(&["Home"]);
        page.until("at === 0 && isKnown && !part('status').matches('.unseen')");
        assert_eq!(page.value(PLACES), places, "{name}, one looks back");
        page.click("#status");
        page.until("at === 1");
    }
}

/// Browsers translate a page by other texts in place of its own.
fn a_translated_page_keeps_notation_and_choices(desk: Desk) {
    let page = desk.game("gothic", "you=wb");
    page.value("play('e2e4')");
    page.until(&format!("last() === 1 && {IDLE}"));
    page.value(
        "(() => { const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); \
         while (texts.nextNode()) if (texts.currentNode.parentElement.translate && !texts.currentNode.parentElement.matches('script')) \
           texts.currentNode.data = texts.currentNode.data.replace(/\\p{L}+/gu, '\u{e4}').replace(/\\d/g, '\u{666}'); })()",
    );
    assert_eq!(page.value("part('moves').innerText.trim().split(/\\s+/).join(' ')"), "1 e4");
    page.choose("colours", "green");
    page.choose("hash", "64");
    page.reload();
    assert_eq!(
        page.value("[document.documentElement.dataset.board, part('colours').value, part('hash').value].join()"),
        "green,green,64"
    );
}

/// A page that nobody has touched yet must not make a noise; nor is all of it heard at the first click.
fn sounds_do_not_wait_for_a_click(desk: Desk) {
    let page = desk.open("gothic");
    page.value(
        "(() => { window.heard = 0; const Real = AudioContext; \
         window.AudioContext = class extends Real { createOscillator() { heard += 1; return super.createOscillator(); } }; \
         part('sound').checked = true; })()",
    );
    for sound in ["move", "capture", "end", "move"] {
        page.value(&format!("(sounds.hear('{sound}'), 0)"));
    }
    assert_eq!(page.value("heard"), "0");
    page.click("#status");
    page.until("heard === 1");
    page.value("(sounds.hear('capture'), 0)");
    page.until("heard === 3");
}

/// What is chosen looks different from what is not, also where a person's system has its own colours.
fn choices_are_seen_in_forced_colours(desk: Desk) {
    let page = desk.game("gothic", "you=wb");
    page.emulate("", "forced-colors", "active");
    page.value("play('e2e4')");
    page.until("at === 1 && isKnown");
    page.value("(window.looks = (each) => { const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(each); \
        return [outlineStyle !== 'none' && outlineWidth, backgroundColor.replace('rgba(255, 255, 255, 0)', 'rgb(255, 255, 255)')].join(); }, 0)");
    // A choice, what makes it, and what undoes it.
    for (selector, on, off) in [
        ("#analyse", "part('analyse').checked = true", "part('analyse').checked = false"),
        (
            "#pictures label",
            "begins.ask(), part('choices').elements.variant.value = 'gothic'",
            "part('choices').elements.variant.value = 'pressman'",
        ),
        (
            ".chips label",
            "part('choices').elements.you.value = 'w'",
            "part('choices').elements.you.value = 'b'",
        ),
        (
            "#marks button",
            "part('begin').close(), part('marks').firstChild.ariaPressed = true",
            "part('marks').firstChild.ariaPressed = false",
        ),
        (
            "#pieces [data-letter]",
            "part('set-up').click(), queue.then(() => part('pieces').querySelector('[data-letter]').click())",
            "part('pieces').querySelectorAll('[data-letter]')[1].click()",
        ),
    ] {
        let look = format!("looks(document.querySelector('{selector}'))");
        page.value(on);
        page.value("queue");
        let chosen = page.value(&look);
        page.value(off);
        page.value("queue");
        assert_ne!(page.value(&look), chosen, "{selector}");
    }
}

/// All moves, and nothing that only a screen can use.
fn a_game_is_printed_whole(desk: Desk) {
    let page = desk.open("gothic");
    let moves = "1. Nc3 {a remark} Nc6 2. Nb1 Nb8 ".repeat(60);
    let quoted = quadrille::records::json::string(&format!("[Variant \"gothic\"]\n\n{moves} *"));
    assert_eq!(page.value(&format!("openPgn({quoted}, 0)")), "null");
    page.until(&format!("last() === 240 && {IDLE}"));
    let annotated = annotated_page(&desk, "gothic");
    for (page, what) in [(&page, "the board"), (&annotated, "annotated")] {
        // A sheet on end, and across.
        for (width, height) in [(718, 1047), (1047, 718)] {
            page.resize(width, height);
            page.emulate("print", "", "");
            assert_eq!(
                page.value("[...document.querySelectorAll('button, input, nav, select')].filter((each) => each.checkVisibility()).map(({ id }) => id).join()"),
                "",
                "{what}"
            );
            // No box is smaller than what is in it, or lies upon what follows.
            let cut = "[...document.querySelectorAll('body, main, section, #play, #moves')].filter((each) => each.checkVisibility() && \
                (each.scrollHeight > each.clientHeight + 2 || /auto|scroll|hidden/.test(getComputedStyle(each).overflowY))) \
                .map(({ id, tagName }) => id || tagName).join()";
            assert_eq!(page.value(cut), "", "{what}, {width} x {height}");
            assert_eq!(
                page.value("part('frame').getBoundingClientRect().height > 200 && \
                    part('below').getBoundingClientRect().bottom <= part('moves').getBoundingClientRect().top"),
                "true",
                "{what}"
            );
            page.emulate("", "", "");
        }
    }
}
