//! The command line of `match`, in the words of cutechess-cli.

use super::openings::Openings;
use super::sprt::{Model, Sprt};
use crate::engine::{MAX_GAME, MAX_THREADS, Variant, find_variant};
use crate::system::random::Random;
use crate::system::text::{MAX_MILLIS, decimal, number};
use std::time::Duration;

/// How `match` is called.
pub const HELP: &str = "\
quadrille match -variant NAME -engine WORDS -engine WORDS [-each WORDS] [OPTIONS]
quadrille match --merge FILE.pgn ...

WORDS of an engine, or of -each for all of them:
  cmd=PROGRAM     the program, which speaks UCI; `self` plays this one in process, with
                  nodes or depth
  name=NAME arg=ARGUMENT dir=FOLDER proto=uci option.NAME=VALUE
  tc=[MOVES/]TIME[+INCREMENT]   seconds, or minutes:seconds; `inf` for none
  st=SECONDS nodes=N depth=N timemargin=MS
OPTIONS:
  -games N  -rounds N  -repeat [N]  -concurrency N  -recover  -maxmoves N
  -tournament round-robin|gauntlet
  -openings random [plies=8] [seed=N] [balance=100]
  -openings file=FILE [format=epd|pgn] [order=sequential|random] [plies=N] [start=N] [seed=N]
  -sprt elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=logistic|normalized|bayesian]
  -draw movenumber=N movecount=N score=CP
  -resign movecount=N score=CP [twosided=true]
  -pgnout FILE [notation=san|uci]  -event NAME  -ratinginterval N";

/// The most games, rounds and the like.
const MOST: u64 = 1_000_000;
/// The greatest difference that a test can ask for.
const MAX_ELO: f64 = 10_000.0;
/// The greatest score that a rule can ask for, in centipawns.
const MAX_SCORE: i32 = 1_000_000;

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
pub enum Schedule {
    /// Everybody plays everybody.
    RoundRobin,
    /// The first plays all others.
    Gauntlet,
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
    pub schedule: Schedule,
    /// Games of two engines in a round.
    pub games: u64,
    /// Rounds.
    pub rounds: u64,
    /// For how many games of two engines an opening serves, with colours swapped.
    pub repeat: u64,
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
    /// The file to which games are appended.
    pub pgn: Option<String>,
    /// Whether its moves are coordinates, not algebraic notation.
    pub pgn_coordinates: bool,
    /// The name of the event in it.
    pub event: String,
    /// After how many games the ratings are said.
    pub rating_interval: u64,
    /// Whether the match goes on when an engine has died.
    pub recover: bool,
}

impl Options {
    /// How many games there will be at most.
    pub fn total_games(&self) -> u64 {
        self.pairings().len() as u64 * self.games_of_a_pairing()
    }

    /// How many games two engines play.
    pub const fn games_of_a_pairing(&self) -> u64 {
        self.games * self.rounds
    }

    /// The engines that meet, by index.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let engines = self.engines.len();
        let firsts = match self.schedule {
            Schedule::RoundRobin => engines,
            Schedule::Gauntlet => 1,
        };
        (0..firsts)
            .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
            .collect()
    }

    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// Which word is wrong, and why.
    pub fn read(variants: &'static [Variant], arguments: &[&str]) -> Result<Self, String> {
        let groups = groups(arguments)?;
        let mut each = EngineSpec::default();
        for (_, words) in groups.iter().filter(|(name, _)| *name == "-each") {
            read_engine(&mut each, words)?;
        }
        let variant = groups
            .iter()
            .rfind(|(name, _)| *name == "-variant")
            .map_or(Ok(variants[0]), |(name, words)| {
                find_variant(variants, single(name, words)?)
            })
            .map_err(|error| format!("the variant {error}"))?;
        let mut options = Self {
            variant,
            variants,
            engines: Vec::new(),
            schedule: Schedule::RoundRobin,
            games: 1,
            rounds: 1,
            repeat: 1,
            concurrency: 1,
            openings: Openings::Start,
            sprt: None,
            draw: None,
            resign: None,
            max_moves: None,
            pgn: None,
            pgn_coordinates: false,
            event: "Quadrille match".into(),
            rating_interval: 10,
            recover: false,
        };
        let mut repeat = None;
        for (name, words) in &groups {
            match *name {
                "-each" | "-variant" => {}
                "-engine" => {
                    let mut engine = each.clone();
                    read_engine(&mut engine, words)?;
                    options.engines.push(engine);
                }
                "-games" => options.games = count(name, words)?,
                "-rounds" => options.rounds = count(name, words)?,
                "-concurrency" => {
                    options.concurrency = number(name, single(name, words)?, 1, MAX_THREADS)?;
                }
                "-maxmoves" => options.max_moves = Some(count(name, words)? as usize),
                "-ratinginterval" => options.rating_interval = count(name, words)?,
                "-repeat" if words.is_empty() => repeat = Some(2),
                "-repeat" => repeat = Some(count(name, words)?),
                "-recover" => nothing(name, words)?,
                "-pgnout" => options.read_pgnout(words)?,
                "-event" => options.event = words.join(" "),
                "-tournament" => {
                    options.schedule = match single(name, words)? {
                        "round-robin" => Schedule::RoundRobin,
                        "gauntlet" => Schedule::Gauntlet,
                        other => {
                            return Err(format!(
                                "-tournament: `{other}` is neither round-robin nor gauntlet"
                            ));
                        }
                    }
                }
                "-openings" => options.openings = read_openings(variant, words)?,
                "-sprt" => options.sprt = Some(read_sprt(words)?),
                "-draw" => options.draw = Some(read_draw(words)?),
                "-resign" => options.resign = Some(read_resign(words)?),
                other => return Err(format!("`{other}` is not an option of match")),
            }
            options.recover |= *name == "-recover";
        }
        let is_random = matches!(options.openings, Openings::Random { .. });
        options.repeat = repeat.unwrap_or(if is_random { 2 } else { 1 });
        options.check()?;
        Ok(options)
    }

    fn check(&mut self) -> Result<(), String> {
        if self.engines.len() < 2 {
            return Err("match needs two engines at least".into());
        }
        if self.sprt.is_some() && self.pairings().len() != 1 {
            return Err("-sprt is for a match of two engines".into());
        }
        for index in 0..self.engines.len() {
            let engine = &self.engines[index];
            if engine.command.is_empty() {
                return Err(format!("engine {}: `cmd` is missing", index + 1));
            }
            if engine.control.is_endless() {
                return Err(format!("engine {}: no tc, st, nodes or depth", index + 1));
            }
            let control = &engine.control;
            if engine.command == SELF && control.nodes.is_none() && control.depth.is_none() {
                return Err(format!("engine {}: `self` needs nodes or depth", index + 1));
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

    /// A file and how its moves are written.
    fn read_pgnout(&mut self, words: &[&str]) -> Result<(), String> {
        for word in words {
            match word.strip_prefix("notation=") {
                Some("san") => self.pgn_coordinates = false,
                Some("uci") => self.pgn_coordinates = true,
                Some(other) => {
                    return Err(format!(
                        "-pgnout: notation `{other}` is neither san nor uci"
                    ));
                }
                None if self.pgn.is_none() => {
                    let path = word.strip_prefix("file=").unwrap_or(word);
                    self.pgn = Some(path.to_string());
                }
                None => return Err(format!("-pgnout: `{word}` is not understood")),
            }
        }
        match self.pgn {
            Some(_) => Ok(()),
            None => Err("-pgnout: the file is missing".into()),
        }
    }
}

/// The options, each with the words up to the next one.
fn groups<'a>(arguments: &[&'a str]) -> Result<Vec<(&'a str, Vec<&'a str>)>, String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for &argument in arguments {
        let is_option = argument.starts_with('-')
            && argument[1..].starts_with(|c: char| c.is_ascii_alphabetic());
        match groups.last_mut() {
            _ if is_option => groups.push((argument, Vec::new())),
            Some((_, words)) => words.push(argument),
            None => return Err(format!("`{argument}` is not an option of match")),
        }
    }
    Ok(groups)
}

fn single<'a>(name: &str, words: &[&'a str]) -> Result<&'a str, String> {
    match words {
        [word] => Ok(word),
        _ => Err(format!("{name}: one value, not {}", words.len())),
    }
}

fn nothing(name: &str, words: &[&str]) -> Result<(), String> {
    words
        .first()
        .map_or(Ok(()), |word| Err(format!("{name}: `{word}` is too much")))
}

/// The value of an option that counts something.
fn count(name: &str, words: &[&str]) -> Result<u64, String> {
    number(name, single(name, words)?, 1, MOST)
}

/// A word `key=value`.
fn pair<'a>(group: &str, word: &'a str) -> Result<(&'a str, &'a str), String> {
    word.split_once('=')
        .ok_or_else(|| format!("{group}: `{word}` is not key=value"))
}

/// A time in seconds, or in minutes and seconds.
fn seconds(name: &str, text: &str) -> Result<Duration, String> {
    let (minutes, seconds) = text.rsplit_once(':').unwrap_or(("0", text));
    let most = MAX_MILLIS as f64 / 1e3;
    let minutes = decimal(name, minutes, 0.0, most / 60.0)?;
    let seconds = decimal(name, seconds, 0.0, most)?;
    Ok(Duration::from_secs_f64(60.0 * minutes + seconds))
}

fn read_engine(engine: &mut EngineSpec, words: &[&str]) -> Result<(), String> {
    for word in words {
        let (key, value) = pair("-engine", word)?;
        let control = &mut engine.control;
        match key {
            "name" => engine.name = value.into(),
            "cmd" => engine.command = value.into(),
            "arg" => engine.arguments.push(value.into()),
            "dir" => engine.folder = Some(value.into()),
            "proto" if value == "uci" => {}
            "proto" => return Err(format!("-engine: proto `{value}` is not uci")),
            "tc" => read_clock(control, value)?,
            "st" => control.per_move = Some(seconds("st", value)?),
            "nodes" => control.nodes = Some(number(key, value, 1, u64::MAX)?),
            "depth" => control.depth = Some(number(key, value, 1, u32::MAX)?),
            "timemargin" => {
                let margin = number(key, value, 0, MAX_MILLIS)?;
                control.margin = Duration::from_millis(margin as u64);
            }
            _ => match key.strip_prefix("option.") {
                Some(name) => engine.options.push((name.into(), value.into())),
                None => return Err(format!("-engine: `{key}` is not a word for an engine")),
            },
        }
    }
    Ok(())
}

/// `moves/time+increment`, of which only the time must be there.
fn read_clock(control: &mut TimeControl, text: &str) -> Result<(), String> {
    if text == "inf" {
        (control.time, control.increment, control.moves) = (None, Duration::ZERO, 0);
        return Ok(());
    }
    let (moves, rest) = text.split_once('/').unwrap_or(("0", text));
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    control.moves = number("tc", moves, 0, 10_000)?;
    control.time = Some(seconds("tc", time)?);
    control.increment = seconds("tc", increment)?;
    Ok(())
}

fn read_openings(variant: Variant, words: &[&str]) -> Result<Openings, String> {
    let group = "-openings";
    let (mut file, mut format, mut plies, mut start) = (None, None, None, 1);
    let (mut is_random, mut shuffled, mut seed, mut balance) = (false, false, 0, 100);
    for &word in words {
        if word == "random" {
            is_random = true;
            continue;
        }
        let (key, value) = pair(group, word)?;
        match (key, value) {
            ("file", _) => file = Some(value),
            ("format", _) => format = Some(value),
            ("plies", _) => plies = Some(number(key, value, 0, MAX_GAME)?),
            ("seed", _) => seed = number(key, value, 0, u64::MAX)?,
            ("balance", _) => balance = number(key, value, 0, i32::MAX)?,
            ("start", _) => start = number(key, value, 1, usize::MAX)?,
            ("order", "random") => shuffled = true,
            ("order", "sequential") => shuffled = false,
            _ => return Err(format!("{group}: `{word}` is not understood")),
        }
    }
    match file {
        None if is_random => Ok(Openings::Random {
            plies: plies.unwrap_or(8),
            seed,
            balance,
        }),
        None => Err(format!("{group}: neither random nor file=")),
        Some(_) if is_random => Err(format!("{group}: both random and file=")),
        Some(path) => {
            let mut list = Openings::read(variant, path, format, plies.unwrap_or(usize::MAX))?;
            if shuffled {
                Random::new(seed, 0).shuffle(&mut list);
            }
            let first = start - 1;
            let length = list.len();
            list.rotate_left(first % length);
            Ok(Openings::List(list))
        }
    }
}

fn read_sprt(words: &[&str]) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    let mut model = Model::Logistic;
    for word in words {
        let (key, value) = pair("-sprt", word)?;
        match key {
            "elo0" => elo0 = Some(decimal(key, value, -MAX_ELO, MAX_ELO)?),
            "elo1" => elo1 = Some(decimal(key, value, -MAX_ELO, MAX_ELO)?),
            "alpha" => alpha = decimal(key, value, 0.0, 0.5)?,
            "beta" => beta = decimal(key, value, 0.0, 0.5)?,
            "model" => {
                let found = Model::ALL.iter().find(|(name, _)| *name == value);
                let names = Model::ALL.map(|(name, _)| name).join(", ");
                let wrong = || format!("-sprt: the model `{value}` is not one of {names}");
                model = found.ok_or_else(wrong)?.1;
            }
            _ => return Err(format!("-sprt: `{word}` is not understood")),
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        return Err("-sprt: elo0 and elo1 are needed".into());
    };
    let is_risk = |risk: f64| risk > 0.0 && risk < 0.5;
    let is_ordered: bool = elo0 < elo1;
    if !is_ordered || !is_risk(alpha) || !is_risk(beta) {
        return Err("-sprt: elo0 must be below elo1, alpha and beta between 0 and 0.5".into());
    }
    Ok(Sprt {
        elo0,
        elo1,
        alpha,
        beta,
        model,
    })
}

fn read_draw(words: &[&str]) -> Result<DrawRule, String> {
    let mut rule = DrawRule {
        move_number: 0,
        moves: 1,
        score: 0,
    };
    for word in words {
        let (key, value) = pair("-draw", word)?;
        match key {
            "movenumber" => rule.move_number = number(key, value, 0, MAX_GAME)?,
            "movecount" => rule.moves = number(key, value, 1, MAX_GAME)?,
            "score" => rule.score = number(key, value, 0, MAX_SCORE)?,
            _ => return Err(format!("-draw: `{word}` is not understood")),
        }
    }
    Ok(rule)
}

fn read_resign(words: &[&str]) -> Result<ResignRule, String> {
    let mut rule = ResignRule {
        moves: 1,
        score: i32::MAX,
        two_sided: false,
    };
    for word in words {
        let (key, value) = pair("-resign", word)?;
        match key {
            "movecount" => rule.moves = number(key, value, 1, MAX_GAME)?,
            "score" => rule.score = number(key, value, -MAX_SCORE, MAX_SCORE)?,
            "twosided" => {
                rule.two_sided = value
                    .parse()
                    .map_err(|_| format!("twosided: `{value}` is neither true nor false"))?;
            }
            _ => return Err(format!("-resign: `{word}` is not understood")),
        }
    }
    if rule.score == i32::MAX {
        return Err("-resign: score is needed".into());
    }
    Ok(rule)
}
