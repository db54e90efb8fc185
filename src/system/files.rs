//! Files by their names, where nothing but a file will do: to open a pipe would keep the
//! program waiting, and to replace a device would destroy it.

use std::fs::{self, File};
use std::io::{Error, Read, Result};
use std::path::Path;

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
    check(path)?;
    // A link stays one.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut unfinished = path.clone().into_os_string();
    unfinished.push(".part");
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, &path));
    if written.is_err() {
        // It need not be there.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Whether two paths name one file, also by different ways.
pub fn is_same(one: &Path, other: &Path) -> bool {
    // What is not there yet has no canonical path.
    let whole = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    whole(one).is_ok_and(|one| whole(other).is_ok_and(|other| one == other))
}
