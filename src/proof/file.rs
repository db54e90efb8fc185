//! Findings about positions as lines of EPD, which programs and people can read:
//!
//! - `FEN bm MOVE;` a move that wins;
//! - `FEN result "1-0"; acn NODES;` the winner, and the nodes of the search that found it;
//! - `FEN proof NUMBER; disproof NUMBER; acn NODES;` the numbers of an undecided position.
//!
//! The moves that the winner needs after a move stand on earlier lines, here or in the files that
//! the run began with.

use super::table::{MOST, Numbers};
use crate::cli::{Console, Failure, sources};
use crate::games::{Game, GameExt, Move, Side, result};
use crate::records::epd::{self, EpdRecord};
use crate::system::Cause;
use crate::system::files::{self, Lines};
use crate::text::{move_text, read_move};
use std::fmt;
use std::path::Path;

/// A line: a position with a fact about it.
#[derive(Clone, Debug)]
pub(super) struct Finding<G> {
    pub position: G,
    pub content: Content,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// A move that wins.
    Move(Move),
    /// The numbers found by a search, and its nodes.
    Numbers(Numbers, u64),
}

/// Returns a position without its counters, which mean nothing in a game without draws.
pub(super) fn fields<G: Game>(position: &G) -> String {
    let fen = position.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

impl<G: Game> Finding<G> {
    pub(super) fn new(position: &G, content: Content) -> Self {
        let position = position.clone();
        Self { position, content }
    }

    /// Reads a line.
    fn read(line: &str) -> Result<Self, Cause> {
        let record = EpdRecord::read(line)?;
        if let Some(name) = record.variant.filter(|&name| name != G::NAME) {
            return Err(format!("it is about {name}, not about {}", G::NAME).into());
        }
        let fen = (record.fen.as_deref()).filter(|_| record.moves.is_empty());
        let fen = fen.ok_or("it does not begin with a FEN")?;
        let position = G::from_fen(fen).map_err(|error| format!("{fen}: {error}"))?;
        if record.best.len() > 1 {
            return Err("it has more than one move".into());
        }
        if let Some(text) = record.best.first() {
            let mv = read_move(&position, text).ok_or_else(|| format!("{text} is not legal"))?;
            let content = Content::Move(mv);
            return Ok(Self { position, content });
        }
        let operand = |name| {
            let mut others = record.others.iter();
            others.find(|other| other.0 == name).map(|other| other.1)
        };
        let number = |name| operand(name).and_then(|text| text.parse().ok());
        let open = |name| number(name).filter(|number| (1..=MOST).contains(number));
        let numbers = match operand("result") {
            Some("1-0") => Numbers::won_by(Side::White, position.to_move()),
            Some("0-1") => Numbers::won_by(Side::Black, position.to_move()),
            Some(other) => return Err(format!("{other} is not a win").into()),
            None => match (open("proof"), open("disproof")) {
                (Some(proof), Some(disproof)) => Numbers { proof, disproof },
                _ => return Err("it has no move, no winner and no proof numbers".into()),
            },
        };
        let nodes = operand("acn").and_then(|text| text.parse().ok());
        let content = Content::Numbers(numbers, nodes.unwrap_or(0));
        Ok(Self { position, content })
    }

    /// Reads a file.
    pub(super) fn read_all(path: &Path) -> Result<Vec<Self>, Failure> {
        let bytes = files::read(path, u64::MAX).map_err(Failure::file(path))?;
        epd::read_all(&bytes[..], Self::read).map_err(Failure::file(path))
    }
}

impl<G: Game> fmt::Display for Finding<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = fields(&self.position);
        match self.content {
            Content::Move(mv) => write!(f, "{fields} bm {};", move_text::<G>(mv)),
            Content::Numbers(numbers, nodes) => match numbers.winner(self.position.to_move()) {
                Some(winner) => {
                    let result = result(Some(winner));
                    write!(f, "{fields} result \"{result}\"; acn {nodes};")
                }
                None => {
                    let Numbers { proof, disproof } = numbers;
                    write!(f, "{fields} proof {proof}; disproof {disproof}; acn {nodes};")
                }
            },
        }
    }
}

/// The file that a run appends its findings to.
pub(super) struct ProofFile<'p> {
    lines: Lines,
    path: &'p Path,
}

impl<'p> ProofFile<'p> {
    /// Opens or creates a file. Warns of a torn last line.
    pub(super) fn open(path: &'p Path, console: &mut dyn Console) -> Result<Self, Failure> {
        let lines = sources::lines(path, console)?;
        Ok(Self { lines, path })
    }

    /// Returns the findings of earlier runs.
    pub(super) fn findings<G: Game>(&self) -> Result<Vec<Finding<G>>, Failure> {
        let text = self.lines.before.join("\n");
        epd::read_all(text.as_bytes(), Finding::read).map_err(Failure::file(self.path))
    }

    /// Appends findings.
    pub(super) fn append<G: Game>(
        &mut self,
        findings: impl Iterator<Item = Finding<G>>,
    ) -> Result<(), Failure> {
        let lines: Vec<_> = findings.map(|finding| finding.to_string()).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let appended = self.lines.append(&lines.join("\n"));
        appended.map_err(Failure::file(self.path))
    }
}
