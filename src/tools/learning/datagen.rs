//! `datagen`: games of the program against itself, for a network to learn from.
//!
//! Each game begins with random moves to a position that a quick search finds even, and is
//! then played with a small number of nodes for each move. Game and seed decide all of it,
//! so a run can be ended at any moment and goes on where it was.

use super::Tool;
use super::file::{Appender, Origin};
use super::record::{Codec, Label, Record};
use crate::engine::NO_NETWORK;
use crate::eval::{Network, checksum, shipped};
use crate::games::{Game, Side};
use crate::search::value::is_decisive;
use crate::search::{Control, Limits, Resources, STACK_BYTES, Searcher, Table, wins_material};
use crate::tools::interrupt::Interrupt;
use crate::tools::random::Random;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How `datagen` is called.
pub const HELP: &str = "\
quadrille datagen VARIANT --out FILE [--positions N] [--nodes N] [--eval FILE] [--seed N]
                          [--threads N]
  --out FILE      the file that games are appended to; a run that was ended goes on
  --positions N   how many positions the file is to hold in the end (1000000)
  --nodes N       the soft limit of the search for each move (1500)
  --eval FILE     the network to play with, or <material>; that of the game without it
  --seed N        what decides the games (1)
  --threads N     how many games at once (the number of cores)";

/// Random moves before a game, and how many more there can be.
const RANDOM_PLIES: (usize, usize) = (7, 5);
/// How far from even a game may begin, in hundredths of a pawn.
const BALANCE: i32 = 200;
/// How many times the soft limit of nodes a search may take.
const HARD_FACTOR: u64 = 8;
/// A game is won for a side that is so far ahead, in hundredths of a pawn, ...
const WON: i32 = 2_500;
/// ... for so many plies in a row.
const WON_PLIES: usize = 6;
/// A game of so many plies is drawn.
const MAX_PLIES: usize = 500;
/// The table of one thread, in MB.
const HASH: usize = 8;
/// How often progress is said.
const PROGRESS: Duration = Duration::from_secs(10);

/// What the command line asks for.
struct Options {
    path: PathBuf,
    positions: u64,
    nodes: u64,
    /// A network file, or the word for none.
    evaluation: Option<String>,
    seed: u64,
    threads: usize,
}

impl Options {
    fn read(arguments: &[&str]) -> Result<Self, String> {
        let mut path = None;
        let mut options = Self {
            path: PathBuf::new(),
            positions: 1_000_000,
            nodes: 1_500,
            evaluation: None,
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        };
        for words in arguments.chunks(2) {
            let &[name, value] = words else {
                return Err(format!("datagen: `{}` has no value", words[0]));
            };
            let number = || {
                value
                    .parse::<u64>()
                    .map_err(|_| format!("datagen {name}: `{value}` is not a number"))
            };
            match name {
                "--out" => path = Some(PathBuf::from(value)),
                "--positions" => options.positions = number()?,
                "--nodes" => options.nodes = number()?.max(1),
                "--eval" => options.evaluation = Some(value.to_string()),
                "--seed" => options.seed = number()?,
                "--threads" => options.threads = number()?.clamp(1, 1024) as usize,
                _ => {
                    return Err(format!(
                        "datagen: `{name}` is not understood; see datagen --help"
                    ));
                }
            }
        }
        options.path = path.ok_or("datagen: --out FILE is missing")?;
        Ok(options)
    }
}

/// Plays games and appends them to a file until it holds enough positions.
pub struct Datagen;

impl Tool for Datagen {
    const NAME: &'static str = "datagen";

    fn run<G: Game>(
        words: &[&str],
        interrupt: &Interrupt,
        say: &mut dyn FnMut(&str),
    ) -> Result<ExitCode, String> {
        generate::<G>(&Options::read(words)?, interrupt, say)
    }
}

/// A finished game.
struct Played {
    number: u64,
    records: Vec<Record>,
}

fn generate<G: Game>(
    options: &Options,
    interrupt: &Interrupt,
    say: &mut dyn FnMut(&str),
) -> Result<ExitCode, String> {
    let network = network::<G>(options.evaluation.as_deref())?;
    let origin = Origin {
        variant: G::NAME.into(),
        seed: options.seed,
        nodes: options.nodes,
        network: network
            .as_ref()
            .map_or(0, |network| checksum(&network.to_bytes(G::NAME))),
    };
    let mut file = Appender::open(&options.path, &origin)?;
    if !file.games.is_empty() {
        say(&format!(
            "{} games with {} positions are there already",
            file.games.len(),
            file.positions
        ));
    }
    let done = file.games.clone();
    let next = AtomicU64::new(0);
    let mut progress = Progress::new(file.positions, options.positions);
    let mut written = Ok(());
    std::thread::scope(|scope| {
        // Bounded, so that a slow disk slows the games and not the memory.
        let (sender, games) = sync_channel(64);
        for _ in 0..options.threads {
            let (sender, done, next) = (sender.clone(), &done, &next);
            let network = network.clone();
            let spawned = std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || {
                    play_games::<G>(options, done, next, network, interrupt, &sender)
                });
            if let Err(error) = spawned {
                log::warn!("datagen: {error}");
            }
        }
        drop(sender);
        for Played { number, records } in games {
            // Games that end after enough is there would make the file depend on chance.
            if written.is_ok() && file.positions < options.positions {
                written = file.append(number, &records);
                progress.say(file.positions, say);
            }
            if written.is_err() || file.positions >= options.positions {
                interrupt.set();
            }
        }
    });
    written.map_err(|error| {
        format!(
            "{}: {error}; what was written before is whole",
            options.path.display()
        )
    })?;
    say(&format!(
        "{} games with {} positions in {}",
        file.games.len(),
        file.positions,
        options.path.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// The network that a value of `--eval` names.
fn network<G: Game>(evaluation: Option<&str>) -> Result<Option<Arc<Network>>, String> {
    match evaluation {
        None => Ok(shipped::<G>()),
        Some(NO_NETWORK) => Ok(None),
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            let network =
                Network::from_bytes::<G>(&bytes).map_err(|error| format!("{path}: {error}"))?;
            Ok(Some(Arc::new(network)))
        }
    }
}

/// Says now and then how fast it goes and how long it will take.
struct Progress {
    begun: Instant,
    said: Instant,
    first: u64,
    goal: u64,
}

impl Progress {
    fn new(first: u64, goal: u64) -> Self {
        let now = Instant::now();
        Self {
            begun: now,
            said: now,
            first,
            goal,
        }
    }

    fn say(&mut self, positions: u64, say: &mut dyn FnMut(&str)) {
        if self.said.elapsed() < PROGRESS {
            return;
        }
        self.said = Instant::now();
        let speed = (positions - self.first) as f64 / self.begun.elapsed().as_secs_f64();
        let left = self.goal.saturating_sub(positions) as f64 / speed.max(1.0);
        say(&format!(
            "{positions} positions, {speed:.0} a second, {:.0} s left",
            left
        ));
    }
}

/// Plays games that are not there yet until it is told to end.
fn play_games<G: Game>(
    options: &Options,
    done: &HashSet<u64>,
    next: &AtomicU64,
    network: Option<Arc<Network>>,
    interrupt: &Interrupt,
    games: &SyncSender<Played>,
) {
    let mut player = Player::<G>::new(options.nodes, network);
    let codec = Codec::of::<G>();
    loop {
        let number = next.fetch_add(1, Relaxed);
        if done.contains(&number) {
            continue;
        }
        let mut random = Random::new(options.seed, number);
        let Some(records) = player.game(&codec, &mut random, interrupt) else {
            return;
        };
        if games.send(Played { number, records }).is_err() {
            return;
        }
    }
}

/// Plays against itself.
struct Player<G> {
    searcher: Searcher<G>,
    table: Arc<Table>,
    nodes: u64,
}

impl<G: Game> Player<G> {
    fn new(nodes: u64, network: Option<Arc<Network>>) -> Self {
        let mut searcher = Searcher::default();
        searcher.evaluate_with(network);
        Self {
            searcher,
            table: Arc::new(Table::new(HASH)),
            nodes,
        }
    }

    /// Forgets all searches so far.
    fn forget(&mut self) {
        self.searcher.forget();
        // No search is running, so nobody else has it.
        if let Some(table) = Arc::get_mut(&mut self.table) {
            table.clear();
        }
    }

    /// A game from a random opening; `None` if it was interrupted.
    fn game(
        &mut self,
        codec: &Codec,
        random: &mut Random,
        interrupt: &Interrupt,
    ) -> Option<Vec<Record>> {
        let (mut position, mut keys) = self.opening(random, interrupt)?;
        // Nothing of other games, so that the game is the same in every run.
        self.forget();
        let mut seen = Vec::new();
        let mut ahead: i32 = 0;
        let winner = loop {
            if interrupt.is_set() {
                return None;
            }
            if let Some(outcome) = position.outcome() {
                break outcome.winner;
            }
            let key = position.key();
            if seen.len() >= MAX_PLIES || keys.iter().filter(|&&before| before == key).count() >= 2
            {
                break None;
            }
            let side = position.to_move();
            let (mv, value) = self.search(&position, &keys)?;
            let quiet =
                !position.in_check() && !wins_material(&position, mv) && !is_decisive(value);
            let label = Label {
                side,
                score: value,
                result: 1,
                quiet,
            };
            seen.push((position.clone(), label));
            // Both sides agree, so the sign for White is always the same.
            let for_white = if side == Side::White { value } else { -value };
            ahead = match for_white {
                WON.. => ahead.max(0) + 1,
                _ if for_white <= -WON => ahead.min(0) - 1,
                _ => 0,
            };
            if ahead.unsigned_abs() as usize >= WON_PLIES {
                break Some(if ahead > 0 { Side::White } else { Side::Black });
            }
            keys.push(key);
            position.play(mv);
        };
        let labelled = seen.into_iter().filter_map(|(position, label)| {
            let result = match winner {
                None => 1,
                Some(winner) if winner == label.side => 2,
                Some(_) => 0,
            };
            codec.pack(position.placement(), Label { result, ..label })
        });
        Some(labelled.collect())
    }

    /// A random position that is about even, with the keys of those before it.
    fn opening(&mut self, random: &mut Random, interrupt: &Interrupt) -> Option<(G, Vec<u64>)> {
        let (least, more) = RANDOM_PLIES;
        loop {
            if interrupt.is_set() {
                return None;
            }
            let mut position = G::start();
            let mut keys = Vec::new();
            for _ in 0..least + random.below(more) {
                let moves = position.legal_moves();
                let Some(&mv) = random.pick(&moves) else {
                    break;
                };
                keys.push(position.key());
                position.play(mv);
            }
            if position.outcome().is_some() {
                continue;
            }
            self.forget();
            let (_, value) = self.search(&position, &keys)?;
            if value.abs() <= BALANCE {
                return Some((position, keys));
            }
        }
    }

    fn search(&mut self, position: &G, keys: &[u64]) -> Option<(crate::games::Move, i32)> {
        let limits = Limits {
            soft_nodes: Some(self.nodes),
            nodes: Some(HARD_FACTOR * self.nodes),
            ..Limits::default()
        };
        let resources = Resources {
            table: Arc::clone(&self.table),
            control: Arc::new(Control::new(false)),
            threads: 1,
        };
        let answer = self
            .searcher
            .search(position, keys, &limits, &resources, &mut |_| {});
        Some((answer.best?, answer.value))
    }
}
