//! `quadrille rules`: the rules of one game.

use crate::common::positions::{PERFT, lines};
use crate::common::program::{Run, quadrille};
use crate::documents::document;
use quadrille::engine::VARIANTS;

#[test]
fn every_game_has_rules() {
    let protocol = document("protocol.md");
    for variant in VARIANTS {
        let file = format!("src/games/{}.md", variant.info.name);
        assert_eq!(document(&file), variant.info.rules);
        assert!(protocol.contains(&format!("({file})")), "{file}");
        let text = variant.rules();
        let (heading, _) = text.split_once('\n').unwrap();
        assert!(variant.is_called(heading), "{heading}");
        let of_others = VARIANTS.iter().filter(|other| {
            let is_told = |line: &str| other.is_called(line) || line == other.info.start;
            !other.is_called(variant.info.name) && text.lines().map(str::trim).any(is_told)
        });
        assert_eq!(of_others.count(), 0, "{text}");
        for part in [
            variant.info.start,
            "\nThe end:\n",
            "\nCommon to all games\n",
            "\nRulings\n",
            "\nPerft from the start: ",
        ] {
            assert_eq!(text.matches(part).count(), 1, "{part}\n{text}");
        }
        let (_, counts) = text.split_once("\nPerft from the start: ").unwrap();
        let counts = counts.lines().next().unwrap();
        let known = lines(PERFT, variant.info.name).next().unwrap()[1];
        assert!(counts.len() > 8 && known.starts_with(counts), "{counts}");
        for line in text.lines().filter(|line| !line.starts_with("    ")) {
            assert!(line.chars().count() <= 100, "{line}");
            assert!(!line.contains(['*', '`', '|']), "{line}");
        }
    }
}

#[test]
fn it_is_a_command() {
    let said = |words: [&str; 2]| quadrille(words).run().succeeded().stdout;
    let rules = said(["rules", "Cross-Eyed"]);
    assert!(rules.starts_with("Cross-Eyed Chess\n"), "{rules}");
    let help = said(["rules", "--help"]);
    assert!(help.starts_with("quadrille rules VARIANT\n"), "{help}");
}

/// The examples beside the rules: positions of the game in which the piece has a move. Each kind of
/// piece has one.
#[test]
fn every_piece_has_an_example() {
    for variant in VARIANTS {
        let mut session = variant.open();
        let mut kinds: Vec<char> = Vec::new();
        for &(name, square, fen) in variant.info.examples {
            let set = session.set_position(Some(fen), &[]);
            assert_eq!(set, Ok(()), "{name}");
            assert_eq!(session.fen(), fen, "{name}");
            assert!(!session.board_view().targets(square).is_empty(), "{name}");
            let mv = session.board_view().effects().into_iter();
            let begins = |mv: &String| mv.starts_with(square);
            let mut mv = mv.map(|text| text.split(':').next().unwrap().to_string());
            let san = session.lan(&mv.rfind(begins).unwrap()).unwrap();
            let letter = san.chars().next().filter(char::is_ascii_uppercase);
            kinds.push(letter.unwrap_or('P'));
        }
        for (letter, name) in session.picture_parts().names {
            assert!(kinds.contains(&letter), "{}: {name}", variant.info.name);
        }
    }
}

/// The rules in short: one block, and four boards on which the piece that is shown can move. On the last it wins at
/// once.
#[test]
fn the_rules_in_short_can_be_played() {
    for variant in VARIANTS {
        let name = variant.info.name;
        let mut blocks = variant.info.in_short.trim_end().split("\n\n").map(|block| {
            let lines = block.lines().map(|line| line.split_once(": ").unwrap());
            lines.collect::<std::collections::BTreeMap<_, _>>()
        });
        let said = blocks.next().unwrap();
        assert!(["win", "more", "draw"].iter().all(|part| said[part].ends_with('.')), "{name}");
        let boards: Vec<_> = blocks.collect();
        assert_eq!(boards.len(), 4, "{name}");
        for (number, board) in boards.iter().enumerate() {
            let mut session = variant.open();
            session.set_position(Some(board["fen"]), &[]).unwrap();
            assert_eq!(session.fen(), board["fen"], "{name}");
            assert!(board["text"].ends_with('.') && !board["name"].is_empty());
            let mut moves = session.moves();
            moves.retain(|mv| mv.starts_with(board["square"]));
            assert!(!moves.is_empty(), "{name}: {board:?}");
            let wins = |mv: &String| {
                let mut after = session.fork();
                after.play(mv).unwrap();
                after.outcome().and_then(|end| end.winner) == Some(session.to_move())
            };
            assert_eq!(moves.iter().any(wins), number == 3, "{name}: {board:?}");
        }
    }
}
