//! What is written of a match: its games in PGN, their last positions, and what passed
//! between it and its engines.

use super::Played;
use super::options::{EngineSpec, Options, Target};
use crate::games::result;
use crate::records::pgn;
use crate::system::date::{clock, date_and_time};
use crate::system::files;
use std::fs::{File, OpenOptions};
use std::io::{Result, Write};
use std::path::Path;

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
                files::end_torn_line(&mut file, Path::new(path))?;
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
pub fn record(options: &Options, played: &Played, target: &Target) -> pgn::Record {
    let minimal = target.minimal;
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
    let mut record = pgn::Record {
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
                ..pgn::PlayedMove::default()
            })
            .collect(),
        result: result(game.winner).into(),
        start: options.variant.info.start.into(),
    };
    if !target.coordinates
        && let Err(error) = record.write_san(options.variant)
    {
        log::warn!("match: {error}");
    }
    record
}

fn time_controls(engines: [&EngineSpec; 2]) -> Vec<(&'static str, String)> {
    let [white, black] = engines.map(|spec| spec.control.tag());
    if white == black {
        vec![("TimeControl", white)]
    } else {
        vec![("WhiteTimeControl", white), ("BlackTimeControl", black)]
    }
}
