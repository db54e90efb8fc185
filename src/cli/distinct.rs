//! The check that a command destroys none of its files by writing another.

use super::failure::Failure;
use crate::system::files::{FileId, Replacement};
use std::fs::metadata;
use std::path::Path;

/// Use that a command makes of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Append,
    /// Replaced as a whole, by a file that is written beside it.
    Replace,
}

/// Checks that no file is written under one option and used under another, whatever its names are.
/// Options may be absent, and may share a pipe or a device.
///
/// # Errors
///
/// Two options name the same file, or one names the file that another is written to first.
pub fn check_distinct<P: AsRef<Path>>(
    files: impl IntoIterator<Item = (&'static str, Option<P>, Access)>,
) -> Result<(), Failure> {
    let mut known: Vec<(&str, Access, Vec<FileId>)> = Vec::new();
    for (option, path, access) in files {
        let path = path.as_ref().map(AsRef::as_ref);
        let Some(path) = path.filter(|path| metadata(path).map_or(true, |data| data.is_file()))
        else {
            continue;
        };
        let mut ids = vec![FileId::of(path)];
        if access == Access::Replace {
            ids.push(FileId::of(&Replacement::unfinished(path)));
        }
        let meets = |(other, used, others): &&(&str, Access, Vec<FileId>)| {
            *other != option
                && (access, *used) != (Access::Read, Access::Read)
                && ids.iter().any(|id| others.contains(id))
        };
        if let Some((other, ..)) = known.iter().find(meets) {
            let path = path.display();
            return Err(Failure::Usage(format!("{other} and {option} have the same file, {path}")));
        }
        known.push((option, access, ids));
    }
    Ok(())
}
