//! The command line of `match`: the words of cutechess-cli, and those of fastchess.

use super::engine_args::read_engine;
use super::openings::Openings;
use super::options::{DrawRule, EngineSpec, Format, Options, Policy, ResignRule, Style, Target};
use crate::engine::{MAX_GAME, MAX_THREADS, Variant, find_variant};
use crate::statistics::sprt::{Model, Sprt};
use crate::system::random::Random;
use crate::system::text::{MAX_MILLIS, decimal, number, truth};
use std::time::Duration;

/// How `match` is called.
pub const HELP: &str = "\
quadrille match -variant NAME -engine WORDS -engine WORDS [-each WORDS] [OPTIONS]
quadrille match -resume FILE
quadrille match --merge FILE.pgn ... [-sprt ...] [-json FILE] [-html FILE]

WORDS of an engine, or of -each for all of them (an engine's own count more):
  cmd=PROGRAM     the program; `self` plays this one in process, with nodes= or depth=
  proto=uci|xboard   what it speaks (xboard: CECP)
  name=NAME  dir=FOLDER  arg=ARGUMENT  args=\"ARGUMENT ...\"  option.NAME=VALUE
  tc=[MOVES/]TIME[+INCREMENT]   seconds, or minutes:seconds; `inf` for none
  st=SECONDS  nodes=N  depth=N (or plies=N)  timemargin=MS
  ponder          let it think on its opponent's time
  restart=on|off|auto   start it anew for each game
  initstr=TEXT    tell it first; \\n between lines
  stderr=FILE     append what it writes on standard error (otherwise 20 lines are shown)
  whitepov        its scores are White's
  trust           take results that it claims at its word
  debug           tell it `debug on`
WHO PLAYS WHOM:
  -tournament round-robin|gauntlet|pyramid|knockout   -seeds N  the gauntlet of the first N engines
  -games N        games of two engines in a round; change colours after each
  -rounds N       how often all of that
  -noswap         keep the colours        -reverse  begin with the other colours
  -concurrency N  games at once           -wait MS  pause before each game
  -recover        go on when an engine dies or hangs
OPENINGS:
  -openings random [plies=8] [balance=100] [seed=N] [start=N]
                  random moves that leave the game even to so many hundredths of a pawn
  -openings file=FILE [format=epd|pgn] [order=sequential|random] [plies=N] [start=N] [seed=N]
            [policy=default|encounter|round]
                  another opening for other engines too, for other engines only, or for
                  each round; without it all engines play the same openings
  -repeat [N]     an opening for 2 games, or N, of two engines (random: 2, otherwise 1)
  -srand N        the seed
WHEN A GAME ENDS:
  -draw movenumber=N movecount=N score=CP   both engines find it even for so many moves
  -resign movecount=N score=CP [twosided=true]   one, or both, find it lost for one
  -maxmoves N     a draw after so many moves of both
WHEN THE MATCH ENDS:
  -sprt elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=logistic|normalized|bayesian]
GOING ON:
  -resume FILE    keep the match in FILE, and go on with what is there; without -engine the
                  rest of the command line is that of the match. With -pgnout GAMES it is
                  kept in GAMES.match anyway until all games are played. The first Ctrl-C
                  lets the games under way end, the second stops them at once
WHAT IS WRITTEN:
  -pgnout FILE [min]   the games; `min` without what the engines said
  -epdout FILE    their last positions     (both: also file=FILE append=false)
  -json FILE      the result for programs
  -html FILE      the result as a page: score over time, Elo, crosstable, how games ended
  -event NAME  -site NAME
  -ratinginterval N  -scoreinterval N  -outcomeinterval N   after how many games
  -output format=cutechess|fastchess   whose lines; fastchess's with its defaults, 2 games
                  an opening and the SPRT in normalised Elo
  -report penta=false   count games, not pairs of them
  -debug          what passes between match and engines, on standard error
  -log file=FILE  the same to a file
Other words of cutechess-cli and fastchess are ignored with a warning if nothing depends on
them, and refused otherwise.
Example: quadrille match -variant gothic -engine cmd=quadrille -engine cmd=fairy-stockfish \\
           -each tc=5+0.05 -openings random -games 2 -rounds 100 -concurrency 2 -pgnout games.pgn";

/// The most games, rounds and the like.
const MOST: u64 = 1_000_000;
/// The greatest difference that a test can ask for.
const MAX_ELO: f64 = 10_000.0;
/// The greatest score that a rule can ask for, in centipawns.
const MAX_SCORE: i32 = 1_000_000;

/// Words that are understood and change nothing here, and why.
const IGNORED: [(&str, &str); 17] = [
    ("-autosaveinterval", "every game is saved at once"),
    ("-bookmode", "there are no Polyglot books for these games"),
    ("-check-mate-pvs", "the lines of engines are not looked at"),
    ("-crc32", "there are no checksums in the PGN"),
    (
        "-force-concurrency",
        "any -concurrency is taken at its word",
    ),
    ("-ping-ms", "an engine has 15 seconds to answer"),
    ("-resultformat", "the table has one form"),
    ("-show-latency", "latency is not measured"),
    ("-startup-ms", "an engine has 20 seconds to start"),
    ("-strict", "an engine's info lines are not judged"),
    ("-tb", "there are no Syzygy tables for these games"),
    (
        "-tbadjudicate",
        "there are no Syzygy tables for these games",
    ),
    ("-tbignore50", "there are no Syzygy tables for these games"),
    ("-tbpieces", "there are no Syzygy tables for these games"),
    ("-testEnv", "it is for fastchess's own tests"),
    ("-ucinewgame-ms", "an engine has 15 seconds to answer"),
    (
        "-use-affinity",
        "the system places processes; `taskset` can bind them",
    ),
];

/// Words that cannot be followed, and what to write instead.
const REFUSED: [(&str, &str); 3] = [
    (
        "-config",
        "a match is not read from JSON; write its options here",
    ),
    (
        "-engines",
        "no list of engines is kept; describe each with -engine cmd=PROGRAM",
    ),
    (
        "-quick",
        "write it out: -engine cmd=A -engine cmd=B -each tc=10+0.1 -openings file=BOOK \
         order=random -games 2 -rounds 25000 -repeat -recover",
    ),
];

/// Reads the command line.
///
/// # Errors
///
/// Which word is wrong, and why.
pub fn read(variants: &'static [Variant], arguments: &[&str]) -> Result<Options, String> {
    let groups = groups(arguments)?;
    let last = |wanted: &str| groups.iter().rfind(|(name, _)| *name == wanted);
    let mut warnings = Vec::new();
    let mut each = EngineSpec::default();
    for (name, words) in groups.iter().filter(|(name, _)| *name == "-each") {
        read_engine(&mut each, name, words, &mut warnings)?;
    }
    let variant = last("-variant").map_or(Ok(variants[0]), |(name, words)| {
        find_variant(variants, single(name, words)?)
    })?;
    let style = last("-output").map_or(Ok(Style::Cutechess), |(_, words)| read_style(words))?;
    let seed = last("-srand").map_or(Ok(0), |(name, words)| {
        number(name, single(name, words)?, 0, u64::MAX)
    })?;
    let mut reader = Reader {
        options: defaults(variants, variant, style, warnings),
        each,
        seed,
        repeat: None,
        explained: false,
    };
    for (name, words) in &groups {
        reader.read(name, words)?;
    }
    let mut options = reader.options;
    let engines = options.engines.iter_mut();
    engines.for_each(|engine| engine.debug |= reader.explained);
    let is_random = matches!(options.openings, Openings::Random { .. });
    let in_pairs = is_random || style == Style::Fastchess;
    options.repeat = reader.repeat.unwrap_or(if in_pairs { 2 } else { 1 });
    options.check()?;
    Ok(options)
}

fn defaults(
    variants: &'static [Variant],
    variant: Variant,
    style: Style,
    warnings: Vec<String>,
) -> Options {
    Options {
        variant,
        variants,
        engines: Vec::new(),
        format: Format::RoundRobin,
        seeds: 1,
        games: if style == Style::Fastchess { 2 } else { 1 },
        rounds: 1,
        repeat: 1,
        policy: Policy::Repetitions,
        swaps: true,
        reversed: false,
        wait: Duration::ZERO,
        concurrency: 1,
        openings: Openings::Start,
        sprt: None,
        draw: None,
        resign: None,
        max_moves: None,
        pgn: None,
        epd: None,
        json: None,
        html: None,
        log: None,
        debug: false,
        event: "Quadrille match".into(),
        site: "?".into(),
        style,
        rating_interval: 10,
        score_interval: 1,
        outcome_interval: 0,
        counts_pairs: true,
        warnings,
        state: None,
        recover: false,
    }
}

/// The options read so far.
struct Reader {
    options: Options,
    each: EngineSpec,
    seed: u64,
    repeat: Option<u64>,
    /// Whether all engines are to explain themselves.
    explained: bool,
}

impl Reader {
    fn read(&mut self, name: &str, words: &[&str]) -> Result<(), String> {
        let options = &mut self.options;
        match name {
            // They were read before the others.
            "-each" | "-variant" | "-output" | "-srand" => {}
            "-engine" => {
                let mut engine = self.each.clone();
                read_engine(&mut engine, name, words, &mut options.warnings)?;
                options.engines.push(engine);
            }
            "-tournament" => options.format = read_format(single(name, words)?)?,
            "-seeds" => options.seeds = count(name, words)? as usize,
            "-games" => options.games = count(name, words)?,
            "-rounds" => options.rounds = count(name, words)?,
            "-repeat" if words.is_empty() => self.repeat = Some(2),
            "-repeat" => self.repeat = Some(count(name, words)?),
            "-noswap" => options.swaps = !flag(name, words)?,
            "-reverse" => options.reversed = flag(name, words)?,
            "-resume" => options.state = Some(single(name, words)?.to_string()),
            "-recover" => options.recover = flag(name, words)?,
            "-concurrency" => {
                options.concurrency = number(name, single(name, words)?, 1, MAX_THREADS)?;
            }
            "-wait" => {
                let wait = number(name, single(name, words)?, 0, MAX_MILLIS)?;
                options.wait = Duration::from_millis(wait);
            }
            "-openings" => {
                options.openings = read_openings(options, self.seed, words)?;
            }
            "-maxmoves" => {
                let moves = number(name, single(name, words)?, 0, MOST)?;
                options.max_moves = (moves > 0).then_some(moves as usize);
            }
            "-sprt" => options.sprt = Some(read_sprt(words, options.style)?),
            "-draw" => options.draw = Some(read_draw(words)?),
            "-resign" => options.resign = Some(read_resign(words)?),
            "-pgnout" => options.pgn = Some(read_target(name, words, &mut options.warnings)?),
            "-epdout" => options.epd = Some(read_target(name, words, &mut options.warnings)?),
            "-json" => options.json = Some(single(name, words)?.to_string()),
            "-html" => options.html = Some(single(name, words)?.to_string()),
            "-log" => options.log = Some(read_target(name, words, &mut options.warnings)?),
            "-debug" => {
                options.debug = true;
                self.explained |= match words {
                    [] => false,
                    ["all"] => true,
                    [word, ..] => return Err(format!("-debug: `{word}` is not understood")),
                };
            }
            "-event" => options.event = words.join(" "),
            "-site" => options.site = words.join(" "),
            "-ratinginterval" => options.rating_interval = interval(name, words)?,
            "-scoreinterval" => options.score_interval = interval(name, words)?,
            "-outcomeinterval" => options.outcome_interval = interval(name, words)?,
            "-report" => options.counts_pairs = read_report(single(name, words)?)?,
            _ => {
                if let Some((_, instead)) = REFUSED.iter().find(|(word, _)| *word == name) {
                    return Err(format!("{name}: {instead}"));
                }
                let Some((_, why)) = IGNORED.iter().find(|(word, _)| *word == name) else {
                    return Err(format!(
                        "`{name}` is not an option of match; see match --help"
                    ));
                };
                options.warnings.push(format!("{name} is ignored: {why}"));
            }
        }
        Ok(())
    }
}

/// Whether a word names an option. Two dashes are as good as one.
pub fn option_name(word: &str) -> Option<&str> {
    let name = word
        .strip_prefix('-')
        .filter(|name| name.starts_with('-'))
        .unwrap_or(word);
    let is_option =
        name.starts_with('-') && name[1..].starts_with(|c: char| c.is_ascii_alphabetic());
    is_option.then_some(name)
}

/// The options, each with the words up to the next one.
fn groups<'a>(arguments: &[&'a str]) -> Result<Vec<(&'a str, Vec<&'a str>)>, String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for &argument in arguments {
        match (option_name(argument), groups.last_mut()) {
            (Some(name), _) => groups.push((name, Vec::new())),
            (None, Some((_, words))) => words.push(argument),
            (None, None) => {
                return Err(format!(
                    "`{argument}` is not an option of match; see match --help"
                ));
            }
        }
    }
    Ok(groups)
}

/// What follows the files of `--merge`: a test, and where the result is written for programs
/// and as a page.
///
/// # Errors
///
/// Which word is wrong, and why.
pub fn read_merge(arguments: &[&str]) -> Result<(Option<Sprt>, [Option<String>; 2]), String> {
    let (mut sprt, mut files) = (None, [None, None]);
    for (name, words) in groups(arguments)? {
        match name {
            "-sprt" => sprt = Some(read_sprt(&words, Style::Cutechess)?),
            "-json" => files[0] = Some(single(name, &words)?.to_string()),
            "-html" => files[1] = Some(single(name, &words)?.to_string()),
            _ => {
                return Err(format!(
                    "match --merge: `{name}` is not one of -sprt, -json, -html"
                ));
            }
        }
    }
    Ok((sprt, files))
}

fn single<'a>(name: &str, words: &[&'a str]) -> Result<&'a str, String> {
    match words {
        [word] => Ok(word),
        _ => Err(format!("{name}: one value, not {}", words.len())),
    }
}

/// An option that is there, and has no value.
fn flag(name: &str, words: &[&str]) -> Result<bool, String> {
    match words.first() {
        None => Ok(true),
        Some(word) => Err(format!("{name}: `{word}` is too much")),
    }
}

/// The value of an option that counts something.
fn count(name: &str, words: &[&str]) -> Result<u64, String> {
    number(name, single(name, words)?, 1, MOST)
}

/// The value of an option that says how often something is said; 0 for never.
fn interval(name: &str, words: &[&str]) -> Result<u64, String> {
    number(name, single(name, words)?, 0, MOST)
}

/// A word `key=value`.
fn pair<'a>(group: &str, word: &'a str) -> Result<(&'a str, &'a str), String> {
    word.split_once('=')
        .ok_or_else(|| format!("{group}: `{word}` is not key=value"))
}

fn read_format(name: &str) -> Result<Format, String> {
    match name {
        "round-robin" | "roundrobin" => Ok(Format::RoundRobin),
        "gauntlet" => Ok(Format::Gauntlet),
        "pyramid" => Ok(Format::Pyramid),
        "knockout" => Ok(Format::Knockout),
        other => Err(format!(
            "-tournament: `{other}` is none of round-robin, gauntlet, pyramid, knockout"
        )),
    }
}

fn read_style(words: &[&str]) -> Result<Style, String> {
    match single("-output", words)? {
        "format=cutechess" => Ok(Style::Cutechess),
        "format=fastchess" => Ok(Style::Fastchess),
        other => Err(format!(
            "-output: `{other}` is neither format=cutechess nor format=fastchess"
        )),
    }
}

fn read_report(word: &str) -> Result<bool, String> {
    match pair("-report", word)? {
        (key @ "penta", value) => truth(key, value),
        _ => Err(format!(
            "-report: `{word}` is not penta=true or penta=false"
        )),
    }
}

/// `FILE min fi` of cutechess-cli, or `file=FILE append=true min=true …` of fastchess.
fn read_target(group: &str, words: &[&str], warnings: &mut Vec<String>) -> Result<Target, String> {
    let mut target = Target {
        path: String::new(),
        append: true,
        minimal: false,
        coordinates: false,
    };
    for (index, &word) in words.iter().enumerate() {
        match word.split_once('=') {
            Some(("file", path)) => target.path = path.into(),
            Some((key @ "append", value)) => target.append = truth(key, value)?,
            Some((key @ "min", value)) if group == "-pgnout" => {
                target.minimal = truth(key, value)?;
            }
            // What is always so, or is not kept.
            Some(("engine", "true")) => {}
            Some(("notation", "san" | "lan")) if group == "-pgnout" => {}
            Some(("notation", "uci")) if group == "-pgnout" => target.coordinates = true,
            Some((
                "match_line" | "nodes" | "seldepth" | "nps" | "hashfull" | "tbhits" | "timeleft"
                | "latency" | "pv",
                _,
            )) if group == "-pgnout" => {
                warnings.push(format!("-pgnout {word} is ignored: it is not written"));
            }
            Some(("level" | "compress" | "realtime" | "engine", _)) if group == "-log" => {
                warnings.push(format!(
                    "-log {word} is ignored: all lines are written at once"
                ));
            }
            _ if index == 0 => target.path = word.into(),
            None if group == "-pgnout" && word == "min" => target.minimal = true,
            // No others are ever written.
            None if group == "-pgnout" && word == "fi" => {}
            _ => return Err(format!("{group}: `{word}` is not understood")),
        }
    }
    if target.path.is_empty() {
        return Err(format!("{group}: which file?"));
    }
    Ok(target)
}

/// Reads `-openings`, which also say when they change.
fn read_openings(options: &mut Options, seed: u64, words: &[&str]) -> Result<Openings, String> {
    let group = "-openings";
    let (mut file, mut format, mut plies, mut start) = (None, None, None, 1);
    let (mut is_random, mut shuffled, mut seed, mut balance) = (false, false, seed, 100);
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
            ("start", _) => start = number(key, value, 1, MOST)?,
            ("order", "random") => shuffled = true,
            ("order", "sequential") => shuffled = false,
            ("policy", "default") => options.policy = Policy::Default,
            ("policy", "encounter") => options.policy = Policy::Encounter,
            ("policy", "round") => options.policy = Policy::Round,
            _ => return Err(format!("{group}: `{word}` is not understood")),
        }
    }
    let first = start - 1;
    match file {
        None if is_random => Ok(Openings::Random {
            plies: plies.unwrap_or(8),
            seed,
            balance,
            first,
        }),
        None => Err(format!("{group}: neither random nor file=")),
        Some(_) if is_random => Err(format!("{group}: both random and file=")),
        Some(path) => {
            let variant = options.variant;
            let mut list = Openings::read(variant, path, format, plies.unwrap_or(usize::MAX))?;
            if shuffled {
                Random::new(seed, 0).shuffle(&mut list);
            }
            let length = list.len();
            list.rotate_left(first as usize % length);
            Ok(Openings::List {
                path: path.into(),
                openings: list,
            })
        }
    }
}

fn read_sprt(words: &[&str], style: Style) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    let mut model = match style {
        Style::Cutechess => Model::Logistic,
        Style::Fastchess => Model::Normalised,
    };
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
                rule.two_sided = truth(key, value)?;
            }
            _ => return Err(format!("-resign: `{word}` is not understood")),
        }
    }
    if rule.score == i32::MAX {
        return Err("-resign: score is needed".into());
    }
    Ok(rule)
}
