//! `bench`: a fixed amount of search. The nodes are the program's signature: as long as
//! they stay the same, it plays the same. The time is its speed.

use super::session::Session;
use super::variant::Variant;
use crate::search::{Control, Limits, Resources, Table};
use crate::system::text::{ValueError, plain};
use std::ops::AddAssign;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The default depth.
pub const DEFAULT_DEPTH: u32 = 9;

/// Table size in MB: a part of the signature.
const HASH: usize = 16;

/// Reads the depth that follows a word.
pub fn read_depth(name: &str, text: &str) -> Result<u32, ValueError> {
    plain(text)
        .filter(|depth| (1..=100).contains(depth))
        .ok_or_else(|| ValueError::new(name, text, "not a depth from 1 to 100"))
}

/// The cost of searches.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: u64,
    time: Duration,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

impl Cost {
    /// Formats a line with the nodes and the speed.
    fn line(self, name: &str) -> String {
        let nodes = self.nodes;
        let nps = (nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64;
        format!("{name:<10} {nodes:>12} nodes {nps:>10} nps")
    }
}

/// Searches the start position and the sample positions of each game to a depth, with one
/// thread and an empty table each, and prints a line per game and the sums. Only the searches
/// are timed, not their preparation.
pub fn run(variants: &[Variant], depth: u32, control: &Arc<Control>, say: &mut dyn FnMut(&str)) {
    let mut table = Arc::new(Table::new(HASH, 1));
    let mut total = Cost::default();
    for variant in variants {
        let mut session = variant.open();
        session.prepare(1);
        let samples = session.info().samples;
        let mut effort = Cost::default();
        for fen in std::iter::once(None).chain(samples.iter().copied().map(Some)) {
            if let Err(error) = session.set_position(fen, &[]) {
                say(&format!("bench: {}: {error}", variant.info.name));
                continue;
            }
            session.forget();
            Table::renew(&mut table, 1);
            effort += search(&*session, depth, &table, control);
            // A part of the searches has no meaningful total.
            if control.is_stopped() {
                return;
            }
        }
        total += effort;
        say(&effort.line(variant.info.name));
    }
    say(&total.line("total"));
}

fn search(session: &dyn Session, depth: u32, table: &Arc<Table>, control: &Arc<Control>) -> Cost {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let resources = Resources { control: Arc::clone(control), ..Resources::alone(table) };
    let start = Instant::now();
    let found = (session.search(&limits.into(), resources)).map(|task| task(&mut |_| {}));
    Cost { nodes: found.map_or(0, |found| found.answer.nodes), time: start.elapsed() }
}
