//! Options that an engine announces, and the commands that set them.

use crate::engine::{OptionError, OptionKind, OptionSpec, read_check};

/// Command for an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionCommand<'o> {
    Press(&'o str),
    /// Each protocol has words of its own for a check box.
    Check(&'o str, bool),
    Set(&'o str, &'o str),
}

fn option(name: &str, kind: OptionKind) -> OptionSpec {
    OptionSpec { name: name.trim().into(), kind, default: String::new() }
}

/// Reads a line of UCI: `option name Hash type spin default 16 min 1 max 64`.
pub fn uci_option(line: &str) -> Option<OptionSpec> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let words: Vec<_> = rest.split_ascii_whitespace().collect();
    let after = |word: &str| {
        let at = words.iter().position(|known| *known == word)?;
        words.get(at + 1)?.parse().ok()
    };
    let kind = match *words.first()? {
        "check" => OptionKind::Check,
        "spin" => OptionKind::Spin {
            min: after("min").unwrap_or(i64::MIN),
            max: after("max").unwrap_or(i64::MAX),
        },
        "combo" => {
            let values = rest.split(" var ").skip(1);
            OptionKind::Combo(values.map(|value| value.trim().to_string()).collect())
        }
        "button" => OptionKind::Button,
        _ => OptionKind::Text,
    };
    Some(option(name, kind))
}

/// Reads the feature `option` of CECP: `Hash -spin 16 1 64`.
pub fn cecp_option(text: &str) -> Option<OptionSpec> {
    let (name, rest) = text.split_once(" -")?;
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let kind = match kind {
        "check" => OptionKind::Check,
        "spin" | "slider" => {
            let mut numbers = rest.split_ascii_whitespace().map(|word| word.parse().ok());
            numbers.next();
            let mut number = |default| numbers.next().flatten().unwrap_or(default);
            OptionKind::Spin { min: number(i64::MIN), max: number(i64::MAX) }
        }
        "combo" => {
            let words = rest.split("///").map(|word| word.trim().trim_start_matches('*'));
            OptionKind::Combo(words.map(str::to_string).collect())
        }
        "button" | "save" | "reset" => OptionKind::Button,
        _ => OptionKind::Text,
    };
    Some(option(name, kind))
}

/// Returns the option for a command of CECP that takes a number.
pub fn cecp_number(name: &str) -> OptionSpec {
    option(name, OptionKind::Spin { min: 0, max: i64::MAX })
}

/// Returns the command that gives an option a value; `None` for a button that is not pressed.
pub fn setting<'o>(
    announced: &'o [OptionSpec],
    name: &str,
    value: &'o str,
) -> Result<Option<OptionCommand<'o>>, OptionError> {
    let Some(option) = announced.iter().find(|option| option.is_called(name)) else {
        let known = announced.iter().map(|option| option.name.clone()).collect();
        return Err(OptionError::Unknown { name: name.into(), known: Some(known) });
    };
    if !option.allows(value) {
        return Err(option.refuse(value));
    }
    let is_on = read_check(value);
    Ok(match option.kind {
        OptionKind::Button => (is_on != Some(false)).then_some(OptionCommand::Press(&option.name)),
        OptionKind::Check => is_on.map(|is_on| OptionCommand::Check(&option.name, is_on)),
        _ => Some(OptionCommand::Set(&option.name, value)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let spin = |min, max| OptionKind::Spin { min, max };
        let combo = |words: [&str; 2]| OptionKind::Combo(words.map(str::to_string).to_vec());
        for (read, name, kind) in [
            (uci_option("option name Hash type spin default 16 min 1 max 64"), "Hash", spin(1, 64)),
            (
                uci_option("option name A B type combo default c d var c d var e"),
                "A B",
                combo(["c d", "e"]),
            ),
            (
                cecp_option("Resign Threshold -spin 800 200 1200"),
                "Resign Threshold",
                spin(200, 1200),
            ),
            (cecp_option("Resign -check 0"), "Resign", OptionKind::Check),
            (cecp_option("Rules -combo a /// *b c"), "Rules", combo(["a", "b c"])),
            (cecp_option("Info -button"), "Info", OptionKind::Button),
            (cecp_option("Save as -save"), "Save as", OptionKind::Button),
            (cecp_option("Book -file x"), "Book", OptionKind::Text),
        ] {
            assert_eq!(read, Some(option(name, kind)));
        }
        assert_eq!(uci_option("option type spin"), None);
    }

    #[test]
    fn faults_are_named() {
        let announced: Vec<_> = [
            "option name Hash type spin default 16 min 1 max 64",
            "option name Threads type spin default 1 min 1 max 2",
            "option name Ponder type check default false",
            "option name Skill Level type combo default a var a var b",
            "option name Clear Hash type button",
            "option name Log File type string default",
        ]
        .iter()
        .filter_map(|line| uci_option(line))
        .collect();
        for (name, value, fault) in [
            (
                "Book",
                "5",
                "there is no option `Book`; its options are Hash, Threads, Ponder, Skill Level, Clear Hash, \
                 Log File",
            ),
            ("HASH", "65", "option Hash: `65` is not a whole number from 1 to 64"),
            ("Ponder", "1", "option Ponder: `1` is not `true` or `false`"),
            ("Ponder", "", "option Ponder: its value is missing"),
            ("clear hash", "now", "option Clear Hash: `now` is not `true` or `false`"),
            ("Skill Level", "c", "option Skill Level: `c` is not one of a, b"),
        ] {
            assert_eq!(setting(&announced, name, value).unwrap_err().to_string(), fault);
        }
        for (name, value, wanted) in [
            ("Hash", "5", Some(OptionCommand::Set("Hash", "5"))),
            ("ponder", "True", Some(OptionCommand::Check("Ponder", true))),
            ("log file", "", Some(OptionCommand::Set("Log File", ""))),
            ("Clear Hash", "", Some(OptionCommand::Press("Clear Hash"))),
            ("Clear Hash", "true", Some(OptionCommand::Press("Clear Hash"))),
            ("Clear Hash", "false", None),
        ] {
            assert_eq!(setting(&announced, name, value).unwrap(), wanted, "{name}");
        }
        let error = setting(&[], "x", "").unwrap_err();
        assert_eq!(error.to_string(), "there is no option `x`; it announces none");
    }
}
