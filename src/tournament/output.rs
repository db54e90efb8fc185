//! Output files of a match, and its games in PGN.

use super::finished_game::PlayedGame;
use super::options::{EngineSpec, MatchOptions, OutputSpec};
use crate::cli::Failure;
use crate::games::result;
use crate::records::pgn;
use crate::system::date::clock;
use crate::system::files::{self, LockedFile};
use std::fs::{File, metadata};
use std::io::{Result, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Interval at which a file is flushed to the disk, against a power cut.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A file that grows by whole records.
pub(super) struct OutputFile {
    target: OutputTarget,
    /// Its name in errors, with its option.
    name: String,
    /// True if it keeps its content.
    appends: bool,
    synced: Instant,
}

enum OutputTarget {
    File(LockedFile),
    /// A pipe or a device.
    Stream(File),
}

impl OutputFile {
    /// Opens a file, or creates it.
    pub(super) fn open(option: &str, spec: &OutputSpec) -> std::result::Result<Self, Failure> {
        let name = format!("{option}: {}", spec.path);
        let open = || -> Result<OutputTarget> {
            let path = Path::new(&spec.path);
            if metadata(path).is_ok_and(|data| !data.is_file()) {
                return files::append_to(path).map(OutputTarget::Stream);
            }
            LockedFile::open(path).map(OutputTarget::File)
        };
        Ok(Self {
            target: open().map_err(Failure::file(&name))?,
            name,
            appends: spec.append,
            synced: Instant::now(),
        })
    }

    /// Does something with the file. A pipe or a device is left alone, and `T::default` returned.
    fn regular<T: Default>(
        &mut self,
        act: impl FnOnce(&mut LockedFile) -> Result<T>,
    ) -> std::result::Result<T, Failure> {
        match &mut self.target {
            OutputTarget::File(file) => act(file).map_err(Failure::file(&self.name)),
            OutputTarget::Stream(_) => Ok(T::default()),
        }
    }

    /// Reads the file; `None` if it is no regular file.
    pub(super) fn read(&mut self) -> std::result::Result<Option<Vec<u8>>, Failure> {
        self.regular(|file| file.read(0).map(Some))
    }

    /// Prepares the file for its first record: ends a torn record, or removes all records. The
    /// file of a match that `resumes` keeps them.
    pub(super) fn begin(&mut self, resumes: bool) -> std::result::Result<(), Failure> {
        let keeps = self.appends || resumes;
        self.regular(|file| if keeps { file.end_torn_line() } else { file.truncate(0) })
    }

    /// Replaces all after a length by a text.
    pub(super) fn restore(&mut self, length: u64, text: &str) -> std::result::Result<(), Failure> {
        self.regular(|file| file.replace_from(length, text.as_bytes()))
    }

    /// Returns the length of the file; `None` if it is no regular file.
    pub(super) fn length(&self) -> Option<u64> {
        match &self.target {
            OutputTarget::File(file) => file.length().ok(),
            OutputTarget::Stream(_) => None,
        }
    }

    /// Appends a record.
    pub(super) fn append(&mut self, text: &str) -> std::result::Result<(), Failure> {
        let written = match &mut self.target {
            OutputTarget::File(file) => file.append(text.as_bytes()).inspect(|()| {
                if self.synced.elapsed() >= SYNC_INTERVAL {
                    file.sync();
                    self.synced = Instant::now();
                }
            }),
            OutputTarget::Stream(stream) => stream.write_all(text.as_bytes()),
        };
        written.map_err(Failure::file(&self.name))
    }
}

/// Returns a game in PGN.
pub(super) fn record(
    options: &MatchOptions,
    PlayedGame { game, first, moves, .. }: &PlayedGame,
    spec: &OutputSpec,
) -> pgn::Record {
    let minimal = spec.minimal;
    let engine = |side: usize| &options.engines[game.fixture.seats[side]];
    let (date, time) = game.begun.clone().unwrap_or_default();
    let mut tags = vec![
        ("Event", options.event.clone()),
        ("Site", options.site.clone()),
        ("Date", date.clone()),
        ("Round", game.fixture.round()),
        ("White", engine(0).name.clone()),
        ("Black", engine(1).name.clone()),
        ("Result", result(game.winner).into()),
        ("Variant", options.variant.info.name.into()),
    ];
    if let Some(fen) = first {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", fen.clone()));
    }
    if !minimal {
        tags.push(("PlyCount", game.plies.to_string()));
        tags.extend(time_controls([engine(0), engine(1)]));
        tags.push(("UTCDate", date));
        tags.push(("UTCTime", time));
        tags.push(("GameDuration", clock(game.duration.as_secs())));
    }
    tags.push(("Termination", game.end.termination().into()));
    tags.push(("Reason", game.end.tag()));
    let mut record = pgn::Record {
        tags: tags.into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
        moves: moves.clone(),
        result: result(game.winner).into(),
        start: options.variant.info.start.into(),
        ..pgn::Record::default()
    };
    if minimal {
        record.moves.iter_mut().for_each(|mv| mv.comment = None);
    }
    if let Some(notation) = spec.notation
        && let Err(error) = record.rewrite(options.variant, notation)
    {
        log::warn!("{error}");
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
