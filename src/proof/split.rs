//! Splits the search for the winner of a position into parts for many processes: job-level
//! proof-number search (I.-C. Wu, H.-H. Lin et al., "Job-Level Proof-Number Search for Connect6",
//! 2010).
//!
//! The positions that were searched before are a tree in memory. Each walk leads to the leaf that
//! decides the root most cheaply. If it was searched and is undecided, its children become leaves.
//! Otherwise it is a job, and its numbers are raised, so that the next walk leads to another leaf.

use super::dfpn::{Child, Prover, combine};
use super::table::{MOST, Numbers};
use crate::engine::Entry;
use std::collections::HashSet;

/// The numbers of a leaf that became a job are multiplied by this.
const BUSY: u64 = 4;
/// The split gives up after this many walks, for each job wanted, have ended at leaves that are jobs
/// already.
const WALKS: usize = 64;

struct SplitNode<G> {
    position: G,
    /// The moves; empty in a leaf.
    children: Vec<Child>,
    /// The index in `nodes` of the first child; the others follow.
    first: usize,
}

/// Returns the positions to search next, at most `wanted`; none if the winner is known.
///
/// `searched` has the keys of the positions that were searched; their numbers are in the prover's
/// table.
pub(super) fn split<G: Entry>(
    prover: &mut Prover<'_, G>,
    position: &G,
    searched: &HashSet<u64>,
    wanted: usize,
) -> Vec<G> {
    let mut jobs: Vec<G> = Vec::new();
    let mut keys = HashSet::new();
    let mut nodes = vec![SplitNode::leaf(position.clone())];
    let mut root = prover.numbers(position);
    let mut fruitless = 0;
    while jobs.len() < wanted && fruitless < WALKS * wanted {
        if root.is_decided() {
            return Vec::new();
        }
        // From the root to a leaf: the nodes, and the index of the child below each.
        let (mut path, mut place) = (Vec::new(), 0);
        while !nodes[place].children.is_empty() {
            let best = combine(&nodes[place].children).best;
            path.push((place, best));
            place = nodes[place].first + best;
        }
        let key = nodes[place].position.key();
        let mut numbers = match path.last() {
            Some(&(above, best)) => nodes[above].children[best].numbers,
            None => root,
        };
        if searched.contains(&key) {
            let position = nodes[place].position.clone();
            let mut children = prover.children(&position, 0);
            keep_the_price(&mut children, numbers);
            nodes[place].first = nodes.len();
            for child in &children {
                let mut next = position.clone();
                next.play(child.mv);
                nodes.push(SplitNode::leaf(next));
            }
            numbers = combine(&children).numbers;
            nodes[place].children = children;
        } else {
            if keys.insert(key) {
                jobs.push(nodes[place].position.clone());
            } else {
                fruitless += 1;
            }
            let raise = |number: u64| number.saturating_mul(BUSY).min(MOST);
            numbers = Numbers { proof: raise(numbers.proof), disproof: raise(numbers.disproof) };
        }
        for (above, best) in path.into_iter().rev() {
            nodes[above].children[best].numbers = numbers;
            numbers = combine(&nodes[above].children).numbers;
        }
        root = numbers;
    }
    jobs
}

/// Raises the numbers of children so that their node's numbers do not fall below `searched`, the
/// result of a search, which has shown that the first guesses were too low.
fn keep_the_price(children: &mut [Child], searched: Numbers) {
    let now = combine(children).numbers;
    if now.is_decided() {
        return;
    }
    let raise = |number: u64, searched: u64, now: u64| {
        let raised = u128::from(number) * u128::from(searched.max(now)) / u128::from(now);
        raised.min(u128::from(MOST)) as u64
    };
    for Child { numbers, .. } in children {
        if !numbers.is_decided() {
            numbers.disproof = raise(numbers.disproof, searched.proof, now.proof);
            numbers.proof = raise(numbers.proof, searched.disproof, now.disproof);
        }
    }
}

impl<G> SplitNode<G> {
    fn leaf(position: G) -> Self {
        Self { position, children: Vec::new(), first: 0 }
    }
}
