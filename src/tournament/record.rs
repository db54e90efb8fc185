//! What is written of a match: its games in PGN, their last positions, and what passed
//! between it and its engines.

use super::Played;
use super::options::{EngineSpec, Options, Target};
use crate::games::result;
use crate::notation::pgn;
use std::fs::{File, OpenOptions};
use std::io::{Read, Result, Seek, SeekFrom, Write};
use std::time::{Duration, SystemTime};

/// A file that grows by whole pieces.
pub struct Sink {
    file: File,
    /// What the command line calls it.
    name: String,
}

impl Sink {
    /// Opens a file, or makes a new one. Behind a piece that was cut off a new line begins.
    ///
    /// # Errors
    ///
    /// It cannot be opened.
    pub fn open(option: &str, target: &Target) -> std::result::Result<Self, String> {
        let name = format!("{option}: {}", target.path);
        let open = || -> Result<File> {
            if !target.append {
                return File::create(&target.path);
            }
            let path = &target.path;
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            if file.metadata()?.is_file() {
                let mut last = [b'\n'];
                let mut written = File::open(path)?;
                if written.seek(SeekFrom::End(-1)).is_ok() {
                    written.read_exact(&mut last)?;
                }
                if last != [b'\n'] {
                    file.write_all(b"\n\n")?;
                }
            }
            Ok(file)
        };
        match open() {
            Ok(file) => Ok(Self { file, name }),
            Err(error) => Err(format!("{name}: {error}")),
        }
    }

    /// How long the file is; 0 if it is no file.
    pub fn length(&self) -> u64 {
        let data = self.file.metadata();
        data.map_or(0, |data| if data.is_file() { data.len() } else { 0 })
    }

    /// Makes what was written safe against a power cut, if that can be.
    pub fn sync(&self) {
        let _ = self.file.sync_data();
    }

    /// Appends a piece with a single write, so that an interrupt leaves whole ones. A full disk
    /// leaves whole ones too: what was written of the last one goes.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn append(&mut self, text: &str) -> std::result::Result<(), String> {
        let wrong = |error| format!("{}: {error}", self.name);
        let length = self.file.metadata().map_err(wrong)?.len();
        self.file.write_all(text.as_bytes()).map_err(|error| {
            // What is written to need not be a file that can be cut off.
            let _ = self.file.set_len(length);
            wrong(error)
        })
    }
}

/// A game in PGN.
pub fn record(options: &Options, played: &Played, minimal: bool) -> pgn::Record {
    let Played {
        fixture,
        opening,
        game,
        ..
    } = played;
    let spec = |side: usize| &options.engines[fixture.seats[side]];
    let round = match fixture.pair {
        None => (fixture.number + 1).to_string(),
        Some(pair) => format!("{}.{}", pair + 1, fixture.repetition % 2 + 1),
    };
    let (date, time) = date_and_time(played.begun);
    let mut tags = vec![
        ("Event", options.event.clone()),
        ("Site", options.site.clone()),
        ("Date", date.clone()),
        ("Round", round),
        ("White", spec(0).name.clone()),
        ("Black", spec(1).name.clone()),
        ("Result", result(game.winner).into()),
        ("Variant", options.variant.info.name.into()),
    ];
    if let Some(fen) = &opening.fen {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", fen.clone()));
    }
    if !minimal {
        tags.push(("PlyCount", game.moves.len().to_string()));
        tags.extend(time_controls([spec(0), spec(1)]));
        tags.push(("UTCDate", date));
        tags.push(("UTCTime", time));
        tags.push(("GameDuration", clock(played.duration.as_secs())));
    }
    tags.push(("Termination", game.end.termination().into()));
    tags.push(("Reason", game.end.tag()));
    pgn::Record {
        tags: tags
            .into_iter()
            .map(|(name, value)| (name.to_string(), value))
            .collect(),
        moves: game
            .moves
            .iter()
            .map(|(text, comment)| pgn::PlayedMove {
                text: text.clone(),
                comment: comment.clone().filter(|_| !minimal),
            })
            .collect(),
        result: result(game.winner).into(),
        start: options.variant.info.start.into(),
    }
}

fn time_controls(engines: [&EngineSpec; 2]) -> Vec<(&'static str, String)> {
    let [white, black] = engines.map(|spec| spec.control.tag());
    if white == black {
        vec![("TimeControl", white)]
    } else {
        vec![("WhiteTimeControl", white), ("BlackTimeControl", black)]
    }
}

/// The date and the time of day, of Greenwich, as PGN has them: `2024.02.29`, `13:05:59`.
fn date_and_time(when: SystemTime) -> (String, String) {
    const DAY: u64 = 24 * 3600;
    let seconds = when
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs();
    // Days since 1 March of the year 0, where a leap day is the last of its year; 400 years
    // have 146097 days.
    let days = seconds / DAY + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March on have 31, 30, 31, 30, 31 days, again and again.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 {
        (400 * era + year, month + 3)
    } else {
        (400 * era + year + 1, month - 9)
    };
    (
        format!("{year:04}.{month:02}.{day:02}"),
        clock(seconds % DAY),
    )
}

/// `13:05:59`.
fn clock(seconds: u64) -> String {
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (seconds, date, time) in [
            (0, "1970.01.01", "00:00:00"),
            (951_782_400, "2000.02.29", "00:00:00"),
            (951_868_799, "2000.02.29", "23:59:59"),
            (951_868_800, "2000.03.01", "00:00:00"),
            (1_709_211_959, "2024.02.29", "13:05:59"),
            (1_735_689_599, "2024.12.31", "23:59:59"),
            (1_735_689_600, "2025.01.01", "00:00:00"),
            (4_107_542_400, "2100.03.01", "00:00:00"),
        ] {
            let when = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(date_and_time(when), (date.into(), time.into()), "{seconds}");
        }
    }
}
