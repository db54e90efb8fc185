//! The file that games are saved in. It is up to date after every move, so that nothing is lost
//! however the program ends.

use crate::system::files;
use std::fs::File;
use std::io::{Result, Write};
use std::path::Path;

/// A file in PGN to which games are added.
pub(super) struct Save {
    path: String,
    file: File,
    /// Offset of the current game in the file.
    begin: u64,
}

impl Save {
    /// Opens a file, or makes a new one.
    pub(super) fn open(path: &str) -> std::result::Result<Self, String> {
        let open = || -> Result<Self> {
            let mut file = files::open_to_append(Path::new(path))?;
            files::end_torn_line(&mut file, Path::new(path))?;
            let begin = file.metadata()?.len();
            let path = path.to_string();
            Ok(Self { path, file, begin })
        };
        open().map_err(|error| format!("{path}: {error}"))
    }

    /// Writes the current game over its earlier version.
    pub(super) fn write(&mut self, pgn: &str) -> std::result::Result<(), String> {
        let written = self
            .file
            .set_len(self.begin)
            .and_then(|()| self.file.write_all(pgn.as_bytes()));
        written.map_err(|error| format!("{}: {error}", self.path))
    }

    /// Keeps the game as it was written last; another follows.
    pub(super) fn keep(&mut self) -> std::result::Result<(), String> {
        let length = self.file.metadata().map(|data| data.len());
        self.begin = length.map_err(|error| format!("{}: {error}", self.path))?;
        Ok(())
    }
}
