//! Every constant of the search, in one table, as answers to questions.
//!
//! Margins are in the unit of [`KindInfo::value`](crate::games::KindInfo::value).

/// Half-width of the first aspiration window, and the depth from which there is one.
pub const ASPIRATION_DELTA: i32 = 20;
/// See [`ASPIRATION_DELTA`].
pub const ASPIRATION_DEPTH: i32 = 5;

/// Up to this depth a node far below alpha is left to quiescence.
pub const RAZORING_DEPTH: i32 = 3;

/// How far below alpha the evaluation must be.
pub const fn razoring_margin(depth: i32) -> i32 {
    200 + 150 * depth
}

/// Up to this depth a node far above beta is cut by its evaluation alone.
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// How far above beta the evaluation must be to cut at once.
pub const fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    80 * (depth - improving as i32)
}

/// From this depth the null move is tried.
pub const NULL_MOVE_DEPTH: i32 = 3;

/// How much shallower the search after a null move is.
pub const fn null_move_reduction(depth: i32, surplus: i32) -> i32 {
    let bonus = surplus / 200;
    3 + depth / 4 + if bonus < 3 { bonus } else { 3 }
}

/// How far below beta the evaluation itself may be.
pub const fn null_move_slack(depth: i32) -> i32 {
    15 * depth
}

/// From this depth a cut-off by the null move is verified.
pub const NULL_MOVE_VERIFICATION_DEPTH: i32 = 14;

/// From this depth ProbCut is tried, and how much shallower it searches.
pub const PROBABLE_CUT_DEPTH: i32 = 5;
/// See [`PROBABLE_CUT_DEPTH`].
pub const PROBABLE_CUT_REDUCTION: i32 = 4;

/// How far above beta a shallow search must be.
pub const fn probable_cut_margin(improving: bool) -> i32 {
    180 - 40 * improving as i32
}

/// From this depth the table's move is compared with all others.
pub const SINGULAR_DEPTH: i32 = 7;

/// How much shallower than the node the table's search may have been for that.
pub const SINGULAR_SHALLOWER: i32 = 3;

/// How much worse the others must be.
pub const fn singular_margin(depth: i32) -> i32 {
    2 * depth
}

/// How much worse than that they must be for a second ply.
pub const DOUBLE_EXTENSION_MARGIN: i32 = 25;

/// From this depth a node without a move from the table is searched one ply shallower.
pub const INTERNAL_REDUCTION_DEPTH: i32 = 5;

/// Up to this depth quiet moves are skipped once enough have been tried.
pub const LATE_MOVE_DEPTH: i32 = 7;

/// How many quiet moves are enough.
pub const fn late_move_count(depth: i32, improving: bool) -> i32 {
    (4 + depth * depth) / (2 - improving as i32)
}

/// Up to this depth quiet moves are skipped when the evaluation is far below alpha.
pub const FUTILITY_DEPTH: i32 = 7;

/// How far below alpha is far.
pub const fn futility_margin(depth: i32) -> i32 {
    100 + 90 * depth
}

/// Up to this depth, as reduced, quiet moves that did badly before are skipped.
pub const HISTORY_PRUNING_DEPTH: i32 = 4;

/// What is badly.
pub const fn history_pruning_margin(depth: i32) -> i32 {
    -4000 * depth
}

/// Up to this depth moves that lose too much in exchanges are skipped.
pub const EXCHANGE_DEPTH: i32 = 7;

/// The most that a move may lose in exchanges.
pub const fn exchange_margin(depth: i32, reduced: i32, tactical: bool) -> i32 {
    if tactical {
        -100 * depth
    } else {
        -30 * depth * reduced
    }
}

/// From this depth late moves are reduced, and from this move on.
pub const LATE_MOVE_REDUCTION_DEPTH: i32 = 3;
/// See [`LATE_MOVE_REDUCTION_DEPTH`].
pub const LATE_MOVE_REDUCTION_MOVE: i32 = 3;

/// From this quiet move on the root reduces too.
pub const ROOT_REDUCTION_MOVE: i32 = 4;

/// The reduction of a late move in 1024ths of a ply, before history: a product of
/// logarithms, tabulated by [`super::worker::Reductions`].
pub fn late_move_reduction(depth: usize, move_number: usize) -> i32 {
    let product = (depth.max(1) as f64).ln() * (move_number.max(1) as f64).ln();
    (1024.0 * (0.6 + product / 2.2)) as i32
}

/// How much history takes one ply off a reduction.
pub const HISTORY_PER_PLY: i32 = 8192;

/// The bonus of a move that caused a cut-off.
pub const fn history_bonus(depth: i32) -> i32 {
    let bonus = 160 * depth - 60;
    if bonus < 1800 { bonus } else { 1800 }
}

/// The greatest size of a history entry.
pub const HISTORY_LIMIT: i32 = 16_384;

/// The greatest size of a correction of the evaluation, in the unit of
/// [`CORRECTION_UNIT`]ths.
pub const CORRECTION_LIMIT: i32 = 1024;
/// What one hundredth of a pawn is in a correction table.
pub const CORRECTION_UNIT: i32 = 16;

/// What quiescence adds to the evaluation and the capture before it gives up a capture.
pub const DELTA_MARGIN: i32 = 150;

/// How many moves quiescence tries in a position that is `quiet_ply` plies deep in it.
pub const fn quiescence_moves(quiet_ply: i32) -> i32 {
    1 + 5 / (1 + quiet_ply)
}

/// How deep in quiescence a check is still answered with all moves. Where the last piece
/// can be attacked on every move, lines of checks alone would go on for ever.
pub const QUIESCENCE_CHECK_PLIES: i32 = 8;
