//! Abilities of the terminal, as its environment reports them.

use std::env;
use std::io::{IsTerminal, stdin, stdout};

/// Returns true if a person reads the output and types the input.
pub fn is_interactive() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// Parts of the names of terminals with 256 colours. Others that have them set `COLORTERM`.
const COLOURFUL: [&str; 5] = ["256color", "alacritty", "direct", "foot", "kitty"];

/// Returns true if standard output shows 256 colours, and the user does not object
/// (<https://no-color.org>).
pub fn has_colours() -> bool {
    stdout().is_terminal() && wants_colours(variable)
}

/// Returns true if the locale has all characters, or on Windows the font: `WT_SESSION` is set by
/// Windows Terminal, whose fonts have the chess symbols that older consoles lack.
pub fn has_unicode() -> bool {
    is_utf_8(variable) || cfg!(windows) && variable("WT_SESSION").is_some()
}

/// Returns the value of a variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    let value = env::var_os(name)?;
    let value = value.to_string_lossy().into_owned();
    Some(value).filter(|value| !value.is_empty())
}

fn wants_colours(variable: impl Fn(&str) -> Option<String>) -> bool {
    let is_colourful = |name: &str| COLOURFUL.iter().any(|part| name.contains(part));
    let has = |name: String| is_colourful(&name) || variable("COLORTERM").is_some();
    variable("NO_COLOR").is_none()
        && variable("TERM").is_some_and(|name| name != "dumb" && has(name))
}

fn is_utf_8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns variables from pairs of names and values.
    fn of(pairs: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        move |name| {
            let found = pairs.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.to_string())
        }
    }

    #[test]
    fn colours_are_for_terminals_that_have_them() {
        let true_colour = ("COLORTERM", "truecolor");
        assert!(wants_colours(of(&[("TERM", "screen-256color")])));
        assert!(wants_colours(of(&[("TERM", "xterm"), true_colour])));
        assert!(!wants_colours(of(&[("TERM", "dumb"), true_colour])));
        assert!(!wants_colours(of(&[("TERM", "vt100")])));
        assert!(!wants_colours(of(&[])));
        let refused = ("NO_COLOR", "1");
        assert!(!wants_colours(of(&[("TERM", "xterm-256color"), refused])));
    }

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        assert!(is_utf_8(of(&[("LANG", "en_GB.UTF-8")])));
        assert!(is_utf_8(of(&[("LC_ALL", "C.utf8"), ("LANG", "C")])));
        assert!(!is_utf_8(of(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")])));
        assert!(!is_utf_8(of(&[])));
    }
}
