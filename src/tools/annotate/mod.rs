//! `annotate`: adds the engine's verdict to every move of a game.
//!
//! Each position is searched as if it were the first, so that findings depend on the game and the
//! limits alone, not on the number of jobs.

mod json;
mod page;

use super::analyst::{Analyst, Effort, answer_in_order};
use crate::cli::interrupt::Interrupt;
use crate::cli::sources::{self, Source};
use crate::cli::{Access, Args, Command, Console, Failure, check_distinct, missing};
use crate::engine::{Found, Session, VARIANTS, Variant, is_phrase};
use crate::games::Side;
use crate::protocol;
use crate::records::json::{Object, array, string};
use crate::records::pgn::{Comment, PgnError, PlayedMove, Reader, Record, Variation};
use crate::records::{Accuracies, Moment, check, open, without_accuracy};
use crate::search::{FULL_SKILL, Line, Score};
use crate::system::Cause;
use crate::system::files::Replacement;
use crate::system::text::counted;
use page::Shown;
use std::fs::metadata;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub const COMMAND: Command = Command {
    name: "annotate",
    operands: "[OPTION ...] FILE ...",
    summary: "write games with scores; see annotate --help",
    help: "\
quadrille annotate [OPTION ...] FILE ...
  FILE            games in PGN; - is standard input
  --out FILE      where the games go (standard output, or nowhere with --json or --html)
  --json FILE     writes a line of JSON for each game, with the accuracy of both sides
  --html FILE     writes the page of `quadrille board` with these games, for any browser
  --engine MODULE puts the engine into the page: MODULE is quadrille.wasm, compressed by gzip
  --variant NAME  the game of those that do not name one
  --depth N  --nodes N  --movetime MS
                  end the search of a position at the first that is reached (--nodes 100000)
  --jobs N        how many positions to search at once (one for each processor)
  --hash MB       the greatest table of a job (16)
Writes the games in PGN with the score after each move, `?!`, `?` or `??` after one that gives away
0.05, 0.10 or 0.20 of the expected result, and the better line as a variation, which begins with
what the move gives away, if that is certain. Games with a fault are left out, and the exit status
is then 1.
Example: quadrille annotate --nodes 1000000 games.pgn --out annotated.pgn --html games.html",
    run: |words, console| {
        let options = AnnotateOptions::read(VARIANTS, words)?;
        let sources = sources::open(&options.files)?;
        let is_fine = run(&options, sources, &Interrupt::by_signals(), console)?;
        Ok(ExitCode::from(u8::from(!is_fine)))
    },
};

/// Marks of moves by the expected result given away, from 0 (lost) to 1 (won).
const MARKS: [(f64, &str); 3] = [(0.20, "??"), (0.10, "?"), (0.05, "?!")];

/// Moves written of a better line.
const LINE: usize = 8;

/// Returns the facts of the program that a page knows: the full level of the engine, and how a game is annotated.
pub fn program() -> Object {
    let mut effort = Effort { jobs: 1, ..Effort::default() };
    // A table of this size fits everywhere.
    let _ = effort.settle();
    Object::new()
        .with("fullLevel", FULL_SKILL)
        .with("nodes", effort.limits.nodes.unwrap_or_default())
        .with("table", effort.hash)
        .with("line", LINE)
        .with("marks", array(MARKS.map(|(loss, mark)| array([loss.to_string(), string(mark)]))))
}

#[derive(Clone, Debug, Default)]
pub struct AnnotateOptions {
    variants: &'static [Variant],
    /// The game of PGNs without a tag `Variant`.
    default: Option<Variant>,
    effort: Effort,
    /// The file for the games, if not standard output.
    out: Option<PathBuf>,
    /// The file for JSON.
    json: Option<PathBuf>,
    /// The file for the page, and the engine in it.
    html: Option<PathBuf>,
    module: Option<PathBuf>,
    pub files: Vec<String>,
}

impl AnnotateOptions {
    /// Reads the words after `annotate`.
    pub fn read(variants: &'static [Variant], words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self { variants, ..Self::default() };
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            match word {
                "--variant" => options.default = Some(args.variant(variants)?),
                "--out" => options.out = Some(args.value()?.into()),
                "--json" => options.json = Some(args.value()?.into()),
                "--html" => options.html = Some(args.value()?.into()),
                "--engine" => options.module = Some(args.value()?.into()),
                _ if options.effort.read_option(word, &mut args)? => {}
                _ => options.files.push(args.operand()?.into()),
            }
        }
        if options.files.is_empty() {
            return Err(missing("FILE"));
        }
        if options.module.is_some() && options.html.is_none() {
            return Err(Failure::Usage("--engine goes into the page of --html".into()));
        }
        options.check()?;
        Ok(options)
    }

    fn check(&mut self) -> Result<(), Failure> {
        self.effort.settle()?;
        let read = self.files.iter().map(|path| ("FILE", Some(Path::new(path)), Access::Read));
        check_distinct(read.chain([
            ("--out", self.out.as_deref(), Access::Replace),
            ("--json", self.json.as_deref(), Access::Replace),
            ("--html", self.html.as_deref(), Access::Replace),
            ("--engine", self.module.as_deref(), Access::Read),
        ]))
    }
}

/// Annotates the games of all sources, and warns of those with a fault. Returns true if there was
/// none.
pub fn run(
    options: &AnnotateOptions,
    sources: Vec<Source<'_>>,
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<bool, Failure> {
    let out = options.out.as_deref().map(|path| create(path, console));
    let mut out = out.transpose()?;
    let lines = options.json.as_deref().map(|path| create(path, console));
    let mut lines = lines.transpose()?;
    let html = options.html.as_deref().map(|path| create(path, console));
    let mut html = html.transpose()?;
    let mut written_games = 0;
    let mut shown = Shown::new(options.module.as_deref())?;
    let mut is_fine = true;
    for Source { name, input } in sources {
        let mut reader = Reader::new(input);
        let mut number = 0;
        while let Some(game) = reader.next() {
            number += 1;
            console.progress(&format!("{name}: game {number}"));
            let annotated = match game {
                Ok(record) => Annotated::new(options, record, interrupt)
                    .map_err(|fault| format!("line {}: {fault}", reader.first_line())),
                Err(error @ PgnError::Malformed { .. }) => Err(error.to_string()),
                Err(error @ PgnError::Unreadable { .. }) => return Err(Failure::file(name)(error)),
            };
            console.progress("");
            if interrupt.is_set() {
                return Err(interrupted(out, html.is_some() || lines.is_some(), written_games));
            }
            let written = annotated.and_then(|game| {
                let text = game.record.to_string();
                // Marks and escapes can make it longer than a game may be.
                match Reader::new(text.as_bytes()).next() {
                    Some(Err(fault)) => Err(format!("once annotated: {fault}")),
                    _ => Ok((game, text)),
                }
            });
            let (game, text) = match written {
                Ok(written) => written,
                Err(fault) => {
                    is_fine = false;
                    console.warn(&format!("{name}: game {number}, {fault}"));
                    continue;
                }
            };
            written_games += 1;
            match &mut out {
                Some((path, file)) => {
                    file.write_all(text.as_bytes()).map_err(Failure::file(path))?
                }
                None if options.html.is_none() && options.json.is_none() => {
                    console.say(text.strip_suffix('\n').unwrap_or(&text))
                }
                None => {}
            }
            if let Some((path, file)) = &mut lines {
                writeln!(file, "{}", json::json(&game)).map_err(Failure::file(path))?;
            }
            if options.html.is_some() {
                shown.add(game).map_err(Failure::refused)?;
            }
        }
        if number == 0 {
            is_fine = false;
            console.warn(&format!("{name}: there is no game in it"));
        }
    }
    if let Some((path, page)) = &mut html {
        page.write_all(shown.page().as_bytes()).map_err(Failure::file(path))?;
    }
    for (path, file) in out.into_iter().chain(lines).chain(html) {
        if written_games == 0 {
            return Err(Failure::file(path)("there is no game to show"));
        }
        file.finish().map_err(Failure::file(path))?;
    }
    Ok(is_fine)
}

/// Begins a file. Warns of the games of a run that was killed, which it replaces.
fn create<'p>(
    path: &'p Path,
    console: &mut dyn Console,
) -> Result<(&'p Path, Replacement), Failure> {
    let unfinished = Replacement::unfinished(path);
    let is_left = metadata(&unfinished).is_ok_and(|data| data.len() > 0);
    let file = Replacement::create(path).map_err(Failure::file(path))?;
    if is_left {
        let unfinished = unfinished.display();
        console.warn(&format!("{unfinished}, which an interrupted run left, is begun anew"));
    }
    Ok((path, file))
}

/// Describes where the finished games are, and leaves them there.
fn interrupted(out: Option<(&Path, Replacement)>, is_page: bool, games: u64) -> Failure {
    let place = match out {
        Some((_, file)) if games > 0 => file.keep().display().to_string(),
        None if games > 0 && !is_page => "the output".into(),
        _ => return Failure::Interrupted("no game is written".into()),
    };
    Failure::Interrupted(format!("{place} has {}", counted(games, "game")).into())
}

/// Verdict on a position of a game, before a move of it or at the end.
struct Verdict {
    /// The result that the side to move can expect, from 0 for lost to 1 for won.
    expected: f64,
    /// The score as White has it, of a draw if the game is over.
    score: Score,
    /// The same for other programs, if the game is not over.
    eval: Option<String>,
    /// The best move, and the best line found, in coordinates.
    best: Option<String>,
    line: Vec<String>,
}

impl Verdict {
    fn of(session: &mut dyn Session, analyst: &mut Analyst) -> Result<Self, Cause> {
        let to_move = session.to_move();
        if let Some(outcome) = session.outcome() {
            let expected = outcome.expected(to_move);
            let (score, line) = (Score::Centipawns(0), Vec::new());
            return Ok(Self { expected, score, eval: None, best: None, line });
        }
        let Found { answer, mut lines, .. } = analyst.search(session)?;
        let Line { value, depth, pv, .. } = lines.swap_remove(0);
        // As it is written: a reader of the scores finds the same marks.
        let model = session.info().score_model;
        let own = model.score(value);
        let score = if to_move == Side::White { own } else { own.negated() };
        let eval = Some(match score {
            Score::Centipawns(value) => format!("[%eval {:.2},{depth}]", f64::from(value) / 100.0),
            Score::Mate(moves) => format!("[%eval #{moves},{depth}]"),
        });
        Ok(Self { expected: model.expected_of(own), score, eval, best: answer.best, line: pv })
    }
}

/// A game with its verdicts.
struct Annotated {
    variant: Variant,
    record: Record,
    /// The score of the first position.
    eval: Option<String>,
    accuracies: Accuracies,
}

impl Annotated {
    /// Searches a game.
    fn new(
        options: &AnnotateOptions,
        mut record: Record,
        interrupt: &Interrupt,
    ) -> Result<Self, Cause> {
        let variant = record.variant(options.variants, options.default)?;
        let mut session = open(&mut record, variant)?;
        let fen = session.fen();
        let mut moves = Vec::with_capacity(record.moves.len());
        check(&record, &mut *session, |_, mv| moves.push(mv))?;
        let verdicts = judge(options, variant, &fen, &moves, interrupt)?;
        record.start = variant.info.start.into();
        record.tags.retain(|(name, _)| name != "Annotator");
        record.tags.push(("Annotator".to_string(), protocol::NAME.to_string()));
        record.comment = Some(kept(record.comment.as_deref()));
        session.set_position(Some(&fen), &[])?;
        let first = verdicts.first().map_or(0.5, |first| first.expected);
        let mut game = vec![Moment::of(&*session, first)];
        for ((played, mv), pair) in record.moves.iter_mut().zip(&moves).zip(verdicts.windows(2)) {
            if let [before, after] = pair {
                annotate(played, &*session, mv, before, after)?;
                session.play(mv)?;
                game.push(Moment::of(&*session, after.expected));
            }
        }
        let accuracies = Accuracies::of(&game);
        if let Some(last) = record.moves.last_mut() {
            last.comment = last.comment.take().map(|said| format!("{said} {}", accuracies.words()));
        }
        let eval = verdicts.into_iter().next().and_then(|first| first.eval);
        Ok(Self { variant, record, eval, accuracies })
    }
}

/// Writes verdicts to the move between their positions. The session is before it.
fn annotate(
    played: &mut PlayedMove,
    session: &dyn Session,
    mv: &str,
    before: &Verdict,
    after: &Verdict,
) -> Result<(), Cause> {
    played.text = session.san(mv).unwrap_or_default();
    played.marks.retain(|mark| !MARKS.iter().any(|(_, own)| mark == own));
    let said = [after.eval.clone().unwrap_or_default(), kept(played.comment.as_deref())];
    played.comment = Some(said.join(" "));
    played.variations.retain(|variation| !is_line_of_engine(variation));
    let loss = before.expected - (1.0 - after.expected);
    let mark = MARKS.iter().find(|(least, _)| loss >= *least);
    let is_other = before.best.as_ref().is_some_and(|best| best != mv);
    if let Some((_, mark)) = mark.filter(|_| is_other) {
        played.marks.insert(0, mark.to_string());
        let better = session.san_line(&before.line[..before.line.len().min(LINE)])?;
        let mut moves: Vec<_> = better.into_iter().map(PlayedMove::new).collect();
        if let Some(last) = moves.last_mut() {
            last.comment.clone_from(&before.eval);
        }
        let line: Vec<_> = [mv.to_string()].into_iter().chain(after.line.iter().cloned()).collect();
        let comment = session.why((after.score, &line), (before.score, &before.line))?;
        played.variations.insert(0, Variation { comment, moves });
    }
    Ok(())
}

/// Returns the words of a comment that are written again.
fn kept(comment: Option<&str>) -> String {
    let mut comment = Comment::read(comment.unwrap_or_default());
    comment.remark = without_accuracy(&comment.remark);
    comment.words().collect::<Vec<_>>().join(" ")
}

/// Returns true for a better line as `annotate` writes it: the price of the mistake, moves that end with a score, and
/// no more.
fn is_line_of_engine(variation: &Variation) -> bool {
    let mut moves = variation.moves.iter().rev();
    let is_score = |comment: &str| {
        comment.starts_with("[%eval") && Comment::read(comment) == Comment::default()
    };
    let ends = (moves.next()).is_some_and(|last| last.comment.as_deref().is_some_and(is_score));
    ends && moves.all(|mv| mv.comment.is_none())
        && variation.comment.as_deref().is_none_or(is_phrase)
        && variation.moves.iter().all(|mv| mv.marks.is_empty() && mv.variations.is_empty())
}

/// Judges all positions of a game.
fn judge(
    options: &AnnotateOptions,
    variant: Variant,
    fen: &str,
    moves: &[String],
    interrupt: &Interrupt,
) -> Result<Vec<Verdict>, Cause> {
    let mut verdicts = Vec::with_capacity(moves.len() + 1);
    answer_in_order(
        options.effort.jobs.min(moves.len() + 1),
        |ask| _ = (0..=moves.len()).all(ask),
        || {
            let mut session = variant.open();
            let mut analyst = Analyst::new(&options.effort, interrupt);
            let mut played = 0;
            // The numbers that a worker is asked for only grow.
            move |number| {
                if played == 0 {
                    session.set_position(Some(fen), &[])?;
                }
                for mv in &moves[played..number] {
                    session.play(mv)?;
                }
                played = number;
                Verdict::of(&mut *session, &mut analyst)
            }
        },
        |verdict| verdicts.push(verdict),
    )?;
    verdicts.into_iter().collect()
}
