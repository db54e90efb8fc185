//! `train`: a network from training data.

use super::data::{Data, Origins};
use super::features::FeatureMap;
use super::model::{Model, Positions, sigmoid};
use super::record::{Codec, Record};
use super::score_model::Results;
use super::selfplay::read_network;
use super::trainer::{Config, Trainer, WAVE};
use crate::cli::interrupt::Interrupt;
use crate::cli::tool::{self, Tool};
use crate::cli::{Args, Command, Console};
use crate::engine::{Entry, MAX_THREADS};
use crate::eval::{Evaluator, LANES, MAX_HIDDEN, Network, Shape};
use crate::games::Placement;
use crate::search::ScoreModel;
use crate::system::checksum::checksum;
use crate::system::files;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "train",
    operands: "VARIANT DATA ... --out NETWORK",
    summary: "make a network of them; see train --help",
    help: HELP,
    is_long: true,
    run: tool::run::<Train>,
};

pub const HELP: &str = "\
quadrille train VARIANT DATA... --out FILE [--hidden N] [--epochs N] [--batch N] [--rate R]
                [--lambda L[:M]] [--from NETWORK] [--seed N] [--threads N] [--checkpoint FILE]
  --out FILE         the network that is written
  --hidden N         neurons for each side, a multiple of 64 (256)
  --epochs N         how often the data are gone through (20, with --from 8)
  --batch N          positions of a step (16384)
  --rate R           the learning rate at the beginning, from where it falls (0.001, with
                     --from 0.0005)
  --lambda L[:M]     the weight of the game's result against that of the score; with :M it
                     goes from L to M over the run (0.2:0.4)
  --from NETWORK     the file of the network to learn on from; --hidden is then its own
  --seed N           what decides first weights and order (1)
  --threads N        on how many cores (all)
  --checkpoint FILE  saved now and then; a run that was ended goes on from it
Example: quadrille train gothic first.dat --out first.net --epochs 12 --checkpoint first.state";

/// Neurons for each side.
pub const HIDDEN: usize = 256;
/// How often the data are gone through, and the learning rate at the beginning, ...
const FROM_NOTHING: (f64, f32) = (20.0, 1e-3);
/// ... and those of a network that learns on: with more it forgets what it knew, and learns a few
/// million positions by heart.
const LEARNING_ON: (f64, f32) = (8.0, 5e-4);
/// How often progress is said and a checkpoint is saved.
const PROGRESS: Duration = Duration::from_secs(10);
/// An epoch has so many steps, if there are data enough.
const STEPS_IN_EPOCH: usize = 64;
/// The most positions of a step.
const MAX_BATCH: usize = 1 << 24;
/// How often an interrupt is looked for.
const PAUSE: Duration = Duration::from_millis(500);
/// By how much the network in integers may differ from the real one on average, in
/// centipawns.
const TOLERANCE: f64 = 8.0;

/// What is to be learned, and from what.
pub struct TrainOptions {
    /// Files of training data, the oldest first.
    pub data: Vec<PathBuf>,
    /// The network that is written.
    pub out: PathBuf,
    /// What a run that was ended goes on from.
    pub checkpoint: Option<PathBuf>,
    /// Whether a checkpoint of another run is begun anew; it is refused otherwise.
    pub anew: bool,
    /// The file of the network to begin with; random weights without it.
    pub from: Option<String>,
    /// Neurons for each side, where there is no such network.
    pub hidden: usize,
    /// How often the data are gone through, if not as often as a network from nothing, or one that
    /// learns on, needs it.
    pub epochs: Option<f64>,
    /// The learning rate at the beginning, likewise.
    pub rate: Option<f32>,
    /// The rest.
    pub config: Config,
}

impl TrainOptions {
    fn read(words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            data: Vec::new(),
            out: PathBuf::new(),
            checkpoint: None,
            anew: false,
            from: None,
            hidden: HIDDEN,
            epochs: None,
            rate: None,
            config: Config::default(),
        };
        let mut args = Args::new(Train::NAME, words);
        while let Some(word) = args.next() {
            let config = &mut options.config;
            match word {
                "--out" => options.out = args.value()?.into(),
                "--checkpoint" => options.checkpoint = Some(args.value()?.into()),
                "--from" => options.from = Some(args.value()?.into()),
                "--hidden" => options.hidden = read_hidden(&mut args)?,
                "--epochs" => options.epochs = Some(read_epochs(&mut args)?),
                "--batch" => config.batch = args.number(1, MAX_BATCH)?,
                "--rate" => options.rate = Some(read_rate(&mut args)?),
                "--lambda" => config.lambda = read_lambda(&mut args)?,
                "--seed" => config.seed = args.number(0, u64::MAX)?,
                "--threads" => config.threads = args.number(1, MAX_THREADS)?,
                _ => options.data.push(args.operand()?.into()),
            }
        }
        if options.data.is_empty() {
            return Err(args.missing("DATA"));
        } else if options.out.as_os_str().is_empty() {
            return Err(args.missing("--out FILE"));
        }
        options.check().map_err(|error| format!("train: {error}"))?;
        Ok(options)
    }

    /// Checks that the network replaces nothing that is needed.
    fn check(&self) -> Result<(), String> {
        let is_out = |path: &PathBuf| files::is_same(path, &self.out);
        if self.data.iter().any(is_out) {
            return Err("--out would take the place of DATA; see train --help".into());
        } else if self.checkpoint.as_ref().is_some_and(is_out) {
            return Err("--out would take the place of the checkpoint; see train --help".into());
        }
        files::check(&self.out).map_err(|error| format!("{}: {error}", self.out.display()))
    }
}

/// Reads the size of the hidden layer.
///
/// # Errors
///
/// No network has it.
pub fn read_hidden(args: &mut Args<'_>) -> Result<usize, String> {
    let hidden: usize = args.number(LANES, MAX_HIDDEN)?;
    match hidden.is_multiple_of(LANES) {
        true => Ok(hidden),
        false => Err(args.fault(format!("`{hidden}` is not a multiple of {LANES}"))),
    }
}

/// Reads a number of epochs.
///
/// # Errors
///
/// It is out of range.
pub fn read_epochs(args: &mut Args<'_>) -> Result<f64, String> {
    args.decimal(0.001, 1e6)
}

/// Reads a learning rate.
///
/// # Errors
///
/// It is out of range.
pub fn read_rate(args: &mut Args<'_>) -> Result<f32, String> {
    Ok(args.decimal(1e-9, 1.0)? as f32)
}

/// Reads one weight, or two with a colon between them.
fn read_lambda(args: &mut Args<'_>) -> Result<(f32, f32), String> {
    let value = args.value()?;
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let weight = |text: &str| {
        let weight = text
            .parse()
            .ok()
            .filter(|weight| (0.0..=1.0).contains(weight));
        weight.ok_or_else(|| args.fault(format!("`{text}` is not a number from 0 to 1")))
    };
    Ok((weight(first)?, weight(last)?))
}

/// Trains a network and writes it.
pub struct Train;

pub const COMMAND: crate::cli::Command = crate::cli::Command {
    name: "train",
    operands: "VARIANT DATA ... --out NETWORK",
    summary: "make a network of them; see train --help",
    help: HELP,
    is_long: true,
    run: |words, interrupt, console| {
        crate::cli::tool::run::<Train>(words, interrupt, &mut |line: &str| console.say(line))
    },
};

impl Tool for Train {
    const NAME: &'static str = COMMAND.name;

    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, String> {
        match train::<G>(&TrainOptions::read(words)?, interrupt, console)? {
            Some(_) => Ok(ExitCode::SUCCESS),
            None => Err("train: interrupted; no network was written".into()),
        }
    }
}

/// How a network turned out.
pub struct Trained {
    /// How many positions it learned from.
    pub positions: usize,
    /// Its loss on the games held out.
    pub loss: f64,
    /// The same for the newest file alone.
    pub newest_loss: f64,
    /// How often its values win.
    pub model: ScoreModel,
}

/// Trains a network and writes it; `None` if it was interrupted.
///
/// # Errors
///
/// A file cannot be read or written, or there are too few data.
pub fn train<G: Entry>(
    options: &TrainOptions,
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<Option<Trained>, String> {
    let codec = Codec::of::<G>();
    let data = Data::read::<G>(&options.data, &codec)?;
    let mut config = options.config.clone();
    // Little data make small batches, of whole waves all the same.
    let most = (data.records.len() / STEPS_IN_EPOCH / WAVE).max(1) * WAVE;
    config.batch = config.batch.div_ceil(WAVE).saturating_mul(WAVE).min(most);
    if config.batch > data.records.len() || data.held_out.is_empty() {
        let (have, held_out) = (data.records.len(), data.held_out.len());
        return Err(format!(
            "train: {have} quiet positions and {held_out} held out are too few"
        ));
    }
    let (epochs, rate) = match options.from {
        Some(_) => LEARNING_ON,
        None => FROM_NOTHING,
    };
    config.rate = options.rate.unwrap_or(rate);
    let epoch = data.records.len() as f64 / config.batch as f64;
    config.steps = ((options.epochs.unwrap_or(epochs) * epoch) as u64).max(1);
    config.warmup = config.warmup.min(config.steps / 10);
    let first = match &options.from {
        Some(path) => Model::of(&read_network::<G>(path)?, G::SHEET.eval_scale),
        None => Model::random(Shape::of::<G>(options.hidden), config.seed),
    };
    let shape = first.shape;
    console.say(&format!(
        "{} quiet positions, {} held out; {} steps of {} for {} neurons",
        data.records.len(),
        data.held_out.len(),
        config.steps,
        config.batch,
        shape.hidden,
    ));
    let map = FeatureMap::of::<G>(codec);
    let mut trainer = Trainer::new(first);
    let checkpoint = options.checkpoint.as_deref().map(|path| {
        Checkpoint::new(
            path,
            G::NAME,
            options.from.as_deref(),
            &config,
            &data,
            shape,
        )
    });
    if let Some(checkpoint) = &checkpoint {
        match checkpoint.load(&mut trainer) {
            Ok(false) => {}
            Ok(true) => console.say(&format!("goes on after step {}", trainer.steps)),
            Err(error) if options.anew => console.say(&format!("{error}; begins anew")),
            Err(error) => return Err(error),
        }
    }
    let mut reporter = Reporter::new(&config, &data, &map, trainer.steps);
    while trainer.steps < config.steps && !interrupt.is_set() {
        let steps = reporter.steps_in(PAUSE).min(config.steps - trainer.steps);
        let loss = trainer.run(&data.records, &map, &config, steps);
        reporter.note(trainer.steps);
        if reporter.is_due() || trainer.steps == config.steps || interrupt.is_set() {
            console.say(&reporter.line(&trainer, loss));
            if let Some(checkpoint) = &checkpoint {
                checkpoint.save(&mut trainer)?;
            }
        }
    }
    if trainer.steps < config.steps {
        return Ok(None);
    }
    let trained = reporter.sum_up::<G>(&trainer.model, &map, &mut *console);
    let model = &trainer.model;
    let network = model
        .quantise(G::SHEET.eval_scale)
        .map_err(|error| format!("train: {error}"))?;
    let difference = disagreement::<G>(&network, model, &data.held_out, &map);
    console.say(&format!(
        "the network in integers differs by {difference:.2} on average"
    ));
    if difference > TOLERANCE {
        return Err("train: the network in integers differs too much".into());
    }
    files::write(&options.out, &network.to_bytes(G::NAME))
        .map_err(|error| format!("{}: {error}", options.out.display()))?;
    console.say(&format!("{} is written", options.out.display()));
    Ok(Some(trained))
}

/// By how much the network in integers differs from the real one on average, in hundredths
/// of a pawn.
fn disagreement<G: Entry>(
    network: &Network,
    model: &Model,
    records: &[Record],
    map: &FeatureMap,
) -> f64 {
    let mut evaluator = Evaluator::new::<G>(Some(Arc::new(network.clone())), 1);
    let mut positions = Positions::default();
    let sample = &records[..records.len().min(2_000)];
    let mut integers = Vec::new();
    for record in sample {
        map.decode(record, 0, &mut positions);
        let mut placement = Placement::empty(map.codec.label(record).side);
        for (square, piece) in map.codec.pieces(record) {
            placement.put(square, piece);
        }
        evaluator.invalidate(0);
        integers.push(evaluator.output(&placement, 0));
    }
    let real = model.evaluate(&positions);
    let sum: f64 = real
        .iter()
        .zip(&integers)
        .map(|(real, &integer)| {
            (f64::from(*real) * f64::from(G::SHEET.eval_scale) - f64::from(integer)).abs()
        })
        .sum();
    sum / sample.len().max(1) as f64
}

/// Says how it goes.
struct Reporter<'r> {
    config: &'r Config,
    data: &'r Data,
    held_out: Positions,
    targets: Vec<f32>,
    begun: Instant,
    first: u64,
    said: Option<Instant>,
    /// How long a step takes, once that is known.
    step_time: Option<Duration>,
}

impl<'r> Reporter<'r> {
    fn new(config: &'r Config, data: &'r Data, map: &FeatureMap, first: u64) -> Self {
        let mut held_out = Positions::default();
        for record in &data.held_out {
            map.decode(record, 0, &mut held_out);
        }
        let targets = data
            .held_out
            .iter()
            .map(|record| map.target(record, config.lambda.1));
        Self {
            config,
            data,
            held_out,
            targets: targets.collect(),
            begun: Instant::now(),
            first,
            said: None,
            step_time: None,
        }
    }

    /// How many steps take so long.
    fn steps_in(&self, time: Duration) -> u64 {
        self.step_time.map_or(4, |step| {
            (time.as_secs_f64() / step.as_secs_f64().max(1e-6)).clamp(1.0, 1e9) as u64
        })
    }

    /// Notes how fast it goes.
    fn note(&mut self, done: u64) {
        let steps = (done - self.first).max(1) as f64;
        self.step_time = Some(self.begun.elapsed().div_f64(steps));
    }

    fn is_due(&self) -> bool {
        self.said.is_none_or(|said| said.elapsed() >= PROGRESS)
    }

    fn line(&mut self, trainer: &Trainer, loss: f64) -> String {
        self.said = Some(Instant::now());
        let (done, steps) = (trainer.steps, self.config.steps);
        let step = self.step_time.unwrap_or_default().as_secs_f64();
        let outputs = trainer.model.evaluate(&self.held_out);
        let held_out = mean_loss(&outputs, &self.targets);
        let speed = self.config.batch as f64 / step;
        let left = step * (steps - done) as f64;
        format!(
            "step {done} of {steps}: loss {loss:.5}, held out {held_out:.5}, {speed:.0} positions a second, {left:.0} s left"
        )
    }

    /// Says the loss for each file, what the network promises and what came of it, and what its
    /// values are worth.
    fn sum_up<G: Entry>(
        &self,
        model: &Model,
        map: &FeatureMap,
        console: &mut dyn Console,
    ) -> Trained {
        let outputs = model.evaluate(&self.held_out);
        let mut newest_loss = 0.0;
        for Origins {
            path,
            positions,
            held_out,
            model: ScoreModel { lead, spread },
        } in &self.data.files
        {
            let range = held_out.clone();
            let loss = mean_loss(&outputs[range.clone()], &self.targets[range]);
            newest_loss = loss;
            console.say(&format!(
                "{}: {positions} quiet positions, scores with lead {lead} and spread {spread}, loss {loss:.5} on {} held out",
                path.display(),
                held_out.len(),
            ));
        }
        let results = self
            .data
            .held_out
            .iter()
            .map(|record| map.codec.label(record).result);
        let results: Vec<_> = results.collect();
        for line in calibration(&outputs, &results) {
            console.say(&line);
        }
        let scores = outputs
            .iter()
            .map(|output| (output * G::SHEET.eval_scale as f32).round() as i32);
        let model = Results::of(scores.zip(results)).fit();
        console.say(&format!("score_model: {model:?}"));
        Trained {
            positions: self.data.records.len(),
            loss: mean_loss(&outputs, &self.targets),
            newest_loss,
            model,
        }
    }
}

/// The mean squared error of what the outputs promise.
fn mean_loss(outputs: &[f32], targets: &[f32]) -> f64 {
    let error = |(&output, &target): (&f32, &f32)| f64::from(sigmoid(output) - target).powi(2);
    let sum: f64 = outputs.iter().zip(targets).map(error).sum();
    sum / outputs.len().max(1) as f64
}

/// A line for each tenth of what the outputs promise, with the share of the points that was made.
fn calibration(outputs: &[f32], results: &[u8]) -> Vec<String> {
    const TENTHS: usize = 10;
    let mut sums = [(0.0, 0.0, 0u32); TENTHS];
    for (&output, &result) in outputs.iter().zip(results) {
        let promised = sigmoid(output);
        let tenth = (promised * TENTHS as f32) as usize;
        let (predicted, real, count) = &mut sums[tenth.min(TENTHS - 1)];
        *predicted += f64::from(promised);
        *real += f64::from(result) / 2.0;
        *count += 1;
    }
    let seen = sums.iter().filter(|(_, _, count)| *count > 0);
    seen.map(|&(predicted, real, count)| {
        let [predicted, real] = [predicted, real].map(|sum| sum / f64::from(count));
        format!("predicted {predicted:.3}, real {real:.3} in {count} positions")
    })
    .collect()
}

/// What a run that was ended goes on from: a line that says what it is of, the steps done,
/// then every number of the trainer.
struct Checkpoint<'c> {
    path: &'c Path,
    /// What must be the same for a run to go on.
    run: u64,
}

impl<'c> Checkpoint<'c> {
    const MAGIC: &'static [u8; 16] = b"quadrille train1";

    fn new(
        path: &'c Path,
        game: &str,
        from: Option<&str>,
        config: &Config,
        data: &Data,
        shape: Shape,
    ) -> Self {
        let Config {
            batch,
            steps,
            rate,
            lambda,
            seed,
            ..
        } = config;
        let run = format!(
            "{game} {shape:?} {from:?} {batch} {steps} {rate} {lambda:?} {seed} {}",
            data.records.len()
        );
        Self {
            path,
            run: checksum(run.as_bytes()),
        }
    }

    fn save(&self, trainer: &mut Trainer) -> Result<(), String> {
        let mut bytes = Self::MAGIC.to_vec();
        bytes.extend(self.run.to_le_bytes());
        bytes.extend(trainer.steps.to_le_bytes());
        bytes.extend(trainer.state_mut().flat_map(|value| value.to_le_bytes()));
        files::write(self.path, &bytes).map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Takes up where the file was left; `false` if there is none.
    fn load(&self, trainer: &mut Trainer) -> Result<bool, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let bytes = match files::read(self.path, u64::MAX) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(wrong(&error)),
            Ok(bytes) => bytes,
        };
        let Some((_, rest)) = bytes
            .split_at_checked(16)
            .filter(|(magic, _)| magic == Self::MAGIC)
        else {
            return Err(wrong(&"it is no checkpoint"));
        };
        let (numbers, values) = rest
            .split_at_checked(16)
            .ok_or_else(|| wrong(&"it is cut off"))?;
        let &[run, steps] = numbers.as_chunks::<8>().0 else {
            return Err(wrong(&"it is cut off"));
        };
        if u64::from_le_bytes(run) != self.run {
            return Err(wrong(&"it belongs to a run with other data or settings"));
        }
        let values = values.as_chunks::<4>().0;
        if trainer.state_mut().count() != values.len() {
            return Err(wrong(&"it is cut off"));
        }
        for (value, &bytes) in trainer.state_mut().zip(values) {
            *value = f32::from_le_bytes(bytes);
        }
        trainer.steps = u64::from_le_bytes(steps);
        Ok(true)
    }
}
