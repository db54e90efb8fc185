//! Comments of moves in a PGN: `+0.50/20 1.234s, n=12345, pv="e2e4 e7e5"`, in the form of
//! cutechess-cli and fastchess.

use super::engines::player::Thinking;
use crate::search::Score;
use std::fmt::Display;
use std::time::Duration;

/// Facts of a move, for its comment.
pub(super) struct MoveFacts<'m> {
    pub thinking: &'m Thinking,
    /// The score for the side that moved.
    pub score: Option<Score>,
    /// Time used.
    pub time: Duration,
    /// Time left on the clock, if there is one.
    pub left: Option<Duration>,
}

impl MoveFacts<'_> {
    /// Returns the comment. Facts that the engine has not reported are left out.
    pub(super) fn comment(&self, fields: &[&str]) -> String {
        let depth = self.thinking.depth;
        let evaluation = match self.score {
            None => String::new(),
            Some(Score::Centipawns(value)) => format!("{:+.2}/{depth} ", f64::from(value) / 100.0),
            Some(Score::Mate(moves)) => {
                let sign = if moves > 0 { '+' } else { '-' };
                format!("{sign}M{}/{depth} ", moves.unsigned_abs())
            }
        };
        let wanted = FIELDS.iter().filter(|(name, _)| fields.contains(name));
        let facts = wanted.filter_map(|(_, text)| Some(format!(", {}", text(self)?)));
        evaluation + &seconds(self.time) + &facts.collect::<String>()
    }
}

/// Describes a fact, if it is known.
type Fact = fn(&MoveFacts<'_>) -> Option<String>;

/// Facts that `-pgnout NAME=true` adds to each comment, by the names and in the order of fastchess.
pub(super) const FIELDS: [(&str, Fact); 8] = [
    ("timeleft", |facts| fact("tl", facts.left.map(seconds))),
    ("latency", |facts| {
        let latency = facts.time.saturating_sub(facts.thinking.time?);
        fact("latency", Some(seconds(latency)))
    }),
    ("nodes", |facts| fact("n", facts.thinking.nodes)),
    ("seldepth", |facts| fact("sd", facts.thinking.seldepth)),
    ("nps", |facts| fact("nps", facts.thinking.nps)),
    ("hashfull", |facts| fact("hashfull", facts.thinking.hashfull)),
    ("tbhits", |facts| fact("tbhits", facts.thinking.tbhits)),
    ("pv", |facts| {
        let pv = Some(&facts.thinking.pv).filter(|pv| !pv.is_empty())?;
        // Its end is the next quote.
        Some(format!("pv=\"{}\"", pv.replace('"', "'")))
    }),
];

fn fact(name: &str, value: Option<impl Display>) -> Option<String> {
    Some(format!("{name}={}", value?))
}

fn seconds(time: Duration) -> String {
    format!("{:.3}s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_have_the_form_of_fastchess() {
        let thinking = Thinking {
            depth: 20,
            seldepth: Some(25),
            pv: "e2e4 \"e7e5\"".into(),
            nodes: Some(12345),
            nps: Some(10004),
            hashfull: Some(7),
            tbhits: Some(0),
            time: Some(Duration::from_millis(1230)),
            ..Thinking::default()
        };
        let facts = MoveFacts {
            thinking: &thinking,
            score: Some(Score::Centipawns(50)),
            time: Duration::from_millis(1234),
            left: Some(Duration::from_millis(8766)),
        };
        assert_eq!(facts.comment(&[]), "+0.50/20 1.234s");
        assert_eq!(facts.comment(&["pv", "nodes"]), "+0.50/20 1.234s, n=12345, pv=\"e2e4 'e7e5'\"");
        assert_eq!(
            facts.comment(&FIELDS.map(|(name, _)| name)),
            "+0.50/20 1.234s, tl=8.766s, latency=0.004s, n=12345, sd=25, nps=10004, hashfull=7, \
             tbhits=0, pv=\"e2e4 'e7e5'\""
        );
        let nothing = MoveFacts {
            thinking: &Thinking::default(),
            score: Some(Score::Mate(-3)),
            time: Duration::ZERO,
            left: None,
        };
        assert_eq!(nothing.comment(&FIELDS.map(|(name, _)| name)), "-M3/0 0.000s");
    }
}
