//! FENs that must be refused, with the field at fault, and unusual FENs that must be read:
//! `protocol.md`, "FEN".

use crate::common::positions::test_all_games;
use crate::common::with_field;
use quadrille::games::FenField::{Castling, Clock, EnPassant, Fullmove, Placement, Side};
use quadrille::games::{self, FenField, Game, GameExt};

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

test_all_games! {
    common_faults
    common_liberties
}

#[test]
fn adjacent_digits_are_one_number() {
    refuses::<games::Gothic>(
        Placement,
        "rnbqckabnr/pppppppppp/55/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1",
    );
    refuses::<games::Congress>(Placement, "hh1kk1bb/1pppppp1/44/8/1PPPPPP1/HH1KK1BB w - - 0 1");
    refuses::<games::Pressman>(Placement, "qqqqqqqq/qqqqqqqq/44/8/8/8/QQQQQQQQ/QQQQQQQQ b - - 0 1");
    let cross = games::CrossEyed::START;
    refuses::<games::CrossEyed>(Placement, &cross.replacen("***6***", "***33***", 1));
}

mod gothic {
    use super::*;
    use games::Gothic;

    #[test]
    fn each_side_has_one_king() {
        for fen in [
            "10/10/10/10/10/10/10/K9 w - - 0 1",
            "k9/10/10/10/10/10/10/10 w - - 0 1",
            "k9/10/10/10/10/10/10/K8K w - - 0 1",
            "k8k/10/10/10/10/10/10/K9 w - - 0 1",
            "10/10/10/10/10/10/10/10 w - - 0 1",
        ] {
            refuses::<Gothic>(Placement, fen);
        }
    }

    #[test]
    fn no_pawn_stands_on_the_last_ranks() {
        for fen in [
            "k8P/10/10/10/10/10/10/K9 w - - 0 1",
            "k8p/10/10/10/10/10/10/K9 w - - 0 1",
            "k9/10/10/10/10/10/10/K8P w - - 0 1",
            "k9/10/10/10/10/10/10/K8p w - - 0 1",
        ] {
            refuses::<Gothic>(Placement, fen);
        }
    }

    #[test]
    fn castling_needs_king_and_rook_at_home() {
        let at_home = "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1";
        reads::<Gothic>(at_home, at_home);
        reads::<Gothic>(&at_home.replace("KQkq", "qkQK"), at_home);
        // The files of the rooks, as in X-FEN and Shredder-FEN.
        reads::<Gothic>(&at_home.replace("KQkq", "JAja"), at_home);
        for (right, placement) in [
            ("J", "r4k3r/10/10/10/10/10/9R/R4K4"),
            ("K", "r4k3r/10/10/10/10/10/9R/R4K4"),
            ("K", "r4k3r/10/10/10/10/10/10/R3K4R"),
            ("K", "r4k3r/10/10/10/10/10/10/R4K3r"),
            ("K", "r4k3r/10/10/10/10/10/10/R4K3C"),
            ("Q", "r4k3r/10/10/10/10/10/10/1R3K3R"),
            ("Q", "r4k3r/10/10/10/10/10/10/R5K2R"),
            ("k", "r4k4/9r/10/10/10/10/10/R4K3R"),
            ("k", "r3k4r/10/10/10/10/10/10/R4K3R"),
            ("q", "1r3k3r/10/10/10/10/10/10/R4K3R"),
            ("q", "R4k3r/10/10/10/10/10/10/R4K3R"),
        ] {
            // Misplaced rooks and kings may check the enemy, so both sides are tried.
            refuses::<Gothic>(Castling, &format!("{placement} w {right} - 0 1"));
            refuses::<Gothic>(Castling, &format!("{placement} b {right} - 0 1"));
        }
        for wrong in ["KK", "KQkqq", "KQkqx", "K-", "KJ", "HAha", "kq KQ"] {
            let error = Gothic::from_fen(&at_home.replace("KQkq", wrong));
            assert!(error.is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_side_not_to_move_is_not_in_check() {
        let check = "r4k4/10/10/10/10/10/10/5K3R b - - 0 1";
        reads::<Gothic>(check, check);
        for fen in [
            "5k4/10/10/10/10/10/10/5K3r b - - 0 1",
            "5k4/10/10/10/10/10/10/5R3K w - - 0 1",
            "10/10/10/4kK4/10/10/10/10 w - - 0 1",
            "5k4/4P5/10/10/10/10/10/5K4 w - - 0 1",
        ] {
            refuses::<Gothic>(Side, fen);
        }
    }

    #[test]
    fn en_passant_is_behind_a_pawn_that_can_just_have_moved() {
        let capture = "5k4/10/10/2PpP5/10/10/10/5K4 w - d6 0 1";
        reads::<Gothic>(capture, capture);
        for wrong in ["c6", "d5", "d3", "d7", "e6", "a6", "k6", "d66", "D6", "d06"] {
            refuses::<Gothic>(EnPassant, &capture.replace("d6", wrong));
        }
        for fen in [
            // A piece stands on the square, or on the one where the pawn came from.
            "5k4/10/3n6/2PpP5/10/10/10/5K4 w - d6 0 1",
            "5k4/3n6/10/2PpP5/10/10/10/5K4 w - d6 0 1",
            // No pawn, no enemy pawn, and a pawn of the side that is not to move.
            "5k4/10/10/2PnP5/10/10/10/5K4 w - d6 0 1",
            "5k4/10/10/2PPP5/10/10/10/5K4 w - d6 0 1",
            "5k4/10/10/2PpP5/10/10/10/5K4 b - d6 0 1",
        ] {
            refuses::<Gothic>(EnPassant, fen);
        }
    }

    #[test]
    fn en_passant_is_dropped_when_no_capture_is_legal() {
        for fen in [
            // Nobody is beside it, the capturer is pinned, and both pawns leave a rank.
            "5k4/10/10/3p6/10/10/10/5K4 w - d6 0 1",
            "2r2k4/10/10/2Pp6/10/10/10/2K7 w - d6 0 1",
            "5k4/10/10/K1Pp1r4/10/10/10/10 w - d6 0 1",
            // The king is in check from elsewhere.
            "5k4/10/10/2PpP5/10/10/10/r4K4 w - d6 0 1",
        ] {
            reads::<Gothic>(fen, &fen.replace("d6", "-"));
        }
        let start = Gothic::START.replace("PPPPPPPPPP/", "PPPPP1PPPP/").replacen(
            "10/10/10/10",
            "10/10/5P4/10",
            1,
        );
        let sent_by_guis = start.replace("w KQkq -", "b KQkq f3");
        reads::<Gothic>(&sent_by_guis, &sent_by_guis.replace("f3", "-"));
    }

    #[test]
    fn finished_games_and_many_pieces_are_read() {
        for fen in [
            "5k4/10/10/10/10/10/10/5K4 w - - 0 1",
            "5k4/10/10/10/10/10/10/R4K4 w - - 100 80",
            "5k4/10/10/10/10/10/10/R4K4 w - - 4294967295 80",
            "QQQQQQQQQQ/QQQQQQQQQQ/10/10/10/10/9k/K9 b - - 0 1",
        ] {
            reads::<Gothic>(fen, fen);
        }
    }
}

mod congress {
    use super::*;
    use games::Congress;

    #[test]
    fn politicians_are_what_their_wing_makes_them() {
        for fen in [
            "k7/8/8/4H3/8/K7 w - - 0 1",
            "k7/8/8/4h3/8/K7 w - - 0 1",
            "k7/8/8/3B4/8/K7 w - - 0 1",
            "k7/8/8/b7/8/K7 w - - 0 1",
        ] {
            refuses::<Congress>(Placement, fen);
        }
        let borders = "k7/8/8/H2hb2B/8/K7 w - - 0 1";
        reads::<Congress>(borders, borders);
    }

    #[test]
    fn kings_stand_on_their_own_first_rank_one_in_a_wing() {
        for fen in [
            "k7/K7/8/8/8/8 w - - 0 1",
            "8/k7/8/8/8/K7 w - - 0 1",
            "K7/8/8/8/8/k7 w - - 0 1",
            "k7/8/8/8/8/KK6 w - - 0 1",
            "4k2k/8/8/8/8/K7 w - - 0 1",
            "k7/8/8/8/8/K3K2K w - - 0 1",
            "8/8/8/8/8/8 w - - 0 1",
            "8/1pp5/8/8/1PP5/8 w - - 0 1",
        ] {
            refuses::<Congress>(Placement, fen);
        }
    }

    #[test]
    fn the_clock_counts_as_0() {
        reads::<Congress>("k7/8/8/8/8/K7 b - - 73 9", "k7/8/8/8/8/K7 b - - 0 9");
    }

    #[test]
    fn finished_games_and_many_pieces_are_read() {
        for fen in [
            "8/8/8/8/8/K6K w - - 0 1",
            "k7/8/8/8/8/8 w - - 0 1",
            "k6k/8/8/8/8/K6K w - - 0 1",
            // Pawns stay on the last rank.
            "PPPPPPPk/8/8/8/8/Kppppppp w - - 0 1",
        ] {
            reads::<Congress>(fen, fen);
        }
    }
}

mod pressman {
    use super::*;
    use games::Pressman;

    #[test]
    fn there_is_one_kind_of_piece() {
        refuses::<Pressman>(Placement, "k7/8/8/8/8/8/8/Q7 w - - 0 1");
        refuses::<Pressman>(Placement, "q7/8/8/8/8/8/8/P7 w - - 0 1");
    }

    #[test]
    fn finished_games_and_many_pieces_are_read() {
        for fen in [
            "8/8/8/8/8/8/8/Q7 b - - 0 30",
            "8/8/8/8/8/8/8/q7 b - - 0 30",
            "q7/8/8/8/8/8/8/Q7 b - - 100 90",
            "qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ b - - 0 1",
        ] {
            reads::<Pressman>(fen, fen);
        }
    }
}

mod crosseyed {
    use super::*;
    use games::CrossEyed;

    /// Three kings, with another rank in place of one.
    fn with_rank(number: usize, rank: &str) -> String {
        let mut ranks: Vec<_> = "****4****/****4****/****4****/***6***/k10k/12/12/12/***6***/\
            ****4****/****4****/****2K1****"
            .split('/')
            .collect();
        ranks[12 - number] = rank;
        format!("{} w - - 0 1", ranks.join("/"))
    }

    #[test]
    fn exactly_the_84_squares() {
        let fen = with_rank(5, "12");
        reads::<CrossEyed>(&fen, &fen);
        for (number, rank) in [
            (12, "12"),
            (12, "4****4"),
            (12, "****4***"),
            (12, "****4*****"),
            (12, "****3*****"),
            (12, "***5****"),
            (12, "***P4****"),
            (12, "****5***"),
            (12, "****4P***"),
            (9, "****4****"),
            (9, "***6**"),
            (9, "6"),
            (9, "P**6***"),
            (5, "*11"),
            (5, "11*"),
            (5, "6*5"),
            (5, "12*"),
            (5, "13"),
        ] {
            refuses::<CrossEyed>(Placement, &with_rank(number, rank));
        }
    }

    #[test]
    fn at_most_two_kings_a_side_and_one_on_the_board() {
        refuses::<CrossEyed>(Placement, &with_rank(5, "k11"));
        refuses::<CrossEyed>(Placement, &with_rank(10, "****KK2****"));
        refuses::<CrossEyed>(Placement, &with_rank(8, "12").replace("2K1", "4"));
    }

    #[test]
    fn no_pawn_where_it_would_have_promoted() {
        for (number, rank) in [(5, "P11"), (5, "11P"), (12, "****p3****"), (1, "****p1K1****")] {
            refuses::<CrossEyed>(Placement, &with_rank(number, rank));
        }
        for (number, rank) in [(5, "p10p"), (12, "****P2P****"), (1, "****P1K1****")] {
            let fen = with_rank(number, rank);
            reads::<CrossEyed>(&fen, &fen);
        }
    }

    #[test]
    fn finished_games_and_many_pieces_are_read() {
        for fen in [
            with_rank(8, "12"),
            with_rank(1, "****4****"),
            with_rank(6, "MMMMMMMMMMMM"),
            with_rank(1, "****2K1****").replace(" 0 1", " 100 99"),
        ] {
            reads::<CrossEyed>(&fen, &fen);
        }
    }
}
