//! `learn`: generations of networks, unattended.
//!
//! A round is games with the best network so far, a new network from the newest games, and a match
//! of the two. All files are in one folder. Every finished stage is a line of its log, and the log
//! alone decides how an interrupted run resumes: the output of a stage is whole, absent, or
//! resumable.

use super::data::{data_files, newest, score_model};
use super::datagen::DatagenOptions;
use super::file::GameReader;
use super::gate::{Gate, GateResult};
use super::selfplay::SelfplayOptions;
use super::test_set::TestSet;
use super::train::{self, Trained};
use super::trainee::{Trainee, TraineeTool};
use super::trainer::Config;
use crate::cli::interrupt::Interrupt;
use crate::cli::tool;
use crate::cli::{Args, Command, Console, Failure, missing, sources};
use crate::endings::Endings;
use crate::eval::Network;
use crate::search::ScoreModel;
use crate::statistics::elo::Elo;
use crate::system::files;
use crate::system::random::Random;
use crate::system::text::counted;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "learn",
    operands: "VARIANT --dir DIR",
    summary: "play and train, round after round; see learn --help",
    help: "\
quadrille learn VARIANT --dir DIR [--hours H] [--rounds N] [--positions N] [--nodes N]
                [--growth] [--hidden N] [--epochs N] [--rate R] [--pairs N] [--gate-nodes N]
                [--from NETWORK] [--test FILE] [--balance N] [--seed N] [--threads N]
  --dir DIR       the folder for all files; an interrupted run resumes
  --hours H       stop after this time (never)
  --rounds N      number of rounds at the end (no limit)
  --positions N   number of positions in the games of a round (12000000)
  --nodes N       soft limit of the search for each move of these games (150)
  --growth        this limit and that of the matches grow as pieces are captured
  --hidden N      size of the hidden layer for each perspective, a multiple of 64 (the size of the
                  best network, or 256); with another size than that a new network begins with
                  random weights
  --epochs N      number of passes over the data of a round (8, from random weights 20)
  --rate R        peak learning rate (0.0005, from random weights 0.001)
  --pairs N       greatest number of pairs of games in the match of a round (600)
  --gate-nodes N  soft limit of the faster network in these matches (400 times --nodes)
  --from NETWORK  the file to begin with, or <material>; the game's own without it
  --test FILE     log the error of each network on a test set of datagen --label-nodes; may be
                  repeated
  --balance N     greatest imbalance of an opening (from the newest score model)
  --seed N        seed of all that is random (1)
  --threads N     number of games played at once (the number of cores)
In DIR: best.net, the best network so far; log, a line for each finished stage; NNNN.dat, NNNN.net
and NNNN.pairs, the games, the new network and the match of each round. A round learns from the
newest files DIR/*.dat with games of the variant, in the order of their names, that have 8 times
--positions together.
Example: quadrille learn gothic --dir lab --hours 8",
    run: |words, console| tool::run::<Learn>(words, &Interrupt::by_signals(), console),
};

/// A round learns from the newest positions, this many times the positions of a round.
const WINDOW: u64 = 8;
/// By default the nodes of a match are this many times the nodes of the games.
const GATE_NODES: u64 = 400;
/// Time between two checks of the clock and for an interrupt.
const PAUSE: Duration = Duration::from_millis(50);
/// Round of the network that the run begins with.
const FIRST: u64 = 0;

struct LearnOptions {
    folder: PathBuf,
    hours: Option<f64>,
    rounds: u64,
    positions: u64,
    hidden: Option<usize>,
    epochs: Option<f64>,
    rate: Option<f32>,
    pairs: u64,
    gate_nodes: Option<u64>,
    from: Option<String>,
    test: Vec<PathBuf>,
    play: SelfplayOptions,
}

impl LearnOptions {
    fn read(words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self {
            folder: PathBuf::new(),
            hours: None,
            rounds: u64::MAX,
            positions: 12_000_000,
            hidden: None,
            epochs: None,
            rate: None,
            pairs: 600,
            gate_nodes: None,
            from: None,
            test: Vec::new(),
            play: SelfplayOptions::new(150),
        };
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            match word {
                "--dir" => options.folder = args.value()?.into(),
                "--hours" => options.hours = Some(args.decimal(0.0, 100_000.0)?),
                "--rounds" => options.rounds = args.number(1, u64::MAX)?,
                "--positions" => options.positions = args.number(1, u64::MAX)?,
                "--hidden" => options.hidden = Some(train::read_hidden(&mut args)?),
                "--epochs" => options.epochs = Some(train::read_epochs(&mut args)?),
                "--rate" => options.rate = Some(train::read_rate(&mut args)?),
                "--pairs" => options.pairs = args.number(1, u64::MAX)?,
                "--gate-nodes" => options.gate_nodes = Some(args.number(1, u64::MAX)?),
                "--from" => options.from = Some(args.value()?.into()),
                "--test" => options.test.push(args.value()?.into()),
                _ if options.play.read_option(word, &mut args)? => {}
                _ => return Err(args.unknown()),
            }
        }
        if options.folder.as_os_str().is_empty() { Err(missing("--dir DIR")) } else { Ok(options) }
    }

    /// Returns the path of a file of the folder.
    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn of_round(&self, round: u64, extension: &str) -> PathBuf {
        self.file(&format!("{round:04}.{extension}"))
    }
}

/// Plays, trains and compares, round after round.
pub struct Learn;

impl TraineeTool for Learn {
    fn work(
        trainee: &Trainee,
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure> {
        let options = LearnOptions::read(words)?;
        let time = options.hours.map(|hours| Duration::from_secs_f64(3600.0 * hours));
        let begin = Instant::now();
        // Set by an interrupt, or when the time is up.
        let end = Interrupt::default();
        let is_done = Interrupt::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.is_set() {
                    if interrupt.is_set() || time.is_some_and(|time| begin.elapsed() >= time) {
                        end.set();
                    }
                    std::thread::sleep(PAUSE);
                }
            });
            let result = resume(trainee, &options, &end, console);
            is_done.set();
            result
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Resumes from the folder's log, until the rounds are done or `end` is set.
fn resume(
    trainee: &Trainee,
    options: &LearnOptions,
    end: &Interrupt,
    console: &mut dyn Console,
) -> Result<(), Failure> {
    fs::create_dir_all(&options.folder).map_err(Failure::file(&options.folder))?;
    check_game(trainee.name(), &options.folder)?;
    let path = options.file("log");
    let mut log = sources::lines(&path, console)?;
    let before = std::mem::take(&mut log.before);
    let mut state = LearnState::new(trainee.sheet.score_model);
    for (number, line) in (1..).zip(&before) {
        let line = log.unsealed(line);
        if line.and_then(|line| state.advance(line)).is_none() {
            return Err(Failure::file(&path)(format!("line {number} does not continue the log")));
        }
    }
    begin_with(trainee, options, before.is_empty())?;
    if !options.test.is_empty() {
        TestSet::read(trainee, &options.test, None, console)?;
    }
    let endings = (trainee.endings)(options.play.threads, end);
    let stages = Stages { trainee, options, endings, end };
    state.publish(options)?;
    while state.round <= options.rounds && !end.is_set() {
        let LearnState { round, stage, .. } = state;
        console.say(&format!("round {round}: {}", stage.name()));
        let begin = Instant::now();
        let done = match stage {
            RoundStage::Games => stages.games(&state, console),
            RoundStage::Train => stages.train(&state, console),
            RoundStage::Gate => stages.gate(&state, console),
        };
        let Some(fields) = done? else {
            break;
        };
        let (stage, seconds) = (stage.name(), begin.elapsed().as_secs_f64());
        let line = format!("round={round}\tstage={stage}\t{fields}\tseconds={seconds:.1}");
        log.append_sealed(&line).map_err(Failure::file(&path))?;
        console.say(&line.replace('\t', " "));
        if state.advance(&line).is_none() {
            return Err(Failure::file(&path)("the last line does not continue the log"));
        }
        state.publish(options)?;
    }
    console.say(&match (state.best, state.gain) {
        (FIRST, _) => "no network is better than the first".into(),
        (best, gain) => format!("best.net: round {best}, Elo {gain} over the first network"),
    });
    console.say(&match state.round {
        round if round > options.rounds => {
            format!("done after {}", counted(options.rounds, "round"))
        }
        round => format!("stopped in round {round}; repeat the command to resume"),
    });
    Ok(())
}

/// Refuses the folder of another game, which the games of a round tell.
fn check_game(game: &str, folder: &Path) -> Result<(), Failure> {
    let is_of_round = |path: &&PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str());
        name.is_some_and(|name| name.parse::<u64>().is_ok())
    };
    for path in data_files(folder)?.iter().filter(is_of_round) {
        // An interrupt may have left no whole header.
        let Ok(GameReader { header, .. }) = GameReader::open(path) else {
            continue;
        };
        if header.variant != game {
            let fault = format!("it has a run of {}", header.variant);
            return Err(Failure::file(folder)(fault));
        }
    }
    Ok(())
}

/// Copies the network that a new run begins with, if any; checks it in a resumed run.
fn begin_with(trainee: &Trainee, options: &LearnOptions, is_new: bool) -> Result<(), Failure> {
    let path = options.of_round(FIRST, "net");
    let first = (trainee.network)(options.from.as_deref())?;
    let bytes = first.map(|network| network.to_bytes(trainee.name()));
    if is_new {
        if options.of_round(FIRST + 1, "net").exists() {
            return Err(Failure::file(options.file("log"))(
                "it is empty, but the folder has a network of round 1; restore it, or begin in another folder",
            ));
        }
        return match bytes {
            Some(bytes) => files::write(&path, &bytes).map_err(Failure::file(&path)),
            None => remove(&path),
        };
    }
    let there = files::read(&path, u64::MAX).ok();
    if options.from.is_some() && bytes != there {
        return Err(Failure::file(&options.folder)("it began with another network"));
    }
    Ok(())
}

/// Removes a file that may be absent.
fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::file(path)(error))
        }
        _ => Ok(()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RoundStage {
    /// Games of the best network with itself.
    Games,
    /// A new network.
    Train,
    /// The match of the two.
    Gate,
}

impl RoundStage {
    fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Train => "train",
            Self::Gate => "gate",
        }
    }
}

/// State of a run, read from the lines of its log.
#[derive(Clone, Copy, PartialEq, Debug)]
struct LearnState {
    round: u64,
    /// Its next stage.
    stage: RoundStage,
    /// Round of the best network.
    best: u64,
    /// Score model of the newest games.
    model: ScoreModel,
    /// Elo that the best network gained over the first, by the matches of the networks between.
    gain: Elo,
}

impl LearnState {
    fn new(model: ScoreModel) -> Self {
        Self {
            round: FIRST + 1,
            stage: RoundStage::Games,
            best: FIRST,
            model,
            gain: Elo::default(),
        }
    }

    /// Advances by the line of a finished stage; `None` if it was not the next one.
    fn advance(&mut self, line: &str) -> Option<()> {
        let fields: HashMap<_, _> =
            line.split('\t').filter_map(|field| field.split_once('=')).collect();
        if *fields.get("stage")? != self.stage.name()
            || fields.get("round")?.parse() != Ok(self.round)
        {
            return None;
        }
        self.stage = match self.stage {
            RoundStage::Games => {
                let number = |name: &str| fields.get(name)?.parse().ok();
                self.model = ScoreModel { lead: number("lead")?, spread: number("spread")? };
                RoundStage::Train
            }
            RoundStage::Train => RoundStage::Gate,
            RoundStage::Gate => {
                if *fields.get("promoted")? == "yes" {
                    let number = |name: &str| fields.get(name)?.parse::<f64>().ok();
                    self.best = self.round;
                    self.gain.difference += number("elo")?;
                    self.gain.error = self.gain.error.hypot(number("error")?);
                }
                self.round += 1;
                RoundStage::Games
            }
        };
        Some(())
    }

    /// Writes the best network to its file, if it has changed.
    fn publish(&self, options: &LearnOptions) -> Result<(), Failure> {
        let path = options.file("best.net");
        let read = |path: &Path| files::read(path, u64::MAX).ok();
        match read(&options.of_round(self.best, "net")) {
            Some(best) if read(&path).as_ref() != Some(&best) => {
                files::write(&path, &best).map_err(Failure::file(&path))
            }
            _ => Ok(()),
        }
    }
}

/// Runs the stages.
struct Stages<'r> {
    trainee: &'r Trainee,
    options: &'r LearnOptions,
    endings: Arc<Endings>,
    end: &'r Interrupt,
}

/// Fields of a finished stage for the log; `None` if it was interrupted.
type StageFields = Result<Option<String>, Failure>;

impl Stages<'_> {
    fn games(&self, state: &LearnState, console: &mut dyn Console) -> StageFields {
        let LearnOptions { positions, play, .. } = self.options;
        let path = self.options.of_round(state.round, "dat");
        let datagen = DatagenOptions {
            path: path.clone(),
            positions: *positions,
            label_nodes: None,
            salvage: None,
            network: self.network_of(state.best)?,
            play: SelfplayOptions {
                balance: Some(self.options.play.balance(state.model)),
                seed: self.seed(state),
                ..play.clone()
            },
        };
        let mut file = datagen.open(self.trainee.name(), console)?;
        (self.trainee.generate)(&datagen, &mut file, &self.endings, self.end, console)?;
        let (games, written) = (file.games, file.positions);
        // Unlocks the file.
        drop(file);
        if written < *positions {
            return Ok(None);
        }
        let ScoreModel { lead, spread } = score_model(self.trainee.name(), &path, console)?;
        Ok(Some(format!(
            "network={}\tgames={games}\tpositions={written}\tlead={lead}\tspread={spread}",
            state.best
        )))
    }

    fn train(&self, state: &LearnState, console: &mut dyn Console) -> StageFields {
        let checkpoint = self.options.of_round(state.round, "checkpoint");
        let most = self.options.positions.saturating_mul(WINDOW);
        let data = newest(self.trainee.name(), &self.options.folder, most, console)?;
        let files = data.len();
        let best = self.network_of(state.best)?;
        let as_large = |best: &Network| {
            (self.options.hidden).is_none_or(|hidden| hidden == best.shape().hidden)
        };
        let continues = best.as_deref().is_some_and(as_large);
        let from = continues.then(|| self.options.of_round(state.best, "net"));
        let options = train::TrainOptions {
            data,
            out: self.options.of_round(state.round, "net"),
            checkpoint: Some(checkpoint.clone()),
            anew: true,
            from: from.map(|path| path.to_string_lossy().into_owned()),
            test: self.options.test.clone(),
            hidden: self.options.hidden.unwrap_or(train::HIDDEN),
            epochs: self.options.epochs,
            rate: self.options.rate,
            lambda: None,
            config: Config {
                threads: self.options.play.threads,
                seed: self.seed(state),
                ..Config::default()
            },
        };
        let from = match options.from {
            Some(_) => state.best.to_string(),
            None => "nothing".into(),
        };
        let Some(trained) = train::train(self.trainee, &options, self.end, console)? else {
            return Ok(None);
        };
        remove(&checkpoint)?;
        let Trained { positions, loss, newest_loss, test_error } = trained;
        let test = test_error.map_or(String::new(), |error| format!("\ttest={error:.6}"));
        Ok(Some(format!(
            "from={from}\tfiles={files}\tquiet={positions}\tloss={loss:.6}\tnewest_loss={newest_loss:.6}{test}"
        )))
    }

    fn gate(&self, state: &LearnState, console: &mut dyn Console) -> StageFields {
        let by_games = self.options.play.nodes.saturating_mul(GATE_NODES);
        let gate = Gate {
            path: &self.options.of_round(state.round, "pairs"),
            networks: [self.network_of(state.round)?, self.network_of(state.best)?],
            nodes: self.options.gate_nodes.unwrap_or(by_games),
            growth: self.options.play.growth,
            pairs: self.options.pairs,
            seed: self.seed(state),
            balance: self.options.play.balance(state.model),
            threads: self.options.play.threads,
            endings: Arc::clone(&self.endings),
        };
        let Some(result) = (self.trainee.gate)(&gate, self.end, console)? else {
            return Ok(None);
        };
        let GateResult { counts, nodes, llr } = result;
        let promoted = if llr > 0.0 { "yes" } else { "no" };
        let ([new, best], elo) = (nodes, counts.elo());
        Ok(Some(format!(
            "against={}\tnodes={new}\tbest_nodes={best}\twins={}\tlosses={}\tdraws={}\telo={:.1}\terror={:.1}\tllr={llr:.2}\tpromoted={promoted}",
            state.best, counts.wins, counts.losses, counts.draws, elo.difference, elo.error
        )))
    }

    /// Returns the seed of a stage.
    fn seed(&self, state: &LearnState) -> u64 {
        let stream = 4 * state.round + state.stage as u64;
        Random::new(self.options.play.seed, stream).next()
    }

    /// Reads the network of a round; the first may have none.
    fn network_of(&self, round: u64) -> Result<Option<Arc<Network>>, Failure> {
        let path = self.options.of_round(round, "net");
        if round == FIRST && !path.exists() {
            return Ok(None);
        }
        (self.trainee.network)(Some(&path.to_string_lossy()))
    }
}
