//! The gate: whether a new network plays better than the best so far, at equal time.
//!
//! Pairs of games from one opening with both colours, until a sequential test knows or there
//! are as many as were asked for. Every pair is a line of a file, in the order of the openings,
//! so a gate that was ended goes on, and its end does not depend on the number of threads.

use super::selfplay::{Openings, Player, play_pair};
use crate::cli::Console;
use crate::cli::interrupt::Interrupt;
use crate::endings::Endings;
use crate::engine::Entry;
use crate::eval::Network;
use crate::search::{Limits, Resources, STACK_BYTES, Searcher, Table};
use crate::statistics::elo::{Counts, GameResult};
use crate::statistics::sprt::{Hypothesis, Model, Sprt};
use crate::system::files::Lines;
use crate::system::sync::lock;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What is tested: the new network is not better, or better by so much.
const SPRT: Sprt = Sprt {
    elo0: 0.0,
    elo1: 10.0,
    alpha: 0.05,
    beta: 0.05,
    model: Model::Logistic,
};

/// In so many positions, of so many nodes each and so often, the speeds are measured.
const SPEED: (usize, u64, usize) = (8, 20_000, 3);
/// The table of the searches that are timed, in MB.
const SPEED_HASH: usize = 1;

/// How often an interrupt is looked for.
const PAUSE: Duration = Duration::from_millis(50);
/// How often progress is said.
const PROGRESS: Duration = Duration::from_secs(10);

/// Who plays, and how.
pub struct Gate<'g> {
    /// The file of the pairs.
    pub path: &'g Path,
    /// The new network, and the best so far; material where there is none.
    pub networks: [Option<Arc<Network>>; 2],
    /// The soft limit of the search for each move, of the faster one.
    pub nodes: u64,
    /// The most pairs.
    pub pairs: u64,
    /// What decides the openings.
    pub seed: u64,
    /// How far from even a game may begin.
    pub balance: i32,
    /// How many games at once.
    pub threads: usize,
    /// The endings that both know.
    pub endings: Arc<Endings>,
}

/// How it ended.
pub struct Verdict {
    /// The results of the new network.
    pub counts: Counts,
    /// The nodes of each.
    pub nodes: [u64; 2],
    /// The log likelihood ratio.
    pub llr: f64,
}

impl Verdict {
    /// Whether the new network is the better one, as far as is known.
    pub fn is_better(&self) -> bool {
        self.llr > 0.0
    }
}

/// A pair that was played; without results if only one side could win from its opening.
type Played = (u64, Option<[GameResult; 2]>);

impl Gate<'_> {
    /// Plays until it is known which network is better; `None` if it was interrupted.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn play<G: Entry>(
        &self,
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<Option<Verdict>, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let mut file = Lines::open(self.path).map_err(|error| wrong(&error))?;
        let mut score = Score::default();
        let nodes = match file.before.split_first() {
            None => {
                let nodes = self.equal_time::<G>();
                let [new, best] = nodes;
                file.append(&format!("nodes {new} {best}"))
                    .map_err(|error| wrong(&error))?;
                nodes
            }
            Some((head, pairs)) => {
                let read = read_nodes(head).filter(|_| pairs.iter().all(|line| score.read(line)));
                read.ok_or_else(|| wrong(&"it is no file of pairs"))?
            }
        };
        let openings = Mutex::new(Openings::new(self.seed));
        let end = &Interrupt::default();
        let first = score.next;
        let mut said = Instant::now();
        let mut written = Ok(());
        std::thread::scope(|scope| {
            let (sender, pairs) = channel();
            for _ in 0..self.threads {
                let (sender, openings) = (sender.clone(), &openings);
                let spawned = std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        self.play_pairs::<G>(nodes, first, openings, end, &sender);
                    });
                if let Err(error) = spawned {
                    log::warn!("learn: {error}");
                }
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            loop {
                if interrupt.is_set() || written.is_err() || score.is_over(self.pairs) {
                    end.set();
                }
                match pairs.recv_timeout(PAUSE) {
                    Ok((number, results)) => {
                        waiting.insert(number, results);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                while !score.is_over(self.pairs)
                    && written.is_ok()
                    && let Some(results) = waiting.remove(&score.next)
                {
                    let number = score.next;
                    score.next += 1;
                    if let Some(results) = results {
                        score.count(results);
                        let [first, second] = results.map(letter);
                        written = file.append(&format!("{number} {first} {second}"));
                    }
                }
                if said.elapsed() >= PROGRESS {
                    said = Instant::now();
                    console.say(&score.describe());
                }
            }
        });
        written.map_err(|error| wrong(&error))?;
        if !score.is_over(self.pairs) {
            return Ok(None);
        }
        console.say(&score.describe());
        Ok(Some(Verdict {
            counts: score.counts,
            nodes,
            llr: SPRT.llr(&score.counts),
        }))
    }

    /// Plays pairs from a number on until it is told to end.
    fn play_pairs<G: Entry>(
        &self,
        nodes: [u64; 2],
        first: u64,
        openings: &Mutex<Openings>,
        end: &Interrupt,
        pairs: &Sender<Played>,
    ) {
        let mut players = [0, 1].map(|index| {
            let network = self.networks[index].clone();
            Player::<G>::new(nodes[index], network, &self.endings, end)
        });
        loop {
            let opening = lock(openings).draw();
            if opening.number < first {
                continue;
            }
            // The best network says what is even.
            let Some(is_open) = players[1].is_open(&opening, self.balance) else {
                return;
            };
            let results = if is_open {
                let Some(results) = play_pair(&mut players, &opening) else {
                    return;
                };
                Some(results)
            } else {
                None
            };
            if pairs.send((opening.number, results)).is_err() {
                return;
            }
        }
    }

    /// The nodes for which each needs the same time. Networks of one size are equally fast.
    fn equal_time<G: Entry>(&self) -> [u64; 2] {
        let [new, best] = self
            .networks
            .each_ref()
            .map(|network| network.as_ref().map(|network| network.shape()));
        if new == best {
            return [self.nodes; 2];
        }
        let mut times = [Duration::ZERO; 2];
        let (positions, nodes, repetitions) = SPEED;
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut openings = Openings::new(self.seed);
        let openings: Vec<_> = (0..positions).map(|_| openings.draw::<G>()).collect();
        for _ in 0..repetitions {
            for (network, time) in self.networks.iter().zip(&mut times) {
                let mut searcher = Searcher::<G>::new(G::SHEET.params);
                searcher.evaluate_with(network.clone());
                searcher.prepare(1);
                let table = Arc::new(Table::new(SPEED_HASH, 1));
                let begin = Instant::now();
                for opening in &openings {
                    let (position, keys) = (&opening.position, &opening.keys);
                    let resources = Resources::alone(&table);
                    searcher.search(position, keys, &[], &limits, &resources, &mut |_| {});
                }
                *time += begin.elapsed();
            }
        }
        let fastest = times[0].min(times[1]);
        times.map(|time| {
            let share = fastest.as_secs_f64() / time.as_secs_f64().max(f64::MIN_POSITIVE);
            ((self.nodes as f64 * share) as u64).max(1)
        })
    }
}

/// How it stands.
#[derive(Default)]
struct Score {
    counts: Counts,
    /// The number of the next opening.
    next: u64,
}

impl Score {
    fn count(&mut self, results: [GameResult; 2]) {
        for result in results {
            self.counts.add_game(result);
        }
        let [first, second] = results;
        self.counts.add_pair(first, second);
    }

    /// Counts the pair of a line; `false` if it is none.
    fn read(&mut self, line: &str) -> bool {
        let mut words = line.split(' ');
        let number = words.next().and_then(|word| word.parse::<u64>().ok());
        let mut result = || words.next().and_then(result_of);
        let (Some(number), Some(first), Some(second)) = (number, result(), result()) else {
            return false;
        };
        self.count([first, second]);
        self.next = number.saturating_add(1);
        true
    }

    fn is_over(&self, pairs: u64) -> bool {
        self.counts.pairs.iter().sum::<u64>() >= pairs || self.verdict().is_some()
    }

    fn verdict(&self) -> Option<Hypothesis> {
        SPRT.verdict(&self.counts)
    }

    fn describe(&self) -> String {
        let (lower, upper) = SPRT.bounds();
        let counts = &self.counts;
        format!(
            "the new network against the best: {counts}, Elo {}, LLR {:.2} ({lower:.2}, {upper:.2})",
            counts.elo(),
            SPRT.llr(counts)
        )
    }
}

fn read_nodes(line: &str) -> Option<[u64; 2]> {
    let mut words = line.strip_prefix("nodes ")?.split(' ');
    let mut number = || words.next()?.parse().ok();
    Some([number()?, number()?])
}

fn letter(result: GameResult) -> char {
    match result {
        GameResult::Win => 'w',
        GameResult::Draw => 'd',
        GameResult::Loss => 'l',
    }
}

fn result_of(word: &str) -> Option<GameResult> {
    let all = [GameResult::Win, GameResult::Draw, GameResult::Loss];
    all.into_iter()
        .find(|&result| word == letter(result).to_string())
}
