//! Nodes of the search: windows, facts about the position and about its moves.

use super::history::PieceTo;
use super::params::FAR_AHEAD;
use super::table::TtEntry;
use crate::games::Move;

/// The window and the ply of a node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub ply: usize,
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// True in a node expected to fail high.
    pub cut_node: bool,
    /// The move left out by a singular search.
    pub excluded: Option<Move>,
}

/// The static value of a position.
#[derive(Clone, Copy)]
pub(super) struct StaticEval {
    /// The static evaluation with its correction.
    pub eval: i32,
    /// The best estimate of the value: the evaluation, or a bound from the table.
    pub estimate: i32,
    /// The size of the correction: the larger, the less the evaluation is worth.
    pub correction: i32,
}

/// Node facts gathered before its moves are searched.
pub(super) struct NodeInfo {
    pub entry: Option<TtEntry>,
    /// `None` in check.
    pub eval: Option<StaticEval>,
    /// True if the side to move stands better than at its last moves.
    pub improving: bool,
    /// True if the node lies or lay on a principal variation.
    pub tt_pv: bool,
}

impl NodeInfo {
    /// Returns the size of the evaluation's correction; 0 in check.
    pub(super) fn correction(&self) -> i32 {
        self.eval.map_or(0, |known| known.correction)
    }

    /// Returns whether a side is so far ahead that a mate may be near; `None` in check.
    pub(super) fn far_ahead(&self) -> Option<bool> {
        self.eval.map(|known| known.eval.abs() >= FAR_AHEAD)
    }

    pub(super) fn tt_move(&self) -> Option<Move> {
        self.entry.and_then(|entry| entry.mv)
    }
}

/// A move that is about to be searched.
pub(super) struct Candidate {
    pub moved: PieceTo,
    /// The number of the move in the node, from 1.
    pub number: i32,
    pub tactical: bool,
    /// The index of the kind captured.
    pub captured: Option<usize>,
    pub gives_check: bool,
    /// True for a capture that loses material.
    pub losing: bool,
    pub history: i32,
}

/// The moves that a node need not search.
pub(super) enum Prune {
    None,
    Move,
    /// The move, and all quiet moves after it.
    Quiets,
}

/// The search plan of one move.
pub(super) struct MovePlan {
    /// The number of the move in the node, from 1.
    pub number: i32,
    /// The full depth.
    pub depth: i32,
    /// The plies that the first search of the move is reduced by; negative for a deeper one.
    pub reduction: i32,
    /// The best value so far.
    pub best: i32,
}

impl Node {
    /// Returns true in a PV node (open window).
    #[inline]
    pub(super) fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// Returns the child with the full window.
    #[inline]
    pub(super) fn child(&self, depth: i32) -> Self {
        Self {
            ply: self.ply + 1,
            depth,
            alpha: -self.beta,
            beta: -self.alpha,
            cut_node: false,
            excluded: None,
        }
    }

    /// Returns the child with a null window at `beta`, which ProbCut raises.
    #[inline]
    pub(super) fn null_window_child(&self, beta: i32, depth: i32) -> Self {
        Self {
            ply: self.ply + 1,
            depth,
            alpha: -beta,
            beta: 1 - beta,
            cut_node: !self.cut_node,
            excluded: None,
        }
    }

    /// Returns the child with a null window at alpha.
    #[inline]
    pub(super) fn scout(&self, depth: i32, cut_node: bool) -> Self {
        Self { cut_node, ..self.null_window_child(self.alpha + 1, depth) }
    }
}

/// The window and the ply of a quiescence node.
#[derive(Clone, Copy)]
pub(super) struct QuietNode {
    pub ply: usize,
    /// Plies since the main search ended.
    pub quiet_ply: i32,
    pub alpha: i32,
    pub beta: i32,
}

impl QuietNode {
    /// Creates the first quiescence node below the main search.
    #[inline]
    pub(super) const fn new(ply: usize, alpha: i32, beta: i32) -> Self {
        Self { ply, quiet_ply: 0, alpha, beta }
    }

    #[inline]
    pub(super) const fn child(&self) -> Self {
        Self {
            ply: self.ply + 1,
            quiet_ply: self.quiet_ply + 1,
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    #[inline]
    pub(super) const fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }
}
