//! The state of the page: without a browser, in node, and under the hands of a person.

use super::driver::{Desk, Page, in_chromium, in_every_browser};
use super::habits::open;
use super::person::{IDLE, play};
use crate::common::drawn;
use crate::common::program::Run;
use quadrille::system::random::Random;
use std::process::Command;

in_every_browser!(nothing_is_lost_or_falsified_in_silence, what_people_met_is_gone,);
in_chromium!(random_clicks_and_keys_leave_the_state_sound,);

#[test]
#[ignore = "needs node"]
fn the_state_is_sound_after_every_action() {
    let count = drawn(200_000).to_string();
    let mut node = Command::new("node");
    let ended = node.args(["tests/browser/state.js", &count]).run();
    assert_eq!(ended.succeeded().stdout, "sound\n");
}

/// What can be clicked now: the middle of one of it, by lot.
const TARGET: &str = "(() => { \
    const all = [...document.querySelectorAll(document.querySelector('dialog[open]') ? \
      'dialog[open] button' : 'button, #moves a, #best a, main input[type=checkbox]')]; \
    const live = all.filter((each) => !each.disabled && each.checkVisibility() && !/^(save|copy)-/.test(each.id)); \
    const each = live[Math.floor(LOT * live.length)]; \
    each.scrollIntoView({ block: 'nearest' }); \
    const box = each.getBoundingClientRect(); \
    return `${box.x + box.width / 2} ${box.y + box.height / 2}`; })()";

const KEYS: [&str; 16] = [
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    "b",
    "f",
    "l",
    " ",
    "Escape",
    "j",
    "k",
    "Enter",
    "x",
    "a",
];

#[track_caller]
fn assert_sound(page: &Page<'_>, what: &str) {
    assert_eq!(page.value("[...check(state), ...faults].join('; ')"), "", "{what}");
}

fn random_clicks_and_keys_leave_the_state_sound(desk: Desk) {
    let page = desk.open("gothic");
    page.begin("time=100");
    let mut random = Random::new(66, 0);
    let mut trail = Vec::new();
    for _ in 0..drawn(1_200) {
        let what = match random.below(10) {
            0..4 => {
                let lot = random.below(1000) as f64 / 1000.0;
                page.click_point(&TARGET.replace("LOT", &lot.to_string()));
                "click".to_string()
            }
            4..7 => {
                let key = *random.pick(&KEYS).unwrap();
                page.press(&[key]);
                key.to_string()
            }
            7 => {
                let way = *random.pick(&["undo", "redo"]).unwrap();
                page.value(&format!("document.querySelector('dialog[open]') || control.{way}()"));
                way.to_string()
            }
            _ => {
                let lot = random.below(1000);
                page.value(&format!(
                    "(() => {{ const effects = readEffects(state.here.known.effects ?? ''); \
                     if (!document.querySelector('dialog[open]') && control.canMove() && effects.length) \
                       control.play(effects[{lot} % effects.length].move); }})()"
                ));
                "move".to_string()
            }
        };
        trail.push(what);
        let recent = trail[trail.len().saturating_sub(15)..].join(" ");
        assert_sound(&page, &recent);
    }
    // An analysis ends only when something changes.
    page.value("(state.analyses = false, control.act().then(() => control.queue))");
    assert_sound(&page, "at the end");
}

/// A game that is played stays what it is, whatever is noted, undone or opened beside it.
fn nothing_is_lost_or_falsified_in_silence(desk: Desk) {
    let Desk { server, browser, .. } = desk;
    let page = browser.open(&server.address("gothic"));
    page.begin("level=20 time=100");
    page.until(IDLE);
    // A comment belongs to the move at which it was begun.
    page.hold(1);
    play(&page, "e2e4", false);
    page.until("at === 1 && isThinking");
    page.click("#write");
    page.press(&["m", "i", "n", "e"]);
    page.let_move();
    page.until(&format!("last() === 2 && {IDLE}"));
    page.press(&["Enter"]);
    page.until("game.root.next[0].comment === 'mine' && here().comment === null");
    // The bar does not show what nobody knows.
    assert_eq!(
        page.value("part('bar').className + part('bar').getAttribute('aria-label')"),
        "unknownWhite can expect: unknown"
    );
    // An arrow is undone, the game is not.
    page.draw("e4", "e5", 0);
    play(&page, "a2a3", false);
    page.until(&format!("last() === 4 && {IDLE}"));
    page.value("document.activeElement.blur()");
    page.click("#undo");
    page.until("game.plies[2].comment === null");
    assert_eq!(page.value("last() === 4 && game.tip === here()"), "true");
    page.click("#redo");
    page.until("game.plies[2].comment === '[%cal Ge4e5]'");
    // The players are those who played; a game with a note is asked for, also by its address in this tab.
    page.click("#resign");
    page.click("#yes");
    page.until("outcome()");
    let address = server.address("congress");
    page.value(&format!("localStorage.removeItem('last games'), location.replace('{address}')"));
    page.until("part('question').open");
    page.click("#no");
    page.until("game.variant === 'gothic' && last() === 4");
    page.click("#new");
    page.value("part('choices').you.value = 'b', part('choices').level.value = '0'");
    page.click("#begin-game");
    page.click("#no");
    page.value("part('begin').close()");
    assert!(
        page.value("pgn()")
            .contains("[White \"Human\"]\n[Black \"Quadrille, level 20\"]\n[Result \"0-1\"]")
    );
    page.reload();
    assert!(page.value("pgn()").contains("level 20"));
    assert_sound(&page, "a comment, an undo, a reload");
    // The clock stands in a question, in the set-up, and without the engine.
    page.value("records.save(state.record)");
    page.begin("you=wb time=60000+1000");
    page.until(IDLE);
    play(&page, "e2e4", false);
    page.until("clock.side === 'b'");
    page.click("#open-files");
    page.until("clock.side === null");
    page.click("#files [data-closes]");
    page.until("clock.side === 'b'");
    page.click("#set-up");
    page.until("!part('palette').hidden && clock.side === null");
    page.click("#cancel");
    page.until("!setUp && clock.side === 'b'");
    drop(server);
    page.until("!part('notice').hidden && clock.side === null");
    assert_sound(&page, "the clocks");
}

/// Faults that people met: moves taken back that could still be entered, an analysis that broke the page, sides that
/// another tab chose, questions without focus, and an engine that played for them.
fn what_people_met_is_gone(desk: Desk) {
    let page = desk.open("gothic");
    page.begin("you=w level=0 time=100");
    for (mv, plies) in [("e2e4", 2), ("d2d3", 4)] {
        page.until(IDLE);
        play(&page, mv, false);
        page.until(&format!("last() === {plies} && {IDLE}"));
    }
    page.press(&["ArrowLeft", "ArrowLeft"]);
    page.click("#takeback");
    page.until(&format!("last() === 2 && at === 2 && part('last').disabled && {IDLE}"));
    play(&page, "a2a3", false);
    page.until(&format!("last() === 4 && {IDLE}"));
    assert_eq!(page.value("pgn().includes('2. a3')"), "true");
    let other = desk.open("gothic");
    other.begin("you=b level=20");
    other.close();
    page.reload();
    assert_eq!(page.value("state.humans + state.game.players.b + last()"), "w04");
    page.click("#resign");
    page.until("part('question').open && document.activeElement.id === 'yes'");
    page.press(&["Enter"]);
    page.until("outcome()");
    // Whoever looks elsewhere or writes while a game is analysed disturbs nothing, and what is done stays.
    let game =
        "[Variant \"gothic\"]\n\n1. e4 e5 2. Nc3 (2. d4 d5 3. f3) 2... Nc6 3. d4 exd4 4. Nb5 d6 *";
    open(&page, game);
    page.click("#analyse-game");
    page.until("isJudging");
    page.click("#moves .aside a:nth-of-type(2)");
    page.until("here().san === 'd5'");
    page.click("#write");
    page.press(&["x", "Enter"]);
    page.until("here().comment === 'x'");
    page.until("!isJudging && here().san === 'd5' && /%eval/.test(game.root.next[0].comment)");
    page.press(&["f", "End", "ArrowLeft"]);
    page.click("#analyse-game");
    page.until("isJudging && part('progress').value > 3");
    page.click("#analyse-game");
    page.until("!isJudging && isKnown");
    assert_sound(&page, "an analysis");
    // While the clocks run, no key asks the engine.
    page.begin("you=wb time=60000+1000");
    page.until(IDLE);
    page.press(&[" ", "x", "l"]);
    page.until("fault !== '' && !state.analyses && last() === 0");
    assert_sound(&page, "the clocks run");
}
