//! The dialogue with a client, kept in a file for reports of faults.

use crate::system::sync::lock;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A log file of the dialogue and the time when it was opened, if there is one; shared by input and
/// output.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Arc<Mutex<Option<(File, Instant)>>>);

impl Transcript {
    /// Notes lines at the end of a file from now on, or nowhere.
    /// If it cannot be opened, they are noted where they were before.
    pub fn write_to(&self, path: Option<&str>) -> io::Result<()> {
        let open = |path| OpenOptions::new().create(true).append(true).open(path);
        let file = path.map(open).transpose()?;
        *lock(&self.0) = file.map(|file| (file, Instant::now()));
        Ok(())
    }

    /// Notes lines after the seconds since the file was opened: `>` for input, `<` for output. A
    /// file that cannot be written is closed.
    pub fn note(&self, direction: char, text: &str) {
        let mut open = lock(&self.0);
        let Some((file, since)) = &mut *open else {
            return;
        };
        let seconds = since.elapsed().as_secs_f64();
        let lines: String =
            text.lines().map(|line| format!("{seconds:.3} {direction} {line}\n")).collect();
        if let Err(error) = file.write_all(lines.as_bytes()) {
            log::error!("Debug Log File is closed: {error}");
            *open = None;
        }
    }
}
