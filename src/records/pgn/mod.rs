//! Games as text: PGN, written and read, for any variant.
//!
//! A [`Record`] is one game; its `Display` is the PGN. A [`Reader`] iterates over the records of a
//! file. The moves are text, and need not be legal. The format is defined by S. Edwards, "Portable
//! Game Notation Specification and Implementation Guide" (1994).

mod comment;
mod marks;
mod reader;
mod writer;

pub use comment::Comment;
pub use reader::{PgnError, Reader, read_result, without_number};
pub use writer::tag_line;

use crate::engine::{Session, Variant, find_game};
use crate::system::Cause;
use crate::system::text::is_blank;

/// One game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Names and values, in the order in which they are written.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// `1-0` if White has won, `0-1`, `1/2-1/2`, or `*` if there is no result.
    pub result: String,
    /// True if a [`Reader`] found no result behind the moves, as where a file was cut off.
    pub is_torn: bool,
    /// The FEN of the variant's start, which decides the numbers of the moves if there is no tag
    /// `FEN`. A [`Reader`], which knows no variants, leaves it empty.
    pub start: String,
}

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedMove {
    /// The move, as written.
    pub text: String,
    /// Marks behind it: `!`, `?`, `!!`, `??`, `!?` and `?!`, others by their number: `$14`.
    pub marks: Vec<String>,
    /// The comment about it.
    pub comment: Option<String>,
    /// Alternatives to it.
    pub variations: Vec<Variation>,
}

impl PlayedMove {
    /// Creates a move without marks, comment and variations.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// Moves that were not played. They need not be legal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves; the first one replaces the move that the variation belongs to.
    pub moves: Vec<PlayedMove>,
}

impl Variation {
    /// Adds a comment to the last move, or before the first.
    fn add_comment(&mut self, text: &str) {
        let comment = match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.comment,
        };
        add_words(comment, text);
    }

    /// Collects all comments, in their order.
    fn comments(&self) -> Vec<&str> {
        let mut comments: Vec<_> = self.comment.as_deref().into_iter().collect();
        for mv in &self.moves {
            comments.extend(mv.comment.as_deref());
            comments.extend(mv.variations.iter().flat_map(Self::comments));
        }
        comments
    }
}

/// Adds the words of a comment to another.
fn add_words(comment: &mut Option<String>, text: &str) {
    for word in text.split(is_blank).filter(|word| !word.is_empty()) {
        match comment {
            Some(comment) => {
                comment.push(' ');
                comment.push_str(word);
            }
            None => *comment = Some(word.to_string()),
        }
    }
}

impl Record {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Returns the variant of the tag `Variant`, or `default` without one.
    pub fn variant(
        &self,
        variants: &'static [Variant],
        default: Option<Variant>,
    ) -> Result<Variant, Cause> {
        match self.tag("Variant") {
            Some(name) => Ok(find_game(variants, name, self.fen())?),
            None => default.ok_or_else(|| "there is no tag Variant".into()),
        }
    }

    /// Opens the game before its first move.
    pub fn open(&self, variant: Variant) -> Result<Box<dyn Session>, Cause> {
        let fen = self.fen();
        if self.tag("FEN").is_none() && self.tag("SetUp") == Some("1") {
            return Err("there is a tag SetUp, but no tag FEN".into());
        }
        let mut session = variant.open();
        session.set_position(fen, &[])?;
        Ok(session)
    }

    /// Removes a move, but for its comment, which goes to the move before.
    pub(super) fn remove_move(&mut self, index: usize) {
        let Some(comment) = self.moves.remove(index).comment else {
            return;
        };
        let before = index.checked_sub(1).map(|before| &mut self.moves[before].comment);
        add_words(before.unwrap_or(&mut self.comment), &comment);
    }

    /// Rewrites the moves in another notation, as [`Session::san`] does for a move in coordinates.
    /// An illegal move and those after it are unchanged.
    pub fn rewrite(
        &mut self,
        variant: Variant,
        notation: impl Fn(&dyn Session, &str) -> Option<String>,
    ) -> Result<(), Cause> {
        let mut session = self.open(variant)?;
        for mv in &mut self.moves {
            let read = session.read_san(&mv.text);
            let text = read.ok().and_then(|mv| notation(&*session, &mv));
            session.play_san(&mv.text)?;
            mv.text = text.unwrap_or_default();
        }
        Ok(())
    }

    /// Returns the first position; `None` for the start, which cutegames calls `startpos`.
    pub fn fen(&self) -> Option<&str> {
        self.tag("FEN").filter(|&fen| fen != "startpos")
    }
}
