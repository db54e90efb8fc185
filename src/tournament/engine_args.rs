//! The words of an engine on the command line.

use super::options::{EngineSpec, Protocol, TimeControl};
use crate::cli::Failure;
use crate::system::text::{MAX_MILLIS, ValueError, decimal, number, truth};
use std::time::Duration;

/// Words that are ignored, with the reason.
const IGNORED: [(&[&str], &str); 1] = [(
    &["tscale"],
    "an engine has 20 seconds to start and 15 to answer, whatever the system",
)];

/// Words that are refused, with what to write instead.
const REFUSED: [(&str, &str); 3] = [
    (
        "conf",
        "no list of engines is kept; write cmd=PROGRAM and what else it needs",
    ),
    (
        "book",
        "there are no Polyglot books for these games; give a PGN or EPD with -openings file=",
    ),
    ("bookdepth", "the length of openings is -openings plies="),
];

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
            "st" => control.per_move = Some(positive(seconds("st", value)?, "st", value)?),
            "nodes" => control.nodes = Some(number(key, value, 1, u64::MAX)?),
            "depth" | "plies" => control.depth = Some(number(key, value, 1, u32::MAX)?),
            "timemargin" => {
                let margin = number(key, value, 0, MAX_MILLIS)?;
                control.margin = Duration::from_millis(margin);
            }
            "whitepov" => engine.white_view = flag(key, value)?,
            "debug" => engine.debug = flag(key, value)?,
            _ if key.starts_with("option.") && word.contains('=') => {
                let name = key.trim_start_matches("option.");
                engine.options.push((name.into(), value.into()));
            }
            _ => {
                let why = why_ignored(key, &IGNORED, &REFUSED)?.ok_or(not_understood(word))?;
                warnings.push(format!("{option} {key} is ignored: {why}"));
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
        let quote = rest
            .chars()
            .next()
            .filter(|letter| ['"', '\''].contains(letter));
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
fn seconds(name: &str, text: &str) -> Result<Duration, ValueError> {
    let text = text.strip_suffix('s').unwrap_or(text);
    let (minutes, seconds) = text.rsplit_once(':').unwrap_or(("0", text));
    let most = MAX_MILLIS as f64 / 1e3;
    let minutes = decimal(name, minutes, 0.0, most / 60.0)?;
    let seconds = decimal(name, seconds, 0.0, most)?;
    Ok(Duration::from_secs_f64(60.0 * minutes + seconds))
}

/// Refuses a time that has run out before the first move.
fn positive(time: Duration, name: &str, text: &str) -> Result<Duration, Failure> {
    if time.as_millis() == 0 {
        let fault = format!("{name}: `{text}` leaves no time for the first move");
        Err(Failure::Usage(fault))
    } else {
        Ok(time)
    }
}

/// Reads `MOVES/TIME+INCREMENT`; only the time is required.
fn read_clock(control: &mut TimeControl, text: &str) -> Result<(), Failure> {
    if text.contains("hg") || text.contains("hourglass") {
        let fault = "tc: there is no hourglass; write TIME+INCREMENT";
        return Err(Failure::Usage(fault.into()));
    }
    if text == "inf" || text == "infinite" {
        (control.time, control.increment, control.moves) = (None, Duration::ZERO, 0);
        return Ok(());
    }
    let (moves, rest) = text.split_once('/').unwrap_or(("0", text));
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let moves = if moves.starts_with("inf") { "0" } else { moves };
    control.moves = number("tc", moves, 0, 10_000)?;
    control.time = Some(positive(seconds("tc", time)?, "tc", text)?);
    control.increment = seconds("tc", increment)?;
    Ok(())
}

/// Returns why a word of other programs is ignored; `None` if it is none of them.
///
/// # Errors
///
/// It is refused. The fault names what to write instead.
pub(super) fn why_ignored(
    word: &str,
    ignored: &[(&[&str], &'static str)],
    refused: &[(&str, &str)],
) -> Result<Option<&'static str>, Failure> {
    if let Some((_, instead)) = refused.iter().find(|(known, _)| *known == word) {
        return Err(Failure::Usage(format!("{word}: {instead}")));
    }
    let found = ignored.iter().find(|(known, _)| known.contains(&word));
    Ok(found.map(|(_, why)| *why))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks() {
        for (text, moves, time, increment) in [
            ("40/60", 40, 60.0, 0.0),
            ("1:30+0.5", 0, 90.0, 0.5),
            ("2+0.02s", 0, 2.0, 0.02),
            ("inf/10s", 0, 10.0, 0.0),
        ] {
            let mut control = TimeControl::default();
            read_clock(&mut control, text).unwrap();
            assert_eq!(control.moves, moves, "{text}");
            assert_eq!(control.time, Some(Duration::from_secs_f64(time)), "{text}");
            assert_eq!(control.increment.as_secs_f64(), increment, "{text}");
        }
        let mut control = TimeControl::default();
        assert!(read_clock(&mut control, "hg10").is_err());
        assert!(read_clock(&mut control, "").is_err());
        assert!(read_clock(&mut control, "0+1").is_err());
    }

    #[test]
    fn arguments() {
        assert_eq!(
            split_arguments("one  \"two words\" 'and \"three' four=5").unwrap(),
            ["one", "two words", "and \"three", "four=5"]
        );
        assert!(split_arguments("\"open").is_err());
        assert_eq!(split_arguments(" ").unwrap(), [""; 0]);
    }
}
