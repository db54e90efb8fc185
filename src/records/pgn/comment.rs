//! Comments taken apart: what engines and programs wrote, and what people did.

/// A comment without the scores and times of engines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comment {
    /// Commands such as `[%clk 0:01:00]`, but for `[%eval 0.34]`.
    pub commands: Vec<String>,
    /// The text for people.
    pub remark: String,
}

impl Comment {
    /// Takes a comment apart. The score of an engine begins it: `+0.34/12 0.51s, n=1234` in the
    /// PGN of matches, where more fields may follow.
    pub fn read(text: &str) -> Self {
        let mut comment = Self::default();
        let mut rest = text;
        while let Some((before, command, after)) = split_command(rest) {
            comment.remark += before;
            comment.remark.push(' ');
            if !command.starts_with("[%eval") {
                comment.commands.push(command.to_string());
            }
            rest = after;
        }
        comment.remark += rest;
        let mut remark = comment.remark.trim_start_matches([',', ' ']);
        while let Some(after) = after_findings(remark) {
            remark = after;
        }
        comment.remark = remark.split_whitespace().collect::<Vec<_>>().join(" ");
        comment
    }

    /// Returns the words to be written again.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let remark = Some(&self.remark).filter(|remark| !remark.is_empty());
        self.commands.iter().chain(remark).map(String::as_str)
    }
}

/// Returns the text before a command in brackets, the command, and the text after it.
fn split_command(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_at(text.find("[%")?);
    let (command, after) = rest.split_at(rest.find(']')? + 1);
    Some((before, command, after))
}

/// Returns the text after the score that begins it, the time, and other findings of an engine.
fn after_findings(text: &str) -> Option<&str> {
    let (first, mut rest) = split_word(text);
    let named = ["ev=", "wv=", "d="].iter().any(|name| first.starts_with(name));
    if named {
        rest = text;
    } else if !is_score(first) {
        return None;
    }
    let (second, after) = split_word(rest);
    if is_time(second) {
        rest = after;
    }
    while let Some(after) = after_field(rest) {
        rest = after;
    }
    Some(rest.trim_start_matches([',', ' ']))
}

/// Returns the text after a field such as `n=1234`, `pv="e4 e5"` or `pd e7e5`.
fn after_field(text: &str) -> Option<&str> {
    let text = text.trim_start_matches([',', ' ']);
    if let Some(rest) = text.strip_prefix("pd ") {
        return Some(split_word(rest).1);
    }
    let (name, value) = text.split_once('=')?;
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    if let Some((_, rest)) = value.strip_prefix('"').and_then(|value| value.split_once('"')) {
        return Some(rest);
    }
    // Without quotes a line of play ends with a comma.
    let (word, rest) = split_word(value);
    let number = word.trim_start_matches(['+', '-']).trim_end_matches(['h', 'm', 's', '%']);
    match name {
        "pv" => Some(value.find(',').map_or("", |end| &value[end..])),
        "pd" | "tb" => Some(rest),
        _ => is_numeric(number, ".:+-").then_some(rest),
    }
}

/// Returns the first word, which may end with a comma, and the rest.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (word, rest) = text.split_at(text.find([' ', ',']).unwrap_or(text.len()));
    (word, rest)
}

/// Returns true for `+0.34/12`, `-M3/12`, `0.00/12` and `+0.34/12/20`, but not for `1/2`.
fn is_score(word: &str) -> bool {
    let Some((score, depth)) = word.split_once('/') else {
        return false;
    };
    let plain = score.strip_prefix(['+', '-']);
    let is_marked = plain.is_some() || score.contains(['.', 'M', '#']);
    let value = plain.unwrap_or(score).trim_start_matches(['M', '#', '+', '-']);
    is_marked && is_numeric(value, ".") && is_numeric(depth, "/-")
}

/// Returns true for `0.51s`, `0.2`, `512ms`, `1:02m` and `0:00:39`.
fn is_time(word: &str) -> bool {
    is_numeric(word.trim_end_matches(['h', 'm', 's']), ".:")
}

/// Returns true for digits, between which some other characters may stand.
fn is_numeric(text: &str, others: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    text.starts_with(is_digit)
        && text.ends_with(is_digit)
        && text.chars().all(|letter| is_digit(letter) || others.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_of_engines_are_no_remarks() {
        for findings in [
            "",
            // cutechess and this program.
            "+0.34/12 0.51s",
            "-M3/12 0.51s",
            "0.00/1 0s",
            "+M1/7 512ms",
            // fastchess, with all that it can write.
            "+0.50/20 1.2s, tl=10.2s, latency=1ms, n=123, sd=30, nps=456, hashfull=7, tbhits=0, pv=\"e4 e5, Nf3\"",
            "+0.50/20 1.2s n=123 sd=30",
            // XBoard.
            "+0.15/18",
            "-0.16/15 0.2",
            "+0.50/20 1:02m",
            "+0.80/10 39s, pd e7e5",
            "+0.80/10 0:00:39",
            "+0.12/12/20 5.0s",
            // TCEC.
            "d=30, sd=40, mt=12000, tl=5400, s=100, n=1, pv=d4 d5 c4, tb=null, R50=50, wv=0.35,",
            "ev=0.00, d=1, pd=Nf6, mt=00:00:00",
            // This program and Lichess.
            "[%eval 0.34,12]",
            "[%eval #-3,12]",
            "+0.34/12 0.51s +0.30/11 0.4s",
        ] {
            for remark in
                ["", "White mates", "a fine move", "12. Nc3 is better", "+/- in all lines, say I"]
            {
                let separators: &[&str] =
                    if findings.contains("12000") { &[" "] } else { &[" ", ", "] };
                for separator in separators.iter().filter(|_| !findings.is_empty()) {
                    let text = format!("{findings}{separator}{remark}");
                    let read = Comment::read(&text);
                    assert_eq!(read.remark, remark, "{text}");
                    assert!(read.commands.is_empty(), "{text}");
                    assert_eq!(Comment::read(&read.remark), read, "{text}");
                }
                assert_eq!(Comment::read(remark).remark, remark);
            }
        }
    }

    #[test]
    fn commands_stay_but_for_scores() {
        for (text, words) in [
            ("[%clk 0:01:00][%eval 5.5]", "[%clk 0:01:00]"),
            ("[%eval 5.5] [%clk 0:01:00] well", "[%clk 0:01:00] well"),
            ("well [%csl Ga1] done[%eval 1]", "[%csl Ga1] well done"),
            ("[%emt 0:00:02] +0.10/5 2s, well", "[%emt 0:00:02] well"),
            ("[%eval 5.5", "[%eval 5.5"),
            ("1/2 is right", "1/2 is right"),
            ("1/2-1/2", "1/2-1/2"),
            ("+0.50 for White", "+0.50 for White"),
            ("a = b, I think", "a = b, I think"),
        ] {
            let words_read = Comment::read(text);
            assert_eq!(words_read.words().collect::<Vec<_>>().join(" "), words, "{text}");
        }
    }
}
