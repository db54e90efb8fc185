//! `solve`: solves endings with few pieces.

use crate::cli::Console;
use crate::cli::interrupt::Interrupt;
use crate::cli::tool::{self, Tool};
use crate::cli::{Args, Command, Failure};
use crate::endings::{
    Endings, MAX_PIECES, Material, MaterialError, Shares, SolveError, Summary, Watch,
};
use crate::engine::{Entry, MAX_THREADS};
use crate::games::{Game, Kind, Side};
use crate::records::json::{Object, string};
use crate::system::sync::cores;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

pub const COMMAND: Command = Command {
    name: "solve",
    operands: "VARIANT PIECES ...",
    summary: "solve endings with few pieces; see solve --help",
    help: "\
quadrille solve VARIANT PIECES... [--out DIR] [--json] [--threads N]
  PIECES       the pieces on the board, as KRk for king and rook against king: upper case is
               White; a number stands for all sets of that many pieces
  --out DIR    the folder to write the tables to; those that exist there are read
  --json       one JSON object for each set
  --threads N  the number of cores (all)
With best play and without the clock and repetition, for every placement of the pieces: how many
are won, drawn and lost for the side to move, and the longest game.
Example: quadrille solve gothic KRk KAk --out endings",
    run: |words, console| tool::run::<Solve>(words, &Interrupt::by_signals(), console),
};

/// Solves endings.
pub struct Solve;

struct SolveOptions<'w> {
    men: Vec<&'w str>,
    folder: Option<PathBuf>,
    json: bool,
    threads: usize,
}

impl<'w> SolveOptions<'w> {
    fn read(words: &'w [&'w str]) -> Result<Self, Failure> {
        let mut options = Self { men: Vec::new(), folder: None, json: false, threads: cores() };
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            match word {
                "--out" => options.folder = Some(PathBuf::from(args.value()?)),
                "--threads" => options.threads = args.number(1, MAX_THREADS)?,
                "--json" => options.json = true,
                _ => options.men.push(args.operand()?),
            }
        }
        if options.men.is_empty() {
            return Err(Failure::Usage("which PIECES? KRk, for example".into()));
        }
        Ok(options)
    }
}

/// A requested set of pieces, with their kinds in the order given.
struct Asked {
    text: String,
    men: Material,
    kinds: Vec<Kind>,
}

impl Tool for Solve {
    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure> {
        let options = SolveOptions::read(words)?;
        let mut asked = Vec::new();
        for text in &options.men {
            let read = read::<G>(text);
            asked.extend(read.map_err(|error| Failure::Usage(format!("{text}: {error}")))?);
        }
        let folder = options.folder.as_deref();
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).map_err(Failure::file(folder))?;
        }
        let endings = Endings::default();
        let stop = || interrupt.is_set();
        let mut progress = |text: &str| {
            // Nothing is lost if this fails.
            let _ = writeln!(std::io::stderr(), "{text}");
        };
        let mut watch = Watch::new(&stop, Some(&mut progress));
        for set in &asked {
            match endings.solve::<G>(&set.men, options.threads, &mut watch, folder) {
                Ok(()) => console.say(&describe::<G>(&endings, set, options.json)),
                // When enumerating, skip sets that cannot occur.
                Err(SolveError::Material(MaterialError::NoPosition | MaterialError::Open(_)))
                    if !options.men.contains(&set.text.as_str()) => {}
                Err(SolveError::Material(error)) => {
                    return Err(Failure::refused(format!("{}: {error}", set.text)));
                }
                Err(SolveError::File(path, error)) => return Err(Failure::file(path)(error)),
                Err(SolveError::Interrupted) => {
                    let left = match folder {
                        Some(_) => "the solved tables are written",
                        None => "without --out no table is written",
                    };
                    return Err(Failure::Interrupted(left.into()));
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the sets that a word means.
fn read<G: Game>(text: &str) -> Result<Vec<Asked>, MaterialError> {
    let asked = |text: String| {
        let (men, kinds) = Material::read::<G>(&text)?;
        Ok(Asked { text, men, kinds })
    };
    match text.parse() {
        Ok(men) if men > MAX_PIECES => Err(MaterialError::TooMany(men)),
        Ok(men) => (Material::all::<G>(men).iter()).map(|men| asked(men.name::<G>())).collect(),
        Err(_) => Ok(vec![asked(text.to_string())?]),
    }
}

/// Describes a set in a line.
fn describe<G: Game>(endings: &Endings, set: &Asked, json: bool) -> String {
    let Some((table, flipped)) = endings.table(&set.men) else {
        return format!("{}: not solved", set.text);
    };
    let Summary { shares, longest } = table.summary::<G>(flipped, &set.kinds);
    let [white, black] = shares;
    if json {
        let shares = |shares: Shares| {
            Object::new()
                .with("won", shares.won)
                .with("drawn", shares.drawn)
                .with("lost", shares.lost)
        };
        let longest = longest
            .map(|(plies, fen)| Object::new().with("plies", plies).with("fen", string(&fen)));
        return Object::new()
            .with("variant", string(G::NAME))
            .with("men", string(&set.text))
            .with("white", shares(white))
            .with("black", shares(black))
            .with("longest", longest.map_or("null".into(), |longest| longest.to_string()))
            .to_string();
    }
    let side = |side: Side| {
        let shares = shares[side.index()];
        let share = |part: u64| 100.0 * part as f64 / shares.total().max(1) as f64;
        format!(
            "{} to move {:.2} % won, {:.2} % drawn, {:.2} % lost",
            side.name(),
            share(shares.won),
            share(shares.drawn),
            share(shares.lost)
        )
    };
    let longest =
        longest.map_or("all drawn".into(), |(plies, fen)| format!("longest {plies} plies: {fen}"));
    format!("{} {}: {}; {}; {longest}", G::NAME, set.text, side(Side::White), side(Side::Black))
}
