//! The command line of `match`: the options of cutechess-cli and fastchess.

use super::comment::FIELDS;
use super::engine_args::{choice, ignored, key_value, missing_value, not_understood, read_engine};
use super::numbers::{MAX_COUNT, NUMBERS, Range, fraction, whole};
use super::openings::Openings;
use super::options::{
    DrawRule, EngineSpec, Format, MatchOptions, Notation, OutputSpec, ResignRule, Style,
};
use crate::cli::{Args, Failure, is_help};
use crate::engine::Variant;
use crate::statistics::sprt::{Model, Sprt};
use crate::system::checksum::checksum;
use crate::system::random::Random;
use crate::system::sync::cores;
use crate::system::text::{MAX_MILLIS, truth};
use std::time::Duration;

/// An option of `match`.
struct MatchOption {
    /// Its line in the help, which begins with its name.
    help: &'static str,
    /// True if a resumed match may have another.
    is_free: bool,
    read: Read,
}

/// The way to read the words behind an option.
enum Read {
    /// There are none.
    Flag(fn(&mut MatchArgs)),
    /// A whole number in a range.
    Number(u64, u64, fn(&mut MatchArgs, u64)),
    /// One word, or none.
    Value(fn(&mut MatchArgs, &mut Args<'_>) -> Result<(), Failure>),
    /// Any number of words. A fault is reported with the name of the option.
    Words(fn(&mut MatchArgs, &[&str]) -> Result<(), Failure>),
}
use Read::{Flag, Number, Value, Words};

/// The option changes the games.
const FIXED: bool = false;
/// The option changes no game, and may differ when a match is resumed.
const FREE: bool = true;

/// Makes the help and the table of all options, in sections. Each option has its line in the help,
/// `FIXED` or `FREE`, and its reader.
macro_rules! options {
    (
        $usage:literal,
        $(($section:literal, [$(($help:literal, $free:expr, $read:expr)),* $(,)?])),*
        $(,)?
    ) => {
        /// The answer to `--help`.
        pub(super) const HELP: &str =
            concat!($usage, $("\n", $section, $("\n  ", $help,)*)*);

        /// All options.
        static OPTIONS: &[MatchOption] =
            &[$($(MatchOption { help: $help, is_free: $free, read: $read },)*)*];
    };
}

options![
    "\
quadrille match -variant NAME -engine WORDS -engine WORDS [-each WORDS] [OPTIONS]
quadrille match --merge FILE.pgn ... [-sprt ...] [-json FILE] [-html FILE]
",
    ("WHO PLAYS WHOM:", [
        ("-variant NAME   the game",
            FIXED, Value(|m, args| {
                args.variant(m.options.variants).map(|variant| m.options.variant = variant)
            })),
        ("-engine WORDS   an engine",
            FIXED, Words(|m, words| {
                let mut engine = m.each.clone();
                read_engine(&mut engine, "-engine", words, &mut m.options.warnings)?;
                m.options.engines.push(engine);
                Ok(())
            })),
        ("-each WORDS     words for all engines; an engine's own come first",
            FIXED, Words(|m, words| {
                read_engine(&mut m.each, "-each", words, &mut m.options.warnings)
            })),
        ("-tournament round-robin|gauntlet   all pairings, or those of the first engine",
            FIXED, Value(|m, args| choose(args, &FORMATS).map(|format| m.options.format = format))),
        ("-seeds N        a gauntlet of the first N engines; with -output format=fastchess they
                  meet each other too",
            FIXED, Number(1, MAX_COUNT, |m, seeds| m.options.seeds = seeds as usize)),
        ("-games N        games of two engines in a round; change colours after each",
            FIXED, Number(1, MAX_COUNT, |m, games| m.options.games = games)),
        ("-rounds N       number of rounds",
            FIXED, Number(1, MAX_COUNT, |m, rounds| m.options.rounds = rounds)),
        ("-noswap         keep the colours",
            FIXED, Flag(|m| m.options.swaps = false)),
        ("-reverse        begin with the other colours",
            FIXED, Flag(|m| m.options.reversed = true)),
        ("-concurrency N  games at once; -N leaves N processors free",
            FREE, Value(|m, args| {
                read_concurrency(args).map(|games| m.options.concurrency = games)
            })),
        ("-force-concurrency   do not warn of too many",
            FREE, Flag(|m| m.options.forces_concurrency = true)),
        ("-wait MS        pause before each game",
            FREE, Number(0, MAX_MILLIS, |m, time| m.options.wait = Duration::from_millis(time))),
        ("-recover        continue when an engine dies or hangs",
            FREE, Flag(|m| m.options.recover = true)),
    ]),
    ("\
WORDS of an engine:
  cmd=PROGRAM     the program; `self` plays this one in process, with nodes= or depth=
  proto=uci|xboard   its protocol (xboard: CECP)
  name=NAME  dir=FOLDER  arg=ARGUMENT  args=\"ARGUMENT ...\"  option.NAME=VALUE
  tc=[MOVES/]TIME[+INCREMENT]   seconds, or minutes:seconds; `inf` for none
  st=SECONDS  nodes=N  depth=N (or plies=N)  timemargin=MS
  ponder          let it think on its opponent's time
  restart=on|off|auto   start it anew for each game
  initstr=TEXT    send it first; \\n between lines
  stderr=FILE     append what it writes on standard error (otherwise 20 lines are shown)
  whitepov        its scores are White's
  trust           accept results that it claims
  debug           send it `debug on`", []),
    ("OPENINGS:", [
        ("-openings random [plies=8] [balance=100] [seed=N] [start=N]
                  random moves that leave the game even within `balance` centipawns
  -openings file=FILE [format=epd|pgn] [order=sequential|random] [plies=N] [start=N] [seed=N]
                  (policy=round: -repeat with the number of -games)",
            FIXED, Words(MatchArgs::read_openings)),
        ("-repeat [N]     an opening for 2 games, or N, of two engines (random: 2, otherwise 1)",
            FIXED, Value(|m, args| {
                let is_bare = args.clone().next().is_none();
                m.repeat = Some(if is_bare { 2 } else { args.number(1, MAX_COUNT)? });
                Ok(())
            })),
        ("-srand N        the seed",
            FIXED, Number(0, u64::MAX, |m, seed| m.seed = Some(seed))),
    ]),
    ("WHEN A GAME ENDS:", [
        ("-draw movenumber=N movecount=N score=CP   both engines score it as even for movecount moves;
                  an irreversible move begins the count anew",
            FIXED, Words(|m, words| read_draw(words).map(|rule| m.options.draw = Some(rule)))),
        ("-resign movecount=N score=CP [twosided=true]   one, or both, score it as lost for one",
            FIXED, Words(|m, words| read_resign(words).map(|rule| m.options.resign = Some(rule)))),
        ("-maxmoves N     a draw after N moves of both",
            FIXED, Number(0, MAX_COUNT, |m, moves| {
                m.options.max_moves = (moves > 0).then_some(moves as usize);
            })),
    ]),
    ("WHEN THE MATCH ENDS:", [
        ("-sprt elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=logistic|normalized]",
            FIXED, Words(|m, words| {
                read_sprt(words, m.options.style).map(|sprt| m.options.sprt = Some(sprt))
            })),
        ("-strict         at the first warning or fault of an engine, with exit status 1",
            FREE, Flag(|m| m.options.strict = true)),
    ]),
    ("RESUMING:", [
        ("-resume         behind the command of an earlier match: play the rest of it, if the file of
                  -pgnout has games of it. These words may differ: -concurrency, -wait, -recover,
                  -strict, and what is written but for -event, -site, -output and -report",
            FREE, Flag(|m| m.options.resume = true)),
    ]),
    ("WHAT IS WRITTEN:", [
        ("-pgnout FILE [min]   the games; `min` without scores and times
                  [notation=san|lan|uci], and with NAME=true in the comments: timeleft latency
                  nodes seldepth nps hashfull tbhits pv",
            FREE, Words(|m, words| m.output("-pgnout", words).map(|it| m.options.pgn = Some(it)))),
        ("-epdout FILE    their last positions     (both: also file=FILE append=false)",
            FREE, Words(|m, words| m.output("-epdout", words).map(|it| m.options.epd = Some(it)))),
        ("-json FILE      the result for programs",
            FREE, Value(|m, args| args.value().map(|path| m.options.json = Some(path.into())))),
        ("-html FILE      the result as a page",
            FREE, Value(|m, args| args.value().map(|path| m.options.html = Some(path.into())))),
        ("-event NAME     the tags of the games",
            FIXED, Words(|m, words| {
                m.options.event = words.join(" ");
                Ok(())
            })),
        ("-site NAME",
            FIXED, Words(|m, words| {
                m.options.site = words.join(" ");
                Ok(())
            })),
        ("-ratinginterval N   print ratings every N games",
            FREE, Number(0, MAX_COUNT, |m, games| m.options.rating_interval = games)),
        ("-scoreinterval N    and the score",
            FREE, Number(0, MAX_COUNT, |m, games| m.options.score_interval = games)),
        ("-outcomeinterval N  and the ends of games",
            FREE, Number(0, MAX_COUNT, |m, games| m.options.outcome_interval = games)),
        ("-output format=cutechess|fastchess   print the lines of that program; with fastchess its
                  defaults hold: 2 games an opening and the SPRT in normalised Elo",
            FIXED, Value(|m, args| {
                m.options.style = choose(args, &STYLES)?;
                m.options.games = 1 + u64::from(m.options.style == Style::Fastchess);
                Ok(())
            })),
        ("-report penta=false   count games, not pairs of them",
            FIXED, Words(|m, words| {
                for word in words {
                    match key_value(word) {
                        (key @ "penta", value) => m.options.counts_pairs = truth(key, value)?,
                        _ => return Err(not_understood(word)),
                    }
                }
                Ok(())
            })),
        ("-debug          lines to and from engines, on standard error",
            FREE, Value(|m, args| {
                m.options.debug = true;
                if args.clone().next().is_some() {
                    m.debugs_engines = choose(args, &[("all", true)])?;
                }
                Ok(())
            })),
        ("-log file=FILE  the same to a file",
            FREE, Words(|m, words| m.output("-log", words).map(|it| m.options.log = Some(it)))),
    ]),
    ("\
The last of several equal options counts.
Example: quadrille match -variant gothic -engine cmd=quadrille -engine cmd=fairy-stockfish \\
           -each tc=5+0.05 -openings random -games 2 -rounds 100 -concurrency 2 -pgnout games.pgn", []),
];

/// Values of `-tournament`.
const FORMATS: [(&str, Format); 3] = [
    ("round-robin", Format::RoundRobin),
    ("roundrobin", Format::RoundRobin),
    ("gauntlet", Format::Gauntlet),
];
/// Values of `-output`.
const STYLES: [(&str, Style); 2] =
    [("format=cutechess", Style::Cutechess), ("format=fastchess", Style::Fastchess)];

/// Options that are read first: others depend on them.
const FIRST: [&str; 4] = ["-variant", "-output", "-srand", "-each"];

/// Keys that may stand several times after an option.
const REPEATABLE: [&str; 4] = ["arg", "args", "initstr", "match_line"];

/// Options of the other programs on which no game depends here.
const IGNORED: [&str; 16] = [
    "-autosaveinterval",
    "-bookmode",
    "-check-mate-pvs",
    "-config",
    "-crc32",
    "-ping-ms",
    "-resultformat",
    "-show-latency",
    "-startup-ms",
    "-tb",
    "-tbadjudicate",
    "-tbignore50",
    "-tbpieces",
    "-testEnv",
    "-ucinewgame-ms",
    "-use-affinity",
];

/// Words of them behind `-pgnout` and `-log`.
const IGNORED_OF_FILES: [&str; 5] = ["match_line", "level", "compress", "realtime", "engine"];

impl MatchOption {
    fn name(&self) -> &'static str {
        self.help.split(' ').next().unwrap_or_default()
    }
}

/// Reads the command line.
pub(super) fn read(variants: &'static [Variant], words: &[&str]) -> Result<MatchOptions, Failure> {
    let groups = groups(words)?;
    let mut reader = MatchArgs { options: MatchOptions::new(variants), ..MatchArgs::default() };
    let (first, others): (Vec<_>, Vec<_>) =
        groups.iter().partition(|group| FIRST.contains(&group[0]));
    for group in first.into_iter().chain(others) {
        reader.read(group)?;
    }
    // No word has a zero byte, and only options begin with a dash.
    let is_fixed = |name| OPTIONS.iter().any(|option| option.name() == name && !option.is_free);
    let fixed = groups.iter().filter(|group| is_fixed(group[0])).flatten();
    reader.options.checksum = checksum(fixed.copied().collect::<Vec<_>>().join("\0").as_bytes());
    reader.finish()
}

/// The options read so far.
#[derive(Default)]
struct MatchArgs {
    options: MatchOptions,
    each: EngineSpec,
    seed: Option<u64>,
    repeat: Option<u64>,
    /// True if an opening serves for the games of a round.
    repeats_round: bool,
    /// True if each pairing asks for openings of its own.
    has_own_openings: bool,
    /// True if all engines are sent `debug on`.
    debugs_engines: bool,
}

impl MatchArgs {
    /// Reads an option with the words that follow it.
    fn read(&mut self, group: &[&str]) -> Result<(), Failure> {
        let mut args = Args::new(group);
        let name = args.next().unwrap_or_default();
        let (option, words) = (args.clone(), &group[1..]);
        let Some(known) = OPTIONS.iter().find(|option| option.name() == name) else {
            // It would read a match.
            let is_config = words.iter().any(|word| word.starts_with("file="))
                && !words.contains(&"discard=true")
                && name == "-config";
            let warning = ignored(name, name, if is_config { &[] } else { &IGNORED })?;
            self.options.warnings.push(warning);
            return Ok(());
        };
        match known.read {
            Flag(set) => set(self),
            Number(least, most, set) => set(self, args.number(least, most)?),
            Value(read) => read(self, &mut args)?,
            Words(_) if words.is_empty() => return Err(option.refuse("its value is missing")),
            Words(read) => {
                read(self, words).map_err(|fault| option.refuse(fault))?;
                let repeated = repeated_key(name, words);
                return repeated
                    .map_or(Ok(()), |key| Err(option.refuse(format!("`{key}` is given twice"))));
            }
        }
        let rest = args.next();
        rest.map_or(Ok(()), |word| Err(option.refuse(not_understood(word))))
    }

    fn read_openings(&mut self, words: &[&str]) -> Result<(), Failure> {
        let (mut file, mut is_pgn, mut plies, mut start) = (None, None, None, 1);
        let (mut is_random, mut shuffled, mut balance) = (false, false, None);
        let mut seed = self.seed.unwrap_or(0);
        for &word in words {
            let (key, value) = key_value(word);
            match (key, value) {
                ("random", "") => is_random = true,
                ("file", "") => return Err(missing_value(key)),
                ("file", _) => file = Some(value),
                ("format", "pgn") => is_pgn = Some(true),
                ("format", "epd" | "fen") => is_pgn = Some(false),
                ("plies", _) => plies = Some(whole("-openings", key, value)?),
                ("seed", _) if self.seed.is_some() => {
                    let fault = "seed= contradicts -srand; leave one of them out";
                    return Err(Failure::Usage(fault.into()));
                }
                ("seed", _) => seed = whole("-openings", key, value)?,
                ("balance", _) => balance = Some(whole("-openings", key, value)?),
                ("start", _) => start = whole("-openings", key, value)?,
                ("order", "random") => shuffled = true,
                ("order", "sequential") => shuffled = false,
                ("policy", "round") => self.repeats_round = true,
                ("policy", "default" | "encounter") => {
                    self.repeats_round = value == "encounter";
                    self.has_own_openings = true;
                }
                _ => return Err(not_understood(word)),
            }
        }
        let first = start - 1;
        self.options.openings = match file {
            None if is_random => Openings::Random {
                plies: plies.unwrap_or(8),
                seed,
                balance: balance.unwrap_or(100),
                first,
            },
            None => return Err(Failure::Usage("neither random nor file=".into())),
            Some(_) if is_random => return Err(Failure::Usage("both random and file=".into())),
            Some(_) if balance.is_some() => {
                return Err(Failure::Usage("balance= is for random".into()));
            }
            Some(path) => {
                let is_pgn = is_pgn.unwrap_or(path.ends_with(".pgn"));
                let plies = plies.unwrap_or(usize::MAX);
                let mut openings = Openings::read(self.options.variant, path, is_pgn, plies)?;
                if shuffled {
                    Random::new(seed, 0).shuffle(&mut openings);
                }
                let length = openings.len();
                openings.rotate_left(first as usize % length);
                Openings::List { path: path.into(), openings }
            }
        };
        Ok(())
    }

    /// Reads `FILE min fi` of cutechess-cli, or `file=FILE append=true min=true …` of fastchess.
    fn output(&mut self, option: &str, words: &[&str]) -> Result<OutputSpec, Failure> {
        let mut spec = OutputSpec {
            path: String::new(),
            append: true,
            minimal: false,
            notation: Some(SAN),
            fields: Vec::new(),
        };
        let is_pgn = option == "-pgnout";
        for (index, &word) in words.iter().enumerate() {
            let (key, value) = key_value(word);
            if let Some((field, _)) = FIELDS.iter().find(|(name, _)| is_pgn && *name == key) {
                spec.fields.retain(|known| known != field);
                spec.fields.extend(truth(key, value)?.then_some(*field));
                continue;
            }
            match word.split_once('=') {
                Some(("file", path)) => spec.path = path.into(),
                Some((key @ "append", value)) => spec.append = truth(key, value)?,
                Some((key @ "min", value)) if is_pgn => spec.minimal = truth(key, value)?,
                Some((key @ "notation", value)) if is_pgn => {
                    let lan: Notation = |session, mv| session.lan(mv);
                    let notations = [("san", Some(SAN)), ("lan", Some(lan)), ("uci", None)];
                    spec.notation = choice(key, value, &notations)?;
                }
                Some((key, _)) if IGNORED_OF_FILES.contains(&key) => {
                    let name = format!("{option} {key}");
                    self.options.warnings.push(ignored(&name, key, &IGNORED_OF_FILES)?);
                }
                _ if index == 0 => spec.path = word.into(),
                None if is_pgn && word == "min" => spec.minimal = true,
                // Only finished games are ever written.
                None if is_pgn && word == "fi" => {}
                _ => return Err(not_understood(word)),
            }
        }
        if spec.path.is_empty() { Err(Failure::Usage("which file?".into())) } else { Ok(spec) }
    }

    /// Completes the options.
    fn finish(self) -> Result<MatchOptions, Failure> {
        let mut options = self.options;
        for engine in &mut options.engines {
            engine.debug |= self.debugs_engines;
        }
        let is_random = matches!(options.openings, Openings::Random { .. });
        options.repeat = match self.repeat {
            _ if self.repeats_round => options.games,
            Some(repeat) => repeat,
            None => 1 + u64::from(is_random || options.style == Style::Fastchess),
        };
        if self.has_own_openings && options.engines.len() > 2 {
            let warning = "-openings policy=: all pairings play the same openings";
            options.warnings.push(warning.into());
        }
        if options.seeds > 1 && options.format == Format::RoundRobin {
            let warning = "-seeds is ignored: in a round robin all engines meet";
            options.warnings.push(warning.into());
        }
        options.check()?;
        Ok(options)
    }
}

/// Returns the name of an option, with one dash where there are two; `None` for other words.
pub(super) fn option_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix('-').filter(|name| name.starts_with('-')).unwrap_or(word);
    let is_option =
        name.starts_with('-') && name[1..].starts_with(|c: char| c.is_ascii_alphabetic());
    is_option.then_some(name)
}

/// Returns each number that `match` takes: its option, its key there if it has one, and its range.
pub fn numbers() -> impl Iterator<Item = (&'static str, &'static str, Range)> {
    let plain = OPTIONS.iter().filter_map(|option| match option.read {
        Number(least, most, _) => Some((option.name(), "", Range::Whole(least, most))),
        _ => None,
    });
    NUMBERS.into_iter().chain(plain)
}

/// Finds a key that an option has twice, unless each of its values counts.
fn repeated_key<'w>(option: &str, words: &[&'w str]) -> Option<&'w str> {
    let mut known = Vec::new();
    let is_text = ["-event", "-site"].contains(&option);
    words.iter().filter(|_| !is_text).find_map(|word| {
        let (key, _) = word.split_once('=')?;
        let name = match key.to_ascii_lowercase() {
            // An engine's depth has two names.
            name if name == "plies" && option != "-openings" => "depth".into(),
            name => name,
        };
        let is_repeated = known.contains(&name) && !REPEATABLE.contains(&key);
        known.push(name);
        is_repeated.then_some(key)
    })
}

/// Splits a command line into options, each followed by its words.
fn groups<'w>(words: &[&'w str]) -> Result<Vec<Vec<&'w str>>, Failure> {
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for &word in words {
        match (option_name(word), groups.last_mut()) {
            (Some(name), _) if is_help(name) => return Err(Failure::Help),
            (Some(name), _) => groups.push(vec![name]),
            (None, Some(group)) => group.push(word),
            (None, None) => return Err(not_understood(word)),
        }
    }
    Ok(groups)
}

/// Reads the options of `--merge`: a test, and the files for JSON and for a page.
pub(super) fn read_merge(words: &[&str]) -> Result<(Option<Sprt>, [Option<String>; 2]), Failure> {
    let (mut sprt, mut files) = (None, [None, None]);
    for group in groups(words)? {
        let mut args = Args::new(&group);
        match args.next() {
            Some("-sprt") => {
                let read = read_sprt(&group[1..], Style::Cutechess);
                sprt = Some(read.map_err(|fault| args.refuse(fault))?);
            }
            Some("-json") => files[0] = Some(args.value()?.to_string()),
            Some("-html") => files[1] = Some(args.value()?.to_string()),
            _ => {
                let name = group[0];
                let fault = format!("--merge: `{name}` is not one of -sprt, -json, -html");
                return Err(Failure::Usage(fault));
            }
        }
    }
    Ok((sprt, files))
}

/// Takes a number of games at once: `-2` leaves two processors free, `0` none.
fn read_concurrency(args: &mut Args<'_>) -> Result<usize, Failure> {
    let value = args.value()?;
    Ok(match value.strip_prefix('-') {
        None => match whole("-concurrency", "", value)? {
            0 => cores(),
            games => games,
        },
        Some(free) => {
            let free = whole("-concurrency", "free", free)?;
            cores().saturating_sub(free).max(1)
        }
    })
}

/// Takes a value that is one of several names.
fn choose<T: Copy>(args: &mut Args<'_>, choices: &[(&str, T)]) -> Result<T, Failure> {
    let option = args.current();
    choice(option, args.value()?, choices)
}

/// Standard algebraic notation: `Nc3`.
const SAN: Notation = |session, mv| session.san(mv);

fn read_sprt(words: &[&str], style: Style) -> Result<Sprt, Failure> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    let mut model = match style {
        Style::Cutechess => Model::Logistic,
        Style::Fastchess => Model::Normalised,
    };
    for word in words {
        let (key, value) = key_value(word);
        match key {
            "elo0" => elo0 = Some(fraction("-sprt", key, value)?),
            "elo1" => elo1 = Some(fraction("-sprt", key, value)?),
            "alpha" => alpha = fraction("-sprt", key, value)?,
            "beta" => beta = fraction("-sprt", key, value)?,
            "model" => {
                model = choice(key, value, &Model::ALL)?;
            }
            _ => return Err(not_understood(word)),
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        return Err(Failure::Usage("elo0 and elo1 are needed".into()));
    };
    if elo0 >= elo1 {
        return Err(Failure::Usage("elo0 must be below elo1".into()));
    }
    Ok(Sprt { elo0, elo1, alpha, beta, model })
}

fn read_draw(words: &[&str]) -> Result<DrawRule, Failure> {
    let mut rule = DrawRule { move_number: 0, moves: 1, score: 0 };
    for word in words {
        let (key, value) = key_value(word);
        match key {
            "movenumber" => rule.move_number = whole("-draw", key, value)?,
            "movecount" => rule.moves = whole("-draw", key, value)?,
            "score" => rule.score = whole("-draw", key, value)?,
            _ => return Err(not_understood(word)),
        }
    }
    Ok(rule)
}

fn read_resign(words: &[&str]) -> Result<ResignRule, Failure> {
    let (mut moves, mut score, mut two_sided) = (1, None, false);
    for word in words {
        let (key, value) = key_value(word);
        match key {
            "movecount" => moves = whole("-resign", key, value)?,
            "score" => score = Some(whole("-resign", key, value)?),
            "twosided" => two_sided = truth(key, value)?,
            _ => return Err(not_understood(word)),
        }
    }
    Ok(ResignRule {
        moves,
        score: score.ok_or_else(|| Failure::Usage("score is needed".into()))?,
        two_sided,
    })
}
