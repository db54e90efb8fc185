//! `datagen`: games of the program against itself, for a network to learn from.
//!
//! Each game begins with some random moves; openings with a clear favourite are dropped. It is then
//! played with few nodes a move until a search has proven a win, the ending is solved, or one side is
//! far ahead; one in eight is played out. The settings decide every game, so an interrupted run
//! resumes where it was.

use super::data::score_model;
use super::file::{GameAppender, GameReader, Header};
use super::parallel::play_games;
use super::record::{Codec, Label, PackedPosition};
use super::selfplay::{RandomOpening, RandomOpenings, SelfPlayer, SelfplayOptions, play};
use super::trainee::{Trainee, TraineeTool};
use crate::cli::interrupt::Interrupt;
use crate::cli::tool;
use crate::cli::{Access, Args, Command, Console, Failure, check_distinct, missing};
use crate::endings::Endings;
use crate::engine::Entry;
use crate::eval::Network;
use crate::games::{Game, GameExt, Move};
use crate::search::value::{DRAW, is_decisive};
use crate::search::{ScoreModel, wins_material};
use crate::system::checksum::checksum;
use crate::system::interval::Interval;
use crate::system::sync::lock;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "datagen",
    operands: "VARIANT --out FILE",
    summary: "play games to learn from; see datagen --help",
    help: "\
quadrille datagen VARIANT --out FILE [--positions N] [--nodes N] [--growth] [--eval FILE]
                          [--balance N] [--label-nodes N] [--seed N] [--threads N]
                          [--salvage FILE]
  --out FILE      the file to append games to; an interrupted run resumes
  --positions N   number of positions in the file at the end (1000000)
  --nodes N       soft limit of the search for each move (1500)
  --growth        the limit grows as pieces are captured
  --eval FILE     the network to play with, or <material>; the game's own without it
  --balance N     greatest imbalance of an opening (from the game's score model)
  --label-nodes N write one position in 8 and a leaf of its search, labelled by searches of their
                  own with this soft limit: a test set for train --test
  --seed N        seed of the games (1)
  --threads N     number of games played at once (the number of cores)
  --salvage FILE  play nothing; copy the intact games of this damaged file
Example: quadrille datagen gothic --out first.dat --positions 4000000 --nodes 400",
    run: |words, console| tool::run::<Datagen>(words, &Interrupt::by_signals(), console),
};

/// One game in this many is played to its very end, so that a network sees how games are won.
const PLAYED_OUT: usize = 8;
/// One position in this many is written, if labels have searches of their own.
const SAMPLED: usize = 8;
/// Score of a proven win.
const PROVEN: i32 = 2_500;
/// A position whose move clock exceeds this many plies is not quiet.
const MAX_CLOCK: u32 = 60;
/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_secs(10);

pub struct DatagenOptions {
    /// The file to append games to.
    pub path: PathBuf,
    /// Number of positions in the file at the end.
    pub positions: u64,
    /// Soft limit of nodes for each label, if labels have searches of their own.
    pub label_nodes: Option<u32>,
    /// The network to play with; material without one.
    pub network: Option<Arc<Network>>,
    /// The damaged file whose whole games are copied; none are played then.
    pub salvage: Option<PathBuf>,
    pub play: SelfplayOptions,
}

impl DatagenOptions {
    fn read(trainee: &Trainee, words: &[&str]) -> Result<Self, Failure> {
        let mut play = SelfplayOptions::new(1_500);
        let mut path = None;
        let mut positions = 1_000_000;
        let (mut evaluation, mut label_nodes, mut salvage) = (None, None, None);
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            match word {
                "--eval" => evaluation = Some(args.value()?),
                "--out" => path = Some(PathBuf::from(args.value()?)),
                "--salvage" => salvage = Some(PathBuf::from(args.value()?)),
                "--positions" => positions = args.number(1, u64::MAX)?,
                "--label-nodes" => label_nodes = Some(args.number(1, u32::MAX)?),
                _ if play.read_option(word, &mut args)? => {}
                _ => return Err(args.unknown()),
            }
        }
        let path = path.ok_or_else(|| missing("--out FILE"))?;
        check_distinct([
            ("--salvage", salvage.as_deref(), Access::Read),
            ("--eval", evaluation.map(Path::new), Access::Read),
            ("--out", Some(&path), Access::Append),
        ])?;
        Ok(Self {
            path,
            // A salvaged file gets no further games.
            positions: if salvage.is_some() { 0 } else { positions },
            label_nodes,
            network: (trainee.network)(evaluation)?,
            salvage,
            play,
        })
    }

    /// Opens the file, and copies the intact games of a damaged one, if any.
    pub(super) fn open(
        &self,
        game: &'static str,
        console: &mut dyn Console,
    ) -> Result<GameAppender, Failure> {
        let network = self.network.as_ref();
        let header = Header {
            variant: game.into(),
            seed: self.play.seed,
            nodes: self.play.nodes,
            growth: self.play.growth,
            network: network.map_or(0, |network| checksum(&network.to_bytes(game))),
            balance: self.play.balance.map_or(0, i32::unsigned_abs),
            label_nodes: self.label_nodes.unwrap_or(0),
        };
        let Some(damaged) = &self.salvage else {
            return GameAppender::open(&self.path, &header, console);
        };
        let mut games = GameReader::of(game, damaged)?;
        games.salvages = true;
        let mut next = games.next_game(console)?;
        if next.is_none() {
            let fault = "no game in it is intact, or its header is damaged";
            return Err(Failure::file(damaged)(fault));
        }
        let mut file = GameAppender::open(&self.path, &games.header, console)?;
        while let Some((number, records)) = next {
            if !file.numbers.contains(&number) {
                file.append(number, &records).map_err(Failure::file(&self.path))?;
            }
            next = games.next_game(console)?;
        }
        Ok(file)
    }
}

/// Plays games and appends them to the file until it holds enough positions or an interrupt
/// comes.
pub(super) fn generate<G: Entry>(
    options: &DatagenOptions,
    file: &mut GameAppender,
    endings: &Arc<Endings>,
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<(), Failure> {
    let counts =
        |file: &GameAppender| format!("{} games with {} positions", file.games, file.positions);
    if file.games > 0 {
        console.say(&format!("{} exist already", counts(file)));
    }
    let mut written = Ok(());
    if file.positions < options.positions {
        let done = file.numbers.clone();
        let openings = Mutex::new(RandomOpenings::new(options.play.seed));
        let (codec, balance) = (Codec::of::<G>(), options.play.balance(G::SHEET.score_model));
        let (begun, first) = (Instant::now(), file.positions);
        let mut progress = Interval::new(PROGRESS);
        play_games(
            options.play.threads,
            interrupt,
            |end| {
                let (network, growth) = (&options.network, options.play.growth);
                let new =
                    |nodes| SelfPlayer::<G>::new(nodes, growth, network.clone(), endings, end);
                let labeller = options.label_nodes.map(|nodes| new(nodes.into()));
                (new(options.play.nodes), labeller)
            },
            |(player, labeller)| {
                loop {
                    let opening = lock(&openings).draw();
                    let number = opening.number;
                    if !done.contains(&number) {
                        let records = game(player, labeller.as_mut(), &codec, opening, balance)?;
                        return Some((number, records));
                    }
                }
            },
            |(number, records)| {
                written = file.append(number, &records);
                let positions = file.positions;
                if progress.is_over() {
                    let speed = (positions - first) as f64 / begun.elapsed().as_secs_f64();
                    let left = options.positions.saturating_sub(positions) as f64 / speed.max(1.0);
                    console.say(&format!(
                        "{positions} positions, {speed:.0} a second, {left:.0} s left"
                    ));
                }
                written.is_ok() && positions < options.positions
            },
        );
    }
    let path = &options.path;
    written.map_err(|error: io::Error| {
        Failure::file(path)(format!("{error}; everything written before is intact"))
    })?;
    console.say(&format!("{} in {}", counts(file), path.display()));
    Ok(())
}

pub struct Datagen;

impl TraineeTool for Datagen {
    fn work(
        trainee: &Trainee,
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure> {
        let options = DatagenOptions::read(trainee, words)?;
        let mut file = options.open(trainee.name(), console)?;
        let endings = (trainee.endings)(options.play.threads, interrupt);
        (trainee.generate)(&options, &mut file, &endings, interrupt, console)?;
        // Unlocks the file.
        drop(file);
        if !interrupt.is_set() {
            let ScoreModel { lead, spread } = score_model(trainee.name(), &options.path, console)?;
            console.say(&format!("scores with lead {lead} and spread {spread}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns true if a value may stem from repetitions or the clock, which no network sees.
fn is_drawn_by_history<G: Game>(position: &G, value: i32) -> bool {
    value == DRAW || position.placement().clock() > MAX_CLOCK
}

/// Labels a position with `score`; its best move and `value` decide whether it is quiet.
fn label<G: Game>(position: &G, mv: Move, value: i32, score: i32) -> Label {
    let is_loud = position.in_check() || wins_material(position, mv);
    let quiet = !is_loud && !is_drawn_by_history(position, value);
    let score = if is_decisive(score) { score.clamp(-PROVEN, PROVEN) } else { score };
    Label { side: position.to_move(), score, result: 1, quiet, leaf: false }
}

/// Plays a game of a player against itself. A labeller labels one position in [`SAMPLED`] and a leaf;
/// without it the searches for the moves label all positions. There are no records if only one side can
/// win from the opening. `None` if it was interrupted.
fn game<G: Entry>(
    player: &mut SelfPlayer<G>,
    mut labeller: Option<&mut SelfPlayer<G>>,
    codec: &Codec,
    opening: RandomOpening<G>,
    balance: i32,
) -> Option<Vec<PackedPosition>> {
    if !player.is_open(&opening, balance)? {
        return Some(Vec::new());
    }
    let RandomOpening { position, keys, mut random, .. } = opening;
    let endings = player.endings();
    let endings = Some(&*endings).filter(|_| random.below(PLAYED_OUT) != 0);
    // Other games leave no trace, so that the game is the same in every run.
    player.forget();
    if labeller.is_some() {
        player.draw_leaves(random.clone());
    }
    let mut seen = Vec::new();
    let winner = play(position, keys, endings, |position, keys| {
        let (mv, value) = player.search(position, keys)?;
        let Some(labeller) = &mut labeller else {
            seen.push((position.clone(), label(position, mv, value, value)));
            return Some((mv, value));
        };
        let leaf = player.take_leaf();
        if !is_drawn_by_history(position, value) && random.below(SAMPLED) == 0 {
            labeller.forget();
            let (_, score) = labeller.search(position, keys)?;
            seen.push((position.clone(), label(position, mv, value, score)));
            if let Some(leaf) = leaf.filter(|leaf| leaf.outcome().is_none()) {
                labeller.forget();
                let (mv, score) = labeller.search(&leaf, &[])?;
                let label = Label { leaf: true, ..label(&leaf, mv, score, score) };
                seen.push((leaf, label));
            }
        }
        Some((mv, value))
    })?;
    let labelled = seen.into_iter().filter_map(|(position, label)| {
        let result = match winner {
            _ if label.leaf => 1,
            None => 1,
            Some(winner) if winner == label.side => 2,
            Some(_) => 0,
        };
        codec.pack(position.placement(), Label { result, ..label })
    });
    Some(labelled.collect())
}
