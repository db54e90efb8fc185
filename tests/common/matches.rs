//! Matches that tests run, their output and their files.

use super::program::{Ended, Program, Run, interruptible, path, quadrille};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Two copies of this program in process, at so few nodes that a game takes no time.
pub const COPIES: &str = "-engine name=A cmd=self nodes=30 -engine name=B cmd=self nodes=30";

/// A match without its number of rounds.
pub const MATCH: &str = "-variant congress -engine name=A cmd=self nodes=80 \
                         -engine name=B cmd=self nodes=20 -openings random seed=3 -games 2";

/// Time limit for an interrupted match, with its first games.
const SOON: Duration = Duration::from_secs(60);

/// Splits a command line into words at blanks outside quotes, as a shell does.
pub fn split(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut is_inside) = (None, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let is_quote = ['"', '\''].contains(&letter);
        if quote.is_none() && letter.is_whitespace() {
            is_inside = false;
            continue;
        }
        if !std::mem::replace(&mut is_inside, true) {
            words.push(String::new());
        }
        let word = words.last_mut().unwrap();
        match quote {
            None if is_quote => quote = Some(letter),
            Some(open) if open == letter => quote = None,
            Some('"') if letter == '\\' => word.extend(letters.next()),
            _ => word.push(letter),
        }
    }
    words
}

/// A match in a folder, with words as a shell reads them, whose engines can be named `quadrille`.
fn match_command(mut command: Command, folder: &Path, words: &str) -> Command {
    command.arg("match").args(split(words));
    command.env("PATH", path()).current_dir(folder);
    command
}

/// Runs a match, and returns what it printed.
pub fn try_match(folder: &Path, words: &str) -> Ended {
    match_command(quadrille([""; 0]), folder, words).run()
}

/// Runs a match in a folder, with words as a shell reads them, and asserts its success.
#[track_caller]
pub fn run_match(folder: &Path, words: &str) -> Ended {
    try_match(folder, words).succeeded()
}

/// Runs a match that must be refused, and returns the reason.
#[track_caller]
pub fn refused_match(folder: &Path, words: &str) -> String {
    try_match(folder, words).refused()
}

/// Starts a match that a signal reaches.
pub fn start_match(folder: &Path, words: &str) -> Program {
    Program::piped(&mut match_command(interruptible(), folder, words), SOON)
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
    let lines = text.lines().filter(|line| !line.starts_with('%'));
    let text = lines.collect::<Vec<_>>().join("\n");
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
