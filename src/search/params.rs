//! Every number of the search, as the answer to a question.
//!
//! Those of [`Params`] can be changed while the program runs, for `quadrille tune` to find better
//! ones; the others are fixed. Depths and reductions are in plies, evaluations and margins in
//! centipawns ([`KindInfo::value`](crate::games::KindInfo::value)), histories in parts of
//! [`HISTORY_LIMIT`], unless something else is said.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $low:literal to $high:literal;)*) => {
        /// The parameters of a search that can be tuned.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// Those of a game for which there are no better ones.
            pub const DEFAULT: Self = Self { $($name: $default,)* };

            /// The names, lowest and highest values of all.
            pub const RANGES: &[(&str, i32, i32)] = &[$((stringify!($name), $low, $high),)*];

            /// The values in the order of [`Self::RANGES`].
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }

            /// From values in the order of [`Self::RANGES`]; those that are missing keep
            /// their defaults, those out of range are brought into it.
            pub fn from_values(values: &[i32]) -> Self {
                let mut values = values.iter().copied();
                Self { $($name: values.next().map_or($default, |value| value.clamp($low, $high)),)* }
            }
        }
    };
}

params! {
    /// Half-width of the first aspiration window, in centipawns, ...
    aspiration: 20, 5 to 60;
    /// ... and by how many 16ths it grows each time the value lies outside.
    aspiration_growth: 8, 2 to 32;
    /// How far below alpha the evaluation must be for razoring, in centipawns: at least, ...
    razoring_base: 219, 50 to 500;
    /// ... and for each ply of depth.
    razoring_depth: 120, 50 to 350;
    /// How far above beta the evaluation must be for reverse futility, in centipawns for each ply
    /// of depth.
    reverse_futility: 71, 30 to 180;
    /// The null move's reduction, in 256ths of a ply: at least, ...
    null_move_base: 916, 384 to 1280;
    /// ... for each ply of depth, ...
    null_move_depth: 70, 24 to 128;
    /// ... for each centipawn above beta, in 4096ths of a ply, ...
    null_move_surplus: 19, 8 to 60;
    /// ... and for all of these at most, in 256ths again.
    null_move_surplus_limit: 768, 0 to 1536;
    /// How far below beta the evaluation may be for the null move, in centipawns for each ply of
    /// depth.
    null_move_slack: 15, 0 to 40;
    /// How far above beta a shallow search must be for ProbCut, in centipawns, ...
    probcut: 183, 80 to 320;
    /// ... and by how much less where the side to move is improving.
    probcut_improving: 40, 0 to 120;
    /// How much worse than the table's move the others must be for a singular extension, in 16ths
    /// of a centipawn for each ply of depth, ...
    singular: 34, 8 to 80;
    /// ... and for a second ply by how many centipawns more.
    double_extension: 24, 5 to 70;
    /// By how many plies less the table's move is searched if it is not singular and its value
    /// reaches beta, ...
    not_singular_beta: 2, 0 to 4;
    /// ... or else where the node is expected to fail high.
    not_singular_cut: 1, 0 to 3;
    /// How many moves are enough for late-move pruning, in 16ths: at least, ...
    late_move_base: 65, 16 to 160;
    /// ... and for each squared ply of depth.
    late_move_depth: 17, 6 to 32;
    /// How far below alpha the evaluation must be for futility, in centipawns: at least, ...
    futility_base: 91, 20 to 300;
    /// ... and for each ply of depth.
    futility_depth: 102, 30 to 200;
    /// How bad the history of a quiet move must be to skip it, for each ply of depth.
    history_pruning: 2762, 1000 to 8000;
    /// What a capture may lose in exchanges, in centipawns for each ply of depth.
    see_tactical: 91, 40 to 250;
    /// What a quiet move may lose in exchanges, in centipawns for each squared ply of depth.
    see_quiet: 36, 10 to 80;
    /// The reduction of a late move, in 1024ths of a ply: at least, ...
    reduction_base: 467, 0 to 1400;
    /// ... for each product of the logarithms of depth and number, ...
    reduction_product: 460, 250 to 750;
    /// ... where the side to move is not improving, ...
    reduction_not_improving: 925, 0 to 2048;
    /// ... where the node is expected to fail high, ...
    reduction_cut: 1122, 0 to 2560;
    /// ... where the table's move is tactical, ...
    reduction_tactical: 1141, 0 to 2048;
    /// ... where many positions one ply below failed high, ...
    reduction_cutoffs: 405, 0 to 2048;
    /// ... where a win is known and a shorter one is looked for, ...
    reduction_shorter_win: 1024, 0 to 2048;
    /// ... less for a check, ...
    reduction_check: 1024, 0 to 2560;
    /// ... less on the principal variation, ...
    reduction_pv: 1000, 0 to 2048;
    /// ... and less where a principal variation passed before.
    reduction_tt_pv: 732, 0 to 2048;
    /// How much of its reduction a tactical move gets, in 16ths.
    reduction_of_tactical: 8, 0 to 16;
    /// How much a quiet check may lose in exchanges to come before other quiet moves, in
    /// centipawns.
    check_margin: 75, 0 to 300;
    /// How much history takes one ply off a reduction.
    history_per_ply: 7919, 3000 to 16000;
    /// The history bonus of a move that caused a cut-off, for each ply of depth, ...
    bonus_depth: 194, 60 to 400;
    /// ... less this, ...
    bonus_offset: 60, 0 to 300;
    /// ... and at most.
    bonus_limit: 1738, 800 to 3600;
    /// The bonus of the quiet move before a node that failed low, in 16ths of that of a cut-off.
    refutation: 13, 0 to 32;
    /// The bonus of a quiet move for each centipawn that it gained by the evaluation, in 16ths, ...
    evaluation_gained: 41, 0 to 128;
    /// ... and how many centipawns count at most.
    evaluation_gained_limit: 200, 50 to 600;
    /// How much better than the best a reduced search must be to search a ply deeper, in
    /// centipawns: at least, ...
    deeper_base: 42, 10 to 120;
    /// ... and for each ply of depth.
    deeper_depth: 2, 0 to 12;
    /// By how many plies less the moves after one that raised alpha are searched.
    alpha_raised: 1, 0 to 3;
    /// How far below alpha a capture may end with what it wins, in centipawns: at least, ...
    capture_futility_base: 213, 80 to 500;
    /// ... and for each ply of depth.
    capture_futility_depth: 197, 50 to 400;
    /// What quiescence adds to the evaluation and what a move wins before it gives the move up, in
    /// centipawns.
    delta: 169, 50 to 350;
    /// How many moves quiescence tries besides the first where it begins; fewer below.
    quiescence_moves: 5, 1 to 16;
}

/// With no more plies than this before the clock draws the game, only a proven win or loss of the
/// table cuts off.
pub const CLOCK_PLIES_SEARCHED: u32 = 20;
/// From this depth there is an aspiration window.
pub const ASPIRATION_DEPTH: i32 = 5;
/// An aspiration window whose half-width would be greater than this many centipawns is opened.
pub const ASPIRATION_LIMIT: i32 = 1000;
/// How many plies deeper than a mate that was found is searched for a shorter one.
pub const PLIES_BEYOND_MATE: i32 = 4;
/// Beyond this, for either side, razoring rests: mates are what matters there, and the
/// evaluation knows nothing of them.
pub const WINNING: i32 = 1200;
/// From this evaluation, for either side, checks are searched deeper.
pub const CHECK_EXTENSION_EVAL: i32 = 1000;
/// Up to this depth a node far below alpha is left to quiescence.
pub const RAZORING_DEPTH: i32 = 3;
/// Up to this depth a node far above beta is cut by its evaluation alone.
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// From this depth the null move is tried.
pub const NULL_MOVE_DEPTH: i32 = 3;
/// From this depth a cut-off by the null move is verified.
pub const NULL_MOVE_VERIFICATION_DEPTH: i32 = 14;
/// From this depth ProbCut is tried, ...
pub const PROBCUT_DEPTH: i32 = 5;
/// ... by a search so many plies shallower.
pub const PROBCUT_REDUCTION: i32 = 4;
/// From this depth the table's move is compared with all others, ...
pub const SINGULAR_DEPTH: i32 = 7;
/// ... if the search behind it was at most so many plies shallower than the node.
pub const SINGULAR_SHALLOWER: i32 = 3;
/// From this depth a node without a move from the table is searched one ply shallower.
pub const INTERNAL_REDUCTION_DEPTH: i32 = 5;
/// Up to this depth quiet moves are skipped once enough have been tried.
pub const LATE_MOVE_DEPTH: i32 = 7;
/// Up to this depth, as reduced, quiet moves are skipped when the evaluation is far below alpha.
pub const FUTILITY_DEPTH: i32 = 7;
/// Up to this depth, as reduced, quiet moves that did badly before are skipped.
pub const HISTORY_PRUNING_DEPTH: i32 = 4;
/// Up to this depth moves that lose too much in exchanges are skipped.
pub const SEE_DEPTH: i32 = 7;
/// Up to this depth, as reduced, captures that cannot reach alpha are skipped.
pub const CAPTURE_FUTILITY_DEPTH: i32 = 6;
/// At these depths moves after one that raised alpha are searched less deep.
pub const ALPHA_RAISED_DEPTHS: std::ops::Range<i32> = 4..13;
/// More cut-offs than this after the moves of a node are many.
pub const MANY_CUTOFFS: u32 = 3;
/// What a ply is in a reduction.
pub const REDUCTION_UNIT: i32 = 1024;
/// From this depth late moves are reduced, ...
pub const LATE_MOVE_REDUCTION_DEPTH: i32 = 3;
/// ... and from this move on.
pub const LATE_MOVE_REDUCTION_MOVE: i32 = 3;
/// From this quiet move on the root reduces too, ...
pub const ROOT_REDUCTION_MOVE: i32 = 4;
/// ... by so many plies less than other nodes.
pub const ROOT_REDUCTION_LESS: i32 = 1;
/// The greatest size of a history entry.
pub const HISTORY_LIMIT: i32 = 16_384;
/// What a centipawn is in a correction table.
pub const CORRECTION_UNIT: i32 = 16;
/// The greatest size of an entry of a correction table.
pub const CORRECTION_LIMIT: i32 = 1024;
/// How many plies of quiescence still answer a check with all moves. Where the last piece
/// can be attacked on every move, lines of checks alone would go on for ever.
pub const QUIESCENCE_CHECK_PLIES: i32 = 8;
/// By how many plies an entry of the transposition table must be deeper than a new one of the same
/// search and position to be kept.
pub const TT_DEEPER: i32 = 3;
/// How many plies of depth one search of age is worth when an entry must go.
pub const TT_AGE_WEIGHT: i32 = 4;

impl Params {
    pub(super) fn wider_aspiration_delta(&self, delta: i32) -> i32 {
        delta + delta * self.aspiration_growth / 16
    }

    #[inline(always)]
    pub(super) fn razoring_margin(&self, depth: i32) -> i32 {
        self.razoring_base + self.razoring_depth * depth
    }

    #[inline(always)]
    pub(super) fn reverse_futility_margin(&self, depth: i32, improving: bool) -> i32 {
        self.reverse_futility * (depth - i32::from(improving))
    }

    #[inline(always)]
    pub(super) fn null_move_reduction(&self, depth: i32, surplus: i32) -> i32 {
        let bonus = (surplus * self.null_move_surplus / 16).min(self.null_move_surplus_limit);
        (self.null_move_base + self.null_move_depth * depth + bonus) / 256
    }

    #[inline(always)]
    pub(super) fn null_move_slack(&self, depth: i32) -> i32 {
        self.null_move_slack * depth
    }

    #[inline(always)]
    pub(super) fn probcut_margin(&self, improving: bool) -> i32 {
        self.probcut - self.probcut_improving * i32::from(improving)
    }

    #[inline(always)]
    pub(super) fn singular_margin(&self, depth: i32) -> i32 {
        self.singular * depth / 16
    }

    /// By how many plies the table's move is extended if it is not singular: none or fewer.
    #[inline(always)]
    pub(super) fn not_singular_extension(&self, reaches_beta: bool, cut_node: bool) -> i32 {
        if reaches_beta {
            -self.not_singular_beta
        } else {
            -self.not_singular_cut * i32::from(cut_node)
        }
    }

    /// After how many moves quiet ones are late; half as many where the side to move is not
    /// improving.
    #[inline(always)]
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> i32 {
        let count = self.late_move_base + self.late_move_depth * depth * depth;
        count / (32 >> i32::from(improving))
    }

    #[inline(always)]
    pub(super) fn futility_margin(&self, depth: i32) -> i32 {
        self.futility_base + self.futility_depth * depth
    }

    #[inline(always)]
    pub(super) fn history_pruning_margin(&self, depth: i32) -> i32 {
        -self.history_pruning * depth
    }

    #[inline(always)]
    pub(super) fn see_margin(&self, depth: i32, reduced: i32, tactical: bool) -> i32 {
        if tactical {
            -self.see_tactical * depth
        } else {
            -self.see_quiet * depth * reduced
        }
    }

    /// The reduction of a late move in 1024ths of a ply, before what is known of the node and
    /// the move: a product of logarithms, tabulated by the worker.
    pub(super) fn late_move_reduction(&self, depth: usize, number: usize) -> i32 {
        let product = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
        self.reduction_base + (f64::from(self.reduction_product) * product) as i32
    }

    /// What is known of the node and the move adds to a reduction, in 1024ths of a
    /// ply.
    #[inline(always)]
    pub(super) fn lmr_adjustment(&self, context: &LmrContext) -> i32 {
        self.reduction_not_improving * i32::from(!context.improving)
            + self.reduction_cut * i32::from(context.cut_node)
            + self.reduction_tactical * i32::from(context.tt_move_is_tactical)
            + self.reduction_cutoffs * i32::from(context.many_cutoffs)
            + self.reduction_shorter_win * i32::from(context.wants_shorter_win)
            - self.reduction_check * i32::from(context.gives_check)
            - self.reduction_pv * i32::from(context.pv)
            - self.reduction_tt_pv * i32::from(context.tt_pv)
            - context.history * REDUCTION_UNIT / self.history_per_ply
    }

    #[inline(always)]
    pub(super) fn reduction_plies(&self, reduction: i32, tactical: bool) -> i32 {
        let sixteenths = if tactical {
            self.reduction_of_tactical
        } else {
            16
        };
        reduction * sixteenths / 16 / REDUCTION_UNIT
    }

    #[inline(always)]
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        (self.bonus_depth * depth - self.bonus_offset).min(self.bonus_limit)
    }

    #[inline(always)]
    pub(super) fn refutation_bonus(&self, depth: i32) -> i32 {
        self.history_bonus(depth) * self.refutation / 16
    }

    #[inline(always)]
    pub(super) fn evaluation_bonus(&self, gained: i32) -> i32 {
        let limit = self.evaluation_gained_limit;
        gained.clamp(-limit, limit) * self.evaluation_gained / 16
    }

    #[inline(always)]
    pub(super) fn deeper_margin(&self, depth: i32) -> i32 {
        self.deeper_base + self.deeper_depth * depth
    }

    #[inline(always)]
    pub(super) fn capture_futility_margin(&self, depth: i32) -> i32 {
        self.capture_futility_base + self.capture_futility_depth * depth
    }

    /// How many moves quiescence tries in a position that is `quiet_ply` plies deep in it.
    #[inline(always)]
    pub(super) fn quiescence_moves(&self, quiet_ply: i32) -> i32 {
        1 + self.quiescence_moves / (1 + quiet_ply)
    }
}

/// How deep the moves besides the table's are searched at a node of a depth, to see whether that
/// one is singular.
#[inline(always)]
pub const fn singular_depth(depth: i32) -> i32 {
    (depth - 1) / 2
}

/// Whether extensions are still allowed: a line that goes on beyond twice the depth of the
/// iteration gets no more.
#[inline(always)]
pub const fn may_extend(ply: usize, root_depth: i32) -> bool {
    (ply as i32) < 2 * root_depth
}

/// For how many plies nobody passes while a null move is verified by a search of some depth: three
/// quarters of it.
pub const fn plies_without_null_move(depth: i32) -> usize {
    if depth > 0 { 3 * depth as usize / 4 } else { 0 }
}

/// What a capture is ordered by: what it wins at once, in centipawns, and its history.
#[inline(always)]
pub const fn tactical_order(won: i32, history: i32) -> i32 {
    16 * won + history / 8
}

/// By how much an entry of a correction table moves after a search of some depth that found
/// `difference` more than the evaluation.
#[inline(always)]
pub fn correction_bonus(difference: i32, depth: i32) -> i32 {
    (difference * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4)
}

/// The correction of an evaluation in centipawns, half of what the tables say together.
#[inline(always)]
pub const fn correction(sum: i32) -> i32 {
    sum / (2 * CORRECTION_UNIT)
}

/// An evaluation where the halfmove clock can end the game: in the second half of its run nearer
/// and nearer to a draw, down to half. Stockfish damps it likewise.
#[inline(always)]
pub const fn toward_draw(eval: i32, plies_left: u32, limit: u32) -> i32 {
    let half = limit / 2;
    let missing = half.saturating_sub(plies_left) as i32;
    eval - eval * missing / limit as i32
}

/// What the reduction of a late move depends on besides depth and number.
pub struct LmrContext {
    /// Whether the side to move stands better than at its last moves.
    pub improving: bool,
    /// Whether the node is expected to fail high.
    pub cut_node: bool,
    /// Whether the node lies on a principal variation.
    pub pv: bool,
    /// Whether it lies or lay on one.
    pub tt_pv: bool,
    /// Whether the move in the table is a capture or the like.
    pub tt_move_is_tactical: bool,
    /// Whether many positions a ply below failed high.
    pub many_cutoffs: bool,
    /// Whether the move gives check.
    pub gives_check: bool,
    /// Whether a win is known and only a shorter one would be better.
    pub wants_shorter_win: bool,
    /// How well the move did before.
    pub history: i32,
}
