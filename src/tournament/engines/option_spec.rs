//! Options that an engine announces, and their values.

use crate::engine::{OptionKind, OptionSpec};

/// Values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ValueKind {
    /// `false` or `true`, with the words of the protocol for them.
    Check([&'static str; 2]),
    /// A whole number in a range.
    Spin(i64, i64),
    /// One of several words.
    Combo(Vec<String>),
    /// `true` or nothing to press it, `false` to leave it.
    Button,
    /// Any text.
    Text,
}

/// Words of UCI for a check box that is off or on.
const UCI_CHECK: [&str; 2] = ["false", "true"];

/// Command for an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tournament) enum OptionCommand<'o> {
    Press(&'o str),
    Set(&'o str, &'o str),
}

/// An option that an engine announces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::tournament) struct AnnouncedOption {
    name: String,
    kind: ValueKind,
}

impl AnnouncedOption {
    /// Reads a line of UCI: `option name Hash type spin default 16 min 1 max 64`.
    pub(in crate::tournament) fn in_uci(line: &str) -> Option<Self> {
        let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
        let words: Vec<_> = rest.split_ascii_whitespace().collect();
        let after = |word: &str| {
            let at = words.iter().position(|known| *known == word)?;
            words.get(at + 1)?.parse().ok()
        };
        let kind = match *words.first()? {
            "check" => ValueKind::Check(UCI_CHECK),
            "spin" => {
                ValueKind::Spin(after("min").unwrap_or(i64::MIN), after("max").unwrap_or(i64::MAX))
            }
            "combo" => ValueKind::Combo(values_of_combo(rest)),
            "button" => ValueKind::Button,
            _ => ValueKind::Text,
        };
        Some(Self { name: name.trim().into(), kind })
    }

    /// Reads the feature `option` of CECP: `Hash -spin 16 1 64`.
    pub(in crate::tournament) fn in_cecp(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once(" -")?;
        let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let kind = match kind {
            "check" => ValueKind::Check(["0", "1"]),
            "spin" | "slider" => {
                let mut numbers = rest.split_ascii_whitespace().map(|word| word.parse().ok());
                numbers.next();
                let mut number = |default| numbers.next().flatten().unwrap_or(default);
                ValueKind::Spin(number(i64::MIN), number(i64::MAX))
            }
            "combo" => ValueKind::Combo(
                rest.split("///")
                    .map(|word| word.trim().trim_start_matches('*').to_string())
                    .collect(),
            ),
            "button" | "save" | "reset" => ValueKind::Button,
            _ => ValueKind::Text,
        };
        Some(Self { name: name.trim().into(), kind })
    }

    /// Creates an option for a command of CECP that takes a number.
    pub(in crate::tournament) fn number(name: &str) -> Self {
        Self { name: name.into(), kind: ValueKind::Spin(0, i64::MAX) }
    }

    /// Converts an option of this program.
    pub(in crate::tournament) fn of(spec: &OptionSpec) -> Self {
        let kind = match &spec.kind {
            OptionKind::Spin { min, max, .. } => ValueKind::Spin(*min as i64, *max as i64),
            OptionKind::Check { .. } => ValueKind::Check(UCI_CHECK),
            OptionKind::Combo { choices, .. } => {
                ValueKind::Combo(choices.iter().map(|word| word.to_string()).collect())
            }
            OptionKind::Button => ValueKind::Button,
            OptionKind::Text { .. } => ValueKind::Text,
        };
        Self { name: spec.name.into(), kind }
    }

    /// Compares the name, ignoring case.
    pub(in crate::tournament) fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// True if a word is a possible choice.
    pub(in crate::tournament) fn offers(&self, word: &str) -> bool {
        match &self.kind {
            ValueKind::Combo(words) => words.iter().any(|known| known.eq_ignore_ascii_case(word)),
            _ => true,
        }
    }

    /// Describes a wrong value; `None` if it is right.
    fn fault_of(&self, value: &str) -> Option<String> {
        let allowed = match &self.kind {
            ValueKind::Text => return None,
            ValueKind::Button if value.is_empty() => return None,
            ValueKind::Check(_) | ValueKind::Button => {
                truth_of(value).is_none().then(|| "true or false".to_string())
            }
            ValueKind::Spin(min, max) => {
                let number = value.trim().parse::<i64>();
                let is_fine = number.is_ok_and(|number| (min..=max).contains(&&number));
                (!is_fine).then(|| format!("a whole number from {min} to {max}"))
            }
            ValueKind::Combo(words) => {
                (!self.offers(value)).then(|| format!("one of {}", words.join(", ")))
            }
        };
        allowed.map(|allowed| format!("option {}: `{value}` is not {allowed}", self.name))
    }
}

/// Returns the command that gives an option a value; `None` for a button that is not pressed.
pub(in crate::tournament) fn setting<'o>(
    announced: &'o [AnnouncedOption],
    name: &str,
    value: &'o str,
) -> Result<Option<OptionCommand<'o>>, String> {
    let Some(option) = announced.iter().find(|option| option.is_called(name)) else {
        let names: Vec<_> = announced.iter().map(|option| &*option.name).collect();
        return Err(match names[..] {
            [] => format!("there is no option `{name}`; it announces none"),
            _ => format!("there is no option `{name}`; its options are {}", names.join(", ")),
        });
    };
    if let Some(fault) = option.fault_of(value) {
        return Err(fault);
    }
    Ok(match option.kind {
        ValueKind::Button if truth_of(value) == Some(false) => None,
        ValueKind::Button => Some(OptionCommand::Press(&option.name)),
        ValueKind::Check(words) => {
            let word = words[usize::from(truth_of(value) == Some(true))];
            Some(OptionCommand::Set(&option.name, word))
        }
        _ => Some(OptionCommand::Set(&option.name, value)),
    })
}

/// Reads `true` or `false` in any case.
fn truth_of(value: &str) -> Option<bool> {
    value.to_ascii_lowercase().parse().ok()
}

/// Splits the choices of a combo.
fn values_of_combo(text: &str) -> Vec<String> {
    let values = text.split(" var ").skip(1);
    values.map(|value| value.trim().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let hash =
            AnnouncedOption::in_uci("option name Hash type spin default 16 min 1 max 64").unwrap();
        assert_eq!((hash.name.as_str(), &hash.kind), ("Hash", &ValueKind::Spin(1, 64)));
        let style = AnnouncedOption::in_uci("option name A B type combo default c d var c d var e")
            .unwrap();
        assert_eq!(style.kind, ValueKind::Combo(vec!["c d".into(), "e".into()]));
        assert_eq!(AnnouncedOption::in_uci("option type spin"), None);
        for (text, kind) in [
            ("Resign Threshold -spin 800 200 1200", ValueKind::Spin(200, 1200)),
            ("Resign -check 0", ValueKind::Check(["0", "1"])),
            ("Rules -combo a /// *b c", ValueKind::Combo(vec!["a".into(), "b c".into()])),
            ("Info -button", ValueKind::Button),
            ("Save as -save", ValueKind::Button),
            ("Book -file x", ValueKind::Text),
        ] {
            assert_eq!(AnnouncedOption::in_cecp(text).unwrap().kind, kind, "{text}");
        }
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
        .filter_map(|line| AnnouncedOption::in_uci(line))
        .collect();
        for (name, value, fault) in [
            (
                "Book",
                "5",
                "there is no option `Book`; its options are Hash, Threads, Ponder, Skill Level, Clear Hash, \
                 Log File",
            ),
            ("HASH", "65", "option Hash: `65` is not a whole number from 1 to 64"),
            ("Ponder", "1", "option Ponder: `1` is not true or false"),
            ("Ponder", "", "option Ponder: `` is not true or false"),
            ("clear hash", "now", "option Clear Hash: `now` is not true or false"),
            ("Skill Level", "c", "option Skill Level: `c` is not one of a, b"),
        ] {
            assert_eq!(setting(&announced, name, value), Err(fault.to_string()));
        }
        for (name, value, wanted) in [
            ("Hash", "5", Some(OptionCommand::Set("Hash", "5"))),
            ("ponder", "True", Some(OptionCommand::Set("Ponder", "true"))),
            ("log file", "", Some(OptionCommand::Set("Log File", ""))),
            ("Clear Hash", "", Some(OptionCommand::Press("Clear Hash"))),
            ("Clear Hash", "true", Some(OptionCommand::Press("Clear Hash"))),
            ("Clear Hash", "false", None),
        ] {
            assert_eq!(setting(&announced, name, value), Ok(wanted), "{name}");
        }
        assert_eq!(
            setting(&[], "x", ""),
            Err("there is no option `x`; it announces none".to_string())
        );
    }
}
