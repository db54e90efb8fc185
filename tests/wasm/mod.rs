//! The engine as a module of WebAssembly, which answers as the program does.

use crate::common::program::{QUADRILLE, Run, quadrille};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands whose answers do not depend on the time, and that wait for each other.
const LINES: &str = "\
position startpos moves e2e4 e7e5
query fen
query san g1h3
go perft 3
setoption name UCI_Variant value congress
go nodes 1
position fen 3k6/10/3K6/10/10/10/10/9R w - - 0 1
eval
setoption name UCI_Variant value crosseyed
d
nonsense
bench
go depth 8
";

/// The answers without times.
fn without_times(said: &str) -> Vec<&str> {
    said.lines()
        .filter_map(|line| {
            let end = if line.starts_with("info depth") { " nps " } else { " nodes " };
            line.split(end).next()
        })
        .collect()
}

/// Builds the module. Returns its path.
pub fn module() -> PathBuf {
    let mut build = Command::new(env!("CARGO"));
    let build = build.current_dir(env!("CARGO_MANIFEST_DIR")).args([
        "rustc",
        "--release",
        "--lib",
        "--crate-type=cdylib",
        "--target=wasm32-wasip1",
    ]);
    assert!(build.status().expect("cargo").success());
    let target = Path::new(QUADRILLE).ancestors().nth(2).unwrap();
    target.join("wasm32-wasip1/release/quadrille.wasm")
}

#[test]
#[ignore = "needs node and the Rust target wasm32-wasip1"]
fn it_answers_as_the_program_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut node = Command::new("node");
    node.arg(root.join("tests/wasm/dialogue.mjs")).arg(module());
    let there = node.run_with(LINES).succeeded().stdout;
    let here = quadrille([""; 0]).run_with(LINES).succeeded().stdout;
    assert_eq!(without_times(&there), without_times(&here));
}
