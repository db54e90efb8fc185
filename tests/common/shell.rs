//! Command lines of a shell, in folders of their own.

use super::program::InTime;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of a test's own.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It need not be there.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What a command line of a shell prints, which finds the program by its name; it must end
/// well.
pub fn shell(folder: &Path, line: &str) -> String {
    let path = format!(
        "{}:{}",
        Path::new(env!("CARGO_BIN_EXE_quadrille"))
            .parent()
            .unwrap()
            .display(),
        std::env::var("PATH").unwrap_or_default(),
    );
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .current_dir(folder)
        .output_in_time();
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(status.success(), "{line}\n{stdout}\n{stderr}");
    stdout
}

/// A match without its number of rounds.
pub const MATCH: &str = "quadrille match -variant congress -engine name=A cmd=self nodes=80 \
                     -engine name=B cmd=self nodes=20 -openings random seed=3 -games 2";

/// The lines from the first score on; the order of games does not matter there.
pub fn figures(said: &str) -> Vec<&str> {
    let last = said.rfind("\nScore of ").map_or(0, |at| at + 1);
    let lines = said[last..].lines();
    lines.filter(|line| *line != "Finished match").collect()
}
