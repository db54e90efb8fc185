//! `solve`: solves endings with few pieces.

use crate::cli::Console;
use crate::cli::interrupt::Interrupt;
use crate::cli::tool::{self, Tool};
use crate::cli::{Args, Command};
use crate::endings::{
    EndingTable, Endings, MAX_PIECES, Material, MaterialError, Shares, SolveError, Summary, Watch,
};
use crate::engine::{Entry, MAX_THREADS};
use crate::games::{Game, Kind, Side};
use crate::records::json::{Object, string};
use crate::system::files;
use crate::system::sync::cores;
use std::cell::RefCell;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
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
    fn read(words: &'w [&'w str]) -> Result<Self, String> {
        let mut options = Self {
            men: Vec::new(),
            folder: None,
            json: false,
            threads: cores(),
        };
        let mut args = Args::new("solve", words);
        while let Some(word) = args.next() {
            match word {
                "--out" => options.folder = Some(PathBuf::from(args.value()?)),
                "--threads" => options.threads = args.number(1, MAX_THREADS)?,
                "--json" => options.json = true,
                _ => options.men.push(args.operand()?),
            }
        }
        if options.men.is_empty() {
            return Err("solve: which PIECES? KRk, for example; see solve --help".into());
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
    const NAME: &'static str = "solve";

    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, String> {
        let options = SolveOptions::read(words)?;
        let mut asked = Vec::new();
        for text in &options.men {
            asked.extend(read::<G>(text).map_err(|error| format!("solve: {text}: {error}"))?);
        }
        if let Some(folder) = &options.folder {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("solve: {}: {error}", folder.display()))?;
        }
        let endings = Endings::default();
        for set in &asked {
            match solve::<G>(&endings, set, &options, interrupt) {
                Ok(()) => console.say(&describe::<G>(&endings, set, options.json)),
                // When enumerating, skip sets that cannot occur.
                Err(Failure::Material(MaterialError::NoPosition | MaterialError::Open(_)))
                    if !options.men.contains(&set.text.as_str()) => {}
                Err(Failure::Material(error)) => {
                    return Err(format!("solve: {}: {error}", set.text));
                }
                Err(Failure::Other(error)) => return Err(format!("solve: {error}")),
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The sets that a word means.
fn read<G: Game>(text: &str) -> Result<Vec<Asked>, MaterialError> {
    let asked = |text: String| {
        let (men, kinds) = Material::read::<G>(&text)?;
        Ok(Asked { text, men, kinds })
    };
    match text.parse() {
        Ok(men) if men > MAX_PIECES => Err(MaterialError::TooMany(men)),
        Ok(men) => (Material::all::<G>(men).iter())
            .map(|men| asked(men.name::<G>()))
            .collect(),
        Err(_) => Ok(vec![asked(text.to_string())?]),
    }
}

/// Reason why a set was not solved.
enum Failure {
    Material(MaterialError),
    Other(String),
}

/// The file of a set in a folder.
fn path<G: Game>(folder: &Path, men: &Material) -> PathBuf {
    folder.join(men.file_name::<G>())
}

fn solve<G: Game>(
    endings: &Endings,
    set: &Asked,
    options: &SolveOptions<'_>,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let fault = RefCell::new(None);
    let give_up = |path: &Path, error: &dyn Display| {
        let text = format!("{}: {error}", path.display());
        fault.borrow_mut().get_or_insert(text);
        interrupt.set();
    };
    let stop = || interrupt.is_set();
    let mut progress = |text: &str| {
        // Nothing is lost if this fails.
        let _ = writeln!(std::io::stderr(), "{text}");
    };
    let mut watch = Watch::new(&stop, Some(&mut progress));
    let folder = options.folder.as_deref();
    let mut ready = |men: &Material| {
        let path = path::<G>(folder?, men);
        if !path.exists() {
            return None;
        }
        match EndingTable::read::<G>(&path) {
            Ok(table) if table.material() == men => return Some(table),
            Ok(_) => give_up(&path, &"it has other pieces"),
            Err(error) => give_up(&path, &error),
        }
        None
    };
    let mut solved = |table: &EndingTable| {
        let Some(folder) = folder else { return };
        let path = path::<G>(folder, table.material());
        if let Err(error) = files::write(&path, &table.to_bytes::<G>()) {
            give_up(&path, &error);
        }
    };
    let result = endings.solve::<G>(
        &set.men,
        options.threads,
        &mut watch,
        &mut ready,
        &mut solved,
    );
    if let Some(fault) = fault.into_inner() {
        return Err(Failure::Other(fault));
    }
    result.map_err(|error| match error {
        SolveError::Material(error) => Failure::Material(error),
        SolveError::Interrupted => {
            Failure::Other("interrupted; the solved tables are written".into())
        }
    })
}

/// A line about a set.
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
            .with(
                "longest",
                longest.map_or("null".into(), |longest| longest.to_string()),
            )
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
    let longest = longest.map_or("all drawn".into(), |(plies, fen)| {
        format!("longest {plies} plies: {fen}")
    });
    format!(
        "{} {}: {}; {}; {longest}",
        G::NAME,
        set.text,
        side(Side::White),
        side(Side::Black)
    )
}
