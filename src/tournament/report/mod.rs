//! The result of a match: counts, printed lines, JSON and a page.

// The folder above keeps this module to itself, and with it what is public here.
#![allow(unreachable_pub)]

pub mod cutechess;
mod fastchess;
mod json;
pub mod lines;
mod page;
pub mod standing;

use crate::cli::Failure;
use crate::statistics::sprt::Sprt;
use crate::system::files;
use crate::tournament::finished_game::FinishedGame;
use crate::tournament::options::{EngineSpec, MatchOptions, Style};
use cutechess::Cutechess;
use fastchess::Fastchess;
use lines::Printer;
use standing::Standing;
use std::path::Path;

/// The result of a match, complete or so far.
pub struct MatchResult<'r> {
    /// Name of the variant.
    pub variant: &'r str,
    pub event: &'r str,
    /// The engines; empty if only their names are known.
    pub engines: &'r [EngineSpec],
    /// Name of the openings; empty if there are none, or if they are not known.
    pub openings: String,
    pub sprt: Option<&'r Sprt>,
    pub standing: &'r Standing,
    /// The games, in the order in which they ended.
    pub games: &'r [FinishedGame],
    /// True if nothing is left to play.
    pub is_over: bool,
}

impl MatchResult<'_> {
    /// Writes the result as JSON and as a page, to those files that are given.
    pub fn write(&self, json: Option<&str>, html: Option<&str>) -> Result<(), Failure> {
        let write = |option: &str, path: &str, text: &str| {
            let written = files::write(Path::new(path), text.as_bytes());
            written.map_err(Failure::file(format!("{option}: {path}")))
        };
        let json = json.map(|path| write("-json", path, &format!("{}\n", self.json())));
        let html = html.map(|path| write("-html", path, &page::page(self)));
        json.into_iter().chain(html).collect()
    }
}

/// Returns the printer that a match asks for.
pub fn printer(options: &MatchOptions) -> Box<dyn Printer + '_> {
    let sprt = options.sprt.as_ref();
    match options.style {
        Style::Cutechess => Box::new(Cutechess { sprt }),
        Style::Fastchess => {
            Box::new(Fastchess { sprt, engines: &options.engines, book: options.openings.name() })
        }
    }
}
