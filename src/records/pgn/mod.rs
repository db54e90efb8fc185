//! Games as text: PGN, written and read, for any variant.
//!
//! A [`Record`] is one game; its `Display` is the PGN. A [`Reader`] gives the records of a
//! file one after the other. The moves are kept as text: what is legal is for the rules to
//! say. The format is that of S. Edwards, "Portable Game Notation Specification and
//! Implementation Guide" (1994).

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
    /// The FEN of the variant's start, by which moves are numbered where no tag names
    /// another; a [`Reader`], which knows no variants, leaves it empty.
    pub start: String,
}

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedMove {
    /// The move as it is written.
    pub text: String,
    /// What was said about it.
    pub comment: Option<String>,
    /// What could have been played instead; a [`Reader`] leaves it out.
    pub variation: Vec<PlayedMove>,
}

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The game that was played: what the tag `Variant` says, or `default` without one.
    ///
    /// # Errors
    ///
    /// There is no such game, or nothing says which.
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

    /// The game before its first move.
    ///
    /// # Errors
    ///
    /// The tag `FEN` is wrong, or missing where another says that there is one.
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

    /// Writes the moves in standard algebraic notation.
    ///
    /// # Errors
    ///
    /// Which move is illegal; those from there on stay as they were.
    pub fn write_san(&mut self, variant: Variant) -> Result<(), String> {
        let mut session = self.open(variant)?;
        for (number, mv) in (1..).zip(&mut self.moves) {
            let read = session.read_san(&mv.text);
            let san = read.as_deref().ok().and_then(|mv| session.san(mv));
            play(&mut *session, number, &mv.text)?;
            mv.text = san.unwrap_or_default();
        }
        Ok(())
    }

    /// The position to begin with; `None` is the start, which cutegames calls `startpos`.
    pub fn fen(&self) -> Option<&str> {
        self.tag("FEN").filter(|&fen| fen != "startpos")
    }
}
