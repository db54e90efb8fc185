//! The Universal Chess Interface, with `UCI_Variant`, and `query` for clients that do not
//! know the rules; and the Universal Game Interface, which is the same with players 1 and 2
//! for White and Black. `protocol.md` is the contract.

mod go;
pub(super) mod query;
mod refusal;

use super::NAME;
use super::channel::{Input, MAX_QUOTED};
use super::link::{CONTINUE, Dialect, Flow, Leave, Link, QUIT, Speaker};
use crate::draw::Look;
use crate::engine::{Effect, OptionKind, Request, VARIANT_OPTION, bench, find_variant};
use crate::games::result;
use crate::search::{Bound, Limits, Line, ScoreModel, SearchEvent};
use crate::system::text::{MAX_LINE, shorten_to};
use go::Go;
use refusal::{Code, Refusal};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::str::SplitAsciiWhitespace;

/// UCI, and UGI.
pub(super) static DIALECT: Dialect = Dialect {
    words: &["uci", "ugi"],
    begin: |link| {
        Box::new(UciDialogue {
            link,
            deferred_stops: 0,
            debug: false,
            is_ugi: false,
            position_was_refused: false,
        })
    },
};

fn help() -> String {
    format!(
        "\
uci or ugi, isready, quit           begin and end a dialogue
ucinewgame or uginewgame            forget what earlier searches learned
setoption name NAME [value VALUE]   set an option; uci lists them
position startpos|fen FEN [moves M ...]
go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M ...]
   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]; for UGI p1time and so on
go perft N                          count paths of legal moves
stop, ponderhit                     steer a search
{query}
d, eval, bench [DEPTH], debug on|off, help
xboard                              speak CECP from here on, for XBoard",
        query = query::forms()
    )
}

struct UciDialogue {
    link: Link,
    /// The number of `stop`s among the deferred lines.
    deferred_stops: usize,
    debug: bool,
    /// True if the client began with `ugi`, and so expects no move to ponder on.
    is_ugi: bool,
    /// True if the last `position` was refused, so that the one before it still stands.
    position_was_refused: bool,
}

/// The longest first word of a line that an error repeats before its colon.
const MAX_COMMAND: usize = 20;

/// The commands that change the state, and wait for the end of a search.
const CHANGES: [&str; 6] = ["setoption", "ucinewgame", "uginewgame", "position", "go", "bench"];

/// The commands that only steer a search.
const STEERS: [&str; 3] = ["stop", "ponderhit", "quit"];

/// Returns the command that a line begins with; none if the input is not a line.
fn command(input: &Input) -> &str {
    match input {
        Input::Line(line) => line.split_ascii_whitespace().next().unwrap_or_default(),
        _ => "",
    }
}

impl Speaker for UciDialogue {
    fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    /// Obeys at once, or after the search that is running.
    fn take(&mut self, input: Input) -> Flow {
        let must_wait = matches!(input, Input::TooLong) || self.is_change(&input);
        if must_wait && self.link.engine.is_searching() {
            self.wait_for_search(&input)?;
        }
        match input {
            Input::Line(line) if self.link.is_foreign(&DIALECT, &line) => {
                self.link.put_back(Input::Line(line));
                ControlFlow::Break(Leave::Switch)
            }
            Input::Line(line) => self.obey(&line),
            Input::TooLong => {
                let text = format!("a line of more than {MAX_LINE} bytes was skipped");
                self.refuse("-", &Refusal::new(Code::TooLong, text));
                CONTINUE
            }
            Input::End | Input::OutputClosed => QUIT,
            report => {
                self.pass_on(&report);
                CONTINUE
            }
        }
    }

    /// Stops the search that is running; the client still gets its answer.
    fn end(mut self: Box<Self>) -> Link {
        self.link.engine.stop();
        while self.link.engine.is_searching() {
            match self.link.listen() {
                Input::OutputClosed => break,
                input => self.pass_on(&input),
            }
        }
        self.link
    }
}

impl UciDialogue {
    /// Returns true if an input changes the state, and so ends a search that has no end of its own.
    fn is_change(&self, input: &Input) -> bool {
        match input {
            Input::Line(line) => {
                CHANGES.contains(&command(input)) || self.link.is_foreign(&DIALECT, line)
            }
            Input::End => true,
            _ => false,
        }
    }

    /// Waits until the running search has ended, so that `first` can be obeyed. Later lines wait too,
    /// except `isready`, `quit` and the effect of `stop`.
    fn wait_for_search(&mut self, first: &Input) -> Flow {
        if self.deferred_stops > 0 {
            self.link.engine.stop();
        }
        self.make_way(first);
        while self.link.engine.is_searching() {
            let input = self.link.listen();
            match (&input, command(&input)) {
                (Input::OutputClosed, _) | (_, "quit") => return QUIT,
                (Input::Line(line), "isready") => self.obey(line)?,
                (Input::Line(_) | Input::TooLong | Input::End, command) => {
                    if command == "stop" {
                        self.deferred_stops += 1;
                        self.link.engine.stop();
                    }
                    self.make_way(&input);
                    self.link.defer(input);
                }
                _ => self.pass_on(&input),
            }
        }
        CONTINUE
    }

    /// Stops a search that would not end by itself, for an input that changes the state.
    fn make_way(&mut self, input: &Input) {
        if self.is_change(input) && !self.link.engine.will_finish() {
            self.link.engine.stop();
        }
    }

    /// Passes on a report of a search.
    fn pass_on(&mut self, report: &Input) {
        match report {
            Input::Search(event) => {
                let score_model = self.link.engine.session().info().score_model;
                let show_wdl = self.link.engine.options().show_wdl;
                self.link.say(&search_line(event, score_model, show_wdl));
            }
            Input::Finished(Some(found)) => {
                let answer = &found.answer;
                let mv = answer.best.as_deref().unwrap_or("(none)");
                let text = match answer.ponder.as_ref().filter(|_| !self.is_ugi) {
                    None => format!("bestmove {mv}"),
                    Some(reply) => format!("bestmove {mv} ponder {reply}"),
                };
                self.link.say(&text);
            }
            Input::Said(text) => self.link.say(text),
            _ => {}
        }
    }

    fn obey(&mut self, line: &str) -> Flow {
        let mut words = line.split_ascii_whitespace();
        let command = words.next();
        let steers = command.is_some_and(|command| STEERS.contains(&command));
        if self.debug && !(steers && self.link.engine.is_searching()) {
            self.link.say(&format!("info string received: {line}"));
        }
        match command {
            None => {}
            Some("quit") => return QUIT,
            Some(command) => {
                if let Err(refusal) = self.run(command, words) {
                    self.refuse(command, &refusal);
                }
            }
        }
        CONTINUE
    }

    /// Reports the fault of a line that begins with this word.
    fn refuse(&mut self, command: &str, Refusal { code, value, text }: &Refusal) {
        let is_plain = command.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let command = if is_plain && command.len() <= MAX_COMMAND { command } else { "-" };
        let value = value.as_ref().map_or(String::new(), |value| format!(" {value}"));
        let (code, text) = (code.word(), shorten_to(MAX_QUOTED, text));
        self.link.say(&format!("info string error {code} {command}{value}: {text}"));
    }

    fn run(&mut self, command: &str, mut words: SplitAsciiWhitespace<'_>) -> Result<(), Refusal> {
        match command {
            "uci" | "ugi" => {
                self.is_ugi = command == "ugi";
                self.introduce(command);
            }
            "isready" => self.link.say("readyok"),
            "debug" => match words.next() {
                Some("on") => self.debug = true,
                Some("off") => self.debug = false,
                None => return Err(Refusal::new(Code::Syntax, "on or off must follow")),
                Some(other) => {
                    let text = format!("`{other}` is neither on nor off");
                    return Err(Refusal::new(Code::Value, text));
                }
            },
            "ucinewgame" | "uginewgame" => self.link.engine.clear(),
            "setoption" => return self.set_option(words),
            "position" => {
                let set = self.set_position(words);
                self.position_was_refused = set.is_err();
                return set;
            }
            "go" => self.go(words),
            "stop" => {
                // A deferred `stop` is taken before any new one.
                self.deferred_stops = self.deferred_stops.saturating_sub(1);
                self.link.engine.stop();
            }
            "ponderhit" => self.link.engine.ponder_hit(),
            "query" => return self.query(words),
            "d" => self.link.say(&self.display()),
            "eval" => self.link.say(&self.evaluation()),
            "bench" => return self.bench(words),
            "help" => self.link.say(&help()),
            other => {
                let is_lower = !other.contains(|letter: char| letter.is_ascii_uppercase());
                let advice = if is_lower { "" } else { "commands are in lower case, " };
                let text = format!("`{other}` is no command; {advice}try help");
                return Err(Refusal::new(Code::UnknownCommand, text));
            }
        }
        Ok(())
    }

    fn introduce(&mut self, command: &str) {
        let mut text = format!("id name {NAME}\nid author the Quadrille developers\n");
        for option in self.link.engine.option_specs() {
            let _ = write!(text, "option name {} type ", option.name);
            let default = option.default;
            let _ = match option.kind {
                OptionKind::Spin { min, max } => {
                    writeln!(text, "spin default {default} min {min} max {max}")
                }
                OptionKind::Check => writeln!(text, "check default {default}"),
                OptionKind::Text => writeln!(text, "string default {default}"),
                OptionKind::Button => writeln!(text, "button"),
                OptionKind::Combo(choices) => {
                    writeln!(text, "combo default {default} var {}", choices.join(" var "))
                }
            };
        }
        text.push_str(command);
        text.push_str("ok");
        self.link.say(&text);
    }

    fn set_option(&mut self, words: SplitAsciiWhitespace<'_>) -> Result<(), Refusal> {
        let words: Vec<_> = words.collect();
        let ["name", rest @ ..] = words.as_slice() else {
            return Err(Refusal::new(Code::Syntax, "`name` is missing"));
        };
        let end = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
        let name = rest[..end].join(" ");
        if name.is_empty() {
            return Err(Refusal::new(Code::Syntax, "no name follows `name`"));
        }
        let value = rest.get(end + 1..).unwrap_or_default().join(" ");
        match self.link.engine.set_option(&name, &value)? {
            Effect::NewVariant => {
                self.position_was_refused = false;
                let info = self.link.engine.session().info();
                self.link.say(&format!(
                    "info string variant {} files {} ranks {} pocket 0 template fairy startpos {}",
                    info.name, info.files, info.ranks, info.start,
                ));
            }
            Effect::Note(note) => self.link.say(&format!("info string {note}")),
            Effect::None => {}
        }
        Ok(())
    }

    fn set_position(&mut self, mut words: SplitAsciiWhitespace<'_>) -> Result<(), Refusal> {
        let fen = match words.next() {
            Some("startpos") => None,
            Some("fen") => {
                let fen: Vec<_> = words.clone().take_while(|&word| word != "moves").collect();
                words.by_ref().take(fen.len()).for_each(drop);
                Some(fen.join(" ").trim_matches('"').to_string())
            }
            None => return Err(Refusal::new(Code::Syntax, "startpos or fen must follow")),
            Some(other) => {
                let text = format!("`{other}` is neither startpos nor fen");
                return Err(Refusal::new(Code::Syntax, text));
            }
        };
        if let Some(other) = words.next().filter(|&word| word != "moves") {
            let text = format!("`{other}` where `moves` should stand");
            return Err(Refusal::new(Code::Syntax, text));
        }
        let moves: Vec<_> = words.collect();
        let engine = &mut self.link.engine;
        engine.session_mut().set_position(fen.as_deref(), &moves).map_err(|error| {
            match fen.and_then(|fen| engine.game_of(&fen)) {
                Some(game) => Refusal {
                    code: Code::Variant,
                    value: Some(game.into()),
                    text: format!(
                        "{error}; it is a position of {game}: \
                         setoption name {VARIANT_OPTION} value {game}"
                    ),
                },
                None => error.into(),
            }
        })
    }

    fn go(&mut self, words: SplitAsciiWhitespace<'_>) {
        let first = self.link.engine.session().info().first;
        let counts = words.clone().any(|word| word == "perft");
        if let Err(refusal) = Go::read(words, first).and_then(|go| self.search(go)) {
            self.refuse("go", &refusal);
            // The client waits for a `bestmove`.
            if !counts {
                self.link.say("bestmove (none)");
            }
        }
    }

    fn search(&mut self, go: Go) -> Result<(), Refusal> {
        if !go.unknown.is_empty() {
            let text = format!("`{}` is not known", go.unknown.join(" "));
            let unknown = Refusal::new(Code::Syntax, text);
            if !go.asks_for_something {
                return Err(unknown);
            }
            self.refuse("go", &unknown);
        }
        if let Some(depth) = go.perft {
            self.perft(depth);
            self.warn_of_refused_position();
            return Ok(());
        }
        let us = self.link.engine.session().to_move();
        let time = go.time(us).map(|time| self.link.engine.budget(time));
        let request = Request {
            limits: Limits {
                depth: go.depth,
                nodes: go.nodes,
                mate: go.mate,
                time,
                ..self.link.engine.limits()
            },
            search_moves: go.search_moves,
        };
        self.link.go(&request, go.mode)?;
        self.warn_of_refused_position();
        Ok(())
    }

    /// Names the searched position, if it is not the one that the client sent last.
    fn warn_of_refused_position(&mut self) {
        if self.position_was_refused {
            let fen = self.link.engine.session().fen();
            let text = format!("the last position was refused; this is about {fen}");
            self.refuse("go", &Refusal::new(Code::RefusedPosition, text));
        }
    }

    fn perft(&mut self, depth: u32) {
        let info = self.link.engine.session().info();
        let fen = self.link.engine.session().fen();
        let variants = self.link.engine.variants();
        self.link.run_task(move |control, say| {
            let Ok(variant) = find_variant(variants, info.name) else {
                return;
            };
            let mut session = variant.open();
            if session.set_position(Some(&fen), &[]).is_err() {
                return;
            }
            let mut each = |mv: &str, nodes| say(&format!("{mv}: {nodes}"));
            if let Some(total) = session.perft(depth, control, &mut each) {
                say(&format!("\nNodes searched: {total}\n"));
            }
        });
    }

    fn bench(&mut self, mut words: SplitAsciiWhitespace<'_>) -> Result<(), Refusal> {
        let depth = match words.next() {
            None => bench::DEFAULT_DEPTH,
            Some(text) => bench::read_depth("depth", text)?,
        };
        let variants = self.link.engine.variants();
        self.link.run_task(move |control, say| bench::run(variants, depth, control, say));
        Ok(())
    }

    fn query(&mut self, words: SplitAsciiWhitespace<'_>) -> Result<(), Refusal> {
        let answer = query::answer(self.link.engine.session(), &words.collect::<Vec<_>>())?;
        self.link.say(format!("response {answer}").trim_end());
        Ok(())
    }

    fn display(&self) -> String {
        let session = self.link.engine.session();
        let mut text = format!(
            "{}

Variant: {}
Fen: {}
Key: {:016x}
Side to move: {}
",
            session.diagram(Look::default()),
            session.info().name,
            session.fen(),
            session.key(),
            session.to_move().name(),
        );
        match session.outcome() {
            None => {
                let _ = write!(text, "Legal moves: {}", session.moves().len());
            }
            Some(outcome) => {
                let result = result(outcome.winner);
                let _ = write!(text, "Legal moves: 0\nResult: {result} {}", outcome.reason.name());
            }
        }
        text
    }

    fn evaluation(&self) -> String {
        let session = self.link.engine.session();
        let ([white, black], value) = session.evaluation();
        let model = session.info().score_model;
        let [white, black, value] =
            [white, black, value].map(|value| model.score(value).clamped_centipawns(0));
        let side = session.to_move().name();
        let table = match session.solved() {
            None => String::new(),
            Some(value) => match value.plies() {
                None => format!("table: {}\n", value.name()),
                Some(plies) => format!("table: {} in {plies} plies\n", value.name()),
            },
        };
        format!(
            "material: white {white}, black {black}\n{table}value for the side to move ({side}): {value}"
        )
    }
}

/// Formats a report of a search as a line of UCI, with the chances to win, draw and lose if they are
/// asked for.
fn search_line(event: &SearchEvent<String>, model: ScoreModel, show_wdl: bool) -> String {
    match event {
        SearchEvent::Line(line) => {
            let Line { depth, seldepth, multi_pv, value, nodes, hashfull, tbhits, .. } = line;
            let bound = match line.bound {
                Bound::Upper => " upperbound",
                Bound::Lower => " lowerbound",
                Bound::Exact => "",
            };
            let score = model.score(*value);
            let [won, drawn, lost] = model.win_draw_loss(*value);
            let chances =
                if show_wdl { format!(" wdl {won} {drawn} {lost}") } else { String::new() };
            let nps = (*nodes as f64 / line.time.as_secs_f64().max(1e-6)) as u64;
            format!(
                "info depth {depth} seldepth {seldepth} multipv {multi_pv} score {score}{bound}{chances} \
                 nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {} pv {}",
                line.time.as_millis(),
                line.pv.join(" "),
            )
        }
        SearchEvent::CurrentMove { depth, mv, number } => {
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        SearchEvent::NoMate { moves } => format!("info string no mate in {moves}"),
        SearchEvent::Over { value } => format!("info depth 0 score {}", model.score(*value)),
    }
}
