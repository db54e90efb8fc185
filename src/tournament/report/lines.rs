//! Printed lines of a match, which scripts look for.

use super::standing::Standing;
use crate::games::result;
use crate::tournament::finished_game::FinishedGame;
use crate::tournament::schedule::Fixture;

/// Lines in which the programs that are imitated differ.
pub trait Printer {
    /// Returns the score of a pairing after a game, if it is printed.
    fn score(&self, _standing: &Standing, _pairing: (usize, usize)) -> Option<String> {
        None
    }

    /// Returns the ratings so far.
    fn ratings(&self, standing: &Standing) -> Vec<String>;

    /// Returns the ends of each engine's games, if they are printed.
    fn outcomes(&self, _standing: &Standing) -> Vec<String> {
        Vec::new()
    }

    /// Returns the ratings at the end.
    fn final_ratings(&self, standing: &Standing) -> Vec<String> {
        self.ratings(standing)
    }

    /// Returns the last line of a match.
    fn over(&self) -> &'static str;
}

/// Announces a game.
pub fn started(standing: &Standing, fixture: &Fixture, total: u64) -> String {
    let [white, black] = fixture.seats.map(|engine| &standing.names[engine]);
    let number = fixture.number + 1;
    format!("Started game {number} of {total} ({white} vs {black})")
}

/// Reports the end of a game.
pub fn finished(standing: &Standing, game: &FinishedGame) -> String {
    let [white, black] = game.fixture.seats.map(|engine| &standing.names[engine]);
    format!(
        "Finished game {} ({white} vs {black}): {} {{{}}}",
        game.fixture.number + 1,
        result(game.winner),
        game.sentence(),
    )
}

/// Returns the whole report, at the end.
pub fn final_report(printer: &dyn Printer, standing: &Standing) -> Vec<String> {
    let mut lines = printer.final_ratings(standing);
    if standing.names.len() > 2 {
        lines.extend(crosstable(standing));
    }
    lines.extend(printer.outcomes(standing));
    if standing.repeated > 0 {
        lines.push(format!(
            "Repeated games: {} of {}; they add no information",
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

/// Draws a table of each engine's score against each other one, the best first.
fn crosstable(standing: &Standing) -> Vec<String> {
    let ranking = standing.ranking();
    let names = standing.names.iter().map(|name| name.chars().count());
    let width = names.max().unwrap_or(0);
    let row = |title: &str, rank: &str, cells: Vec<String>| {
        let cells: Vec<_> = cells.iter().map(|cell| format!("{cell:>9}")).collect();
        format!("{rank:>4} {title:<width$} {}", cells.concat()).trim_end().to_string()
    };
    let ranks = (1..=ranking.len()).map(|rank| rank.to_string()).collect();
    let mut lines = vec!["Crosstable".to_string(), row("", "", ranks)];
    lines.extend(ranking.iter().enumerate().map(|(rank, &engine)| {
        let cells = ranking.iter().map(|&other| standing.cell(engine, other)).collect();
        row(&standing.names[engine], &(rank + 1).to_string(), cells)
    }));
    lines
}
