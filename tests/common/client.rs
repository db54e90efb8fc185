//! A client that speaks UCI or CECP through pipes.

use super::program::{Program, lines, quadrille};
use quadrille::engine::Engine;
use quadrille::protocol;
use std::io::{Read, Write, pipe};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Time limit for an answer, on a busy machine and in a debug build.
pub const SOON: Duration = Duration::from_secs(20);

/// Asserts that an error of UCI or UGI has the head that protocol.md promises: a code of its table, a
/// command or `-`, and a value only after some codes.
fn check_error(line: &str) {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let Some(error) = line.strip_prefix("info string error") else { return };
    let document = DOCUMENT.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol.md");
        std::fs::read_to_string(path).unwrap()
    });
    let (head, text) = error.split_once(": ").unwrap_or_else(|| panic!("no head in {line}"));
    let words: Vec<_> =
        head.strip_prefix(' ').unwrap_or_else(|| panic!("{line}")).split(' ').collect();
    let form = match &words[..] {
        [code, _] => format!("`{code}`"),
        [code, _, number] if number.parse().is_ok_and(|number: usize| number > 0) => {
            format!("`{code} N`")
        }
        [code, _, _] => format!("`{code} NAME`"),
        _ => panic!("{line}"),
    };
    assert!(document.contains(&format!("\n| {form} | ")), "{form} is not documented: {line}");
    let is_plain = |letter: char| letter == '-' || letter.is_ascii_alphanumeric();
    assert!(words.iter().all(|word| word.chars().all(is_plain)) && !text.is_empty(), "{line}");
}

/// The client's end of a dialogue.
pub struct Client {
    /// The program at the other end, `None` for an engine in this process.
    program: Option<Program>,
    /// Input that is written on a thread, so that a program that does not read blocks nobody.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<String>,
}

impl Client {
    /// Starts the program.
    pub fn start(arguments: &[&str]) -> Self {
        Self::run(&mut quadrille(arguments))
    }

    /// Starts a command that becomes the program.
    pub fn run(command: &mut Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Each wait below has a limit of its own, and a soak takes hours.
        let mut program = Program::start_for(piped, Duration::MAX);
        let input = program.stdin.take().unwrap();
        let output = program.stdout.take().unwrap();
        Self::between(input, output, Some(program))
    }

    /// Starts the program in a variant.
    pub fn playing(variant: &str) -> Self {
        Self::start(&["--variant", variant])
    }

    /// Speaks to an engine in this process.
    pub fn of(engine: Engine) -> Self {
        let (read_input, input) = pipe().unwrap();
        let (output, write_output) = pipe().unwrap();
        std::thread::spawn(move || drop(protocol::run(engine, read_input, write_output)));
        Self::between(input, output, None)
    }

    fn between(
        mut input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
        program: Option<Program>,
    ) -> Self {
        let (to_write, pieces) = channel::<Vec<u8>>();
        std::thread::spawn(move || {
            for bytes in pieces {
                // The reader finds out that a program has ended.
                if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        Self { program, input: Some(to_write), lines: lines(output) }
    }

    /// Returns the number of the process at the other end.
    pub fn process(&self) -> u32 {
        self.program.as_ref().expect("no program").id()
    }

    /// Sends the program a signal, by its name without `SIG`.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        self.program.as_ref().expect("no program").signal(name);
    }

    /// Returns a figure of the process at the other end, as Linux knows it.
    #[cfg(target_os = "linux")]
    pub fn status(&self, name: &str) -> usize {
        super::process_figure(&self.process().to_string(), name).unwrap()
    }

    /// Processor time of the process so far, in ticks of the system (`proc(5)`); 0 where it does not say.
    pub fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process()));
        let stat = stat.unwrap_or_default();
        assert!(cfg!(not(target_os = "linux")) || !stat.is_empty());
        let (_, figures) = stat.rsplit_once(')').unwrap_or_default();
        let times = figures.split_whitespace().skip(11).take(2);
        times.map(|time| time.parse::<u64>().unwrap()).sum()
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_ref().expect("the input is closed");
        // A program that has ended takes none.
        let _ = input.send(bytes.to_vec());
    }

    /// Sends a line, or several.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for a line that starts with `prefix`, and returns all lines up to it.
    pub fn lines_to(&mut self, prefix: &str) -> Vec<String> {
        let deadline = Instant::now() + SOON;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    check_error(&line);
                    let found = line.starts_with(prefix);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Err(why) => panic!("no line `{prefix}…` ({why}) but {lines:#?}"),
            }
        }
    }

    /// Waits for the next line.
    pub fn line(&mut self) -> String {
        self.expect_line("")
    }

    /// Waits for a line that starts with `prefix`, and skips the lines before it.
    pub fn expect_line(&mut self, prefix: &str) -> String {
        self.lines_to(prefix).pop().unwrap()
    }

    /// Sends a line while no search runs, and returns all answers.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(&format!("{line}\nisready"));
        let mut lines = self.lines_to("readyok");
        lines.pop();
        lines
    }

    /// Starts a dialogue in CECP, in a game of a variant.
    pub fn xboard(variant: &str) -> Self {
        let mut client = Self::playing(variant);
        client.send("xboard\nprotover 2");
        client.expect_line("feature done=1");
        client.ask_xboard(&format!("new\nvariant {variant}"));
        client
    }

    /// Sends lines in CECP, and returns all answers, before and after a search.
    pub fn ask_xboard(&mut self, lines: &str) -> Vec<String> {
        self.send(&format!("{lines}\nping 7"));
        let mut said = self.lines_to("pong 7");
        said.pop();
        said
    }

    /// Sends a line that must have no answer.
    pub fn tell(&mut self, line: &str) {
        assert_eq!(self.ask(line), [""; 0], "to `{line}`");
    }

    /// Sends a line that must be refused, and returns the error without its first three words.
    pub fn refused(&mut self, line: &str) -> String {
        let lines = self.ask(line);
        let [error] = lines.as_slice() else {
            panic!("not one line of error but {lines:?} to `{line}`");
        };
        let error = error.strip_prefix("info string error ");
        error.unwrap_or_else(|| panic!("{lines:?} to `{line}`")).to_string()
    }

    /// Sends a `query`, and returns its answer.
    pub fn query(&mut self, what: &str) -> String {
        self.send(&format!("query {what}"));
        let line = self.expect_line("response");
        line["response".len()..].trim_start().to_string()
    }

    /// Queries the legal moves.
    pub fn moves(&mut self) -> Vec<String> {
        let moves = self.query("moves");
        moves.split_whitespace().map(str::to_string).collect()
    }

    /// Sends a `go`, and returns all lines up to `bestmove`.
    pub fn search(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.lines_to("bestmove")
    }

    /// True if the program prints nothing for a while.
    pub fn is_silent(&mut self) -> bool {
        let wait = Duration::from_millis(150);
        self.lines.recv_timeout(wait) == Err(RecvTimeoutError::Timeout)
    }

    /// Waits until the program ends by itself.
    pub fn wait(&mut self, limit: Duration) -> ExitStatus {
        let program = self.program.as_mut().expect("no program to wait for");
        program.wait_within(limit)
    }
}

/// Returns the word after `key` in a line.
pub fn value<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let mut words = line.split(' ').skip_while(|&word| word != key);
    words.nth(1)
}

/// Parses the score of an info line: `cp` or `mate`, and the number.
pub fn score(line: &str) -> Option<(&str, i32)> {
    let mut words = line.split(' ').skip_while(|&word| word != "score").skip(1);
    Some((words.next()?, words.next()?.parse().ok()?))
}

/// Parses the line of play of an info line.
pub fn pv(line: &str) -> Option<Vec<&str>> {
    let (_, moves) = line.split_once(" pv ")?;
    Some(moves.split(' ').collect())
}
