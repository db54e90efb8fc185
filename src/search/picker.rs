//! Staged move picker: the table's move, captures that do not lose material, killers, quiet moves
//! by history, losing captures. Each stage is generated only when it is reached.

use super::history::{Histories, PieceTo};
use super::params::tactical_order;
use super::see;
use crate::board::{Bitboard, Square};
use crate::games::{CheckSquares, Game, GameExt, Kind, Move, MoveClass, MoveSink};
use std::cell::OnceCell;

/// A move and its place in the order.
#[derive(Clone, Copy)]
pub struct ScoredMove {
    mv: Move,
    score: i32,
}

/// A reusable list of moves.
pub(super) type MoveList = Vec<ScoredMove>;

impl MoveSink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, to: Bitboard) {
        for to in to {
            self.push(ScoredMove { mv: Move::new(from, to), score: 0 });
        }
    }

    #[inline]
    fn promoting(&mut self, from: Square, to: Bitboard, kinds: &[Kind]) {
        for to in to {
            self.extend(
                kinds
                    .iter()
                    .map(|&kind| ScoredMove { mv: Move::promoting(from, to, kind), score: 0 }),
            );
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TtMove,
    GenerateTactical,
    Tactical,
    Killers,
    GenerateQuiet,
    Quiet,
    LosingTactical,
    Done,
}

/// Added to the score of a quiet check that loses little; exceeds every history.
const CHECK: i32 = 1 << 20;

/// The quiet moves that a picker hands out. Checks are those that lose little.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quiets {
    All,
    Checks,
    None,
}

/// Hands out the legal moves of a position, each once, the promising ones first.
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    list: MoveList,
    /// The index of the next move in `list`.
    next: usize,
    /// Tactical moves that lose material wait at the beginning of `list`.
    losing: usize,
    /// The quiet moves handed out.
    quiets: Quiets,
    /// True if losing captures are handed out.
    all: bool,
    /// The least result of a tactical move's exchange that is not a loss.
    threshold: i32,
    /// The score of the last move, if it is a quiet one that is neither the table's nor a killer.
    quiet_score: Option<i32>,
}

/// The moves of a position that give check, computed on first use.
#[derive(Default)]
pub(super) struct Checks(OnceCell<CheckSquares>);

impl Checks {
    /// Returns the squares from and to which moves give check.
    #[inline]
    fn squares<G: Game>(&self, position: &G) -> &CheckSquares {
        self.0.get_or_init(|| position.check_squares())
    }

    /// Returns true if `mv`, which must be legal, gives check.
    #[inline]
    pub(super) fn has<G: Game>(&self, position: &G, mv: Move) -> bool {
        position.gives_check(mv, self.squares(position))
    }
}

/// The data by which the picker orders moves.
pub(super) struct Hints<'h> {
    /// The worker's histories.
    pub histories: &'h Histories,
    /// The moves one, two and four plies before.
    pub before: [Option<PieceTo>; 3],
    /// The checks of the position.
    pub checks: &'h Checks,
    /// The least exchange result of a check that comes before other quiet moves.
    pub check_margin: i32,
}

impl MovePicker {
    /// Creates a picker of all legal moves. `list` is cleared and reused.
    pub(super) fn all(
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        mut list: MoveList,
    ) -> Self {
        list.clear();
        Self {
            stage: Stage::TtMove,
            tt_move,
            killers,
            list,
            next: 0,
            losing: 0,
            quiets: Quiets::All,
            all: true,
            threshold: 0,
            quiet_score: None,
        }
    }

    /// Creates a picker of the tactical moves whose exchange wins at least `threshold`.
    pub(super) fn tactical(tt_move: Option<Move>, threshold: i32, list: MoveList) -> Self {
        Self { quiets: Quiets::None, all: false, threshold, ..Self::all(tt_move, [None; 2], list) }
    }

    /// Limits the remaining quiet moves to checks that lose little, and to killers that give check.
    pub(super) fn skip_quiets(&mut self) {
        self.quiets = Quiets::Checks;
    }

    /// Returns the history of the last move if it is quiet, neither the table's nor a killer, and
    /// gives no check.
    #[inline]
    pub(super) fn quiet_score(&self) -> Option<i32> {
        self.quiet_score
    }

    pub(super) fn into_list(self) -> MoveList {
        self.list
    }

    pub(super) fn next<G: Game>(&mut self, position: &G, hints: &Hints<'_>) -> Option<Move> {
        loop {
            // A stage that has no more moves leads to the next one.
            let mv = match self.stage {
                Stage::TtMove => self.take_tt_move(position),
                Stage::GenerateTactical => self.generate_tactical(position, hints),
                Stage::Tactical => self.next_tactical(position),
                Stage::Killers => self.next_killer(position, hints),
                Stage::GenerateQuiet => self.generate_quiet(position, hints),
                Stage::Quiet => self.next_quiet(),
                Stage::LosingTactical => self.next_losing(),
                Stage::Done => return None,
            };
            if mv.is_some() {
                return mv;
            }
        }
    }

    #[inline]
    fn take_tt_move<G: Game>(&mut self, position: &G) -> Option<Move> {
        self.stage = Stage::GenerateTactical;
        let is_playable = |mv| position.is_legal(mv) && (self.all || self.is_wanted(position, mv));
        self.tt_move = self.tt_move.filter(|&mv| is_playable(mv));
        self.tt_move
    }

    #[inline]
    fn generate_tactical<G: Game>(&mut self, position: &G, hints: &Hints<'_>) -> Option<Move> {
        self.stage = Stage::Tactical;
        position.generate(MoveClass::Tactical, Bitboard::ALL, &mut self.list);
        for scored in &mut self.list {
            scored.score = tactical_score(position, scored.mv, hints);
        }
        None
    }

    /// Returns the best remaining tactical move that does not lose material. Losing ones are put
    /// aside.
    #[inline]
    fn next_tactical<G: Game>(&mut self, position: &G) -> Option<Move> {
        while let Some(scored) = self.select() {
            if Some(scored.mv) == self.tt_move {
                continue;
            }
            if see::see_ge(position, scored.mv, self.threshold) {
                return Some(scored.mv);
            }
            self.list[self.losing] = scored;
            self.losing += 1;
        }
        self.stage = if self.all { Stage::Killers } else { Stage::Done };
        self.next = 0;
        None
    }

    /// Returns the next killer that can be played here; others are dropped.
    #[inline]
    fn next_killer<G: Game>(&mut self, position: &G, hints: &Hints<'_>) -> Option<Move> {
        while let Some(&killer) = self.killers.get(self.next) {
            self.next += 1;
            if killer.is_some_and(|mv| self.accepts_killer(position, mv, hints)) {
                return killer;
            }
            self.killers[self.next - 1] = None;
        }
        self.stage = Stage::GenerateQuiet;
        None
    }

    #[inline]
    fn accepts_killer<G: Game>(&self, position: &G, mv: Move, hints: &Hints<'_>) -> bool {
        Some(mv) != self.tt_move
            && position.is_legal(mv)
            && !position.is_tactical(mv)
            && (self.quiets == Quiets::All || hints.checks.has(position, mv))
    }

    #[inline]
    fn generate_quiet<G: Game>(&mut self, position: &G, hints: &Hints<'_>) -> Option<Move> {
        self.stage = Stage::Quiet;
        self.list.truncate(self.losing);
        self.next = self.losing;
        if self.quiets != Quiets::None {
            position.generate(MoveClass::Quiet, Bitboard::ALL, &mut self.list);
            self.score_quiets(position, hints);
        }
        None
    }

    #[inline]
    fn next_quiet(&mut self) -> Option<Move> {
        while let Some(scored) = self.select().filter(|&scored| self.is_open_to(scored)) {
            let mv = Some(scored.mv);
            if mv != self.tt_move && !self.killers.contains(&mv) {
                self.quiet_score = Some(scored.score);
                return mv;
            }
        }
        self.stage = Stage::LosingTactical;
        self.quiet_score = None;
        self.next = 0;
        None
    }

    #[inline]
    fn next_losing(&mut self) -> Option<Move> {
        if self.all && self.next < self.losing {
            self.next += 1;
            return Some(self.list[self.next - 1].mv);
        }
        self.stage = Stage::Done;
        None
    }

    /// Scores quiet moves by history, and checks that lose little above all others.
    #[inline]
    fn score_quiets<G: Game>(&mut self, position: &G, hints: &Hints<'_>) {
        let history = hints.histories.quiets(position.to_move(), hints.before);
        let quiets = &mut self.list[self.losing..];
        if self.quiets == Quiets::All {
            for scored in quiets.iter_mut() {
                if let Some(piece) = position.placement().at(scored.mv.from()) {
                    scored.score = history(PieceTo { piece, mv: scored.mv });
                }
            }
        } else {
            quiets.iter_mut().for_each(|scored| scored.score = 0);
        }
        let checks = hints.checks.squares(position);
        if checks.are_none() {
            return;
        }
        for scored in quiets {
            if position.gives_check(scored.mv, checks)
                && see::see_ge(position, scored.mv, hints.check_margin)
            {
                scored.score += CHECK;
            }
        }
    }

    /// Returns true if a quiet move is one of those handed out.
    #[inline]
    fn is_open_to(&self, scored: ScoredMove) -> bool {
        self.quiets == Quiets::All || scored.score >= CHECK / 2
    }

    /// Returns true if a picker of tactical moves hands the move out.
    fn is_wanted<G: Game>(&self, position: &G, mv: Move) -> bool {
        position.is_tactical(mv) && see::see_ge(position, mv, self.threshold)
    }

    /// Returns true in the stage of losing captures.
    pub(super) fn is_at_losing_captures(&self) -> bool {
        self.stage == Stage::LosingTactical
    }

    /// Takes the best remaining move: a step of selection sort, since most nodes need few moves.
    #[inline]
    fn select(&mut self) -> Option<ScoredMove> {
        let rest = &mut self.list[self.next..];
        // Two passes: the first one only finds a maximum, which processors do for several moves at
        // once.
        let greatest = |score: i32, scored: &ScoredMove| score.max(scored.score);
        let score = rest.iter().fold(i32::MIN, greatest);
        let best = rest.iter().position(|scored| scored.score == score)?;
        rest.swap(0, best);
        self.next += 1;
        rest.first().copied()
    }
}

/// Scores a capture by the material won, then by history.
#[inline]
fn tactical_score<G: Game>(position: &G, mv: Move, hints: &Hints<'_>) -> i32 {
    let history = match (position.placement().at(mv.from()), position.victim(mv)) {
        (Some(piece), Some((_, kind))) => {
            hints.histories.capture(PieceTo { piece, mv }, kind.index())
        }
        _ => 0,
    };
    tactical_order(see::material_won(position, mv), history)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::*;
    use crate::positions::{Random, random_positions, test_all_games};

    /// Positions with moves.
    fn positions<G: Game>() -> impl Iterator<Item = G> {
        random_positions::<G>(300).filter(|position| position.board_outcome().is_none())
    }

    fn drain<G: Game>(mut picker: MovePicker, position: &G, histories: &Histories) -> Vec<Move> {
        let before = [None; 3];
        let hints = Hints { histories, before, checks: &Checks::default(), check_margin: 0 };
        std::iter::from_fn(|| picker.next(position, &hints)).collect()
    }

    /// Returns a legal move, one that is nearly always illegal, or none.
    fn some_move(legal: &[Move], random: &mut Random) -> Option<Move> {
        match random.below(4) {
            0 => None,
            1 => Move::from_bits(random.next() as u32),
            _ => random.pick(legal),
        }
    }

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves.sort_unstable_by_key(|mv| mv.bits());
        moves
    }

    /// For any table move and killers, each legal move comes once.
    fn hands_out_each_legal_move_once<G: Game>() {
        let mut random = Random(3);
        let histories = Histories::new();
        for position in positions::<G>() {
            let legal = position.legal_moves();
            for _ in 0..10 {
                let [tt_move, first, second] = [(); 3].map(|()| some_move(&legal, &mut random));
                // As in the search, no move is a killer twice.
                let killers = [first, second.filter(|_| second != first)];
                let picker = MovePicker::all(tt_move, killers, MoveList::new());
                let picked = drain(picker, &position, &histories);
                if let Some(mv) = tt_move.filter(|mv| legal.contains(mv)) {
                    assert_eq!(picked[0], mv, "{}", position.fen());
                }
                assert_eq!(sorted(picked), sorted(legal.clone()), "{}", position.fen());
            }
        }
    }

    /// The picker of tactical moves hands out those whose exchange brings enough.
    fn hands_out_each_good_capture_once<G: Game>() {
        let mut random = Random(4);
        let histories = Histories::new();
        for position in positions::<G>() {
            let legal = position.legal_moves();
            for threshold in [-200, 0, 1, 300] {
                let tt_move = some_move(&legal, &mut random);
                let picker = MovePicker::tactical(tt_move, threshold, MoveList::new());
                let picked = drain(picker, &position, &histories);
                let good =
                    |mv: &Move| position.is_tactical(*mv) && see::see_ge(&position, *mv, threshold);
                let expected = legal.iter().copied().filter(good).collect();
                assert_eq!(sorted(picked), sorted(expected), "{}", position.fen());
            }
        }
    }

    /// Once quiet moves are skipped none follows but checks that lose little, and no
    /// tactical move is lost.
    fn skips_quiet_moves<G: Game>() {
        let mut random = Random(5);
        let histories = Histories::new();
        for position in positions::<G>() {
            let legal = position.legal_moves();
            let killer = random.pick(&legal);
            let mut picker = MovePicker::all(None, [killer, None], MoveList::new());
            picker.skip_quiets();
            let checks = Checks::default();
            let wanted = |mv: &Move| {
                position.is_tactical(*mv)
                    || checks.has(&position, *mv)
                        && (killer == Some(*mv) || see::see_ge(&position, *mv, 0))
            };
            let picked = drain(picker, &position, &histories);
            let expected = legal.iter().copied().filter(wanted).collect();
            assert_eq!(sorted(picked), sorted(expected), "{}", position.fen());
        }
    }

    /// Of the quiet moves, checks that lose little come first.
    fn hands_out_checks_before_other_quiet_moves<G: Game>() {
        let histories = Histories::new();
        for position in positions::<G>() {
            let checks = Checks::default();
            let picker = MovePicker::all(None, [None; 2], MoveList::new());
            let mut quiets = drain(picker, &position, &histories);
            quiets.retain(|&mv| !position.is_tactical(mv));
            let is_good_check =
                |&mv: &Move| checks.has(&position, mv) && see::see_ge(&position, mv, 0);
            assert!(quiets.is_sorted_by_key(|mv| !is_good_check(mv)), "{}", position.fen());
        }
    }

    test_all_games! {
        hands_out_each_legal_move_once
        hands_out_each_good_capture_once
        skips_quiet_moves
        hands_out_checks_before_other_quiet_moves
    }
}
