//! Standard algebraic notation (FIDE Laws of Chess, appendix C; the PGN standard, section 8.2.3),
//! for any game: a piece's letter but for pawns, its file or rank if others of its kind could move,
//! `x` for a capture, the square, `=` and a letter for a promotion, `+` and `#`. Castling is `O-O` to
//! the right and `O-O-O` to the left.

use super::coordinates::{move_text, read_move};
use crate::board::Square;
use crate::games::{Figure, Game, GameExt, Kind, Move};
use crate::system::text::shorten;
use std::borrow::Cow;
use std::fmt;

/// The fault of a text that should be a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SanError {
    /// It is not written as a move.
    NotAMove(String),
    /// It is no legal move.
    Illegal {
        /// The text.
        text: String,
        /// The position.
        fen: String,
        /// The legal moves to the same square.
        there: Vec<String>,
    },
    /// It could be several legal moves, whose coordinates follow.
    Ambiguous(String, Vec<String>),
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMove(text) => write!(f, "`{}` is not a move", shorten(text)),
            Self::Illegal { text, fen, .. } => write!(f, "`{}` is illegal in {fen}", shorten(text)),
            Self::Ambiguous(text, moves) => {
                write!(f, "`{}` could be {}", shorten(text), moves.join(" or "))
            }
        }
    }
}

impl std::error::Error for SanError {}

fn letter<G: Game>(kind: Kind) -> Option<char> {
    G::KINDS.get(kind.index()).map(|info| info.letter)
}

/// Returns true for pawns, whose letter is left out.
fn is_pawn<G: Game>(kind: Kind) -> bool {
    G::KINDS[kind.index()].figure == Figure::Pawn
}

/// Returns the kind of the piece that moves.
fn mover<G: Game>(position: &G, mv: Move) -> Option<Kind> {
    Some(position.placement().at(mv.from())?.kind())
}

fn file<G: Game>(square: Square) -> char {
    (b'a' + G::GEOMETRY.file(square)) as char
}

fn name<G: Game>(square: Square) -> String {
    G::GEOMETRY.name(square).to_string()
}

fn rank<G: Game>(square: Square) -> String {
    (G::GEOMETRY.rank(square) + 1).to_string()
}

/// Returns the text of castling, if a legal move is castling: another piece of the side leaves its
/// square too.
fn castling<G: Game>(position: &G, next: &G, mv: Move) -> Option<&'static str> {
    let side = position.to_move();
    let (before, after) = (position.placement().side(side), next.placement().side(side));
    let left = before.without(after).count();
    if left < 2 {
        return None;
    }
    let to_the_right = G::GEOMETRY.file(mv.to()) > G::GEOMETRY.file(mv.from());
    Some(if to_the_right { "O-O" } else { "O-O-O" })
}

/// Returns a legal move in algebraic notation.
pub fn san<G: Game>(position: &G, mv: Move) -> String {
    with_marks(position, mv, without_marks)
}

/// Returns a legal move in long algebraic notation, with both squares: `Nb1-c3`, `e7xd8=Q`.
pub fn lan<G: Game>(position: &G, mv: Move) -> String {
    with_marks(position, mv, |position, mv| {
        let kind = mover(position, mv).filter(|kind| !is_pawn::<G>(*kind));
        let letter = kind.and_then(letter::<G>).map(String::from);
        let link = if position.victim(mv).is_some() { 'x' } else { '-' };
        let (from, to) = (name::<G>(mv.from()), name::<G>(mv.to()));
        format!("{}{from}{link}{to}{}", letter.unwrap_or_default(), promotion::<G>(mv))
    })
}

/// Returns the text of a promotion, empty for other moves.
fn promotion<G: Game>(mv: Move) -> String {
    let letter = mv.promotion().and_then(letter::<G>);
    letter.map_or_else(String::new, |letter| format!("={letter}"))
}

/// Writes castling or the text of another move, with the mark of a check or a win.
fn with_marks<G: Game>(position: &G, mv: Move, plain: impl Fn(&G, Move) -> String) -> String {
    let mut next = position.clone();
    next.play(mv);
    let mut text = match castling(position, &next, mv) {
        Some(castling) => castling.to_string(),
        None => plain(position, mv),
    };
    let is_won = next.outcome().is_some_and(|outcome| outcome.winner == Some(position.to_move()));
    if is_won {
        text.push('#');
    } else if next.in_check() {
        text.push('+');
    }
    text
}

fn without_marks<G: Game>(position: &G, mv: Move) -> String {
    let kind = mover(position, mv);
    let is_pawn = kind.is_some_and(is_pawn::<G>);
    let captures = position.victim(mv).is_some();
    let mut text = String::new();
    if !is_pawn {
        text.extend(kind.and_then(letter::<G>));
    }
    let with_file = is_pawn && captures;
    text.push_str(&distinction::<G>(mv, &twins(position, mv), with_file));
    if captures {
        text.push('x');
    }
    text.push_str(&name::<G>(mv.to()));
    text + &promotion::<G>(mv)
}

/// Returns the squares of other pieces of the same kind that can move to the same square.
fn twins<G: Game>(position: &G, mv: Move) -> Vec<Square> {
    let kind = mover(position, mv);
    let is_twin = |other: &Move| {
        other.to() == mv.to()
            && other.from() != mv.from()
            && other.promotion() == mv.promotion()
            && mover(position, *other) == kind
    };
    let moves = position.legal_moves().into_iter();
    moves.filter(is_twin).map(Move::from).collect()
}

/// Distinguishes the first square of a move from others: by nothing if there are none, by its
/// file, its rank, or both. With `with_file` the file always stands.
fn distinction<G: Game>(mv: Move, others: &[Square], with_file: bool) -> String {
    let from = mv.from();
    let same_file = others.iter().any(|&other| file::<G>(other) == file::<G>(from));
    let same_rank = others.iter().any(|&other| rank::<G>(other) == rank::<G>(from));
    match (others.is_empty(), same_file, same_rank) {
        (true, ..) if with_file => file::<G>(from).to_string(),
        (true, ..) => String::new(),
        (_, false, _) => file::<G>(from).to_string(),
        (_, true, false) if !with_file => rank::<G>(from),
        _ => name::<G>(from),
    }
}

/// A text taken apart.
struct SanParts<'t> {
    kind: Option<char>,
    from: &'t str,
    to: &'t str,
    promotion: Option<char>,
}

impl<'t> SanParts<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let (text, promotion) = match text.trim_end_matches(')').char_indices().next_back()? {
            (at, letter) if letter.is_ascii_alphabetic() => {
                let rest = &text[..at];
                (rest.strip_suffix(['=', '/', '(']).unwrap_or(rest), Some(letter))
            }
            _ => (text, None),
        };
        let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let at = (text.len() - digits).checked_sub(1).filter(|_| digits > 0)?;
        let (rest, to) = text.split_at_checked(at)?;
        let rest = rest.strip_suffix(['x', '-', ':']).unwrap_or(rest);
        let kind = rest.chars().next().filter(char::is_ascii_uppercase);
        Some(Self {
            kind,
            from: &rest[kind.map_or(0, char::len_utf8)..],
            to,
            promotion: promotion.map(|letter| letter.to_ascii_uppercase()),
        })
    }

    /// Returns true if a legal move has these parts.
    fn matches<G: Game>(&self, position: &G, mv: Move) -> bool {
        let from = name::<G>(mv.from());
        let from_fits = self.from.is_empty()
            || self.from == from
            || self.from == rank::<G>(mv.from())
            || self.from.chars().eq([file::<G>(mv.from())]);
        let kind = mover(position, mv);
        let kind_fits = match self.kind {
            Some(named) => kind.and_then(letter::<G>) == Some(named),
            // A whole square needs no letter.
            None => self.from == from || kind.is_some_and(is_pawn::<G>),
        };
        name::<G>(mv.to()) == self.to
            && from_fits
            // With one kind, a letter would distinguish nothing.
            && (kind_fits || G::KINDS.len() == 1)
            && mv.promotion().and_then(letter::<G>) == self.promotion
    }
}

/// Replaces figurines, as in `♘c3`, by the letters of the game.
fn in_letters<G: Game>(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let letter_of = |figure| {
        let kind = G::KINDS.iter().find(|kind| kind.figure == figure);
        kind.map_or('?', |kind| kind.letter)
    };
    let replace = |symbol| match symbol {
        '♔' | '♚' => Some(letter_of(Figure::King)),
        '♕' | '♛' => Some(letter_of(Figure::Queen)),
        '♖' | '♜' => Some(letter_of(Figure::Rook)),
        '♗' | '♝' => Some(letter_of(Figure::Bishop)),
        '♘' | '♞' => Some(letter_of(Figure::Knight)),
        // A pawn has no letter, and some fonts want a selector.
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => None,
        '‐' | '‑' | '–' | '—' | '−' => Some('-'),
        '×' => Some('x'),
        other => Some(other),
    };
    text.chars().filter_map(replace).collect()
}

/// Reads a legal move in algebraic notation or in coordinates, with or without marks of check and
/// praise.
pub fn read_san<G: Game>(position: &G, text: &str) -> Result<Move, SanError> {
    let told = || text.to_string();
    let plain = in_letters::<G>(text);
    let plain = plain.trim_end_matches(['!', '?']).trim_end_matches(['+', '#']);
    let plain = plain.strip_suffix("e.p.").unwrap_or(plain).trim_end();
    if let Some(mv) = read_move(position, plain) {
        return Ok(mv);
    }
    let moves = position.legal_moves();
    let mut there = Vec::new();
    let castling_text = plain.replace(['0', 'o'], "O");
    let fitting: Vec<Move> = if castling_text.starts_with("O-O") {
        let is_it = |&mv: &Move| {
            let mut next = position.clone();
            next.play(mv);
            castling(position, &next, mv) == Some(castling_text.as_str())
        };
        moves.into_iter().filter(is_it).collect()
    } else {
        let parts = SanParts::of(plain).ok_or_else(|| SanError::NotAMove(told()))?;
        let Some((to, "")) = G::GEOMETRY.read_square(parts.to) else {
            return Err(SanError::NotAMove(told()));
        };
        there = moves.into_iter().filter(|mv| mv.to() == to).collect();
        let fits = |mv: &Move| parts.matches(position, *mv);
        there.iter().copied().filter(fits).collect()
    };
    match fitting[..] {
        [] => {
            let mut there: Vec<_> = there.into_iter().map(|mv| san(position, mv)).collect();
            there.sort_unstable();
            Err(SanError::Illegal { text: told(), fen: position.fen(), there })
        }
        [mv] => Ok(mv),
        _ => {
            let moves = fitting.into_iter().map(move_text::<G>).collect();
            Err(SanError::Ambiguous(told(), moves))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Gothic as GothicChess;
    use crate::positions::{random_positions, test_all_games};

    /// Each legal move has a text of its own, which is read as that move, with marks and
    /// without.
    fn what_is_written_is_read<G: Game>() {
        for position in random_positions::<G>(200).chain([G::start()]) {
            if position.board_outcome().is_some() {
                continue;
            }
            for mv in position.legal_moves() {
                let text = san(&position, mv);
                let fen = position.fen();
                assert_eq!(read_san(&position, &text), Ok(mv), "{text} in {fen}");
                let long = lan(&position, mv);
                assert_eq!(read_san(&position, &long), Ok(mv), "{long} in {fen}");
                let bare = text.trim_end_matches(['+', '#']);
                assert_eq!(read_san(&position, bare), Ok(mv), "{bare} in {fen}");
                let praised = format!("{text}!?");
                assert_eq!(read_san(&position, &praised), Ok(mv), "{praised} in {fen}");
                let coordinates = move_text::<G>(mv);
                assert_eq!(read_san(&position, &coordinates), Ok(mv), "{fen}");
            }
        }
    }

    test_all_games! {
        what_is_written_is_read
    }

    #[test]
    fn long_notation_has_both_squares() {
        for (fen, coordinates, text) in [
            (GothicChess::START, "b1c3", "Nb1-c3"),
            (GothicChess::START, "e2e4", "e2-e4"),
            ("5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1", "f1i1", "O-O"),
            ("5k3r/8P1/10/3pP5/10/10/10/5K4 w - d6 0 2", "e5d6", "e5xd6"),
            ("5k3r/8P1/10/3pP5/10/10/10/5K4 w - d6 0 2", "i7j8a", "i7xj8=A"),
            ("9k/10/9K/10/10/10/10/R9 w - - 0 1", "a1a8", "Ra1-a8#"),
        ] {
            let position = GothicChess::from_fen(fen).expect(fen);
            let mv = read_move(&position, coordinates).expect(coordinates);
            assert_eq!(lan(&position, mv), text, "{fen}");
        }
    }

    #[test]
    fn moves_are_written_as_the_standard_says() {
        let cases: &[(&str, &[&str])] = &[
            (GothicChess::START, &["e2e4 e4", "b1c3 Nc3", "i1j3 Nj3"]),
            // Two rooks on a rank, two on a file, three queens.
            ("5k4/10/10/10/10/5K4/10/R8R w - - 0 1", &["a1e1 Rae1", "j1e1 Rje1", "a1a4 Ra4"]),
            ("R9/9k/10/10/R9/5K4/10/10 w - - 0 1", &["a8a6 R8a6", "a4a6 R4a6", "a4f4 Rf4"]),
            ("10/9k/10/1Q1Q6/10/1Q3K4/10/10 w - - 0 1", &["b5d3 Qb5d3", "d5d3 Qdd3", "b3d3 Q3d3"]),
            ("5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1", &["f1i1 O-O", "f1c1 O-O-O"]),
            // Captures by pawns, one in passing, and promotion.
            (
                "5k3r/8P1/10/3pP5/10/10/10/5K4 w - d6 0 2",
                &["e5d6 exd6", "i7j8a ixj8=A", "i7i8q i8=Q+"],
            ),
            ("9k/10/9K/10/10/10/10/R9 w - - 0 1", &["a1a8 Ra8#"]),
        ];
        for (fen, expected) in cases {
            let position = GothicChess::from_fen(fen).expect(fen);
            for case in *expected {
                let (coordinates, text) = case.split_once(' ').expect("two words");
                let mv = read_move(&position, coordinates).expect(case);
                assert_eq!(san(&position, mv), text, "{fen}");
                assert_eq!(read_san(&position, text), Ok(mv), "{text} in {fen}");
            }
        }
    }

    #[test]
    fn what_people_write_is_read() {
        let position = GothicChess::from_fen("5k3r/8P1/10/3pP5/10/10/10/R4K3R w KQ d6 0 2");
        let position = position.expect("a position");
        for (text, coordinates) in [
            ("exd6", "e5d6"),
            ("exd6e.p.", "e5d6"),
            ("e5xd6", "e5d6"),
            ("e5-d6", "e5d6"),
            ("0-0-0", "f1c1"),
            ("O-O!", "f1i1"),
            ("ixj8=Q??", "i7j8q"),
            ("ixj8q", "i7j8q"),
            ("♜a1–b1", "a1b1"),
            ("♙e5×d6", "e5d6"),
            ("O–O", "f1i1"),
            ("o-o", "f1i1"),
            ("ixj8(Q)", "i7j8q"),
            ("ixj8/Q+", "i7j8q"),
            ("ixj8=♕", "i7j8q"),
            ("Ra1b1", "a1b1"),
            ("Rab1", "a1b1"),
            ("Rxj8+", "j1j8"),
        ] {
            let mv = read_move(&position, coordinates);
            assert_eq!(read_san(&position, text).ok(), mv, "{text}");
        }
        let fault = |text| read_san(&position, text).expect_err(text);
        assert_eq!(fault("Rf9"), SanError::NotAMove("Rf9".into()));
        assert_eq!(fault("hello"), SanError::NotAMove("hello".into()));
        assert_eq!(fault(""), SanError::NotAMove("".into()));
        assert_eq!(fault("é4"), SanError::NotAMove("é4".into()));
        for text in ["Qd4", "i8"] {
            let error = fault(text).to_string();
            assert_eq!(error, format!("`{text}` is illegal in {}", position.fen()));
        }
        let moves = vec!["a1g1".to_string(), "j1g1".into()];
        let position = GothicChess::from_fen("5k4/10/10/10/10/5K4/10/R8R w - - 0 1");
        let position = position.expect("a position");
        let error = read_san(&position, "Rg1").expect_err("two rooks");
        assert_eq!(error, SanError::Ambiguous("Rg1".into(), moves));
        assert_eq!(error.to_string(), "`Rg1` could be a1g1 or j1g1");
    }
}
