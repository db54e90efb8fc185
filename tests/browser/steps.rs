//! First steps in each game: the tasks without a page, and a person who does them.

use super::driver::{Desk, Page, in_chromium, in_every_browser};
use super::habits::{press_square, tab_to};
use super::person::{IDLE, play};
use super::room::assert_fits;
use quadrille::engine::{VARIANTS, Variant};
use std::collections::BTreeMap;

in_every_browser!(congress_is_learned_and_the_game_comes_back,);
in_chromium!(every_step_is_done_as_it_is_shown,);

type Task = BTreeMap<&'static str, &'static str>;

fn tasks(variant: Variant) -> Vec<Task> {
    let lines = |block: &'static str| block.lines().map(|line| line.split_once(": ").unwrap());
    variant.info.first_steps.trim_end().split("\n\n").map(|block| lines(block).collect()).collect()
}

fn count(task: &Task) -> usize {
    task.get("moves").map_or(1, |count| count.parse().unwrap())
}

/// Returns the FEN in which the other side has passed.
fn passed(fen: &str) -> String {
    let fields: Vec<_> = fen.split(' ').collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    format!("{} {side} {} - 0 {}", fields[0], fields[2], fields[5])
}

/// The pieces of a FEN by their squares.
fn pieces(fen: &str) -> BTreeMap<String, char> {
    let mut pieces = BTreeMap::new();
    let rows: Vec<_> = fen.split(' ').next().unwrap().split('/').collect();
    for (row, text) in rows.iter().enumerate() {
        let (mut column, mut gap) = (0, 0);
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                gap = 10 * gap + digit as u8;
                continue;
            }
            column += std::mem::take(&mut gap);
            pieces.insert(format!("{}{}", (b'a' + column) as char, rows.len() - row), letter);
            column += 1;
        }
    }
    pieces
}

/// Plays moves of one side, the other passing. Returns whether they reach the goal, and whether nothing can follow.
fn try_moves(variant: Variant, task: &Task, moves: &[String]) -> (bool, bool) {
    let mut session = variant.open();
    let mut fen = task["fen"].to_string();
    let mut done = String::new();
    for mv in moves {
        if session.set_position(Some(&fen), &[]).is_err() {
            return (false, true);
        }
        let effects = session.board_view().effects();
        let effect = effects.iter().find(|each| each.split(':').next() == Some(mv));
        let effect = effect.unwrap_or_else(|| panic!("{}: {mv} in {fen}", task["name"]));
        done += effect.split_once(':').map_or("", |(_, effect)| effect);
        done += if session.san(mv).unwrap().starts_with("O-O") { "castles" } else { "" };
        session.play(mv).unwrap();
        fen = passed(&session.fen());
    }
    let there = pieces(&session.fen());
    let holds = |word: &str| match (word, word.split_once('@')) {
        ("over", _) => session
            .outcome()
            .and_then(|end| end.winner)
            .is_some_and(|side| side != session.to_move()),
        ("safe", _) => !session.board_view().effects().iter().any(|each| each.contains(":x")),
        (_, Some((letter, square))) => {
            there.get(square).map(char::to_string).as_deref() == Some(letter)
        }
        _ => word.strip_prefix('-').map_or(done.contains(word), |letter| {
            !there.values().any(|each| letter.contains(*each))
        }),
    };
    (task["goal"].split(' ').all(holds), session.outcome().is_some())
}

/// Returns moves that miss the goal.
fn wrong_moves(variant: Variant, task: &Task) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    let mut session = variant.open();
    let mut fen = task["fen"].to_string();
    while moves.len() < count(task) {
        session.set_position(Some(&fen), &[]).unwrap();
        let fails = |mv: &String| {
            let all = [&moves[..], std::slice::from_ref(mv)].concat();
            let mut after = session.fork();
            after.play(mv).unwrap();
            let ends = after.fork().set_position(Some(&passed(&after.fen())), &[]).is_err();
            try_moves(variant, task, &all) == (false, false) && !ends
        };
        let mv = session.moves().into_iter().find(fails).unwrap();
        session.play(&mv).unwrap();
        fen = passed(&session.fen());
        moves.push(mv);
    }
    moves
}

#[test]
fn the_moves_that_are_shown_reach_the_goals() {
    for variant in VARIANTS {
        let tasks = tasks(*variant);
        assert!((8..=13).contains(&tasks.len()), "{}", variant.info.name);
        for task in &tasks {
            let name = task["name"];
            let mut session = variant.open();
            session.set_position(Some(task["fen"]), &[]).unwrap();
            assert_eq!(session.fen(), task["fen"], "{name}");
            let shown: Vec<_> = task["show"].split(' ').map(String::from).collect();
            assert!(shown.len() <= count(task), "{name}");
            assert!(try_moves(*variant, task, &shown).0, "{name}");
            assert!(!try_moves(*variant, task, &shown[..shown.len() - 1]).0, "{name}");
            wrong_moves(*variant, task);
            for text in ["how", "rule", "wrong", "right"] {
                assert!(task[text].ends_with(['.', '?', '!']), "{name}: {text}");
            }
        }
    }
}

/// Plays the moves of a try with the mouse.
fn try_on(page: &Page<'_>, task: &Task, moves: &[String]) {
    for (number, mv) in (1..).zip(moves) {
        page.until(&format!("state.here === state.root && {IDLE}"));
        let note = format!("part('taught').textContent === 'Move {number} of {}.'", count(task));
        page.until(if number == 1 { "true" } else { &note });
        play(page, mv, number % 2 == 0);
    }
}

fn every_step_is_done_as_it_is_shown(desk: Desk) {
    let page = desk.open("gothic");
    for variant in VARIANTS {
        let name = variant.info.name;
        page.value(&format!("begin('{name}', null)"));
        page.until(&format!("game.variant === '{name}' && {IDLE}"));
        page.click("#first-steps");
        let tasks = tasks(*variant);
        for (number, task) in (1..).zip(&tasks) {
            let at = format!("{number} of {}", tasks.len());
            page.until(&format!("part('lesson-at').textContent === '{at}'"));
            let says = |text: &str| {
                let text = quadrille::records::json::string(text);
                page.until(&format!("part('taught').textContent === {text}"));
            };
            let wrong = wrong_moves(*variant, task);
            try_on(&page, task, &wrong);
            let last = wrong.last().unwrap().trim_end_matches(char::is_alphabetic);
            let (_, rank) = last.split_at(last.rfind(char::is_alphabetic).unwrap());
            says(&task["wrong"].replace("{to}", rank));
            assert_eq!(page.value("part('verdict').textContent"), "Not yet");
            // The move that is shown is there as an arrow, and all of them reach the goal.
            page.click("#answer");
            page.until("document.querySelector('#board .arrow')");
            let shown: Vec<_> = task["show"].split(' ').map(String::from).collect();
            try_on(&page, task, &shown);
            says(task["right"]);
            assert_eq!(page.value("part('verdict').textContent"), "Well done");
            page.click("#next-lesson");
        }
        // The first game, and nothing to be done again.
        page.value("part('question').open && part('yes').click()");
        page.until(&format!("state.game?.players.b === 0 && game.variant === '{name}'"));
        page.click("#first-steps");
        let done = "document.querySelectorAll('#tasks .done').length";
        assert_eq!(page.value(done), tasks.len().to_string());
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
    let lost =
        "onbeforeunload(Object.assign(new Event('x', { cancelable: true }))) ?? learn.isAtRisk";
    assert_eq!(page.value(lost), "true");
    for (number, squares) in [["c4", "d6"], ["b3", "c4"]].iter().enumerate() {
        page.until(&format!("part('lesson-at').textContent === '{} of 12' && isKnown", number + 1));
        tab_to(&page, "board");
        squares.iter().for_each(|square| press_square(&page, square));
        page.until("part('verdict').textContent === 'Well done'");
        assert_fits(&page, "a lesson");
        tab_to(&page, "next-lesson");
        page.press(&["Enter"]);
    }
    page.until("part('lesson-at').textContent === '3 of 12' && isKnown");
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
    assert_eq!(page.value(kept), "How you win,The pawn");
}
