//! Regular files: opening a pipe would block the program, and replacing a device would destroy it.

use super::checksum::Checksum;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// Time that another process has to close a file, as one that winds up after a signal, or to open
/// the other end of a pipe.
const PATIENCE: Duration = Duration::from_secs(5);

/// Accepts a path that names a regular file or nothing. Links stand for what they name.
pub fn check(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(Error::other("it is not a file")),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Follows links to the file that they name, which need not exist.
fn follow(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // Linux follows at most 40 links.
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&path) else {
            break;
        };
        path.pop();
        path.push(next);
    }
    path
}

/// Opens a file for reading.
pub fn open(path: &Path) -> Result<File> {
    check(path)?;
    File::open(path)
}

/// Opens a file, pipe or device for appending, or creates a file.
/// A pipe that nobody begins to read within five seconds is refused: opening it would block.
pub fn append_to(path: &Path) -> Result<File> {
    let path = path.to_path_buf();
    let opening =
        Builder::new().spawn(|| OpenOptions::new().create(true).append(true).open(path))?;
    let begin = Instant::now();
    while !opening.is_finished() && begin.elapsed() < PATIENCE {
        sleep(Duration::from_millis(1));
    }
    let opened = opening.is_finished().then(|| opening.join().ok()).flatten();
    opened.unwrap_or_else(|| Err(Error::other("nobody reads this pipe")))
}

/// Reads a file, at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file as a whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = Replacement::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file that is written beside the one that it replaces, whose owner and mode it takes over. No
/// other process can write to it meanwhile. Dropped before it is finished, it is removed.
pub struct Replacement {
    /// `None` once it has been moved or is kept.
    file: Option<LockedFile>,
    unfinished: PathBuf,
    path: PathBuf,
}

impl Replacement {
    /// Begins a file. What an earlier process that was killed has left of it is lost.
    /// Refused while another process writes it.
    pub fn create(path: &Path) -> Result<Self> {
        check(path)?;
        let unfinished = Self::unfinished(path);
        loop {
            // A link would lead to another file.
            if fs::symlink_metadata(&unfinished).is_ok_and(|found| !found.is_file()) {
                let fault = format!("{} is not a file", unfinished.display());
                return Err(Error::other(fault));
            }
            let file = LockedFile::open(&unfinished)?;
            // The process that had it locked may have moved it.
            if file.is_at(&unfinished) {
                file.truncate(0)?;
                let replacement = Self { file: Some(file), unfinished, path: follow(path) };
                #[cfg(unix)]
                replacement.take_over()?;
                return Ok(replacement);
            }
        }
    }

    /// Returns the path of the file until it is finished. No other program uses this name, so what
    /// is there belongs to a process that was killed.
    pub fn unfinished(path: &Path) -> PathBuf {
        let mut unfinished = follow(path).into_os_string();
        unfinished.push(".quadrille-part");
        unfinished.into()
    }

    /// Gives the file the owner, if possible, and the mode of the one that it replaces.
    #[cfg(unix)]
    fn take_over(&self) -> Result<()> {
        use std::os::unix::fs::{MetadataExt, fchown};
        let (Ok(old), Some(LockedFile(file))) = (fs::metadata(&self.path), &self.file) else {
            return Ok(());
        };
        // Only the administrator may give files away.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
        file.set_permissions(old.permissions())
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> Result<()> {
        unlocked_first(self.file.take(), || {
            fs::rename(&self.unfinished, &self.path).inspect_err(|_| {
                let _ = fs::remove_file(&self.unfinished);
            })
        })
    }

    /// Leaves the file where it is, unfinished, and returns its path.
    pub fn keep(mut self) -> PathBuf {
        self.file = None;
        std::mem::take(&mut self.unfinished)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let _ = unlocked_first(Some(file), || fs::remove_file(&self.unfinished));
        }
    }
}

/// Moves or removes a file. It stays locked until then, but for Windows, which moves no open file.
fn unlocked_first<T>(mut file: Option<LockedFile>, act: impl FnOnce() -> T) -> T {
    if cfg!(windows) {
        file = None;
    }
    let done = act();
    drop(file);
    done
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match &mut self.file {
            Some(LockedFile(file)) => file.write(bytes),
            None => Ok(0),
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A file that this process alone writes to, while others may read it.
pub struct LockedFile(File);

impl LockedFile {
    /// Opens a file for reading and appending, or creates it. Waits a moment if another process
    /// writes to it.
    pub fn open(path: &Path) -> Result<Self> {
        check(path)?;
        // Not `append`: Rust's handles for it cannot be truncated on Windows.
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let begin = Instant::now();
        loop {
            match lock::open(&options, path)? {
                Some(file) => return Ok(Self(file)),
                None if begin.elapsed() < PATIENCE => sleep(PATIENCE / 100),
                None => return Err(Error::other("another process writes to it")),
            }
        }
    }

    /// Returns the length of the file in bytes.
    pub fn length(&self) -> Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Reads the file from an offset to its end.
    pub fn read(&mut self, begin: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(begin))?;
        self.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Appends bytes with a single write, so that an interrupt leaves all of them or none. So does
    /// a full disk: a part is cut off.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let length = self.0.seek(SeekFrom::End(0))?;
        self.0.write_all(bytes).inspect_err(|_| {
            let _ = self.truncate(length);
        })
    }

    /// Replaces what follows an offset by a text, which line ends follow if this is interrupted.
    /// A full disk, or the end of the process, leaves the old text or the new one.
    pub fn replace_from(&mut self, begin: u64, text: &[u8]) -> Result<()> {
        let (end, old) = (begin + text.len() as u64, self.length()?);
        // Room that the disk has given cannot be missing later.
        self.append(&vec![b'\n'; end.saturating_sub(old) as usize])?;
        let mut padded = text.to_vec();
        padded.resize((end.max(old) - begin) as usize, b'\n');
        self.0.seek(SeekFrom::Start(begin))?;
        self.0.write_all(&padded)?;
        self.truncate(end)
    }

    /// Returns true if a path still names the file.
    fn is_at(&self, path: &Path) -> bool {
        let own = self.0.metadata().ok().and_then(|data| FileId::inode(&data));
        own.is_none_or(|own| FileId::of(path) == own)
    }

    /// Cuts the file off at a length.
    pub fn truncate(&self, length: u64) -> Result<()> {
        self.0.set_len(length)
    }

    /// Ends a text that does not end with a line end, as after a crash, with an empty line.
    pub fn end_torn_line(&mut self) -> Result<()> {
        let mut last = [b'\n'];
        if self.0.seek(SeekFrom::End(-1)).is_ok() {
            self.0.read_exact(&mut last)?;
        }
        match last {
            [b'\n'] => Ok(()),
            _ => self.append(b"\n\n"),
        }
    }

    /// Asks the system to write the file to the disk.
    pub fn sync(&self) {
        // A help against a power cut, not a promise.
        let _ = self.0.sync_data();
    }
}

/// Opens a file that no other process may write to; `None` if another has it.
#[cfg(not(windows))]
mod lock {
    use std::fs::{File, OpenOptions, TryLockError};
    use std::io::Result;
    use std::path::Path;

    pub(super) fn open(options: &OpenOptions, path: &Path) -> Result<Option<File>> {
        let file = options.open(path)?;
        Ok(is_free(file.try_lock(), path).then_some(file))
    }

    /// Judges the attempt to lock a file. Some network file systems have no locks.
    pub(super) fn is_free(locked: std::result::Result<(), TryLockError>, path: &Path) -> bool {
        if let Err(TryLockError::Error(error)) = &locked {
            log::warn!("{}: not locked: {error}", path.display());
        }
        !matches!(locked, Err(TryLockError::WouldBlock))
    }
}

/// Opens a file that no other process may write to; `None` if another has it.
///
/// A lock on Windows keeps readers out too, even those of this process ([`LockFileEx`]). A share
/// mode does not: "If this flag \[`FILE_SHARE_WRITE`\] is not specified, but the file or device has
/// been opened for write access …, the function fails", and the same holds for later openings
/// ([`CreateFileW`], `dwShareMode`). It also keeps others from removing or renaming the file.
///
/// [`LockFileEx`]: https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-lockfileex
/// [`CreateFileW`]: https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-createfilew
#[cfg(windows)]
mod lock {
    use std::fs::{File, OpenOptions};
    use std::io::Result;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::Path;

    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    pub(super) fn open(options: &OpenOptions, path: &Path) -> Result<Option<File>> {
        match options.clone().share_mode(FILE_SHARE_READ).open(path) {
            Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
            opened => opened.map(Some),
        }
    }
}

/// A text that grows by whole lines. A torn last line is left out, and cut off by the next one.
pub struct Lines {
    file: LockedFile,
    /// Bytes of the torn last line.
    pub torn: u64,
    /// Lines present when the file was opened.
    pub before: Vec<String>,
    /// Checksum of the sealed lines so far.
    seal: Checksum,
}

impl Lines {
    /// Opens a text, or creates it.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = LockedFile::open(path)?;
        let mut whole = file.read(0)?;
        let end = whole.iter().rposition(|&byte| byte == b'\n');
        let torn = whole.split_off(end.map_or(0, |end| end + 1));
        let whole = String::from_utf8(whole).map_err(Error::other)?;
        if whole.is_empty() && !torn.is_empty() {
            return Err(Error::other("it has no whole line; remove it to begin anew"));
        }
        Ok(Self {
            file,
            torn: torn.len() as u64,
            before: whole.lines().map(str::to_string).collect(),
            seal: Checksum::default(),
        })
    }

    /// Appends one or more lines.
    pub fn append(&mut self, lines: &str) -> Result<()> {
        let torn = std::mem::take(&mut self.torn);
        if torn > 0 {
            self.file.truncate(self.file.length()? - torn)?;
        }
        self.file.append(format!("{lines}\n").as_bytes())
    }

    /// Appends a line, a tab and the checksum of all sealed lines so far: so no line can be
    /// changed, moved or left out unseen.
    pub fn append_sealed(&mut self, line: &str) -> Result<()> {
        let sealed = self.sealed(line);
        self.append(&sealed)
    }

    /// Returns the next of the sealed lines from before without its checksum; `None` if that is
    /// wrong.
    pub fn unsealed<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        let (content, _) = line.rsplit_once('\t')?;
        (self.sealed(content) == line).then_some(content)
    }

    fn sealed(&mut self, line: &str) -> String {
        self.seal.add(line.as_bytes());
        format!("{line}\t{:016x}", self.seal.value())
    }
}

/// Identifies a file whatever its names are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileId {
    /// The numbers of its device and of the file on it.
    Inode(u64, u64),
    /// Its whole path, if it does not exist yet or the system has no numbers.
    Path(PathBuf),
}

impl FileId {
    /// Identifies a file, which need not exist.
    pub fn of(path: &Path) -> Self {
        if let Some(inode) = fs::metadata(path).ok().and_then(|data| Self::inode(&data)) {
            return inode;
        }
        let path = follow(path);
        // A file that does not exist yet has no canonical path, but its folder has.
        let in_folder = || -> Result<PathBuf> {
            let folder = std::path::absolute(&path)?;
            let folder = fs::canonicalize(folder.parent().unwrap_or(&folder))?;
            Ok(folder.join(path.file_name().unwrap_or_default()))
        };
        let whole = fs::canonicalize(&path).or_else(|_| in_folder());
        Self::Path(whole.unwrap_or(path))
    }

    /// Identifies a file by its numbers, if the system has any.
    #[cfg(unix)]
    fn inode(data: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self::Inode(data.dev(), data.ino()))
    }

    #[cfg(not(unix))]
    fn inode(_: &Metadata) -> Option<Self> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn without_locks_a_file_is_used_all_the_same() {
        use std::fs::TryLockError;
        let path = Path::new("unlocked");
        let unsupported = TryLockError::Error(Error::other("no locks"));
        assert!(lock::is_free(Err(unsupported), path));
        assert!(!lock::is_free(Err(TryLockError::WouldBlock), path));
    }
}
