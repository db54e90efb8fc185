//! An engine that plays a match: a process that speaks UCI, or this program itself.

use super::options::{EngineSpec, Options, SELF, TimeControl};
use crate::engine::interrupt::Interrupt;
use crate::engine::{Engine, Mode, SearchEvent, VARIANT_OPTION, Variant};
use crate::search::{Limits, Score};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::{Duration, Instant};

/// How long an engine may take to start.
const START_LIMIT: Duration = Duration::from_secs(20);
/// How long an engine may take to answer `isready`.
const READY_LIMIT: Duration = Duration::from_secs(15);
/// How long an engine without a clock may take for a move.
const MOVE_LIMIT: Duration = Duration::from_secs(600);
/// How long an engine whose time is over has to answer at all.
const GRACE: Duration = Duration::from_secs(2);
/// How long an engine may take to end.
const END_LIMIT: Duration = Duration::from_millis(500);
/// How often an interrupt is looked for.
const TICK: Duration = Duration::from_millis(100);
/// The longest line that is kept, in bytes.
const MAX_LINE: u64 = 1 << 16;
/// How many lines can wait before the engine has to.
const MAX_WAITING: usize = 1000;
/// How many characters of what an engine calls its move are kept.
const MAX_MOVE: usize = 100;

/// What an engine did wrong, so that it loses its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It answered too late.
    Time,
    /// Its move is illegal, or no move at all.
    IllegalMove(String),
    /// It ended or could not be started.
    Crash(String),
    /// It did not answer.
    Hang,
}

/// Why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// The engine is to count_fault.
    Fault(Fault),
    /// The match was interrupted.
    Interrupted,
}

impl From<Fault> for NoMove {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A move and what the engine said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move as the engine wrote it.
    pub mv: String,
    /// The last score that it gave.
    pub score: Option<Score>,
    /// The depth of that score.
    pub depth: u32,
    /// How long it took.
    pub time: Duration,
}

/// The clocks when a side begins to think, White's first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Time left.
    pub time: [Option<Duration>; 2],
    /// Time added after each move.
    pub increment: [Duration; 2],
    /// Moves to the next time control of the side to move; 0 if there is none.
    pub moves_to_go: u32,
}

/// The game up to a position.
#[derive(Clone, Copy)]
pub struct Line<'l> {
    /// The FEN it begins with; `None` for the start position.
    pub fen: Option<&'l str>,
    /// All moves from there.
    pub moves: &'l [String],
    /// 0 if White is to move, 1 if Black is.
    pub to_move: usize,
}

/// An engine, ready to play.
pub enum Player {
    /// A process.
    Process(Process),
    /// This program; boxed because it is large.
    InProcess(Box<InProcess>),
}

impl Player {
    /// Starts one of the engines in the variant of a match.
    ///
    /// # Errors
    ///
    /// It does not start, does not speak UCI or does not know the variant; or the match was
    /// interrupted.
    pub fn start(
        spec: &EngineSpec,
        options: &Options,
        interrupt: &Interrupt,
    ) -> Result<Self, NoMove> {
        if spec.command == SELF {
            let player = InProcess::new(spec, options, interrupt)?;
            return Ok(Self::InProcess(Box::new(player)));
        }
        Process::start(spec, options.variant, interrupt).map(Self::Process)
    }

    /// Prepares for a new game.
    ///
    /// # Errors
    ///
    /// It died or hangs, or the match was interrupted.
    pub fn new_game(&mut self) -> Result<(), NoMove> {
        match self {
            Self::Process(process) => process.new_game(),
            Self::InProcess(player) => {
                player.engine.clear();
                Ok(())
            }
        }
    }

    /// Asks for a move.
    ///
    /// # Errors
    ///
    /// Why there is none. After a [`Fault`] that is not an illegal move or a late one, the
    /// engine is of no more use.
    pub fn choose(
        &mut self,
        line: Line<'_>,
        clocks: &Clocks,
        control: &TimeControl,
    ) -> Result<Choice, NoMove> {
        match self {
            Self::Process(process) => process.choose(line, clocks, control),
            Self::InProcess(player) => player.choose(line, control),
        }
    }
}

/// This program, playing at a fixed depth or number of nodes.
pub struct InProcess {
    engine: Engine,
    interrupt: Interrupt,
}

impl InProcess {
    fn new(spec: &EngineSpec, options: &Options, interrupt: &Interrupt) -> Result<Self, Fault> {
        let mut engine = Engine::new(options.variants, options.variant);
        for (name, value) in &spec.options {
            engine
                .set_option(name, value)
                .map_err(|error| Fault::Crash(error.to_string()))?;
        }
        Ok(Self {
            engine,
            interrupt: interrupt.clone(),
        })
    }

    fn choose(&mut self, line: Line<'_>, control: &TimeControl) -> Result<Choice, NoMove> {
        let start = Instant::now();
        let moves: Vec<_> = line.moves.iter().map(String::as_str).collect();
        let refused = |error: crate::engine::PositionError| Fault::Crash(error.to_string());
        self.engine
            .session_mut()
            .set_position(line.fen, &moves)
            .map_err(refused)?;
        let limits = Limits {
            nodes: control.nodes,
            depth: control.depth,
            ..Limits::default()
        };
        let (events, received) = channel();
        let done = || {};
        self.engine
            .go(
                &limits.into(),
                Mode::Normal,
                move |event| drop(events.send(event)),
                done,
            )
            .map_err(refused)?;
        let mut choice = Choice {
            mv: String::new(),
            score: None,
            depth: 0,
            time: Duration::ZERO,
        };
        loop {
            match received.recv_timeout(TICK) {
                Ok(SearchEvent::Line(line)) if line.multi_pv == 1 => {
                    (choice.score, choice.depth) = (Some(line.score), line.depth);
                }
                Ok(SearchEvent::Best { mv, .. }) => choice.mv = mv.unwrap_or_default(),
                Err(RecvTimeoutError::Timeout) if self.interrupt.is_set() => {
                    self.engine.stop();
                    self.engine.join();
                    return Err(NoMove::Interrupted);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        self.engine.join();
        choice.time = start.elapsed();
        Ok(choice)
    }
}

/// What comes from a process: a line and when, or the end.
type Heard = Option<(Instant, String)>;

/// An engine in a process of its own.
pub struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Heard>,
    interrupt: Interrupt,
}

impl Process {
    fn start(spec: &EngineSpec, variant: Variant, interrupt: &Interrupt) -> Result<Self, NoMove> {
        let crash = |error: std::io::Error| Fault::Crash(format!("{}: {error}", spec.command));
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(crash)?;
        log::debug!("process {} is {command:?}", child.id());
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::Crash("no pipes to the process".into()).into());
        };
        let (sender, lines) = sync_channel(MAX_WAITING);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut bytes = Vec::new();
            loop {
                bytes.clear();
                let read = std::io::Read::take(&mut output, MAX_LINE).read_until(b'\n', &mut bytes);
                let heard = match read {
                    Ok(0) | Err(_) => None,
                    Ok(_) => Some((
                        Instant::now(),
                        String::from_utf8_lossy(&bytes).trim_end().to_string(),
                    )),
                };
                let ended = heard.is_none();
                if sender.send(heard).is_err() || ended {
                    return;
                }
            }
        });
        let mut process = Self {
            child,
            input,
            lines,
            interrupt: interrupt.clone(),
        };
        process.set_up(spec, variant)?;
        Ok(process)
    }

    fn set_up(&mut self, spec: &EngineSpec, variant: Variant) -> Result<(), NoMove> {
        self.send("uci")?;
        let mut known = HashSet::new();
        let deadline = Instant::now() + START_LIMIT;
        loop {
            let (_, line) = self.line_before(deadline)?;
            if line == "uciok" {
                break;
            }
            if let Some(rest) = line.strip_prefix("option name ") {
                let name = rest.split(" type ").next().unwrap_or(rest);
                known.insert(name.to_ascii_lowercase());
            }
        }
        if known.contains(&VARIANT_OPTION.to_ascii_lowercase()) {
            self.send(&format!(
                "setoption name {VARIANT_OPTION} value {}",
                variant.info.name
            ))?;
        }
        for (name, value) in &spec.options {
            if !known.contains(&name.to_ascii_lowercase()) {
                log::warn!(
                    "{}: sets option {name}, which it does not announce",
                    spec.name
                );
            }
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.wait_until_ready()
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|error| self.died(&error.to_string()))
    }

    /// Says how the process ended; its pipes close a little before that can be known.
    fn died(&mut self, why: &str) -> Fault {
        Fault::Crash(match self.wait() {
            Some(status) => status.to_string(),
            None => why.to_string(),
        })
    }

    /// How the process ended, if it does within the time that an end may take.
    fn wait(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + END_LIMIT;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                ended => return ended.ok().flatten(),
            }
        }
    }

    /// The next line and when it came, if that is before `deadline` or soon after.
    fn line_before(&mut self, deadline: Instant) -> Result<(Instant, String), NoMove> {
        loop {
            if self.interrupt.is_set() {
                return Err(NoMove::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            return match self.lines.recv_timeout(left.min(TICK)) {
                // An engine that talks without end hangs too.
                Ok(Some((when, _))) if when > deadline + GRACE => Err(Fault::Hang.into()),
                Ok(Some(heard)) => Ok(heard),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                    Err(self.died("it closed its output").into())
                }
                Err(RecvTimeoutError::Timeout) if left > TICK => continue,
                Err(RecvTimeoutError::Timeout) => Err(Fault::Hang.into()),
            };
        }
    }

    fn wait_until_ready(&mut self) -> Result<(), NoMove> {
        self.send("isready")?;
        let deadline = Instant::now() + READY_LIMIT;
        while self.line_before(deadline)?.1 != "readyok" {}
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), NoMove> {
        self.send("ucinewgame")?;
        self.wait_until_ready()
    }

    fn choose(
        &mut self,
        line: Line<'_>,
        clocks: &Clocks,
        control: &TimeControl,
    ) -> Result<Choice, NoMove> {
        let mut position = line.fen.map_or_else(
            || "position startpos".into(),
            |fen| format!("position fen {fen}"),
        );
        if !line.moves.is_empty() {
            let _ = write!(position, " moves {}", line.moves.join(" "));
        }
        self.send(&position)?;
        // An engine must not lose time to what it has to read.
        self.wait_until_ready()?;
        self.send(&go(clocks, control))?;
        let start = Instant::now();
        let allowed = control.per_move.or(clocks.time[line.to_move]);
        let deadline = start + allowed.map_or(MOVE_LIMIT, |time| time + control.margin);
        let mut choice = Choice {
            mv: String::new(),
            score: None,
            depth: 0,
            time: Duration::ZERO,
        };
        let when = self.hear_move(deadline, &mut choice)?;
        choice.time = when.saturating_duration_since(start);
        if when > deadline {
            Err(Fault::Time.into())
        } else {
            Ok(choice)
        }
    }

    /// Listens until the move comes, and returns when it came. An engine that is late has a
    /// little more time to show that it is still there.
    fn hear_move(&mut self, deadline: Instant, choice: &mut Choice) -> Result<Instant, NoMove> {
        let mut last = deadline;
        loop {
            match self.line_before(last) {
                Err(NoMove::Fault(Fault::Hang)) if last == deadline => {
                    self.send("stop")?;
                    last = deadline + GRACE;
                }
                Err(fault) => return Err(fault),
                Ok((when, line)) => {
                    if let Some(rest) = line.strip_prefix("bestmove") {
                        let mv = rest.split_ascii_whitespace().next().unwrap_or("");
                        choice.mv = mv.chars().take(MAX_MOVE).collect();
                        return Ok(when);
                    }
                    note_info(&line, choice);
                }
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Those that obey `quit` end by themselves; it does not matter which do.
        let _ = writeln!(self.input, "quit").and_then(|()| self.input.flush());
        if self.wait().is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The `go` command for a move.
fn go(clocks: &Clocks, control: &TimeControl) -> String {
    let mut text = String::from("go");
    if let Some(time) = control.per_move {
        let _ = write!(text, " movetime {}", time.as_millis());
    } else if control.time.is_some() {
        for (side, letter) in ['w', 'b'].into_iter().enumerate() {
            if let Some(time) = clocks.time[side] {
                let _ = write!(text, " {letter}time {}", time.as_millis());
            }
        }
        for (side, letter) in ['w', 'b'].into_iter().enumerate() {
            let _ = write!(text, " {letter}inc {}", clocks.increment[side].as_millis());
        }
        if clocks.moves_to_go > 0 {
            let _ = write!(text, " movestogo {}", clocks.moves_to_go);
        }
    }
    if let Some(nodes) = control.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(depth) = control.depth {
        let _ = write!(text, " depth {depth}");
    }
    text
}

/// Notes score and depth of an `info` line about the best move.
fn note_info(line: &str, choice: &mut Choice) {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return;
    }
    let (mut score, mut depth) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "multipv" if words.next() != Some("1") => return,
            "depth" => depth = words.next().and_then(|word| word.parse().ok()),
            "score" => {
                let kind = words.next();
                let value: Option<i32> = words.next().and_then(|word| word.parse().ok());
                score = match (kind, value) {
                    (Some("cp"), Some(value)) => Some(Score::Centipawns(value)),
                    (Some("mate"), Some(value)) => Some(Score::Mate(value)),
                    _ => None,
                };
            }
            "pv" | "string" => break,
            _ => {}
        }
    }
    if score.is_some() {
        choice.score = score;
        choice.depth = depth.unwrap_or(choice.depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_score_of_the_best_line_counts() {
        let mut choice = Choice {
            mv: String::new(),
            score: None,
            depth: 0,
            time: Duration::ZERO,
        };
        for line in [
            "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 5 pv e2e4",
            "info depth 4 seldepth 5 multipv 2 score cp 99 nodes 5 pv e2e4",
            "info depth 5 currmove e2e4 currmovenumber 1",
            "info string score cp 7",
            "nonsense depth 9 score cp 8",
        ] {
            note_info(line, &mut choice);
        }
        assert_eq!(
            (choice.score, choice.depth),
            (Some(Score::Centipawns(-12)), 3)
        );
        note_info("info score mate -2 depth 8", &mut choice);
        assert_eq!((choice.score, choice.depth), (Some(Score::Mate(-2)), 8));
    }

    #[test]
    fn go_says_what_the_time_control_is() {
        let clocks = Clocks {
            time: [Some(Duration::from_millis(900)), None],
            increment: [Duration::from_millis(5), Duration::ZERO],
            moves_to_go: 7,
        };
        let control = TimeControl {
            time: Some(Duration::from_secs(1)),
            depth: Some(9),
            ..TimeControl::default()
        };
        assert_eq!(
            go(&clocks, &control),
            "go wtime 900 winc 5 binc 0 movestogo 7 depth 9"
        );
        let control = TimeControl {
            per_move: Some(Duration::from_millis(50)),
            ..TimeControl::default()
        };
        assert_eq!(go(&clocks, &control), "go movetime 50");
    }
}
