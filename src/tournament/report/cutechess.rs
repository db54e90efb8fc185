//! The lines of cutechess-cli.

use super::lines::Printer;
use super::standing::Standing;
use crate::statistics::elo::Counts;
use crate::statistics::sprt::Sprt;

pub struct Cutechess<'r> {
    pub sprt: Option<&'r Sprt>,
}

impl Printer for Cutechess<'_> {
    fn score(&self, standing: &Standing, pairing: (usize, usize)) -> Option<String> {
        Some(score_line(standing, pairing))
    }

    fn ratings(&self, standing: &Standing) -> Vec<String> {
        match standing.pairings()[..] {
            [pairing] if standing.names.len() == 2 => self.rating(standing, pairing),
            _ => table(standing),
        }
    }

    fn outcomes(&self, standing: &Standing) -> Vec<String> {
        let mut lines = Vec::new();
        for (engine, name) in standing.names.iter().enumerate() {
            let mut outcomes = standing.outcomes(engine).peekable();
            if outcomes.peek().is_some() {
                if lines.is_empty() {
                    lines.push(String::new());
                }
                lines.push(format!("Player: {name}"));
                lines.extend(outcomes.map(|(how, count)| format!("   \"{how}\": {count}")));
            }
        }
        lines
    }

    fn final_ratings(&self, standing: &Standing) -> Vec<String> {
        let mut lines = Vec::new();
        for pairing in standing.pairings() {
            lines.push(score_line(standing, pairing));
            lines.extend(self.rating(standing, pairing));
        }
        if standing.names.len() > 2 {
            lines.extend(table(standing));
        }
        lines
    }

    fn over(&self) -> &'static str {
        "Finished match"
    }
}

impl Cutechess<'_> {
    fn rating(&self, standing: &Standing, pairing: (usize, usize)) -> Vec<String> {
        let counts = &standing.counts(pairing);
        let mut lines = by_colour(standing, pairing);
        lines.push(format!(
            "Elo difference: {}, LOS: {:.1} %, DrawRatio: {:.1} %",
            counts.elo(),
            100.0 * counts.los(),
            100.0 * counts.draw_ratio(),
        ));
        if let Some(sprt) = self.sprt {
            lines.extend(sprt_lines(sprt, counts));
        }
        if counts.has_pairs() {
            lines.push(format!("Pentanomial: {:?}", counts.pairs));
        }
        lines.push(format!("Normalized Elo: {}", counts.normalised_elo()));
        lines
    }
}

/// Lists the points of all engines, the best first.
fn table(standing: &Standing) -> Vec<String> {
    let ranking = standing.ranking();
    let rows = (1..).zip(ranking).map(|(rank, engine)| {
        let (name, counts) = (&standing.names[engine], standing.all_of(engine));
        let elo = counts.elo();
        format!(
            "{rank:4} {name:<25} {:7.0} {:7.0} {:7} {:6.1}% {:6.1}%",
            elo.difference,
            elo.error,
            counts.games(),
            100.0 * counts.score(),
            100.0 * counts.draw_ratio(),
        )
    });
    let header = format!(
        "{:4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    );
    std::iter::once(header).chain(rows).collect()
}

fn score_line(standing: &Standing, pairing: (usize, usize)) -> String {
    let [one, other] = [pairing.0, pairing.1].map(|engine| standing.names[engine].as_str());
    format!("Score of {one} vs {other}: {}", score_of(&standing.counts(pairing)))
}

/// Writes wins, losses and draws, points and games: `12 - 3 - 5  [0.725] 20`.
fn score_of(counts: &Counts) -> String {
    format!(
        "{} - {} - {}  [{:.3}] {}",
        counts.wins,
        counts.losses,
        counts.draws,
        counts.score(),
        counts.games(),
    )
}

/// Scores of the first engine with each colour, and of White.
fn by_colour(standing: &Standing, pairing: (usize, usize)) -> Vec<String> {
    let name = &standing.names[pairing.0];
    let [white, black] = standing.colours(pairing);
    let mut lines = Vec::new();
    for (colour, counts) in [("White", white), ("Black", black)] {
        if counts.games() > 0 {
            lines.push(format!("...      {name} playing {colour}: {}", score_of(&counts)));
        }
    }
    let of_white = white + black.for_the_other();
    lines.push(format!("...      White vs Black: {}", score_of(&of_white)));
    lines
}

fn sprt_lines(sprt: &Sprt, counts: &Counts) -> [String; 2] {
    let (llr, (lower, upper)) = (sprt.llr(counts), sprt.bounds());
    let verdict = match sprt.verdict(counts) {
        None => "",
        Some(hypothesis) => &format!(" - {hypothesis} was accepted"),
    };
    [
        format!(
            "SPRT: llr {llr:.2} ({:.1}%), lbound {lower:.2}, ubound {upper:.2}{verdict}",
            100.0 * llr / upper,
        ),
        format!(
            "SPRT model: {}, elo0 {}, elo1 {}, alpha {}, beta {}",
            sprt.model.name(),
            sprt.elo0,
            sprt.elo1,
            sprt.alpha,
            sprt.beta,
        ),
    ]
}
