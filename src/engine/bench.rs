//! `bench`: a fixed amount of search. The nodes are the program's signature: as long as
//! they stay the same, it plays the same. The time is its speed.

use super::{Request, SearchEvent, Session, Variant};
use crate::search::{Control, Limits, Resources, Table};
use std::sync::Arc;
use std::time::Instant;

/// The depth when none is given.
pub const DEFAULT_DEPTH: u32 = 9;

/// Table size in MB: a part of the signature.
const HASH: usize = 16;

/// Reads a depth from the command line or a protocol.
///
/// # Errors
///
/// The text is no number from 1 to 100.
pub fn read_depth(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|depth| (1..=100).contains(depth))
        .ok_or_else(|| format!("bench: `{text}` is not a depth from 1 to 100"))
}

/// Searches the start position and the sample positions of each game to a depth, with one
/// thread and an empty table each, and says a line per game and the sums.
pub fn run(variants: &[Variant], depth: u32, control: &Arc<Control>, say: &mut dyn FnMut(&str)) {
    let mut total = 0;
    let start = Instant::now();
    for variant in variants {
        let mut session = (variant.open)();
        let samples = session.info().samples;
        let (mut nodes, begun) = (0, Instant::now());
        for fen in std::iter::once(None).chain(samples.iter().copied().map(Some)) {
            if let Err(error) = session.set_position(fen, &[]) {
                say(&format!("bench: {}: {error}", variant.name));
                continue;
            }
            session.forget();
            if control.is_stopped() {
                return;
            }
            nodes += search(&*session, depth, control);
        }
        total += nodes;
        say(&speed(variant.name, nodes, begun));
    }
    say(&speed("total", total, start));
}

fn search(session: &dyn Session, depth: u32, control: &Arc<Control>) -> u64 {
    let request = Request {
        limits: Limits {
            depth: Some(depth),
            ..Limits::default()
        },
        search_moves: Vec::new(),
    };
    let resources = Resources {
        table: Arc::new(Table::new(HASH, 1)),
        control: Arc::clone(control),
        threads: 1,
    };
    let mut last = 0;
    if let Ok(task) = session.search(&request, resources) {
        task(&mut |event| {
            if let SearchEvent::Line { nodes, .. } = event {
                last = nodes;
            }
        });
    }
    last
}

fn speed(name: &str, nodes: u64, since: Instant) -> String {
    let nps = (nodes as f64 / since.elapsed().as_secs_f64().max(1e-6)) as u64;
    format!("{name:<10} {nodes:>12} nodes {nps:>10} nps")
}
