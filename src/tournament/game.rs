//! One game between two engines, refereed by the rules in this program.

use super::engines::player::{Answer, Choice, Clocks, Fault, NewGame, NoMove, Player};
use super::openings::Opening;
use super::options::{DrawRule, EngineSpec, Options, ResignRule, TimeControl};
use crate::engine::Session;
use crate::games::{Reason, Side, result};
use crate::search::Score;
use std::fmt;
use std::time::Duration;

/// A score that counts as this in adjudication when it is a mate.
const MATE_SCORE: i32 = 30_000;
/// Why a game with too many moves is drawn.
const TOO_LONG: &str = "the game is too long";
/// Why a game that both find even is drawn.
const EVEN: &str = "the scores are even";
/// Why a game that a side finds lost is lost.
const DECISIVE: &str = "the score is decisive";

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// By the rules.
    Rules(Reason),
    /// The match ended it, and this is why.
    Adjudication(&'static str),
    /// The loser did something wrong.
    Fault(Fault),
    /// The loser gave up.
    Resignation,
    /// An engine that is trusted said so.
    Claim,
    /// Anything else, in words: the opening cannot be played, or another program wrote the tag.
    Other(String),
}

impl End {
    /// Reads a tag `Reason`, the inverse of [`tag`](Self::tag).
    pub fn of_tag(tag: &str) -> Self {
        let (kind, detail) = tag.split_once(": ").unwrap_or((tag, ""));
        match kind {
            "adjudication" => [TOO_LONG, EVEN, DECISIVE]
                .into_iter()
                .find(|why| *why == detail)
                .map_or(Self::Claim, Self::Adjudication),
            "time forfeit" => Self::Fault(Fault::Time),
            "illegal move" => Self::Fault(Fault::IllegalMove(detail.into())),
            "disconnected" => Self::Fault(Fault::Crash(detail.into())),
            "stalled" => Self::Fault(Fault::Hang),
            "wrong claim" => Self::Fault(Fault::Claim(String::new())),
            "resignation" => Self::Resignation,
            _ => Reason::ALL
                .into_iter()
                .find(|reason| reason.name() == tag)
                .map_or_else(|| Self::Other(tag.into()), Self::Rules),
        }
    }

    /// Returns the loser if it lost by a fault.
    pub fn at_fault(&self, winner: Option<Side>) -> Option<Side> {
        let is_fault = matches!(self, Self::Fault(_));
        winner.filter(|_| is_fault).map(|winner| !winner)
    }

    /// As the tag `Reason` of a PGN has it.
    pub fn tag(&self) -> String {
        match self {
            Self::Rules(reason) => reason.name().into(),
            Self::Adjudication(why) => format!("adjudication: {why}"),
            Self::Fault(Fault::IllegalMove(mv)) => format!("illegal move: {mv}"),
            Self::Fault(Fault::Crash(why)) => format!("disconnected: {why}"),
            Self::Fault(fault) => fault.name().into(),
            Self::Resignation => "resignation".into(),
            Self::Claim => "adjudication: an engine that is trusted says so".into(),
            Self::Other(text) => text.clone(),
        }
    }

    /// As cutechess-cli says it.
    pub fn sentence(&self, winner: Option<Side>) -> String {
        let name = Side::title;
        if let Self::Other(text) = self {
            return text.clone();
        }
        let Some(winner) = winner else {
            return match self {
                Self::Rules(Reason::Repetition) => "Draw by 3-fold repetition".into(),
                Self::Rules(Reason::Material) => "Draw by insufficient mating material".into(),
                Self::Rules(Reason::Clock) => "Draw by moves rule".into(),
                Self::Rules(reason) => format!("Draw by {}", reason.name()),
                Self::Adjudication(TOO_LONG) => "Draw by adjudication: maximal game length".into(),
                Self::Adjudication(_) | Self::Claim => "Draw by adjudication".into(),
                _ => format!("No result: {}", self.tag()),
            };
        };
        let (winner, loser) = (name(winner), name(!winner));
        match self {
            Self::Rules(Reason::Checkmate) => format!("{winner} mates"),
            Self::Rules(reason) => format!("{winner} wins: {}", reason.name().replace('-', " ")),
            Self::Fault(Fault::Time) => format!("{loser} loses on time"),
            Self::Fault(Fault::IllegalMove(mv)) => format!("{loser} makes an illegal move: {mv}"),
            Self::Fault(Fault::Crash(_)) => format!("{loser} disconnects"),
            Self::Fault(Fault::Hang) => format!("{loser}'s connection stalls"),
            Self::Fault(Fault::Claim(_)) => {
                format!("{winner} wins by adjudication: {loser} makes a wrong result claim")
            }
            Self::Resignation => format!("{loser} resigns"),
            _ => format!("{winner} wins by adjudication"),
        }
    }

    /// As the tag `Termination` of a PGN has it.
    pub fn termination(&self) -> &'static str {
        match self {
            Self::Rules(_) | Self::Resignation => "normal",
            Self::Fault(fault) => fault.name(),
            Self::Adjudication(_) | Self::Claim => "adjudication",
            Self::Other(_) => "unterminated",
        }
    }
}

/// What an engine did, if it did something wrong, in a sentence that begins with its name.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            _ => f.write_str(&self.tag()),
        }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why.
    pub end: End,
    /// Its last position.
    pub fen: String,
    /// The moves with what was said of them, those of the opening without.
    pub moves: Vec<(String, Option<String>)>,
}

/// What happened to a game.
pub type Played = Result<Finished, Interrupted>;

/// The match was interrupted; the game does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// A seat at the board: an engine and what the command line says of it.
pub struct Seat<'s> {
    /// The engine; `None` if it does not run.
    pub player: &'s mut Option<Box<dyn Player>>,
    /// Its description.
    pub spec: &'s EngineSpec,
}

/// Plays a game from an opening. `seats` are White's and Black's.
pub fn play(options: &Options, opening: &Opening, seats: &mut [Seat<'_>; 2]) -> Played {
    let finished = play_to_end(options, opening, seats)?;
    let result = format!(
        "{} {{{}}}",
        result(finished.winner),
        finished.end.sentence(finished.winner)
    );
    for seat in seats {
        let told = seat
            .player
            .as_mut()
            .map(|player| (player.game_over(&result), player.is_reusable()));
        let goes_on = match told {
            Some((Err(NoMove::Interrupted), _)) => return Err(Interrupted),
            Some((Err(NoMove::Fault(_)), _)) => false,
            Some((Ok(()), is_reusable)) => !seat.spec.restarts.unwrap_or(!is_reusable),
            None => false,
        };
        if !goes_on {
            *seat.player = None;
        }
    }
    Ok(finished)
}

fn play_to_end(options: &Options, opening: &Opening, seats: &mut [Seat<'_>; 2]) -> Played {
    let mut session = options.variant.open();
    let mut game = Game::new(opening, seats);
    if let Err(error) = opening.set_up(&mut *session) {
        let why = format!("the opening cannot be played: {error}");
        return Ok(game.end(None, End::Other(why), &*session));
    }
    for side in Side::BOTH {
        let opponent = &seats[(!side).index()].spec.name;
        let new_game = NewGame {
            fen: opening.fen.as_deref(),
            opponent,
        };
        let seat = &mut seats[side.index()];
        let ready = seat
            .player
            .as_mut()
            .map(|player| player.new_game(&new_game));
        if let Some(Err(why)) = ready {
            return seat.lose(game, side, why, &*session);
        }
    }
    let mut texts = opening.moves.clone();
    loop {
        if let Some(outcome) = session.outcome() {
            return Ok(game.end(outcome.winner, End::Rules(outcome.reason), &*session));
        }
        if let Some((winner, why)) = game.adjudicate(options, session.to_move()) {
            return Ok(game.end(winner, End::Adjudication(why), &*session));
        }
        let side = session.to_move();
        let seat = &mut seats[side.index()];
        let Some(player) = seat.player.as_mut() else {
            return Ok(game.fault(side, Fault::Crash("it does not run".into()), &*session));
        };
        game.count_down(side, &seat.spec.control);
        let choice = match player.choose(opening.line(&texts, side), &game.clocks) {
            Ok(Answer::Move(choice)) => choice,
            Ok(Answer::Resignation) => {
                return Ok(game.end(Some(!side), End::Resignation, &*session));
            }
            Ok(Answer::Claim(winner)) if seat.spec.trusted => {
                return Ok(game.end(winner, End::Claim, &*session));
            }
            Ok(Answer::Claim(winner)) => {
                return Ok(game.fault(side, Fault::Claim(result(winner).into()), &*session));
            }
            Err(why) => return seat.lose(game, side, why, &*session),
        };
        let Some(mv) = read_move(&*session, &choice.mv) else {
            return Ok(game.fault(side, Fault::IllegalMove(choice.mv), &*session));
        };
        if session.play(&mv).is_err() {
            return Ok(game.fault(side, Fault::IllegalMove(mv), &*session));
        }
        texts.push(mv.clone());
        game.note(side, mv, &choice, seat.spec);
        if seat.spec.ponders
            && session.outcome().is_none()
            && let Some(expected) = choice.expected.and_then(|mv| session.read_move(&mv))
        {
            let mut ahead = texts.clone();
            ahead.push(expected);
            game.count_down(side, &seat.spec.control);
            if let Err(why) = player.ponder(opening.line(&ahead, side), &game.clocks) {
                return seat.lose(game, side, why, &*session);
            }
        }
    }
}

/// The legal move that a text means, as the engines are told it. Here is where the moves that
/// engines write are read.
fn read_move(session: &dyn Session, text: &str) -> Option<String> {
    session.read_move(text)
}

impl Seat<'_> {
    /// The engine loses a game for something else than a move. It is given up unless it was
    /// only late.
    fn lose(&mut self, game: Game, side: Side, why: NoMove, session: &dyn Session) -> Played {
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

/// A game under way.
struct Game {
    moves: Vec<(String, Option<String>)>,
    clocks: Clocks,
    /// How many moves each side has thought about.
    thought: [u32; 2],
    /// What the engines said after each of their moves, for the side that moved.
    scores: Vec<Option<i32>>,
}

impl Game {
    fn new(opening: &Opening, seats: &[Seat<'_>; 2]) -> Self {
        Self {
            moves: opening.moves.iter().map(|mv| (mv.clone(), None)).collect(),
            clocks: Clocks {
                time: [0, 1].map(|side| seats[side].spec.control.time),
                increment: [0, 1].map(|side| seats[side].spec.control.increment),
                moves_to_go: 0,
            },
            thought: [0; 2],
            scores: Vec::new(),
        }
    }

    /// Notes how many moves the next time control of a side is away.
    fn count_down(&mut self, side: Side, control: &TimeControl) {
        self.clocks.moves_to_go = match control.moves {
            0 => 0,
            moves => moves - self.thought[side.index()] % moves,
        };
    }

    /// Notes a move that was played.
    fn note(&mut self, side: Side, mv: String, choice: &Choice, spec: &EngineSpec) {
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
        let score = match spec.white_view && side == Side::Black {
            true => choice.score.map(Score::negated),
            false => choice.score,
        };
        let centipawns = |score: Score| score.clamped_centipawns(MATE_SCORE);
        self.scores.push(score.map(centipawns));
        let said = match score {
            None => String::new(),
            Some(Score::Centipawns(value)) => {
                format!("{:+.2}/{} ", f64::from(value) / 100.0, choice.depth)
            }
            Some(Score::Mate(moves)) => {
                let sign = if moves > 0 { '+' } else { '-' };
                format!("{sign}M{}/{} ", moves.abs(), choice.depth)
            }
        };
        let comment = format!("{said}{:.3}s", choice.time.as_secs_f64());
        self.moves.push((mv, Some(comment)));
    }

    /// The end of the game that the engines' own scores show.
    fn adjudicate(&self, options: &Options, to_move: Side) -> Option<(Option<Side>, &'static str)> {
        if options.draw.is_some_and(|rule| self.is_drawn(rule)) {
            return Some((None, EVEN));
        }
        if let Some(rule) = options.resign {
            // The side that moved last, then the other.
            let loser = [0, 1].into_iter().find(|&back| self.is_lost(rule, back));
            if let Some(back) = loser {
                let winner = if back == 0 { to_move } else { !to_move };
                return Some((Some(winner), DECISIVE));
            }
        }
        let most = options.max_moves?;
        (self.moves.len() >= 2 * most).then_some((None, TOO_LONG))
    }

    fn is_drawn(&self, rule: DrawRule) -> bool {
        let last = &self.scores[self.scores.len().saturating_sub(2 * rule.moves)..];
        self.moves.len() >= 2 * rule.move_number
            && last.len() == 2 * rule.moves
            && last
                .iter()
                .all(|score| score.is_some_and(|score| score.abs() <= rule.score))
    }

    /// Whether the side whose last move was `back` moves ago sees itself lost.
    fn is_lost(&self, rule: ResignRule, back: usize) -> bool {
        let every_other = |back: usize, test: &dyn Fn(i32) -> bool| {
            let said: Vec<_> = self
                .scores
                .iter()
                .rev()
                .skip(back)
                .step_by(2)
                .take(rule.moves)
                .collect();
            said.len() == rule.moves && said.iter().all(|score| score.is_some_and(test))
        };
        every_other(back, &|score| score <= -rule.score)
            && (!rule.two_sided || every_other(1 - back, &|score| score >= rule.score))
    }

    fn fault(self, side: Side, fault: Fault, session: &dyn Session) -> Finished {
        self.end(Some(!side), End::Fault(fault), session)
    }

    fn end(self, winner: Option<Side>, end: End, session: &dyn Session) -> Finished {
        Finished {
            winner,
            end,
            fen: session.fen(),
            moves: self.moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(scores: &[i32]) -> Game {
        Game {
            moves: vec![("e2e4".into(), None); scores.len()],
            clocks: Clocks::default(),
            thought: [0; 2],
            scores: scores.iter().copied().map(Some).collect(),
        }
    }

    #[test]
    fn ends_are_read_as_they_are_written() {
        let mut ends = vec![
            End::Adjudication(TOO_LONG),
            End::Adjudication(EVEN),
            End::Adjudication(DECISIVE),
            End::Fault(Fault::IllegalMove("a1b7".into())),
            End::Fault(Fault::Crash("it slept".into())),
            End::Fault(Fault::Time),
            End::Fault(Fault::Hang),
            End::Fault(Fault::Claim(String::new())),
            End::Resignation,
            End::Claim,
            End::Other("boredom".into()),
        ];
        ends.extend(Reason::ALL.map(End::Rules));
        for end in ends {
            assert_eq!(End::of_tag(&end.tag()), end);
        }
    }

    #[test]
    fn a_draw_needs_both_sides_to_agree_for_long_enough() {
        let rule = DrawRule {
            move_number: 2,
            moves: 2,
            score: 10,
        };
        assert!(game(&[0, 5, -10, 10]).is_drawn(rule));
        assert!(game(&[90, 0, 5, -10, 10]).is_drawn(rule));
        assert!(!game(&[0, 5, -10]).is_drawn(rule));
        assert!(!game(&[0, 5, -11, 10]).is_drawn(rule));
        assert!(!game(&[0, 5, -10, 10]).is_drawn(DrawRule {
            move_number: 3,
            ..rule
        }));
    }

    #[test]
    fn a_loss_is_one_sides_view_or_both() {
        let rule = ResignRule {
            moves: 2,
            score: 500,
            two_sided: false,
        };
        let lost = game(&[0, -600, 100, -700]);
        assert!(lost.is_lost(rule, 0));
        assert!(!lost.is_lost(rule, 1));
        assert!(!lost.is_lost(ResignRule { moves: 3, ..rule }, 0));
        assert!(!lost.is_lost(
            ResignRule {
                two_sided: true,
                ..rule
            },
            0
        ));
        let agreed = game(&[550, -600, 700, -700]);
        assert!(agreed.is_lost(
            ResignRule {
                two_sided: true,
                ..rule
            },
            0
        ));
    }
}
