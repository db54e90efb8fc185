//! Comments of moves in a PGN: `+0.50/20 1.234s, n=12345, pv="e2e4 e7e5"`, in the form of
//! cutechess-cli and fastchess.

use super::engines::player::Thinking;
use super::options::CommentField;
use crate::search::Score;
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
    pub(super) fn comment(&self, fields: &[CommentField]) -> String {
        let depth = self.thinking.depth;
        let evaluation = match self.score {
            None => String::new(),
            Some(Score::Centipawns(value)) => format!("{:+.2}/{depth} ", f64::from(value) / 100.0),
            Some(Score::Mate(moves)) => {
                let sign = if moves > 0 { '+' } else { '-' };
                format!("{sign}M{}/{depth} ", moves.unsigned_abs())
            }
        };
        let mut comment = evaluation + &seconds(self.time);
        for (_, field) in CommentField::ALL {
            if fields.contains(&field)
                && let Some(text) = self.text(field)
            {
                comment += ", ";
                comment += &text;
            }
        }
        comment
    }

    fn text(&self, field: CommentField) -> Option<String> {
        let thinking = self.thinking;
        let number = |name: &str, number: Option<u64>| Some(format!("{name}={}", number?));
        match field {
            CommentField::TimeLeft => Some(format!("tl={}", seconds(self.left?))),
            CommentField::Latency => {
                let latency = self.time.saturating_sub(thinking.time?);
                Some(format!("latency={}", seconds(latency)))
            }
            CommentField::Nodes => number("n", thinking.nodes),
            CommentField::Seldepth => number("sd", thinking.seldepth.map(u64::from)),
            CommentField::Nps => number("nps", thinking.nps),
            CommentField::Hashfull => number("hashfull", thinking.hashfull),
            CommentField::Tbhits => number("tbhits", thinking.tbhits),
            CommentField::Pv if thinking.pv.is_empty() => None,
            // Its end is the next quote.
            CommentField::Pv => Some(format!("pv=\"{}\"", thinking.pv.replace('"', "'"))),
        }
    }
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
        assert_eq!(
            facts.comment(&[CommentField::Pv, CommentField::Nodes]),
            "+0.50/20 1.234s, n=12345, pv=\"e2e4 'e7e5'\""
        );
        assert_eq!(
            facts.comment(&CommentField::ALL.map(|(_, field)| field)),
            "+0.50/20 1.234s, tl=8.766s, latency=0.004s, n=12345, sd=25, nps=10004, hashfull=7, \
             tbhits=0, pv=\"e2e4 'e7e5'\""
        );
        let nothing = MoveFacts {
            thinking: &Thinking::default(),
            score: Some(Score::Mate(-3)),
            time: Duration::ZERO,
            left: None,
        };
        let all = CommentField::ALL.map(|(_, field)| field);
        assert_eq!(nothing.comment(&all), "-M3/0 0.000s");
    }
}
