//! Parameters of the search.
//!
//! [`Params`] can be changed while the program runs, so that `quadrille tune` can improve them; the
//! other numbers are fixed. Unless documented otherwise, depths and reductions are in plies,
//! evaluations and margins in centipawns ([`KindInfo::value`](crate::games::KindInfo::value)),
//! histories in parts of [`HISTORY_LIMIT`].

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $low:literal to $high:literal;)*) => {
        /// The tunable parameters of a search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// Defaults, for games without tuned values.
            pub const DEFAULT: Self = Self { $($name: $default,)* };

            /// Names, lowest and highest values.
            pub const RANGES: &[(&str, i32, i32)] = &[$((stringify!($name), $low, $high),)*];

            /// Returns the values in the order of [`Self::RANGES`].
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }

            /// Builds parameters from values in the order of [`Self::RANGES`]. Missing values keep
            /// their defaults, values out of range are clamped.
            pub fn from_values(values: &[i32]) -> Self {
                let mut values = values.iter().copied();
                Self { $($name: values.next().map_or($default, |value| value.clamp($low, $high)),)* }
            }
        }
    };
}

params! {
    /// Half-width of the first aspiration window, in centipawns.
    aspiration: 20, 5 to 60;
    /// Growth of an aspiration window each time the value lies outside, in 16ths.
    aspiration_growth: 8, 2 to 32;
    /// Razoring margin below alpha, in centipawns, at depth 0.
    razoring_base: 219, 50 to 500;
    /// Razoring margin for each ply of depth, in centipawns.
    razoring_depth: 120, 50 to 350;
    /// Margin above beta for reverse futility, in centipawns for each ply of depth.
    reverse_futility: 71, 30 to 180;
    /// Growth of that margin with the correction of the evaluation, in 16ths.
    reverse_futility_correction: 16, 0 to 64;
    /// Null-move reduction at depth 0, in 256ths of a ply.
    null_move_base: 916, 384 to 1280;
    /// Null-move reduction for each ply of depth, in 256ths of a ply.
    null_move_depth: 70, 24 to 128;
    /// Null-move reduction for each centipawn of the evaluation above beta, in 4096ths of a ply.
    null_move_surplus: 19, 8 to 60;
    /// Greatest null-move reduction for the evaluation above beta, in 256ths of a ply.
    null_move_surplus_limit: 768, 0 to 1536;
    /// Margin of the evaluation below beta that still allows a null move, in centipawns for each
    /// ply of depth.
    null_move_slack: 15, 0 to 40;
    /// ProbCut margin above beta, in centipawns.
    probcut: 183, 80 to 320;
    /// Decrease of the ProbCut margin where the side to move is improving, in centipawns.
    probcut_improving: 40, 0 to 120;
    /// Margin of the table's move over all others for a singular extension, in 16ths of a centipawn
    /// for each ply of depth.
    singular: 34, 8 to 80;
    /// Additional margin for a singular extension by a second ply, in centipawns.
    double_extension: 24, 5 to 70;
    /// Decrease of that margin with the correction of the evaluation, in 16ths.
    double_extension_correction: 8, 0 to 32;
    /// Reduction of a table's move that is not singular and whose value reaches beta, in plies.
    not_singular_beta: 2, 0 to 4;
    /// Reduction of another table's move that is not singular in a node expected to fail high, in plies.
    not_singular_cut: 1, 0 to 3;
    /// Number of moves before late-move pruning at depth 0, in 16ths.
    late_move_base: 65, 16 to 160;
    /// Number of moves before late-move pruning for each squared ply of depth, in 16ths.
    late_move_depth: 17, 6 to 32;
    /// Futility margin below alpha at depth 0, in centipawns.
    futility_base: 91, 20 to 300;
    /// Futility margin for each ply of depth, in centipawns.
    futility_depth: 102, 30 to 200;
    /// Negative history that prunes a quiet move, for each ply of depth.
    history_pruning: 2762, 1000 to 8000;
    /// Greatest loss of a capture in exchanges, in centipawns for each ply of depth.
    see_tactical: 91, 40 to 250;
    /// Greatest loss of a quiet move in exchanges, in centipawns for each squared ply of depth.
    see_quiet: 36, 10 to 80;
    /// Reduction of every late move. All `reduction_` figures are in 1024ths of a ply.
    reduction_base: 467, 0 to 1400;
    /// Reduction times the logarithm of the depth and that of the number of the move.
    reduction_product: 460, 250 to 750;
    /// Reduction where the side to move is not improving.
    reduction_not_improving: 925, 0 to 2048;
    /// Reduction in a node expected to fail high.
    reduction_cut: 1122, 0 to 2560;
    /// Reduction where the table's move is tactical.
    reduction_tactical: 1141, 0 to 2048;
    /// Reduction if many child nodes have failed high.
    reduction_cutoffs: 405, 0 to 2048;
    /// Reduction in the search for a win shorter than a known one.
    reduction_shorter_win: 1024, 0 to 2048;
    /// Decrease of the reduction for each centipawn of the evaluation's correction.
    reduction_correction: 12, 0 to 48;
    /// Decrease of the reduction for a check.
    reduction_check: 1024, 0 to 2560;
    /// Decrease of the reduction on the principal variation.
    reduction_pv: 1000, 0 to 2048;
    /// Decrease of the reduction where a principal variation passed before.
    reduction_tt_pv: 732, 0 to 2048;
    /// Share of its reduction that a tactical move gets, in 16ths.
    reduction_of_tactical: 8, 0 to 16;
    /// Greatest loss in exchanges of a quiet check that comes before other quiet moves, in
    /// centipawns.
    check_margin: 75, 0 to 300;
    /// History that takes one ply off a reduction.
    history_per_ply: 7919, 3000 to 16000;
    /// History bonus of a move that caused a cut-off, for each ply of depth.
    bonus_depth: 194, 60 to 400;
    /// Offset subtracted from that bonus.
    bonus_offset: 60, 0 to 300;
    /// Greatest history bonus of a move that caused a cut-off.
    bonus_limit: 1738, 800 to 3600;
    /// Malus of the first quiet move tried before one that caused a cut-off, in 16ths of its bonus.
    malus: 19, 8 to 32;
    /// Malus of each further quiet move tried before it, in 16ths of the one before.
    malus_decay: 15, 8 to 16;
    /// The bonus of the quiet move before a node that failed low, in 16ths of a cut-off's bonus.
    refutation: 13, 0 to 32;
    /// The malus of an early quiet move that the next move refutes, in 16ths of a cut-off's bonus.
    refuted_early: 8, 0 to 32;
    /// Bonus of a quiet move for each centipawn of evaluation gained, in 16ths.
    evaluation_gained: 41, 0 to 128;
    /// Greatest gain of evaluation that counts, in centipawns.
    evaluation_gained_limit: 200, 50 to 600;
    /// Margin over the best value with which a reduced search is repeated one ply deeper, in
    /// centipawns, at depth 0.
    deeper_base: 42, 10 to 120;
    /// Increase of that margin for each ply of depth, in centipawns.
    deeper_depth: 2, 0 to 12;
    /// Reduction of the moves after one that raised alpha, in plies.
    alpha_raised: 1, 0 to 3;
    /// Futility margin below alpha of the evaluation plus the material won by a capture, in
    /// centipawns, at depth 0.
    capture_futility_base: 213, 80 to 500;
    /// Increase of that margin for each ply of depth, in centipawns.
    capture_futility_depth: 197, 50 to 400;
    /// Delta-pruning margin of quiescence, in centipawns.
    delta: 169, 50 to 350;
    /// Moves after the first that quiescence tries at its beginning; fewer below.
    quiescence_moves: 5, 1 to 16;
}

/// This close to a draw by the clock, in plies, only a proven win or loss of the table cuts off.
pub(super) const CLOCK_PLIES_SEARCHED: u32 = 20;
/// Least depth of an aspiration window.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// Greatest half-width of an aspiration window; a wider one is opened.
pub(super) const ASPIRATION_LIMIT: i32 = 1000;
/// Plies searched beyond a mate for a shorter one.
pub(super) const PLIES_BEYOND_MATE: i32 = 4;
/// Greatest absolute alpha for razoring: beyond it mates matter, which the evaluation cannot see.
pub(super) const WINNING: i32 = 1200;
/// Least absolute evaluation at which checks, but not late moves, may be extended.
pub(super) const FAR_AHEAD: i32 = 1000;
/// Greatest depth of razoring.
pub(super) const RAZORING_DEPTH: i32 = 3;
/// Greatest depth of reverse futility.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// Least depth of the null move.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// Least depth at which a null-move cut-off is verified.
pub(super) const NULL_MOVE_VERIFICATION_DEPTH: i32 = 14;
/// Least depth of ProbCut.
pub(super) const PROBCUT_DEPTH: i32 = 5;
/// Plies by which the search of ProbCut is reduced.
pub(super) const PROBCUT_REDUCTION: i32 = 4;
/// Least depth of the singular search.
pub(super) const SINGULAR_DEPTH: i32 = 5;
/// Most plies by which the table's entry may be shallower than a node with a singular search.
pub(super) const SINGULAR_SHALLOWER: i32 = 3;
/// Least depth of internal iterative reduction.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 5;
/// Greatest depth of late-move pruning.
pub(super) const LATE_MOVE_DEPTH: i32 = 7;
/// Greatest reduced depth of futility pruning.
pub(super) const FUTILITY_DEPTH: i32 = 7;
/// Greatest reduced depth of history pruning.
pub(super) const HISTORY_PRUNING_DEPTH: i32 = 4;
/// Greatest depth of pruning by exchanges.
pub(super) const SEE_DEPTH: i32 = 7;
/// Greatest reduced depth of futility pruning of captures.
pub(super) const CAPTURE_FUTILITY_DEPTH: i32 = 6;
/// Depths at which moves after one that raised alpha are searched less deep.
pub(super) const ALPHA_RAISED_DEPTHS: std::ops::Range<i32> = 4..13;
/// Greatest number of cut-offs one ply below that does not count as many.
pub(super) const MANY_CUTOFFS: u32 = 3;
/// A ply as a reduction: reductions are counted in 1024ths of a ply.
pub(super) const REDUCTION_UNIT: i32 = 1024;
/// Least depth of late-move reductions.
pub(super) const LATE_MOVE_REDUCTION_DEPTH: i32 = 2;
/// First move with a late-move reduction.
pub(super) const LATE_MOVE_REDUCTION_MOVE: i32 = 2;
/// The last move that counts as an early one when it is refuted.
pub(super) const EARLY_MOVE: i32 = 2;
/// First quiet move reduced at the root.
pub(super) const ROOT_REDUCTION_MOVE: i32 = 4;
/// Plies by which the root reduces less than other nodes.
pub(super) const ROOT_REDUCTION_LESS: i32 = 1;
/// The greatest absolute history entry.
pub(super) const HISTORY_LIMIT: i32 = 16_384;
/// A centipawn in the unit of correction tables.
pub(super) const CORRECTION_UNIT: i32 = 16;
/// The greatest absolute entry of a correction table.
pub(super) const CORRECTION_LIMIT: i32 = 1024;
/// Weight of the worst thread's vote for each ply of its depth, in centipawns; other votes weigh
/// more by the difference of their values.
pub(super) const VOTE_OFFSET: i32 = 10;
/// Plies of quiescence that answer a check with all moves. In a game whose last piece can be
/// attacked on every move, lines of checks would never end.
pub(super) const QUIESCENCE_CHECK_PLIES: i32 = 8;
/// Plies by which an entry of the transposition table must be deeper than a new one of the same
/// search and position to be kept.
pub(super) const TT_DEEPER: i32 = 3;
/// Plies of depth that one search of age outweighs when an entry is replaced.
pub(super) const TT_AGE_WEIGHT: i32 = 4;

impl Params {
    pub(super) fn wider_aspiration_delta(&self, delta: i32) -> i32 {
        delta + delta * self.aspiration_growth / 16
    }

    #[inline]
    pub(super) fn razoring_margin(&self, depth: i32) -> i32 {
        self.razoring_base + self.razoring_depth * depth
    }

    #[inline]
    pub(super) fn reverse_futility_margin(
        &self,
        depth: i32,
        improving: bool,
        correction: i32,
    ) -> i32 {
        self.reverse_futility * (depth - i32::from(improving))
            + self.reverse_futility_correction * correction / 16
    }

    #[inline]
    pub(super) fn null_move_reduction(&self, depth: i32, surplus: i32) -> i32 {
        let bonus = (surplus * self.null_move_surplus / 16).min(self.null_move_surplus_limit);
        (self.null_move_base + self.null_move_depth * depth + bonus) / 256
    }

    #[inline]
    pub(super) fn null_move_slack(&self, depth: i32) -> i32 {
        self.null_move_slack * depth
    }

    #[inline]
    pub(super) fn probcut_margin(&self, improving: bool) -> i32 {
        self.probcut - self.probcut_improving * i32::from(improving)
    }

    #[inline]
    pub(super) fn singular_margin(&self, depth: i32) -> i32 {
        self.singular * depth / 16
    }

    #[inline]
    pub(super) fn double_extension_margin(&self, correction: i32) -> i32 {
        self.double_extension - self.double_extension_correction * correction / 16
    }

    /// Returns the extension of a table's move that is not singular: 0 or negative.
    #[inline]
    pub(super) fn not_singular_extension(&self, reaches_beta: bool, cut_node: bool) -> i32 {
        if reaches_beta {
            -self.not_singular_beta
        } else {
            -self.not_singular_cut * i32::from(cut_node)
        }
    }

    /// Returns the number of moves before late-move pruning, half as many where the side to move is
    /// not improving.
    #[inline]
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> i32 {
        let count = self.late_move_base + self.late_move_depth * depth * depth;
        count / (32 >> i32::from(improving))
    }

    #[inline]
    pub(super) fn futility_margin(&self, depth: i32) -> i32 {
        self.futility_base + self.futility_depth * depth
    }

    #[inline]
    pub(super) fn history_pruning_margin(&self, depth: i32) -> i32 {
        -self.history_pruning * depth
    }

    #[inline]
    pub(super) fn see_margin(&self, depth: i32, reduced: i32, tactical: bool) -> i32 {
        if tactical { -self.see_tactical * depth } else { -self.see_quiet * depth * reduced }
    }

    /// Returns the part of a late move's reduction that follows from the depth and the move's number
    /// alone, in 1024ths of a ply: it grows with the product of their logarithms. The worker keeps
    /// all of them in a table.
    pub(super) fn late_move_reduction(&self, depth: usize, number: usize) -> i32 {
        let product = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
        self.reduction_base + (f64::from(self.reduction_product) * product) as i32
    }

    /// Returns the change of a reduction by facts of node and move, in 1024ths of a ply.
    #[inline]
    pub(super) fn lmr_adjustment(&self, context: &LmrContext) -> i32 {
        self.reduction_not_improving * i32::from(!context.improving)
            + self.reduction_cut * i32::from(context.cut_node)
            + self.reduction_tactical * i32::from(context.tt_move_is_tactical)
            + self.reduction_cutoffs * i32::from(context.many_cutoffs)
            + self.reduction_shorter_win * i32::from(context.wants_shorter_win)
            - self.reduction_correction * context.correction
            - self.reduction_check * i32::from(context.gives_check)
            - self.reduction_pv * i32::from(context.pv)
            - self.reduction_tt_pv * i32::from(context.tt_pv)
            - context.history * REDUCTION_UNIT / self.history_per_ply
    }

    #[inline]
    pub(super) fn reduction_plies(&self, reduction: i32, tactical: bool) -> i32 {
        let sixteenths = if tactical { self.reduction_of_tactical } else { 16 };
        reduction * sixteenths / 16 / REDUCTION_UNIT
    }

    #[inline]
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        (self.bonus_depth * depth - self.bonus_offset).min(self.bonus_limit)
    }

    /// Returns the maluses of the quiet moves tried before one that caused a cut-off, in order.
    #[inline]
    pub(super) fn quiet_maluses(&self, depth: i32) -> impl Iterator<Item = i32> + use<> {
        let (first, decay) = (self.history_bonus(depth) * self.malus / 16, self.malus_decay);
        std::iter::successors(Some(first), move |malus| Some(malus * decay / 16))
    }

    #[inline]
    pub(super) fn refutation_bonus(&self, depth: i32) -> i32 {
        self.history_bonus(depth) * self.refutation / 16
    }

    #[inline]
    pub(super) fn refuted_early_malus(&self, depth: i32) -> i32 {
        self.history_bonus(depth) * self.refuted_early / 16
    }

    #[inline]
    pub(super) fn evaluation_bonus(&self, gained: i32) -> i32 {
        let limit = self.evaluation_gained_limit;
        gained.clamp(-limit, limit) * self.evaluation_gained / 16
    }

    #[inline]
    pub(super) fn deeper_margin(&self, depth: i32) -> i32 {
        self.deeper_base + self.deeper_depth * depth
    }

    #[inline]
    pub(super) fn capture_futility_margin(&self, depth: i32) -> i32 {
        self.capture_futility_base + self.capture_futility_depth * depth
    }

    /// Returns the number of moves tried `quiet_ply` plies deep in quiescence.
    #[inline]
    pub(super) fn quiescence_moves(&self, quiet_ply: i32) -> i32 {
        1 + self.quiescence_moves / (1 + quiet_ply)
    }
}

/// Returns the depth of the singular search at a node of this depth.
#[inline]
pub(super) const fn singular_depth(depth: i32) -> i32 {
    (depth - 1) / 2
}

/// Returns true while extensions are allowed: up to twice the depth of the iteration.
#[inline]
pub(super) const fn may_extend(ply: usize, root_depth: i32) -> bool {
    (ply as i32) < 2 * root_depth
}

/// Returns the plies without a null move in a verifying search: three quarters of its depth.
pub(super) const fn plies_without_null_move(depth: i32) -> usize {
    if depth > 0 { 3 * depth as usize / 4 } else { 0 }
}

/// Returns the score that orders captures: the material won at once, in centipawns, and the
/// history.
#[inline]
pub(super) const fn tactical_order(won: i32, history: i32) -> i32 {
    16 * won + history / 8
}

/// Returns the change of a correction entry after a search whose value exceeds the evaluation by
/// `difference`.
#[inline]
pub(super) fn correction_bonus(difference: i32, depth: i32) -> i32 {
    (difference * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4)
}

/// Returns the correction of an evaluation in centipawns: half of the sum over the tables.
#[inline]
pub(super) const fn correction(sum: i32) -> i32 {
    sum / (2 * CORRECTION_UNIT)
}

/// Damps an evaluation by the halfmove clock, as Stockfish does: in the second half of the clock's
/// run the evaluation shrinks to half.
#[inline]
pub(super) const fn toward_draw(eval: i32, plies_left: u32, limit: u32) -> i32 {
    let half = limit / 2;
    let missing = half.saturating_sub(plies_left) as i32;
    eval - eval * missing / limit as i32
}

/// Facts of node and move that change a late-move reduction.
pub(super) struct LmrContext {
    /// True if the side to move stands better than at its last moves.
    pub improving: bool,
    /// True in a node expected to fail high.
    pub cut_node: bool,
    /// True in a PV node.
    pub pv: bool,
    /// True if the node lies or lay on a principal variation.
    pub tt_pv: bool,
    /// True if the table's move is tactical.
    pub tt_move_is_tactical: bool,
    /// True if many positions one ply below failed high.
    pub many_cutoffs: bool,
    pub gives_check: bool,
    /// True if only a win shorter than a known one improves the node.
    pub wants_shorter_win: bool,
    /// The size of the evaluation's correction; 0 in check.
    pub correction: i32,
    /// The history score of the move.
    pub history: i32,
}
