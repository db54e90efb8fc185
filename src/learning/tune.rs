//! `tune`: better search parameters, from games between two variations of them
//! (SPSA: J. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
//! Gradient Approximation", 1992).
//!
//! Every pair of games is between the parameters with a small random change and those with the
//! opposite change, from one opening with both colours. All parameters then move a little towards
//! the side that won.

use super::parallel::play_games;
use super::selfplay::{
    RandomOpening, RandomOpenings, SelfPlayer, SelfplayOptions, endings, network, play_pair,
};
use super::spsa::Spsa;
use crate::cli::interrupt::Interrupt;
use crate::cli::tool::{self, Tool};
use crate::cli::{Access, Args, Command, Console, Failure, check_distinct, sources};
use crate::engine::{Entry, Sheet};
use crate::eval::Network;
use crate::search::Params;
use crate::system::checksum::checksum;
use crate::system::files::Lines;
use crate::system::interval::Interval;
use crate::system::sync::lock;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub const COMMAND: Command = Command {
    name: "tune",
    operands: "VARIANT",
    summary: "look for better search parameters; see tune --help",
    help: "\
quadrille tune VARIANT [--pairs N] [--nodes N] [--growth] [--only NAME,NAME,...]
                       [--eval FILE] [--state FILE] [--balance N] [--seed N] [--threads N]
  --pairs N       number of pairs of games to play (10000)
  --nodes N       soft limit of the search for each move (2000)
  --growth        the limit grows as pieces go
  --only NAMES    the search parameters to change, by their names in src/search/params.rs; all
                  without it
  --eval FILE     the network to play with, or <material>; the game's own without it
  --state FILE    the file for the values of the search parameters, a line for every 16 pairs; an
                  interrupted run resumes from the last line
  --balance N     greatest imbalance of an opening (from the game's score model)
  --seed N        seed of the openings and the changes (1)
  --threads N     number of games played at once (the number of cores)
Example: quadrille tune gothic --pairs 2000 --nodes 3000",
    run: |words, console| tool::run::<Tune>(words, &Interrupt::by_signals(), console),
};

/// Number of pairs between two lines of the state.
const PAIRS_OF_LINE: u64 = 16;
/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_secs(60);

struct TuneOptions {
    pairs: u64,
    /// Sorted indices in [`Params::RANGES`] of the parameters to change.
    parameters: Vec<usize>,
    evaluation: Option<String>,
    state: Option<PathBuf>,
    play: SelfplayOptions,
}

impl TuneOptions {
    fn read(words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self {
            pairs: 10_000,
            parameters: (0..Params::RANGES.len()).collect(),
            evaluation: None,
            state: None,
            play: SelfplayOptions::new(2_000),
        };
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            match word {
                "--eval" => options.evaluation = Some(args.value()?.into()),
                "--state" => options.state = Some(args.value()?.into()),
                "--only" => {
                    let names = args.value()?;
                    options.parameters = indices_of(names).map_err(|error| args.refuse(error))?;
                }
                "--pairs" => options.pairs = args.number(1, u64::MAX)?,
                _ if options.play.read_option(word, &mut args)? => {}
                _ => return Err(args.unknown()),
            }
        }
        let evaluation = options.evaluation.as_deref().map(Path::new);
        check_distinct([
            ("--eval", evaluation, Access::Read),
            ("--state", options.state.as_deref(), Access::Append),
        ])?;
        Ok(options)
    }

    /// Returns the first two lines of the state: the settings of the run and the names of the
    /// columns.
    fn head(&self, game: &str, network: Option<&Arc<Network>>) -> [String; 2] {
        let SelfplayOptions { nodes, growth, balance, seed, .. } = self.play;
        let network = network.map_or(0, |network| checksum(&network.to_bytes(game)));
        let names: Vec<_> = Params::RANGES.iter().map(|(name, ..)| *name).collect();
        let mut settings = format!(
            "# quadrille tune {game}, {nodes} nodes, seed {seed}, network {network:016x}, balance {}",
            balance.unwrap_or_default()
        );
        if growth {
            settings += ", growth";
        }
        if self.parameters.len() < names.len() {
            let only: Vec<_> = self.parameters.iter().map(|&index| names[index]).collect();
            settings += &format!(", only {}", only.join(","));
        }
        [settings, format!("pairs\topening\t{}", names.join("\t"))]
    }
}

/// Returns the sorted indices in [`Params::RANGES`] of the parameters with these names.
fn indices_of(names: &str) -> Result<Vec<usize>, Failure> {
    let index = |name| Params::RANGES.iter().position(|&(there, ..)| there == name);
    let indices = names.split(',').map(|name| {
        let unknown = || Failure::Usage(format!("there is no search parameter `{name}`"));
        index(name).ok_or_else(unknown)
    });
    let indices: BTreeSet<_> = indices.collect::<Result<_, _>>()?;
    Ok(indices.into_iter().collect())
}

/// Finds better search parameters.
pub struct Tune;

impl Tool for Tune {
    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure> {
        let options = TuneOptions::read(words)?;
        let network = network::<G>(options.evaluation.as_deref())?;
        let mut run = TuneRun::open(&G::SHEET, options, network.as_ref(), console)?;
        while run.openings.next < run.opening {
            run.openings.draw::<G>();
        }
        if run.spsa.pairs > 0 {
            console.say(&format!("resumes after {} pairs", run.spsa.pairs));
        }
        let play = &run.options.play;
        let (nodes, growth, threads) = (play.nodes, play.growth, play.threads);
        let endings = endings::<G>(threads, interrupt);
        let shared = Mutex::new(&mut run);
        play_games(
            threads,
            interrupt,
            |end| {
                [(); 2]
                    .map(|()| SelfPlayer::<G>::new(nodes, growth, network.clone(), &endings, end))
            },
            |players| play_and_learn(players, &shared),
            |progress| {
                if let Some(progress) = progress {
                    console.say(&progress);
                }
                true
            },
        );
        run.save();
        let (pairs, values) = (run.spsa.pairs, run.spsa.describe(&run.options.parameters));
        console.say(&format!("after {pairs} pairs:\n{values}"));
        run.failed.map_or(Ok(ExitCode::SUCCESS), Err)
    }
}

/// A run of SPSA, shared by all threads.
struct TuneRun {
    options: TuneOptions,
    spsa: Spsa,
    openings: RandomOpenings,
    /// Number of the opening that an interrupted run continues with.
    opening: u64,
    /// Number of pairs begun.
    begun: u64,
    /// File of the state and its name.
    state: Option<(Lines, PathBuf)>,
    /// The failure to save the state.
    failed: Option<Failure>,
    progress: Interval,
}

impl TuneRun {
    /// Begins a run, or resumes the run of the state file.
    fn open(
        sheet: &Sheet,
        options: TuneOptions,
        network: Option<&Arc<Network>>,
        console: &mut dyn Console,
    ) -> Result<Self, Failure> {
        let head = options.head(sheet.name, network);
        let mut run = Self {
            spsa: Spsa::new(sheet.params),
            openings: RandomOpenings::new(options.play.seed),
            opening: 0,
            begun: 0,
            state: None,
            failed: None,
            progress: Interval::new(PROGRESS),
            options,
        };
        let Some(path) = run.options.state.clone() else {
            return Ok(run);
        };
        let mut file = sources::lines(&path, console)?;
        let before = std::mem::take(&mut file.before);
        for (index, line) in head.iter().enumerate() {
            match before.get(index) {
                None => file.append(line).map_err(Failure::file(&path))?,
                Some(there) if there == line => {}
                Some(_) => {
                    return Err(Failure::file(&path)("it belongs to a run with other settings"));
                }
            }
        }
        for (number, line) in (1..).zip(&before).skip(head.len()) {
            let next = file.unsealed(line).and_then(|line| run.spsa.resume(line));
            run.opening = next.ok_or_else(|| {
                Failure::file(&path)(format!(
                    "line {number} is damaged; remove it and all later lines to resume from there"
                ))
            })?;
        }
        run.begun = run.spsa.pairs;
        run.state = Some((file, path));
        Ok(run)
    }

    /// Appends the current parameters to the trajectory and the state file, once for each number
    /// of pairs.
    fn save(&mut self) {
        if self.spsa.is_saved() {
            return;
        }
        let line = self.spsa.save(self.openings.next);
        if let Some((file, path)) = &mut self.state
            && let Err(error) = file.append_sealed(&line)
        {
            self.failed = Some(Failure::file(path)(error));
        }
    }

    /// Moves the parameters by the result of a pair. Returns the progress to report, if any.
    fn learn(&mut self, directions: &[f64], difference: f64) -> Option<String> {
        self.spsa.learn(directions, difference);
        if self.spsa.pairs.is_multiple_of(PAIRS_OF_LINE) {
            self.save();
        }
        let (pairs, parameters) = (self.spsa.pairs, &self.options.parameters);
        let is_due = self.progress.is_over();
        is_due.then(|| format!("{pairs} pairs\n{}", self.spsa.describe(parameters)))
    }
}

/// Plays a pair of games and learns from it. Returns the progress to report, if any; `None` if it
/// was interrupted or there are enough pairs.
fn play_and_learn<G: Entry>(
    players: &mut [SelfPlayer<G>; 2],
    run: &Mutex<&mut TuneRun>,
) -> Option<Option<String>> {
    let (parameters, balance) = {
        let mut run = lock(run);
        if run.begun >= run.options.pairs || run.failed.is_some() {
            return None;
        }
        run.begun += 1;
        let options = &run.options;
        (options.parameters.clone(), options.play.balance(G::SHEET.score_model))
    };
    players[0].set_params(G::SHEET.params);
    let mut opening = draw_open(run, &mut players[0], balance)?;
    let mut directions = vec![0.0; Params::RANGES.len()];
    for index in parameters {
        directions[index] = [1.0, -1.0][opening.random.below(2)];
    }
    let opposite: Vec<_> = directions.iter().map(|direction| -direction).collect();
    {
        let spsa = &lock(run).spsa;
        players[0].set_params(spsa.params(&directions));
        players[1].set_params(spsa.params(&opposite));
    }
    let results = play_pair(players, &opening)?;
    // From -2 to 2.
    let points = results.map(|result| result.half_points() as f64 - 1.0);
    let difference = points.iter().sum();
    Some(lock(run).learn(&directions, difference))
}

/// Draws the next opening from which both sides can win in the player's judgement; `None` if it
/// was interrupted.
fn draw_open<G: Entry>(
    run: &Mutex<&mut TuneRun>,
    player: &mut SelfPlayer<G>,
    balance: i32,
) -> Option<RandomOpening<G>> {
    loop {
        let opening = lock(run).openings.draw();
        if player.is_open(&opening, balance)? {
            return Some(opening);
        }
    }
}
