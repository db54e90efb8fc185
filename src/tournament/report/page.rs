//! The result of a match as self-contained HTML, with pictures in SVG, for light and dark screens.

use super::MatchResult;
use super::standing::Standing;
use crate::games::{Side, result};
use crate::page::BASE_STYLE;
use crate::protocol::NAME;
use crate::statistics::elo::{Elo, MAX_ELO};
use crate::system::text::counted;
use crate::tournament::finished_game::FinishedGame;
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");

/// Width of a picture.
const WIDTH: f64 = 720.0;
/// Width of the names in it.
const NAMES: f64 = 170.0;
/// Height of a row.
const ROW: f64 = 26.0;

pub fn page(result: &MatchResult<'_>) -> String {
    let standing = result.standing;
    let title = escape(&format!("{}: {}", result.event, result.variant));
    let games = counted(result.games.len() as u64, "game");
    let state = if result.is_over { "" } else { ", not finished" };
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{BASE_STYLE}\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p class=\"soft\">{games}{state}</p>\n<p class=\"soft\">{}</p>\n",
        escape(&conditions(result))
    );
    let mut section = |title: &str, body: &str| {
        // Writing to a string cannot fail.
        let _ = write!(page, "<h2>{title}</h2>\n{body}");
    };
    section("Result", &results(result));
    // A single point is no curve.
    if let [pairing] = standing.pairings()[..]
        && result.games.len() > 1
    {
        let name = escape(&standing.names[pairing.0]);
        section(
            "Score over time",
            &format!(
                "<p class=\"soft\">The share of the points that {name} scored, with its 95 % interval.</p>\n{}",
                score_over_time(result, pairing)
            ),
        );
    }
    section("Elo", &elo_bars(standing));
    if standing.names.len() > 2 {
        section("Crosstable", &crosstable(standing));
    }
    section("How games ended", &end_bars(result.games));
    section("Games", &list(result));
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// Describes under which conditions the games were played, as far as they are known.
fn conditions(result: &MatchResult<'_>) -> String {
    let begun = result.games.iter().filter_map(|game| game.begun.as_ref());
    let mut parts = Vec::from_iter(begun.min().map(|(date, time)| format!("{date} {time} UTC")));
    for (name, engine) in result.standing.names.iter().zip(result.engines) {
        parts.push(format!("{name} has {}", engine.control.limits()));
    }
    if !result.openings.is_empty() {
        parts.push(format!("openings: {}", result.openings));
    }
    parts.push(format!("referee: {NAME}"));
    parts.join("; ")
}

/// Writes the table of the engines and, for two, the statistics.
fn results(result: &MatchResult<'_>) -> String {
    let standing = result.standing;
    let rows = standing.ranking().into_iter().map(|engine| {
        let counts = standing.all_of(engine);
        vec![
            standing.names[engine].clone(),
            counts.games().to_string(),
            format!("{:.1}", counts.points()),
            format!("{:.1} %", 100.0 * counts.score()),
            counts.wins.to_string(),
            counts.draws.to_string(),
            counts.losses.to_string(),
            counts.elo().to_string().replace("+/-", "±"),
        ]
    });
    let head = ["Name", "Games", "Points", "Score", "Won", "Drawn", "Lost", "Elo"];
    let mut text = table(&head, rows.collect());
    if let [pairing] = standing.pairings()[..] {
        let counts = standing.counts(pairing);
        let _ = write!(
            text,
            "<p>Likelihood of superiority {:.1} %, normalized Elo {}",
            100.0 * counts.los(),
            counts.normalised_elo().to_string().replace("+/-", "±"),
        );
        if let Some(sprt) = result.sprt {
            let (lower, upper) = sprt.bounds();
            let _ = write!(
                text,
                "; test of {} against {} Elo ({}): {:.2} between {lower:.2} and {upper:.2}",
                sprt.elo0,
                sprt.elo1,
                sprt.model.name(),
                sprt.llr(&counts),
            );
            if let Some(accepted) = sprt.verdict(&counts) {
                let _ = write!(text, ", {accepted} accepted");
            }
        }
        text.push_str(".</p>\n");
        if counts.has_pairs() {
            let head = ["Points of a pair", "0", "½", "1", "1½", "2"];
            let pairs = counts.pairs.map(|pairs| pairs.to_string());
            let row = std::iter::once("Pairs".into()).chain(pairs).collect();
            text.push_str(&table(&head, vec![row]));
        }
    }
    text
}

/// Draws the curve of the first engine's score after each game, with its error.
fn score_over_time(result: &MatchResult<'_>, pairing: (usize, usize)) -> String {
    let games = result.games;
    const HEIGHT: f64 = 240.0;
    let (left, right, top, bottom) = (46.0, WIDTH - 8.0, 8.0, HEIGHT - 24.0);
    let x = |game: usize| left + (right - left) * game as f64 / games.len().max(1) as f64;
    let y = |score: f64| top + (bottom - top) * (1.0 - score.clamp(0.0, 1.0));
    let mut standing = result.standing.emptied();
    let (mut curve, mut above, mut below) = (String::new(), String::new(), Vec::new());
    for (index, game) in games.iter().enumerate() {
        standing.count(game);
        let counts = standing.counts(pairing);
        let (x, margin) = (x(index + 1), counts.score_margin());
        let score = counts.score();
        let _ = write!(curve, " {x:.1},{:.1}", y(score));
        let _ = write!(above, " {x:.1},{:.1}", y(score + margin));
        below.push(format!(" {x:.1},{:.1}", y(score - margin)));
    }
    below.reverse();
    let mut svg = open_svg(HEIGHT, "The score after each game");
    for score in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = y(score);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} %</text>",
            left - 6.0,
            y + 4.0,
            100.0 * score,
        );
    }
    let _ = write!(
        svg,
        "<polygon class=\"band\" points=\"{above}{}\"/>\n<polyline class=\"curve\" points=\"{curve}\"/>\n\
         <text x=\"{left}\" y=\"{:.1}\">0</text><text x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\">{} games</text>\n\
         </svg>\n",
        below.concat(),
        HEIGHT - 6.0,
        HEIGHT - 6.0,
        games.len(),
    );
    svg
}

/// Bars of each engine's Elo against all others, with its error.
fn elo_bars(standing: &Standing) -> String {
    let row = |engine| (engine, standing.all_of(engine).elo());
    let rows: Vec<(usize, Elo)> = standing.ranking().into_iter().map(row).collect();
    let ends =
        rows.iter().map(|(_, elo)| elo.difference.abs() + elo.error).filter(|&end| end < MAX_ELO);
    let most = ends.fold(50.0, f64::max);
    let (left, right) = (NAMES, WIDTH - 130.0);
    let x = |elo: f64| left + (right - left) * (elo.clamp(-most, most) / most + 1.0) / 2.0;
    let height = ROW * rows.len() as f64;
    let mut svg = open_svg(height, "Elo with its 95 % error");
    let _ = writeln!(
        svg,
        "<line class=\"zero\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"0\" y2=\"{height}\"/>",
        x(0.0)
    );
    for (row, (engine, elo)) in rows.iter().enumerate() {
        let y = ROW * (row as f64 + 0.5);
        let (low, high) = (elo.difference - elo.error, elo.difference + elo.error);
        let text = elo.to_string().replace("+/-", "±");
        let _ = writeln!(
            svg,
            "<text x=\"0\" y=\"{:.1}\">{}</text>\
             <line class=\"error\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <circle class=\"bar\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\"/>\
             <text x=\"{WIDTH}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            y + 4.0,
            escape(&shorten(&standing.names[*engine])),
            x(low),
            x(high),
            x(elo.difference),
            y + 4.0,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Writes the table of each engine's score against each other one.
fn crosstable(standing: &Standing) -> String {
    let ranking = standing.ranking();
    let numbers: Vec<_> = (1..=ranking.len()).map(|rank| rank.to_string()).collect();
    let mut head = vec!["Name"];
    head.extend(numbers.iter().map(String::as_str));
    let rows = ranking.iter().enumerate().map(|(rank, &engine)| {
        let cells = ranking.iter().map(|&other| standing.cell(engine, other).replace('-', "–"));
        let name = format!("{}. {}", rank + 1, standing.names[engine]);
        std::iter::once(name).chain(cells).collect()
    });
    table(&head, rows.collect())
}

/// Bars of the ends of games, by frequency.
fn end_bars(games: &[FinishedGame]) -> String {
    let ends = FinishedGame::ends(games);
    let most = ends.first().map_or(1, |(_, count)| *count) as f64;
    let (left, right) = (2.0 * NAMES, WIDTH - 50.0);
    let mut svg = open_svg(ROW * ends.len() as f64, "How games ended");
    for (row, (reason, count)) in ends.iter().enumerate() {
        let y = ROW * row as f64;
        let _ = writeln!(
            svg,
            "<text x=\"0\" y=\"{:.1}\">{}</text>\
             <rect class=\"bar\" x=\"{left}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"/>\
             <text x=\"{WIDTH}\" y=\"{:.1}\" text-anchor=\"end\">{count}</text>",
            y + 17.0,
            escape(reason),
            y + 5.0,
            (right - left) * *count as f64 / most,
            ROW - 10.0,
            y + 17.0,
        );
    }
    svg.push_str("</svg>\n");
    let is_won = |side| move |game: &&FinishedGame| game.winner == Some(side);
    let won = |side| games.iter().filter(is_won(side)).count();
    let (white, black) = (won(Side::White), won(Side::Black));
    format!(
        "<p class=\"soft\">White won {white}, Black {black}, {} were drawn.</p>\n{svg}",
        games.len() - white - black
    )
}

/// Writes the table of all games.
fn list(matched: &MatchResult<'_>) -> String {
    let rows = matched.games.iter().map(|game| {
        let [white, black] = game.fixture.seats.map(|seat| matched.standing.names[seat].clone());
        vec![
            (game.fixture.number + 1).to_string(),
            white,
            black,
            result(game.winner).into(),
            game.plies.to_string(),
            game.end.tag(),
        ]
    });
    let head = ["Game", "White", "Black", "Result", "Plies", "Reason"];
    format!("<details><summary>All games</summary>\n{}</details>\n", table(&head, rows.collect()))
}

fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut text = String::from("<div class=\"wide\"><table>\n<tr>");
    for title in head {
        let _ = write!(text, "<th>{}</th>", escape(title));
    }
    text.push_str("</tr>\n");
    for row in rows {
        text.push_str("<tr>");
        for cell in row {
            let _ = write!(text, "<td>{}</td>", escape(&cell));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table></div>\n");
    text
}

fn open_svg(height: f64, title: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\"><title>{title}</title>\n")
}

/// Shortens a name to fit beside a bar.
fn shorten(name: &str) -> String {
    const MOST: usize = 24;
    if name.chars().count() <= MOST {
        return name.into();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
