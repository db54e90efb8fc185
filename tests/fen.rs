//! FENs that must be refused, with the field at fault, and unusual FENs that must be read:
//! `protocol.md`, "FEN".

use crate::common::positions::{lines, test_all_games};
use crate::common::with_field;
use quadrille::games::FenField::{Castling, Clock, EnPassant, Fullmove, Placement, Side};
use quadrille::games::{FenField, Game, GameExt};

/// The start position with another word in place of one field.
fn start_with<G: Game>(index: usize, word: &str) -> String {
    with_field(G::START, index, word)
}

fn refuses<G: Game>(field: FenField, fen: &str) {
    match G::from_fen(fen) {
        Ok(position) => panic!("{}: `{fen}` was read as {}", G::NAME, position.fen()),
        Err(error) => assert_eq!(error.field, field, "{}: `{fen}`: {error}", G::NAME),
    }
}

fn reads<G: Game>(fen: &str, as_fen: &str) {
    match G::from_fen(fen) {
        Ok(position) => assert_eq!(position.fen(), as_fen, "{}", G::NAME),
        Err(error) => panic!("{}: `{fen}` was refused: {error}", G::NAME),
    }
}

/// Faults that do not depend on the game.
fn common_faults<G: Game>() {
    let placement = G::START.split(' ').next().unwrap();
    let side = G::START.split(' ').nth(1).unwrap();
    for fen in ["", "   ", "w", "- - - - - -", "startpos", "é", "８/８/８/８/８/８/８/８ w"]
    {
        refuses::<G>(Placement, fen);
    }
    let (first_rank, _) = placement.split_once('/').unwrap();
    for wrong in [
        format!("{placement}/{first_rank}"),
        placement[first_rank.len() + 1..].to_string(),
        format!("/{placement}"),
        format!("{placement}/"),
        format!("0{placement}"),
        format!("1{placement}"),
        format!("{placement}1"),
        format!("{placement}*"),
        format!("{placement}K"),
        format!("{placement}♔"),
        placement.replacen(first_rank, "", 1),
        placement.replacen(first_rank, &"9".repeat(100), 1),
        placement.replacen(first_rank, "18446744073709551617", 1),
        placement.replacen(first_rank, &"q".repeat(1000), 1),
    ] {
        refuses::<G>(Placement, &start_with::<G>(0, &wrong));
    }
    // A letter of no game, one that is upper case only after folding, and a digit that is not
    // ASCII, each instead of a letter of the placement.
    let letter = placement.find(|c: char| c.is_ascii_alphabetic()).unwrap();
    for wrong in ["x", "ſ", "K\u{301}", "٣", "0", "-", "+", "?"] {
        let mut bad = placement.to_string();
        bad.replace_range(letter..=letter, wrong);
        refuses::<G>(Placement, &start_with::<G>(0, &bad));
    }

    refuses::<G>(Side, placement);
    for wrong in ["W", "B", "white", "-", "x", "wb", "ｗ"] {
        refuses::<G>(Side, &start_with::<G>(1, wrong));
    }
    for wrong in ["x", "KQkqK", "--", "0", "KQkq-"] {
        refuses::<G>(Castling, &start_with::<G>(2, wrong));
    }
    for wrong in ["x", "e", "3", "e3", "d4", "e0", "e99", "z3", "--", "e3e4", "é3", "e٣"] {
        refuses::<G>(EnPassant, &start_with::<G>(3, wrong));
    }
    for wrong in
        ["-", "x", "-1", "+1", "1.5", "0x1", "1e2", "٣", "4294967296", "99999999999999999999"]
    {
        refuses::<G>(Clock, &start_with::<G>(4, wrong));
        refuses::<G>(Fullmove, &start_with::<G>(5, wrong));
    }
    refuses::<G>(Fullmove, &format!("{} 1", G::START));
    refuses::<G>(Fullmove, &format!("{} moves", G::START));
    refuses::<G>(Castling, &format!("{placement} {side} 0 1"));
}

/// Trailing fields may be missing, and further spaces are ignored.
fn common_liberties<G: Game>() {
    let fields: Vec<_> = G::START.split(' ').collect();
    let without_castling = start_with::<G>(2, "-");
    reads::<G>(&fields[..2].join(" "), &without_castling);
    for count in 3..=6 {
        reads::<G>(&fields[..count].join(" "), G::START);
    }
    reads::<G>(&format!("  {}\t ", fields.join("  ")), G::START);
    let late = start_with::<G>(5, "4294967295");
    reads::<G>(&late, &late);
    reads::<G>(&start_with::<G>(5, "007"), &start_with::<G>(5, "7"));
}

/// Unusual FENs are read, and wrong ones refused, as `data/fens.txt` says.
fn the_list_is_right<G: Game>() {
    let mut count = 0;
    for row in lines(include_str!("data/fens.txt"), G::NAME) {
        match row[..] {
            ["read", fen] => reads::<G>(fen, fen),
            ["read", fen, written] => reads::<G>(fen, written),
            [field, fen] => {
                let fields = [Placement, Side, Castling, EnPassant, Clock];
                let field = fields.into_iter().find(|found| format!("{found:?}") == field);
                refuses::<G>(field.unwrap_or_else(|| panic!("{row:?}")), fen);
            }
            _ => panic!("{row:?}"),
        }
        count += 1;
    }
    assert!(count > 5, "{count}");
}

test_all_games! {
    common_faults
    common_liberties
    the_list_is_right
}
