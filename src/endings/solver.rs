//! Solves a material set by retrograde analysis (T. Ströhlein, 1970; K. Thompson, "Retrograde
//! Analysis of Certain Endgames", 1986).
//!
//! A first pass visits every placement once. It values the moves that leave the set and counts the
//! moves that stay inside. Then the ends of games are followed backwards, ply by ply. A move to a
//! lost position wins; a position all of whose moves lead to won ones is lost.
//!
//! No game defines backward moves. But the first pass meets every move inside the set, so it knows
//! the squares from which a piece can ever reach a square. The game's own rules decide whether the
//! piece can come from there in a certain position.

use super::index::{Index, Places};
use super::material::{Material, MaterialError, anywhere};
use super::table::{EndingTable, Value, code};
use super::{Endings, Watch};
use crate::board::{Bitboard, Square, SquareTable};
use crate::games::{Game, GameExt, Move, MoveClass, Outcome, Side};
use crate::system::sync::lock;
use std::ops::Range;
use std::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed,
};
use std::sync::{Mutex, PoisonError};

/// The count of numbers that a thread takes at once.
const CHUNK: usize = 1 << 13;

/// The reason why a set was not solved.
pub(super) enum Unsolved {
    /// A move leads to this set, which must be solved first.
    Needs(Material),
    /// The set can never be solved.
    Never(MaterialError),
    Interrupted,
}

/// By piece and square, the squares from which the piece can move there inside the set.
type Sources = [SquareTable<Bitboard>; super::MAX_PIECES];

/// The state of each position, by number.
struct Solver<'s, G> {
    index: &'s Index,
    endings: &'s Endings,
    codes: Vec<AtomicU16>,
    /// Moves not yet refuted: those inside the set, and one more for all that leave it.
    left: Vec<AtomicU8>,
    /// Twice the level at which the moves that leave the set decide, plus one if one of them wins;
    /// 0 if they decide nothing.
    exits: Vec<AtomicU16>,
    game: std::marker::PhantomData<fn() -> G>,
}

/// Returns the value of a finished game for the side to move.
fn value_of(outcome: Outcome, to_move: Side) -> Value {
    match outcome.winner {
        None => Value::Drawn,
        Some(side) if side == to_move => Value::Won(0),
        Some(_) => Value::Lost(0),
    }
}

/// Refuses a set that has no positions or can never be solved. Accepts it once `stop` is true.
pub(super) fn check<G: Game>(set: &Material, stop: &dyn Fn() -> bool) -> Result<(), MaterialError> {
    if let Some(why) = G::unsolvable_reason(set.pieces()) {
        return Err(MaterialError::Open(why));
    }
    let index = Index::new::<G>(set);
    let is_position = |number| {
        let (places, to_move) = index.places(number);
        index.position::<G>(&places, to_move).is_some() || stop()
    };
    let has_positions = (0..index.len()).any(is_position);
    has_positions.then_some(()).ok_or(MaterialError::NoPosition)
}

/// Solves a set whose smaller sets are among `endings`.
pub(super) fn solve<G: Game>(
    set: &Material,
    endings: &Endings,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<EndingTable, Unsolved> {
    check::<G>(set, watch.stop).map_err(Unsolved::Never)?;
    let index = Index::new::<G>(set);
    let numbers = index.len();
    let solver = Solver::<G> {
        index: &index,
        endings,
        codes: (0..numbers).map(|_| AtomicU16::new(code::OPEN)).collect(),
        left: (0..numbers).map(|_| AtomicU8::new(0)).collect(),
        exits: (0..numbers).map(|_| AtomicU16::new(0)).collect(),
        game: std::marker::PhantomData,
    };
    let name = set.name::<G>();
    watch.report(&format!("{name}: {numbers} placements"));
    let sources = solver.look_at_all(threads, watch.stop)?;
    let last_exit = solver.exits.iter().map(|exit| exit.load(Relaxed) / 2);
    let last_exit = last_exit.max().unwrap_or(0);
    let mut level = 0;
    loop {
        let found = solver.step(level, &sources, threads, watch.stop)?;
        watch.report_at_times(|| format!("{name}: {found} decided in {} plies", level + 1));
        if found == 0 && level >= last_exit {
            break;
        }
        level += 1;
        if level >= code::MAX_PLIES {
            return Err(Unsolved::Never(MaterialError::Open("it takes too many plies")));
        }
    }
    let codes: Vec<_> = solver.codes.into_iter().map(AtomicU16::into_inner).collect();
    Ok(EndingTable::new(set.clone(), index, codes))
}

/// Runs `work` on all numbers below `numbers` in chunks, each worker with a state of its own, and
/// returns the states. Ends early once `work` fails or `stop` returns true.
fn in_chunks<S: Send>(
    numbers: usize,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<usize>) -> Result<(), Unsolved> + Sync,
) -> Result<Vec<S>, Unsolved> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let failure = Mutex::new(None);
    let fail = |why: Unsolved| {
        failed.store(true, Relaxed);
        let mut failure = lock(&failure);
        failure.get_or_insert(why);
    };
    let run = || {
        let mut state = state();
        loop {
            let begin = next.fetch_add(CHUNK, Relaxed);
            if begin >= numbers || failed.load(Relaxed) {
                return state;
            }
            if stop() {
                fail(Unsolved::Interrupted);
            } else if let Err(why) = work(&mut state, begin..numbers.min(begin + CHUNK)) {
                fail(why);
            }
        }
    };
    let states = std::thread::scope(|scope| {
        // Threads that cannot be started are replaced by the others.
        let helpers: Vec<_> = (1..threads)
            .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, run).ok())
            .collect();
        let mut states = vec![run()];
        states.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        states
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(why) => Err(why),
        None => Ok(states),
    }
}

impl<G: Game> Solver<'_, G> {
    /// Visits all placements for the first time.
    fn look_at_all(
        &self,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Box<Sources>, Unsolved> {
        let empty = || Box::new([[Bitboard::EMPTY; 128]; super::MAX_PIECES]);
        let look = |(sources, moves): &mut (Box<Sources>, Vec<Move>), numbers: Range<usize>| {
            numbers.into_iter().try_for_each(|number| self.look_at(number, sources, moves))
        };
        let states = in_chunks(self.codes.len(), threads, stop, || (empty(), Vec::new()), look)?;
        let mut all = empty();
        for (sources, _) in states {
            let pairs = all.as_flattened_mut().iter_mut().zip(sources.as_flattened());
            pairs.for_each(|(all, one)| *all |= *one);
        }
        Ok(all)
    }

    /// Visits a placement for the first time: decides a finished game, values the moves that leave
    /// the set, counts the others.
    fn look_at(
        &self,
        number: usize,
        sources: &mut Sources,
        moves: &mut Vec<Move>,
    ) -> Result<(), Unsolved> {
        let decide = |code| self.codes[number].store(code, Relaxed);
        let (places, to_move) = self.index.places(number);
        let Some(position) = self.index.position::<G>(&places, to_move) else {
            decide(code::NONE);
            return Ok(());
        };
        let end = |outcome| match value_of(outcome, to_move) {
            Value::Drawn => decide(code::DRAWN),
            value => decide(code::of(value)),
        };
        if let Some(outcome) = position.board_outcome() {
            end(outcome);
            return Ok(());
        }
        moves.clear();
        position.generate(MoveClass::All, Bitboard::ALL, moves);
        if moves.is_empty() {
            end(position.no_move_outcome());
            return Ok(());
        }
        if position.draw_reason().is_some() {
            decide(code::DRAWN);
            return Ok(());
        }
        let mut inside = 0;
        // The best of the moves that leave the set: the soonest win, or a draw, or the latest
        // loss.
        let mut exit = None;
        for &mv in &*moves {
            if let Some(moved) = self.stays_inside(&position, mv, &places) {
                inside += 1;
                let add = |from: Square, to: Square, sources: &mut Sources| {
                    sources[moved][to.index()] |= Bitboard::of(from);
                };
                if moved == 0 {
                    for (from, to) in self.index.images_of(mv.from(), mv.to()) {
                        add(from, to, sources);
                    }
                } else {
                    add(mv.from(), mv.to(), sources);
                }
            } else {
                let value = self.value_after(&position, mv)?;
                exit = Some(exit.map_or(value, |best| better(best, value)));
            }
        }
        let (event, reserved) = match exit {
            None => (0, 0),
            Some(Value::Drawn) => (0, 1),
            Some(Value::Won(plies)) => (2 * plies + 1, 1),
            Some(Value::Lost(plies)) => (2 * plies, 1),
        };
        let Ok(left) = u8::try_from(inside + reserved) else {
            return Err(Unsolved::Never(MaterialError::Open("a position has too many moves")));
        };
        self.left[number].store(left, Relaxed);
        self.exits[number].store(event, Relaxed);
        Ok(())
    }

    /// Returns the piece that a move moves inside the set; `None` if the move changes the set.
    #[inline]
    fn stays_inside(&self, position: &G, mv: Move, places: &Places) -> Option<usize> {
        let pieces = self.index.pieces();
        let moved = places[..pieces.len()].iter().position(|&place| place == mv.from())?;
        let is_same = position.kind_after(mv).map(anywhere::<G>) == Some(pieces[moved].kind());
        (is_same && position.victim(mv).is_none()).then_some(moved)
    }

    /// Returns the value of a move that leaves the set.
    fn value_after(&self, position: &G, mv: Move) -> Result<Value, Unsolved> {
        let mut next = position.clone();
        next.play(mv);
        let value = match next.board_outcome() {
            Some(outcome) => Some(value_of(outcome, next.to_move())),
            None => self.endings.value(&next),
        };
        let needed = || Unsolved::Needs(Material::of::<G>(next.placement()));
        Ok(value.ok_or_else(needed)?.before())
    }

    /// Finds the positions decided in `level` + 1 plies, and returns their count.
    fn step(
        &self,
        level: u16,
        sources: &Sources,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<u64, Unsolved> {
        let found = AtomicU64::new(0);
        let (won, lost) = (code::of(Value::Won(level)), code::of(Value::Lost(level)));
        let work = |(): &mut (), numbers: Range<usize>| {
            let mut count = 0;
            for number in numbers {
                let code = self.codes[number].load(Relaxed);
                if code == lost || code == won {
                    count += self.go_back(number, code == lost, level, sources);
                } else if code == code::OPEN {
                    count += self.leave(number, level);
                }
            }
            found.fetch_add(count, Relaxed);
            Ok(())
        };
        in_chunks(self.codes.len(), threads, stop, || (), work)?;
        Ok(found.into_inner())
    }

    /// Decides a position by the moves that leave the set, if they decide at this level. Returns
    /// the count of positions decided.
    #[inline]
    fn leave(&self, number: usize, level: u16) -> u64 {
        let exit = self.exits[number].load(Relaxed);
        if exit / 2 != level + 1 {
            return 0;
        }
        if exit % 2 == 1 {
            self.decide(number, Value::Won(level + 1))
        } else {
            self.refute(number, level)
        }
    }

    /// Decides the positions from which a move leads to a position decided in `level` plies.
    /// Returns their count.
    fn go_back(&self, number: usize, lost: bool, level: u16, sources: &Sources) -> u64 {
        let (places, to_move) = self.index.places(number);
        let pieces = self.index.pieces();
        let occupied = places[..pieces.len()].iter();
        let occupied = occupied.fold(Bitboard::EMPTY, |set, &place| set | Bitboard::of(place));
        let mut count = 0;
        for (moved, piece) in pieces.iter().enumerate() {
            if piece.side() == to_move {
                continue;
            }
            let to = places[moved];
            for from in sources[moved][to.index()].without(occupied) {
                let mut before = places;
                before[moved] = from;
                let number = self.index.of(&before, !to_move);
                if self.codes[number].load(Relaxed) != code::OPEN {
                    continue;
                }
                let position = self.index.position::<G>(&before, !to_move);
                if position.is_none_or(|position| !position.is_legal(Move::new(from, to))) {
                    continue;
                }
                count += if lost {
                    self.decide(number, Value::Won(level + 1))
                } else {
                    self.refute(number, level)
                };
            }
        }
        count
    }

    /// Refutes one move of a position, which loses in `level` + 1 plies if that was the last.
    #[inline]
    fn refute(&self, number: usize, level: u16) -> u64 {
        if self.left[number].fetch_sub(1, Relaxed) == 1 {
            self.decide(number, Value::Lost(level + 1))
        } else {
            0
        }
    }

    #[inline]
    fn decide(&self, number: usize, value: Value) -> u64 {
        u64::from(self.codes[number].swap(code::of(value), Relaxed) == code::OPEN)
    }
}

/// Returns the better of two values: the sooner of two wins, the later of two losses.
fn better(one: Value, other: Value) -> Value {
    let rank = |value| match value {
        Value::Won(plies) => i32::from(u16::MAX) - i32::from(plies),
        Value::Drawn => 0,
        Value::Lost(plies) => i32::from(plies) - i32::from(u16::MAX),
    };
    if rank(other) > rank(one) { other } else { one }
}
