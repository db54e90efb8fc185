//! The files that a tool reads, one after the other; `-` is standard input. The texts that it continues.

use super::console::Console;
use super::failure::Failure;
use crate::system::files::Lines;
use crate::system::patient::Patient;
use std::fs::{File, metadata};
use std::io::{BufRead, BufReader, IsTerminal, Write, stderr, stdin};
use std::path::Path;

/// An input and its name.
pub struct Source<'i> {
    /// The name on the command line.
    pub name: String,
    /// Its bytes.
    pub input: Box<dyn BufRead + Send + 'i>,
}

impl<'i> Source<'i> {
    /// Wraps an input whose name does not matter.
    pub fn new(input: impl BufRead + Send + 'i) -> Self {
        Self { name: "-".into(), input: Box::new(input) }
    }
}

/// Opens all files, so that a wrong name is known before any work is done.
pub fn open(names: &[String]) -> Result<Vec<Source<'static>>, Failure> {
    let open = |name: &String| {
        if name == "-" {
            if stdin().is_terminal() {
                let end = if cfg!(windows) { "Ctrl-Z" } else { "Ctrl-D" };
                // Nothing is lost if this fails.
                let _ = writeln!(
                    stderr(),
                    "Reading from the terminal; end with {end} on a line of its own."
                );
            }
            return Ok(Source::new(BufReader::new(Patient(stdin()))));
        }
        // Windows cannot open a folder.
        let file = metadata(name).and_then(|data| {
            if data.is_dir() {
                Err(std::io::Error::other("it is a folder"))
            } else {
                File::open(name)
            }
        });
        Ok(Source {
            input: Box::new(BufReader::new(file.map_err(Failure::file(name))?)),
            name: name.clone(),
        })
    };
    names.iter().map(open).collect()
}

/// Opens a text that grows by lines, or creates it. Warns of a torn last line.
pub fn lines(path: &Path, console: &mut dyn Console) -> Result<Lines, Failure> {
    let lines = Lines::open(path).map_err(Failure::file(path))?;
    if lines.torn > 0 {
        let (path, bytes) = (path.display(), lines.torn);
        console.warn(&format!("{path}: its last {bytes} bytes, a torn line, are dropped"));
    }
    Ok(lines)
}
