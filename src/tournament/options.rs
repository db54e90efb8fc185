//! What a match is to be: the engines, who plays whom, and under which rules.

use super::openings::Openings;
use crate::engine::Variant;
use crate::statistics::sprt::Sprt;
use std::time::Duration;

/// How an engine is told how long to think.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// Time on the clock, if there is one.
    pub time: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
    /// After how many moves `time` is added again; 0 for never.
    pub moves: u32,
    /// Time for each move instead of a clock.
    pub per_move: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// How much later than its time an answer may be.
    pub margin: Duration,
}

impl TimeControl {
    /// As the tag of a PGN has it.
    pub fn tag(&self) -> String {
        let seconds = |time: Duration| time.as_secs_f64();
        let mut parts = Vec::new();
        if let Some(time) = self.time {
            let moves = if self.moves > 0 {
                format!("{}/", self.moves)
            } else {
                String::new()
            };
            let plus = if self.increment.is_zero() {
                String::new()
            } else {
                format!("+{}", seconds(self.increment))
            };
            parts.push(format!("{moves}{}{plus}", seconds(time)));
        }
        parts.extend(self.per_move.map(|time| format!("{}/move", seconds(time))));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("{depth} plies")));
        parts.join(", ")
    }

    /// Whether nothing says how long to think.
    fn is_endless(&self) -> bool {
        self.time.is_none()
            && self.per_move.is_none()
            && self.nodes.is_none()
            && self.depth.is_none()
    }
}

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// UCI.
    #[default]
    Uci,
    /// CECP, of XBoard and WinBoard.
    XBoard,
}

/// An engine as the command line describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSpec {
    /// What the report calls it.
    pub name: String,
    /// The program; [`SELF`] for this one in process.
    pub command: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The folder it runs in.
    pub folder: Option<String>,
    /// Options to set, by name.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub control: TimeControl,
    /// What it speaks.
    pub protocol: Protocol,
    /// What it is told before anything else.
    pub init: Vec<String>,
    /// Where what it says to standard error goes.
    pub stderr: Option<String>,
    /// Whether it is started anew for each game; `None` if it decides.
    pub restarts: Option<bool>,
    /// Whether it thinks while the other does.
    pub ponders: bool,
    /// Whether a result that it claims counts.
    pub trusted: bool,
    /// Whether its scores are White's, not its own.
    pub white_view: bool,
    /// Whether it is told to explain itself (`debug on`).
    pub debug: bool,
}

/// The command that stands for this program, playing in process.
pub const SELF: &str = "self";

/// When a game that both sides take for even is called a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this move.
    pub move_number: usize,
    /// For so many moves of both sides in a row.
    pub moves: usize,
    /// No score was farther from 0 than this.
    pub score: i32,
}

/// When a game that a side takes for lost is called lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// For so many moves of a side in a row.
    pub moves: usize,
    /// It saw itself at least so far behind.
    pub score: i32,
    /// Whether the other side must agree.
    pub two_sided: bool,
}

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Everybody plays everybody.
    RoundRobin,
    /// The first plays all others.
    Gauntlet,
    /// Everybody plays all who were named before.
    Pyramid,
    /// Who loses is out.
    Knockout,
}

/// When an opening is replaced by the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// When it has been played often enough, by all pairings alike.
    Repetitions,
    /// When it has been played often enough, and when others play.
    Default,
    /// When others play.
    Encounter,
    /// When a round begins.
    Round,
}

/// Whose lines a match prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Those of cutechess-cli.
    Cutechess,
    /// Those of fastchess.
    Fastchess,
}

/// A file to which games or positions are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Its path.
    pub path: String,
    /// Whether what is there already stays.
    pub append: bool,
    /// Whether no more is written of a game than what it takes to replay it.
    pub minimal: bool,
    /// Whether moves are coordinates, not algebraic notation.
    pub coordinates: bool,
}

/// All that a match needs to know.
#[derive(Clone, Debug)]
pub struct Options {
    /// The game.
    pub variant: Variant,
    /// All that there are.
    pub variants: &'static [Variant],
    /// The engines, at least two.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub format: Format,
    /// How many engines a gauntlet is for.
    pub seeds: usize,
    /// Games of two engines in a round.
    pub games: u64,
    /// Rounds.
    pub rounds: u64,
    /// For how many games of two engines an opening serves.
    pub repeat: u64,
    /// When the next opening is due.
    pub policy: Policy,
    /// Whether engines change colours after each game.
    pub swaps: bool,
    /// Whether the second engine of each pairing begins with White.
    pub reversed: bool,
    /// How long to wait before each game but the first.
    pub wait: Duration,
    /// Games at once.
    pub concurrency: usize,
    /// Where games begin.
    pub openings: Openings,
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    /// See [`DrawRule`].
    pub draw: Option<DrawRule>,
    /// See [`ResignRule`].
    pub resign: Option<ResignRule>,
    /// After so many moves of both sides a game is called a draw.
    pub max_moves: Option<usize>,
    /// Where games are written.
    pub pgn: Option<Target>,
    /// Where their last positions are written.
    pub epd: Option<Target>,
    /// Where the result is written for programs.
    pub json: Option<String>,
    /// Where it is written as a page.
    pub html: Option<String>,
    /// Where what passes between the match and its engines is written.
    pub log: Option<Target>,
    /// Whether it goes to standard error.
    pub debug: bool,
    /// The name of the event in the PGN.
    pub event: String,
    /// Where it took place.
    pub site: String,
    /// Whose lines are printed.
    pub style: Style,
    /// After how many games the ratings are said; 0 for the end alone.
    pub rating_interval: u64,
    /// After how many games the score is said; 0 for never.
    pub score_interval: u64,
    /// After how many games it is said how games ended; 0 for the end alone.
    pub outcome_interval: u64,
    /// Whether pairs of games are counted as such.
    pub counts_pairs: bool,
    /// What was ignored of the command line, and why.
    pub warnings: Vec<String>,
    /// Where the match is kept so that it can go on, if that was said.
    pub state: Option<String>,
    /// Whether the match goes on when an engine has died.
    pub recover: bool,
}

impl Options {
    /// Fills in what was not said, and looks whether the parts fit together.
    ///
    /// # Errors
    ///
    /// What does not fit.
    pub fn check(&mut self) -> Result<(), String> {
        if self.engines.len() < 2 {
            return Err("match needs two engines at least".into());
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return Err("-sprt is for a match of two engines".into());
        }
        for index in 0..self.engines.len() {
            let engine = &self.engines[index];
            if engine.command.is_empty() {
                return Err(format!("engine {}: `cmd` is missing", index + 1));
            }
            if engine.control.is_endless() {
                return Err(format!(
                    "engine {} ({}): how long may it think? Write tc=, st=, nodes= or depth= \
                     here or with -each",
                    index + 1,
                    engine.command,
                ));
            }
            let control = &engine.control;
            if engine.command == SELF && control.nodes.is_none() && control.depth.is_none() {
                return Err(format!(
                    "engine {}: `self` plays without a clock, and needs nodes= or depth=",
                    index + 1
                ));
            }
            if engine.name.is_empty() {
                let program = std::path::Path::new(&engine.command);
                let stem = program
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                self.engines[index].name = stem.unwrap_or_else(|| engine.command.clone());
            }
            // Results are told apart by name.
            let name = self.engines[index].name.clone();
            let taken = |name: &str| self.engines[..index].iter().any(|other| other.name == name);
            if taken(&name)
                && let Some(free) = (2..)
                    .map(|n| format!("{name} {n}"))
                    .find(|name| !taken(name))
            {
                self.engines[index].name = free;
            }
        }
        Ok(())
    }
}
