//! `prove`: proof of the winner of a position, in a game without draws or cycles.

mod check;
mod dfpn;
mod file;
mod split;
mod table;

use crate::cli::interrupt::Interrupt;
use crate::cli::tool::{self, Tool};
use crate::cli::{Access, Args, Command, Console, Failure, check_distinct};
use crate::engine::{Entry, PositionError};
use crate::games::{Game, GameExt, Side, result};
use crate::search::Table;
use crate::system::files::Replacement;
use check::check;
use dfpn::Prover;
use file::{Content, Finding, ProofFile, fields};
use split::split;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;
use table::{Numbers, ProofTable};

pub static COMMAND: Command = Command {
    name: "prove",
    operands: "VARIANT [FEN]",
    summary: "prove who wins a position; see prove --help",
    help: "\
quadrille prove VARIANT [FEN] [--out FILE] [--with FILE ...] [--table FILE] [--hash MB]
                [--nodes N]
quadrille prove VARIANT [FEN] --split N [--with FILE ...] [--table FILE] [--hash MB]
quadrille prove VARIANT [FEN] --check FILE ...
  FEN              the position (the start)
  --out FILE       append the result and the winner's moves
  --with FILE ...  begin with the findings of other runs
  --table FILE     keep the proof numbers in a file: repeat the command to resume
  --hash MB        memory for proof numbers (256; ignored if the file of --table exists)
  --nodes N        stop the search after N nodes (no limit)
  --split N        write up to N positions to search next, none if the winner is known
  --check FILE ... check by the rules alone that the moves in these files win
Proves which side wins, in a game without draws or cycles (congress), and writes a line of EPD: the
result, or the proof and disproof number. The start, with 24 pieces, would take about 80 billion
nodes, more than two days; 16 pieces take a second. The exit status is 1 if the winner was not
found.
Example: quadrille prove congress '3k2k1/8/8/1p6/1P6/3K2K1 w' --out proof.epd",
    run: |words, console| tool::run::<Prove>(words, &Interrupt::by_signals(), console),
};

/// Default size of the table in MB.
const HASH: usize = 256;
/// Greatest number of parts.
const MAX_PARTS: usize = 1_000_000;
/// Nodes between saves of the table.
const SAVED_AFTER: u64 = 200_000_000;
/// Node count of a winning move from a file: it decides how long the table keeps the move.
const KNOWN_MOVE: u64 = 1_000_000;

/// Moves of the winner that are written at once.
const MOVES_AT_ONCE: usize = 10_000;

/// Proves who wins.
pub struct Prove;

#[derive(Default)]
struct ProveOptions {
    fen: Option<String>,
    out: Option<PathBuf>,
    with: Vec<PathBuf>,
    table: Option<PathBuf>,
    nodes: Option<u64>,
    hash: Option<usize>,
    split: Option<usize>,
    check: Vec<PathBuf>,
}

impl ProveOptions {
    fn read(words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut fen = Vec::new();
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            match word {
                "--out" => options.out = Some(args.value()?.into()),
                "--with" => options.with.extend(read_files(&mut args)?),
                "--check" => options.check.extend(read_files(&mut args)?),
                "--table" => options.table = Some(args.value()?.into()),
                "--nodes" => options.nodes = Some(args.number(1, u64::MAX)?),
                "--hash" => options.hash = Some(args.number(1, Table::MAX_MEGABYTES)?),
                "--split" => options.split = Some(args.number(1, MAX_PARTS)?),
                _ => fen.push(args.operand()?),
            }
        }
        options.fen = Some(fen.join(" ")).filter(|fen| !fen.is_empty());
        let searches = options.out.is_some() || options.nodes.is_some();
        let reads = !options.with.is_empty() || options.table.is_some() || options.hash.is_some();
        if options.split.is_some() && searches {
            let fault = "--split goes with neither --out nor --nodes";
            return Err(Failure::Usage(fault.into()));
        }
        if !options.check.is_empty() && (searches || reads || options.split.is_some()) {
            return Err(Failure::Usage("--check goes with no other option".into()));
        }
        let with = options.with.iter().map(|path| ("--with", Some(&**path), Access::Read));
        check_distinct(with.chain([
            // It is read whole before anything is appended.
            ("--out", options.out.as_deref(), Access::Read),
            ("--table", options.table.as_deref(), Access::Replace),
        ]))?;
        Ok(options)
    }

    /// Returns the table of an earlier run, or an empty one.
    fn table<G: Game>(&self) -> Result<ProofTable, Failure> {
        match &self.table {
            Some(path) if path.exists() => {
                ProofTable::read(G::NAME, path).map_err(Failure::file(path))
            }
            _ => {
                let megabytes = self.hash.unwrap_or(HASH);
                ProofTable::new(megabytes).ok_or_else(|| {
                    let fault = "MB of memory cannot be allocated";
                    Failure::refused(format!("--hash: {megabytes} {fault}"))
                })
            }
        }
    }
}

/// Takes the files after an option: one at least.
fn read_files(args: &mut Args<'_>) -> Result<Vec<PathBuf>, Failure> {
    let first = args.value()?;
    let rest = args.words().map(PathBuf::from);
    Ok([first.into()].into_iter().chain(rest).collect())
}

impl Tool for Prove {
    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure> {
        let options = ProveOptions::read(words)?;
        if !G::IS_ACYCLIC {
            return Err(Failure::refused(format!(
                "games of {} can be drawn or repeat a position, so a search may find no winner",
                G::NAME
            )));
        }
        let fen = options.fen.as_deref().unwrap_or(G::START);
        let position = G::from_fen(fen).map_err(PositionError::from)?;
        let is_decided = if options.check.is_empty() {
            search(&position, &options, interrupt, console)?
        } else {
            console.say(&check_files(&position, &options.check, interrupt)?);
            true
        };
        Ok(ExitCode::from(u8::from(!is_decided)))
    }
}

/// Searches a position, or splits the search. Returns false if the search did not decide it.
fn search<G: Entry>(
    position: &G,
    options: &ProveOptions,
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<bool, Failure> {
    let table = options.table::<G>()?;
    let mut findings = Vec::new();
    for path in &options.with {
        findings.extend(Finding::<G>::read_all(path)?);
    }
    let out = options.out.as_deref();
    let out = out.map(|path| ProofFile::open(path, console));
    let mut out = out.transpose()?;
    let mut prover = Prover::new(table, interrupt, console);
    let mut is_reported = false;
    if let Some(out) = &out {
        let before = out.findings::<G>()?;
        is_reported = before.iter().any(|finding| {
            let Content::Numbers(numbers, _) = finding.content else {
                return false;
            };
            finding.position.key() == position.key() && numbers.is_decided()
        });
        findings.extend(before);
    }
    let Known { written, searched } = store(findings, &mut prover.table);
    if let Some(wanted) = options.split {
        let jobs = split(&mut prover, position, &searched, wanted);
        jobs.iter().for_each(|job| console.say(&fields(job)));
        return Ok(true);
    }
    if let Some(path) = &options.table {
        // A place that cannot be written to is known before the search.
        Replacement::create(path).map_err(Failure::file(path))?;
    }
    let (numbers, mut saved) = search_and_save(&mut prover, position, options, interrupt);
    let found = Finding::new(position, Content::Numbers(numbers, prover.nodes));
    if let Some(out) = &mut out
        && numbers.is_decided()
    {
        let nodes = prover.nodes;
        let moves = write_moves(&mut prover, position, written, out);
        if prover.nodes > nodes {
            saved = save(&prover.table, G::NAME, options);
        }
        moves?;
    }
    // The moves have shown that no line of a file is wrong about the winner.
    console.say(&found.to_string());
    if let Some(out) = &mut out
        && !is_reported
    {
        out.append([found].into_iter())?;
    }
    saved.map(|()| numbers.is_decided())
}

/// The keys of positions in files.
struct Known {
    /// Positions with a move of the winner.
    written: HashSet<u64>,
    /// Positions that were searched.
    searched: HashSet<u64>,
}

/// Stores findings in a table.
fn store<G: Game>(findings: Vec<Finding<G>>, table: &mut ProofTable) -> Known {
    let (mut written, mut searched) = (HashSet::new(), HashSet::new());
    for Finding { position, content } in findings {
        let key = position.key();
        match content {
            Content::Move(_) => {
                table.store(key, Numbers::WON, KNOWN_MOVE);
                written.insert(key);
            }
            Content::Numbers(numbers, nodes) => {
                let nodes = if numbers.is_decided() { u64::MAX } else { nodes };
                table.store(key, numbers, nodes);
                searched.insert(key);
            }
        }
    }
    Known { written, searched }
}

/// Searches, and saves the table at intervals. Returns the numbers, and the fault of the last save.
fn search_and_save<G: Entry>(
    prover: &mut Prover<'_, G>,
    position: &G,
    options: &ProveOptions,
    interrupt: &Interrupt,
) -> (Numbers, Result<(), Failure>) {
    let limit = options.nodes.unwrap_or(u64::MAX);
    let mut saved = Ok(());
    loop {
        let before = prover.nodes;
        let numbers = prover.prove(position, limit.min(before + SAVED_AFTER));
        if prover.nodes > before {
            saved = save(&prover.table, G::NAME, options);
        }
        if numbers.is_decided() || prover.nodes >= limit || interrupt.is_set() {
            return (numbers, saved);
        }
        if let Err(fault) = &saved {
            log::warn!("{fault}");
        }
    }
}

/// Saves the table, if it has a file.
fn save(table: &ProofTable, game: &str, options: &ProveOptions) -> Result<(), Failure> {
    let Some(path) = &options.table else {
        return Ok(());
    };
    table.write(game, path).map_err(Failure::file(path))
}

/// Appends the winner's moves to a file, some at a time. After an interrupt the file has the moves
/// that were found.
fn write_moves<G: Entry>(
    prover: &mut Prover<'_, G>,
    position: &G,
    written: HashSet<u64>,
    out: &mut ProofFile<'_>,
) -> Result<(), Failure> {
    let mut moves = Vec::new();
    let end = prover.write_moves(position, written, |position, mv| {
        moves.push(Finding::new(position, Content::Move(mv)));
        if moves.len() < MOVES_AT_ONCE {
            return Ok(());
        }
        out.append(moves.drain(..))
    });
    out.append(moves.into_iter())?;
    end
}

/// Checks the proof in files. Returns a sentence with the winner.
fn check_files<G: Game>(
    position: &G,
    files: &[PathBuf],
    interrupt: &Interrupt,
) -> Result<String, Failure> {
    let mut moves = HashMap::new();
    for path in files {
        for Finding { position, content } in Finding::<G>::read_all(path)? {
            if let Content::Move(mv) = content {
                moves.insert(fields(&position), mv);
            }
        }
    }
    let mut gaps = Vec::new();
    for winner in [Side::White, Side::Black] {
        match check(position, winner, &moves, interrupt) {
            Ok(count) => {
                let (fields, result) = (fields(position), result(Some(winner)));
                return Ok(format!("{fields} {result}: {count} positions checked"));
            }
            // What was not checked is no gap.
            Err(failure @ Failure::Interrupted(_)) => return Err(failure),
            Err(gap) => gaps.push(format!("no win of {}: {gap}", winner.name())),
        }
    }
    Err(Failure::refused(gaps.join("; ")))
}
