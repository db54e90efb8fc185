//! Spoiled lines in every dialect and state of a dialogue.

use super::{MEMORY, count_panics, memory, panics};
use crate::common::client::Client;
use crate::common::spoil::{garbage, spoil};
use crate::common::{drawn, play_random};
use quadrille::engine::{Engine, VARIANTS, Variant};
use quadrille::system::random::Random;
use std::time::{Duration, Instant};

/// Number of lines for each dialect and game.
const LINES: usize = 3_000;
/// Time limit for an answer on a busy machine. The longest time is printed.
const HANG: Duration = Duration::from_secs(5);
/// Limit for the number of lines between two checks of the engine.
const BURST: usize = 60;
/// One line in this number is huge.
const HUGE: usize = 20_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    Uci,
    Ugi,
    Cecp,
}

/// Templates of lines, between semicolons: `{}` stands for a word that fits its place.
const UCI: &str = "\
    uci; isready; ucinewgame; position startpos; position startpos moves {move} {move} {move}; \
    position fen {fen}; position fen {fen} moves {move} {move}; go depth {small}; \
    go nodes {small}00; go movetime {small}; go infinite; \
    go ponder wtime {small}00 btime {small}00; \
    go wtime {small}0 btime {small}0 winc {small} binc {small} movestogo {small}; \
    go mate {small} nodes 500; go perft {tiny}; go searchmoves {move} {move} depth {small}; stop; \
    ponderhit; query fen; query moves; query gameover; query p1turn; query result; query reason; \
    query key; d; eval; bench 1; debug on; debug off; help; setoption name Hash value {small}; \
    setoption name Clear Hash; setoption name Threads value {tiny}; \
    setoption name MultiPV value {small}; setoption name Move Overhead value {small}; \
    setoption name nodestime value {small}; setoption name Ponder value true; \
    setoption name UCI_AnalyseMode value false; setoption name UCI_ShowWDL value true; \
    setoption name Skill Level value {small}; setoption name UCI_LimitStrength value {bool}; \
    setoption name UCI_Elo value {small}00; setoption name EvalFile value {file}; \
    setoption name UCI_Variant value {variant}";

const UGI: &str = "\
    ugi; uginewgame; isready; position startpos moves {move} {move}; \
    position fen {fen} moves {move}; \
    go p1time {small}00 p2time {small}00 p1inc {small} p2inc {small}; go nodes {small}00; \
    go infinite; stop; query gameover; query p1turn; query result; \
    setoption name UCI_Variant value {variant}";

const CECP: &str = "\
    xboard; protover 2; accepted setboard; rejected san; new; variant {variant}; setboard {fen}; \
    force; go; playother; usermove {move}; {move}; level {small} 0:{small} {small}; level 0 1 0; \
    st 0.0{tiny}; sd {tiny}; time {small}; otim {small}; ping {small}; ?; draw; \
    result 1-0 {comment}; undo; remove; hint; hard; easy; post; nopost; analyze; exit; .; \
    lift {square}; put {square}; hover {square}; memory {small}; cores {tiny}; \
    option MultiPV={small}; option UCI_ShowWDL=1; option EvalFile={file}; computer; name x; \
    rating 1 2";

const FILES: &str = "\
    <internal>; <material>; /; /nonexistent; README.md; src/eval/networks/gothic.net; \
    src/eval/networks/congress.net";

struct Fuzzer {
    random: Random,
    dialect: Dialect,
    variant: &'static Variant,
    client: Client,
    syncs: usize,
    longest: Duration,
}

impl Fuzzer {
    fn new(dialect: Dialect, variant: &'static Variant, seed: u64) -> Self {
        let mut client = Client::of(Engine::new(VARIANTS, *variant));
        if dialect == Dialect::Cecp {
            client.send("xboard");
        }
        Self {
            random: Random::new(seed, 0),
            dialect,
            variant,
            client,
            syncs: 0,
            longest: Duration::ZERO,
        }
    }

    fn square(&mut self) -> String {
        let file = b'a' + self.random.below(13) as u8;
        format!("{}{}", file as char, self.random.below(14))
    }

    fn word(&mut self, place: &str, known: &Known) -> String {
        let pick =
            |random: &mut Random, words: &[String]| random.pick(words).cloned().unwrap_or_default();
        match place {
            "move" if self.random.below(4) > 0 => pick(&mut self.random, &known.moves),
            "move" => self.square() + &self.square(),
            "square" => self.square(),
            "fen" => pick(&mut self.random, &known.fens),
            "small" => self.random.below(30).to_string(),
            "tiny" => self.random.below(4).to_string(),
            "bool" => (self.random.below(2) == 0).to_string(),
            "file" => (*self.random.pick(&FILES.split("; ").collect::<Vec<_>>()).unwrap()).into(),
            "variant" if self.random.below(3) > 0 => self.variant.info.name.into(),
            "variant" => self.random.pick(VARIANTS).unwrap().info.name.into(),
            _ => "word".into(),
        }
    }

    /// A line of a client, often spoiled.
    fn line(&mut self, known: &Known) -> Vec<u8> {
        if self.random.below(HUGE) == 0 {
            let length = self.random.below(10 << 20);
            return [b"position startpos moves ".to_vec(), vec![b'x'; length]].concat();
        }
        if self.random.below(20) == 0 {
            return garbage(&mut self.random, 200);
        }
        let templates = match self.dialect {
            Dialect::Uci => UCI,
            Dialect::Ugi => UGI,
            Dialect::Cecp => CECP,
        };
        let templates: Vec<_> = templates.split("; ").collect();
        let template = *self.random.pick(&templates).unwrap();
        let mut line = String::new();
        for (index, piece) in template.split(['{', '}']).enumerate() {
            if index % 2 == 0 {
                line.push_str(piece);
            } else {
                line += &self.word(piece, known);
            }
        }
        let mut line = line.into_bytes();
        if self.random.below(2) == 0 {
            for _ in 0..1 + self.random.below(3) {
                spoil(&mut self.random, &mut line);
            }
        }
        line
    }

    /// True for a line that may be sent. Lines that end the dialogue or change the dialect have
    /// tests of their own, and correct lines that take long are left out.
    fn is_fit(&self, line: &[u8]) -> bool {
        let text = String::from_utf8_lossy(line).to_ascii_lowercase();
        let first = text.split_ascii_whitespace().next().unwrap_or_default();
        let heavy = ["threads", "cores", "hash", "memory"];
        let is_heavy = heavy.iter().any(|word| text.contains(word));
        let number = |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).parse();
        let is_great =
            text.split([' ', '=']).any(|word| number(word).is_ok_and(|number: u64| number > 64));
        let changes = first == "quit"
            || first == "xboard" && self.dialect != Dialect::Cecp
            || text.contains("debug log");
        !(changes || is_heavy && is_great)
    }

    /// Waits until the engine has acted on all lines and answers.
    fn synchronise(&mut self) {
        self.syncs += 1;
        let start = Instant::now();
        match self.dialect {
            Dialect::Uci | Dialect::Ugi => {
                self.client.send("stop\nisready");
                self.client.lines_to("readyok");
                let word = format!("sync{}", self.syncs);
                self.client.send(&word);
                let answer = format!("info string error unknown-command {word}: ");
                self.client.lines_to(&answer);
            }
            Dialect::Cecp => {
                let number = 1_000_000 + self.syncs;
                self.client.send(&format!("force\nping {number}"));
                self.client.lines_to(&format!("pong {number}"));
            }
        }
        let took = start.elapsed();
        self.longest = self.longest.max(took);
        assert!(took < HANG, "{took:?} to answer");
    }

    /// Asserts that a new game of the variant begins at its start.
    fn check_the_game(&mut self, known: &Known) {
        let name = self.variant.info.name;
        match self.dialect {
            Dialect::Uci | Dialect::Ugi => {
                self.client.send(&format!("debug off\nsetoption name UCI_Variant value {name}"));
                self.client.send("position startpos");
                assert_eq!(self.client.query("fen"), known.start);
            }
            Dialect::Cecp => {
                // If Black begins, the first lift only brings the turn to Black.
                self.client
                    .send(&format!("variant {name}\nforce\nlift {0}\nlift {0}", known.square));
                self.client.lines_to("highlight ");
                self.client.send(&format!("usermove {}", known.moves[0]));
                self.client.send(&format!("usermove {}", known.moves[0]));
                self.client.lines_to(&format!("Illegal move: {}", known.moves[0]));
            }
        }
    }
}

/// Words of a game for the templates.
struct Known {
    start: &'static str,
    fens: Vec<String>,
    /// Legal moves of random games. The first is legal at the start, but not twice.
    moves: Vec<String>,
    /// The square from which the first move starts.
    square: String,
}

impl Known {
    fn of(variant: &Variant) -> Self {
        let mut session = variant.open();
        let info = session.info();
        let mut random = Random::new(5, 0);
        let mut moves = session.moves();
        let square = moves[0][..2].to_string();
        let mut fens = Vec::new();
        for _ in 0..200 {
            let Some(mv) = play_random(&mut *session, &mut random) else { break };
            moves.push(mv);
            fens.push(session.fen());
        }
        fens.extend(info.samples.iter().map(|&fen| fen.to_string()));
        Self { start: info.start, fens, moves, square }
    }
}

fn fuzz(dialect: Dialect) {
    count_panics();
    let count = drawn(LINES);
    for (seed, variant) in VARIANTS.iter().enumerate() {
        let known = Known::of(variant);
        let mut fuzzer = Fuzzer::new(dialect, variant, seed as u64);
        let start = Instant::now();
        let (mut sent, mut bursts) = (0, 0);
        while sent < count {
            let mut burst = Vec::new();
            for _ in 0..fuzzer.random.below(BURST) {
                let line = fuzzer.line(&known);
                if fuzzer.is_fit(&line) {
                    burst.extend(line);
                    burst.push(b'\n');
                    sent += 1;
                }
            }
            fuzzer.client.send_bytes(&burst);
            fuzzer.synchronise();
            bursts += 1;
            if bursts % 20 == 0 {
                fuzzer.check_the_game(&known);
            }
        }
        println!(
            "{dialect:?} {}: {sent} lines in {:.1?}, longest wait {:.0?}, at most {} MB",
            variant.info.name,
            start.elapsed(),
            fuzzer.longest,
            memory()
        );
        assert!(memory() < MEMORY, "{} MB", memory());
        assert_eq!(panics(), 0);
    }
}

#[test]
fn uci() {
    fuzz(Dialect::Uci);
}

#[test]
fn ugi() {
    fuzz(Dialect::Ugi);
}

#[test]
fn cecp() {
    fuzz(Dialect::Cecp);
}
