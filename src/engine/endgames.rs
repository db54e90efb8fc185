//! The solved endings that searches of a game consult: three pieces without any file, more from
//! a folder.

use crate::endings::{EndingTable, Endings, Material, SolveError, Value, Watch};
use crate::games::Game;
use crate::system::sync::{cores, lock};
use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

/// Searches that begin with more pieces than this consult no endings, which they would reach too
/// rarely.
const MOST_AT_ROOT: u32 = 7;
/// Sets of at most this many pieces are solved when they are first needed.
const SOLVED_MEN: usize = 3;

/// The tables of a game, and the state of solving more.
#[derive(Default)]
pub(super) struct Endgames {
    endings: Arc<Endings>,
    /// The sets that cannot be solved.
    refused: Mutex<HashSet<Material>>,
    /// Serialises solving.
    turn: Mutex<()>,
    /// True while sets are being solved beside searches.
    solves_beside: AtomicBool,
}

/// The endings solved without files, by game; all its sessions share them.
static SOLVED: LazyLock<Mutex<HashMap<TypeId, Arc<Endgames>>>> = LazyLock::new(Mutex::default);

impl Endgames {
    /// Returns the endings of a game without files.
    pub(super) fn of<G: Game>() -> Arc<Self> {
        Arc::clone(lock(&SOLVED).entry(TypeId::of::<G>()).or_default())
    }

    /// Reads the files of a game in a folder. Returns the endings and the number of files.
    pub(super) fn read<G: Game>(folder: &Path) -> io::Result<(Arc<Self>, usize)> {
        let mut tables = 0;
        let endgames = Self::default();
        let begin = format!("{}-", G::NAME);
        for entry in folder.read_dir()? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !(name.starts_with(&begin) && name.ends_with(".end")) {
                continue;
            }
            let table = EndingTable::read::<G>(&path)
                .map_err(|error| io::Error::other(format!("{name}: {error}")))?;
            log::debug!("{} is read", path.display());
            endgames.endings.add::<G>(table);
            tables += 1;
        }
        Ok((Arc::new(endgames), tables))
    }

    /// Returns the endings for a search of a position; none if it has too many pieces. The caller
    /// solves the [`missing`](Self::missing) ones before or beside the search.
    pub(super) fn for_search<G: Game>(&self, position: &G) -> Option<Arc<Endings>> {
        let men = position.placement().occupied().count();
        (men <= MOST_AT_ROOT).then(|| Arc::clone(&self.endings))
    }

    /// Returns the value of a position that is not over for the side to move, if a table has it or
    /// is soon solved.
    pub(super) fn value<G: Game>(&self, position: &G) -> Option<Value> {
        let known = self.endings.value(position);
        let men = position.placement().occupied().count() as usize;
        if known.is_some() || men > SOLVED_MEN {
            return known;
        }
        self.solve::<G>(&[Material::of::<G>(position.placement())], cores(), &|| false);
        self.endings.value(position)
    }

    /// Returns the unsolved sets that a search of a position can reach.
    pub(super) fn missing<G: Game>(&self, position: &G) -> Vec<Material> {
        let mut parts = Material::of::<G>(position.placement()).parts::<G>(SOLVED_MEN);
        let refused = self.refused();
        parts.retain(|men| self.endings.table(men).is_none() && !refused.contains(men));
        parts
    }

    /// Solves sets until `stop` returns true.
    pub(super) fn solve<G: Game>(
        &self,
        sets: &[Material],
        cores: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) {
        // One at a time: most need the tables of the one before.
        let _turn = lock(&self.turn);
        for men in sets.iter().filter(|men| men.pieces().len() <= SOLVED_MEN) {
            if self.refused().contains(men) {
                continue;
            }
            let mut watch = Watch::new(stop, None);
            let endings = &self.endings;
            match endings.solve::<G>(men, cores, &mut watch, None) {
                Ok(()) => log::debug!("{} {} is solved", G::NAME, men.name::<G>()),
                Err(SolveError::Material(_)) => {
                    self.refused().insert(men.clone());
                }
                Err(SolveError::File(..) | SolveError::Interrupted) => return,
            }
        }
    }

    /// Solves sets on a thread of their own. If there is one already, it does nothing, and the next
    /// search asks again.
    pub(super) fn solve_beside<G: Game>(self: &Arc<Self>, sets: Vec<Material>) {
        if self.solves_beside.swap(true, Relaxed) {
            return;
        }
        let endgames = Arc::clone(self);
        let spawned = std::thread::Builder::new().spawn(move || {
            endgames.solve::<G>(&sets, 1, &|| false);
            endgames.solves_beside.store(false, Relaxed);
        });
        if let Err(error) = spawned {
            log::warn!("cannot start a thread to solve endings: {error}");
            self.solves_beside.store(false, Relaxed);
        }
    }

    fn refused(&self) -> MutexGuard<'_, HashSet<Material>> {
        lock(&self.refused)
    }
}
