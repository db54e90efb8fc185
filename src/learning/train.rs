//! `train`: a network from training data.

use super::checkpoint::Checkpoint;
use super::data::{Data, DataFile, is_quiet};
use super::features;
use super::model::{FeatureBatch, FloatNetwork, sigmoid};
use super::record::PackedPosition;
use super::score_model::{EVAL_SCALES, eval_scale};
use super::test_set::TestSet;
use super::trainee::{Trainee, TraineeTool};
use super::trainer::{Config, Trainer, WAVE};
use crate::cli::interrupt::Interrupt;
use crate::cli::tool;
use crate::cli::{Access, Args, Command, Console, Failure, check_distinct, missing};
use crate::engine::MAX_THREADS;
use crate::eval::{LANES, MAX_HIDDEN, Network, Shape, VALUE_SCALE};
use crate::search::ScoreModel;
use crate::system::checksum::checksum;
use crate::system::files::{self, Replacement};
use crate::system::interval::Interval;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "train",
    operands: "VARIANT DATA ... --out NETWORK",
    summary: "train a network on these games; see train --help",
    help: "\
quadrille train VARIANT DATA... --out FILE [--hidden N] [--epochs N] [--batch N] [--rate R]
                [--lambda L[:M]] [--from NETWORK] [--test FILE] [--seed N] [--threads N]
                [--checkpoint FILE]
  --out FILE         the network to write
  --hidden N         size of the hidden layer for each perspective, a multiple of 64 (256)
  --epochs N         number of passes over the data (20, with --from 8)
  --batch N          positions of a step, rounded up to a multiple of 4096 (16384); fewer if the
                     data are few
  --rate R           peak learning rate, after a short warm-up (0.001, with --from 0.0005)
  --lambda L[:M]     weight of the game's result against the score; with :M it changes from L to M
                     over the run (0.2:0.4, with --from 0:0.1)
  --from NETWORK     the network file to continue from; its size replaces --hidden
  --test FILE        report the error on a test set of datagen --label-nodes, also against --from;
                     may be repeated. Without DATA the network --out is tested, not trained
  --seed N           seed of the initial weights and of the order of the positions (1)
  --threads N        number of threads (the number of cores)
  --checkpoint FILE  saved every ten seconds; an interrupted run resumes from it
Example: quadrille train gothic first.dat --out first.net --epochs 12 --checkpoint first.state",
    run: |words, console| tool::run::<Train>(words, &Interrupt::by_signals(), console),
};

/// Default size of the hidden layer.
pub const HIDDEN: usize = 256;
/// Epochs, learning rate and weights of the result for a network that begins with random weights.
const EPOCHS: f64 = 20.0;
const RATE: f32 = 1e-3;
const LAMBDA: (f32, f32) = (0.2, 0.4);
/// The same for a network that continues from another. Matches are in `src/eval/networks/README.md`.
const EPOCHS_FROM: f64 = 8.0;
const RATE_FROM: f32 = 5e-4;
const LAMBDA_FROM: (f32, f32) = (0.0, 0.1);
/// An epoch has at least this many steps, if there are enough data.
const STEPS_IN_EPOCH: usize = 64;
const MAX_BATCH: usize = 1 << 24;
/// Time between two reports of progress; a checkpoint is saved with each.
const PROGRESS: Duration = Duration::from_secs(10);
/// Time between two checks for an interrupt.
const PAUSE: Duration = Duration::from_millis(500);
/// Steps before the first check, when the speed is not known.
const FIRST_STEPS: u64 = 4;
/// Positions in which the quantised network is compared with the real one.
const COMPARED: usize = 2_000;
/// Mean difference of the quantised network that is worth a warning, in outputs. Rounding makes 0.01
/// to 0.06.
const TOLERANCE: f64 = 0.1;

/// Settings of `train`.
#[derive(Default)]
pub struct TrainOptions {
    /// Files of training data; [`Trained::newest_loss`] is of the last.
    pub data: Vec<PathBuf>,
    /// The network to write.
    pub out: PathBuf,
    /// File of the state of an interrupted run.
    pub checkpoint: Option<PathBuf>,
    /// True if the checkpoint of another run is replaced; it is refused otherwise.
    pub anew: bool,
    /// File of the network to begin with; random weights without it.
    pub from: Option<String>,
    /// Test sets.
    pub test: Vec<PathBuf>,
    /// Size of the hidden layer without `from`.
    pub hidden: usize,
    /// Number of epochs; the default depends on `from`.
    pub epochs: Option<f64>,
    /// Peak learning rate; the default depends on `from`.
    pub rate: Option<f32>,
    /// Weights of the result at the beginning and at the end; the default depends on `from`.
    pub lambda: Option<(f32, f32)>,
    /// Settings of the trainer; some follow from the data.
    pub config: Config,
}

impl TrainOptions {
    fn read(words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self { hidden: HIDDEN, ..Self::default() };
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            let config = &mut options.config;
            match word {
                "--out" => options.out = args.value()?.into(),
                "--checkpoint" => options.checkpoint = Some(args.value()?.into()),
                "--from" => options.from = Some(args.value()?.into()),
                "--test" => options.test.push(args.value()?.into()),
                "--hidden" => options.hidden = read_hidden(&mut args)?,
                "--epochs" => options.epochs = Some(read_epochs(&mut args)?),
                "--batch" => config.batch = args.number(1, MAX_BATCH)?,
                "--rate" => options.rate = Some(read_rate(&mut args)?),
                "--lambda" => options.lambda = Some(read_lambda(&mut args)?),
                "--seed" => config.seed = args.number(0, u64::MAX)?,
                "--threads" => config.threads = args.number(1, MAX_THREADS)?,
                _ => options.data.push(args.operand()?.into()),
            }
        }
        if options.data.is_empty() && options.test.is_empty() {
            return Err(missing("DATA"));
        } else if options.out.as_os_str().is_empty() {
            return Err(missing("--out FILE"));
        }
        if !options.data.is_empty() {
            options.check()?;
        }
        Ok(options)
    }

    /// Completes the settings of the trainer from the data.
    fn complete(&self, data: &Data) -> Result<Config, Failure> {
        let (positions, held_out) = (data.records.len(), data.held_out.len());
        let mut config = self.config.clone();
        // A batch has whole waves, and few data make small batches.
        let most = (positions / STEPS_IN_EPOCH / WAVE).max(1) * WAVE;
        config.batch = config.batch.div_ceil(WAVE).saturating_mul(WAVE).min(most);
        if config.batch > positions || held_out == 0 {
            return Err(Failure::refused(format!(
                "{positions} quiet positions and {held_out} held out are too few"
            )));
        }
        let (epochs, rate, lambda) = match self.from {
            Some(_) => (EPOCHS_FROM, RATE_FROM, LAMBDA_FROM),
            None => (EPOCHS, RATE, LAMBDA),
        };
        config.rate = self.rate.unwrap_or(rate);
        config.lambda = self.lambda.unwrap_or(lambda);
        let epoch = positions as f64 / config.batch as f64;
        config.steps = ((self.epochs.unwrap_or(epochs) * epoch) as u64).max(1);
        Ok(config)
    }

    /// Checks that the network can be written and replaces nothing that is needed.
    fn check(&self) -> Result<(), Failure> {
        let data = self.data.iter().map(|path| ("DATA", Some(&**path), Access::Read));
        let test = self.test.iter().map(|path| ("--test", Some(&**path), Access::Read));
        check_distinct(data.chain(test).chain([
            ("--from", self.from.as_deref().map(Path::new), Access::Read),
            ("--checkpoint", self.checkpoint.as_deref(), Access::Replace),
            ("--out", Some(&self.out), Access::Replace),
        ]))?;
        Replacement::create(&self.out).map_err(Failure::file(&self.out))?;
        Ok(())
    }
}

/// Reads the size of the hidden layer.
pub fn read_hidden(args: &mut Args<'_>) -> Result<usize, Failure> {
    let hidden: usize = args.number(LANES, MAX_HIDDEN)?;
    if hidden.is_multiple_of(LANES) {
        Ok(hidden)
    } else {
        Err(args.refuse(format!("`{hidden}` is not a multiple of {LANES}")))
    }
}

pub fn read_epochs(args: &mut Args<'_>) -> Result<f64, Failure> {
    args.decimal(0.001, 1e6)
}

/// Reads a learning rate.
pub fn read_rate(args: &mut Args<'_>) -> Result<f32, Failure> {
    Ok(args.decimal(1e-9, 1.0)? as f32)
}

/// Reads one weight, or two with a colon between them.
fn read_lambda(args: &mut Args<'_>) -> Result<(f32, f32), Failure> {
    let value = args.value()?;
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let weight = |text: &str| {
        let weight = text.parse().ok().filter(|weight| (0.0..=1.0).contains(weight));
        weight.ok_or_else(|| args.refuse(format!("`{text}` is not a number from 0 to 1")))
    };
    Ok((weight(first)?, weight(last)?))
}

/// Trains a network and writes it.
pub struct Train;

impl TraineeTool for Train {
    fn work(
        trainee: &Trainee,
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure> {
        let options = TrainOptions::read(words)?;
        if options.data.is_empty() {
            let test = TestSet::read(trainee, &options.test, options.from.as_deref(), console)?;
            let network = trainee.read_network(&options.out.to_string_lossy())?;
            test.report(&network, console);
            return Ok(ExitCode::SUCCESS);
        }
        match train(trainee, &options, interrupt, console)? {
            Some(_) => Ok(ExitCode::SUCCESS),
            None => Err(Failure::Interrupted("no network was written".into())),
        }
    }
}

/// Outcome of a training run.
pub struct Trained {
    /// Number of positions learned from.
    pub positions: usize,
    /// Loss on the games held out.
    pub loss: f64,
    /// Loss on the games held out of the newest file.
    pub newest_loss: f64,
    /// Error on the test set, if there is one.
    pub test_error: Option<f64>,
}

/// Trains a network and writes it; `None` if it was interrupted.
pub(super) fn train(
    trainee: &Trainee,
    options: &TrainOptions,
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<Option<Trained>, Failure> {
    // Its faults are known before the work is done.
    let from = options.from.as_deref();
    let test = (!options.test.is_empty())
        .then(|| TestSet::read(trainee, &options.test, from, console))
        .transpose()?;
    let test_files = test.as_ref().map_or(&[][..], |test| &test.files);
    let mut training = Training::prepare(trainee, options, test_files, console)?;
    console.say(&training.describe());
    training.resume(console)?;
    if !training.run(interrupt, console)? {
        return Ok(None);
    }
    let (mut trained, eval_scale) = training.sum_up(console);
    let even = vec![0.0; training.targets.len()];
    if trained.loss > mean_loss(&even, &training.targets) {
        console.warn("the network predicts the games held out worse than calling every position even; train longer or at a lower --rate");
    }
    let network = training.quantise(eval_scale, console)?;
    files::write(&options.out, &network.to_bytes(trainee.name()))
        .map_err(Failure::file(&options.out))?;
    console.say(&format!("{} is written", options.out.display()));
    trained.test_error = test.and_then(|test| test.report(&network, console));
    Ok(Some(trained))
}

/// A training run.
struct Training<'t> {
    trainee: &'t Trainee,
    checkpoint: Option<Checkpoint<'t>>,
    /// True if the checkpoint of another run is replaced.
    anew: bool,
    config: Config,
    data: Data,
    trainer: Trainer,
    /// Features and targets of the positions held out.
    held_out: FeatureBatch,
    targets: Vec<f32>,
}

impl<'t> Training<'t> {
    /// Reads the data, completes the settings, and builds the network to begin with.
    fn prepare(
        trainee: &'t Trainee,
        options: &'t TrainOptions,
        test_files: &[DataFile],
        console: &mut dyn Console,
    ) -> Result<Self, Failure> {
        let from = options.from.as_deref().map(|from| trainee.read_network(from)).transpose()?;
        let is_tied = |from: &Network| FloatNetwork::of(from, 1.0).is_tied(&trainee.map.twins);
        if !from.as_ref().is_none_or(is_tied) {
            let fault = "--from: its neurons are not mirror images of each other";
            return Err(Failure::refused(fault));
        }
        let data = Data::read(trainee.name(), &options.data, test_files, is_quiet, console)?;
        for file in data.files.iter().filter(|file| file.header.label_nodes > 0) {
            let path = file.path.display();
            console.warn(&format!("{path}: it is a test set, and is trained on"));
        }
        let config = options.complete(&data)?;
        let network = match from {
            Some(from) => {
                let scale = eval_scale_of(trainee, &from, &data.held_out);
                FloatNetwork::of(&from, scale)
            }
            None => FloatNetwork::random((trainee.shape)(options.hidden), config.seed),
        };
        let run = identity(trainee.name(), options, &config, &data, network.shape);
        let checkpoint = options.checkpoint.as_deref();
        let mut held_out = FeatureBatch::default();
        for record in &data.held_out {
            trainee.map.decode(record, 0, &mut held_out);
        }
        let target = |record| features::target(record, config.lambda.1);
        let targets = data.held_out.iter().map(target).collect();
        Ok(Self {
            trainee,
            checkpoint: checkpoint.map(|path| Checkpoint { path, run }),
            anew: options.anew,
            config,
            data,
            trainer: Trainer::new(network.tied(&trainee.map.twins)),
            held_out,
            targets,
        })
    }

    fn describe(&self) -> String {
        format!(
            "{} quiet positions, {} held out; {} steps of {} for {} neurons",
            self.data.records.len(),
            self.data.held_out.len(),
            self.config.steps,
            self.config.batch,
            self.trainer.network.shape.hidden,
        )
    }

    /// Resumes from the checkpoint, if there is one.
    fn resume(&mut self, console: &mut dyn Console) -> Result<(), Failure> {
        let Some(checkpoint) = &self.checkpoint else {
            return Ok(());
        };
        match checkpoint.load(&mut self.trainer) {
            Ok(false) => {}
            Ok(true) => console.say(&format!("resumes after step {}", self.trainer.steps)),
            Err(error) if self.anew => console.say(&format!("{error}; training starts over")),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Runs all steps that are left; `false` if it was interrupted.
    fn run(&mut self, interrupt: &Interrupt, console: &mut dyn Console) -> Result<bool, Failure> {
        let pace = RunSpeed::new(self.trainer.steps);
        let mut interval = Interval::over(PROGRESS);
        while self.trainer.steps < self.config.steps && !interrupt.is_set() {
            let left = self.config.steps - self.trainer.steps;
            let steps = pace.steps_in(PAUSE, self.trainer.steps).min(left);
            let records = &self.data.records;
            let loss = finite(self.trainer.run(records, &self.trainee.map, &self.config, steps))?;
            if interval.is_over() || steps == left || interrupt.is_set() {
                console.say(&self.report(&pace, loss));
                if let Some(checkpoint) = &self.checkpoint {
                    checkpoint.save(&mut self.trainer)?;
                }
            }
        }
        Ok(self.trainer.steps >= self.config.steps)
    }

    /// Describes the progress in a line.
    fn report(&self, pace: &RunSpeed, loss: f64) -> String {
        let (done, steps) = (self.trainer.steps, self.config.steps);
        let step = pace.step(done);
        let outputs = self.trainer.network.evaluate(&self.held_out);
        let held_out = mean_loss(&outputs, &self.targets);
        let speed = self.config.batch as f64 / step;
        let left = step * (steps - done) as f64;
        format!(
            "step {done} of {steps}: loss {loss:.5}, held out {held_out:.5}, {speed:.0} positions a second, {left:.0} s left"
        )
    }

    /// Reports the loss for each file and the calibration of the outputs. Also returns the value of an
    /// output of 1 with which the network promises as much as the game's own, to which the margins
    /// of the search are tuned.
    fn sum_up(&self, console: &mut dyn Console) -> (Trained, f32) {
        let outputs = self.trainer.network.evaluate(&self.held_out);
        let mut newest_loss = 0.0;
        for DataFile {
            path, positions, held_out, score_model: ScoreModel { lead, spread }, ..
        } in &self.data.files
        {
            let range = held_out.clone();
            newest_loss = mean_loss(&outputs[range.clone()], &self.targets[range]);
            console.say(&format!(
                "{}: {positions} quiet positions, scores with lead {lead} and spread {spread}, loss {newest_loss:.5} on {} held out",
                path.display(),
                held_out.len(),
            ));
        }
        let held_out = self.data.held_out.iter();
        let results: Vec<_> = held_out.map(|record| record.label().result).collect();
        for line in calibration(&outputs, &results) {
            console.say(&line);
        }
        let values = |eval_scale: f32| {
            let value = move |output: &f32| (output * eval_scale).round() as i32;
            outputs.iter().map(value).zip(results.iter().copied())
        };
        let first = VALUE_SCALE as f32;
        let wanted = (self.trainee.shipped)()
            .map_or(first, |network| eval_scale_of(self.trainee, &network, &self.data.held_out));
        let eval_scale =
            (first * wanted / eval_scale(values(first))).clamp(EVAL_SCALES.0, EVAL_SCALES.1);
        console.say(&format!("eval_scale: {eval_scale:.0}"));
        let trained = Trained {
            positions: self.data.records.len(),
            loss: mean_loss(&outputs, &self.targets),
            newest_loss,
            test_error: None,
        };
        (trained, eval_scale)
    }

    /// Quantises the network and compares it with the real one.
    fn quantise(&self, eval_scale: f32, console: &mut dyn Console) -> Result<Network, Failure> {
        let network = self.trainer.network.quantise(eval_scale);
        let network = network.map_err(Failure::refused)?;
        let difference = finite(self.difference(&network, eval_scale))?;
        console.say(&format!("the quantised network differs by {difference:.2} on average"));
        if difference > TOLERANCE * f64::from(eval_scale) {
            console.warn("the quantised network differs a lot; test it before you use it");
        }
        Ok(network)
    }

    /// Returns the mean difference of the quantised network from the real one.
    fn difference(&self, network: &Network, eval_scale: f32) -> f64 {
        let sample = &self.data.held_out[..self.data.held_out.len().min(COMPARED)];
        let integers = self.trainee.outputs(network, sample);
        let real = self.trainer.network.evaluate(&self.held_out);
        let differences = real
            .iter()
            .zip(&integers)
            .map(|(real, &integer)| f64::from(real * eval_scale - integer as f32).abs());
        differences.sum::<f64>() / sample.len().max(1) as f64
    }
}

/// Refuses a figure of a training run that has diverged.
fn finite(figure: f64) -> Result<f64, Failure> {
    let diverged = "the loss is no longer a number, and no network is written; use a lower --rate";
    let figure = Some(figure).filter(|figure| figure.is_finite());
    figure.ok_or_else(|| Failure::refused(diverged))
}

/// Returns the value that an output of 1 of a network stands for, fitted to the results of games.
fn eval_scale_of(trainee: &Trainee, network: &Network, records: &[PackedPosition]) -> f32 {
    let values = trainee.outputs(network, records);
    let results = records.iter().map(|record| record.label().result);
    eval_scale(values.into_iter().zip(results))
}

/// Returns the hash of the facts that a checkpoint shares with its run.
fn identity(game: &str, options: &TrainOptions, config: &Config, data: &Data, shape: Shape) -> u64 {
    let from = options.from.as_deref().unwrap_or_default();
    let sizes = [shape.features(), shape.hidden];
    let sizes = sizes.into_iter().chain([config.batch, data.records.len()]);
    let weights = [config.rate, config.lambda.0, config.lambda.1];
    let numbers = sizes
        .map(|size| size as u64)
        .chain([config.steps, config.seed])
        .chain(weights.map(|weight| weight.to_bits().into()));
    let mut facts = format!("{game}\n{from}\n").into_bytes();
    facts.extend(numbers.flat_map(u64::to_le_bytes));
    checksum(&facts)
}

/// Speed of a training run.
struct RunSpeed {
    begun: Instant,
    /// Steps done before.
    first: u64,
}

impl RunSpeed {
    fn new(first: u64) -> Self {
        Self { begun: Instant::now(), first }
    }

    /// Returns the seconds that each of the steps done has taken.
    fn step(&self, done: u64) -> f64 {
        self.begun.elapsed().as_secs_f64() / (done - self.first) as f64
    }

    fn steps_in(&self, time: Duration, done: u64) -> u64 {
        if done == self.first {
            return FIRST_STEPS;
        }
        (time.as_secs_f64() / self.step(done).max(1e-6)).clamp(1.0, 1e9) as u64
    }
}

/// Returns the mean squared error of the expected results.
fn mean_loss(outputs: &[f32], targets: &[f32]) -> f64 {
    let error = |(&output, &target): (&f32, &f32)| f64::from(sigmoid(output) - target).powi(2);
    let sum: f64 = outputs.iter().zip(targets).map(error).sum();
    sum / outputs.len().max(1) as f64
}

/// Returns a line for each tenth of the expected results, with the mean of the real results.
fn calibration(outputs: &[f32], results: &[u8]) -> Vec<String> {
    const TENTHS: usize = 10;
    let mut sums = [(0.0, 0.0, 0u32); TENTHS];
    for (&output, &result) in outputs.iter().zip(results) {
        let expected = sigmoid(output);
        let tenth = (expected * TENTHS as f32) as usize;
        let (predicted, real, count) = &mut sums[tenth.min(TENTHS - 1)];
        *predicted += f64::from(expected);
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
