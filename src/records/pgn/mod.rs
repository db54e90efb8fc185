//! Games as text: PGN, written and read, for any variant.
//!
//! A [`Record`] is one game; its `Display` is the PGN. A [`Reader`] iterates over the records of a
//! file. The moves are text, and need not be legal. The format is defined by S. Edwards, "Portable
//! Game Notation Specification and Implementation Guide" (1994).

mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use reader::{PgnError, Reader};

use super::play;
use crate::engine::{Session, Variant, find_variant};

/// One game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Names and values, in the order in which they are written.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// `1-0` if White has won, `0-1`, `1/2-1/2`, or `*` if there is no result.
    pub result: String,
    /// The FEN of the variant's start, which decides the numbers of the moves if there is no tag
    /// `FEN`. A [`Reader`], which knows no variants, leaves it empty.
    pub start: String,
}

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedMove {
    /// The move, as written.
    pub text: String,
    /// A comment about it.
    pub comment: Option<String>,
    /// An alternative line; a [`Reader`] leaves it out.
    pub variation: Vec<PlayedMove>,
}

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The variant of the tag `Variant`, or `default` without one.
    ///
    /// # Errors
    ///
    /// There is no such variant, or neither tag nor default.
    pub fn variant(
        &self,
        variants: &'static [Variant],
        default: Option<Variant>,
    ) -> Result<Variant, String> {
        match self.tag("Variant") {
            Some(name) => find_variant(variants, name),
            None => default.ok_or_else(|| "there is no tag Variant".into()),
        }
    }

    /// Opens the game before its first move.
    ///
    /// # Errors
    ///
    /// The tag `FEN` is wrong, or missing beside `SetUp`.
    pub fn open(&self, variant: Variant) -> Result<Box<dyn Session>, String> {
        let fen = self.fen();
        if self.tag("FEN").is_none() && self.tag("SetUp") == Some("1") {
            return Err("there is a tag SetUp, but no tag FEN".into());
        }
        let mut session = variant.open();
        session
            .set_position(fen, &[])
            .map_err(|error| error.to_string())?;
        Ok(session)
    }

    /// Rewrites the moves in another notation, as [`Session::san`] does for a move in coordinates.
    ///
    /// # Errors
    ///
    /// A move is illegal; it and those after it are unchanged.
    pub fn rewrite(
        &mut self,
        variant: Variant,
        notation: impl Fn(&dyn Session, &str) -> Option<String>,
    ) -> Result<(), String> {
        let mut session = self.open(variant)?;
        for (number, mv) in (1..).zip(&mut self.moves) {
            let read = session.read_san(&mv.text);
            let text = read.ok().and_then(|mv| notation(&*session, &mv));
            play(&mut *session, number, &mv.text)?;
            mv.text = text.unwrap_or_default();
        }
        Ok(())
    }

    /// The first position; `None` for the start, which cutegames calls `startpos`.
    pub fn fen(&self) -> Option<&str> {
        self.tag("FEN").filter(|&fen| fen != "startpos")
    }
}
