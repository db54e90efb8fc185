//! The file that games are saved in. It is up to date after every move, so that nothing is lost
//! however the program ends.

use crate::cli::Failure;
use crate::system::files::LockedFile;
use std::io::Result;
use std::path::Path;

/// A file in PGN to which games are added.
pub(super) struct Save {
    path: String,
    file: LockedFile,
    /// Offset of the current game in the file.
    begin: u64,
}

impl Save {
    /// Opens a file, or makes a new one.
    pub(super) fn open(path: &str) -> std::result::Result<Self, Failure> {
        let open = || -> Result<Self> {
            let mut file = LockedFile::open(Path::new(path))?;
            file.end_torn_line()?;
            let begin = file.length()?;
            let path = path.to_string();
            Ok(Self { path, file, begin })
        };
        open().map_err(Failure::file(path))
    }

    /// Writes the current game over its earlier version.
    pub(super) fn write(&mut self, pgn: &str) -> std::result::Result<(), Failure> {
        let written = self.file.replace_from(self.begin, pgn.as_bytes());
        written.map_err(Failure::file(&self.path))
    }

    /// Writes the finished game; another follows.
    pub(super) fn keep(&mut self, pgn: &str) -> std::result::Result<(), Failure> {
        self.write(pgn)?;
        self.begin = self.file.length().map_err(Failure::file(&self.path))?;
        Ok(())
    }
}
