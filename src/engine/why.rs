//! The price of a mistake in words: what the line that refutes it does on the board, and the better line does not.
//! Nothing is said that is not seen in both.

use super::legal_move::read_legal_move;
use super::messages::PositionError;
use crate::board::Square;
use crate::endings::Value;
use crate::eval::material;
use crate::games::{Figure, Game, GameExt, Kind, Move, Piece, Reason, Side};
use crate::search::{Score, winnings};
use crate::text::{new_piece, san};

/// Plies of captures that are tried behind each position.
const DEPTH: u32 = 4;
/// Plies that confirm a loss in a game of even exchanges without end.
const CONFIRMED: usize = 4;
/// The least material that has a name, a pawn, in the unit of [`KindInfo::value`](crate::games::KindInfo::value).
const LEAST: i32 = 100;
/// Wins in more moves than this are named after pieces.
const SHORT: i32 = 4;
/// Moves that are named.
const NAMED: usize = 4;

/// Returns true for a text that has the form of a phrase.
pub fn is_phrase(text: &str) -> bool {
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(&format!("{word} ")));
    begins(&["turns a", "ends in a draw by"])
        || begins(&["does not recapture", "gives a king away", "lets", "loses", "misses"])
            && text.ends_with(')')
}

/// A line of play in coordinates, with the score for White behind its first move.
pub type ScoredLine<'m> = (Score, &'m [String]);

/// The same, played: its positions, the first one included.
pub(super) struct Scored<G> {
    score: Score,
    steps: Vec<Step<G>>,
    /// The men by number: those of the first position, then those brought in.
    men: Vec<Piece>,
}

/// A position of a line, and the move that led to it.
struct Step<G> {
    position: G,
    san: String,
    /// True if that move captured on the square of the one before.
    retakes: bool,
    /// The man that moved.
    man: usize,
    /// The man that it captured.
    taken: Option<usize>,
    /// The man that it brought in or promoted, with its kind and square.
    new: Option<(usize, Kind, Square)>,
    /// The material that the side to move can win by captures.
    won: i32,
}

/// Losses and gains of a side in a line and not in another: kinds lost, as they were at first, kinds and squares of new
/// pieces, and the number of pawns promoted.
struct Change {
    lost: Vec<Kind>,
    new: Vec<(Kind, Square)>,
    promoted: usize,
}

fn value<G: Game>(kind: Kind) -> i32 {
    G::KINDS[kind.index()].value
}

/// Leaves out pieces of two lists that are worth the same.
fn cancel<G: Game>(some: &mut Vec<Kind>, others: &mut Vec<Kind>) {
    some.retain(|kind| {
        let same = others.iter().position(|other| value::<G>(*other) == value::<G>(*kind));
        same.map(|same| others.remove(same)).is_none()
    });
}

impl<G: Game> Scored<G> {
    /// Plays a line. `before` is the last move before it, if that captured.
    pub(super) fn read(
        position: &G,
        mut before: Option<Move>,
        (score, texts): ScoredLine<'_>,
    ) -> Result<Self, PositionError> {
        let step = |position, san| {
            let won = winnings(&position, 0, i32::MAX / 2, DEPTH);
            Step { position, san, man: usize::MAX, retakes: false, taken: None, new: None, won }
        };
        let mut position = position.clone();
        let mut steps = vec![step(position.clone(), String::new())];
        let mut men = Vec::new();
        // The number of the man on each square.
        let mut on = [None; 128];
        for square in position.placement().occupied() {
            on[square.index()] = Some(men.len());
            men.extend(position.placement().at(square));
        }
        for (number, text) in (1..).zip(texts) {
            let mv = read_legal_move(&position, text, number)?;
            let is_same = before.is_some_and(|before| before.to() == mv.to());
            let victim = position.victim(mv);
            let taken = victim.and_then(|(square, _)| on[square.index()].take());
            let dropped = new_piece(&position, mv).map(|(square, _)| square);
            let san = san(&position, mv);
            let known = position.clone();
            position.play(mv);
            let man = on[mv.from().index()].take().unwrap_or_default();
            on[mv.to().index()] = Some(man);
            // A piece that castles along, or one brought in.
            for square in position.placement().difference(known.placement()) {
                let piece = position.placement().at(square);
                if square == mv.to() || piece.is_none() {
                    continue;
                }
                let from = (0..128).find(|from| {
                    let square = Square::new(*from as u8);
                    on[*from].is_some() && position.placement().at(square).is_none()
                });
                on[square.index()] = match from {
                    Some(from) => on[from].take(),
                    None => {
                        men.extend(piece);
                        Some(men.len() - 1)
                    }
                };
            }
            let new = dropped.or(mv.promotion().map(|_| mv.to()));
            let new = new.and_then(|square| {
                let kind = position.placement().at(square)?.kind();
                Some((on[square.index()]?, kind, square))
            });
            let retakes = is_same && victim.is_some();
            steps.push(Step { man, retakes, taken, new, ..step(position.clone(), san) });
            before = Some(mv);
        }
        Ok(Self { score, steps, men })
    }

    fn first(&self) -> &G {
        &self.steps[0].position
    }

    /// Returns the material that a side has lost at a step.
    fn loss(&self, side: Side, at: usize) -> i32 {
        let lead = |position| material(position, side) - material(position, !side);
        lead(self.first()) - lead(&self.steps[at].position)
    }

    /// The same once the captures that pay are made.
    fn settled(&self, side: Side, at: usize) -> i32 {
        let Step { position, won, .. } = &self.steps[at];
        self.loss(side, at) + if position.to_move() == side { -won } else { *won }
    }

    /// Returns the steps from one on that count: all, but in a game of even exchanges without end those with the same
    /// side to move as at first, which is always one capture ahead.
    fn steps(&self, from: usize) -> impl Iterator<Item = usize> {
        let every = if G::EVEN_EXCHANGES_ARE_QUIET { 2 } else { 1 };
        (from..self.steps.len()).step_by(every)
    }

    /// Returns true if the next move takes back what captured.
    fn is_passing(&self, at: usize) -> bool {
        self.steps.get(at + 1).is_some_and(|next| next.retakes)
    }

    /// Returns true if a side has lost half of some material or more from a step on, but for exchanges.
    fn is_lost(&self, side: Side, loss: i32, from: usize) -> bool {
        let half = |lost: i32| 2 * lost >= loss;
        let is_lost = |at: usize| {
            let is_now = half(self.loss(side, at));
            if G::EVEN_EXCHANGES_ARE_QUIET {
                return is_now;
            }
            (is_now || self.is_passing(at)) && half(self.settled(side, at))
        };
        half(self.loss(side, from)) && self.steps(from).all(is_lost)
    }

    /// Returns the material that a side has lost at the end of the line.
    fn outcome(&self, side: Side) -> Option<i32> {
        let last = self.steps(0).last()?;
        let settles = !G::EVEN_EXCHANGES_ARE_QUIET;
        Some(if settles { self.settled(side, last) } else { self.loss(side, last) })
    }

    /// Returns the step by which a side has lost material of some value for good, if the other line keeps a good part.
    fn deed(&self, other: &Self, loser: Side, least: i32) -> Option<usize> {
        let hung = if self.first().to_move() == loser { self.steps[0].won } else { 0 };
        let is_quiet = |at: &usize| {
            let is_confirmed = at + CONFIRMED < self.steps.len();
            let Step { position, won, .. } = &self.steps[*at];
            let is_settled = position.to_move() != loser || *won < LEAST + hung;
            if G::EVEN_EXCHANGES_ARE_QUIET {
                is_confirmed
            } else {
                is_settled && !self.is_passing(*at)
            }
        };
        let steps = self.steps(0).filter(is_quiet);
        let losses = steps.map(|at| (at, self.loss(loser, at)));
        let kept: Vec<_> = losses.filter(|(at, loss)| self.is_lost(loser, *loss, *at)).collect();
        let most = kept.iter().map(|(_, loss)| *loss).max()?;
        let is_deed = |(_, loss): &(usize, i32)| *loss >= least && 2 * loss >= most;
        let (mut at, loss) = kept.into_iter().find(is_deed)?;
        while self.loss(loser, at - 1) == loss {
            at -= 1;
        }
        let elsewhere = other.outcome(loser)?;
        (10 * elsewhere <= 7 * loss).then_some(at)
    }

    /// Returns what a side has lost and got at a step, without what it loses and gets in the other line too.
    fn change(&self, other: &Self, side: Side, at: usize) -> Change {
        let is_first = |man: &usize| *man < self.first().placement().occupied().count() as usize;
        let is_own = |man: &usize| self.men[*man].side() == side;
        // Not what the same man takes or brings in there too.
        let is_only_here = |step: &&Step<G>| {
            let square = |step: &Step<G>| step.new.map(|(_, _, square)| square);
            let is_same = |other: &Step<G>| {
                (other.man, other.taken) == (step.man, step.taken)
                    && (step.new.is_none() || square(other) == square(step))
            };
            !other.steps.iter().any(is_same)
        };
        let steps = || self.steps[..=at].iter().filter(is_only_here);
        let taken: Vec<_> = self.steps[..=at].iter().filter_map(|step| step.taken).collect();
        let lost = steps().filter_map(|step| step.taken);
        let lost = lost.filter(|man| is_first(man) && is_own(man));
        let new = steps().filter_map(|step| step.new);
        let new = new.filter(|(man, ..)| is_own(man) && !taken.contains(man));
        let new: Vec<_> = new.collect();
        Change {
            lost: lost.map(|man| self.men[man].kind()).collect(),
            promoted: new.iter().filter(|(man, ..)| is_first(man)).count(),
            new: new.into_iter().map(|(_, kind, square)| (kind, square)).collect(),
        }
    }

    /// Names the moves from one step to another: the first ones and the last, if there are many.
    fn moves(&self, from: usize, to: usize) -> String {
        let mut san: Vec<_> = self.steps.iter().skip(from).map(|step| &*step.san).collect();
        let count = to + 1 - from;
        if san.len() < count {
            san.truncate(NAMED);
            san.push("...");
        } else {
            san.truncate(count);
            if count > NAMED {
                san.splice(NAMED - 1..count - 1, ["..."]);
            }
        }
        san.join(", ")
    }

    /// Names pieces of a side, the most valuable first.
    fn names(&self, side: Side, mut kinds: Vec<Kind>) -> String {
        kinds.sort_by_key(|kind| (-value::<G>(*kind), kind.index()));
        let placement = self.first().placement();
        let name = |same: &[Kind]| {
            let is_alike = |square| {
                let kind = placement.at(square).map(|piece| piece.kind());
                kind.is_some_and(|kind| value::<G>(kind) == value::<G>(same[0]))
            };
            let alike = placement.side(side).into_iter().filter(|square| is_alike(*square)).count();
            let name = G::KINDS[same[0].index()].name;
            match same.len() {
                1 if alike == 1 => format!("the {name}"),
                1 if name.starts_with('a') => format!("an {name}"),
                1 => format!("a {name}"),
                2 => format!("two {name}s"),
                3 => format!("three {name}s"),
                many => format!("{many} {name}s"),
            }
        };
        let names: Vec<_> = kinds.chunk_by(|one, next| one == next).map(name).collect();
        match &names[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            all => all.concat(),
        }
    }

    /// Names the material that a side loses for good in this line and not in the other: what a mistake costs or, if it is
    /// the other side's, misses.
    fn price(&self, other: &Self, loser: Side, least: i32) -> Option<String> {
        let is_own = loser == self.first().to_move();
        let at = self.deed(other, loser, least)?;
        let from = if is_own { 2 } else { 1 };
        let [mut own, mut others] = [loser, !loser].map(|side| self.change(other, side, at));
        let worth = |change: &Change| {
            let new = change.new.iter().map(|(kind, _)| value::<G>(*kind)).sum::<i32>();
            let lost = change.lost.iter().map(|kind| value::<G>(*kind)).sum::<i32>();
            new - LEAST * change.promoted as i32 - lost
        };
        let named = worth(&others) - worth(&own);
        let difference = self.loss(loser, at) - other.outcome(loser)?;
        if named < least || 2 * named > 3 * difference || !own.new.is_empty() {
            return None;
        }
        if !is_own && at == 1 && self.steps[1].retakes {
            return Some(format!("does not recapture ({})", self.moves(from, at)));
        }
        cancel::<G>(&mut own.lost, &mut others.lost);
        let mut said = Vec::new();
        let mut end = at;
        if let [kind] = own.lost[..]
            && others.lost.is_empty()
            && others.new.is_empty()
        {
            let loss = self.loss(loser, at);
            let is_done = |end: &usize| *end >= from && self.is_lost(loser, loss, *end);
            end = self.steps(0).find(is_done)?.min(at);
            if G::KINDS[kind.index()].figure == Figure::King {
                let deed =
                    if is_own { "gives a king away" } else { "misses the capture of a king" };
                return Some(format!("{deed} ({})", self.moves(from, end)));
            }
        }
        if !own.lost.is_empty() {
            let verb = if is_own { "loses" } else { "the win of" };
            let mut names = self.names(loser, own.lost);
            if !others.lost.is_empty() {
                names += &format!(" for {}", self.names(!loser, others.lost));
            }
            said.push(format!("{verb} {names}"));
        }
        if let [(kind, square), more @ ..] = &others.new[..] {
            let name = G::KINDS[kind.index()].name;
            let square = G::GEOMETRY.name(*square);
            let [act, thing] = match (more.len(), others.promoted) {
                (0, 0) => {
                    [format!("bring in a {name} on {square}"), format!("a new {name} on {square}")]
                }
                (0, _) => [format!("promote on {square}"), format!("the promotion on {square}")],
                (more, _) => ["bring in ", ""].map(|verb| format!("{verb}{} new pieces", more + 1)),
            };
            let winner = (!loser).title();
            said.push(if is_own { format!("lets {winner} {act}") } else { thing });
        }
        let misses = if is_own { "" } else { "misses " };
        let said = said.join(" and ");
        (!said.is_empty()).then(|| format!("{misses}{said} ({})", self.moves(from, end)))
    }

    /// Describes a win by force in some moves, if a side has one in this line and not in the other.
    fn win(&self, other: &Self, side: Side, range: [i32; 2]) -> Option<String> {
        let moves = |line: &Self| match line.score {
            Score::Mate(moves) if (moves > 0) == (side == Side::White) => Some(moves.abs()),
            _ => None,
        };
        let wins = moves(self).filter(|moves| (range[0]..=range[1]).contains(moves))?;
        let end = self.steps.last()?.position.outcome().map(|end| end.reason);
        let is_mate = G::KINDS.iter().any(|kind| kind.value == 0)
            || matches!(end, Some(Reason::Checkmate | Reason::KingsMated));
        let [win, a, unit] = match wins {
            _ if is_mate => ["mate", "", ""],
            1 => ["win", "a ", " move"],
            _ => ["win", "a ", " moves"],
        };
        moves(other).is_none().then(|| {
            if side == self.first().to_move() {
                format!("misses {a}{win} in {wins}{unit} ({})", self.moves(1, 1))
            } else {
                let line = self.moves(2, 2 * wins as usize);
                format!("lets {} {win} in {wins}{unit} ({line})", side.title())
            }
        })
    }
}

/// Returns what a move gives away, if that is certain: the first of its line, against another line from the same
/// position. `solved` returns the values of solved endings.
pub(super) fn why<G: Game>(
    played: &Scored<G>,
    better: &Scored<G>,
    solved: impl Fn(&G) -> Option<Value>,
) -> Option<String> {
    let us = played.first().to_move();
    let win = |range| {
        let allowed = played.win(better, !us, range);
        allowed.or_else(|| better.win(played, us, range))
    };
    let ending = || {
        let before = solved(played.first())?;
        let after = solved(&played.steps.get(1)?.position)?.before();
        let turned = match (before, after) {
            (Value::Won(_), Value::Drawn) => "won ending into a draw",
            (Value::Won(_), Value::Lost(_)) => "won ending into a lost one",
            (Value::Drawn, Value::Lost(_)) => "drawn ending into a lost one",
            _ => return None,
        };
        Some(format!("turns a {turned}"))
    };
    let loss = |least| played.price(better, us, least);
    let missed = |least| better.price(played, !us, least);
    win([1, SHORT])
        .or_else(ending)
        .or_else(|| loss(2 * LEAST))
        .or_else(|| win([SHORT + 1, i32::MAX]))
        .or_else(|| missed(2 * LEAST))
        .or_else(|| loss(LEAST))
        .or_else(|| missed(LEAST))
}
