//! The fillers of XBoard: plies between the moves of a game, since it gives the first turn to White,
//! and no move on its board brings in a piece (src/protocol/README.md, "Fillers"). They stand in the games that
//! it saves, a pass as in `Qaa3-a2`: a queen that goes to a2 by way of a3.

use super::pgn::Record;
use crate::engine::{Variant, XBoard};
use crate::games::Side;

/// Removes the fillers from a game, as far as its moves can be read.
pub(super) fn leave_out(record: &mut Record, variant: Variant) {
    let drops = matches!(variant.info.xboard, XBoard::PiecesAndDrops(_));
    if !drops || !record.moves.iter().any(|mv| is_pass(&mv.text)) {
        return;
    }
    begin_with_black(record, variant);
    let mut session = variant.open();
    if session.set_position(record.fen(), &[]).is_err() {
        return;
    }
    let mut number = 0;
    while let Some(next) = record.moves.get(number) {
        let Ok(mv) = session.read_san(&next.text) else {
            return;
        };
        let dropped = session.board_view().dropped_piece(&mv);
        if session.play(&mv).is_err() {
            return;
        }
        number += 1;
        let text = |number: usize| record.moves.get(number).map(|mv| mv.text.as_str());
        let fillers = match dropped {
            Some(_) if !text(number).is_some_and(is_pass) => 0,
            Some(drop) if text(number + 1).is_some_and(|text| text == drop) => 2,
            // The last ply of a game can be the pass.
            Some(_) if text(number + 1).is_none() => 1,
            _ => 0,
        };
        (0..fillers).for_each(|_| record.remove_move(number));
    }
}

/// Restores the start of a game that Black begins, from XBoard's start with White to move and a
/// pass.
fn begin_with_black(record: &mut Record, variant: Variant) {
    let info = variant.info;
    let start = info.start.replacen(" b ", " w ", 1);
    if info.first == Side::Black
        && record.fen() == Some(&start)
        && record.moves.first().is_some_and(|mv| is_pass(&mv.text))
    {
        record.remove_move(0);
        record.tags.retain(|(tag, _)| tag != "FEN" && tag != "SetUp");
    }
}

/// Returns true for a pass: no other move of a game without castling has a `-`.
fn is_pass(text: &str) -> bool {
    text == "@@@@" || text.contains('-')
}

#[cfg(test)]
mod tests {
    use crate::engine::{VARIANTS, find_variant};
    use crate::records::open;
    use crate::records::pgn::Reader;

    /// Returns the first FEN and the moves that are left of a game.
    fn left(variant: &str, fen: &str, moves: &str) -> (String, String) {
        let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n");
        let mut record = Reader::new(text.as_bytes()).next().expect("a game").expect("a sound one");
        let variant = find_variant(VARIANTS, variant).expect("a variant");
        let session = open(&mut record, variant).expect("a position");
        let moves: Vec<_> = record.moves.iter().map(|mv| mv.text.as_str()).collect();
        (session.fen(), moves.join(" "))
    }

    #[test]
    fn whites_pass_before_the_first_move() {
        let rows = "qqqqqqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQQ";
        let start = format!("{rows} b - - 0 1");
        let white = format!("{rows} w - - 0 1");
        let moves = "Qaxa2 Qaxa2".to_string();
        let saved = "1. Qaa3-a2 Qaxa2 2. Qaxa2";
        assert_eq!(left("pressman", &white, saved), (start, moves.clone()));
        // Where White truly begins nothing is missing.
        let others = white.replacen('Q', "1", 1);
        assert_eq!(left("pressman", &others, &moves), (others, moves));
    }

    #[test]
    fn a_pass_and_the_drop() {
        let fen = "8/1Q6/8/8/3q4/8/8/Q7 w - - 0 1";
        for (saved, moves) in [
            ("Qb8 Qc3-d4 Q@b1 Qxa1", "Qb8 Qxa1"),
            ("Qb8 @@@@ Q@b1", "Qb8"),
            ("Qb8 Qc3-d4", "Qb8"),
            ("Qb8 Qxa1", "Qb8 Qxa1"),
            // These are faults, and stay to be found.
            ("Qb8 Qc3-d4 Q@c1 Qxa1", "Qb8 Qc3-d4 Q@c1 Qxa1"),
            ("Qb7a7 Qc3-d4 Q@a1 Qxa1", "Qb7a7 Qc3-d4 Q@a1 Qxa1"),
        ] {
            assert_eq!(left("pressman", fen, saved), (fen.into(), moves.into()));
        }
    }

    #[test]
    fn comments_about_fillers_are_kept() {
        let text =
            "[FEN \"8/1Q6/8/8/3q4/8/8/Q7 w - - 0 1\"]\n\nQb8 {a} Qc3-d4 {b} Q@b1 {c} Qxa1 *\n";
        let mut record = Reader::new(text.as_bytes()).next().expect("a game").expect("a sound one");
        let variant = find_variant(VARIANTS, "pressman").expect("a variant");
        open(&mut record, variant).expect("a position");
        assert_eq!(record.moves[0].comment.as_deref(), Some("a b c"));
    }

    #[test]
    fn other_games_have_none() {
        let fen = "4k5/10/10/10/10/10/10/R3K5 w - - 0 1";
        let moves = "Ra2-a3 Ke8-e7";
        assert_eq!(left("gothic", fen, moves), (fen.into(), moves.into()));
    }
}
