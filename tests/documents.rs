//! Keeps the documents true: runs all that they show.
//!
//! - A block ```` ```transcript ```` is a dialogue with a fresh process. `> ` lines are sent, `< `
//!   lines must come back, in this order and with nothing between them. `...` inside such a line
//!   stands for any text, and a line `< ...` alone for any number of lines.
//! - A block ```` ```console ```` shows commands after `$ `. Those that run `quadrille` or
//!   `python3` must succeed and print the lines below them, with the same wildcards.
//! - A block ```` ```python NAME ```` is a script that later commands call by that name.
//! - A block with a command that not every system has runs in a test of its own, which is ignored
//!   by default.
//! - The pictures of the boards are those of `draw`, the options of `match` those of its help, and
//!   links lead somewhere.
//! - The tables of options list the options of `uci`, and the table of reasons the ends of games.

use crate::common::files;
use crate::common::program::{Program, QUADRILLE, Run, quadrille};
use quadrille::engine::VARIANTS;
use quadrille::games::Reason;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Time limit for a line, and for the end of a process.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program whose output is read line by line, with a time limit.
struct Process {
    program: Program,
    lines: Receiver<String>,
}

impl Process {
    fn spawn(command: &mut Command) -> Self {
        let command = command.env_remove("RUST_LOG");
        let mut program = Program::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let lines = program.lines();
        Self { program, lines }
    }

    fn engine() -> Self {
        Self::spawn(&mut Command::new(QUADRILLE))
    }

    fn send(&mut self, line: &str) {
        // The reader finds out that a program has ended.
        if let Some(stdin) = &mut self.program.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes());
        }
    }

    /// The next line of the output, `None` at its end.
    fn line(&self) -> Result<Option<String>, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(format!("silence for {PATIENCE:?}")),
        }
    }

    /// Compares the next line with a pattern. With `skip`, skips lines up to one that fits.
    fn expect(&self, pattern: &str, skip: bool) -> Result<(), String> {
        loop {
            match self.line()? {
                Some(line) if fits(pattern, &line) => return Ok(()),
                Some(_) if skip => {}
                Some(line) => return Err(format!("expected `{pattern}`, got `{line}`")),
                None => return Err(format!("expected `{pattern}`, but the output has ended")),
            }
        }
    }

    /// Ends the input and waits for the end of the program. Without `skip` it must print no more.
    fn end(&mut self, skip: bool) -> Result<(), String> {
        self.program.stdin = None;
        while let Some(line) = self.line()? {
            if !skip {
                return Err(format!("expected the end of the output, got `{line}`"));
            }
        }
        let status = self.program.wait_within(PATIENCE);
        let ended = || format!("it ended with {status}");
        status.success().then_some(()).ok_or_else(ended)
    }
}

/// True if a line fits a pattern, in which `...` stands for any text.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("...");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn patterns_have_wildcards() {
    for (pattern, line) in [
        ("", ""),
        ("readyok", "readyok"),
        ("...", ""),
        ("bestmove ...", "bestmove e2e4 ponder e7e5"),
        ("info ... score mate 1 ... pv a1a2", "info depth 3 score mate 1 nodes 7 pv a1a2"),
        ("... nps", "5 nps"),
    ] {
        assert!(fits(pattern, line), "`{pattern}` does not fit `{line}`");
    }
    for (pattern, line) in [
        ("", "x"),
        ("readyok", "readyok "),
        ("a...b...b", "ab"),
        ("ab...bc", "abc"),
        ("info ... score mate 1 ... pv a1a2", "info score mate 1 pv a1a2"),
    ] {
        assert!(!fits(pattern, line), "`{pattern}` fits `{line}`");
    }
}

/// A fenced block of a document.
struct Block {
    /// Text after the fence.
    info: String,
    /// The number of the line with the fence, from 1.
    line: usize,
    lines: Vec<String>,
}

impl Block {
    /// The lines with their numbers in the document.
    fn numbered(&self) -> impl Iterator<Item = (usize, &str)> {
        (self.line + 1..).zip(self.lines.iter().map(String::as_str))
    }
}

pub fn document(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn blocks(name: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in document(name).lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some(Block {
                    info: info.trim().to_string(),
                    line: index + 1,
                    lines: Vec::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_string()),
            (None, None) => {}
        }
    }
    if let Some(block) = open {
        panic!("{name}:{}: the block does not end", block.line);
    }
    blocks
}

/// Number of a line, and its fault.
type Fault = (usize, String);

/// Runs a check over all blocks of a kind in some documents, and reports all faults at once.
fn check(documents: &[String], kind: &str, check: impl Fn(&Block) -> Result<(), Fault>) {
    let mut faults = String::new();
    for name in documents {
        let blocks = blocks(name);
        for block in blocks.iter().filter(|block| block.info == kind) {
            if let Err((line, fault)) = check(block) {
                let _ = write!(faults, "\n{name}:{line}: {fault}");
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

fn replay(block: &Block) -> Result<(), Fault> {
    let mut engine = Process::engine();
    let (mut skip, mut last) = (false, block.line);
    for (number, line) in block.numbered() {
        last = number;
        match line.split_at_checked(2).unwrap_or((line, "")) {
            ("> " | ">", text) => engine.send(text),
            ("< ", "...") => skip = true,
            ("< " | "<", text) => {
                let result = engine.expect(text, std::mem::take(&mut skip));
                result.map_err(|fault| (number, fault))?;
            }
            _ => return Err((number, format!("`{line}` is neither sent nor received"))),
        }
    }
    engine.end(skip).map_err(|fault| (last, fault))
}

/// All documents.
fn documents() -> Vec<String> {
    let folders = [".github", "src", "tests"].map(|folder| files(folder, "md"));
    [vec!["README.md".to_string(), "protocol.md".into()], folders.concat()].concat()
}

/// The `count` documents with blocks of a kind.
fn documents_with(kind: &str, count: usize) -> Vec<String> {
    let mut found = documents();
    found.retain(|name| blocks(name).iter().any(|block| block.info == kind));
    assert_eq!(found.len(), count, "the documents with blocks of {kind}: {found:?}");
    found
}

#[test]
fn transcripts_are_true() {
    check(&documents_with("transcript", 3), "transcript", replay);
}

/// A line of the limit in protocol.md, and one that is a byte longer.
#[test]
fn the_longest_line_is_the_documented_one() {
    let mut engine = Process::engine();
    let longest = "x".repeat((1 << 20) - 1);
    engine.send(&longest);
    engine.send("isready");
    let result = engine.expect("info string error unknown-command -: ...", false);
    result.and_then(|()| engine.expect("readyok", false)).unwrap();
    engine.send(&format!("{longest}x"));
    engine.send("isready");
    let result = engine.expect("info string error too-long -: ... 1048576 bytes ...", false);
    result.and_then(|()| engine.expect("readyok", false)).unwrap();
    engine.end(false).unwrap();
}

/// Programs in commands of the documents that not every system has.
#[cfg(unix)]
const FURTHER_PROGRAMS: &[&str] = &["parallel", "python3"];

/// True if a command of a block calls one of some programs.
#[cfg(unix)]
fn calls(block: &Block, programs: &[&str]) -> bool {
    let commands = block.lines.iter().filter_map(|line| line.strip_prefix("$ "));
    commands
        .flat_map(|command| command.split([' ', ';', '|', '&', '(', ')']))
        .any(|word| programs.contains(&word))
}

#[cfg(unix)]
#[test]
fn console_commands_are_true() {
    run_console_commands("documents/commands", |block| !calls(block, FURTHER_PROGRAMS));
}

#[cfg(unix)]
#[test]
#[ignore = "needs GNU parallel and python3"]
fn console_commands_with_further_programs_are_true() {
    run_console_commands("documents/further", |block| calls(block, FURTHER_PROGRAMS));
}

/// Runs commands in a shell that finds the program by its name, block by block.
#[cfg(unix)]
fn run_console_commands(folder: &str, is_wanted: impl Fn(&Block) -> bool) {
    use crate::common::program::{path, scratch};

    fn finish(running: Option<(usize, Process)>, skip: bool) -> Result<(), Fault> {
        running.map_or(Ok(()), |(number, mut process)| {
            process.end(skip).map_err(|fault| (number, fault))
        })
    }
    let folder = scratch(folder);
    for files in ["tests/data", "src/games"] {
        let above = Path::new(files).parent().unwrap();
        std::fs::create_dir_all(folder.join(above)).unwrap();
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join(files);
        std::os::unix::fs::symlink(original, folder.join(files)).unwrap();
    }
    let documents = documents_with("console", 8);
    for block in documents.iter().flat_map(|name| blocks(name)) {
        if let Some(name) = block.info.strip_prefix("python ") {
            std::fs::write(folder.join(name), block.lines.join("\n")).unwrap();
        }
    }
    check(&documents, "console", |block| {
        if !is_wanted(block) {
            return Ok(());
        }
        let (mut running, mut skip) = (None, false);
        for (number, line) in block.numbered() {
            if let Some(command) = line.strip_prefix("$ ") {
                finish(running.take(), std::mem::take(&mut skip))?;
                // Cargo's commands stand in the same blocks; they are not run here.
                if command.split(' ').any(|word| ["quadrille", "python3"].contains(&word)) {
                    let mut shell = Command::new("sh");
                    let mut process = Process::spawn(
                        shell.args(["-c", command]).env("PATH", path()).current_dir(&folder),
                    );
                    process.program.stdin = None;
                    running = Some((number, process));
                }
            } else if line == "..." {
                skip = true;
            } else if let Some((_, process)) = &running {
                let result = process.expect(line, std::mem::take(&mut skip));
                result.map_err(|fault| (number, fault))?;
            }
        }
        finish(running, skip)
    });
}

/// README shows the start of every game as `draw` draws it.
#[test]
fn pictures_are_those_of_draw() {
    let text = document("README.md");
    for variant in VARIANTS {
        let name = variant.info.name;
        let path = format!("tests/data/pictures/{name}.svg");
        let shown = text.matches(&format!("<img src=\"{path}\"")).count();
        assert_eq!(shown, 1, "README.md: {path}");
        let words = ["draw", name, "--key", "--size", "480"];
        let drawn = quadrille(words).run().stdout;
        let kept = document(&path);
        let words = words.join(" ");
        assert!(
            kept == drawn,
            "{path} is an old picture; write it anew: quadrille {words} -o {path}"
        );
    }
}

/// The page of the options of `match` shows its help as it is.
#[test]
fn the_options_of_match_are_its_help() {
    const PAGE: &str = "src/tournament/options.md";
    const RENEW: &str =
        "QUADRILLE_RENEW=1 cargo test --release --test program the_options_of_match";
    let text = document(PAGE);
    let (above, block) = text.split_once("```text\n").unwrap();
    let (_, below) = block.split_once("```\n").unwrap();
    let help = quadrille(["match", "--help"]).run().stdout;
    let page = format!("{above}```text\n{help}```\n{below}");
    if std::env::var_os("QUADRILLE_RENEW").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
        std::fs::write(path, &page).unwrap();
        return;
    }
    assert!(text == page, "{PAGE} is an old page; write it anew: {RENEW}");
}

/// The lint denies it elsewhere.
#[test]
fn unsafe_code_stands_where_contributing_says() {
    let text = document(".github/CONTRIBUTING.md");
    let (_, rest) = text.split_once("`unsafe` stands only in ").unwrap();
    let (list, _) = rest.split_once("\n- ").unwrap();
    let listed: Vec<_> = list.split('`').filter(|word| word.starts_with("src/")).collect();
    let mut found = files("src", "rs");
    found.retain(|name| document(name).contains("allow(unsafe_code)"));
    found.sort_unstable();
    assert_eq!(found, listed);
}

/// Every link within the documents leads somewhere.
#[test]
fn links_lead_somewhere() {
    let mut faults = String::new();
    for name in documents() {
        let folder = Path::new(&name).parent().unwrap();
        let text = prose(&name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => name.to_string(),
                _ => normal(&folder.join(path)),
            };
            let exists = Path::new(env!("CARGO_MANIFEST_DIR")).join(&target).exists();
            if !exists || !heading.is_empty() && !headings(&target).contains(&heading.to_string()) {
                let _ = write!(faults, "\n{name}: {link}");
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// A relative path without its steps upwards.
fn normal(path: &Path) -> String {
    let mut parts = Vec::new();
    for part in path.iter().filter_map(|part| part.to_str()) {
        match part {
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// A document without its blocks of code.
fn prose(name: &str) -> String {
    let text = document(name);
    let outside = text.split("\n```").step_by(2);
    outside.collect::<Vec<_>>().join("\n")
}

/// Anchors of the headings of a document.
fn headings(name: &str) -> Vec<String> {
    let text = prose(name);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let link = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(link).collect()
}

/// Names of the options of `uci`, whose transcript has the rest of their lines.
fn announced_options() -> Vec<String> {
    let mut engine = Process::engine();
    engine.send("uci");
    let mut options = Vec::new();
    loop {
        let line = engine.line().unwrap().unwrap();
        if line == "uciok" {
            return options;
        }
        if let Some(option) = line.strip_prefix("option name ") {
            options.push(option.split_once(" type ").unwrap().0.to_string());
        }
    }
}

#[test]
fn the_table_of_reasons_is_complete() {
    let text = document("protocol.md");
    let mut documented: Vec<_> = text
        .lines()
        .skip_while(|line| !line.starts_with("| `reason` | Games "))
        .skip(2)
        .map_while(|line| {
            let cells: Vec<_> = line.strip_prefix("| `")?.split(" | ").collect();
            let [name, _, meaning] = cells[..] else { panic!("{line}") };
            Some((name.trim_end_matches('`'), meaning.trim_end_matches(" |")))
        })
        .collect();
    let mut reasons = Reason::ALL.map(|reason| (reason.name(), reason.meaning()));
    documented.sort_unstable();
    reasons.sort_unstable();
    assert_eq!(documented, reasons, "protocol.md: the reasons differ");
}

/// A client's options stand in one table, the others in a later one.
#[test]
fn the_tables_of_options_are_complete() {
    let text = document("protocol.md");
    let tables = text.split("| Option | What it does |\n").skip(1);
    let rows = tables.flat_map(|table| {
        let rows = table.lines().skip(1);
        rows.map_while(|line| line.strip_prefix("| `")?.split_once("` | "))
    });
    let (mut names, meanings): (Vec<_>, Vec<_>) = rows.unzip();
    let mut announced = announced_options();
    names.sort_unstable();
    announced.sort_unstable();
    assert_eq!(names, announced, "protocol.md: the options differ");
    assert!(meanings.iter().all(|meaning| meaning.len() > 2));
}
