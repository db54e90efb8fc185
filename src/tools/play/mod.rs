//! `play`: a person against the engine, in a terminal or line by line.

mod game;
mod pace;
mod save;

use crate::cli::{Args, Command, Console, Failure, missing};
use crate::draw::{Look, Symbols};
use crate::engine::{
    Engine, Mode, PositionError, Time, TypedError, VARIANTS, Variant, find_variant, read_typed_move,
};
use crate::games::Side;
use crate::records::pgn::without_number;
use crate::search::value::DRAW;
use crate::search::{Budget, FULL_SKILL, GameClock, Limits, Score, Skill};
use crate::system::Cause;
use crate::system::terminal;
use crate::system::text::{InputLine, MAX_LINE, fill, number, visible};
use game::{CasualGame, End};
use pace::{Pace, Reading};
use save::Save;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "play",
    operands: "VARIANT [OPTION ...]",
    summary: "a game against you; see play --help",
    help: "\
quadrille play VARIANT [OPTION ...]
  --black      you play Black (White)
  --level N    how well Quadrille plays, from 0 to 20 (20)
  --time T     seconds in which Quadrille moves, such as 2, or a clock for both sides, such as
               5+3: minutes, and the seconds that each move adds (1)
  --fen FEN    the position to begin with (the start)
  --save FILE  adds the games to a file in PGN, which is up to date after every move
Type moves as b1c3 or Nc3; `help` lists what else can be typed. If input or output is not a
terminal, there is no prompt, so a script can play.
Example: quadrille play gothic --level 5 --time 10+5 --save games.pgn",
    run: |words, console| {
        run(PlayOptions::read(VARIANTS, words)?, symbols(), console)?;
        Ok(ExitCode::SUCCESS)
    },
};

const COMMANDS: &str = "\
moves [SQUARE] the legal moves, or those from a square
hint           a good move
undo           takes back your last move and the answer to it
why            who has won, and by which rule
rules          the rules of the game
board, flip    the board; the board from the other side
fen            the position as a FEN
level [N]      how well Quadrille plays, from 0 to 20
time [T]       seconds for each move of Quadrille (time 2), or a clock for both sides in minutes
               and seconds a move (time 5+3)
resign, draw   resign the game; offer a draw
new [SIDE]     another game, in which you play white or black
save FILE      adds the game to a file in PGN from now on
quit";

/// Width of lists of moves, in columns.
const WIDTH: usize = 78;
/// Moves of both sides before a draw can be agreed.
const EARLIEST_DRAW: usize = 40;

pub struct PlayOptions {
    variants: &'static [Variant],
    variant: Variant,
    person: Side,
    level: usize,
    pace: Pace,
    fen: Option<String>,
    save: Option<String>,
}

impl PlayOptions {
    /// Reads the words after `play`.
    pub fn read(variants: &'static [Variant], words: &[&str]) -> Result<Self, Failure> {
        let [name, words @ ..] = words else {
            return Err(missing("VARIANT"));
        };
        let mut options = Self {
            variants,
            variant: find_variant(variants, name)?,
            person: Side::White,
            level: FULL_SKILL as usize,
            pace: Pace::DEFAULT,
            fen: None,
            save: None,
        };
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            match word {
                "--black" => options.person = Side::Black,
                "--level" => options.level = args.number(0, FULL_SKILL as usize)?,
                "--time" => {
                    options.pace = Pace::read(word, args.value()?)?;
                }
                "--save" => options.save = Some(args.value()?.into()),
                "--fen" => {
                    // Its fields may be words of their own.
                    let mut fen = args.value()?.to_string();
                    for field in args.words() {
                        fen = fen + " " + field;
                    }
                    options.fen = Some(fen);
                }
                "--side" | "--colour" | "--color" => {
                    return Err(args.refuse("you play White; --black gives you Black"));
                }
                _ => return Err(args.unknown()),
            }
        }
        Ok(options)
    }
}

/// Returns the symbols of pieces for a terminal with colours; `None` for one without.
pub fn symbols() -> Option<Symbols> {
    terminal::has_colours()
        .then(|| if terminal::has_unicode() { Symbols::Unicode } else { Symbols::Letters })
}

/// Plays games until the person leaves.
pub fn run(
    options: PlayOptions,
    symbols: Option<Symbols>,
    console: &mut dyn Console,
) -> Result<(), Failure> {
    let mut dialogue = PlayDialogue {
        engine: Engine::new(options.variants, options.variant),
        game: CasualGame {
            variant: options.variant,
            fen: options.fen,
            person: options.person,
            pace: options.pace,
            clocks: [Duration::ZERO; 2],
            turns: Vec::new(),
            end: None,
        },
        level: options.level,
        look: Look { flipped: false, colours: symbols },
        save: options.save.as_deref().map(Save::open).transpose()?,
        unsaved: None,
        since: Instant::now(),
        console,
    };
    dialogue.begin().map_err(|error| Failure::Usage(format!("--fen: {error}")))?;
    loop {
        dialogue.answer();
        let line = dialogue.console.ask(&dialogue.prompt());
        let result = match line.map_err(Failure::file("standard input"))? {
            None => return dialogue.unsaved.map_or(Ok(()), Err),
            Some(InputLine::TooLong) => {
                Err(format!("a line of more than {MAX_LINE} bytes was skipped").into())
            }
            Some(InputLine::Whole(bytes)) => dialogue.obey(&String::from_utf8_lossy(&bytes)),
        };
        match result {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return dialogue.unsaved.map_or(Ok(()), Err),
            Err(error) => dialogue.complain(&*error),
        }
    }
}

/// Dialogue of a person with the engine.
struct PlayDialogue<'s> {
    engine: Engine,
    game: CasualGame,
    level: usize,
    look: Look,
    save: Option<Save>,
    /// The reason why the file lacks the last move.
    unsaved: Option<Failure>,
    /// Start of the turn of the side to move.
    since: Instant,
    console: &'s mut dyn Console,
}

impl PlayDialogue<'_> {
    fn say(&mut self, text: &str) {
        self.console.say(text);
    }

    /// Lists what can be typed, with a legal move as it may be written.
    fn help(&mut self) {
        let session = self.engine.session();
        if let Some(mv) = session.moves().first() {
            let san = session.san(mv).unwrap_or_default();
            self.say(&format!("a move         such as {mv}, or {san}"));
        }
        self.say(COMMANDS);
    }

    /// Says what is wrong.
    fn complain(&mut self, error: &dyn Display) {
        self.say(&visible(&format!("Error: {error}")));
    }

    /// Begins a game: the first, or another.
    fn begin(&mut self) -> Result<(), PositionError> {
        self.game.begin(&mut self.engine)?;
        self.engine.clear();
        self.look.flipped = self.game.person == Side::Black;
        let you = self.game.person.title();
        let other = (!self.game.person).title();
        let name = self.game.variant.info.name;
        self.say(&format!(
            "{name}: you play {you}, Quadrille (level {}) plays {other}. `help` lists what to type.",
            self.level
        ));
        self.show();
        self.settle();
        self.since = Instant::now();
        Ok(())
    }

    fn show(&mut self) {
        let diagram = self.engine.session().diagram(self.look);
        self.say(&diagram);
        if matches!(self.game.pace, Pace::Clock { .. }) {
            let [white, black] = self.game.clocks.map(Reading);
            self.say(&format!("White {white}, Black {black}"));
        }
    }

    /// Returns the prompt before the line that the person types.
    fn prompt(&self) -> String {
        match self.game.end {
            Some(_) => "> ".into(),
            None => format!("{}> ", self.game.person.title()),
        }
    }

    /// Saves what happened, and says so if it ended the game.
    fn settle(&mut self) {
        self.unsaved = None;
        if let Some(save) = &mut self.save
            && let Err(error) = save.write(&self.game.pgn(self.level))
        {
            self.complain(&error);
            self.unsaved = Some(error);
        }
        if let Some(end) = self.game.end {
            self.say(&format!("Game over: {}", end.sentence()));
        }
    }

    /// Lets the engine play if it is its turn.
    fn answer(&mut self) {
        if self.game.end.is_some() || self.engine.session().to_move() == self.game.person {
            return;
        }
        let begun = Instant::now();
        let known = &self.engine.session().info().skill_elo;
        let Some((mv, _)) = self.search(Skill::of_level(self.level as f64, known)) else {
            return self.complain(&"Quadrille has found no move");
        };
        let turns = self.game.turns.len();
        let played = self.game.play(&mut self.engine, &mv, begun.elapsed());
        if let Err(error) = played {
            return self.complain(&error);
        }
        if let Some(turn) = self.game.turns.get(turns) {
            let text = format!("Quadrille plays {} ({mv}).", turn.san);
            self.say(&text);
        }
        self.show();
        self.settle();
        self.since = Instant::now();
    }

    /// Returns the best move that a search finds, and its score for the side to move; `None` if the
    /// search fails.
    fn search(&mut self, skill: Option<Skill>) -> Option<(String, Score)> {
        let side = self.engine.session().to_move();
        let budget = match self.game.pace {
            Pace::PerMove(time) => Budget::exact(time, Duration::ZERO),
            Pace::Clock { increment, .. } => self.engine.budget(Time::Clock(GameClock {
                time: self.game.clocks[side.index()],
                increment,
                moves_to_go: None,
            })),
        };
        let limits = Limits { time: Some(budget), skill, ..Limits::default() };
        let (sender, receiver) = channel();
        let finished = move |found| drop(sender.send(found));
        self.engine.go(&limits.into(), Mode::Normal, |_| {}, finished).ok()?;
        let found = receiver.recv().ok().flatten();
        self.engine.join();
        let found = found?;
        let value = found.value().unwrap_or(DRAW);
        let score = self.engine.session().info().score_model.score(value);
        Some((found.answer.best?, score))
    }

    fn obey(&mut self, line: &str) -> Result<ControlFlow<()>, Cause> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = command.to_ascii_lowercase();
        match (command.as_str(), rest.trim()) {
            ("", _) => {}
            ("quit" | "exit", "") => return Ok(ControlFlow::Break(())),
            ("help" | "?", "") => self.help(),
            ("moves", square) => self.list_moves(square)?,
            ("hint", "") => self.hint()?,
            ("undo", "") => self.undo()?,
            ("why", "") => self.explain(),
            ("rules", "") => self.say(&self.game.variant.rules()),
            ("board", "") => self.show(),
            ("flip", "") => {
                self.look.flipped ^= true;
                self.show();
            }
            ("fen", "") => {
                let fen = self.engine.session().fen();
                self.say(&fen);
            }
            ("level", text) => self.set_level(text)?,
            ("time", text) => self.set_pace(text)?,
            ("resign", "") => self.finish(End::Resigned(self.game.person))?,
            ("draw", "") => self.offer_draw()?,
            ("new", side) => self.begin_another(side)?,
            ("save", "") => return Err("save: which FILE?".into()),
            ("save", path) => {
                self.save = Some(Save::open(path)?);
                self.say(&format!("The game is saved in {} after every move.", visible(path)));
                self.settle();
            }
            _ => self.play(line)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Does nothing while the game is not over.
    fn check_unfinished(&self) -> Result<(), Cause> {
        match self.game.end {
            None => Ok(()),
            Some(_) => Err("the game is over; `new` begins another, `undo` takes back".into()),
        }
    }

    fn play(&mut self, text: &str) -> Result<(), Cause> {
        self.check_unfinished()?;
        let typed = read_typed_move(self.engine.session(), without_number(text));
        let mv = typed.map_err(|error| match error {
            TypedError::NoMove(text) => {
                format!("{text} is neither a move nor a command; `help` lists them")
            }
            refused => refused.to_string(),
        })?;
        self.game.play(&mut self.engine, &mv, self.since.elapsed())?;
        if self.game.end.is_some() {
            self.show();
        }
        self.settle();
        Ok(())
    }

    fn list_moves(&mut self, square: &str) -> Result<(), Cause> {
        self.check_unfinished()?;
        let session = self.engine.session();
        let moves = session.moves();
        let is_from = |mv: &&String| {
            let squares = session.board_view().read_squares(mv);
            square.is_empty() || squares.is_some_and(|[from, _]| from == square)
        };
        let moves: Vec<_> = moves.iter().filter(is_from).map(String::as_str).collect();
        if moves.is_empty() {
            return Err(format!("moves: no legal move begins on `{square}`").into());
        }
        let text = fill(moves, WIDTH).join("\n");
        self.say(&text);
        Ok(())
    }

    fn hint(&mut self) -> Result<(), Cause> {
        self.check_unfinished()?;
        let (mv, score) = self.search(None).ok_or("hint: nothing was found")?;
        let san = self.engine.session().san(&mv).unwrap_or_default();
        let score = match score {
            Score::Centipawns(value) => format!("{:+.2} for you", f64::from(value) / 100.0),
            Score::Mate(moves) if moves > 0 => format!("you win in {moves}"),
            Score::Mate(moves) => format!("you lose in {}", -moves),
        };
        self.say(&format!("Hint: {san} ({mv}), {score}."));
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Cause> {
        if !self.game.undo(&mut self.engine) {
            return Err("undo: you have not moved yet".into());
        }
        self.show();
        self.settle();
        self.since = Instant::now();
        Ok(())
    }

    fn explain(&mut self) {
        let text = match self.game.end {
            Some(end) => end.sentence(),
            None => {
                let session = self.engine.session();
                let (side, moves) = (session.to_move().title(), session.moves().len());
                format!("The game is not over: {side} is to move, legal moves: {moves}.")
            }
        };
        self.say(&text);
    }

    fn set_level(&mut self, text: &str) -> Result<(), Cause> {
        if !text.is_empty() {
            self.level = number("level", text, 0, FULL_SKILL as usize)?;
        }
        self.say(&format!("Quadrille plays at level {}.", self.level));
        Ok(())
    }

    fn set_pace(&mut self, text: &str) -> Result<(), Cause> {
        if !text.is_empty() {
            self.game.set_pace(Pace::read("time", text)?);
            self.since = Instant::now();
        }
        self.say(&self.game.pace.to_string());
        Ok(())
    }

    fn finish(&mut self, end: End) -> Result<(), Cause> {
        self.check_unfinished()?;
        self.game.end = Some(end);
        self.settle();
        Ok(())
    }

    /// Offers a draw. The engine accepts it late in the game, unless the engine stands better.
    fn offer_draw(&mut self) -> Result<(), Cause> {
        self.check_unfinished()?;
        if self.game.turns.len() >= EARLIEST_DRAW
            && let Some((_, Score::Centipawns(0..) | Score::Mate(1..))) = self.search(None)
        {
            return self.finish(End::Agreed);
        }
        self.say("Quadrille wants to play on.");
        Ok(())
    }

    fn begin_another(&mut self, side: &str) -> Result<(), Cause> {
        let person = match side.to_ascii_lowercase().as_str() {
            "" => self.game.person,
            "white" => Side::White,
            "black" => Side::Black,
            _ => return Err(format!("new: `{side}` is neither white nor black").into()),
        };
        if let Some(save) = &mut self.save {
            save.keep(&self.game.pgn(self.level))?;
        }
        self.game.person = person;
        Ok(self.begin()?)
    }
}
