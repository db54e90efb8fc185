//! `analyse`: searches a position a line, and prints a line of JSON for each.
//!
//! Each search begins without knowledge of earlier ones. Its findings depend on its line alone, so
//! lines can be spread over threads and machines in any way.

use super::analyst::{Analyst, Effort, answer_in_order};
use crate::cli::interrupt::Interrupt;
use crate::cli::sources::{self, Source};
use crate::cli::{Args, Command, Console, Failure};
use crate::endings::Value;
use crate::engine::{MAX_MULTI_PV, PositionError, Session, VARIANTS, Variant, find_game};
use crate::games::{Outcome, result};
use crate::records::epd::{self, EpdRecord};
use crate::records::json::{self, Object};
use crate::search::{self, Bound, Score, ScoreModel};
use crate::system::Cause;
use crate::system::interval::Interval;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "analyse",
    operands: "[OPTION ...] [FILE ...]",
    summary: "search FENs and EPDs; see analyse --help",
    help: "\
quadrille analyse [OPTION ...] [FILE ...]
  FILE           lines of FEN or EPD; - or none is standard input
  --variant NAME the game of lines that do not name one (gothic)
  --depth N  --nodes N  --movetime MS
                 end the search of a position at the first that is reached (--nodes 100000)
  --mate N       look for a win in N moves, and end when it is found or there is none
  --multipv N    how many of the best moves to find (1)
  --jobs N       how many positions to search at once (one for each processor)
  --hash MB      the greatest table of a job (16)
  --score        ends with the number of problems solved
Writes a line of JSON for each. The exit status is 1 if a line is broken.
Example: echo 'congress startpos moves b1c3' | quadrille analyse --nodes 10000",
    run: |words, console| {
        let options = AnalyseOptions::read(VARIANTS, words)?;
        let sources = sources::open(&options.files)?;
        let is_fine = run(&options, sources, console)?;
        Ok(ExitCode::from(u8::from(!is_fine)))
    },
};

/// Time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

#[derive(Default)]
pub struct AnalyseOptions {
    variants: &'static [Variant],
    /// Game of lines that do not name one.
    variant: Variant,
    effort: Effort,
    /// Ends with the number of positions solved.
    score: bool,
    pub files: Vec<String>,
}

impl AnalyseOptions {
    /// Reads the words after `analyse`.
    pub fn read(variants: &'static [Variant], words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self { variants, variant: variants[0], ..Self::default() };
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            let limits = &mut options.effort.limits;
            match word {
                "--variant" => options.variant = args.variant(variants)?,
                "--multipv" => limits.multi_pv = args.number(1, MAX_MULTI_PV)?,
                "--mate" => limits.mate = Some(args.number(1, u32::MAX)?),
                "--score" => options.score = true,
                _ if options.effort.read_option(word, &mut args)? => {}
                _ => options.files.push(args.operand()?.into()),
            }
        }
        options.effort.settle()?;
        if options.files.is_empty() {
            options.files.push("-".into());
        }
        Ok(options)
    }
}

/// Origin of a line.
#[derive(Clone, Debug)]
struct Origin {
    /// File name; `None` for standard input.
    file: Option<Arc<str>>,
    /// Line number, from 1.
    number: u64,
}

impl Origin {
    fn json(&self) -> Object {
        let file = self.file.as_deref().map(json::string);
        Object::new().with_some("file", file).with("line", self.number)
    }
}

/// A line to answer, or the reason why it cannot be read.
type Question = (Origin, Result<String, Cause>);

/// Result of a line.
struct LineResult {
    json: Object,
    broken: bool,
    /// True if the answer is right; `None` if the line has no solution.
    solved: Option<bool>,
}

impl LineResult {
    fn broken(origin: &Origin, error: &Cause) -> Self {
        Self {
            json: origin.json().with("error", json::string(&error.to_string())),
            broken: true,
            solved: None,
        }
    }
}

/// Sums over all lines.
#[derive(Default)]
struct Tally {
    lines: u64,
    broken: u64,
    solved: u64,
    /// Lines that say which moves are right.
    problems: u64,
}

impl Tally {
    fn add(&mut self, answer: &LineResult) {
        self.lines += 1;
        self.broken += u64::from(answer.broken);
        self.solved += u64::from(answer.solved == Some(true));
        self.problems += u64::from(answer.solved.is_some());
    }
}

/// Analyses the lines of all sources: prints an object for each, in their order, and shows progress.
/// Returns true if no line was broken.
pub fn run(
    options: &AnalyseOptions,
    sources: Vec<Source<'_>>,
    console: &mut dyn Console,
) -> Result<bool, Failure> {
    let mut tally = Tally::default();
    let start = Instant::now();
    let mut interval = Interval::new(PROGRESS_INTERVAL);
    answer_in_order(
        options.effort.jobs,
        |ask| read_lines(sources, ask),
        || {
            let mut clerk = Clerk::new(options);
            move |(origin, line)| clerk.answer(&origin, line)
        },
        |answer: LineResult| {
            console.say(&answer.json.to_string());
            tally.add(&answer);
            if interval.is_over() {
                console.progress(&format!(
                    "{} lines, {} broken, {:.0} a second",
                    tally.lines,
                    tally.broken,
                    tally.lines as f64 / start.elapsed().as_secs_f64()
                ));
            }
        },
    )?;
    console.progress("");
    if options.score {
        let sums = Object::new().with("solved", tally.solved).with("total", tally.problems);
        console.say(&sums.to_string());
    }
    Ok(tally.broken == 0)
}

/// Asks about the lines, until that is refused.
fn read_lines(sources: Vec<Source<'_>>, ask: &mut dyn FnMut(Question) -> bool) {
    for Source { name, input } in sources {
        let file: Option<Arc<str>> = (name != "-").then(|| name.as_str().into());
        for (index, (number, mut line)) in epd::lines(input).enumerate() {
            let is_pgn = index == 0 && line.as_deref().is_ok_and(is_tag);
            if is_pgn {
                let instead = format!("quadrille replay --fens {name} | quadrille analyse");
                line = Err(format!("this is a PGN: {instead}").into());
            }
            let file = file.clone();
            if !ask((Origin { file, number }, line)) {
                return;
            }
            if is_pgn {
                break;
            }
        }
    }
}

/// Returns true for a tag of a PGN.
fn is_tag(line: &str) -> bool {
    let name = line.trim_start().strip_prefix('[').map(str::trim_start);
    name.is_some_and(|name| name.starts_with(char::is_alphabetic))
}

/// Answers one line after the other.
struct Clerk<'o> {
    options: &'o AnalyseOptions,
    /// By the names of the games that came up.
    sessions: BTreeMap<&'static str, Box<dyn Session>>,
    analyst: Analyst,
}

impl<'o> Clerk<'o> {
    fn new(options: &'o AnalyseOptions) -> Self {
        Self {
            options,
            sessions: BTreeMap::new(),
            analyst: Analyst::new(&options.effort, &Interrupt::default()),
        }
    }

    fn answer(&mut self, origin: &Origin, line: Result<String, Cause>) -> LineResult {
        line.and_then(|line| self.analyse(origin, &line))
            .unwrap_or_else(|error| LineResult::broken(origin, &error))
    }

    fn analyse(&mut self, origin: &Origin, line: &str) -> Result<LineResult, Cause> {
        let options = self.options;
        let record = EpdRecord::read(line)?;
        let variant = match record.variant {
            None => options.variant,
            Some(name) => find_game(options.variants, name, record.fen.as_deref())?,
        };
        let session = self.sessions.entry(variant.info.name).or_insert_with(|| variant.open());
        session.set_position(record.fen.as_deref(), &[])?;
        for text in record.moves {
            session.play_san(text)?;
        }
        let best = read_moves(&**session, "bm", &record.best)?;
        let avoid = read_moves(&**session, "am", &record.avoid)?;
        let start = Instant::now();
        let found = self.analyst.search(&mut **session)?;
        let time = start.elapsed();
        let solved = (!best.is_empty() || !avoid.is_empty()).then(|| {
            found
                .answer
                .best
                .as_ref()
                .is_some_and(|mv| (best.is_empty() || best.contains(mv)) && !avoid.contains(mv))
        });
        let main = found.lines.first().ok_or("nothing was found")?;
        let outcome = session.outcome();
        let model = session.info().score_model;
        // What is over is no longer a matter of chance.
        let chances = match outcome {
            None => model.win_draw_loss(main.value),
            Some(Outcome { winner: None, .. }) => [0, 1000, 0],
            Some(Outcome { winner, .. }) if winner == Some(session.to_move()) => [1000, 0, 0],
            Some(_) => [0, 0, 1000],
        };
        let variations = (found.lines.iter())
            .map(|line| Ok(variation(line, model).with("san", moves(&session.san_line(&line.pv)?))))
            .collect::<Result<Vec<_>, PositionError>>()?;
        let operations = record
            .others
            .iter()
            .fold(Object::new(), |object, &(name, text)| object.with(name, json::string(text)));
        let json = origin
            .json()
            .with("variant", json::string(variant.info.name))
            .with("fen", json::string(&session.fen()))
            .with("bestmove", found.answer.best.as_deref().map_or("null".into(), json::string))
            .with("score", score(model.score(main.value)))
            .with("wdl", json::array(chances))
            .with_some("result", outcome.map(|end| json::string(result(end.winner))))
            .with_some("reason", outcome.map(|end| json::string(end.reason.name())))
            .with("depth", main.depth)
            .with("seldepth", main.seldepth)
            .with("nodes", found.answer.nodes)
            .with("time_ms", time.as_millis())
            .with("pv", moves(&main.pv))
            .with("san", moves(&session.san_line(&main.pv)?))
            .with_some("bound", bound(main.bound).map(json::string))
            .with_some(
                "multipv",
                (options.effort.limits.multi_pv > 1).then(|| json::array(variations)),
            )
            .with_some("forced_mate", found.forced_mate(options.effort.limits.mate))
            .with_some("table", session.solved().map(table))
            .with_some("id", record.id.map(json::string))
            .with_some("operations", (!record.others.is_empty()).then_some(operations))
            .with_some("solved", solved);
        Ok(LineResult { json, broken: false, solved })
    }
}

/// Returns the verdict of the table of solved endings.
fn table(value: Value) -> Object {
    Object::new().with("result", json::string(value.name())).with_some("plies", value.plies())
}

/// Reads the moves of an operation, as the engine writes them.
fn read_moves(session: &dyn Session, opcode: &str, moves: &[&str]) -> Result<Vec<String>, Cause> {
    let read = |&text: &&str| {
        let mv = session.read_san(text);
        mv.map_err(|error| format!("{opcode}: {error}").into())
    };
    moves.iter().map(read).collect()
}

/// Describes one of the best lines.
fn variation(line: &search::Line<String>, model: ScoreModel) -> Object {
    Object::new()
        .with("score", score(model.score(line.value)))
        .with("wdl", json::array(model.win_draw_loss(line.value)))
        .with("depth", line.depth)
        .with("seldepth", line.seldepth)
        .with("pv", moves(&line.pv))
}

fn score(score: Score) -> Object {
    match score {
        Score::Centipawns(value) => Object::new().with("cp", value),
        Score::Mate(moves) => Object::new().with("mate", moves),
    }
}

fn bound(bound: Bound) -> Option<&'static str> {
    match bound {
        Bound::Lower => Some("lower"),
        Bound::Upper => Some("upper"),
        Bound::Exact => None,
    }
}

fn moves(moves: &[String]) -> String {
    json::array(moves.iter().map(|mv| json::string(mv)))
}
