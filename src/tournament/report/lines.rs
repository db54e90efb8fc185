//! What is said of a match: the lines of cutechess-cli, which scripts look for, or those of
//! fastchess.

use super::finished_game::FinishedGame;
use super::standing::Standing;
use crate::games::result;
use crate::statistics::elo::Counts;
use crate::statistics::sprt::Sprt;
use crate::tournament::fixture::Fixture;
use crate::tournament::options::{EngineSpec, Options, Style};

/// Who reports, and what there is to know besides the standing.
pub struct Report<'o> {
    style: Style,
    sprt: Option<&'o Sprt>,
    engines: &'o [EngineSpec],
    book: String,
}

impl<'o> Report<'o> {
    /// The report of a match.
    pub fn of(options: &'o Options) -> Self {
        Self {
            style: options.style,
            sprt: options.sprt.as_ref(),
            engines: &options.engines,
            book: options.openings.name(),
        }
    }

    /// The report of games of which no more is known than a test of them.
    pub fn of_games(sprt: Option<&'o Sprt>) -> Self {
        Self {
            style: Style::Cutechess,
            sprt,
            engines: &[],
            book: String::new(),
        }
    }

    /// A game begins.
    pub fn started(&self, standing: &Standing, fixture: &Fixture, total: u64) -> String {
        let [white, black] = fixture.seats.map(|engine| &standing.names[engine]);
        let number = fixture.number + 1;
        format!("Started game {number} of {total} ({white} vs {black})")
    }

    /// A game has ended.
    pub fn finished(&self, standing: &Standing, game: &FinishedGame) -> String {
        let [white, black] = game.fixture.seats.map(|engine| &standing.names[engine]);
        format!(
            "Finished game {} ({white} vs {black}): {} {{{}}}",
            game.fixture.number + 1,
            result(game.winner),
            game.sentence(),
        )
    }

    /// What became of the matches of a knockout.
    pub fn matches(
        &self,
        standing: &Standing,
        matches: &[([usize; 2], Option<usize>)],
    ) -> Vec<String> {
        let lines = matches
            .iter()
            .enumerate()
            .map(|(index, (players, winner))| {
                let [one, other] = players.map(|engine| standing.names[engine].as_str());
                let counts = standing.against(players[0], players[1]);
                let (points, all) = (counts.points(), counts.games() as f64);
                let end = winner.map_or(String::new(), |winner| {
                    format!(", {} wins", standing.names[winner])
                });
                let rest = all - points;
                format!(
                    "Match {}: {one} vs {other} {points:.1} - {rest:.1}{end}",
                    index + 1
                )
            });
        lines.collect()
    }

    /// The score of two engines; fastchess says it with the ratings only.
    pub fn score(&self, standing: &Standing, pairing: (usize, usize)) -> Option<String> {
        let wanted = self.style == Style::Cutechess;
        wanted.then(|| score_line(standing, pairing))
    }

    /// How strong the engines are.
    pub fn ratings(&self, standing: &Standing) -> Vec<String> {
        let lines = match standing.pairings()[..] {
            [pairing] if standing.names.len() == 2 => self.rating(standing, pairing),
            _ => self.table(standing),
        };
        match self.style {
            Style::Cutechess => lines,
            Style::Fastchess => {
                let rule = "-".repeat(50);
                let rules = [
                    std::slice::from_ref(&rule),
                    &lines,
                    std::slice::from_ref(&rule),
                ];
                rules.concat()
            }
        }
    }

    /// How the games of each engine ended.
    pub fn outcomes(&self, standing: &Standing) -> Vec<String> {
        let mut lines = Vec::new();
        if self.style == Style::Cutechess {
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
        }
        lines
    }

    /// Everything, at the end.
    pub fn last(&self, standing: &Standing) -> Vec<String> {
        let mut lines = Vec::new();
        if self.style == Style::Fastchess {
            lines.extend(self.ratings(standing));
        } else {
            for pairing in standing.pairings() {
                lines.push(score_line(standing, pairing));
                lines.extend(self.rating(standing, pairing));
            }
            if standing.names.len() > 2 {
                lines.extend(self.table(standing));
            }
        }
        if standing.names.len() > 2 {
            lines.extend(crosstable(standing));
        }
        lines.extend(self.outcomes(standing));
        if standing.repeated > 0 {
            lines.push(format!(
                "Repeated games: {} of {}; they tell nothing new",
                standing.repeated,
                standing.finished()
            ));
        }
        for (name, faults) in standing.names.iter().zip(&standing.faults) {
            let claims = match faults.claims {
                0 => String::new(),
                claims => format!(", {claims} wrong claims"),
            };
            lines.push(format!(
                "Faults of {name}: {} time losses, {} illegal moves, {} crashes, {} hangs{claims}",
                faults.time, faults.illegal, faults.crashes, faults.hangs,
            ));
        }
        lines
    }

    /// The match has ended.
    pub fn over(&self) -> &'static str {
        match self.style {
            Style::Cutechess => "Finished match",
            Style::Fastchess => "Tournament finished",
        }
    }

    /// How strong one engine is against another.
    fn rating(&self, standing: &Standing, pairing: (usize, usize)) -> Vec<String> {
        let counts = standing.counts(pairing);
        if counts.games() == 0 {
            return Vec::new();
        }
        match self.style {
            Style::Cutechess => self.cutechess_rating(standing, pairing, &counts),
            Style::Fastchess => self.fastchess_rating(standing, pairing, &counts),
        }
    }

    fn cutechess_rating(
        &self,
        standing: &Standing,
        pairing: (usize, usize),
        counts: &Counts,
    ) -> Vec<String> {
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

    fn fastchess_rating(
        &self,
        standing: &Standing,
        pairing: (usize, usize),
        counts: &Counts,
    ) -> Vec<String> {
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

    /// What fastchess tells of two engines: `10+0.1, 1t, 16MB, book.epd`.
    fn settings(&self, pairing: (usize, usize)) -> String {
        let both = |what: &dyn Fn(&EngineSpec) -> String| {
            let of = |engine: usize| self.engines.get(engine).map(what).unwrap_or_default();
            let (one, other) = (of(pairing.0), of(pairing.1));
            if one == other {
                one
            } else {
                format!("{one} - {other}")
            }
        };
        let option = |spec: &EngineSpec, name: &str, unit: &str| {
            let mut options = spec.options.iter().rev();
            let set = options.find(|(known, _)| known.eq_ignore_ascii_case(name));
            set.map_or("NULL".into(), |(_, value)| format!("{value}{unit}"))
        };
        let mut parts = vec![
            both(&|spec| spec.control.tag()),
            both(&|spec| option(spec, "Threads", "t")),
            both(&|spec| option(spec, "Hash", "MB")),
        ];
        parts.extend(Some(self.book.clone()).filter(|book| !book.is_empty()));
        parts.join(", ")
    }

    /// Everybody's points, the best first.
    fn table(&self, standing: &Standing) -> Vec<String> {
        let ranking = standing.ranking();
        let rows = ranking.iter().enumerate().map(|(rank, &engine)| {
            let (name, counts) = (&standing.names[engine], standing.all_of(engine));
            let (elo, nelo) = (counts.elo(), counts.normalised_elo());
            let (score, draws) = (100.0 * counts.score(), 100.0 * counts.draw_ratio());
            let (rank, games) = (rank + 1, counts.games());
            match self.style {
                Style::Cutechess => format!(
                    "{rank:4} {name:<25} {:7.0} {:7.0} {games:7} {score:6.1}% {draws:6.1}%",
                    elo.difference, elo.error
                ),
                Style::Fastchess => format!(
                    "{rank:4} {name:<25} {:10.2} {:10.2} {:10.2} {:10.2} {games:10} {score:9.1}% {draws:9.1}% {:>20}",
                    elo.difference,
                    elo.error,
                    nelo.difference,
                    nelo.error,
                    format!("{:?}", counts.pairs),
                ),
            }
        });
        let header = match self.style {
            Style::Cutechess => format!(
                "{:4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7}",
                "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
            ),
            Style::Fastchess => format!(
                "{:4} {:<25} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>20}",
                "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw", "Ptnml(0-2)"
            ),
        };
        std::iter::once(header).chain(rows).collect()
    }
}

fn score_line(standing: &Standing, pairing: (usize, usize)) -> String {
    let [one, other] = [pairing.0, pairing.1].map(|engine| standing.names[engine].as_str());
    format!(
        "Score of {one} vs {other}: {}",
        score_of(&standing.counts(pairing))
    )
}

/// `12 - 3 - 5  [0.725] 20`: wins, losses and draws.
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

/// What the first engine scored with each colour, and what White did.
fn by_colour(standing: &Standing, pairing: (usize, usize)) -> Vec<String> {
    let name = &standing.names[pairing.0];
    let [white, black] = standing.colours(pairing);
    let mut lines = Vec::new();
    for (colour, counts) in [("White", white), ("Black", black)] {
        if counts.games() > 0 {
            lines.push(format!(
                "...      {name} playing {colour}: {}",
                score_of(&counts)
            ));
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

/// What each engine scored against each other one, the best first.
fn crosstable(standing: &Standing) -> Vec<String> {
    let ranking = standing.ranking();
    let cell = |engine: usize, other: usize| {
        let counts = standing.against(engine, other);
        match counts.games() {
            0 if engine == other => "-".into(),
            0 => String::new(),
            games => format!("{:.1}/{games}", counts.points()),
        }
    };
    let names = standing.names.iter().map(|name| name.chars().count());
    let width = names.max().unwrap_or(0);
    let row = |title: &str, rank: &str, cells: Vec<String>| {
        let cells: Vec<_> = cells.iter().map(|cell| format!("{cell:>9}")).collect();
        format!("{rank:>4} {title:<width$} {}", cells.concat())
            .trim_end()
            .to_string()
    };
    let ranks = (1..=ranking.len()).map(|rank| rank.to_string()).collect();
    let mut lines = vec!["Crosstable".to_string(), row("", "", ranks)];
    lines.extend(ranking.iter().enumerate().map(|(rank, &engine)| {
        let cells = ranking.iter().map(|&other| cell(engine, other)).collect();
        row(&standing.names[engine], &(rank + 1).to_string(), cells)
    }));
    lines
}
