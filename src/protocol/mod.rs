//! The protocols on standard input and output.
//!
//! Each has a `Dialect` in the list here.

mod cecp;
mod channel;
mod link;
mod uci;

pub use cecp::XBOARD_SWITCHES;
pub use uci::query::{facts, takes_moves};

use crate::engine::Engine;
use link::{Dialect, Leave, Link, Speaker};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// Name and version of the program.
pub const NAME: &str = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));

/// All protocols. A client whose first word is none of theirs speaks the first one.
static DIALECTS: &[&Dialect] = &[&uci::DIALECT, &cecp::DIALECT];

/// A dialogue with a client.
pub struct Dialogue(Box<dyn Speaker>);

impl Dialogue {
    /// Opens a dialogue. The first line decides the protocol.
    pub fn open(
        engine: Engine,
        input: impl Read + Send + 'static,
        output: impl Write + 'static,
    ) -> Self {
        Self((DIALECTS[0].begin)(Link::open(engine, DIALECTS, input, output)))
    }

    /// Waits for the next line or report and obeys it. Returns the dialogue unless it has ended.
    pub fn step(mut self) -> Result<Self, io::Result<()>> {
        let patience = self.0.patience();
        let flow = match self.0.link().next_within(patience) {
            Some(input) => self.0.take(input),
            None => {
                self.0.idle();
                ControlFlow::Continue(())
            }
        };
        match flow {
            ControlFlow::Continue(()) => Ok(self),
            ControlFlow::Break(Leave::Switch) => Ok(Self(self.0.end().speak())),
            ControlFlow::Break(Leave::Quit) => Err(self.0.end().close()),
        }
    }

    /// Obeys the next line and passes on the reports of what it began: all of them, if there are no
    /// threads. Returns the dialogue unless it has ended.
    pub fn answer(self) -> Result<Self, io::Result<()>> {
        let mut dialogue = self.step()?;
        while dialogue.0.link().has_waiting() {
            dialogue = dialogue.step()?;
        }
        Ok(dialogue)
    }
}

/// Talks to a client until it quits or its input ends.
pub fn run(
    engine: Engine,
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
) -> io::Result<()> {
    let mut dialogue = Dialogue::open(engine, input, output);
    loop {
        match dialogue.step() {
            Ok(next) => dialogue = next,
            Err(end) => return end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::VARIANTS;
    use crate::system::sync::HAS_NO_THREADS;
    use std::sync::mpsc::{Sender, channel};

    /// Sends what is written.
    struct Writer(Sender<Vec<u8>>);

    impl Write for Writer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns the lines of a dialogue without threads, but for the reports of a search.
    fn answers(lines: &'static str) -> Vec<String> {
        HAS_NO_THREADS.set(true);
        let (sender, receiver) = channel();
        let engine = Engine::new(VARIANTS, VARIANTS[0]);
        run(engine, io::Cursor::new(lines), Writer(sender)).expect("written");
        HAS_NO_THREADS.set(false);
        let said = receiver.into_iter().flatten().collect();
        let said = String::from_utf8(said).expect("a text");
        let is_answer = |line: &&str| !line.starts_with("info") && !line.trim().is_empty();
        said.lines().filter(is_answer).map(String::from).collect()
    }

    #[test]
    fn without_threads_a_search_is_answered_before_the_next_line() {
        let mate = "position fen 3k6/10/3K6/10/10/10/10/9R w - - 0 1\ngo depth 4\nisready\nquit";
        assert_eq!(answers(mate), ["bestmove j1j8", "readyok"]);
        assert_eq!(
            answers("go perft 1\nposition startpos moves e2e4\nquery p1turn\nquit")[28..],
            ["Nodes searched: 28", "response false"]
        );
        let cecp = "xboard\nsetboard 3k6/10/3K6/10/10/10/10/9R w - - 0 1\nsd 4\ngo\nping 1\nquit";
        assert_eq!(answers(cecp)[..1], ["move j1j8"]);
    }

    #[test]
    fn without_threads_all_answers_to_a_line_are_there_before_the_next() {
        HAS_NO_THREADS.set(true);
        let (sender, receiver) = channel();
        let engine = Engine::new(VARIANTS, VARIANTS[0]);
        let input = io::Cursor::new("ugi\ngo depth 2\nquit");
        let dialogue = Dialogue::open(engine, input, Writer(sender));
        let said = || String::from_utf8(receiver.try_iter().flatten().collect()).expect("a text");
        let Ok(dialogue) = dialogue.answer() else {
            panic!("it has ended");
        };
        assert!(said().ends_with("\nugiok\n"));
        let Ok(dialogue) = dialogue.answer() else {
            panic!("it has ended");
        };
        assert!(said().contains("\nbestmove "));
        HAS_NO_THREADS.set(false);
        assert!(dialogue.answer().err().expect("its end").is_ok());
    }

    #[test]
    fn without_threads_a_search_without_an_end_is_stopped() {
        for go in ["go infinite", "go ponder wtime 60000 btime 60000", "go"] {
            let lines = Box::leak(format!("{go}\nstop\nisready").into_boxed_str());
            let said = answers(lines);
            assert!(said[0].starts_with("bestmove "), "{go}: {said:?}");
            assert_eq!(said[1..], ["readyok"], "{go}");
        }
        let said = answers("xboard\nanalyze\nexit\nping 1\nquit");
        assert_eq!(said.last().expect("a line"), "pong 1");
    }
}
