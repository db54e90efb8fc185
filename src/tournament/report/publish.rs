//! The account of a match in files, for programs and for people.

use super::json::Account;
use super::page::page;
use crate::system::files;
use std::path::Path;

/// Writes an account to the files that are wanted.
///
/// # Errors
///
/// One cannot be written.
pub fn publish(
    account: &Account<'_>,
    json: Option<&str>,
    html: Option<&str>,
) -> Result<(), String> {
    let write = |option: &str, path: &str, text: &str| {
        let written = files::write(Path::new(path), text.as_bytes());
        written.map_err(|error| format!("{option}: {path}: {error}"))
    };
    if let Some(path) = json {
        write("-json", path, &format!("{}\n", account.json()))?;
    }
    if let Some(path) = html {
        write("-html", path, &page(account))?;
    }
    Ok(())
}
