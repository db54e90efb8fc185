//! The lines of fastchess.

use super::lines::Printer;
use super::standing::Standing;
use crate::statistics::sprt::Sprt;
use crate::tournament::options::EngineSpec;

pub struct Fastchess<'r> {
    pub sprt: Option<&'r Sprt>,
    pub engines: &'r [EngineSpec],
    /// Name of the openings.
    pub book: String,
}

impl Printer for Fastchess<'_> {
    fn ratings(&self, standing: &Standing) -> Vec<String> {
        let lines = match standing.pairings()[..] {
            [pairing] if standing.names.len() == 2 => self.rating(standing, pairing),
            _ => table(standing),
        };
        let rule = ["-".repeat(50)];
        [&rule, &lines[..], &rule].concat()
    }

    fn over(&self) -> &'static str {
        "Tournament finished"
    }
}

impl Fastchess<'_> {
    fn rating(&self, standing: &Standing, pairing: (usize, usize)) -> Vec<String> {
        let counts = &standing.counts(pairing);
        let [one, other] = [pairing.0, pairing.1].map(|engine| standing.names[engine].as_str());
        let settings = self.settings(pairing);
        let (elo, nelo) = (counts.elo(), counts.normalised_elo());
        let pairs = if counts.has_pairs() {
            format!(", PairsRatio: {:.2}", counts.pairs_ratio())
        } else {
            String::new()
        };
        let mut lines = vec![
            format!("Results of {one} vs {other} ({settings}):"),
            format!("Elo: {elo:.2}, nElo: {nelo:.2}"),
            format!(
                "LOS: {:.2} %, DrawRatio: {:.2} %{pairs}",
                100.0 * counts.los(),
                100.0 * counts.drawish_ratio(),
            ),
            format!(
                "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
                counts.games(),
                counts.wins,
                counts.losses,
                counts.draws,
                counts.points(),
                100.0 * counts.score(),
            ),
        ];
        if counts.has_pairs() {
            lines.push(format!(
                "Ptnml(0-2): {:?}, WL/DD Ratio: {:.2}",
                counts.pairs,
                counts.decisive_ratio()
            ));
        }
        if let Some(sprt) = self.sprt {
            let (llr, (lower, upper)) = (sprt.llr(counts), sprt.bounds());
            let share = if llr < 0.0 { -llr / lower } else { llr / upper };
            lines.push(format!(
                "LLR: {llr:.2} ({:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]",
                100.0 * share,
                sprt.elo0,
                sprt.elo1,
            ));
        }
        lines
    }

    /// Settings of two engines: `10+0.1, 1t, 16MB, book.epd`.
    fn settings(&self, pairing: (usize, usize)) -> String {
        let both = |what: &dyn Fn(&EngineSpec) -> String| {
            let of = |engine: usize| self.engines.get(engine).map(what).unwrap_or_default();
            let (one, other) = (of(pairing.0), of(pairing.1));
            if one == other { one } else { format!("{one} - {other}") }
        };
        let option = |spec: &EngineSpec, name: &str, unit: &str| {
            let mut options = spec.options.iter().rev();
            let set = options.find(|(known, _)| known.eq_ignore_ascii_case(name));
            set.map_or("NULL".into(), |(_, value)| format!("{value}{unit}"))
        };
        let mut parts = vec![
            both(&|spec| spec.control.limits()),
            both(&|spec| option(spec, "Threads", "t")),
            both(&|spec| option(spec, "Hash", "MB")),
        ];
        parts.extend(Some(self.book.clone()).filter(|book| !book.is_empty()));
        parts.join(", ")
    }
}

/// Lists the points of all engines, the best first.
fn table(standing: &Standing) -> Vec<String> {
    let ranking = standing.ranking();
    let rows = (1..).zip(ranking).map(|(rank, engine)| {
        let (name, counts) = (&standing.names[engine], standing.all_of(engine));
        let (elo, nelo) = (counts.elo(), counts.normalised_elo());
        format!(
            "{rank:4} {name:<25} {:10.2} {:10.2} {:10.2} {:10.2} {:10} {:9.1}% {:9.1}% {:>20}",
            elo.difference,
            elo.error,
            nelo.difference,
            nelo.error,
            counts.games(),
            100.0 * counts.score(),
            100.0 * counts.draw_ratio(),
            format!("{:?}", counts.pairs),
        )
    });
    let header = format!(
        "{:4} {:<25} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>20}",
        "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw", "Ptnml(0-2)"
    );
    std::iter::once(header).chain(rows).collect()
}
