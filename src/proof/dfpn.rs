//! Depth-first proof-number search (A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications", 2002): a search that asks only who wins.
//!
//! It searches the line that needs the fewest further positions, as proof-number search does
//! (L. V. Allis, 1994). It keeps no tree. A node is left when its numbers reach limits that its
//! parent has set, and a table keeps what was found. A position that was never searched gets its
//! numbers from the network (A. Nagai and H. Imai, "Application of df-pn+ to Othello Endgames",
//! 1999). The game may have no draws and no way back to an earlier position.

use super::table::{INFINITE, MOST, Numbers, ProofTable};
use crate::cli::interrupt::Interrupt;
use crate::cli::{Console, Failure};
use crate::engine::{Entry, shipped};
use crate::eval::Evaluator;
use crate::games::{GameExt, Move};
use crate::system::interval::Interval;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::time::Duration;

/// Upper bound of the plies of a line.
const PLIES: usize = 1000;
/// The proof and the disproof number of a new position with even chances.
const EVEN: f64 = 100.0;
/// The evaluation, in centipawns, that divides the proof number and multiplies the disproof number by e.
const SPREAD: f64 = 600.0;
/// The upper bound of a new position's numbers.
const GREATEST_GUESS: f64 = 60_000.0;
/// A child is searched until it is worse than the second best by a factor of 1 + 1/`PATIENCE`
/// (J. Pawlewicz and Ł. Lew, "Improving Depth-First PN-Search: 1 + ε Trick", 2006).
const PATIENCE: u64 = 4;

/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_secs(10);
/// Nodes between two checks of the clock.
const NODES_PER_LOOK: u64 = 1 << 16;

/// A search for the winner of positions, which reports its progress.
pub(super) struct Prover<'c, G> {
    pub table: ProofTable,
    evaluator: Evaluator,
    /// Positions whose moves were generated.
    pub nodes: u64,
    node_limit: u64,
    interrupt: Interrupt,
    console: &'c mut dyn Console,
    interval: Interval,
    /// The winning move of the won node that [`search`](Self::search) left last.
    last_win: Option<Move>,
    /// Child lists for reuse.
    lists: Vec<Vec<Child>>,
    game: PhantomData<G>,
}

/// A move of a node, with the numbers of the position after it.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub mv: Move,
    pub numbers: Numbers,
}

/// The numbers of a node, from those of its children.
pub(super) struct Combined {
    pub numbers: Numbers,
    /// The child to search next.
    pub best: usize,
    /// The least disproof number among the other children.
    second: u64,
}

/// Returns the numbers of a position that is over.
fn end<G: Entry>(position: &G) -> Option<Numbers> {
    let winner = position.outcome()?.winner;
    Some(if winner == Some(position.to_move()) { Numbers::WON } else { Numbers::LOST })
}

impl<'c, G: Entry> Prover<'c, G> {
    pub(super) fn new(
        table: ProofTable,
        interrupt: &Interrupt,
        console: &'c mut dyn Console,
    ) -> Self {
        Self {
            table,
            evaluator: Evaluator::new::<G>(shipped::<G>(), PLIES),
            nodes: 0,
            node_limit: u64::MAX,
            interrupt: interrupt.clone(),
            console,
            interval: Interval::new(PROGRESS),
            last_win: None,
            lists: Vec::new(),
            game: PhantomData,
        }
    }

    /// Searches a position until it is decided, an interrupt comes or the nodes have reached a
    /// limit.
    pub(super) fn prove(&mut self, position: &G, node_limit: u64) -> Numbers {
        let known = self.numbers(position);
        if known.is_decided() {
            return known;
        }
        self.node_limit = node_limit;
        self.search_fully(position)
    }

    fn search_fully(&mut self, position: &G) -> Numbers {
        let limits = Numbers { proof: INFINITE, disproof: INFINITE };
        self.search(position, 0, limits)
    }

    /// Returns the numbers of a position as far as they are known.
    pub(super) fn numbers(&mut self, position: &G) -> Numbers {
        self.known(position).unwrap_or_else(|| self.guess(position, 0))
    }

    fn known(&self, position: &G) -> Option<Numbers> {
        self.table.probe(position.key()).or_else(|| end(position))
    }

    /// Guesses the numbers of a position that was never searched, from its chances by the network.
    fn guess(&mut self, position: &G, ply: usize) -> Numbers {
        let odds = f64::from(self.evaluator.evaluate(position, ply)) / SPREAD;
        let number = |odds: f64| (EVEN * odds.exp()).clamp(1.0, GREATEST_GUESS) as u64;
        Numbers { proof: number(-odds), disproof: number(odds) }
    }

    /// Returns the moves of a node, up to one that wins. New positions after them get their numbers
    /// in the table.
    pub(super) fn children(&mut self, position: &G, ply: usize) -> Vec<Child> {
        let mut children = self.lists.pop().unwrap_or_default();
        children.clear();
        let moves = position.legal_moves();
        for &mv in &moves {
            self.table.prefetch(position.likely_key_after(mv));
        }
        let mut is_evaluated = false;
        for mv in moves {
            let mut next = position.clone();
            next.play(mv);
            let numbers = self.known(&next).unwrap_or_else(|| {
                // The children are evaluated by what they change in this position.
                if !std::mem::replace(&mut is_evaluated, true) {
                    self.evaluator.evaluate(position, ply);
                }
                let numbers = self.guess(&next, ply + 1);
                self.table.store(next.key(), numbers, 0);
                numbers
            });
            children.push(Child { mv, numbers });
            if numbers.disproof == 0 {
                break;
            }
        }
        children
    }

    /// Searches a node until one of its numbers reaches its limit.
    fn search(&mut self, position: &G, ply: usize, limits: Numbers) -> Numbers {
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) && self.interval.is_over() {
            let millions = self.nodes as f64 / 1e6;
            self.console.warn(&format!("{millions:.1} million nodes"));
        }
        let mut children = self.children(position, ply);
        let numbers = loop {
            let Combined { numbers, best, second } = combine(&children);
            if numbers.proof == 0 {
                self.last_win = Some(children[best].mv);
            }
            if numbers.proof >= limits.proof
                || numbers.disproof >= limits.disproof
                || self.nodes >= self.node_limit
                || self.interrupt.is_set()
            {
                break numbers;
            }
            let Child { mv, numbers: child } = children[best];
            // The child is left when it has used up what this node may still grow by, or is no
            // longer the best. Its disproof number is this node's proof number.
            let others = numbers.disproof - child.proof.min(numbers.disproof);
            let child_limits = Numbers {
                proof: if limits.disproof == INFINITE {
                    INFINITE
                } else {
                    (limits.disproof - others).max(child.proof + 1)
                },
                disproof: limits.proof.min(second.saturating_add(1 + second / PATIENCE)),
            };
            let mut next = position.clone();
            next.play(mv);
            children[best].numbers = self.search(&next, ply + 1, child_limits);
        };
        self.lists.push(children);
        self.table.store(position.key(), numbers, self.nodes - before);
        numbers
    }

    /// Returns a winning move of a position that is said to be won. What the table has lost is
    /// searched again. `None` after an interrupt, or if there is none.
    fn winning_move(&mut self, position: &G) -> Option<Move> {
        let children = self.children(position, 0);
        if let Some(child) = children.iter().find(|child| child.numbers.disproof == 0) {
            return Some(child.mv);
        }
        self.node_limit = u64::MAX;
        let numbers = self.search_fully(position);
        self.last_win.filter(|_| numbers.proof == 0)
    }

    /// Passes to `write` the moves that the winner of a decided position needs, each after the moves
    /// that follow it. Positions with their keys in `written` are left out with all that follows.
    ///
    /// # Errors
    ///
    /// An interrupt, a position known as won in which the search finds no win, or a fault of `write`.
    pub(super) fn write_moves(
        &mut self,
        position: &G,
        mut written: HashSet<u64>,
        mut write: impl FnMut(&G, Move) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(winner) = self.numbers(position).winner(position.to_move()) else {
            return Ok(());
        };
        let mut open = vec![(position.clone(), None)];
        while let Some((position, mv)) = open.pop() {
            if let Some(mv) = mv {
                write(&position, mv)?;
                continue;
            }
            if end(&position).is_some() || !written.insert(position.key()) {
                continue;
            }
            let after = |mv| {
                let mut next = position.clone();
                next.play(mv);
                (next, None)
            };
            if position.to_move() != winner {
                open.extend(position.legal_moves().into_iter().map(after));
                continue;
            }
            let mv = self.winning_move(&position);
            if self.interrupt.is_set() {
                let left = "not all moves of the winner were written";
                return Err(Failure::Interrupted(left.into()));
            }
            let mv = mv.ok_or_else(|| {
                let (fen, winner) = (position.fen(), winner.name());
                Failure::refused(format!(
                    "{fen}: a file or the table says that {winner} wins, but the search disagrees"
                ))
            })?;
            open.push((position.clone(), Some(mv)));
            open.push(after(mv));
        }
        Ok(())
    }
}

/// Combines the numbers of the children of a node. One child that is lost for its side proves it,
/// and all children won disprove it: a child's disproof number counts as a proof number here, and
/// the other way round.
pub(super) fn combine(children: &[Child]) -> Combined {
    let mut proof = INFINITE;
    let (mut best, mut second) = (0, INFINITE);
    let mut sum = 0u64;
    for (index, child) in children.iter().enumerate() {
        let numbers = child.numbers;
        let is_cheaper = || numbers.proof < children[best].numbers.proof;
        if numbers.disproof < proof || numbers.disproof == proof && is_cheaper() {
            second = proof;
            (proof, best) = (numbers.disproof, index);
        } else {
            second = second.min(numbers.disproof);
        }
        sum = sum.saturating_add(numbers.proof);
    }
    let disproof = match proof {
        0 => INFINITE,
        INFINITE => 0,
        _ => sum.min(MOST),
    };
    Combined { numbers: Numbers { proof, disproof }, best, second }
}
