//! The gate: a match between a new network and the best so far at equal time.
//!
//! It has pairs of games with both colours from one opening, until a sequential test decides or the limit
//! of pairs is reached. Every pair is a line of a file, in the order of the openings. So an
//! interrupted gate resumes, and its end does not depend on the number of threads.

use super::parallel::play_games;
use super::selfplay::{RandomOpenings, SelfPlayer, play_pair};
use crate::cli::interrupt::Interrupt;
use crate::cli::{Console, Failure, sources};
use crate::endings::Endings;
use crate::engine::Entry;
use crate::eval::Network;
use crate::search::{Limits, Resources, Searcher, Table};
use crate::statistics::elo::{Counts, GameResult};
use crate::statistics::sprt::{Model, Sprt};
use crate::system::files::Lines;
use crate::system::interval::Interval;
use crate::system::sync::lock;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The test of a new network: no better, or 20 Elo better.
const SPRT: Sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };

/// Number of positions in which the speed is measured.
const SPEED_POSITIONS: usize = 8;
/// Nodes of each search that measures the speed.
const SPEED_NODES: u64 = 20_000;
/// Number of such searches in each position.
const SPEED_REPETITIONS: usize = 3;
/// Size of their table in MB.
const SPEED_HASH: usize = 1;

/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_secs(10);

/// A match of two networks.
pub(super) struct Gate<'g> {
    /// File of the results, a line for each pair.
    pub path: &'g Path,
    /// The new network and the best so far; material where there is none.
    pub networks: [Option<Arc<Network>>; 2],
    /// Soft limit of nodes for each move of the faster network.
    pub nodes: u64,
    /// True if the limit grows as pieces are captured.
    pub growth: bool,
    /// Greatest number of pairs.
    pub pairs: u64,
    /// Seed of the openings.
    pub seed: u64,
    /// Greatest imbalance of an opening.
    pub balance: i32,
    /// Number of games played at once.
    pub threads: usize,
    /// Solved endings, for both networks.
    pub endings: Arc<Endings>,
}

pub(super) struct GateResult {
    /// Results of the new network.
    pub counts: Counts,
    /// Nodes for each move of the two networks.
    pub nodes: [u64; 2],
    /// Log likelihood ratio.
    pub llr: f64,
}

impl Gate<'_> {
    /// Plays until the test decides or the limit of pairs is reached; `None` if it was interrupted.
    pub(super) fn play<G: Entry>(
        &self,
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<Option<GateResult>, Failure> {
        let mut file = sources::lines(self.path, console)?;
        let mut score = GateScore::default();
        let before = std::mem::take(&mut file.before);
        let before: Option<Vec<_>> = before.iter().map(|line| file.unsealed(line)).collect();
        let damaged =
            || Failure::file(self.path)("it is damaged; remove it to play its pairs again");
        let nodes = match before.ok_or_else(damaged)?.split_first() {
            None => {
                let nodes = self.equal_time::<G>();
                let [new, best] = nodes;
                file.append_sealed(&format!("nodes {new} {best}"))
                    .map_err(Failure::file(self.path))?;
                nodes
            }
            Some((head, pairs)) => {
                let read = read_nodes(head).filter(|_| pairs.iter().all(|line| score.read(line)));
                read.ok_or_else(damaged)?
            }
        };
        if !score.is_final(self.pairs) {
            self.play_pairs::<G>(nodes, &mut score, &mut file, interrupt, console)
                .map_err(Failure::file(self.path))?;
        }
        if !score.is_final(self.pairs) {
            return Ok(None);
        }
        console.say(&score.describe());
        Ok(Some(GateResult { counts: score.counts, nodes, llr: SPRT.llr(&score.counts) }))
    }

    /// Plays pairs until the score is final or an interrupt comes.
    fn play_pairs<G: Entry>(
        &self,
        nodes: [u64; 2],
        score: &mut GateScore,
        file: &mut Lines,
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> std::io::Result<()> {
        let openings = Mutex::new(RandomOpenings::new(self.seed));
        let first = score.next;
        let mut progress = Interval::new(PROGRESS);
        let mut waiting = BTreeMap::new();
        let mut written = Ok(());
        play_games(
            self.threads,
            interrupt,
            |end| {
                [0, 1].map(|index| {
                    let network = self.networks[index].clone();
                    SelfPlayer::<G>::new(nodes[index], self.growth, network, &self.endings, end)
                })
            },
            |players| {
                let opening = loop {
                    let opening = lock(&openings).draw();
                    if opening.number >= first {
                        break opening;
                    }
                };
                // The best network judges the opening.
                let results = if players[1].is_open(&opening, self.balance)? {
                    Some(play_pair(players, &opening)?)
                } else {
                    None
                };
                Some((opening.number, results))
            },
            |(number, results)| {
                waiting.insert(number, results);
                while !score.is_final(self.pairs)
                    && written.is_ok()
                    && let Some(results) = waiting.remove(&score.next)
                {
                    if let Some(results) = results {
                        let [first, second] = results.map(letter);
                        written = file.append_sealed(&format!("{} {first} {second}", score.next));
                        score.count(results);
                    }
                    score.next += 1;
                }
                if progress.is_over() {
                    console.say(&score.describe());
                }
                written.is_ok() && !score.is_final(self.pairs)
            },
        );
        written
    }

    /// Returns the numbers of nodes that both networks search in the same time. Networks of one size are
    /// equally fast.
    fn equal_time<G: Entry>(&self) -> [u64; 2] {
        let [new, best] =
            self.networks.each_ref().map(|network| network.as_ref().map(|network| network.shape()));
        if new == best {
            return [self.nodes; 2];
        }
        let mut times = [Duration::ZERO; 2];
        let limits = Limits { nodes: Some(SPEED_NODES), ..Limits::default() };
        let mut openings = RandomOpenings::new(self.seed);
        let openings: Vec<_> = (0..SPEED_POSITIONS).map(|_| openings.draw::<G>()).collect();
        for _ in 0..SPEED_REPETITIONS {
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

/// Score so far.
#[derive(Default)]
struct GateScore {
    counts: Counts,
    /// Number of the next opening.
    next: u64,
}

impl GateScore {
    fn count(&mut self, results: [GameResult; 2]) {
        for result in results {
            self.counts.add_game(result);
        }
        let [first, second] = results;
        self.counts.add_pair(first, second);
    }

    /// Counts the pair of games in a line of the file. Returns false if the line is malformed.
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

    fn is_final(&self, pairs: u64) -> bool {
        self.counts.pairs.iter().sum::<u64>() >= pairs || SPRT.verdict(&self.counts).is_some()
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
    all.into_iter().find(|&result| word == letter(result).to_string())
}
