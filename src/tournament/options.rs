//! The options of a match: engines, pairings, rules and files.

use super::openings::Openings;
use crate::cli::{Access, Failure, check_distinct};
use crate::engine::{Session, VARIANT_OPTION, Variant, find_variant};
use crate::statistics::sprt::Sprt;
use crate::system::text::counted;
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

/// Limits on the thinking of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TimeControl {
    /// Time on the clock, if there is one.
    pub time: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
    /// Number of moves after which `time` is added again; 0 for never.
    pub moves: u32,
    /// Time for each move instead of a clock.
    pub per_move: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// Time by which a move may be late.
    pub margin: Duration,
}

impl TimeControl {
    /// Returns the tag `TimeControl` of a PGN, which knows time alone.
    pub(super) fn tag(&self) -> String {
        self.time().unwrap_or("-".into())
    }

    /// Describes the time that an engine has, if it is limited.
    fn time(&self) -> Option<String> {
        let seconds = |time: Duration| time.as_secs_f64();
        if let Some(time) = self.per_move {
            return Some(format!("{}/move", seconds(time)));
        }
        let time = seconds(self.time?);
        let moves = (self.moves > 0).then(|| format!("{}/", self.moves));
        let plus = (!self.increment.is_zero()).then(|| format!("+{}", seconds(self.increment)));
        let [moves, plus] = [moves, plus].map(Option::unwrap_or_default);
        Some(format!("{moves}{time}{plus}"))
    }

    /// Describes all limits: `10+0.1, 9 plies`.
    pub(super) fn limits(&self) -> String {
        let mut parts = Vec::from_iter(self.time());
        parts.extend(self.nodes.map(|nodes| counted(nodes, "node")));
        parts.extend(self.depth.map(|depth| format!("{depth} plies")));
        parts.join(", ")
    }
}

/// Protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Protocol {
    #[default]
    Uci,
    /// CECP, of XBoard and WinBoard.
    XBoard,
}

/// An engine as the command line describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct EngineSpec {
    pub name: String,
    /// The program; [`SELF`] for this one in process.
    pub command: String,
    pub arguments: Vec<String>,
    /// Working directory.
    pub folder: Option<String>,
    /// Options to set, by name.
    pub options: Vec<(String, String)>,
    pub control: TimeControl,
    pub protocol: Protocol,
    /// Lines to send first.
    pub init: Vec<String>,
    /// File to append its standard error to.
    pub stderr: Option<String>,
    /// True if it is started anew for each game; `None` if it decides.
    pub restarts: Option<bool>,
    pub ponders: bool,
    /// True if a result that it claims counts.
    pub trusted: bool,
    /// True if its scores are White's, not its own.
    pub white_view: bool,
    /// True if it is sent `debug on`.
    pub debug: bool,
}

/// The command that stands for this program, playing in process.
pub(super) const SELF: &str = "self";

/// Adjudicates a draw that both engines agree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DrawRule {
    /// First move that may end the game.
    pub move_number: usize,
    /// Consecutive moves of both sides.
    pub moves: usize,
    /// Largest distance of a score from 0, in centipawns.
    pub score: i32,
}

/// Adjudicates a loss that the loser sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ResignRule {
    /// Consecutive moves of a side.
    pub moves: usize,
    /// Smallest deficit in each of its scores, in centipawns.
    pub score: i32,
    /// True if the other side must agree.
    pub two_sided: bool,
}

/// Choice of the pairings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Format {
    /// Each engine plays all others.
    #[default]
    RoundRobin,
    /// The first engines play all others.
    Gauntlet,
}

/// Program whose lines a match prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Style {
    #[default]
    Cutechess,
    Fastchess,
}

/// Writes a move that is given in coordinates.
pub(super) type Notation = fn(&dyn Session, &str) -> Option<String>;

/// A file for games, positions or engine traffic.
#[derive(Clone, Debug)]
pub(super) struct OutputSpec {
    pub path: String,
    /// True if the file keeps its content.
    pub append: bool,
    /// True if scores and times are left out.
    pub minimal: bool,
    /// Writes a move in the notation of a PGN; `None` for coordinates.
    pub notation: Option<Notation>,
    /// Facts that comments have besides score, depth and time, by name.
    pub fields: Vec<&'static str>,
}

/// Everything that the command line determines.
#[derive(Clone, Debug, Default)]
pub(super) struct MatchOptions {
    pub variant: Variant,
    /// All variants, for engines in process.
    pub variants: &'static [Variant],
    /// The engines, at least two.
    pub engines: Vec<EngineSpec>,
    pub format: Format,
    /// Number of first engines in a gauntlet.
    pub seeds: usize,
    /// Games of a pairing in a round.
    pub games: u64,
    pub rounds: u64,
    /// Games of a pairing with one opening.
    pub repeat: u64,
    /// True if engines change colours after each game.
    pub swaps: bool,
    /// True if the second engine of each pairing begins with White.
    pub reversed: bool,
    /// Pause before each game but the first.
    pub wait: Duration,
    /// Number of games at once.
    pub concurrency: usize,
    /// True if more games at once than processors are intended.
    pub forces_concurrency: bool,
    pub openings: Openings,
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Moves of both sides after which a game is drawn.
    pub max_moves: Option<usize>,
    pub pgn: Option<OutputSpec>,
    /// File for last positions.
    pub epd: Option<OutputSpec>,
    /// File for the result in JSON.
    pub json: Option<String>,
    /// File for the result as a page.
    pub html: Option<String>,
    /// File for engine traffic.
    pub log: Option<OutputSpec>,
    /// True if engine traffic goes to standard error.
    pub debug: bool,
    pub event: String,
    pub site: String,
    pub style: Style,
    /// Number of games between ratings; 0 for the end alone.
    pub rating_interval: u64,
    /// Number of games between scores; 0 for never.
    pub score_interval: u64,
    /// Number of games between lists of ends; 0 for the end alone.
    pub outcome_interval: u64,
    /// True if pairs of games are counted as such.
    pub counts_pairs: bool,
    /// Words that were ignored, with the reason.
    pub warnings: Vec<String>,
    /// True if the match in the file of `-pgnout` is resumed.
    pub resume: bool,
    /// Checksum of the words that determine the games.
    pub checksum: u64,
    /// True if the match continues after an engine has died.
    pub recover: bool,
    /// True if the match ends at the first warning.
    pub strict: bool,
}

impl EngineSpec {
    /// Returns true if it plays by a clock.
    pub(super) fn is_timed(&self) -> bool {
        let control = &self.control;
        self.command != SELF && (control.time.is_some() || control.per_move.is_some())
    }

    /// Returns the path of the program, if the command is one; a system finds it otherwise.
    pub(super) fn program(&self) -> std::io::Result<PathBuf> {
        let program = PathBuf::from(&self.command);
        match &self.folder {
            // A relative path begins in that folder, also on Windows.
            Some(folder) if program.components().count() > 1 => Ok(absolute(folder)?.join(program)),
            _ => Ok(program),
        }
    }
}

impl MatchOptions {
    /// Returns the options of a command line without words.
    pub(super) fn new(variants: &'static [Variant]) -> Self {
        Self {
            variant: variants[0],
            variants,
            seeds: 1,
            games: 1,
            rounds: 1,
            swaps: true,
            concurrency: 1,
            event: "Quadrille match".into(),
            site: "?".into(),
            rating_interval: 10,
            score_interval: 1,
            counts_pairs: true,
            ..Self::default()
        }
    }

    /// Completes the names of the engines, and checks that the options fit together.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        if self.engines.len() < 2 {
            return Err(Failure::Usage("two engines are needed at least".into()));
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return Err(Failure::Usage("-sprt is for a match of two engines".into()));
        }
        self.check_files()?;
        for index in 0..self.engines.len() {
            let engine = &self.engines[index];
            let (number, command, control) = (index + 1, &engine.command, &engine.control);
            let refused = |fault| Failure::Usage(format!("engine {number}: {fault}"));
            let named = |fault| Failure::Usage(format!("engine {number} ({command}): {fault}"));
            if command.is_empty() {
                return Err(refused("`cmd` is missing"));
            }
            if control.limits().is_empty() {
                return Err(named(
                    "how long may it think? Write tc=, st=, nodes= or depth= here or with -each"
                        .into(),
                ));
            }
            if command == SELF && control.nodes.is_none() && control.depth.is_none() {
                return Err(refused("`self` plays without a clock, and needs nodes= or depth="));
            }
            if let Some((word, other)) = self.contradiction(engine) {
                return Err(named(format!("{word} contradicts {other}; leave one of them out")));
            }
            let folder = engine.folder.as_deref().unwrap_or(".");
            if !Path::new(folder).is_dir() {
                return Err(named(format!("dir={folder}: there is no such folder")));
            }
            let file = Path::new(command).file_name();
            let name = match engine.name.as_str() {
                "" => file.unwrap_or(command.as_ref()).to_string_lossy().into_owned(),
                name => name.to_string(),
            };
            // Results are counted by name.
            let earlier = &self.engines[..index];
            let is_free = |name: &String| earlier.iter().all(|other| other.name != *name);
            let numbered = (2..).map(|n| format!("{name} {n}"));
            let free = std::iter::once(name.clone()).chain(numbered).find(is_free);
            self.engines[index].name = free.unwrap_or(name);
        }
        Ok(())
    }

    /// Finds two words about an engine of which only one can hold.
    fn contradiction(&self, engine: &EngineSpec) -> Option<(String, String)> {
        let is_process = engine.protocol == Protocol::XBoard
            || !engine.arguments.is_empty()
            || engine.folder.is_some()
            || engine.stderr.is_some()
            || !engine.init.is_empty();
        if engine.control.time.is_some() && engine.control.per_move.is_some() {
            return Some(("st=".into(), "tc=".into()));
        }
        if engine.command == SELF && is_process {
            let words = "proto=xboard, arg=, args=, dir=, stderr= or initstr=";
            return Some((words.into(), format!("cmd={SELF}")));
        }
        engine.options.iter().find_map(|(name, value)| {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let variant = self.variant.info.name;
            let is_played = || {
                let chosen = find_variant(self.variants, value);
                chosen.is_ok_and(|chosen| chosen.info.name == variant)
            };
            let other = if is(VARIANT_OPTION) && !is_played() {
                format!("-variant {variant}")
            } else if is("Debug Log File") && engine.command == SELF {
                format!("cmd={SELF}")
            } else if is("Ponder") && engine.ponders && value.eq_ignore_ascii_case("false") {
                "ponder".into()
            } else {
                return None;
            };
            Some((format!("option.{name}={value}"), other))
        })
    }

    fn check_files(&self) -> Result<(), Failure> {
        if self.resume && self.pgn.is_none() {
            let fault = "-resume: a match is resumed from its games, and -pgnout is missing";
            return Err(Failure::Usage(fault.into()));
        }
        let book = match &self.openings {
            Openings::List { path, .. } => Some(path),
            _ => None,
        };
        let path = |output: &Option<OutputSpec>| output.as_ref().map(|spec| spec.path.clone());
        let mut files = vec![
            ("-openings", book.cloned(), Access::Read),
            ("-pgnout", path(&self.pgn), Access::Append),
            ("-epdout", path(&self.epd), Access::Append),
            ("-log", path(&self.log), Access::Append),
            ("-json", self.json.clone(), Access::Replace),
            ("-html", self.html.clone(), Access::Replace),
        ];
        for engine in &self.engines {
            // Others are found in PATH.
            let program = engine.program().ok();
            let program = program.filter(|path| path.components().count() > 1);
            let program = program.map(|path| path.to_string_lossy().into());
            files.push(("cmd=", program, Access::Read));
            files.push(("stderr=", engine.stderr.clone(), Access::Append));
        }
        check_distinct(files)
    }
}
