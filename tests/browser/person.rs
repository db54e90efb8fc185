//! A person at the board, in a real browser: Debian's package `chromium`.

use super::Server;
use super::driver::{Desk, Page, in_chromium, in_every_browser};
use crate::common::spoil::spoil;
use crate::common::{drawn, process_figure};
use quadrille::engine::{Session, VARIANTS, find_variant};
use quadrille::system::random::Random;

in_every_browser!(
    a_game_of_gothic_chess_is_played_with_the_mouse,
    a_game_is_played_by_touch,
    special_moves_are_played_and_taken_back,
    games_go_out_and_come_in_and_are_analysed,
    two_pages_play_two_games_and_survive_the_server,
);
in_chromium!(
    a_game_of_congress_chess_is_played_with_the_mouse,
    a_game_of_pressman_is_played_with_the_mouse,
    a_game_of_cross_eyed_chess_is_played_with_the_mouse,
    a_move_and_its_answer_take_few_lines,
    a_strangers_text_is_no_command,
    spoilt_games_leave_the_page_alive,
);

/// The pieces on the board with their places, as in the notes of `expected`.
const SHOWN: &str = "(() => { \
    const pieces = [...document.querySelectorAll('#board [data-man]')].map( \
      (man) => man.dataset.man + man.getAttribute('transform').replace(/[^\\d]+/g, ',')); \
    return [part('board').dataset.turn, ...pieces.sort()].join(' '); })()";

/// True when nothing more happens before the person acts.
pub(super) const IDLE: &str = "!isThinking && isKnown && at === last() && (canMove() || outcome())";

/// The squares of a move and the letter of its promotion.
pub(super) fn parts(mv: &str) -> (&str, &str, Option<char>) {
    let letter = mv.chars().next_back().filter(char::is_ascii_alphabetic);
    let squares = mv.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let second = squares.rfind(|c: char| c.is_ascii_alphabetic()).unwrap();
    (&squares[..second], &squares[second..], letter)
}

/// Plays a move with the mouse: by two clicks, or by a drag.
pub(super) fn play(page: &Page<'_>, mv: &str, drags: bool) {
    let (from, to, letter) = parts(mv);
    if drags {
        page.drag(from, to)
    } else {
        page.click_square(from);
        page.click_square(to);
    }
    if let Some(letter) = letter {
        page.until("part('promotion').open");
        page.click(&format!("#promotion [data-letter=\"{letter}\" i]"));
    }
}

/// The pieces of a FEN with their columns and rows, seen by White.
pub(super) fn placed(fen: &str) -> Vec<(char, usize, usize)> {
    let mut pieces = Vec::new();
    let (placement, _) = fen.split_once(' ').unwrap();
    for (row, text) in placement.split('/').enumerate() {
        let (mut column, mut gap) = (0, 0);
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                gap = 10 * gap + digit as usize;
                continue;
            }
            column += std::mem::take(&mut gap);
            if letter != '*' {
                pieces.push((letter, column, row));
            }
            column += 1;
        }
    }
    pieces
}

/// The side to move, and the pieces with their places in the picture.
fn expected(session: &dyn Session, is_flipped: bool) -> String {
    let parts = session.picture_parts();
    let fen = session.fen();
    let fields: Vec<_> = fen.split(' ').collect();
    let info = session.info();
    let mut pieces = Vec::new();
    for (letter, column, row) in placed(&fen) {
        let (x, y) = if !is_flipped {
            (column, row)
        } else {
            (info.files - 1 - column, info.ranks - 1 - row)
        };
        pieces.push(format!("{letter},{},{},", x * parts.cell, y * parts.cell));
    }
    pieces.sort_unstable();
    format!("{} {}", fields[1], pieces.join(" "))
}

/// Asserts that the page shows a position, in its picture and in its text.
#[track_caller]
pub(super) fn assert_shows(page: &Page<'_>, session: &dyn Session) {
    assert_eq!(page.value("here().fen"), session.fen());
    assert_eq!(page.value(SHOWN), expected(session, page.value("flipped") == "true"));
}

/// Plays a game with random moves against the engine of a page to its end.
pub(super) fn play_to_the_end(page: &Page<'_>, name: &str) {
    let mut session = find_variant(VARIANTS, name).unwrap().open();
    let black_begins = session.info().first != quadrille::games::Side::White;
    page.begin(&format!("you={} time=100", if black_begins { "b" } else { "w" }));
    let mut random = Random::new(42, 0);
    let mut plies = 0;
    while session.outcome().is_none() {
        page.until(IDLE);
        assert_shows(page, &*session);
        let mv = random.pick(&session.moves()).unwrap().clone();
        session.play(&mv).unwrap();
        plies += 1;
        play(page, &mv, plies % 2 == 0);
        page.until(&format!("last() >= {plies}"));
        assert_eq!(page.value(&format!("game.plies[{plies}].move")), mv);
        assert_eq!(page.value(&format!("game.plies[{plies}].fen")), session.fen());
        if session.outcome().is_none() {
            plies += 1;
            page.until(&format!("last() === {plies} && {IDLE}"));
            let reply = page.value("here().move");
            session.play(&reply).unwrap();
            assert_shows(page, &*session);
        }
        assert!(plies < 600, "the engine does not win");
    }
    page.until(&format!("outcome() && {IDLE}"));
    assert_shows(page, &*session);
    let outcome = session.outcome().unwrap();
    assert_eq!(page.value("outcome().reason"), outcome.reason.name());
    let winner = outcome.winner.map_or("null".into(), |side| side.letter().to_string());
    assert_eq!(page.value("outcome().winner"), winner);
    assert!(page.value("part('status').textContent").contains(" by "));
    println!("{name}: {plies} plies, {}", outcome.reason.name());
}

fn a_game_of_gothic_chess_is_played_with_the_mouse(desk: Desk) {
    play_to_the_end(&desk.open("gothic"), "gothic");
}

fn a_game_of_congress_chess_is_played_with_the_mouse(desk: Desk) {
    play_to_the_end(&desk.open("congress"), "congress");
}

fn a_game_of_pressman_is_played_with_the_mouse(desk: Desk) {
    play_to_the_end(&desk.open("pressman"), "pressman");
}

fn a_game_is_played_by_touch(desk: Desk) {
    let page = desk.open("congress").by_touch();
    page.resize(390, 844);
    play_to_the_end(&page, "congress");
}

fn a_game_of_cross_eyed_chess_is_played_with_the_mouse(desk: Desk) {
    play_to_the_end(&desk.open("crosseyed"), "crosseyed");
}

/// Moves that do more than move, each with the classes of its target, and what is gone when it is
/// taken back.
fn special_moves_are_played_and_taken_back(desk: Desk) {
    let page = desk.open("gothic");
    page.begin("you=wb");
    for (name, fen, mv, class) in [
        ("gothic", "1r7k/P9/10/10/10/10/10/K9 w - - 0 1", "a7b8c", "target promotes captures"),
        ("gothic", "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1", "f1i1", "target"),
        ("gothic", "9k/10/10/3pP5/10/10/10/K9 w - d6 0 1", "e5d6", "target captures"),
        ("congress", "3k4/8/3H4/3h4/8/4K3 w - - 0 1", "d4f5", "target changes"),
        ("congress", "1k5k/8/2H5/8/8/K6K w - - 0 1", "c4b6", "target captures"),
        ("pressman", "q7/8/Q7/8/8/8/q7/7q w - - 0 1", "a6a8", "target brings captures"),
    ] {
        let mut session = find_variant(VARIANTS, name).unwrap().open();
        session.set_position(Some(fen), &[]).unwrap();
        assert_eq!(page.value(&format!("openPgn('{fen}')")), "null");
        page.until(IDLE);
        assert_shows(&page, &*session);
        let (from, to, _) = parts(mv);
        page.click_square(from);
        let classes = format!(
            "marks().filter(([square, kind]) => square === '{to}' && kind.startsWith('target')).map(([, kind]) => kind)"
        );
        assert_eq!(page.value(&classes), class, "{mv} in {fen}");
        page.click_square(from);
        assert_eq!(page.value("lifted"), "null");
        play(&page, mv, false);
        page.until(&format!("last() === 1 && {IDLE}"));
        session.play(mv).unwrap();
        assert_shows(&page, &*session);
        page.click("#undo");
        page.until(&format!("last() === 0 && {IDLE}"));
        session.set_position(Some(fen), &[]).unwrap();
        assert_shows(&page, &*session);
    }
    // The last king; the position says of which game it is.
    assert_eq!(page.value("openPgn('1k6/8/2H5/8/8/K6K w - - 0 1')"), "null");
    page.until(IDLE);
    play(&page, "c4b6", true);
    page.until(
        "outcome() && part('status').textContent === 'White wins by capture of the last king'",
    );
}

fn games_go_out_and_come_in_and_are_analysed(desk: Desk) {
    let page = desk.open("gothic");
    page.begin("you=wb");
    for &variant in VARIANTS {
        page.begin(&format!("variant={} you=wb", variant.info.name));
        page.until(&format!("game.variant === '{}' && last() === 0 && {IDLE}", variant.info.name));
        let mut session = variant.open();
        let mut random = Random::new(5, 0);
        for ply in 1..=6 {
            let mv = random.pick(&session.moves()).unwrap().clone();
            session.play(&mv).unwrap();
            play(&page, &mv, ply % 2 == 0);
            page.until(&format!("last() === {ply} && {IDLE}"));
        }
        let pgn = page.value("pgn()");
        page.begin("you=wb");
        page.until(&format!("last() === 0 && {IDLE}"));
        page.value("part('pgn').value = ''");
        let quoted = quadrille::records::json::string(&pgn);
        // A text with a fault changes nothing.
        assert_ne!(
            page.value(&format!("openPgn({quoted}.replace('\\n1.', '\\n1. xyz'), 0)")),
            "null"
        );
        assert_eq!(page.value("last()"), "0");
        assert_eq!(page.value(&format!("openPgn({quoted}, 0)")), "null");
        page.until(&format!("last() === 6 && {IDLE}"));
        assert_shows(&page, &*session);
        assert_eq!(page.value("pgn()"), pgn);
        // Each move of the list shows its position.
        page.click("#moves a:nth-of-type(2)");
        page.until("at === 2");
        page.click("#last");
        page.until("at === 6");
    }
    let arrows = "document.querySelectorAll('#board .arrow').length";
    page.click("#analyse");
    page.until(&format!("{arrows} === 3 && document.querySelectorAll('#best li').length === 3"));
    page.click("#back");
    page.until(&format!("at === 5 && found.ply === here() && {arrows} === 3"));
    let begun = std::time::Instant::now();
    page.click("#analyse");
    page.until(&format!("{arrows} === 0"));
    println!("analysis off after {:?}", begun.elapsed());
}

fn two_pages_play_two_games_and_survive_the_server(desk: Desk) {
    let Desk { server, browser, .. } = desk;
    let [one, two] = ["gothic", "congress"].map(|name| browser.open(&server.address(name)));
    for page in [&one, &two] {
        page.begin("you=wb");
        page.until(IDLE);
    }
    play(&one, "e2e4", false);
    play(&two, "b1c3", true);
    one.until(&format!("last() === 1 && {IDLE}"));
    two.until(&format!("last() === 1 && {IDLE}"));
    assert!(one.value("here().fen").contains("/4P5/"));
    assert!(two.value("here().fen").contains("/2H5/"));
    two.close();
    // Without the server the page says so; a new one on the same port, and its page, let it continue.
    let port = server.host.split_once(':').unwrap().1.to_string();
    drop(server);
    one.until("!part('notice').hidden && part('notice').textContent.includes('lost')");
    let server = Server::start(&["--port", &port]);
    let _other = browser.open(&server.address("pressman"));
    one.until(&format!("part('notice').hidden && last() === 1 && {IDLE}"));
    play(&one, "e7e5", false);
    one.until(&format!("last() === 2 && {IDLE}"));
    assert_eq!(one.value("game.plies[2].san"), "e5");
}

/// Notes what the page sends, a line each.
const LISTEN: &str = "(() => { \
    window.sent = []; \
    const fetch = window.fetch; \
    window.fetch = (address, request) => { \
      sent.push(...request.body.split('\\n')); \
      return fetch(address, request); }; })()";

/// The lines sent that the page never writes, and the moves that a FEN brought along.
const STRANGE: &str = r"sent.splice(0).filter((line) => /[\p{Cc}]/u.test(line) || /^position .* moves .*moves/.test(line) ||
    !/^(setoption name (UCI_Variant|UCI_ShowWDL|Skill Level|MultiPV|Threads|Hash) value \w+|ucinewgame|stop|position (startpos|fen .*) moves .*|query (fen|effects|node|(san|after|node|typed) .*)|go (movetime|wtime|infinite|nodes).*)$/.test(line)).join('; ')";

/// Asserts that the page sent nothing but its own lines, and that the engine answers.
#[track_caller]
fn assert_is_sound(page: &Page<'_>, text: &str) {
    page.value("queue");
    assert_eq!(page.value(STRANGE), "", "{text:?}");
    assert_eq!(
        page.value("engine.ask('fen').then((answer) => /^\\S+ [wb] /.test(answer))"),
        "true"
    );
}

/// A position is set up once, and what holds in it and behind a move is one question.
fn a_move_and_its_answer_take_few_lines(desk: Desk) {
    let page = desk.game("gothic", "you=w time=100");
    page.value(LISTEN);
    for plies in [2, 4] {
        page.value("sent.length = 0");
        page.value("play(readEffects(here().known.effects)[0].move)");
        page.until(&format!("last() === {plies} && {IDLE}"));
        page.value("queue");
    }
    let sent = page.value("sent.join('\\n')");
    assert_eq!(sent.lines().count(), 8, "{sent}");
}

/// Wherever it stands in a game or is typed.
fn a_strangers_text_is_no_command(desk: Desk) {
    let page = desk.game("congress", "you=wb");
    page.value(LISTEN);
    let start = find_variant(VARIANTS, "congress").unwrap().info.start;
    let open = |text: &str| {
        let quoted = quadrille::records::json::string(text);
        page.value(&format!("openPgn({quoted}, 0).then((error) => error?.message ?? 'opened')"))
    };
    for command in ["setoption name Hash value 3000", "go perft 30", "xboard", "quit"] {
        for end in ["\n", "\r", "\r\n", "\0", "\u{85}", "\u{2028}", " moves b1c3 ", " "] {
            let inner = format!("{end}{command}{end}");
            let fen = format!(
                "[Variant \"congress\"]\n[SetUp \"1\"]\n[FEN \"{start}{inner}\"]\n\n1. b1c3 *"
            );
            assert_ne!(open(&fen), "opened", "{fen:?}");
            assert_is_sound(&page, &fen);
            for game in [
                format!("[Variant \"congress{inner}\"]\n\n1. b1c3 *"),
                format!(
                    "[Variant \"congress\"]\n[White \"{inner}\"]\n[Result \"{inner}\"]\n\n1. b1c3 *"
                ),
                format!(
                    "[Variant \"congress\"]\n\n1. b1c3 {{{inner}}} ({inner}) $1{inner} ;{inner}\n *"
                ),
                format!("[Variant \"congress\"]\n\n1. b1c3{inner} *"),
                format!("[Variant \"congress\"]\n\n%{inner}\n1. b1c3 *"),
            ] {
                open(&game);
                assert_is_sound(&page, &game);
            }
            let quoted = quadrille::records::json::string(&format!("{start}{inner}"));
            page.value(&format!("control.load('congress', {quoted})"));
            assert_is_sound(&page, &inner);
            // What the fields of the page may hold, typed or put there by a script.
            let quoted = quadrille::records::json::string(&format!("b1c3{inner}"));
            page.value(&format!("part('move').value = {quoted}, part('typed').requestSubmit()"));
            assert_is_sound(&page, &inner);
        }
    }
    page.value("setup.begin(here().fen), setup.pieces.set('d4', 'H\\nquit'), setup.pieces.castling = '-\\nquit', setup.end()");
    assert_is_sound(&page, "the set-up");
    let memory = process_figure(&desk.server.program.id().to_string(), "VmRSS");
    assert!(memory.is_none_or(|kilobytes| kilobytes < 200_000), "{memory:?}");
}

fn spoilt_games_leave_the_page_alive(desk: Desk) {
    let page = desk.game("gothic", "you=wb");
    page.value(LISTEN);
    let mut random = Random::new(54, 0);
    let sound = std::fs::read_to_string("tests/data/xboard.pgn").unwrap();
    let games: Vec<_> = sound.split("\n\n[").collect();
    for _ in 0..drawn(3_200) {
        let mut text = format!("[{}", random.pick(&games).unwrap()).into_bytes();
        text.truncate(1_500);
        spoil(&mut random, &mut text);
        let at = random.below(text.len() + 1);
        text.splice(at..at, *b"\nsetoption name Hash value 3000\n");
        let text = String::from_utf8_lossy(&text);
        let quoted = quadrille::records::json::string(&text);
        page.value(&format!("openPgn({quoted}, 0)"));
        assert_is_sound(&page, &text);
    }
}
