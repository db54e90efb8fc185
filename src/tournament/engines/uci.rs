//! The manager's side of UCI.

use super::option_spec::{self, AnnouncedOption};
use super::player::{
    Choice, Clocks, EngineReply, Fault, NewGame, NoMove, NoStart, Player, deadline_of,
};
use super::process::{GRACE, Process, first_word, shorten_move};
use crate::engine::{VARIANT_OPTION, Variant};
use crate::search::Score;
use crate::tournament::openings::GameSoFar;
use crate::tournament::options::{EngineSpec, TimeControl};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Time that an engine has to start.
const START_LIMIT: Duration = Duration::from_secs(20);
/// Time that an engine has to answer `isready`.
const READY_LIMIT: Duration = Duration::from_secs(15);

/// An engine that speaks UCI.
pub(crate) struct Uci {
    process: Process,
    control: TimeControl,
    /// Moves of the position that it ponders on.
    pondered: Option<Vec<String>>,
    /// True while a ponder search runs.
    is_searching: bool,
}

impl Uci {
    /// Prepares a process to play a variant.
    pub(crate) fn start(
        process: Process,
        spec: &EngineSpec,
        variant: Variant,
    ) -> Result<Self, NoStart> {
        let mut uci = Self {
            process,
            control: spec.control.clone(),
            pondered: None,
            is_searching: false,
        };
        uci.set_up(spec, variant)?;
        Ok(uci)
    }

    fn set_up(&mut self, spec: &EngineSpec, variant: Variant) -> Result<(), NoStart> {
        self.process.send("uci")?;
        let mut announced = Vec::new();
        let deadline = Instant::now() + START_LIMIT;
        loop {
            let (_, line) = self
                .read_line(deadline)
                .map_err(NoStart::without("uciok"))?;
            if first_word(&line) == "uciok" {
                break;
            }
            announced.extend(AnnouncedOption::in_uci(&line));
        }
        let name = variant.info.name;
        if let Some(option) = announced
            .iter()
            .find(|option| option.is_called(VARIANT_OPTION))
        {
            if !option.offers(name) {
                return Err(NoStart::Refused(format!("does not play {name}")));
            }
            self.set_option(VARIANT_OPTION, name)?;
        }
        for (name, value) in &spec.options {
            option_spec::find(&announced, name, value).map_err(NoStart::Refused)?;
            self.set_option(name, value)?;
        }
        if spec.ponders && announced.iter().any(|option| option.is_called("Ponder")) {
            self.set_option("Ponder", "true")?;
        }
        if spec.debug {
            self.process.send("debug on")?;
        }
        self.wait_until_ready().map_err(NoStart::without("readyok"))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let value = if value.is_empty() {
            String::new()
        } else {
            format!(" value {value}")
        };
        self.process.send(&format!("setoption name {name}{value}"))
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
                    note_info(&line, choice);
                }
            }
        }
    }
}

impl Player for Uci {
    fn new_game(&mut self, _game: &NewGame<'_>) -> Result<(), NoMove> {
        self.process.send("ucinewgame")?;
        self.wait_until_ready()
    }

    fn choose(&mut self, game: GameSoFar<'_>, clocks: &Clocks) -> Result<EngineReply, NoMove> {
        let pondered = self.pondered.take();
        let is_hit = pondered.is_some_and(|moves| moves == game.moves);
        if is_hit {
            self.process.send("ponderhit")?;
        } else {
            self.stop()?;
            self.process.send(&position(game))?;
            // Reading a long position must not cost it time.
            self.wait_until_ready()?;
            self.process
                .send(&format!("go{}", limits(clocks, &self.control)))?;
        }
        let start = Instant::now();
        let deadline = deadline_of(start, &self.control, clocks, game.to_move);
        let mut choice = Choice::default();
        let when = self.read_best_move(deadline, &mut choice)?;
        self.is_searching = false;
        choice.time = when.saturating_duration_since(start);
        if when > deadline {
            Err(Fault::Time.into())
        } else {
            Ok(EngineReply::Move(choice))
        }
    }

    fn ponder(&mut self, game: GameSoFar<'_>, clocks: &Clocks) -> Result<(), NoMove> {
        self.process.send(&position(game))?;
        self.process
            .send(&format!("go ponder{}", limits(clocks, &self.control)))?;
        self.pondered = Some(game.moves.to_vec());
        self.is_searching = true;
        Ok(())
    }

    fn game_over(&mut self, _result: &str) -> Result<(), NoMove> {
        self.pondered = None;
        self.stop()
    }
}

/// Returns the `position` command.
fn position(game: GameSoFar<'_>) -> String {
    let mut position = game.fen.map_or_else(
        || "position startpos".into(),
        |fen| format!("position fen {fen}"),
    );
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

/// True for an error message, as this program or Stockfish and its relatives print it.
fn is_complaint(line: &str) -> bool {
    let text = line
        .strip_prefix("info string")
        .unwrap_or(line)
        .trim_start();
    ["error", "unknown command", "no such option", "illegal"]
        .iter()
        .any(|word| {
            let beginning = text.get(..word.len());
            beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(word))
        })
}

/// Stores score and depth of an `info` line about the best move.
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
        let mut choice = Choice::default();
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
    fn limits_say_what_the_time_control_is() {
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
            limits(&clocks, &control),
            " wtime 900 winc 5 binc 0 movestogo 7 depth 9"
        );
        let control = TimeControl {
            per_move: Some(Duration::from_millis(50)),
            ..TimeControl::default()
        };
        assert_eq!(limits(&clocks, &control), " movetime 50");
    }
}
