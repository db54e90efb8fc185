//! Files by their names, where nothing but a file will do: to open a pipe would keep the
//! program waiting, and to replace a device would destroy it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Error, Read, Result, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long another process may go on with a file before it counts as at work.
const PATIENCE: Duration = Duration::from_secs(2);

/// Fails if there is something at a path that is not a file.
///
/// # Errors
///
/// It says just that.
pub fn check(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(Error::other("it is not a file")),
        _ => Ok(()),
    }
}

/// Opens a file for reading.
///
/// # Errors
///
/// It cannot be opened, or is not a file.
pub fn open(path: &Path) -> Result<File> {
    check(path)?;
    File::open(path)
}

/// What a file holds, up to so many bytes.
///
/// # Errors
///
/// It cannot be read, or is not a file.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file as a whole or not at all.
///
/// # Errors
///
/// It cannot be written, or what is there is not a file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = Replacement::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file that grows beside the one that it is to replace. It is removed if it is dropped before it
/// is finished.
pub struct Replacement {
    file: File,
    unfinished: PathBuf,
    path: PathBuf,
}

impl Replacement {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// It cannot be written, or what is there is not a file.
    pub fn create(path: &Path) -> Result<Self> {
        check(path)?;
        // A link stays one.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut unfinished = path.clone().into_os_string();
        unfinished.push(".part");
        let unfinished = PathBuf::from(unfinished);
        Ok(Self {
            file: File::create(&unfinished)?,
            unfinished,
            path,
        })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// It cannot be renamed.
    pub fn finish(self) -> Result<()> {
        fs::rename(&self.unfinished, &self.path)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // Once it is finished, it is no longer there.
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// Opens a file to read it and to append to it, or makes a new one, as this process's own. One
/// that was just ended winds up for a moment longer than its user sees it
/// (`engine::interrupt`); that moment is waited for.
///
/// # Errors
///
/// It cannot be opened, is not a file, or another process goes on writing to it.
pub fn open_to_append(path: &Path) -> Result<File> {
    check(path)?;
    let file = OpenOptions::new()
        .create(true)
        .read(true)
        .append(true)
        .open(path)?;
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => {
                std::thread::sleep(PATIENCE / 100);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Error::other("another process writes to it"));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// A text that grows by whole lines. A last line that was cut off is dropped.
pub struct Lines {
    file: File,
    /// The lines that were there when it was opened.
    pub before: Vec<String>,
}

impl Lines {
    /// Opens a text, or makes a new one.
    ///
    /// # Errors
    ///
    /// Those of [`open_to_append`], or what it holds is no text.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = open_to_append(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        file.set_len(text.len() as u64)?;
        let before = text.lines().map(str::to_string).collect();
        Ok(Self { file, before })
    }

    /// Appends a line.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn append(&mut self, line: &str) -> Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}

/// Whether two paths name one file, also by different ways.
pub fn is_same(one: &Path, other: &Path) -> bool {
    // What is not there yet has no canonical path.
    let whole = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    whole(one).is_ok_and(|one| whole(other).is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_off_is_dropped() {
        let path = std::env::temp_dir().join(format!("quadrille-{}-lines", std::process::id()));
        let _ = fs::remove_file(&path);
        let mut lines = Lines::open(&path).expect("a new file");
        assert!(lines.before.is_empty());
        lines.append("one").expect("written");
        lines.append("two").expect("written");
        let error = Lines::open(&path).err().expect("it is in use");
        assert_eq!(error.to_string(), "another process writes to it");
        drop(lines);
        let file = OpenOptions::new().append(true).open(&path);
        file.and_then(|mut file| file.write_all(b"thr"))
            .expect("written");
        let mut lines = Lines::open(&path).expect("it is still a file");
        assert_eq!(lines.before, ["one", "two"]);
        lines.append("four").expect("written");
        drop(lines);
        assert_eq!(
            fs::read_to_string(&path).expect("a text"),
            "one\ntwo\nfour\n"
        );
        let _ = fs::remove_file(&path);
    }
}
