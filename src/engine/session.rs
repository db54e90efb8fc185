//! One game in progress, seen without its type.

use super::catalogue::{Entry, Sheet};
use super::endgames::Endgames;
use super::found::{Found, Task};
use super::legal_move::read_legal_move;
use super::messages::{MAX_GAME, PositionError, Request};
use super::networks::{network, shipped};
use super::why::{Scored, ScoredLine, why};
use crate::draw::{Look, Parts, View, diagram, svg};
use crate::endings;
use crate::eval::{self, Network};
use crate::games::{self, Game, GameExt, Move, Outcome, Reason, Side};
use crate::search::value::{DRAW, mate_in, mated_in};
use crate::search::{Control, Limits, Resources, SearchEvent, Searcher};
use crate::system::sync::{cores, lock};
use crate::text::{BoardView, SanError, lan, move_text, read_move, read_san, read_squares, san};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// One game in progress: a position and what led to it. Object-safe, so that protocols
/// need not know which game it is.
pub trait Session: Send {
    /// Returns facts for clients.
    fn info(&self) -> &'static Sheet;

    /// Sets the position: a FEN, or the start position, and moves from there.
    /// A fault leaves the position as it was.
    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), PositionError>;

    /// Plays a move on the position. A fault, with number 1, leaves the position as it was.
    fn play(&mut self, text: &str) -> Result<(), PositionError>;

    /// Plays a move in standard algebraic notation or in coordinates, and returns it as the engine
    /// writes it. A fault, with the number of the move in the game, leaves the position as it was.
    fn play_san(&mut self, text: &str) -> Result<String, PositionError>;

    /// Returns a copy of the game, to play in.
    fn fork(&self) -> Box<dyn Session>;

    /// Returns the position as a FEN.
    fn fen(&self) -> String;

    /// Returns the position's hash key.
    fn key(&self) -> u64;

    /// Returns the side to move.
    fn to_move(&self) -> Side;

    /// Returns true if the side to move would lose on the board if its opponent moved now.
    fn is_check(&self) -> bool;

    /// Returns the plies since the last move that the rules call irreversible; `None` in a game
    /// without a clock.
    fn clock(&self) -> Option<u32>;

    /// Returns the end of the game, if it is over, also by repetition.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns all legal moves, sorted as text, even in a position drawn by repetition, clock or
    /// material.
    fn moves(&self) -> Vec<String>;

    /// Returns the legal move that a text means, as the engine writes it.
    fn read_move(&self, text: &str) -> Option<String>;

    /// Returns a legal move in standard algebraic notation.
    fn san(&self, mv: &str) -> Option<String>;

    /// Returns a legal move in long algebraic notation.
    fn lan(&self, mv: &str) -> Option<String>;

    /// Converts a line of play from coordinates to standard algebraic notation.
    fn san_line(&self, moves: &[String]) -> Result<Vec<String>, PositionError>;

    /// Returns in words what a move gives away, if that is certain: the first of a line of play, against a better
    /// line from the same position.
    fn why(
        &self,
        played: ScoredLine<'_>,
        better: ScoredLine<'_>,
    ) -> Result<Option<String>, PositionError>;

    /// Returns the position after a line of play as a FEN.
    fn fen_after(&self, moves: &[String]) -> Result<String, PositionError>;

    /// Parses a line of play in standard algebraic notation or in coordinates. Returns it in
    /// coordinates.
    fn read_line(&self, texts: &[&str]) -> Result<Vec<String>, PositionError>;

    /// Parses a legal move in standard algebraic notation or in coordinates. Returns it as the
    /// engine writes it.
    fn read_san(&self, text: &str) -> Result<String, SanError>;

    /// Returns the board for a client that does not know the rules.
    fn board_view(&self) -> &dyn BoardView;

    /// Draws the board as text, for people.
    fn diagram(&self, look: Look) -> String;

    /// Draws the board as a picture in SVG, with the last move marked. `arrows` are moves, legal or
    /// not, alternately of the side to move and of the other.
    fn picture(&self, arrows: &[&str], view: View) -> Result<String, SanError>;

    /// Draws the parts of pictures of the game.
    fn picture_parts(&self) -> Parts;

    /// Returns the material of White and Black, and the value of the static evaluation for the side
    /// to move.
    fn evaluation(&self) -> ([i32; 2], i32);

    /// Counts the paths of legal moves of length `depth`, [`MAX_PERFT`](super::MAX_PERFT) at most, reporting each
    /// first move with its count. Returns `None` if it was stopped.
    fn perft(&self, depth: u32, control: &Control, each: &mut dyn FnMut(&str, u64)) -> Option<u64>;

    /// Allocates the memory for searches with `threads`, which the first one would otherwise do.
    fn prepare(&mut self, threads: usize);

    /// Prepares a search of the position.
    fn search(&self, request: &Request, resources: Resources) -> Result<Task, PositionError>;

    /// Forgets what earlier searches learned.
    fn forget(&mut self);

    /// Evaluates with the [`network`](super::network) of this name from now on.
    /// A fault changes nothing.
    fn set_network(&mut self, name: &str) -> io::Result<()>;

    /// Consults the solved endings of a folder from now on, or without one the endings of three
    /// pieces alone. Returns the number of tables read. A fault changes nothing.
    fn set_endings(&mut self, folder: Option<&Path>) -> io::Result<usize>;

    /// Returns the value of the position for the side to move, if it is not over and its ending is
    /// solved. Clock and repetition are ignored.
    fn solved(&self) -> Option<endings::Value>;
}

/// A game in progress.
#[derive(Clone)]
pub(super) struct TypedSession<G> {
    position: G,
    /// The keys of the earlier positions.
    history: Vec<u64>,
    /// The last move, if there is one.
    last: Option<Move>,
    /// True if it captured.
    captured: bool,
    searcher: Arc<Mutex<Searcher<G>>>,
    /// Evaluates positions; without one pieces are counted.
    network: Option<Arc<Network>>,
    endgames: Arc<Endgames>,
}

impl<G: Entry> TypedSession<G> {
    pub(super) fn new() -> Self {
        Self {
            position: G::start(),
            history: Vec::new(),
            last: None,
            captured: false,
            searcher: Arc::new(Mutex::new(Searcher::new(G::SHEET.params))),
            network: shipped::<G>(),
            endgames: Endgames::of::<G>(),
        }
    }

    fn advance(&mut self, mv: Move) -> Result<(), PositionError> {
        if self.history.len() >= MAX_GAME {
            return Err(PositionError::TooLong);
        }
        self.history.push(self.position.key());
        self.captured = self.position.victim(mv).is_some();
        self.position.play(mv);
        self.last = Some(mv);
        Ok(())
    }

    fn is_third_occurrence(&self) -> bool {
        games::is_third_occurrence(&self.history, self.position.key())
    }
}

impl<G: Entry> Session for TypedSession<G> {
    fn info(&self) -> &'static Sheet {
        &G::SHEET
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), PositionError> {
        let position = fen.map_or_else(|| Ok(G::start()), G::from_fen)?;
        let history = Vec::with_capacity(moves.len());
        let mut next = Self { position, history, last: None, captured: false, ..self.clone() };
        for (number, text) in (1..).zip(moves) {
            next.advance(read_legal_move(&next.position, text, number)?)?;
        }
        *self = next;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), PositionError> {
        self.advance(read_legal_move(&self.position, text, 1)?)
    }

    fn play_san(&mut self, text: &str) -> Result<String, PositionError> {
        let number = self.history.len() + 1;
        let mv = read_san(&self.position, text);
        let mv = mv.map_err(|fault| PositionError::San { number, fault })?;
        self.advance(mv)?;
        Ok(move_text::<G>(mv))
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn fen(&self) -> String {
        self.position.fen()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn to_move(&self) -> Side {
        self.position.to_move()
    }

    fn is_check(&self) -> bool {
        self.position.board_outcome().is_none() && self.position.in_check()
    }

    fn clock(&self) -> Option<u32> {
        G::CLOCK_LIMIT.map(|_| self.position.placement().clock())
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.position.outcome() {
            Some(outcome) if !outcome.reason.is_claimed() => Some(outcome),
            _ if self.is_third_occurrence() => Some(Outcome::draw(Reason::Repetition)),
            other => other,
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves: Vec<_> =
            self.position.legal_moves().into_iter().map(move_text::<G>).collect();
        moves.sort_unstable();
        moves
    }

    fn read_move(&self, text: &str) -> Option<String> {
        read_move(&self.position, text).map(move_text::<G>)
    }

    fn san(&self, mv: &str) -> Option<String> {
        read_move(&self.position, mv).map(|mv| san(&self.position, mv))
    }

    fn lan(&self, mv: &str) -> Option<String> {
        read_move(&self.position, mv).map(|mv| lan(&self.position, mv))
    }

    fn san_line(&self, moves: &[String]) -> Result<Vec<String>, PositionError> {
        let mut position = self.position.clone();
        let mut line = Vec::with_capacity(moves.len());
        for (number, text) in (1..).zip(moves) {
            let mv = read_legal_move(&position, text, number)?;
            line.push(san(&position, mv));
            position.play(mv);
        }
        Ok(line)
    }

    fn why(
        &self,
        played: ScoredLine<'_>,
        better: ScoredLine<'_>,
    ) -> Result<Option<String>, PositionError> {
        let mut next = self.clone();
        next.play(played.1.first().map_or("", String::as_str))?;
        if let Some(Outcome { winner: None, reason }) = next.outcome() {
            return Ok(Some(format!("ends in a draw by {}", reason.name())));
        }
        let capture = self.last.filter(|_| self.captured);
        let follow = |line| Scored::read(&self.position, capture, line);
        let value = |position: &G| {
            let value = position.outcome().is_none().then(|| self.endgames.value(position))??;
            let is_in_time = |left| value.plies().is_none_or(|plies| u32::from(plies) <= left);
            position.plies_left().is_none_or(is_in_time).then_some(value)
        };
        Ok(why(&follow(played)?, &follow(better)?, value))
    }

    fn fen_after(&self, moves: &[String]) -> Result<String, PositionError> {
        let mut position = self.position.clone();
        for (number, text) in (1..).zip(moves) {
            position.play(read_legal_move(&position, text, number)?);
        }
        Ok(position.fen())
    }

    fn read_line(&self, texts: &[&str]) -> Result<Vec<String>, PositionError> {
        let mut position = self.position.clone();
        let mut line = Vec::with_capacity(texts.len());
        for (number, text) in (1..).zip(texts) {
            let mv = read_san(&position, text);
            let mv = mv.map_err(|fault| PositionError::San { number, fault })?;
            line.push(move_text::<G>(mv));
            position.play(mv);
        }
        Ok(line)
    }

    fn read_san(&self, text: &str) -> Result<String, SanError> {
        read_san(&self.position, text).map(move_text::<G>)
    }

    fn board_view(&self) -> &dyn BoardView {
        &self.position
    }

    fn diagram(&self, look: Look) -> String {
        diagram::draw(&self.position, self.last, G::SHEET.second_wing, look)
    }

    fn picture(&self, arrows: &[&str], view: View) -> Result<String, SanError> {
        let squares = |text: &&str| {
            let (from, to, promotion) = read_squares::<G>(text)?;
            (from != to && promotion.len() <= 1).then_some((from, to))
        };
        let arrows: Vec<_> = arrows
            .iter()
            .map(|text| squares(text).ok_or_else(|| SanError::NotAMove(text.to_string())))
            .collect::<Result<_, _>>()?;
        Ok(svg::draw(&self.position, self.last, G::SHEET.second_wing, &arrows, view))
    }

    fn picture_parts(&self) -> Parts {
        svg::parts::<G>()
    }

    fn evaluation(&self) -> ([i32; 2], i32) {
        (
            Side::BOTH.map(|side| eval::material(&self.position, side)),
            eval::evaluate(self.network.as_ref(), &self.position),
        )
    }

    fn perft(&self, depth: u32, control: &Control, each: &mut dyn FnMut(&str, u64)) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let mut moves = self.position.legal_moves();
        moves.sort_by_cached_key(|&mv| move_text::<G>(mv));
        let mut total = 0;
        for mv in moves {
            let mut next = self.position.clone();
            next.play(mv);
            let nodes = stoppable_perft(&next, depth - 1, control)?;
            each(&move_text::<G>(mv), nodes);
            total += nodes;
        }
        Some(total)
    }

    fn search(&self, request: &Request, mut resources: Resources) -> Result<Task, PositionError> {
        let limits = request.limits;
        let only = (1..)
            .zip(&request.search_moves)
            .map(|(number, text)| read_legal_move(&self.position, text, number))
            .collect::<Result<Vec<_>, _>>()?;
        let position = self.position.clone();
        let history = self.history.clone();
        let searcher = Arc::clone(&self.searcher);
        lock(&searcher).prepare(resources.threads);
        let network = self.network.clone();
        let outcome = self.outcome().filter(|outcome| !outcome.reason.is_claimed());
        // A handicapped search does not consult endings.
        let endgames = Arc::clone(&self.endgames);
        resources.endings = match limits.skill {
            Some(_) => None,
            None => endgames.for_search(&position),
        };
        Ok(Box::new(move |observe| {
            let mut found = Found::default();
            let mut report = |event| {
                found.note(&event);
                observe(event);
            };
            if let Some(outcome) = outcome {
                let value = match outcome.winner {
                    None => DRAW,
                    Some(winner) if winner == position.to_move() => mate_in(1),
                    Some(_) => mated_in(0),
                };
                report(SearchEvent::Over { value });
                resources.control.wait_until_answer_is_wanted();
                return found;
            }
            if resources.endings.is_some() {
                get_ready(&endgames, &position, &limits, &resources.control);
            }
            let mut searcher = lock(&searcher);
            searcher.evaluate_with(network);
            let begun = Instant::now();
            let answer =
                searcher.search(&position, &history, &only, &limits, &resources, &mut |event| {
                    report(event.map(move_text::<G>))
                });
            log::debug!(
                "search ended after {:?}: {} nodes, {}",
                begun.elapsed(),
                answer.nodes,
                G::SHEET.score_model.score(answer.value)
            );
            Found { answer: answer.map(move_text::<G>), ..found }
        }))
    }

    fn prepare(&mut self, threads: usize) {
        lock(&self.searcher).prepare(threads);
    }

    fn forget(&mut self) {
        lock(&self.searcher).forget();
    }

    fn set_network(&mut self, name: &str) -> io::Result<()> {
        self.network = network::<G>(name)?;
        Ok(())
    }

    fn set_endings(&mut self, folder: Option<&Path>) -> io::Result<usize> {
        let (endgames, tables) = match folder {
            None => (Endgames::of::<G>(), 0),
            Some(folder) => Endgames::read::<G>(folder)?,
        };
        self.endgames = endgames;
        Ok(tables)
    }

    fn solved(&self) -> Option<endings::Value> {
        match self.outcome() {
            Some(_) => None,
            None => self.endgames.value(&self.position),
        }
    }
}

/// Solves the endings that a search of a position can reach. Without a clock it does so before the
/// search, for the same result each time, otherwise beside it.
fn get_ready<G: Game>(
    endgames: &Arc<Endgames>,
    position: &G,
    limits: &Limits,
    control: &Arc<Control>,
) {
    let missing = endgames.missing(position);
    if missing.is_empty() {
        return;
    }
    let is_counted = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
    if limits.time.is_none() && is_counted {
        endgames.solve::<G>(&missing, cores(), &|| control.is_stopped());
        return;
    }
    endgames.solve_beside::<G>(missing);
}

fn stoppable_perft<G: Game>(position: &G, depth: u32, control: &Control) -> Option<u64> {
    if depth <= 3 {
        return (!control.is_stopped()).then(|| games::perft(position, depth));
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play(mv);
        total += stoppable_perft(&next, depth - 1, control)?;
    }
    Some(total)
}
