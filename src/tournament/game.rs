//! One game between two engines, refereed by the rules of this program.

use super::comment::MoveFacts;
use super::engines::player::{Choice, Clocks, EngineReply, Fault, NoMove, Player};
use super::finished_game::{FinishedGame, PlayedGame, mark};
use super::game_end::{DECISIVE, EVEN, GameEnd, TOO_LONG};
use super::openings::GameLine;
use super::options::{DrawRule, EngineSpec, MatchOptions, ResignRule, TimeControl};
use super::schedule::Fixture;
use crate::engine::Session;
use crate::games::{Side, result};
use crate::records::pgn::PlayedMove;
use crate::search::Score;
use crate::system::date::date_and_time;
use std::time::{Duration, Instant, SystemTime};

/// Score of a mate in adjudication, in centipawns.
const MATE_SCORE: i32 = 30_000;
/// The moves and the result of a game.
struct Scoresheet {
    winner: Option<Side>,
    end: GameEnd,
    /// FEN of the last position.
    last: String,
    moves: Vec<PlayedMove>,
}

/// The match was interrupted or suspended; the game does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interrupted;

/// An engine of a game with its description.
pub(super) struct Seat<'s> {
    /// The engine; `None` once it is dropped.
    pub player: &'s mut Option<Box<dyn Player>>,
    pub spec: &'s EngineSpec,
}

/// Plays a game of the match. `seats` are White's and Black's. The game ends without a result
/// once `was_suspended` returns true.
pub(super) fn play(
    options: &MatchOptions,
    fixture: Fixture,
    seats: &mut [Seat<'_>; 2],
    was_suspended: &dyn Fn() -> bool,
) -> Result<PlayedGame, Interrupted> {
    let (begun, begin) = (SystemTime::now(), Instant::now());
    let opening = options.openings.get(options.variant, fixture.opening);
    let Scoresheet { winner, end, last, moves } =
        play_to_end(options, &opening, seats, was_suspended)?;
    let texts = moves.iter().map(|mv| mv.text.as_str());
    let game = FinishedGame {
        fixture,
        winner,
        end,
        plies: moves.len(),
        begun: Some(date_and_time(begun)),
        duration: begin.elapsed(),
        mark: mark(fixture.seats, opening.fen.as_deref(), texts),
    };
    let result = format!("{} {{{}}}", result(winner), game.sentence());
    for seat in seats {
        let Some(player) = seat.player else { continue };
        let is_kept = match player.game_over(&result) {
            Err(NoMove::Interrupted) => return Err(Interrupted),
            Err(NoMove::Fault(_)) => false,
            Ok(()) => !seat.spec.restarts.unwrap_or(!player.is_reusable()),
        };
        if !is_kept {
            *seat.player = None;
        }
    }
    Ok(PlayedGame { game, first: opening.fen, last, moves })
}

fn play_to_end(
    options: &MatchOptions,
    opening: &GameLine,
    seats: &mut [Seat<'_>; 2],
    was_suspended: &dyn Fn() -> bool,
) -> Result<Scoresheet, Interrupted> {
    let mut session = options.variant.open();
    let mut game = Referee::new(opening, seats);
    if let Err(error) = opening.set_up(&mut *session) {
        let why = format!("the opening cannot be played: {error}");
        return Ok(game.end(None, GameEnd::Other(why), &*session));
    }
    for side in Side::BOTH {
        let opponent = &seats[(!side).index()].spec.name;
        let seat = &mut seats[side.index()];
        if let Some(player) = seat.player
            && let Err(why) = player.new_game(opening.fen.as_deref(), opponent)
        {
            return seat.lose(game, side, why, &*session);
        }
    }
    let mut line = opening.clone();
    let fields = options.pgn.as_ref().map_or(&[][..], |pgn| &pgn.fields);
    loop {
        if let Some(outcome) = session.outcome() {
            return Ok(game.end(outcome.winner, GameEnd::Rules(outcome.reason), &*session));
        }
        if let Some((winner, why)) = game.adjudicate(options, session.to_move()) {
            return Ok(game.end(winner, GameEnd::Adjudication(why), &*session));
        }
        if was_suspended() {
            return Err(Interrupted);
        }
        let side = session.to_move();
        let seat = &mut seats[side.index()];
        let Some(player) = seat.player.as_mut() else {
            unreachable!("the game ends when an engine is dropped");
        };
        game.count_down(side, &seat.spec.control);
        let choice = match player.choose(&line, &game.clocks) {
            Ok(EngineReply::Move(choice)) => choice,
            Ok(EngineReply::Resignation) => {
                return Ok(game.end(Some(!side), GameEnd::Resignation, &*session));
            }
            Ok(EngineReply::Claim(winner)) if seat.spec.trusted => {
                return Ok(game.end(winner, GameEnd::Claim, &*session));
            }
            Ok(EngineReply::Claim(winner)) => {
                return Ok(game.fault(side, Fault::Claim(result(winner).into()), &*session));
            }
            Err(why) => return seat.lose(game, side, why, &*session),
        };
        let Some(mv) = session.read_move(&choice.mv) else {
            return Ok(game.fault(side, Fault::IllegalMove(choice.mv), &*session));
        };
        if session.play(&mv).is_err() {
            return Ok(game.fault(side, Fault::IllegalMove(mv), &*session));
        }
        line.moves.push(mv.clone());
        game.note(side, mv, &choice, seat.spec, fields);
        if session.clock() == Some(0) {
            game.settled = game.scores.len() - 1;
        }
        if seat.spec.ponders
            && session.outcome().is_none()
            && let Some(expected) = choice.expected.and_then(|mv| session.read_move(&mv))
        {
            let mut ahead = line.clone();
            ahead.moves.push(expected);
            game.count_down(side, &seat.spec.control);
            if let Err(why) = player.ponder(&ahead, &game.clocks) {
                return seat.lose(game, side, why, &*session);
            }
        }
    }
}

impl Seat<'_> {
    /// Ends a game that the engine loses without a move. Unless it was only late, the engine is
    /// dropped.
    fn lose(
        &mut self,
        game: Referee,
        side: Side,
        why: NoMove,
        session: &dyn Session,
    ) -> Result<Scoresheet, Interrupted> {
        match why {
            NoMove::Interrupted => Err(Interrupted),
            NoMove::Fault(fault) => {
                if fault != Fault::Time {
                    *self.player = None;
                }
                Ok(game.fault(side, fault, session))
            }
        }
    }
}

/// Record of a game in progress.
struct Referee {
    moves: Vec<PlayedMove>,
    clocks: Clocks,
    /// Moves of each engine, without those of the opening.
    thought: [u32; 2],
    /// Scores that the engines gave with their moves, for the side that moved.
    scores: Vec<Option<i32>>,
    /// Index of the score of the last irreversible move: a draw is counted from there.
    settled: usize,
}

impl Referee {
    fn new(opening: &GameLine, seats: &[Seat<'_>; 2]) -> Self {
        Self {
            moves: opening.moves.iter().map(PlayedMove::new).collect(),
            clocks: Clocks {
                time: [0, 1].map(|side| seats[side].spec.control.time),
                increment: [0, 1].map(|side| seats[side].spec.control.increment),
                to_move: 0,
                moves_to_go: 0,
            },
            thought: [0; 2],
            scores: Vec::new(),
            settled: 0,
        }
    }

    /// Makes it a side's turn, and counts the moves to its next time control.
    fn count_down(&mut self, side: Side, control: &TimeControl) {
        self.clocks.to_move = side.index();
        self.clocks.moves_to_go = match control.moves {
            0 => 0,
            moves => moves - self.thought[side.index()] % moves,
        };
    }

    /// Adds a move, and updates the clock.
    fn note(
        &mut self,
        side: Side,
        mv: String,
        choice: &Choice,
        spec: &EngineSpec,
        fields: &[&str],
    ) {
        let control = &spec.control;
        self.thought[side.index()] += 1;
        if let Some(left) = &mut self.clocks.time[side.index()]
            && control.per_move.is_none()
        {
            *left = left.saturating_sub(choice.time) + control.increment;
            if control.moves > 0 && self.thought[side.index()].is_multiple_of(control.moves) {
                *left += control.time.unwrap_or(Duration::ZERO);
            }
        }
        // All scores are the mover's.
        let score = if spec.white_view && side == Side::Black {
            choice.thinking.score.map(Score::negated)
        } else {
            choice.thinking.score
        };
        let centipawns = |score: Score| score.clamped_centipawns(MATE_SCORE);
        self.scores.push(score.map(centipawns));
        let facts = MoveFacts {
            thinking: &choice.thinking,
            score,
            time: choice.time,
            left: self.clocks.time[side.index()].filter(|_| control.per_move.is_none()),
        };
        self.moves.push(PlayedMove { comment: Some(facts.comment(fields)), ..PlayedMove::new(mv) });
    }

    /// Ends the game by the scores of the engines or its length; returns the winner and the reason.
    fn adjudicate(
        &self,
        options: &MatchOptions,
        to_move: Side,
    ) -> Option<(Option<Side>, &'static str)> {
        if options.draw.is_some_and(|rule| self.is_drawn(rule)) {
            return Some((None, EVEN));
        }
        if options.resign.is_some_and(|rule| self.is_lost(rule)) {
            return Some((Some(to_move), DECISIVE));
        }
        let most = options.max_moves?;
        (self.moves.len() >= 2 * most).then_some((None, TOO_LONG))
    }

    fn is_drawn(&self, rule: DrawRule) -> bool {
        let scores = &self.scores[self.settled..];
        let last = &scores[scores.len().saturating_sub(2 * rule.moves)..];
        self.moves.len() >= 2 * rule.move_number
            && last.len() == 2 * rule.moves
            && last.iter().all(|score| score.is_some_and(|score| score.abs() <= rule.score))
    }

    /// Returns true if the last scores of the side that moved last concede the game.
    fn is_lost(&self, rule: ResignRule) -> bool {
        let every_other = |back: usize, test: &dyn Fn(i32) -> bool| {
            let scores = self.scores.iter().rev().skip(back).step_by(2);
            let mut scores = scores.take(rule.moves);
            scores.len() == rule.moves && scores.all(|score| score.is_some_and(test))
        };
        every_other(0, &|score| score <= -rule.score)
            && (!rule.two_sided || every_other(1, &|score| score >= rule.score))
    }

    fn fault(self, side: Side, fault: Fault, session: &dyn Session) -> Scoresheet {
        self.end(Some(!side), GameEnd::Fault(fault), session)
    }

    fn end(self, winner: Option<Side>, end: GameEnd, session: &dyn Session) -> Scoresheet {
        Scoresheet { winner, end, last: session.fen(), moves: self.moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(scores: &[i32]) -> Referee {
        Referee {
            moves: vec![PlayedMove::new("e2e4"); scores.len()],
            clocks: Clocks::default(),
            thought: [0; 2],
            scores: scores.iter().copied().map(Some).collect(),
            settled: 0,
        }
    }

    #[test]
    fn a_draw_needs_both_sides_to_agree_for_long_enough() {
        let rule = DrawRule { move_number: 2, moves: 2, score: 10 };
        assert!(game(&[0, 5, -10, 10]).is_drawn(rule));
        assert!(game(&[90, 0, 5, -10, 10]).is_drawn(rule));
        assert!(!game(&[0, 5, -10]).is_drawn(rule));
        assert!(!game(&[0, 5, -11, 10]).is_drawn(rule));
        assert!(!game(&[0, 5, -10, 10]).is_drawn(DrawRule { move_number: 3, ..rule }));
    }

    #[test]
    fn a_loss_is_one_sides_view_or_both() {
        let rule = ResignRule { moves: 2, score: 500, two_sided: false };
        let both = ResignRule { two_sided: true, ..rule };
        let lost = game(&[0, -600, 100, -700]);
        assert!(lost.is_lost(rule));
        assert!(!lost.is_lost(ResignRule { moves: 3, ..rule }));
        assert!(!lost.is_lost(both));
        let agreed = game(&[550, -600, 700, -700]);
        assert!(agreed.is_lost(both));
        // Only the side that moved last loses: as in cutechess-cli its own next score decides.
        let winner_moved = game(&[-600, 550, -700, 700]);
        assert!(!winner_moved.is_lost(rule) && !winner_moved.is_lost(both));
    }
}
