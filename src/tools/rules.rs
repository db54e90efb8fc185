//! `rules`: the rules of a game, as protocol.md has them.

use crate::cli::{Command, variant};
use crate::engine::Variant;
use crate::system::text::fill;
use std::process::ExitCode;

pub const COMMAND: Command = Command {
    name: "rules",
    operands: "VARIANT",
    summary: "print the rules of a game",
    help: "\
quadrille rules VARIANT
Prints the rules of a game.
Example: quadrille rules congress",
    is_long: false,
    run: |words, _, console| {
        let [name] = words else {
            return Err(COMMAND.misuse());
        };
        console.say(&text(variant(name)?)?);
        Ok(ExitCode::SUCCESS)
    },
};

/// The only text of the rules.
const DOCUMENT: &str = include_str!("../../protocol.md");
const CHAPTER: &str = "## The rules";
/// The section for all games, and the section with a table of rulings.
const COMMON: &str = "Common to all four";
const RULINGS: &str = "Rulings";
/// Width of the text of a ruling, in columns.
const WIDTH: usize = 96;

/// A section of the chapter.
struct Section {
    heading: &'static str,
    /// Lines without the transcripts, which are for clients.
    lines: Vec<&'static str>,
}

/// Returns the rules of a game as plain text.
pub fn text(variant: Variant) -> Result<String, String> {
    let sections = sections();
    let own = sections
        .iter()
        .find(|section| variant.is_called(section.heading))
        .ok_or_else(|| format!("rules: those of {} are not written down", variant.info.name))?;
    let named = |heading| sections.iter().find(|section| section.heading == heading);
    let mut parts = vec![own.text()];
    parts.extend(named(COMMON).map(Section::text));
    parts.extend(named(RULINGS).and_then(|section| section.rows(variant)));
    Ok(parts.join("\n\n"))
}

fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut is_fenced = false;
    let lines = DOCUMENT.lines().skip_while(|&line| line != CHAPTER).skip(1);
    for line in lines.take_while(|line| !line.starts_with("## ")) {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        if is_fence || is_fenced {
            continue;
        }
        match (line.strip_prefix("### "), sections.last_mut()) {
            (Some(heading), _) => sections.push(Section {
                heading,
                lines: Vec::new(),
            }),
            (None, Some(section)) => section.lines.push(line),
            (None, None) => {}
        }
    }
    sections
}

impl Section {
    /// Returns the section without marks of emphasis.
    fn text(&self) -> String {
        let plain = |line: &&str| match line.starts_with("    ") {
            // An asterisk is a cell of a board here.
            true => (*line).to_string(),
            false => line.replace('*', ""),
        };
        let lines: Vec<_> = self.lines.iter().map(plain).collect();
        titled(self.heading, lines.join("\n").trim_matches('\n'))
    }

    /// Returns the rows of the table about a game, if any.
    fn rows(&self, variant: Variant) -> Option<String> {
        let row = |line: &&str| {
            let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
            let is_own = variant.is_called(cells.next()?);
            is_own.then(|| {
                let text = cells.collect::<Vec<_>>().join(": ");
                format!("- {}", fill(text.split(' '), WIDTH).join("\n  "))
            })
        };
        let rows: Vec<_> = self.lines.iter().filter_map(row).collect();
        (!rows.is_empty()).then(|| titled(self.heading, &rows.join("\n")))
    }
}

fn titled(heading: &str, text: &str) -> String {
    format!("{heading}\n{}\n\n{text}", "-".repeat(heading.len()))
}
