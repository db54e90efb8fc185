//! `datagen`: games of the program against itself, for a network to learn from.
//!
//! Each game begins with some random moves, none as another. Where a quick search finds that both
//! sides can win, it is then played with a small number of nodes for each move until a search has
//! proven who wins, the ending is solved, or one side has as good as won. Game and seed decide all of
//! it, so a run can be ended at any moment and goes on where it was.

use super::file::{Appender, Origin};
use super::record::{Codec, Label, Record};
use super::selfplay::{
    Adjudication, Opening, Openings, PlayOptions, Player, endings, far_ahead, network, play,
};
use crate::cli::interrupt::Interrupt;
use crate::cli::tool::{self, Tool};
use crate::cli::{Args, Command, Console};
use crate::endings::Endings;
use crate::engine::Entry;
use crate::eval::Network;
use crate::games::GameExt;
use crate::search::value::{DRAW, is_decisive};
use crate::search::{STACK_BYTES, wins_material};
use crate::system::checksum::checksum;
use crate::system::sync::lock;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "datagen",
    operands: "VARIANT --out FILE",
    summary: "play games to learn from; see datagen --help",
    help: HELP,
    is_long: true,
    run: tool::run::<Datagen>,
};

pub const HELP: &str = "\
quadrille datagen VARIANT --out FILE [--positions N] [--nodes N] [--eval FILE] [--balance CP]
                          [--seed N] [--threads N]
  --out FILE      the file that games are appended to; a run that was ended goes on
  --positions N   how many positions the file is to hold in the end (1000000)
  --nodes N       the soft limit of the search for each move (1500)
  --eval FILE     the network to play with, or <material>; that of the game without it
  --balance CP    how far from even, in centipawns, a game may begin (what the game's score
                  model says)
  --seed N        what decides the games (1)
  --threads N     how many games at once (the number of cores)
Example: quadrille datagen gothic --out first.dat --positions 4000000 --nodes 400";

/// One game in so many is played to its very end, so that a network sees how games are won.
const PLAYED_OUT: usize = 8;
/// The score of a position that is proven to be won.
const PROVEN: i32 = 2_500;
/// With more plies on the clock than this a position is not quiet.
const MAX_CLOCK: u32 = 60;

/// How often an interrupt is looked for.
const PAUSE: Duration = Duration::from_millis(50);
/// How often progress is said.
const PROGRESS: Duration = Duration::from_secs(10);

/// What the command line asks for.
struct DatagenOptions {
    goal: Goal,
    evaluation: Option<String>,
}

/// Which games are wanted.
pub struct Goal {
    /// The file that they are appended to.
    pub path: PathBuf,
    /// How many positions it is to hold.
    pub positions: u64,
    /// How they are played.
    pub play: PlayOptions,
}

impl Goal {
    /// Opens the file for the games of a network, or of material without one.
    ///
    /// # Errors
    ///
    /// It cannot be opened, or holds other games.
    pub fn open<G: Entry>(&self, network: Option<&Arc<Network>>) -> Result<Appender, String> {
        let origin = Origin {
            variant: G::NAME.into(),
            seed: self.play.seed,
            nodes: self.play.nodes,
            network: network.map_or(0, |network| checksum(&network.to_bytes(G::NAME))),
            balance: self.play.balance.map_or(0, i32::unsigned_abs).into(),
        };
        Appender::open(&self.path, &origin)
    }
}

impl DatagenOptions {
    fn read(words: &[&str]) -> Result<Self, String> {
        let mut play = PlayOptions::new(1_500);
        let mut path = None;
        let mut positions = 1_000_000;
        let mut evaluation = None;
        let mut args = Args::new(Datagen::NAME, words);
        while let Some(word) = args.next() {
            match word {
                "--eval" => evaluation = Some(args.value()?.to_string()),
                "--out" => path = Some(PathBuf::from(args.value()?)),
                "--positions" => positions = args.number(1, u64::MAX)?,
                _ if play.read_option(word, &mut args)? => {}
                _ => return Err(args.fault("there is no such option")),
            }
        }
        let goal = Goal {
            path: path.ok_or_else(|| args.missing("--out FILE"))?,
            positions,
            play,
        };
        Ok(Self { goal, evaluation })
    }
}

/// Plays games and appends them to a file until it holds enough positions.
pub struct Datagen;

pub const COMMAND: crate::cli::Command = crate::cli::Command {
    name: "datagen",
    operands: "VARIANT --out FILE",
    summary: "play games to learn from; see datagen --help",
    help: HELP,
    is_long: true,
    run: |words, interrupt, console| {
        crate::cli::tool::run::<Datagen>(words, interrupt, &mut |line: &str| console.say(line))
    },
};

impl Tool for Datagen {
    const NAME: &'static str = COMMAND.name;

    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, String> {
        let DatagenOptions { goal, evaluation } = DatagenOptions::read(words)?;
        let network = network::<G>(evaluation.as_deref())?;
        let file = goal.open::<G>(network.as_ref())?;
        let endings = endings::<G>(goal.play.threads, interrupt);
        generate::<G>(&goal, file, network.as_ref(), &endings, interrupt, console)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A finished game.
struct Played {
    number: u64,
    records: Vec<Record>,
}

/// What a file of games holds.
pub struct Written {
    /// How many games.
    pub games: u64,
    /// How many positions.
    pub positions: u64,
}

/// Plays games with a network, or material without one, until there are enough or it is
/// interrupted.
///
/// # Errors
///
/// The file cannot be written.
pub fn generate<G: Entry>(
    options: &Goal,
    mut file: Appender,
    network: Option<&Arc<Network>>,
    endings: &Arc<Endings>,
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<Written, String> {
    if file.games > 0 {
        console.say(&format!(
            "{} games with {} positions are there already",
            file.games, file.positions
        ));
    }
    let done = file.numbers.clone();
    let openings = Mutex::new(Openings::new(options.play.seed));
    let mut progress = Progress::new(file.positions, options.positions);
    let mut written = Ok(());
    // Set when there are enough games, or by an interrupt.
    let end = &Interrupt::default();
    std::thread::scope(|scope| {
        // Bounded, so that a slow disk slows the games and not the memory.
        let (sender, games) = sync_channel(64);
        for _ in 0..options.play.threads {
            let (sender, done, openings) = (sender.clone(), &done, &openings);
            let network = network.cloned();
            let spawned = std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || {
                    play_games::<G>(options, done, openings, network, endings, end, &sender)
                });
            if let Err(error) = spawned {
                log::warn!("datagen: {error}");
            }
        }
        drop(sender);
        loop {
            match games.recv_timeout(PAUSE) {
                // Games that end after enough is there would make the file depend on chance.
                Ok(Played { number, records }) => {
                    if written.is_ok() && file.positions < options.positions {
                        written = file.append(number, &records);
                        progress.say(file.positions, console);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if interrupt.is_set() || written.is_err() || file.positions >= options.positions {
                end.set();
            }
        }
    });
    written.map_err(|error| {
        format!(
            "{}: {error}; what was written before is whole",
            options.path.display()
        )
    })?;
    console.say(&format!(
        "{} games with {} positions in {}",
        file.games,
        file.positions,
        options.path.display()
    ));
    Ok(Written {
        games: file.games,
        positions: file.positions,
    })
}

/// Says now and then how fast it goes and how long it will take.
struct Progress {
    begun: Instant,
    said: Instant,
    first: u64,
    goal: u64,
}

impl Progress {
    fn new(first: u64, goal: u64) -> Self {
        let now = Instant::now();
        Self {
            begun: now,
            said: now,
            first,
            goal,
        }
    }

    fn say(&mut self, positions: u64, console: &mut dyn Console) {
        if self.said.elapsed() < PROGRESS {
            return;
        }
        self.said = Instant::now();
        let speed = (positions - self.first) as f64 / self.begun.elapsed().as_secs_f64();
        let left = self.goal.saturating_sub(positions) as f64 / speed.max(1.0);
        console.say(&format!(
            "{positions} positions, {speed:.0} a second, {:.0} s left",
            left
        ));
    }
}

/// Plays games that are not there yet until it is told to end.
fn play_games<G: Entry>(
    options: &Goal,
    done: &HashSet<u64>,
    openings: &Mutex<Openings>,
    network: Option<Arc<Network>>,
    endings: &Arc<Endings>,
    interrupt: &Interrupt,
    games: &SyncSender<Played>,
) {
    let mut player = Player::<G>::new(options.play.nodes, network, endings, interrupt);
    let codec = Codec::of::<G>();
    let balance = options.play.balance::<G>();
    loop {
        let opening = lock(openings).draw();
        let number = opening.number;
        if done.contains(&number) {
            continue;
        }
        let Some(records) = game(&mut player, &codec, opening, balance) else {
            return;
        };
        if games.send(Played { number, records }).is_err() {
            return;
        }
    }
}

/// A game of a player with itself, without records if only one side can win; `None` if it was
/// interrupted.
fn game<G: Entry>(
    player: &mut Player<G>,
    codec: &Codec,
    opening: Opening<G>,
    balance: i32,
) -> Option<Vec<Record>> {
    if !player.is_open(&opening, balance)? {
        return Some(Vec::new());
    }
    let Opening {
        position,
        keys,
        mut random,
        ..
    } = opening;
    let endings = player.endings();
    let adjudication = match random.below(PLAYED_OUT) {
        0 => Adjudication::TooLong,
        _ => Adjudication::Known(&endings),
    };
    // Nothing of other games, so that the game is the same in every run.
    player.forget();
    let mut seen = Vec::new();
    let far_ahead = far_ahead(G::SHEET.score_model);
    let winner = play(position, keys, far_ahead, adjudication, |position, keys| {
        let (mv, value) = player.search(position, keys)?;
        // A network sees neither what was repeated nor the clock.
        let is_drawn_by_history = value == DRAW || position.placement().clock() > MAX_CLOCK;
        let quiet = !position.in_check() && !wins_material(position, mv) && !is_drawn_by_history;
        let score = if is_decisive(value) {
            value.clamp(-PROVEN, PROVEN)
        } else {
            value
        };
        let label = Label {
            side: position.to_move(),
            score,
            result: 1,
            quiet,
        };
        seen.push((position.clone(), label));
        Some((mv, value))
    })?;
    let labelled = seen.into_iter().filter_map(|(position, label)| {
        let result = match winner {
            None => 1,
            Some(winner) if winner == label.side => 2,
            Some(_) => 0,
        };
        codec.pack(position.placement(), Label { result, ..label })
    });
    Some(labelled.collect())
}
