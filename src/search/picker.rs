//! Which move to try next: the table's move, captures that win, killers, quiet moves by
//! history, captures that lose. What comes later is generated only when it is reached.

use super::exchange;
use super::history::{Histories, PieceTo};
use crate::board::{Bitboard, Square};
use crate::games::{Class, Game, Kind, Move, MoveSink};

/// A move and its place in the order.
#[derive(Clone, Copy)]
pub struct Scored {
    mv: Move,
    score: i32,
}

/// A list of moves that grows as needed and is used again.
pub type List = Vec<Scored>;

impl MoveSink for List {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        for to in to {
            self.push(Scored {
                mv: Move::new(from, to),
                score: 0,
            });
        }
    }

    #[inline(always)]
    fn promoting(&mut self, from: Square, to: Bitboard, kinds: &[Kind]) {
        for to in to {
            self.extend(kinds.iter().map(|&kind| Scored {
                mv: Move::promoting(from, to, kind),
                score: 0,
            }));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    Table,
    GenerateTactical,
    Tactical,
    Killers,
    GenerateQuiet,
    Quiet,
    LosingTactical,
    Done,
}

/// Hands out the legal moves of a position, each once, the promising ones first.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    list: List,
    /// The next of `list` to look at.
    next: usize,
    /// Tactical moves that lose material wait at the beginning of `list`.
    losing: usize,
    /// Whether quiet moves are handed out, and whether losing captures are.
    quiets: bool,
    all: bool,
    /// What the exchange that a tactical move begins must bring for it not to be a loss.
    threshold: i32,
}

/// What the picker orders moves by.
pub struct Hints<'h> {
    /// The worker's histories.
    pub histories: &'h Histories,
    /// The moves one and two plies before.
    pub before: [Option<PieceTo>; 2],
}

impl Picker {
    /// All legal moves. `list` is taken for its memory.
    pub fn all(table_move: Option<Move>, killers: [Option<Move>; 2], mut list: List) -> Self {
        list.clear();
        Self {
            stage: Stage::Table,
            table_move,
            killers,
            list,
            next: 0,
            losing: 0,
            quiets: true,
            all: true,
            threshold: 0,
        }
    }

    /// Tactical moves only, and of those only the ones whose exchange brings `threshold`.
    pub fn tactical(table_move: Option<Move>, threshold: i32, mut list: List) -> Self {
        list.clear();
        Self {
            stage: Stage::Table,
            table_move,
            killers: [None; 2],
            list,
            next: 0,
            losing: 0,
            quiets: false,
            all: false,
            threshold,
        }
    }

    /// Hands out no more quiet moves.
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// Gives the list back.
    pub fn into_list(self) -> List {
        self.list
    }

    /// The next move.
    pub fn next<G: Game>(&mut self, position: &G, hints: &Hints<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateTactical;
                    if let Some(mv) = self.table_move {
                        if position.is_legal(mv) && (self.all || self.is_wanted(position, mv)) {
                            return Some(mv);
                        }
                        self.table_move = None;
                    }
                }
                Stage::GenerateTactical => {
                    position.generate(Class::Tactical, !Bitboard::EMPTY, &mut self.list);
                    for scored in &mut self.list {
                        scored.score = tactical_score(position, scored.mv, hints);
                    }
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => {
                    let Some(scored) = self.select() else {
                        self.stage = if self.all {
                            Stage::Killers
                        } else {
                            Stage::Done
                        };
                        self.next = 0;
                        continue;
                    };
                    if Some(scored.mv) == self.table_move {
                        continue;
                    }
                    if exchange::is_at_least(position, scored.mv, self.threshold) {
                        return Some(scored.mv);
                    }
                    self.list[self.losing] = scored;
                    self.losing += 1;
                }
                Stage::Killers => {
                    let killer = self.killers.get(self.next).copied();
                    self.next += 1;
                    match killer {
                        None => self.stage = Stage::GenerateQuiet,
                        Some(Some(mv))
                            if self.quiets
                                && Some(mv) != self.table_move
                                && position.is_legal(mv)
                                && !position.is_tactical(mv) =>
                        {
                            return Some(mv);
                        }
                        Some(_) => self.killers[self.next - 1] = None,
                    }
                }
                Stage::GenerateQuiet => {
                    self.list.truncate(self.losing);
                    self.next = self.losing;
                    if self.quiets {
                        position.generate(Class::Quiet, !Bitboard::EMPTY, &mut self.list);
                        let side = position.to_move();
                        for scored in &mut self.list[self.losing..] {
                            if let Some(piece) = position.placement().at(scored.mv.from()) {
                                let moved = PieceTo {
                                    piece,
                                    mv: scored.mv,
                                };
                                scored.score = hints.histories.quiet(side, moved, hints.before);
                            }
                        }
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if self.quiets
                        && let Some(scored) = self.select()
                    {
                        let mv = Some(scored.mv);
                        if mv != self.table_move && !self.killers.contains(&mv) {
                            return mv;
                        }
                        continue;
                    }
                    self.stage = Stage::LosingTactical;
                    self.next = 0;
                }
                Stage::LosingTactical => {
                    if self.all && self.next < self.losing {
                        self.next += 1;
                        return Some(self.list[self.next - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether a legal move is one of those that a picker of tactical moves hands out.
    fn is_wanted<G: Game>(&self, position: &G, mv: Move) -> bool {
        position.is_tactical(mv) && exchange::is_at_least(position, mv, self.threshold)
    }

    /// Whether the moves still to come are captures that lose material.
    pub fn is_at_losing_captures(&self) -> bool {
        self.stage == Stage::LosingTactical
    }

    /// Takes the best of the moves not yet looked at: a step of selection sort, since most
    /// nodes need few moves.
    #[inline]
    fn select(&mut self) -> Option<Scored> {
        let rest = &mut self.list[self.next..];
        let mut best = *rest.first()?;
        let mut at = 0;
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best.score {
                (best, at) = (*scored, index);
            }
        }
        rest.swap(0, at);
        self.next += 1;
        Some(best)
    }
}

/// Captures by what they take and gain, then by history.
#[inline]
fn tactical_score<G: Game>(position: &G, mv: Move, hints: &Hints<'_>) -> i32 {
    let victim = position.victim(mv);
    let captured = victim.map_or(0, |(_, kind)| exchange::worth::<G>(kind));
    let history = match (position.placement().at(mv.from()), victim) {
        (Some(piece), Some((_, kind))) => {
            hints.histories.capture(PieceTo { piece, mv }, kind.index())
        }
        _ => 0,
    };
    16 * (captured + position.gain(mv)) + history / 8
}
