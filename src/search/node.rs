//! The nodes of the search: their windows, and what is known of them and of their moves.

use super::history::PieceTo;
use super::table::TtEntry;
use crate::games::Move;

/// The window and the place of a node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub ply: usize,
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// Whether this node is expected to fail high.
    pub cut_node: bool,
    /// A move that is left out, to see what the others are worth.
    pub excluded: Option<Move>,
}

/// What a position is worth by itself.
#[derive(Clone, Copy)]
pub(super) struct StaticEval {
    /// The static evaluation, corrected by what was learned of it.
    pub eval: i32,
    /// The best guess at the value: the evaluation, or a bound from the table.
    pub estimate: i32,
}

/// What is known of a node before any move is searched.
pub(super) struct NodeInfo {
    pub entry: Option<TtEntry>,
    /// `None` in check.
    pub eval: Option<StaticEval>,
    /// Whether the side to move stands better than at its last moves.
    pub improving: bool,
    /// Whether the node lies or lay on a principal variation.
    pub tt_pv: bool,
}

impl NodeInfo {
    pub fn tt_move(&self) -> Option<Move> {
        self.entry.and_then(|entry| entry.mv)
    }
}

/// A move that is about to be searched.
pub(super) struct Candidate {
    pub moved: PieceTo,
    /// Its number among the moves of the node, from 1.
    pub number: i32,
    pub tactical: bool,
    /// The index of the kind captured.
    pub captured: Option<usize>,
    pub gives_check: bool,
    /// Whether it is a capture that loses material.
    pub losing: bool,
    /// How well it did before.
    pub history: i32,
}

/// The moves that a node need not search.
pub(super) enum Prune {
    None,
    Move,
    /// The move, and all quiet moves after it.
    Quiets,
}

/// How one move of a node is to be searched.
pub(super) struct MovePlan {
    /// Its place among the moves of the node, from 1.
    pub number: i32,
    /// How deep, if it turns out well.
    pub depth: i32,
    /// By how many plies less at first.
    pub reduction: i32,
    /// The best value of the moves before.
    pub best: i32,
}

impl Node {
    /// Whether the window is open: the node may lie on the principal variation.
    #[inline(always)]
    pub fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The node below, with the full window.
    #[inline(always)]
    pub fn child(&self, depth: i32) -> Self {
        Self {
            ply: self.ply + 1,
            depth,
            alpha: -self.beta,
            beta: -self.alpha,
            cut_node: false,
            excluded: None,
        }
    }

    /// A null-window child, asked only whether this side reaches `beta`: ProbCut passes its raised
    /// one.
    #[inline(always)]
    pub fn null_window_child(&self, beta: i32, depth: i32) -> Self {
        Self {
            ply: self.ply + 1,
            depth,
            alpha: -beta,
            beta: 1 - beta,
            cut_node: !self.cut_node,
            excluded: None,
        }
    }

    /// The node below, asked only whether it is better than alpha.
    #[inline(always)]
    pub fn scout(&self, depth: i32, cut_node: bool) -> Self {
        Self {
            cut_node,
            ..self.null_window_child(self.alpha + 1, depth)
        }
    }
}

/// The window and the place of a node of the quiescence search.
#[derive(Clone, Copy)]
pub(super) struct QuietNode {
    pub ply: usize,
    /// Plies since the main search ended.
    pub quiet_ply: i32,
    pub alpha: i32,
    pub beta: i32,
}

impl QuietNode {
    /// Where the main search ends.
    #[inline(always)]
    pub const fn new(ply: usize, alpha: i32, beta: i32) -> Self {
        Self {
            ply,
            quiet_ply: 0,
            alpha,
            beta,
        }
    }

    #[inline(always)]
    pub const fn child(&self) -> Self {
        Self {
            ply: self.ply + 1,
            quiet_ply: self.quiet_ply + 1,
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    #[inline(always)]
    pub const fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }
}
