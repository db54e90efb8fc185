//! Solved endings: the value of every placement of a few pieces with best play, and the distance to
//! the end of the game.
//!
//! The solver is written against the trait [`Game`] alone and knows no game. Clock and repetition
//! are ignored: the user of a value must check that enough of the clock is left.

mod index;
mod material;
mod solver;
mod table;

pub use material::{MAX_PIECES, Material, MaterialError, Signature};
pub use table::{EndingTable, Shares, Summary, Value};

use crate::games::Game;
use crate::system::files;
use crate::system::interval::Interval;
use solver::Unsolved;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// The interval of progress reports.
const PROGRESS: Duration = Duration::from_secs(2);

/// Interruption and progress reports of solving.
pub struct Watch<'w> {
    stop: &'w (dyn Fn() -> bool + Sync),
    report: Option<&'w mut dyn FnMut(&str)>,
    interval: Interval,
}

impl<'w> Watch<'w> {
    /// Creates a watch that interrupts the work once `stop` returns true, and reports progress to
    /// `report`.
    pub fn new(
        stop: &'w (dyn Fn() -> bool + Sync),
        report: Option<&'w mut dyn FnMut(&str)>,
    ) -> Self {
        Self { stop, report, interval: Interval::new(PROGRESS) }
    }

    fn report(&mut self, text: &str) {
        if let Some(report) = &mut self.report {
            report(text);
        }
    }

    /// Reports unless something was reported a moment ago.
    fn report_at_times(&mut self, text: impl FnOnce() -> String) {
        if self.interval.is_over() {
            self.report(&text());
        }
    }
}

/// The reason why solving failed.
#[derive(Debug)]
pub enum SolveError {
    /// The set cannot be solved.
    Material(MaterialError),
    /// The file of a table cannot be read or written.
    File(PathBuf, io::Error),
    /// The work was interrupted.
    Interrupted,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Material(error) => error.fmt(f),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for SolveError {}

/// A table, and whether it has the set with the sides exchanged.
type Stored = (Arc<EndingTable>, bool);

/// The solved tables of one game. Tables may be added while threads read them.
#[derive(Default)]
pub struct Endings {
    tables: RwLock<HashMap<Signature, Stored>>,
    /// The largest number of pieces in any table.
    most: AtomicU32,
}

impl Endings {
    /// Returns the largest number of pieces in any table.
    #[inline]
    pub fn most_pieces(&self) -> u32 {
        self.most.load(Relaxed)
    }

    /// Returns the value for the side to move of a position that is not over, if there is a table
    /// with it.
    #[inline]
    pub fn value<G: Game>(&self, position: &G) -> Option<Value> {
        let placement = position.placement();
        // A right to castle or to capture en passant is in no table.
        if placement.occupied().count() > self.most_pieces() || position.key() != placement.key() {
            return None;
        }
        let (table, flipped) = self.entry(Signature::of::<G>(placement)?)?;
        table.value(position, flipped)
    }

    fn entry(&self, signature: Signature) -> Option<Stored> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(&signature).cloned()
    }

    /// Returns the table with a set or its twin, and true if it is the twin's.
    pub fn table(&self, set: &Material) -> Option<(Arc<EndingTable>, bool)> {
        self.entry(set.signature())
    }

    /// Adds a table.
    pub fn add<G: Game>(&self, table: EndingTable) -> Arc<EndingTable> {
        let table = Arc::new(table);
        let set = table.material();
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.insert(set.flipped::<G>().signature(), (Arc::clone(&table), true));
        tables.insert(set.signature(), (Arc::clone(&table), false));
        drop(tables);
        self.most.fetch_max(table.material().pieces().len() as u32, Relaxed);
        table
    }

    /// Solves a set on `threads` threads, after all sets that its moves lead to. Tables that exist
    /// in `folder` are read, and new ones are written there.
    pub fn solve<G: Game>(
        &self,
        set: &Material,
        threads: usize,
        watch: &mut Watch<'_>,
        folder: Option<&Path>,
    ) -> Result<(), SolveError> {
        let solved = set.clone().as_solved::<G>();
        solver::check::<G>(&solved, watch.stop).map_err(SolveError::Material)?;
        let mut under_way = Vec::new();
        let mut missing = vec![solved];
        // The last set is tried first; the sets that it needs are pushed behind it.
        while let Some(set) = missing.last() {
            let set = set.clone().as_solved::<G>();
            if self.table(&set).is_some() {
                missing.pop();
                continue;
            }
            let path = folder.map(|folder| folder.join(set.file_name::<G>()));
            if let Some(path) = path.as_deref().filter(|path| path.exists()) {
                let table = EndingTable::read_set::<G>(path, &set);
                self.add::<G>(table.map_err(|error| SolveError::File(path.into(), error))?);
                continue;
            }
            let captures = set.after_captures::<G>().into_iter();
            let needed: Vec<_> = captures.filter(|set| self.table(set).is_none()).collect();
            if !needed.is_empty() {
                missing.extend(needed);
                continue;
            }
            match solver::solve::<G>(&set, self, threads, watch) {
                Ok(table) => {
                    let table = self.add::<G>(table);
                    if let Some(path) = path {
                        files::write(&path, &table.to_bytes::<G>())
                            .map_err(|error| SolveError::File(path, error))?;
                    }
                }
                Err(Unsolved::Needs(other)) => {
                    // A promotion, or another move that changes the set.
                    if under_way.contains(&(set.clone(), other.clone())) {
                        let why = "its moves lead to sets that depend on each other";
                        return Err(SolveError::Material(MaterialError::Open(why)));
                    }
                    under_way.push((set, other.clone()));
                    missing.push(other);
                }
                Err(Unsolved::Never(error)) => return Err(SolveError::Material(error)),
                Err(Unsolved::Interrupted) => return Err(SolveError::Interrupted),
            }
        }
        Ok(())
    }
}
