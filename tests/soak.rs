//! Endless bullet games of all four games through the real program, while a client does all that it
//! may. Every move is legal and in time, every `stop` is answered at once, and memory, threads and
//! open files stay as they were.
//!
//! `QUADRILLE_SOAK` is the duration in seconds:
//! `QUADRILLE_SOAK=3600 cargo test --release --test soak -- --nocapture`

#![allow(unreachable_pub)]
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, unused_imports, unused_macros)]
mod common;

use common::client::{Client, pv, value};
use quadrille::engine::{Session, VARIANTS};
use quadrille::system::random::Random;
use std::time::{Duration, Instant};

/// Default duration.
const SECONDS: u64 = 5;
/// The clock of each side.
const TIME: Duration = Duration::from_millis(400);
const INCREMENT: Duration = Duration::from_millis(4);
/// Time between the clock and the engine on a busy machine.
const MARGIN: Duration = Duration::from_secs(1);
/// Time in which a `stop` should be answered.
const SOON: Duration = Duration::from_millis(20);
/// Duration in seconds from which on nearly all answers have to come soon: in a short run a busy machine is late at any
/// time.
const LONG: u64 = 600;
/// Limit at which a game is aborted.
const MOST_PLIES: usize = 160;
/// Limit for the growth of memory from the first half to the second, in KB.
const GROWTH: usize = 32 << 10;

/// Resources of the program between two games, with all options at their least.
#[derive(Clone, Copy, Debug)]
struct State {
    kilobytes: usize,
    threads: usize,
    files: usize,
}

/// Counts of the whole run.
#[derive(Default)]
struct Tally {
    games: usize,
    moves: usize,
    /// Time to the answer of each `stop`.
    stops: Vec<Duration>,
    /// Number of moves that overstepped their clock.
    forfeits: usize,
    /// Greatest overstep.
    late: Duration,
}

struct Soak {
    random: Random,
    client: Client,
    session: Box<dyn Session>,
    start: Option<String>,
    moves: Vec<String>,
    tally: Tally,
}

impl Soak {
    fn choose_game(&mut self) {
        let variant = self.random.pick(VARIANTS).unwrap();
        self.session = variant.open();
        self.client.ask(&format!("setoption name UCI_Variant value {}", variant.info.name));
        let samples = self.session.info().samples;
        let start = self.random.pick(samples).filter(|_| self.random.below(2) == 0);
        self.start = start.map(|fen| fen.to_string());
        self.session.set_position(self.start.as_deref(), &[]).unwrap();
        self.moves.clear();
    }

    fn change_options(&mut self) {
        let threads = 1 + self.random.below(4);
        let hash = 1 << self.random.below(9);
        // More threads than processors are noted.
        let said = (self.client).ask(&format!("setoption name Threads value {threads}"));
        assert!(said.iter().all(|line| !line.contains("error")), "{said:?}");
        self.client.tell(&format!("setoption name Hash value {hash}"));
        let lines = 1 + self.random.below(3);
        self.client.tell(&format!("setoption name MultiPV value {lines}"));
        if self.random.below(2) == 0 {
            self.client.tell("ucinewgame");
        }
    }

    fn position(&self) -> String {
        let start = match &self.start {
            None => "startpos".to_string(),
            Some(fen) => format!("fen {fen}"),
        };
        format!("position {start} moves {}", self.moves.join(" "))
    }

    /// Waits for the answer, and asserts that its moves are legal.
    fn answer(&mut self) -> String {
        let lines = self.client.lines_to("bestmove");
        let (best, before) = lines.split_last().unwrap();
        let mv = value(best, "bestmove").unwrap().to_string();
        if let Some(line) = before.iter().rev().find_map(|line| pv(line)) {
            self.check(&line);
        }
        match value(best, "ponder") {
            Some(reply) => self.check(&[&mv, reply]),
            None => self.check(&[&mv]),
        }
        mv
    }

    /// Asserts that a line of play is legal.
    fn check(&self, line: &[&str]) {
        let mut session = VARIANTS
            .iter()
            .find(|variant| variant.info.name == self.session.info().name)
            .unwrap()
            .open();
        session.set_position(Some(&self.session.fen()), &[]).unwrap();
        for mv in line {
            let legal = session.moves().iter().any(|legal| legal == mv);
            assert!(legal, "{mv} of {line:?} in {}", session.fen());
            session.play(mv).unwrap();
        }
    }

    fn pause(&mut self) {
        let millis = self.random.below(30) as u64;
        std::thread::sleep(Duration::from_millis(millis));
    }

    /// Sends `stop`, and waits for the answer.
    fn stop(&mut self) -> String {
        let start = Instant::now();
        self.client.send("stop");
        let mv = self.answer();
        self.tally.stops.push(start.elapsed());
        mv
    }

    /// Asks for a move in one of many ways. Returns `None` if that ended the game.
    fn one_move(&mut self, clocks: &mut [Duration; 2]) -> Option<String> {
        let us = self.session.to_move().index();
        self.client.tell(&self.position());
        let [white, black] = clocks.map(|clock| clock.as_millis());
        let increment = INCREMENT.as_millis();
        let clock = format!("wtime {white} btime {black} winc {increment} binc {increment}");
        match self.random.below(24) {
            0 => {
                self.client.send("go infinite");
                self.pause();
                Some(self.stop())
            }
            1 => {
                self.client.send(&format!("go ponder {clock}"));
                self.pause();
                self.client.send("ponderhit");
                Some(self.answer())
            }
            2 => {
                self.client.send(&format!("go ponder {clock}"));
                self.pause();
                Some(self.stop())
            }
            3 => {
                self.client.send("go infinite");
                self.pause();
                let lines = self.client.ask("query gameover");
                assert!(lines.iter().any(|line| line == "response false"));
                Some(self.stop())
            }
            // These commands end the search, which is answered all the same.
            4 => {
                self.client.send("go infinite");
                self.pause();
                let hash = 1 << self.random.below(9);
                self.client.send(&format!("setoption name Hash value {hash}"));
                Some(self.answer())
            }
            5 => {
                self.client.send("go infinite");
                self.pause();
                self.client.send("ucinewgame");
                Some(self.answer())
            }
            6 => {
                self.client.send("go infinite");
                self.pause();
                let threads = 1 + self.random.below(4);
                self.client.send(&format!("setoption name Threads value {threads}"));
                let answer = self.answer();
                self.client.ask("");
                Some(answer)
            }
            7 if self.random.below(8) == 0 => {
                self.client.send("go infinite");
                self.pause();
                self.client.send("setoption name UCI_Variant value gothic");
                self.answer();
                self.client.ask("");
                None
            }
            _ => {
                let start = Instant::now();
                self.client.send(&format!("go {clock}"));
                let mv = self.answer();
                let took = start.elapsed();
                let left = clocks[us];
                self.tally.forfeits += usize::from(took > left);
                self.tally.late = self.tally.late.max(took.saturating_sub(left));
                assert!(took <= left + MARGIN, "{took:?} with {left:?} left");
                clocks[us] = left.saturating_sub(took) + INCREMENT;
                Some(mv)
            }
        }
    }

    fn game(&mut self) {
        self.choose_game();
        self.change_options();
        let mut clocks = [TIME; 2];
        while self.session.outcome().is_none() && self.moves.len() < MOST_PLIES {
            let Some(mv) = self.one_move(&mut clocks) else { break };
            self.session.play(&mv).unwrap();
            self.moves.push(mv);
            self.tally.moves += 1;
        }
        self.tally.games += 1;
    }

    /// The state of the program with one thread and the smallest table.
    fn state(&mut self) -> State {
        for line in [
            "setoption name UCI_Variant value gothic",
            "setoption name Threads value 1",
            "setoption name Hash value 1",
            "ucinewgame",
            "position startpos",
        ] {
            self.client.ask(line);
        }
        self.client.search("go nodes 1000");
        self.client.ask("");
        // The thread of the search ends after its answer.
        std::thread::sleep(Duration::from_millis(100));
        let files = format!("/proc/{}/fd", self.client.process());
        State {
            kilobytes: self.client.status("VmRSS"),
            threads: self.client.status("Threads"),
            files: std::fs::read_dir(files).unwrap().count(),
        }
    }
}

#[test]
fn everything_at_once_for_a_long_time() {
    let seconds: u64 = std::env::var("QUADRILLE_SOAK")
        .map_or(SECONDS, |text| text.parse().expect("QUADRILLE_SOAK is a whole number of seconds"));
    let mut soak = Soak {
        random: Random::new(31, 0),
        client: Client::start(&[]),
        session: VARIANTS[0].open(),
        start: None,
        moves: Vec::new(),
        tally: Tally::default(),
    };
    let begun = Instant::now();
    let end = Duration::from_secs(seconds);
    let mut states: Vec<State> = Vec::new();
    while begun.elapsed() < end {
        soak.game();
        // The program allocates some memory only in its first games.
        let due = 10.min(seconds as usize / 10) + states.len() * (seconds as usize).div_ceil(10);
        if begun.elapsed().as_secs() as usize >= due {
            let state = soak.state();
            let (seconds, late) = (begun.elapsed().as_secs(), soak.tally.forfeits);
            println!("{seconds:5} s: {state:?}, {late} moves too late");
            states.push(state);
        }
    }
    let tally = &mut soak.tally;
    tally.stops.sort();
    let soon = tally.stops.iter().filter(|&&took| took <= SOON).count();
    println!(
        "{} games, {} moves, all legal; {soon} of {} stops within {SOON:?}, longest {:?}; \
         {} moves too late, by {:?} at most",
        tally.games,
        tally.moves,
        tally.stops.len(),
        tally.stops.last().unwrap(),
        tally.forfeits,
        tally.late
    );
    assert!(tally.games > 0 && tally.moves > 0);
    if seconds >= LONG {
        assert!(soon * 1000 >= tally.stops.len() * 999);
        assert!(tally.forfeits * 10_000 <= tally.moves);
    }
    let (first, second) = states.split_at(states.len() / 2);
    let most = |states: &[State]| states.iter().map(|state| state.kilobytes).max();
    assert!(most(second) <= most(first).map(|most| most + GROWTH), "{states:?}");
    // A thread of its own solves endings for a second or two.
    let least = states.iter().map(|state| state.threads).min();
    let same = |state: &State| {
        state.files == states[0].files && Some(state.threads) <= least.map(|threads| threads + 1)
    };
    assert!(states.iter().all(same), "{states:?}");
}
