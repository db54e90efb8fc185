//! `tune`: better constants for the search, from games between two variations of them
//! (SPSA: J. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
//! Gradient Approximation", 1992).
//!
//! Every pair of games is between the constants with a small random change and those with
//! the opposite change, from one opening with both colours. All constants then move a
//! little towards the side that won.

use super::selfplay::{Opening, Openings, PlayOptions, Player, endings, network, play_pair};
use super::spsa::Spsa;
use crate::cli::interrupt::Interrupt;
use crate::cli::tool::{self, Tool};
use crate::cli::{Args, Command, Console};
use crate::engine::Entry;
use crate::eval::Network;
use crate::search::{Params, STACK_BYTES};
use crate::statistics::elo::GameResult;
use crate::system::checksum::checksum;
use crate::system::files::Lines;
use crate::system::sync::lock;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "tune",
    operands: "VARIANT",
    summary: "look for better search parameters; see tune --help",
    help: HELP,
    is_long: true,
    run: tool::run::<Tune>,
};

pub const HELP: &str = "\
quadrille tune VARIANT [--pairs N] [--nodes N] [--only NAME,NAME,...] [--eval FILE]
                       [--state FILE] [--balance CP] [--seed N] [--threads N]
  --pairs N       how many pairs of games to play (10000)
  --nodes N       the soft limit of the search for each move (2000)
  --only NAMES    the constants to change, by their names in src/search/params.rs; all of them
                  without it
  --eval FILE     the network to play with, or <material>; that of the game without it
  --state FILE    a line for where the constants are, now and then; a run that was ended goes on
                  from the last
  --balance CP    how far from even, in centipawns, a game may begin (what the game's score
                  model says)
  --seed N        what decides the openings and the changes (1)
  --threads N     how many games at once (the number of cores)
Example: quadrille tune gothic --pairs 2000 --nodes 3000";

/// After so many pairs it is noted where the constants are.
const NOTED: u64 = 16;
/// How often progress is said.
const PROGRESS: Duration = Duration::from_secs(60);

/// What the command line asks for.
struct TuneOptions {
    pairs: u64,
    /// The constants to change, by their places in [`Params::RANGES`] and in that order.
    constants: Vec<usize>,
    evaluation: Option<String>,
    state: Option<PathBuf>,
    play: PlayOptions,
}

impl TuneOptions {
    fn read(words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            pairs: 10_000,
            constants: (0..Params::RANGES.len()).collect(),
            evaluation: None,
            state: None,
            play: PlayOptions::new(2_000),
        };
        let mut args = Args::new(Tune::NAME, words);
        while let Some(word) = args.next() {
            match word {
                "--eval" => options.evaluation = Some(args.value()?.into()),
                "--state" => options.state = Some(args.value()?.into()),
                "--only" => {
                    let names = args.value()?;
                    options.constants = indices_of(names).map_err(|error| args.fault(error))?;
                }
                "--pairs" => options.pairs = args.number(1, u64::MAX)?,
                _ if options.play.read_option(word, &mut args)? => {}
                _ => return Err(args.fault("there is no such option")),
            }
        }
        Ok(options)
    }
}

/// Indices in [`Params::RANGES`] of the parameters with these names, sorted.
fn indices_of(names: &str) -> Result<Vec<usize>, String> {
    let index = |name| Params::RANGES.iter().position(|&(there, ..)| there == name);
    let indices = names
        .split(',')
        .map(|name| index(name).ok_or_else(|| format!("there is no search parameter `{name}`")));
    let indices: BTreeSet<_> = indices.collect::<Result<_, _>>()?;
    Ok(indices.into_iter().collect())
}

/// Looks for better constants.
pub struct Tune;

pub const COMMAND: crate::cli::Command = crate::cli::Command {
    name: "tune",
    operands: "VARIANT",
    summary: "look for better search parameters; see tune --help",
    help: HELP,
    is_long: true,
    run: |words, interrupt, console| {
        crate::cli::tool::run::<Tune>(words, interrupt, &mut |line: &str| console.say(line))
    },
};

impl Tool for Tune {
    const NAME: &'static str = COMMAND.name;

    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, String> {
        let options = TuneOptions::read(words)?;
        let network = network::<G>(options.evaluation.as_deref())?;
        let mut way = Way::open::<G>(&options, network.as_ref())?;
        if way.spsa.pairs > 0 {
            console.say(&format!("goes on after {} pairs", way.spsa.pairs));
        }
        let endings = endings::<G>(options.play.threads, interrupt);
        let begun = AtomicU64::new(way.spsa.pairs);
        let shared = Mutex::new(&mut way);
        std::thread::scope(|scope| {
            let (sender, progress) = channel();
            for _ in 0..options.play.threads {
                let (options, shared, begun) = (&options, &shared, &begun);
                let sender = sender.clone();
                let players = [(); 2].map(|()| {
                    Player::<G>::new(options.play.nodes, network.clone(), &endings, interrupt)
                });
                let spawned = std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        play_pairs(players, options, shared, begun, &sender);
                    });
                if let Err(error) = spawned {
                    log::warn!("tune: {error}");
                }
            }
            drop(sender);
            for text in progress {
                console.say(&text);
            }
        });
        way.note();
        let spsa = &way.spsa;
        console.say(&format!(
            "after {} pairs:\n{}",
            spsa.pairs,
            spsa.describe(&options.constants)
        ));
        way.failed.map_or(Ok(ExitCode::SUCCESS), Err)
    }
}

/// The way of the constants, shared by all threads.
struct Way {
    spsa: Spsa,
    openings: Openings,
    /// The file of the state with its name.
    state: Option<(Lines, PathBuf)>,
    /// Why the state could not be saved.
    failed: Option<String>,
    said: Instant,
}

impl Way {
    /// At the beginning, or where the file of the state says.
    fn open<G: Entry>(
        options: &TuneOptions,
        network: Option<&Arc<Network>>,
    ) -> Result<Self, String> {
        let mut way = Self {
            spsa: Spsa::new(G::SHEET.params),
            openings: Openings::new(options.play.seed),
            state: None,
            failed: None,
            said: Instant::now(),
        };
        let Some(path) = &options.state else {
            return Ok(way);
        };
        let wrong = |error: &dyn Display| format!("{}: {error}", path.display());
        let mut file = Lines::open(path).map_err(|error| wrong(&error))?;
        let PlayOptions {
            nodes,
            balance,
            seed,
            ..
        } = options.play;
        let network = network.map_or(0, |network| checksum(&network.to_bytes(G::NAME)));
        let names: Vec<_> = Params::RANGES.iter().map(|(name, ..)| *name).collect();
        let mut settings = format!(
            "# quadrille tune {}, {nodes} nodes, seed {seed}, network {network:016x}, balance {}",
            G::NAME,
            balance.unwrap_or_default()
        );
        if options.constants.len() < names.len() {
            let only: Vec<_> = options
                .constants
                .iter()
                .map(|&place| names[place])
                .collect();
            settings += &format!(", only {}", only.join(","));
        }
        let head = [settings, format!("pairs\topening\t{}", names.join("\t"))];
        let before = std::mem::take(&mut file.before);
        for (index, line) in head.iter().enumerate() {
            match before.get(index) {
                None => file.append(line).map_err(|error| wrong(&error))?,
                Some(there) if there == line => {}
                Some(_) => return Err(wrong(&"it belongs to a run with other settings")),
            }
        }
        for (number, line) in (1..).zip(&before).skip(head.len()) {
            let next = way.spsa.go_to(line);
            let next = next.ok_or_else(|| wrong(&format!("line {number} is no state")))?;
            while way.openings.next() < next {
                way.openings.draw::<G>();
            }
        }
        way.state = Some((file, path.clone()));
        Ok(way)
    }

    /// Notes where the constants are.
    fn note(&mut self) {
        if self.spsa.is_noted() {
            return;
        }
        let line = self.spsa.note(self.openings.next());
        if let Some((file, path)) = &mut self.state
            && let Err(error) = file.append(&line)
        {
            self.failed = Some(format!("{}: {error}", path.display()));
        }
    }
}

/// Plays pairs until there are enough.
fn play_pairs<G: Entry>(
    mut players: [Player<G>; 2],
    options: &TuneOptions,
    shared: &Mutex<&mut Way>,
    begun: &AtomicU64,
    progress: &Sender<String>,
) {
    let balance = options.play.balance::<G>();
    while begun.fetch_add(1, Relaxed) < options.pairs && lock(shared).failed.is_none() {
        players[0].set_params(G::SHEET.params);
        let Some(mut opening) = draw_open(shared, &mut players[0], balance) else {
            return;
        };
        let mut directions = vec![0.0; Params::RANGES.len()];
        for &place in &options.constants {
            directions[place] = [1.0, -1.0][opening.random.below(2)];
        }
        let opposite: Vec<_> = directions.iter().map(|direction| -direction).collect();
        {
            let spsa = &lock(shared).spsa;
            players[0].set_params(spsa.params(&directions));
            players[1].set_params(spsa.params(&opposite));
        }
        let Some(results) = play_pair(&mut players, &opening) else {
            return;
        };
        let difference = results.map(points).iter().sum();
        let mut way = lock(shared);
        way.spsa.learn(&directions, difference);
        if way.spsa.pairs.is_multiple_of(NOTED) {
            way.note();
        }
        if way.said.elapsed() >= PROGRESS {
            way.said = Instant::now();
            let text = format!(
                "{} pairs\n{}",
                way.spsa.pairs,
                way.spsa.describe(&options.constants)
            );
            if progress.send(text).is_err() {
                return;
            }
        }
    }
}

/// The next opening from which both sides can win, as a player sees it; `None` if it was
/// interrupted.
fn draw_open<G: Entry>(
    shared: &Mutex<&mut Way>,
    player: &mut Player<G>,
    balance: i32,
) -> Option<Opening<G>> {
    loop {
        let opening = lock(shared).openings.draw();
        if player.is_open(&opening, balance)? {
            return Some(opening);
        }
    }
}

/// How many points a game brings.
fn points(result: GameResult) -> f64 {
    match result {
        GameResult::Win => 1.0,
        GameResult::Draw => 0.0,
        GameResult::Loss => -1.0,
    }
}
