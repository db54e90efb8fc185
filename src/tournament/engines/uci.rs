//! The manager's side of UCI.

use super::option_spec::{OptionCommand, setting, uci_option};
use super::player::{
    Choice, Clocks, EngineReply, Fault, NoMove, NoStart, Player, Thinking, deadline_of,
};
use super::process::{GRACE, Process, first_word, shorten_move};
use crate::engine::{VARIANT_OPTION, Variant};
use crate::search::Score;
use crate::tournament::openings::GameLine;
use crate::tournament::options::{EngineSpec, TimeControl};
use std::fmt::Write as _;
use std::str::{FromStr, Split};
use std::time::{Duration, Instant};

/// Time that an engine has to start.
const START_LIMIT: Duration = Duration::from_secs(20);
/// Time that an engine has to answer `isready`.
const READY_LIMIT: Duration = Duration::from_secs(15);

/// An engine that speaks UCI.
pub struct Uci {
    process: Process,
    control: TimeControl,
    /// Moves of the position that it ponders on.
    pondered: Option<Vec<String>>,
    /// True while a ponder search runs.
    is_searching: bool,
}

impl Uci {
    /// Prepares a process to play a variant.
    pub fn start(process: Process, spec: &EngineSpec, variant: Variant) -> Result<Self, NoStart> {
        let mut uci =
            Self { process, control: spec.control.clone(), pondered: None, is_searching: false };
        uci.set_up(spec, variant)?;
        Ok(uci)
    }

    fn set_up(&mut self, spec: &EngineSpec, variant: Variant) -> Result<(), NoStart> {
        self.process.send("uci")?;
        let mut announced = Vec::new();
        let deadline = Instant::now() + START_LIMIT;
        loop {
            let (_, line) = self.read_line(deadline).map_err(NoStart::without("uciok"))?;
            if first_word(&line) == "uciok" {
                break;
            }
            announced.extend(uci_option(&line));
        }
        let name = variant.info.name;
        if let Some(option) = announced.iter().find(|option| option.is_called(VARIANT_OPTION)) {
            if !option.allows(name) {
                return Err(NoStart::Refused(format!("does not play {name}")));
            }
            self.set_option(OptionCommand::Set(VARIANT_OPTION, name))?;
        }
        for (name, value) in &spec.options {
            let setting = setting(&announced, name, value)?;
            setting.map_or(Ok(()), |setting| self.set_option(setting))?;
        }
        if spec.ponders && announced.iter().any(|option| option.is_called("Ponder")) {
            self.set_option(OptionCommand::Check("Ponder", true))?;
        }
        if spec.debug {
            self.process.send("debug on")?;
        }
        self.wait_until_ready().map_err(NoStart::without("readyok"))
    }

    fn set_option(&mut self, setting: OptionCommand<'_>) -> Result<(), Fault> {
        self.process.send(&match setting {
            OptionCommand::Press(name) => format!("setoption name {name}"),
            OptionCommand::Check(name, is_on) => format!("setoption name {name} value {is_on}"),
            OptionCommand::Set(name, value) => format!("setoption name {name} value {value}"),
        })
    }

    /// Reads a line with its time, and shows it if it is a complaint.
    fn read_line(&mut self, deadline: Instant) -> Result<(Instant, String), NoMove> {
        let (when, line) = self.process.line_before(deadline)?;
        if is_complaint(&line) {
            self.process.log.complain(&line);
        }
        Ok((when, line))
    }

    fn wait_until_ready(&mut self) -> Result<(), NoMove> {
        self.process.send("isready")?;
        let deadline = Instant::now() + READY_LIMIT;
        while first_word(&self.read_line(deadline)?.1) != "readyok" {}
        Ok(())
    }

    /// Ends a ponder search.
    fn stop(&mut self) -> Result<(), NoMove> {
        if std::mem::take(&mut self.is_searching) {
            self.process.send("stop")?;
            self.read_best_move(Instant::now() + READY_LIMIT, &mut Choice::default())?;
        }
        Ok(())
    }

    /// Waits for the move, and returns its time. A late engine has [`GRACE`] to show that it still
    /// answers.
    fn read_best_move(
        &mut self,
        deadline: Instant,
        choice: &mut Choice,
    ) -> Result<Instant, NoMove> {
        let mut last = deadline;
        loop {
            match self.read_line(last) {
                Err(NoMove::Fault(Fault::Hang)) if last == deadline => {
                    self.process.send("stop")?;
                    last = deadline + GRACE;
                }
                Err(fault) => return Err(fault),
                Ok((when, line)) => {
                    let mut words = line.split(' ');
                    if words.next() == Some("bestmove") {
                        choice.mv = shorten_move(words.next().unwrap_or(""));
                        choice.expected = words
                            .next()
                            .filter(|word| *word == "ponder")
                            .and_then(|_| Some(shorten_move(words.next()?)));
                        return Ok(when);
                    }
                    note_info(&line, &mut choice.thinking);
                }
            }
        }
    }
}

impl Player for Uci {
    fn new_game(&mut self, _fen: Option<&str>, _opponent: &str) -> Result<(), NoMove> {
        self.process.send("ucinewgame")?;
        self.wait_until_ready()
    }

    fn choose(&mut self, game: &GameLine, clocks: &Clocks) -> Result<EngineReply, NoMove> {
        let pondered = self.pondered.take();
        let is_hit = pondered.is_some_and(|moves| moves == game.moves);
        if is_hit {
            self.process.send("ponderhit")?;
        } else {
            self.stop()?;
            self.process.send(&position(game))?;
            // Reading a long position must not cost it time.
            self.wait_until_ready()?;
            self.process.send(&format!("go{}", limits(clocks, &self.control)))?;
        }
        let start = Instant::now();
        let deadline = deadline_of(start, &self.control, clocks);
        let mut choice = Choice::default();
        let when = self.read_best_move(deadline, &mut choice)?;
        self.is_searching = false;
        choice.time = when.saturating_duration_since(start);
        if when > deadline { Err(Fault::Time.into()) } else { Ok(EngineReply::Move(choice)) }
    }

    fn ponder(&mut self, game: &GameLine, clocks: &Clocks) -> Result<(), NoMove> {
        self.process.send(&position(game))?;
        // What it said before belongs to no search.
        self.wait_until_ready()?;
        self.process.send(&format!("go ponder{}", limits(clocks, &self.control)))?;
        self.pondered = Some(game.moves.clone());
        self.is_searching = true;
        Ok(())
    }

    fn game_over(&mut self, _result: &str) -> Result<(), NoMove> {
        self.pondered = None;
        self.stop()
    }
}

/// Returns the `position` command.
fn position(game: &GameLine) -> String {
    let mut position = game
        .fen
        .as_ref()
        .map_or_else(|| "position startpos".into(), |fen| format!("position fen {fen}"));
    if !game.moves.is_empty() {
        let _ = write!(position, " moves {}", game.moves.join(" "));
    }
    position
}

/// Returns the limits of a `go` command.
fn limits(clocks: &Clocks, control: &TimeControl) -> String {
    let mut text = String::new();
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

/// Returns true for an error message, as this program or Stockfish and its relatives print it.
fn is_complaint(line: &str) -> bool {
    let text = line.strip_prefix("info string").unwrap_or(line).trim_start();
    ["error", "unknown command", "no such option", "illegal"].iter().any(|word| {
        let beginning = text.get(..word.len());
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(word))
    })
}

/// Updates the report with an `info` line, if it is about the best line. Its words may stand in any
/// order.
fn note_info(line: &str, thinking: &mut Thinking) {
    let Some(line) = line.strip_prefix("info ") else {
        return;
    };
    let mut words = line.split(' ');
    let mut new = Thinking::default();
    let (mut is_bound, mut is_pv, mut pv) = (false, false, Vec::new());
    while let Some(word) = words.next() {
        let is_move = std::mem::take(&mut is_pv);
        match word {
            "string" => break,
            "multipv" if number(&mut words) == Some(1) => {}
            "multipv" => return,
            "cp" => new.score = number(&mut words).map(Score::Centipawns),
            "mate" => new.score = number(&mut words).map(Score::Mate),
            "lowerbound" | "upperbound" => is_bound = true,
            "depth" => new.depth = number(&mut words).unwrap_or(0),
            "seldepth" => new.seldepth = number(&mut words),
            "nodes" => new.nodes = number(&mut words),
            "nps" => new.nps = number(&mut words),
            "hashfull" => new.hashfull = number(&mut words),
            "tbhits" => new.tbhits = number(&mut words),
            "time" => new.time = number(&mut words).map(Duration::from_millis),
            "pv" => is_pv = true,
            "score" | "wdl" | "currmove" | "currmovenumber" | "currline" | "refutation"
            | "cpuload" | "sbhits" => {}
            _ if is_move => {
                pv.push(word);
                is_pv = true;
            }
            _ => {}
        }
    }
    new.pv = pv.join(" ");
    thinking.update(new, is_bound);
}

fn number<N: FromStr>(words: &mut Split<'_, char>) -> Option<N> {
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let heard = |lines: &[&str]| {
            let mut thinking = Thinking::default();
            lines.iter().for_each(|line| note_info(line, &mut thinking));
            (thinking.score, thinking.depth)
        };
        let exact = "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 5 pv e2e4";
        for other in [
            "info depth 4 seldepth 5 multipv 2 score cp 99 nodes 5 pv e2e4",
            "info depth 4 score cp 99 pv e2e4 multipv 2",
            "info depth 4 score cp 99 lowerbound nodes 5 pv e2e4",
            "info depth 4 score upperbound cp 99 pv e2e4",
            "info upperbound depth 4 score mate 2",
            "info depth 4 score mate -2 nodes 7 lowerbound",
            "info depth 4 score cp 99 pv e2e4 e7e5 lowerbound",
            "info depth 5 currmove e2e4 currmovenumber 1",
            "info depth 5 score cp",
            "info depth 5 score cp high",
            "info string score cp 7",
            "information depth 9 score cp 8",
            "nonsense depth 9 score cp 8",
        ] {
            let expected = (Some(Score::Centipawns(-12)), 3);
            assert_eq!(heard(&[exact, other]), expected, "{other}");
            assert_eq!(heard(&[other, exact]), expected, "{other}");
            assert_eq!(heard(&[other]), (None, 0), "{other}");
        }
        for (line, score) in [
            ("info score mate -2 depth 8", Score::Mate(-2)),
            ("info pv e2e4 score cp 5 wdl 9 900 91 depth 8", Score::Centipawns(5)),
        ] {
            assert_eq!(heard(&[exact, line]), (Some(score), 8), "{line}");
        }
    }

    #[test]
    fn the_rest_of_a_report_is_noted() {
        let mut thinking = Thinking::default();
        for line in [
            "info depth 3 seldepth 5 score cp 9 time 12 nodes 50 nps 70 hashfull 1 tbhits 2 pv e2e4 e7e5",
            "info depth 4 seldepth 7 score cp 99 lowerbound nodes 90 pv d2d4",
            "info nps 80 hashfull 3",
        ] {
            note_info(line, &mut thinking);
        }
        let expected = Thinking {
            score: Some(Score::Centipawns(9)),
            depth: 3,
            seldepth: Some(5),
            pv: "e2e4 e7e5".into(),
            nodes: Some(90),
            nps: Some(80),
            hashfull: Some(3),
            tbhits: Some(2),
            time: Some(Duration::from_millis(12)),
        };
        assert_eq!(thinking, expected);
    }

    #[test]
    fn limits_say_what_the_time_control_is() {
        let clocks = Clocks {
            time: [Some(Duration::from_millis(900)), None],
            increment: [Duration::from_millis(5), Duration::ZERO],
            to_move: 0,
            moves_to_go: 7,
        };
        let control = TimeControl {
            time: Some(Duration::from_secs(1)),
            depth: Some(9),
            ..TimeControl::default()
        };
        assert_eq!(limits(&clocks, &control), " wtime 900 winc 5 binc 0 movestogo 7 depth 9");
        let control =
            TimeControl { per_move: Some(Duration::from_millis(50)), ..TimeControl::default() };
        assert_eq!(limits(&clocks, &control), " movetime 50");
    }
}
