//! The Chess Engine Communication Protocol, version 2, of XBoard and WinBoard. `protocol.md`
//! is the contract.
//!
//! XBoard knows none of the games but Gothic Chess. The engine describes the board
//! (`features.rs`), marks the targets of a lifted piece and names what it becomes there
//! (`mouse.rs`), plays the plies that the board needs besides moves (`plies.rs`), and claims every
//! result.

mod clock;
mod features;
mod mouse;
mod plies;
mod record;
mod search;

pub use mouse::XBOARD_SWITCHES;

use super::channel::{Input, MAX_QUOTED};
use super::link::{CONTINUE, Dialect, Flow, Link, QUIT, Speaker};
use crate::engine::{Effect, Found, Mode, PositionError, Session, Sheet, VARIANT_OPTION};
use crate::games::{Side, result};
use crate::search::{Bound, Limits, Line, SearchEvent};
use crate::system::Cause;
use crate::system::text::{MAX_LINE, number, shorten_to};
use clock::Clock;
use features::{features, option_value, setup};
use mouse::Mouse;
use record::GameRecord;
use search::{Searching, progress, thinking};
use std::time::Duration;

/// Limit of the pings that wait for the engine's move.
const MAX_PINGS: usize = 10_000;

pub(super) static DIALECT: Dialect = Dialect { words: &["xboard"], begin };

fn begin(mut link: Link) -> Box<dyn Speaker> {
    let game = GameRecord::begin(link.engine.session_mut(), None);
    let mut dialogue = CecpDialogue {
        link,
        game,
        plays: None,
        against_computer: false,
        searching: Searching::Nothing,
        last_line: None,
        reply: None,
        mouse: Mouse::default(),
        waiting_pings: Vec::new(),
        post: false,
        ponder: false,
        clock: Clock::default(),
        depth: None,
    };
    dialogue.begin_anew();
    Box::new(dialogue)
}

struct CecpDialogue {
    link: Link,
    game: GameRecord,
    /// The side that the engine plays; none in force mode and in analysis.
    plays: Option<Side>,
    against_computer: bool,
    searching: Searching,
    /// The last report of the best line.
    last_line: Option<Line<String>>,
    /// The expected reply to the move that the last search found.
    reply: Option<String>,
    mouse: Mouse,
    /// Answered when the engine has moved.
    waiting_pings: Vec<u64>,
    post: bool,
    ponder: bool,
    clock: Clock,
    depth: Option<u32>,
}

impl Speaker for CecpDialogue {
    fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    fn take(&mut self, input: Input) -> Flow {
        match input {
            Input::Line(line) => return self.hear(&line),
            Input::TooLong => {
                self.error(&format!("line of more than {MAX_LINE} bytes"), "");
            }
            Input::Search(event) => self.hear_search(event),
            // Only tasks of another protocol send lines.
            Input::Said(_) => {}
            Input::Finished(found) => self.search_ended(found.unwrap_or_default()),
            Input::End => {
                // The client still wants the engine's move.
                while self.searching == Searching::Move {
                    let next = self.link.next();
                    self.take(next)?;
                }
                return QUIT;
            }
            Input::OutputClosed => return QUIT,
        }
        CONTINUE
    }

    /// Returns the time to wait for what follows a click.
    fn patience(&self) -> Option<Duration> {
        self.mouse.held_back()
    }

    fn idle(&mut self) {
        self.advise();
    }

    fn end(self: Box<Self>) -> Link {
        self.link
    }
}

impl CecpDialogue {
    fn hear(&mut self, line: &str) -> Flow {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if command == "quit" {
            return QUIT;
        }
        if let Err(fault) = self.obey(command, rest.trim()) {
            self.error(&fault.to_string(), line);
        }
        CONTINUE
    }

    fn say(&mut self, text: &str) {
        self.link.say(text);
    }

    fn error(&mut self, fault: &str, line: &str) {
        self.say(&format!(
            "Error ({}): {}",
            shorten_to(MAX_QUOTED, fault),
            shorten_to(MAX_QUOTED, line)
        ));
    }

    fn obey(&mut self, command: &str, rest: &str) -> Result<(), Cause> {
        if !["hover", "put", "time", "otim", "ping"].contains(&command) {
            self.mouse.settle();
        }
        match command {
            "" | "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics"
            | "otim" | "hover" | "bk" => {}
            "protover" => self.say(&features(&self.link.engine)),
            "new" => {
                self.against_computer = false;
                self.begin_anew();
            }
            "computer" => self.against_computer = true,
            "variant" => return self.set_variant(rest),
            "setboard" => return self.set_board(rest),
            "force" => {
                self.abort_search();
                self.plays = None;
            }
            "go" => {
                self.abort_search();
                self.plays = Some(self.turn());
                self.game.plies.forget_rewound();
                self.say_plies(None);
                if !self.claim() {
                    self.think();
                }
            }
            "playother" => {
                self.abort_search();
                self.plays = Some(!self.turn());
                if !self.claim() {
                    self.ponder();
                }
            }
            "usermove" => return self.opponent_moves(rest),
            "?" => {
                if self.searching == Searching::Move {
                    self.link.engine.stop();
                }
            }
            "ping" => {
                let number = number("ping", rest, 0, u64::MAX)?;
                match self.searching {
                    Searching::Move if self.waiting_pings.len() < MAX_PINGS => {
                        self.waiting_pings.push(number);
                    }
                    Searching::Move => return Err("too many pings wait for the move".into()),
                    _ => self.say(&format!("pong {number}")),
                }
            }
            "draw" => self.consider_draw(),
            "result" => {
                self.abort_search();
                self.plays = None;
            }
            "undo" => return self.take_back(1, true),
            "remove" => return self.take_back(2, false),
            "hint" => {
                let hint = match &self.searching {
                    Searching::Ponder(expected) => Some(expected.clone()),
                    _ => self.reply.clone(),
                };
                if let Some(hint) = hint
                    && self.link.engine.session().read_move(&hint).is_some()
                {
                    self.say(&format!("Hint: {hint}"));
                }
            }
            "hard" => self.ponder = true,
            "easy" => {
                self.ponder = false;
                if matches!(self.searching, Searching::Ponder(_)) {
                    self.abort_search();
                }
            }
            "post" => self.post = true,
            "nopost" => self.post = false,
            "analyze" => {
                self.abort_search();
                self.plays = None;
                self.analyse();
            }
            "exit" => {
                self.abort_search();
            }
            "." => {
                if self.searching == Searching::Analysis
                    && let Some(line) = &self.last_line
                {
                    self.link.say(&progress(line));
                }
            }
            "lift" => self.lift(rest),
            "put" => {
                if let Some(letters) = self.mouse.put(self.link.engine.session(), rest) {
                    self.say(&format!("choice {letters}"));
                }
            }
            "level" => self.clock = Clock::of_level(rest)?,
            "st" => self.clock.set_per_move(rest)?,
            "sd" => self.depth = Some(number("sd", rest, 1, u32::MAX)?),
            "time" => self.clock.set_left(rest)?,
            "memory" => self.set_option("Hash", rest)?,
            "cores" => self.set_option("Threads", rest)?,
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                let (name, value) = (name.trim(), value.trim());
                self.set_option(name, option_value(&self.link.engine, name, value))?;
            }
            _ if self.link.engine.session().read_move(command).is_some() => {
                return self.opponent_moves(command);
            }
            _ => return Err("unknown command".into()),
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Cause> {
        let before = self.abort_search();
        let set = self.link.engine.set_option(name, value);
        self.resume(before);
        if let Effect::Note(note) = set? {
            self.say(&format!("# {note}"));
        }
        Ok(())
    }

    /// Begins a game in which the engine answers.
    fn begin_anew(&mut self) {
        self.begin(None);
        self.link.engine.clear();
        self.depth = None;
        self.clock.begin_anew();
        self.plays = Some(!self.turn());
    }

    /// Begins a game from a FEN or the start.
    fn begin(&mut self, fen: Option<String>) {
        self.abort_search();
        self.mouse.release("");
        self.game = GameRecord::begin(self.link.engine.session_mut(), fen);
    }

    /// Returns the side to move on the client's board.
    fn turn(&self) -> Side {
        self.game.turn(self.link.engine.session())
    }

    /// Says the engine's move, and plays the fillers on the client's board. All in one piece: so
    /// XBoard passes them on to another engine before that can answer.
    fn say_plies(&mut self, mv: Option<String>) {
        let plies = mv.into_iter().chain(self.game.plies.fill());
        let lines: Vec<_> = plies.map(|ply| format!("move {ply}")).collect();
        if !lines.is_empty() {
            self.say(&lines.join("\n"));
        }
    }

    fn set_variant(&mut self, name: &str) -> Result<(), Cause> {
        let before = self.abort_search();
        if name != self.link.engine.session().info().name
            && let Err(error) = self.link.engine.set_option(VARIANT_OPTION, name)
        {
            self.resume(before);
            return Err(error.into());
        }
        self.begin_anew();
        if let Some(setup) = setup(self.link.engine.session().info()) {
            self.say(&setup);
        }
        Ok(())
    }

    fn set_board(&mut self, fen: &str) -> Result<(), Cause> {
        let before = self.abort_search();
        let set = self.link.engine.session_mut().set_position(Some(fen), &[]);
        let is_over = self.link.engine.session().outcome().is_some();
        match set {
            Ok(()) if is_over && self.game.plies.take_null_move() => {
                self.game.set_up(self.link.engine.session_mut());
            }
            Ok(()) => {
                let start = self.is_start_with_white();
                self.begin((!start).then(|| fen.to_string()));
                if before == Searching::Analysis {
                    self.analyse();
                }
            }
            Err(error) => {
                let fault = error.to_string();
                self.say(&format!(
                    "tellusererror Illegal position: {}",
                    shorten_to(MAX_QUOTED, &fault)
                ));
                self.resume(before);
            }
        }
        Ok(())
    }

    /// Returns true for XBoard's start of a game that Black begins: White is to move in it.
    fn is_start_with_white(&self) -> bool {
        let session = self.link.engine.session();
        let Sheet { first, start, .. } = session.info();
        *first == Side::Black && session.fen() == start.replacen(" b ", " w ", 1)
    }

    /// Ends the search that is running and drops its findings. Returns its purpose.
    fn abort_search(&mut self) -> Searching {
        let before = std::mem::replace(&mut self.searching, Searching::Nothing);
        if before != Searching::Nothing {
            self.link.abort_search();
            self.answer_pings();
        }
        before
    }

    /// Repeats a search that was aborted.
    fn resume(&mut self, before: Searching) {
        match before {
            Searching::Move => self.think(),
            Searching::Analysis => self.analyse(),
            Searching::Nothing | Searching::Ponder(_) => {}
        }
    }

    fn answer_pings(&mut self) {
        for ping in std::mem::take(&mut self.waiting_pings) {
            self.say(&format!("pong {ping}"));
        }
    }

    /// Claims the result if the game is over. Returns true if it is.
    fn claim(&mut self) -> bool {
        let Some(outcome) = self.link.engine.session().outcome() else {
            return false;
        };
        let result = result(outcome.winner);
        self.say(&format!("{result} {{{}}}", outcome.reason.name()));
        true
    }

    fn search(&mut self, limits: Limits, mode: Mode, searching: Searching) {
        (self.last_line, self.reply) = (None, None);
        let begun = self.link.go(&limits.into(), mode);
        match begun {
            Ok(()) => self.searching = searching,
            Err(error) => log::error!("no search: {error}"),
        }
    }

    fn hear_search(&mut self, event: SearchEvent<String>) {
        let SearchEvent::Line(line) = event else {
            return;
        };
        if (self.post || self.searching == Searching::Analysis) && line.bound == Bound::Exact {
            let model = self.link.engine.session().info().score_model;
            self.link.say(&thinking(&line, model));
        }
        if line.multi_pv == 1 {
            self.last_line = Some(line);
        }
    }

    /// Returns the limits of the engine's next move, by clock and depth.
    fn limits(&mut self) -> Limits {
        let time = self.clock.time(self.game.plies.count());
        Limits {
            depth: self.depth,
            time: Some(self.link.engine.budget(time)),
            skill: self.link.engine.skill(),
            ..Limits::default()
        }
    }

    /// Searches for the engine's move, if it is its turn in a game that is not over.
    fn think(&mut self) {
        let session = self.link.engine.session();
        if self.plays == Some(session.to_move()) && session.outcome().is_none() {
            let limits = self.limits();
            self.search(limits, Mode::Normal, Searching::Move);
        }
    }

    /// Searches for the answer to the expected move.
    fn ponder(&mut self) {
        let Some(expected) = self.reply.clone().filter(|_| self.ponder) else {
            return;
        };
        let turn = self.link.engine.session().to_move();
        if self.plays != Some(!turn) || self.link.engine.session_mut().play(&expected).is_err() {
            return;
        }
        if self.link.engine.session().outcome().is_none() {
            let expected = Searching::Ponder(expected);
            let limits = self.limits();
            self.search(limits, Mode::Ponder, expected);
        }
        self.game.set_up(self.link.engine.session_mut());
    }

    fn analyse(&mut self) {
        let limits = Limits { multi_pv: self.link.engine.options().multi_pv, ..Limits::default() };
        self.search(limits, Mode::Infinite, Searching::Analysis);
    }

    /// Plays the move that a search has found, if the search was for one.
    fn search_ended(&mut self, found: Found) {
        self.reply = found.answer.ponder;
        let searching = std::mem::replace(&mut self.searching, Searching::Nothing);
        if searching == Searching::Move
            && let Some(mv) = found.answer.best
        {
            let suffix = self.link.engine.session().board_view().changed_letter(&mv);
            let said = format!("{mv}{}", suffix.map_or(String::new(), String::from));
            self.game.play(self.link.engine.session_mut(), mv);
            self.say_plies(Some(said));
            if !self.claim() {
                self.ponder();
            }
        }
        self.answer_pings();
    }

    fn opponent_moves(&mut self, text: &str) -> Result<(), Cause> {
        let is_thinking = self.searching == Searching::Move;
        if self.game.plies.take(text) {
            if !is_thinking {
                self.think();
            }
            return Ok(());
        }
        if is_thinking {
            return Err("it is not your turn".into());
        }
        let session = self.link.engine.session();
        let over = session.outcome().filter(|outcome| !outcome.reason.is_claimed());
        let Some(mv) = session.read_move(text).filter(|_| over.is_none()) else {
            let needs_letter = is_promotion(session, text);
            let reason = match over {
                Some(outcome) => format!(" ({})", outcome.reason.name()),
                None => String::new(),
            };
            self.say(&format!("Illegal move{reason}: {}", shorten_to(MAX_QUOTED, text)));
            if needs_letter {
                self.advise();
            }
            return Ok(());
        };
        if self.game.is_full() {
            return Err(PositionError::TooLong.into());
        }
        if text == mv && session.board_view().changed_letter(&mv).is_some() {
            self.advise();
        }
        // Who plays without the pass before the first move has a true board, with another side to
        // move than the one from which the engine's side was reckoned.
        if self.turn() != self.link.engine.session().to_move() {
            self.plays = self.plays.map(|side| !side);
        }
        // Another engine plays the fillers itself, and a loaded game has them already.
        let by_hand = self.mouse.release(&mv);
        let by_person = by_hand || self.plays.is_some() && !self.against_computer;
        let hit = self.searching == Searching::Ponder(mv.clone());
        let before = if hit { Searching::Nothing } else { self.abort_search() };
        self.game.play(self.link.engine.session_mut(), mv);
        if by_person {
            self.game.plies.forget_rewound();
            self.say_plies(None);
        }
        if hit {
            self.searching = Searching::Move;
            self.link.engine.ponder_hit();
        } else if before == Searching::Analysis {
            self.analyse();
        } else if !self.claim() {
            self.think();
        }
        Ok(())
    }

    /// Takes plies back, which the client may still know and play again.
    fn take_back(&mut self, plies: usize, still_known: bool) -> Result<(), Cause> {
        if self.game.plies.count() < plies {
            return Err("no move to take back".into());
        }
        let before = self.abort_search();
        self.game.take_back(self.link.engine.session_mut(), plies, still_known);
        if before == Searching::Analysis {
            self.analyse();
        }
        Ok(())
    }

    /// Agrees to a draw unless the engine stands better.
    fn consider_draw(&mut self) {
        let is_no_better = (self.last_line.as_ref()).is_some_and(|line| line.value <= 0);
        if is_no_better && self.plays.is_some() {
            self.say("offer draw");
        }
    }

    /// Marks the targets of the piece that a person lifts. XBoard's board must be the true one by
    /// then.
    fn lift(&mut self, from: &str) {
        self.mouse.lift(from);
        let turn_passes = self.turn() != self.link.engine.session().to_move();
        if turn_passes && self.game.plies.can_be_filled() {
            // A second click puts the piece down again.
            self.say(&format!("click {from}"));
            self.say_plies(None);
            self.think();
        } else {
            self.say_plies(None);
            let is_board_in_sync = self.game.plies.are_complete();
            let marks = self.mouse.marks(self.link.engine.session(), is_board_in_sync);
            self.say(&format!("highlight {marks}"));
        }
    }

    /// Advises once how to start XBoard.
    fn advise(&mut self) {
        if let Some(advice) = self.mouse.advice(self.link.engine.session()) {
            self.say(&format!("tellusererror {advice}"));
        }
    }
}

/// Returns true for a promotion that lacks only the letter of the new piece.
fn is_promotion(session: &dyn Session, text: &str) -> bool {
    session.moves().iter().any(|mv| {
        let letter = mv.strip_prefix(text);
        letter.is_some_and(|letter| {
            letter.len() == 1 && !letter.starts_with(|c: char| c.is_ascii_digit())
        })
    })
}
