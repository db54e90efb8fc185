//! The manager's side of CECP, the protocol of XBoard and WinBoard, version 2.
//!
//! The engine receives moves and times, and answers when it is its turn. It may claim a result;
//! the rules judge the claim, unless the engine is trusted.

use super::option_spec::{OptionCommand, cecp_number, cecp_option, setting};
use super::player::{
    Choice, Clocks, EngineReply, Fault, NoMove, NoStart, Player, Thinking, deadline_of,
};
use super::process::{GRACE, Process, first_word, shorten_move};
use crate::engine::{self, OptionSpec, Variant};
use crate::games::{Side, result};
use crate::search::Score;
use crate::tournament::openings::GameLine;
use crate::tournament::options::{EngineSpec, TimeControl};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Time that an engine has to announce its features, unless it asks for more.
const FEATURE_LIMIT: Duration = Duration::from_secs(2);
/// Time that an engine has if it asks for more.
const START_LIMIT: Duration = Duration::from_secs(20);
/// Time that an engine has to answer `ping`.
const PING_LIMIT: Duration = Duration::from_secs(15);
/// Offset of a mate: a win in N moves is scored as `MATE + N`.
const MATE: i32 = 100_000;

/// Features that an engine announces.
#[derive(Default)]
struct AnnouncedFeatures {
    ping: bool,
    setboard: bool,
    usermove: bool,
    time: bool,
    reuse: bool,
    nps: bool,
    /// True if it wants the name of its opponent.
    name: bool,
    variants: Option<String>,
    options: Vec<OptionSpec>,
}

/// An engine that speaks CECP.
pub struct Cecp {
    process: Process,
    control: TimeControl,
    variant: Variant,
    features: AnnouncedFeatures,
    ponders: bool,
    /// Number of moves of the game that it knows.
    known: usize,
    /// True in force mode: it plays moves of both sides, and answers none.
    forced: bool,
    pings: u32,
}

impl Cecp {
    /// Prepares a process to play a variant.
    pub fn start(process: Process, spec: &EngineSpec, variant: Variant) -> Result<Self, NoStart> {
        let name = variant.info.name;
        if matches!(variant.info.xboard, engine::XBoard::PiecesAndDrops(_)) {
            return Err(NoStart::Refused(format!(
                "cannot play {name}: CECP has no way to bring in new pieces"
            )));
        }
        let mut engine = Self {
            process,
            control: spec.control.clone(),
            variant,
            features: AnnouncedFeatures { time: true, reuse: true, ..AnnouncedFeatures::default() },
            ponders: spec.ponders,
            known: 0,
            forced: false,
            pings: 0,
        };
        engine.process.send("xboard")?;
        engine.process.send("protover 2")?;
        engine.read_features()?;
        if let Some(variants) = &engine.features.variants
            && !variants.split(',').any(|known| known.trim() == name)
        {
            return Err(NoStart::Refused(format!("plays {variants}, but not {name}")));
        }
        if spec.control.nodes.is_some() && !engine.features.nps {
            let why = "cannot count nodes; give it depth= or a time";
            return Err(NoStart::Refused(why.into()));
        }
        for (name, value) in &spec.options {
            let line = match setting(&engine.features.options, name, value)? {
                None => continue,
                Some(OptionCommand::Press(name)) => format!("option {name}"),
                Some(OptionCommand::Check(name, is_on)) => {
                    format!("option {name}={}", u8::from(is_on))
                }
                Some(OptionCommand::Set(name @ ("memory" | "cores"), value)) => {
                    format!("{name} {value}")
                }
                Some(OptionCommand::Set(name, value)) => format!("option {name}={value}"),
            };
            engine.process.send(&line)?;
        }
        engine.ping(None).map_err(NoStart::without("pong 1"))?;
        Ok(engine)
    }

    /// Reads the features. A silent engine speaks version 1.
    fn read_features(&mut self) -> Result<(), NoMove> {
        let begin = Instant::now();
        let mut limit = FEATURE_LIMIT;
        loop {
            let line = match self.process.line_before(begin + limit) {
                Err(NoMove::Fault(Fault::Hang)) => return Ok(()),
                heard => heard?.1,
            };
            let Some(text) = line.strip_prefix("feature ") else {
                self.show_complaint(&line);
                continue;
            };
            for (name, value) in split_features(text) {
                match (name, value) {
                    ("done", "0") => limit = START_LIMIT,
                    ("done", _) => return Ok(()),
                    _ => {
                        let verdict =
                            if self.features.note(name, value) { "accepted" } else { "rejected" };
                        self.process.send(&format!("{verdict} {name}"))?;
                    }
                }
            }
        }
    }

    /// Shows a complaint, unless it is about an optional command.
    fn show_complaint(&mut self, line: &str) {
        const OPTIONAL: [&str; 5] = ["accepted", "computer", "name", "rejected", "result"];
        if line.starts_with("Error (unknown command)")
            && OPTIONAL.iter().any(|command| line.contains(command))
        {
            return;
        }
        let word = first_word(line);
        let is_complaint =
            ["Error", "tellerror", "tellusererror"].contains(&word) || line.starts_with("Illegal");
        if is_complaint {
            self.process.log.complain(line);
        }
    }

    /// Waits until the engine has handled all commands, if it knows `ping`. Before its turn as `side`
    /// a resignation or a claim is returned, and a move is dropped.
    fn ping(&mut self, side: Option<Side>) -> Result<Option<EngineReply>, NoMove> {
        let (mut answer, mut deadline) = (String::new(), Instant::now());
        if self.features.ping {
            self.pings += 1;
            answer = format!("pong {}", self.pings);
            self.process.send(&format!("ping {}", self.pings))?;
            deadline += PING_LIMIT;
        }
        let mut claim = None;
        loop {
            let line = match self.process.line_before(deadline) {
                // What it has said so far is read.
                Err(NoMove::Fault(Fault::Hang)) if !self.features.ping => return Ok(claim),
                heard => heard?.1,
            };
            if line == answer {
                return Ok(claim);
            }
            if side.is_some() && read_move(&line).is_some() {
                let fault = format!("`{line}` is ignored: it is not its turn");
                self.process.log.complain(&fault);
            }
            claim = claim.or(side.and_then(|side| read_claim(&line, side)));
            self.show_complaint(&line);
        }
    }

    fn force(&mut self) -> Result<(), Fault> {
        self.forced = true;
        self.process.send("force")
    }

    fn send_move(&mut self, mv: &str) -> Result<(), Fault> {
        self.known += 1;
        if self.features.usermove {
            self.process.send(&format!("usermove {mv}"))
        } else {
            self.process.send(mv)
        }
    }

    /// Sends the remaining times, in hundredths of a second.
    fn send_clocks(&mut self, clocks: &Clocks) -> Result<(), Fault> {
        if !self.features.time {
            return Ok(());
        }
        for (word, side) in [("time", clocks.to_move), ("otim", 1 - clocks.to_move)] {
            if let Some(left) = clocks.time[side] {
                self.process.send(&format!("{word} {}", left.as_millis() / 10))?;
            }
        }
        Ok(())
    }

    /// Waits for a move or a claim. Returns it with the time at which it came. A late engine has
    /// [`GRACE`] to show that it still answers.
    fn read_reply(
        &mut self,
        side: Side,
        deadline: Instant,
    ) -> Result<(Instant, EngineReply), NoMove> {
        let mut choice = Choice::default();
        let mut last = deadline;
        loop {
            let (when, line) = match self.process.line_before(last) {
                Err(NoMove::Fault(Fault::Hang)) if last == deadline => {
                    self.process.send("?")?;
                    last = deadline + GRACE;
                    continue;
                }
                heard => heard?,
            };
            if let Some(mv) = read_move(&line) {
                choice.mv = shorten_move(mv);
                return Ok((when, EngineReply::Move(choice)));
            }
            if let Some(claim) = read_claim(&line, side) {
                return Ok((when, claim));
            }
            if line.starts_with("Illegal move") {
                self.process.log.complain(&line);
                return Err(Fault::Claim(shorten_move(&line)).into());
            }
            note_thinking(&line, &mut choice.thinking);
            self.show_complaint(&line);
        }
    }
}

impl Player for Cecp {
    fn new_game(&mut self, fen: Option<&str>, opponent: &str) -> Result<(), NoMove> {
        self.known = 0;
        self.process.send("new")?;
        let name = self.variant.info.name;
        self.process.send(&format!("variant {name}"))?;
        self.force()?;
        if let Some(fen) = fen {
            if !self.features.setboard {
                let why = "cannot be given a position; use openings that are moves";
                return Err(Fault::Crash(why.into()).into());
            }
            self.process.send(&format!("setboard {fen}"))?;
        }
        for line in time_lines(&self.control) {
            self.process.send(&line)?;
        }
        self.process.send("post")?;
        self.process.send(if self.ponders { "hard" } else { "easy" })?;
        if self.features.name {
            self.process.send(&format!("name {opponent}"))?;
            self.process.send("computer")?;
        }
        self.ping(None).map(drop)
    }

    fn choose(&mut self, game: &GameLine, clocks: &Clocks) -> Result<EngineReply, NoMove> {
        let side = Side::BOTH[clocks.to_move];
        if let Some(claim) = self.ping(Some(side))? {
            return Ok(claim);
        }
        let new_moves = game.moves.get(self.known..).unwrap_or_default();
        if new_moves.len() != 1 && !self.forced {
            self.force()?;
        }
        if self.forced {
            for mv in new_moves {
                self.send_move(mv)?;
            }
            self.send_clocks(clocks)?;
            self.forced = false;
            self.process.send("go")?;
        } else if let [mv] = new_moves {
            self.send_clocks(clocks)?;
            self.send_move(mv)?;
        }
        let start = Instant::now();
        let deadline = deadline_of(start, &self.control, clocks);
        let (when, reply) = self.read_reply(side, deadline)?;
        let EngineReply::Move(mut choice) = reply else {
            return Ok(reply);
        };
        choice.time = when.saturating_duration_since(start);
        self.known += 1;
        if when > deadline { Err(Fault::Time.into()) } else { Ok(EngineReply::Move(choice)) }
    }

    fn game_over(&mut self, result: &str) -> Result<(), NoMove> {
        self.force()?;
        self.process.send(&format!("result {result}"))?;
        Ok(())
    }

    fn is_reusable(&self) -> bool {
        self.features.reuse
    }
}

impl AnnouncedFeatures {
    /// Stores a feature; returns false if it is rejected.
    fn note(&mut self, name: &str, value: &str) -> bool {
        let is_set = value == "1";
        match name {
            "ping" => self.ping = is_set,
            "setboard" => self.setboard = is_set,
            "usermove" => self.usermove = is_set,
            "time" => self.time = is_set,
            "reuse" => self.reuse = is_set,
            "nps" => self.nps = is_set,
            "name" => self.name = is_set,
            "variants" => self.variants = Some(value.to_string()),
            "memory" if is_set => self.options.push(cecp_number("memory")),
            "smp" if is_set => self.options.push(cecp_number("cores")),
            "option" => self.options.extend(cecp_option(value)),
            "myname" | "memory" | "smp" | "sigint" | "sigterm" | "colors" | "analyze" | "debug" => {
            }
            // Moves are coordinates.
            _ => return false,
        }
        true
    }
}

/// Splits a line of features, `name=1` or `name="a b"`.
fn split_features(mut text: &str) -> Vec<(&str, &str)> {
    let mut features = Vec::new();
    while let Some((name, rest)) = text.trim_start().split_once('=') {
        let (value, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        features.push((name.trim(), value));
        text = after;
    }
    features
}

/// Returns the commands for a time control.
fn time_lines(control: &TimeControl) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(time) = control.per_move {
        lines.push(format!("st {}", time.as_secs_f64()));
    } else if let Some(time) = control.time {
        // Whole seconds. The exact time is sent before each move.
        let seconds = time.as_secs().max(1);
        let mut base = (seconds / 60).to_string();
        if !seconds.is_multiple_of(60) {
            let _ = write!(base, ":{:02}", seconds % 60);
        }
        let increment = control.increment.as_secs_f64();
        lines.push(format!("level {} {base} {increment}", control.moves));
    }
    if let Some(nodes) = control.nodes {
        lines.extend(["st 1".into(), format!("nps {nodes}")]);
    }
    lines.extend(control.depth.map(|depth| format!("sd {depth}")));
    lines
}

/// Reads a move: `move e7e5`, or as older engines say, `1. ... e7e5` and `My move is: e7e5`.
fn read_move(line: &str) -> Option<&str> {
    let mut known = ["move ", "My move is: "].into_iter();
    let known = known.find_map(|before| line.strip_prefix(before));
    match line.split_once(". ... ") {
        Some((number, mv)) if number.parse::<u32>().is_ok() => Some(mv),
        _ => known.or((line == "move").then_some("")),
    }
}

/// Reads a resignation, or a result such as `0-1 {White resigns}`, which is one if the other side
/// wins.
fn read_claim(line: &str, side: Side) -> Option<EngineReply> {
    if is_resignation(line, side) {
        return Some(EngineReply::Resignation);
    }
    let word = line.split([' ', '{']).next();
    let mut winners = [Some(Side::White), Some(Side::Black), None].into_iter();
    let claimed = winners.find(|winner| Some(result(*winner)) == word)?;
    Some(if claimed == Some(!side) {
        EngineReply::Resignation
    } else {
        EngineReply::Claim(claimed)
    })
}

/// Returns true for a resignation in words: `resign`, or as older engines say, `tellics resign` and
/// `computer resigns`.
fn is_resignation(line: &str, side: Side) -> bool {
    let line = line.to_ascii_lowercase();
    let own = side.title().to_ascii_lowercase();
    let mut words = line.split(' ').peekable();
    words.next_if(|word| ["tellics", "computer", "i", &own].contains(word));
    let verb = words.next().unwrap_or("");
    ["resign", "resigns"].contains(&verb.trim_end_matches(['.', '!']))
}

/// Updates the report with a line of thinking output: depth, score, hundredths of a second, nodes,
/// perhaps three more numbers, and moves, as in `9 156 1084 48000 e2e4 e7e5`.
///
/// A bound has a mark: GNU Chess writes `9+` and `9-` for the depth, Crafty a `!` or `?` behind the
/// last move, and others `++` and `--` there.
fn note_thinking(line: &str, thinking: &mut Thinking) {
    const BOUNDS: [char; 4] = ['+', '-', '!', '?'];
    let words: Vec<_> = line.split(' ').collect();
    let [depth, score, time, nodes, rest @ ..] = &words[..] else {
        return;
    };
    let ply = depth.trim_end_matches(BOUNDS).trim_end_matches(['.', '&']);
    let mark = &depth[ply.len()..];
    let (Ok(depth), Ok(score), Ok(time)) =
        (ply.parse::<u32>(), score.parse::<i32>(), time.trim_end_matches('.').parse::<u64>())
    else {
        return;
    };
    let numbers = rest.iter().map_while(|word| word.parse::<u64>().ok());
    let numbers: Vec<_> = numbers.take(3).collect();
    let (extra, pv) = match numbers[..] {
        [seldepth, nps, tbhits] => (Some((seldepth, nps, tbhits)), &rest[3..]),
        _ => (None, rest),
    };
    let last = pv.last().unwrap_or(&"");
    let is_bound =
        mark.contains(BOUNDS) || last.ends_with(['!', '?']) || ["++", "--"].contains(last);
    let new = Thinking {
        score: Some(match score.saturating_abs() - MATE {
            ..=0 => Score::Centipawns(score),
            moves => Score::Mate(moves * score.signum()),
        }),
        depth,
        seldepth: extra.and_then(|(seldepth, ..)| seldepth.try_into().ok()),
        pv: pv.join(" "),
        nodes: nodes.parse().ok(),
        nps: extra.map(|(_, nps, _)| nps),
        hashfull: None,
        tbhits: extra.map(|(.., tbhits)| tbhits),
        time: Some(Duration::from_millis(time.saturating_mul(10))),
    };
    thinking.update(new, is_bound);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read() {
        assert_eq!(
            split_features("ping=1  myname=\"A = B\" option=\"X -check 0\" done=1"),
            [("ping", "1"), ("myname", "A = B"), ("option", "X -check 0"), ("done", "1")]
        );
        assert_eq!(split_features("open=\"x"), [("open", "x")]);
        assert_eq!(split_features("nothing"), []);
    }

    #[test]
    fn time_controls() {
        let control = TimeControl {
            time: Some(Duration::from_millis(90_500)),
            increment: Duration::from_millis(250),
            moves: 40,
            depth: Some(7),
            ..TimeControl::default()
        };
        assert_eq!(time_lines(&control), ["level 40 1:30 0.25", "sd 7"]);
        let control =
            TimeControl { per_move: Some(Duration::from_millis(500)), ..TimeControl::default() };
        assert_eq!(time_lines(&control), ["st 0.5"]);
        let control = TimeControl { nodes: Some(100), ..TimeControl::default() };
        assert_eq!(time_lines(&control), ["st 1", "nps 100"]);
    }

    #[test]
    fn thinking_is_read() {
        let heard = |lines: &[&str]| {
            let mut thinking = Thinking::default();
            lines.iter().for_each(|line| note_thinking(line, &mut thinking));
            (thinking.score, thinking.depth)
        };
        let exact = "9. -156 1084 48000 e2e4";
        for other in [
            "move e2e4",
            "# 1 2 3 4",
            "10 x 1 1 e2e4",
            "11 5",
            "-2147483648 -2147483648 1 1",
            "10+ 90 1084 48000 e2e4",
            "10- -90 1084 48000",
            "10 90 1084 48000 e2e4!",
            "10 90 1084 48000 e2e4 e7e5 ?",
            "10 90 1084 48000 20 500 0 e2e4 ++",
        ] {
            let expected = (Some(Score::Centipawns(-156)), 9);
            assert_eq!(heard(&[exact, other]), expected, "{other}");
            assert_eq!(heard(&[other]), (None, 0), "{other}");
        }
        for (line, score) in [
            ("12 100003 5 700 e2e4 e7e5", Score::Mate(3)),
            ("12& -100002 5 700 e2e4 e7e5", Score::Mate(-2)),
            ("12 +100000 5 700", Score::Centipawns(100_000)),
            ("12 -2147483648 5 700", Score::Mate(MATE - i32::MAX)),
        ] {
            assert_eq!(heard(&[exact, line]), (Some(score), 12), "{line}");
        }
        let mut thinking = Thinking::default();
        note_thinking("9 156 1084 48000 20 500 3 e2e4 e7e5", &mut thinking);
        let expected = Thinking {
            score: Some(Score::Centipawns(156)),
            depth: 9,
            seldepth: Some(20),
            pv: "e2e4 e7e5".into(),
            nodes: Some(48000),
            nps: Some(500),
            hashfull: None,
            tbhits: Some(3),
            time: Some(Duration::from_millis(10840)),
        };
        assert_eq!(thinking, expected);
    }

    #[test]
    fn resignations_are_heard() {
        for (line, expected) in [
            ("resign", true),
            ("Resigns.", true),
            ("resign {I am lost}", true),
            ("tellics resign", true),
            ("computer resigns", true),
            ("I resign", true),
            ("White resigns", true),
            ("Black resigns", false),
            ("tellics say I will not resign", false),
            ("resignation is far", false),
            ("tellics", false),
            ("", false),
        ] {
            assert_eq!(is_resignation(line, Side::White), expected, "{line}");
        }
    }
}
