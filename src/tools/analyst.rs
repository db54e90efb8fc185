//! Searches positions one after the other, each as if it were the first, on several threads.

use crate::cli::interrupt::Interrupt;
use crate::cli::{Args, Failure};
use crate::engine::{Found, Session};
use crate::search::{Budget, Limits, Resources, STACK_BYTES, Table};
use crate::system::Cause;
use crate::system::sync::{cores, lock};
use crate::system::text::MAX_MILLIS;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// The limit of a search that has no other.
const DEFAULT_NODES: u64 = 100_000;
/// The greatest table of a search in MB, without `--hash`.
const DEFAULT_HASH: usize = 16;
/// Bytes of table that a node can fill. A larger table is only cleared in vain.
const BYTES_PER_NODE: u64 = 32;
/// Factor by which a ply multiplies the nodes of a search; it is rarely more.
const NODES_OF_A_PLY: u64 = 4;

/// Questions that a thread may be ahead of the oldest without an answer.
const AHEAD: usize = 32;
/// Limit of searches at once.
const MAX_JOBS: usize = 256;

/// Limits and table size of a search.
#[derive(Clone, Debug)]
pub(super) struct Effort {
    pub limits: Limits,
    /// The size of a search's table in MB.
    pub hash: usize,
    /// Number of positions searched at once.
    pub jobs: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { limits: Limits::default(), hash: DEFAULT_HASH, jobs: cores().min(MAX_JOBS) }
    }
}

impl Effort {
    /// Reads an option of the command line; false if it is none of these.
    pub(super) fn read_option(&mut self, name: &str, args: &mut Args<'_>) -> Result<bool, Failure> {
        let limits = &mut self.limits;
        match name {
            "--depth" => limits.depth = Some(args.number(1, u32::MAX)?),
            "--nodes" => limits.nodes = Some(args.number(1, u64::MAX)?),
            "--movetime" => {
                let time = Duration::from_millis(args.number(1, MAX_MILLIS)?);
                limits.time = Some(Budget::exact(time, Duration::ZERO));
            }
            "--hash" => self.hash = args.number(1, Table::MAX_MEGABYTES)?,
            "--jobs" => self.jobs = args.number(1, MAX_JOBS)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Completes the limits, and fits the table to them and to the machine.
    pub(super) fn settle(&mut self) -> Result<(), Failure> {
        let limits = &mut self.limits;
        let is_limited = limits.depth.is_some() || limits.mate.is_some() || limits.time.is_some();
        if limits.nodes.is_none() && !is_limited {
            limits.nodes = Some(DEFAULT_NODES);
        }
        let deepest = limits
            .depth
            .map_or(u64::MAX, |depth| NODES_OF_A_PLY.saturating_pow(depth.saturating_add(3)));
        let nodes = limits.nodes.map_or(deepest, |nodes| nodes.min(deepest));
        if nodes < u64::MAX {
            let useful = (nodes.saturating_mul(BYTES_PER_NODE) >> 20) + 1;
            self.hash = self.hash.min(usize::try_from(useful).unwrap_or(usize::MAX));
        }
        if Table::fits(self.jobs.saturating_mul(self.hash)) {
            Ok(())
        } else {
            let fault = "MB of memory cannot be allocated";
            Err(Failure::refused(format!("--hash: {} x {} {fault}", self.jobs, self.hash)))
        }
    }
}

/// Searches positions with the same limits and table.
pub(super) struct Analyst {
    limits: Limits,
    table: Arc<Table>,
    interrupt: Interrupt,
}

impl Analyst {
    /// Creates an analyst with a table of its own, whose searches an interrupt ends.
    pub(super) fn new(effort: &Effort, interrupt: &Interrupt) -> Self {
        Self {
            limits: effort.limits,
            table: Arc::new(Table::new(effort.hash, 1)),
            interrupt: interrupt.clone(),
        }
    }

    /// Searches the position of a session.
    pub(super) fn search(&mut self, session: &mut dyn Session) -> Result<Found, Cause> {
        Table::renew(&mut self.table, 1);
        session.forget();
        let resources =
            Resources { control: self.interrupt.of_search(), ..Resources::alone(&self.table) };
        let task = session.search(&self.limits.into(), resources)?;
        let found = task(&mut |_| {});
        if found.lines.is_empty() { Err("nothing was found".into()) } else { Ok(found) }
    }
}

/// Answers questions on `jobs` threads, each with a worker of its own, and takes the answers in the
/// order of the questions.
///
/// `read` has a thread too, and hands out questions until it is refused. The queue of answers is
/// bounded, and with it the memory, however many questions there are.
pub(super) fn answer_in_order<Q: Send, A: Send, W: FnMut(Q) -> A>(
    jobs: usize,
    read: impl FnOnce(&mut dyn FnMut(Q) -> bool) + Send,
    worker: impl Fn() -> W + Sync,
    take: impl FnMut(A),
) -> Result<(), Failure> {
    let (questions, queue) = channel::<(Q, Sender<A>)>();
    let (pending, answers) = sync_channel(jobs * AHEAD);
    // The workers alone hold the queue: should they all fail, its questions are dropped, and
    // nobody waits for them.
    let queue = Arc::new(Mutex::new(queue));
    let worker = &worker;
    std::thread::scope(move |scope| {
        for _ in 0..jobs {
            let queue = Arc::clone(&queue);
            spawn(scope, move || {
                let mut answer = worker();
                loop {
                    let Ok((question, asker)) = lock(&queue).recv() else {
                        return;
                    };
                    // Nobody is left to hear it if this fails.
                    let _ = asker.send(answer(question));
                }
            })?;
        }
        drop(queue);
        spawn(scope, move || {
            read(&mut |question| {
                let (asker, answer) = channel();
                pending.send(answer).is_ok() && questions.send((question, asker)).is_ok()
            });
        })?;
        // A worker that fails leaves its question without an answer; the panic is reported
        // when all is done.
        let answers = answers.into_iter().filter_map(|answer| answer.recv().ok());
        answers.for_each(take);
        Ok(())
    })
}

/// Starts a thread that can search.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> Result<(), Failure> {
    Builder::new()
        .stack_size(STACK_BYTES)
        .spawn_scoped(scope, work)
        .map(drop)
        .map_err(Failure::no_thread)
}
