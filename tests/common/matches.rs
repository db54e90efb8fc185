//! Matches that tests run, their output and their files.

use super::program::{Ended, shell};
use std::path::Path;

/// Two copies of this program in process, at so few nodes that a game takes no time.
pub const COPIES: &str = "-engine name=A cmd=self nodes=30 -engine name=B cmd=self nodes=30";

/// A match without its number of rounds.
pub const MATCH: &str = "-variant congress -engine name=A cmd=self nodes=80 \
                         -engine name=B cmd=self nodes=20 -openings random seed=3 -games 2";

/// Cases of a script for the questions that UCI asks before a game.
pub const UCI: &str = "uci) echo uciok;; isready) echo readyok;;";

/// Runs a match in a folder, with words as a shell reads them, and asserts its success.
#[track_caller]
pub fn run_match(folder: &Path, words: &str) -> Ended {
    shell(folder, &format!("exec quadrille match {words}")).succeeded()
}

/// Runs a match that must be refused, and returns the reason.
#[track_caller]
pub fn refused_match(folder: &Path, words: &str) -> String {
    shell(folder, &format!("exec quadrille match {words}")).refused()
}

/// Writes a shell script that speaks just enough of a protocol, and returns the words for it as an
/// engine. `cases` are the commands that it answers; `$rest` is the text after the first word.
pub fn script(folder: &Path, name: &str, cases: &str) -> String {
    let text =
        format!("while read -r word rest; do case $word in {cases} quit) exit 0;; esac; done");
    std::fs::write(folder.join(format!("{name}.sh")), text).unwrap();
    format!("-engine name={name} cmd=sh arg={name}.sh")
}

/// Finds the last line that starts with `prefix`.
#[track_caller]
pub fn last<'t>(text: &'t str, prefix: &str) -> &'t str {
    text.lines()
        .rfind(|line| line.starts_with(prefix))
        .unwrap_or_else(|| panic!("no `{prefix}` in\n{text}"))
}

/// Lines of the report from the last score on, which do not depend on the order of the games.
pub fn figures(said: &str) -> Vec<&str> {
    let last = said.rfind("\nScore of ").map_or(0, |at| at + 1);
    let lines = said[last..].lines();
    lines.filter(|line| *line != "Finished match").collect()
}

/// Games of a PGN without times: tags, result and moves, sorted.
pub fn games_of(pgn: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(pgn).unwrap();
    let mut games: Vec<_> = text.split("[Event ").skip(1).map(timeless).collect();
    games.sort_unstable();
    games
}

fn timeless(game: &str) -> String {
    let is_timed = |line: &str| {
        let tags = ["[Date ", "[UTC", "[GameDuration "];
        tags.iter().any(|tag| line.starts_with(tag))
    };
    let lines: Vec<_> = game.lines().filter(|line| !is_timed(line)).collect();
    let mut in_comment = false;
    let outside = |letter: &char| {
        let is_outside = !in_comment && *letter != '{';
        in_comment = *letter != '}' && (in_comment || *letter == '{');
        is_outside
    };
    let text: String = lines.join("\n").chars().filter(outside).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
