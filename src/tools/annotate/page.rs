//! Annotated games on the page: as PGN, and without an engine with the facts of their positions.

use super::{Annotated, program};
use crate::cli::Failure;
use crate::engine::{Session, Variant};
use crate::page::{engine_inside, page, without_engine};
use crate::protocol::facts;
use crate::records::json::{Object, array, string};
use crate::records::pgn::PlayedMove;
use crate::system::Cause;
use std::collections::BTreeMap;
use std::path::Path;

/// The games that a page shows.
pub(super) struct Shown {
    /// The head of the page, with the engine if there is one.
    head: String,
    has_engine: bool,
    pgn: String,
    variants: Vec<Variant>,
    /// The first positions, by the names of their games and their FENs.
    starts: BTreeMap<(&'static str, String), Position>,
}

/// A position, the move that led to it, and what follows in the games.
struct Position {
    mv: String,
    facts: Object,
    next: Vec<Self>,
}

impl Shown {
    /// Creates a page without games, with the engine inside if there is a module.
    pub(super) fn new(module: Option<&Path>) -> Result<Self, Failure> {
        Ok(Self {
            head: module.map_or_else(|| Ok(without_engine()), engine_inside)?,
            has_engine: module.is_some(),
            pgn: String::new(),
            variants: Vec::new(),
            starts: BTreeMap::new(),
        })
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: Annotated) -> Result<(), Cause> {
        let Annotated { variant, mut record, eval, .. } = game;
        if self.variants.iter().all(|other| other.info.name != variant.info.name) {
            self.variants.push(variant);
        }
        let mut session = record.open(variant)?;
        // The curve begins before the first move.
        record.comment =
            eval.into_iter().chain(record.comment).reduce(|all, more| all + " " + &more);
        let fen = session.fen();
        if let Some((_, tag)) = record.tags.iter_mut().find(|(name, _)| name == "FEN") {
            tag.clone_from(&fen);
        }
        let begin = || Position { mv: String::new(), facts: facts(&*session), next: Vec::new() };
        let start = self.starts.entry((variant.info.name, fen)).or_insert_with(begin);
        start.note(&mut *session, &mut record.moves)?;
        self.pgn += &record.to_string();
        Ok(())
    }

    /// Returns the page.
    pub(super) fn page(&self) -> String {
        let mut program = program().with("pgn", string(&self.pgn));
        if !self.has_engine {
            let add = |all: Object, ((name, fen), start): (&(&str, String), &Position)| {
                all.with(&format!("{name} {fen}"), start.json())
            };
            program = program.with("positions", self.starts.iter().fold(Object::new(), add));
        }
        page(&self.variants, program, &self.head)
    }
}

impl Position {
    /// Notes the positions behind moves, with their variations, and writes the moves in SAN. What is no move of a
    /// variation stays text.
    fn note(&mut self, session: &mut dyn Session, moves: &mut [PlayedMove]) -> Result<(), Cause> {
        let mut position = self;
        for played in moves {
            for variation in &mut played.variations {
                position.note(&mut *session.fork(), &mut variation.moves)?;
            }
            let Ok(mv) = session.read_san(&played.text) else { break };
            played.text = session.san(&mv).unwrap_or_default();
            session.play(&mv)?;
            let known = position.next.iter().position(|next| next.mv == mv);
            let at = known.unwrap_or_else(|| {
                let facts =
                    facts(session).with("move", string(&mv)).with("san", string(&played.text));
                position.next.push(Self { mv, facts, next: Vec::new() });
                position.next.len() - 1
            });
            position = &mut position.next[at];
        }
        Ok(())
    }

    fn json(&self) -> Object {
        self.facts.clone().with("next", array(self.next.iter().map(Self::json)))
    }
}
