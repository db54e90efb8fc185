//! Games, positions and results as text: PGN, EPD, JSON.

mod accuracy;
mod check;
pub mod epd;
mod fillers;
pub mod json;
pub mod pgn;

pub use accuracy::{Accuracies, Moment, without_accuracy};
pub use check::{check, check_counts};

use crate::engine::{Session, Variant};
use crate::games::Side;
use crate::system::Cause;

/// Opens a game before its first move, and undoes what XBoard and cutegames change in games that
/// Black begins.
pub fn open(record: &mut pgn::Record, variant: Variant) -> Result<Box<dyn Session>, Cause> {
    fillers::leave_out(record, variant);
    if variant.info.first == Side::Black {
        seat_players(record, variant);
    }
    record.open(variant)
}

/// Names the sides of a game that Black begins in a PGN of cutegames, where `1-0` is a win of
/// player 1, who is named first.
fn seat_players(record: &mut pgn::Record, variant: Variant) {
    if record.tag("Site") != Some("CuteGames") || record.tag("Variant").is_some() {
        return;
    }
    let for_white = |result: &str| match result {
        "1-0" => "0-1".to_string(),
        "0-1" => "1-0".to_string(),
        other => other.to_string(),
    };
    record.result = for_white(&record.result);
    let mut sides = ["Black", "White"].into_iter();
    for (name, value) in &mut record.tags {
        match &**name {
            "Result" => *value = for_white(value),
            "White" | "Black" => *name = sides.next().unwrap_or(name).into(),
            _ => {}
        }
    }
    // What is written of it is read as it stands.
    let name = variant.info.name.to_string();
    record.tags.push(("Variant".into(), name));
}
