//! The command line of `match`: the options of cutechess-cli and fastchess.

use super::comment::FIELDS;
use super::engine_args::{choice, ignored, key_value, missing_value, not_understood, read_engine};
use super::numbers::{fraction, whole};
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
use crate::system::text::truth;
use std::time::Duration;

/// The answer to `--help`.
pub(super) const HELP: &str = include_str!("help.txt");

/// Options that are read first: others depend on them.
const FIRST: [&str; 4] = ["-variant", "-output", "-srand", "-each"];

/// Options that do not change the games, and so may change when a match is resumed.
const FREE: [&str; 15] = [
    "-resume",
    "-pgnout",
    "-epdout",
    "-concurrency",
    "-force-concurrency",
    "-wait",
    "-recover",
    "-strict",
    "-debug",
    "-log",
    "-json",
    "-html",
    "-ratinginterval",
    "-scoreinterval",
    "-outcomeinterval",
];

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

/// Options that are refused, with what to write instead.
const REFUSED: [(&str, &str); 3] = [
    ("-compliance", "let the engine play some games here; the report counts its faults"),
    ("-engines", "no list of engines is kept; describe each with -engine cmd=PROGRAM"),
    (
        "-quick",
        "write it out: -engine cmd=A -engine cmd=B -each tc=10+0.1 -openings file=BOOK \
         order=random -games 2 -rounds 25000 -repeat -recover -concurrency -2 \
         -draw movenumber=30 movecount=8 score=8",
    ),
];

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
    let fixed = groups.iter().filter(|group| !is_free(group[0])).flatten();
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
    /// True if more games at once than processors are intended.
    forces_concurrency: bool,
}

impl MatchArgs {
    /// Reads an option with the words that follow it.
    fn read(&mut self, group: &[&str]) -> Result<(), Failure> {
        let mut args = Args::new(group);
        let name = args.next().unwrap_or_default();
        let option = args.clone();
        let is_known = self.read_words(name, &group[1..]).map_err(|fault| option.refuse(fault))?;
        if is_known {
            let repeated = repeated_key(name, &group[1..]);
            return repeated
                .map_or(Ok(()), |key| Err(option.refuse(format!("`{key}` is given twice"))));
        }
        if !self.read_value(name, &mut args)? {
            let warning = ignored(name, name, &IGNORED, &REFUSED)?;
            self.options.warnings.push(warning);
            return Ok(());
        }
        let rest = args.next();
        rest.map_or(Ok(()), |word| Err(option.refuse(not_understood(word))))
    }

    /// Reads an option with any number of words; returns false if it is none.
    fn read_words(&mut self, name: &str, words: &[&str]) -> Result<bool, Failure> {
        let options = &mut self.options;
        match name {
            "-draw" | "-each" | "-event" | "-report" | "-site" if words.is_empty() => {
                return Err(Failure::Usage("its value is missing".into()));
            }
            "-each" => read_engine(&mut self.each, name, words, &mut options.warnings)?,
            "-engine" => {
                let mut engine = self.each.clone();
                read_engine(&mut engine, name, words, &mut options.warnings)?;
                options.engines.push(engine);
            }
            "-repeat" if words.is_empty() => self.repeat = Some(2),
            "-openings" => self.read_openings(words)?,
            "-sprt" => options.sprt = Some(read_sprt(words, options.style)?),
            "-draw" => options.draw = Some(read_draw(words)?),
            "-resign" => options.resign = Some(read_resign(words)?),
            "-pgnout" => options.pgn = Some(read_output(name, words, &mut options.warnings)?),
            "-epdout" => options.epd = Some(read_output(name, words, &mut options.warnings)?),
            "-log" => options.log = Some(read_output(name, words, &mut options.warnings)?),
            "-debug" => {
                options.debug = true;
                self.debugs_engines |= match words {
                    [] => false,
                    ["all"] => true,
                    [word, ..] => return Err(not_understood(word)),
                };
            }
            "-config"
                if words.iter().any(|word| word.starts_with("file="))
                    && !words.contains(&"discard=true") =>
            {
                let fault = "a match is not read from JSON; write its options here, and resume it \
                             with -resume";
                return Err(Failure::Usage(fault.into()));
            }
            "-event" => options.event = words.join(" "),
            "-site" => options.site = words.join(" "),
            "-report" => {
                for word in words {
                    match key_value(word) {
                        (key @ "penta", value) => options.counts_pairs = truth(key, value)?,
                        _ => return Err(not_understood(word)),
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads an option with one value or none; returns false if it is neither.
    fn read_value(&mut self, name: &str, args: &mut Args<'_>) -> Result<bool, Failure> {
        let options = &mut self.options;
        match name {
            "-variant" => options.variant = args.variant(options.variants)?,
            "-srand" => self.seed = Some(whole(name, "", args.value()?)?),
            "-output" => {
                options.style = choose(
                    args,
                    &[
                        ("format=cutechess", Style::Cutechess),
                        ("format=fastchess", Style::Fastchess),
                    ],
                )?;
                options.games = 1 + u64::from(options.style == Style::Fastchess);
            }
            "-tournament" => {
                if ["knockout", "pyramid"].contains(&args.clone().next().unwrap_or_default()) {
                    return Err(args.refuse(
                        "there are round-robin (all meet) and gauntlet (the first meets all); play \
                         other pairings as matches of two, and --merge their games",
                    ));
                }
                options.format = choose(
                    args,
                    &[
                        ("round-robin", Format::RoundRobin),
                        ("roundrobin", Format::RoundRobin),
                        ("gauntlet", Format::Gauntlet),
                    ],
                )?;
            }
            "-games" => options.games = whole(name, "", args.value()?)?,
            "-rounds" => options.rounds = whole(name, "", args.value()?)?,
            "-repeat" => self.repeat = Some(whole(name, "", args.value()?)?),
            "-seeds" => options.seeds = whole(name, "", args.value()?)?,
            "-noswap" => options.swaps = false,
            "-reverse" => options.reversed = true,
            "-recover" => options.recover = true,
            "-strict" => options.strict = true,
            "-resume" => options.resume = true,
            "-json" => options.json = Some(args.value()?.to_string()),
            "-html" => options.html = Some(args.value()?.to_string()),
            "-concurrency" => options.concurrency = read_concurrency(args)?,
            "-force-concurrency" => self.forces_concurrency = true,
            "-wait" => options.wait = Duration::from_millis(whole(name, "", args.value()?)?),
            "-maxmoves" => {
                let moves = whole(name, "", args.value()?)?;
                options.max_moves = (moves > 0).then_some(moves);
            }
            "-ratinginterval" => options.rating_interval = whole(name, "", args.value()?)?,
            "-scoreinterval" => options.score_interval = whole(name, "", args.value()?)?,
            "-outcomeinterval" => options.outcome_interval = whole(name, "", args.value()?)?,
            _ => return Ok(false),
        }
        Ok(true)
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
        options.warn(self.forces_concurrency);
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

/// Returns true for an option that may change when a match is resumed.
fn is_free(name: &str) -> bool {
    FREE.contains(&name) || IGNORED.contains(&name)
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

/// Reads `FILE min fi` of cutechess-cli, or `file=FILE append=true min=true …` of fastchess.
fn read_output(
    option: &str,
    words: &[&str],
    warnings: &mut Vec<String>,
) -> Result<OutputSpec, Failure> {
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
            // These are always so, or do not apply.
            Some(("engine", "true")) => {}
            Some((key @ "notation", value)) if is_pgn => {
                let lan: Notation = |session, mv| session.lan(mv);
                let notations = [("san", Some(SAN)), ("lan", Some(lan)), ("uci", None)];
                spec.notation = choice(key, value, &notations)?;
            }
            Some(("match_line", _)) if is_pgn => {
                warnings.push(format!("-pgnout {word} is ignored: it is not written"));
            }
            Some(("level" | "compress" | "realtime" | "engine", _)) if option == "-log" => {
                warnings.push(format!(
                    "-log {word} is ignored: the log is plain text, with all lines at once"
                ));
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
