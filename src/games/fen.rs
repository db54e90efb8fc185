//! FEN in and out, as far as all games share it (`protocol.md`, "FEN").

use super::{Kind, KindInfo, Piece, Placement, Side};
use crate::board::{Geometry, Square};
use crate::system::text::shorten;
use std::fmt::{self, Display};

/// One of the six fields of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenField {
    /// The pieces, rank by rank from the top.
    Placement,
    /// `w` or `b`.
    Side,
    /// Castling rights or `-`.
    Castling,
    /// The en-passant square or `-`.
    EnPassant,
    /// The halfmove clock.
    Clock,
    /// The fullmove number.
    Fullmove,
}

/// The reason to refuse a FEN: the field and its fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The field at fault.
    pub field: FenField,
    /// The fault, with the offending text.
    pub fault: String,
}

impl FenError {
    /// Creates an error in a field.
    pub fn new(field: FenField, fault: impl Into<String>) -> Self {
        Self { field, fault: fault.into() }
    }
}

impl Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = match self.field {
            FenField::Placement => "placement",
            FenField::Side => "side to move",
            FenField::Castling => "castling",
            FenField::EnPassant => "en passant",
            FenField::Clock => "halfmove clock",
            FenField::Fullmove => "fullmove number",
        };
        write!(f, "{field}: {}", self.fault)
    }
}

impl std::error::Error for FenError {}

/// A FEN with its placement, side and numbers parsed. The game parses the two other fields.
pub struct Fields<'t> {
    /// The pieces, the side to move, the halfmove clock, 0 if missing, and the fullmove
    /// number, 1 if missing.
    pub placement: Placement,
    /// The castling field, `-` if missing.
    pub castling: &'t str,
    /// The en-passant field, `-` if missing.
    pub en_passant: &'t str,
}

impl<'t> Fields<'t> {
    /// Splits a FEN and parses the fields that all games share.
    pub fn read(text: &'t str, geometry: &Geometry, kinds: &[KindInfo]) -> Result<Self, FenError> {
        let mut words = text.split_ascii_whitespace();
        let pieces =
            words.next().ok_or_else(|| FenError::new(FenField::Placement, "it is missing"))?;
        let side = words.next();
        let (castling, en_passant) = (words.next().unwrap_or("-"), words.next().unwrap_or("-"));
        let (clock, fullmove) = (words.next(), words.next());
        let mut placement = Placement::empty(match side {
            Some("b") => Side::Black,
            _ => Side::White,
        });
        read_placement(pieces, geometry, kinds, &mut placement)?;
        match side {
            Some("w" | "b") => {}
            Some(other) => {
                return Err(FenError::new(
                    FenField::Side,
                    format!("`{}` is neither `w` nor `b`", shorten(other)),
                ));
            }
            None => return Err(FenError::new(FenField::Side, "it is missing")),
        }
        placement.set_numbers(
            read_number(clock, 0, FenField::Clock)?,
            read_number(fullmove, 1, FenField::Fullmove)?,
        );
        match words.next() {
            Some(extra) => Err(FenError::new(
                FenField::Fullmove,
                format!("`{}` follows it, but it is the last field", shorten(extra)),
            )),
            None => Ok(Self { placement, castling, en_passant }),
        }
    }

    /// Refuses castling and en-passant fields that hold anything, for a game without both.
    pub fn refuse_castling_and_en_passant(&self) -> Result<(), FenError> {
        for (field, text) in
            [(FenField::Castling, self.castling), (FenField::EnPassant, self.en_passant)]
        {
            if text != "-" {
                return Err(FenError::new(
                    field,
                    format!("`{}`, but this game has none: write `-`", shorten(text)),
                ));
            }
        }
        Ok(())
    }
}

fn read_number(text: Option<&str>, missing: u32, field: FenField) -> Result<u32, FenError> {
    let Some(text) = text else { return Ok(missing) };
    if text.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(number) = text.parse()
    {
        return Ok(number);
    }
    Err(FenError::new(
        field,
        format!("`{}` is not a whole number from 0 to {}", shorten(text), u32::MAX),
    ))
}

fn read_placement(
    text: &str,
    geometry: &Geometry,
    kinds: &[KindInfo],
    board: &mut Placement,
) -> Result<(), FenError> {
    let fault = |fault: String| Err(FenError::new(FenField::Placement, fault));
    let ranks = text.split('/').count();
    if ranks != geometry.ranks() {
        let plural = if ranks == 1 { "" } else { "s" };
        return fault(format!("{ranks} rank{plural}, but the board has {}", geometry.ranks()));
    }
    for (rank, row) in (0..geometry.ranks()).rev().zip(text.split('/')) {
        let name = rank + 1;
        let square = |file: usize| geometry.at(i8::try_from(file).unwrap_or(-1), rank as i8);
        let mut file = 0;
        let mut rest = row;
        while let Some(letter) = rest.chars().next() {
            if letter.is_ascii_digit() {
                let (number, after) =
                    rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
                let empty = number.parse().unwrap_or(usize::MAX).min(1000);
                if number.starts_with('0')
                    || (file..file + empty).any(|file| square(file).is_none())
                {
                    let number = shorten(number);
                    return fault(format!("rank {name}: no room for {number} empty squares"));
                }
                file += empty;
                rest = after;
                continue;
            }
            rest = &rest[letter.len_utf8()..];
            if letter == '*' {
                if file >= geometry.files() || square(file).is_some() {
                    return fault(format!("rank {name}: `*` where the board has a square or ends"));
                }
            } else {
                let Some(piece) = piece_of(letter, kinds) else {
                    return fault(format!("rank {name}: `{letter}` is not a piece of this game"));
                };
                let Some(square) = square(file) else {
                    return fault(format!("rank {name}: no square for the piece `{letter}`"));
                };
                board.put(square, piece);
            }
            file += 1;
        }
        if file != geometry.files() {
            let plural = if file == 1 { "" } else { "s" };
            return fault(format!(
                "rank {name}: {file} file{plural}, but the board has {}",
                geometry.files()
            ));
        }
    }
    Ok(())
}

/// Writes the six fields.
pub(super) fn write(
    placement: &Placement,
    geometry: &Geometry,
    kinds: &[KindInfo],
    castling: &str,
    en_passant: Option<Square>,
) -> String {
    let cell = |file, rank| match geometry.at(file as i8, rank as i8) {
        None => Some('*'),
        Some(square) => placement.at(square).map(|piece| letter(piece, kinds)),
    };
    let files = 0..geometry.files();
    let ranks = (0..geometry.ranks()).rev();
    let ranks = ranks.map(|rank| rank_text(files.clone().map(|file| cell(file, rank))));
    let ranks = ranks.collect::<Vec<_>>().join("/");
    let en_passant =
        en_passant.map_or_else(|| "-".to_string(), |square| geometry.name(square).to_string());
    format!(
        "{ranks} {} {castling} {en_passant} {} {}",
        placement.to_move().letter(),
        placement.clock(),
        placement.fullmove()
    )
}

/// Writes a rank: its letters, and the number of cells without one between them.
pub fn rank_text(cells: impl Iterator<Item = Option<char>>) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for cell in cells {
        match cell {
            None => empty += 1,
            Some(letter) => {
                push_empty(&mut text, &mut empty);
                text.push(letter);
            }
        }
    }
    push_empty(&mut text, &mut empty);
    text
}

fn push_empty(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// Returns the letter of a piece: upper case for White.
pub fn letter(piece: Piece, kinds: &[KindInfo]) -> char {
    let letter = kinds.get(piece.kind().index()).map_or('?', |kind| kind.letter);
    match piece.side() {
        Side::White => letter,
        Side::Black => letter.to_ascii_lowercase(),
    }
}

/// Returns the piece of a letter, White's if it is in upper case.
pub fn piece_of(letter: char, kinds: &[KindInfo]) -> Option<Piece> {
    let upper = letter.to_ascii_uppercase();
    let kind = kinds.iter().position(|kind| kind.letter == upper)?;
    let is_white = letter.is_ascii_uppercase();
    let side = if is_white { Side::White } else { Side::Black };
    Some(Piece::new(side, Kind::new(kind as u8)))
}
