//! First steps in each game: the tasks without a page, and a person who does them.

use super::driver::{Desk, Page, in_chromium, in_every_browser};
use super::habits::{press_square, tab_to};
use super::person::{IDLE, parts, placed, play};
use super::room::assert_fits;
use quadrille::engine::{VARIANTS, Variant};
use quadrille::games::Side;
use std::collections::BTreeMap;

in_every_browser!(congress_is_learned_and_the_game_comes_back,);
in_chromium!(every_step_is_done_as_it_is_shown,);

type Task = BTreeMap<&'static str, &'static str>;

fn tasks(variant: Variant) -> Vec<Task> {
    let lines = |block: &'static str| block.lines().map(|line| line.split_once(": ").unwrap());
    variant.info.first_steps.trim_end().split("\n\n").map(|block| lines(block).collect()).collect()
}

/// The moves in a line of a task.
fn moves(task: &Task, name: &str) -> Vec<String> {
    task[name].split(' ').map(String::from).collect()
}

/// Plays moves of one side, the other passing. Returns whether they reach the goal.
fn reaches(variant: Variant, task: &Task, moves: &[String]) -> bool {
    let mut session = variant.open();
    let (mut fen, mut done) = (task["fen"].to_string(), String::new());
    for mv in moves {
        session.set_position(Some(&fen), &[]).unwrap();
        let effects = session.board_view().effects();
        let effect = effects.iter().find(|each| each.split(':').next() == Some(mv));
        let effect = effect.unwrap_or_else(|| panic!("{}: {mv} in {fen}", task["name"]));
        done += effect.split_once(':').map_or("", |(_, effect)| effect);
        done += if session.san(mv).unwrap().starts_with("O-O") { "castles" } else { "" };
        session.play(mv).unwrap();
        let fields: Vec<_> = session.fen().split(' ').map(String::from).collect();
        fen = format!("{} w {} - 0 {}", fields[0], fields[2], fields[5]);
    }
    let there = placed(&fen);
    let square = |column: usize, row| {
        format!("{}{}", (b'a' + column as u8) as char, variant.info.ranks - row)
    };
    task["goal"].split(' ').all(|word| match word.split_once(['@', '-']) {
        Some(("", letter)) => !there.iter().any(|(each, ..)| letter.contains(*each)),
        Some((letter, at)) => {
            there.iter().any(|&(each, x, y)| letter.contains(each) && square(x, y) == at)
        }
        None if word == "over" => session.outcome().and_then(|end| end.winner) == Some(Side::White),
        None if word == "safe" => {
            !session.board_view().effects().iter().any(|each| each.contains(":x"))
        }
        None => done.contains(word),
    })
}

#[test]
fn what_is_shown_reaches_the_goal_and_a_miss_does_not() {
    for variant in VARIANTS {
        let tasks = tasks(*variant);
        assert!((8..=13).contains(&tasks.len()), "{}", variant.info.name);
        for task in &tasks {
            let (name, mut session) = (task["name"], variant.open());
            session.set_position(Some(task["fen"]), &[]).unwrap();
            assert_eq!(session.fen(), task["fen"], "{name}");
            let shown = moves(task, "show");
            assert_eq!(shown.len().to_string(), *task.get("moves").unwrap_or(&"1"), "{name}");
            assert!(reaches(*variant, task, &shown), "{name}");
            assert!(!reaches(*variant, task, &shown[..shown.len() - 1]), "{name}");
            assert!(!reaches(*variant, task, &moves(task, "miss")), "{name}");
            for text in ["how", "rule", "wrong", "right"] {
                assert!(task[text].ends_with(['.', '?', '!']), "{name}: {text}");
            }
        }
    }
}

/// Plays the moves in a line of a task with the mouse.
fn try_on(page: &Page<'_>, task: &Task, name: &str) {
    for (number, mv) in (1..).zip(moves(task, name)) {
        page.until(&format!("state.here === state.root && {IDLE}"));
        let note = format!("part('taught').textContent.startsWith('Move {number} of ')");
        page.until(if number == 1 { "true" } else { &note });
        play(page, &mv, number % 2 == 0);
    }
}

fn every_step_is_done_as_it_is_shown(desk: Desk) {
    let page = desk.open("gothic");
    page.resize(1280, 800);
    let mut place = None;
    for variant in VARIANTS {
        let name = variant.info.name;
        page.value(&format!("begin('{name}', null)"));
        page.until(&format!("game.variant === '{name}' && {IDLE}"));
        // A draw is offered where there are draws.
        page.until(&format!("part('draw').disabled === {}", name == "congress"));
        page.click("#first-steps");
        let tasks = tasks(*variant);
        for (number, task) in (1..).zip(&tasks) {
            let at = format!("{number} of {}", tasks.len());
            page.until(&format!("part('lesson-at').textContent === '{at}'"));
            let bottom = |name: &str| {
                format!("document.querySelector('{name}').getBoundingClientRect().bottom")
            };
            let here = bottom("#tasks [aria-current=true]");
            page.until(&format!("{here} <= {} + 1", bottom("#tasks")));
            // The buttons stay where they are.
            let there = page.value(&bottom("#answer"));
            assert_eq!(place.get_or_insert_with(|| there.clone()), &there, "{name} {number}");
            let says = |text: &str| {
                let text = quadrille::records::json::string(text);
                page.until(&format!("part('taught').textContent === {text}"));
            };
            try_on(&page, task, "miss");
            let last = moves(task, "miss").pop().unwrap();
            let (_, square, _) = parts(&last);
            says(&task["wrong"].replace("{to}", square));
            assert_eq!(page.value("part('verdict').textContent"), "✕ Not yet");
            // The move that is shown is there as an arrow, and all of them reach the goal.
            page.click("#answer");
            page.until("document.querySelector('#board .arrow')");
            try_on(&page, task, "show");
            says(task["right"]);
            assert_eq!(page.value("part('verdict').textContent"), "✓ Well done");
            page.click("#next-lesson");
        }
        // The first game, and nothing to be done again.
        page.value("part('question').open && part('yes').click()");
        page.until(&format!("state.game?.players.b === 0 && game.variant === '{name}'"));
        page.click("#first-steps");
        let done = "document.querySelectorAll('#tasks .done').length";
        assert_eq!(page.value(done), tasks.len().to_string());
        assert_eq!(page.value("part('next-lesson').disabled"), "false");
        page.click("#end-lesson");
    }
}

/// A game with a note and with clocks comes back as it was, after first steps by keys on a phone, and after a reload.
fn congress_is_learned_and_the_game_comes_back(desk: Desk) {
    let page = desk.game("gothic", "you=wb time=60000+0");
    play(&page, "e2e4", false);
    page.until("clock.side === 'b'");
    page.value("(state.annotate(here(), { comment: 'mine' }), control.keep())");
    page.resize(390, 844);
    page.value("begins.ask(), document.querySelector('#begin [value=congress]').click()");
    tab_to(&page, "begin-steps");
    page.press(&["Enter"]);
    page.until("state.mode === 'learn' && game.variant === 'congress' && !part('begin').open");
    assert_eq!(page.value("isUnsaved()"), "true");
    for (number, squares) in [["b4", "c6"], ["a4", "b6"]].iter().enumerate() {
        page.until(&format!("part('lesson-at').textContent === '{} of 12' && isKnown", number + 1));
        tab_to(&page, "board");
        // The king that is attacked stands on red, which is explained, also while a piece is lifted.
        let is_red = number == 1;
        let is_told = "part('status').textContent === 'White to move; the king on red is attacked'";
        page.until(&format!("({is_told}) === {is_red}"));
        press_square(&page, squares[0]);
        page.until("!part('legend').hidden");
        let is_told = "part('legend').textContent.endsWith('attacked')";
        assert_eq!(page.value(is_told), is_red.to_string());
        press_square(&page, squares[1]);
        page.until("part('verdict').textContent === '✓ Well done'");
        assert_eq!(page.value("document.querySelectorAll('.captured svg').length"), "0");
        assert_fits(&page, "a lesson");
        tab_to(&page, "next-lesson");
        page.press(&["Enter"]);
    }
    page.until("part('lesson-at').textContent === '3 of 12' && isKnown");
    // After the last task those that were left out follow, and no game.
    page.click("#tasks li:last-child button");
    page.until("part('lesson-at').textContent === '12 of 12' && part('next-lesson').textContent === 'Next'");
    let same = "game.variant === 'gothic' && here().comment === 'mine' && state.mode === 'play' && state.game.clock.b > 50000";
    tab_to(&page, "end-lesson");
    page.press(&["Enter"]);
    page.until(&format!("{same} && clock.side === 'b'"));
    // Who goes on has done two of them.
    page.click("#first-steps");
    page.until("game.variant === 'gothic' && state.mode === 'learn' && document.querySelector('#tasks [aria-current=true]').textContent === 'How you win'");
    page.reload();
    page.until(same);
    let kept = "JSON.parse(localStorage.getItem('first steps')).congress.join()";
    assert_eq!(page.value(kept), "How you win,There is no check");
}
