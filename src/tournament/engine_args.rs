//! The words of an engine on the command line.

use super::numbers::{fraction, whole};
use super::options::{EngineSpec, Protocol, TimeControl};
use crate::cli::Failure;
use crate::system::text::{MAX_MILLIS, decimal, truth};
use std::time::Duration;

/// Reads the words that follow `-engine` or `-each`.
pub(super) fn read_engine(
    engine: &mut EngineSpec,
    option: &str,
    words: &[&str],
    warnings: &mut Vec<String>,
) -> Result<(), Failure> {
    for word in words {
        let (key, value) = key_value(word);
        let control = &mut engine.control;
        match key {
            "name" | "cmd" | "dir" | "stderr" if value.is_empty() => {
                return Err(missing_value(key));
            }
            "name" => engine.name = value.into(),
            "cmd" => engine.command = value.into(),
            "arg" => engine.arguments.push(value.into()),
            "args" => engine.arguments.extend(split_arguments(value)?),
            "dir" => engine.folder = Some(value.into()),
            "proto" => {
                let protocols = [("uci", Protocol::Uci), ("xboard", Protocol::XBoard)];
                engine.protocol = choice(key, value, &protocols)?;
            }
            "initstr" => {
                let lines = value.split("\\n").map(str::to_string);
                engine.init.extend(lines);
            }
            "stderr" => engine.stderr = Some(value.into()),
            "restart" => {
                let choices = [("on", Some(true)), ("off", Some(false)), ("auto", None)];
                engine.restarts = choice(key, value, &choices)?;
            }
            "ponder" => engine.ponders = flag(key, value)?,
            "trust" => engine.trusted = flag(key, value)?,
            "tc" => read_clock(control, value)?,
            "st" => control.per_move = Some(time(key, value)?),
            "nodes" => control.nodes = Some(whole("-engine", key, value)?),
            "depth" | "plies" => control.depth = Some(whole("-engine", "depth", value)?),
            "timemargin" => {
                control.margin = Duration::from_millis(whole("-engine", key, value)?);
            }
            "whitepov" => engine.white_view = flag(key, value)?,
            "debug" => engine.debug = flag(key, value)?,
            _ if key.starts_with("option.") && word.contains('=') => {
                let name = key.trim_start_matches("option.");
                engine.options.push((name.into(), value.into()));
            }
            _ => {
                warnings.push(ignored(&format!("{option} {key}"), key, &["tscale"])?);
            }
        }
    }
    Ok(())
}

/// Reads a word that stands alone, or has the value `true` or `false`.
fn flag(key: &str, value: &str) -> Result<bool, Failure> {
    match value {
        "" => Ok(true),
        _ => Ok(truth(key, value)?),
    }
}

/// Splits a command line at spaces outside quotes.
fn split_arguments(text: &str) -> Result<Vec<String>, Failure> {
    let mut arguments = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|letter| ['"', '\''].contains(letter));
        let (argument, after) = match quote {
            Some(quote) => rest[1..].split_once(quote).ok_or_else(|| {
                Failure::Usage(format!("args: the {quote} in `{text}` is never closed"))
            })?,
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        arguments.push(argument.to_string());
        rest = after.trim_start();
    }
    Ok(arguments)
}

/// Reads a time: `SECONDS`, `SECONDSs` or `MINUTES:SECONDS`.
fn time(key: &str, text: &str) -> Result<Duration, Failure> {
    let plain = text.strip_suffix('s').unwrap_or(text);
    let Some((minutes, seconds)) = plain.rsplit_once(':') else {
        return Ok(Duration::from_secs_f64(fraction("-engine", key, plain)?));
    };
    let minutes = decimal(key, minutes, 0.0, MAX_MILLIS as f64)?;
    let seconds = 60.0 * minutes + decimal(key, seconds, 0.0, MAX_MILLIS as f64)?;
    let seconds = fraction("-engine", key, &seconds.to_string())?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Reads `MOVES/TIME+INCREMENT`; only the time is required.
fn read_clock(control: &mut TimeControl, text: &str) -> Result<(), Failure> {
    if text == "inf" || text == "infinite" {
        (control.time, control.increment, control.moves) = (None, Duration::ZERO, 0);
        return Ok(());
    }
    let (moves, rest) = text.split_once('/').unwrap_or(("0", text));
    let (main, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let moves = if moves.starts_with("inf") { "0" } else { moves };
    let increment = increment.strip_suffix('s').unwrap_or(increment);
    control.moves = whole("-engine", "tc moves", moves)?;
    control.time = Some(time("tc", main)?);
    let increment = fraction("-engine", "tc increment", increment)?;
    control.increment = Duration::from_secs_f64(increment);
    Ok(())
}

/// Returns the warning that a word of other programs is ignored; an error if it is none of them.
pub(super) fn ignored(name: &str, word: &str, known: &[&str]) -> Result<String, Failure> {
    let warning = format!("{name} is ignored: no game depends on it");
    known.contains(&word).then_some(warning).ok_or(not_understood(word))
}

pub(super) fn missing_value(key: &str) -> Failure {
    Failure::Usage(format!("{key}: its value is missing"))
}

pub(super) fn not_understood(word: &str) -> Failure {
    Failure::Usage(format!("`{word}` is not understood"))
}

/// Splits a word `key=value`; without `=` the value is empty.
pub(super) fn key_value(word: &str) -> (&str, &str) {
    word.split_once('=').unwrap_or((word, ""))
}

/// Reads a value that is one of several names.
pub(super) fn choice<T: Copy>(key: &str, name: &str, choices: &[(&str, T)]) -> Result<T, Failure> {
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        Failure::Usage(format!("{key}: `{name}` is not one of {names}"))
    })
}
