//! Regular files: opening a pipe would block the program, and replacing a device would destroy it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Error, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time that another process has to close a file: one that was interrupted winds up for a moment
/// longer than its user sees it (`cli::interrupt`).
const PATIENCE: Duration = Duration::from_secs(5);

/// Accepts a path that names a regular file or nothing.
///
/// # Errors
///
/// Something else is there.
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
/// It cannot be opened, or is not a regular file.
pub fn open(path: &Path) -> Result<File> {
    check(path)?;
    File::open(path)
}

/// Reads a file, at most `limit` bytes.
///
/// # Errors
///
/// It cannot be read, or is not a regular file.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file as a whole or not at all.
///
/// # Errors
///
/// It cannot be written, or something other than a regular file is there.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = Replacement::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file that is written beside the one that it replaces. Dropped before it is finished, it is
/// removed.
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
    /// It cannot be written, or something other than a regular file is there.
    pub fn create(path: &Path) -> Result<Self> {
        check(path)?;
        // A symbolic link stays one.
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
        // A finished file has moved.
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// Opens a file for reading and appending, or creates it, and locks it for this process. Without
/// locks (some network file systems) it warns and continues.
///
/// # Errors
///
/// It cannot be opened, is not a regular file, or another process holds it.
pub fn open_to_append(path: &Path) -> Result<File> {
    check(path)?;
    let file = OpenOptions::new()
        .create(true)
        .read(true)
        .append(true)
        .open(path)?;
    lock(path, || file.try_lock())?;
    Ok(file)
}

fn lock(path: &Path, attempt: impl Fn() -> std::result::Result<(), TryLockError>) -> Result<()> {
    let begin = Instant::now();
    loop {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => {
                std::thread::sleep(PATIENCE / 100);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Error::other("another process writes to it"));
            }
            Err(TryLockError::Error(error)) => {
                log::warn!("{}: not locked: {error}", path.display());
                return Ok(());
            }
        }
    }
}

/// Ends a text that does not end with a line end, as after a crash, with an empty line. `file` is
/// open for appending to `path`.
///
/// # Errors
///
/// It cannot be read or written.
pub fn end_torn_line(file: &mut File, path: &Path) -> Result<()> {
    let mut last = [b'\n'];
    let mut written = File::open(path)?;
    if written.seek(SeekFrom::End(-1)).is_ok() {
        written.read_exact(&mut last)?;
    }
    match last {
        [b'\n'] => Ok(()),
        _ => file.write_all(b"\n\n"),
    }
}

/// A text that grows by whole lines. A torn last line is ignored, and cut off by the next one.
pub struct Lines {
    file: File,
    /// Length of the whole lines, if a torn one follows them.
    torn_at: Option<u64>,
    /// Lines present when the file was opened.
    pub before: Vec<String>,
}

impl Lines {
    /// Opens a text, or creates it.
    ///
    /// # Errors
    ///
    /// Those of [`open_to_append`], or it is not UTF-8.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = open_to_append(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n');
        let end = end.map_or(0, |end| end + 1);
        let torn_at = (end < bytes.len()).then_some(end as u64);
        bytes.truncate(end);
        let text = String::from_utf8(bytes).map_err(Error::other)?;
        Ok(Self {
            file,
            torn_at,
            before: text.lines().map(str::to_string).collect(),
        })
    }

    /// Appends one or more lines.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn append(&mut self, lines: &str) -> Result<()> {
        if let Some(length) = self.torn_at.take() {
            self.file.set_len(length)?;
        }
        self.file.write_all(format!("{lines}\n").as_bytes())
    }

    /// Removes all lines.
    ///
    /// # Errors
    ///
    /// The file cannot be truncated.
    pub fn clear(&mut self) -> Result<()> {
        self.before.clear();
        self.torn_at = None;
        self.file.set_len(0)
    }

    /// Asks the system to write the file to the disk.
    pub fn sync(&self) {
        // A help against a power cut, not a promise.
        let _ = self.file.sync_data();
    }
}

/// True if two paths name one file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    // A file that does not exist yet has no canonical path.
    let whole = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    whole(one).is_ok_and(|one| whole(other).is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_locks_a_file_is_used_all_the_same() {
        let path = Path::new("unlocked");
        let unsupported = || Err(TryLockError::Error(Error::other("no locks")));
        assert!(lock(path, unsupported).is_ok());
        assert!(lock(path, || Err(TryLockError::WouldBlock)).is_err());
    }

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
