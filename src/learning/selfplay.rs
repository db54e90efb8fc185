//! Self-play: players with few nodes a move, openings, and the end of a game by adjudication.

use crate::cli::interrupt::Interrupt;
use crate::cli::{Args, Failure};
use crate::endings::{Endings, Material, Value, Watch};
use crate::engine::{self, Entry, INTERNAL_NETWORK, MAX_THREADS, Sheet};
use crate::eval::Network;
use crate::games::{Game, GameExt, Move, Side, is_third_occurrence};
use crate::search::value::is_decisive;
use crate::search::{Limits, Params, Resources, ScoreModel, Searcher, Table};
use crate::statistics::elo::GameResult;
use crate::system::random::Random;
use crate::system::sync::cores;
use std::collections::HashSet;
use std::sync::Arc;

/// Greatest number of random moves before a game.
const RANDOM_PLIES: usize = 11;
/// Number of attempts to draw an opening that was not drawn before. A small game runs out of new
/// openings.
const TRIES: usize = 20;
/// Smallest bound of an opening's imbalance by the score model.
const BALANCE: i32 = 200;
/// Greatest value of `--balance`.
const MAX_BALANCE: i32 = 30_000;
/// The hard limit of nodes is this many times the soft limit.
const HARD_FACTOR: u64 = 8;
/// Longest game in plies. It is then drawn, unless one side was far ahead long enough.
const MAX_PLIES: usize = 500;
/// Size of a player's table in MB.
const HASH: usize = 8;
/// Size of the table in MB for searches of up to `SMALL_HASH_NODES`. It is cleared for every game, and
/// so small it stays in the cache of a core.
const SMALL_HASH: usize = 1;
const SMALL_HASH_NODES: u64 = 2_000;

/// Options of self-play, which several commands have.
#[derive(Clone)]
pub struct SelfplayOptions {
    /// Soft limit of a search: no iteration begins after it.
    pub nodes: u64,
    /// True if the limit is that with all pieces on the board, and grows as they are captured: with
    /// few pieces a search of few nodes sees little of how the game will end.
    pub growth: bool,
    /// Greatest imbalance of an opening; the game's score model decides without it.
    pub balance: Option<i32>,
    pub seed: u64,
    /// Number of games played at once.
    pub threads: usize,
}

impl SelfplayOptions {
    /// Returns the defaults, with this node limit.
    pub fn new(nodes: u64) -> Self {
        Self { nodes, growth: false, balance: None, seed: 1, threads: cores() }
    }

    /// Reads the value of an option if it is one of self-play; `false` if it is not.
    pub fn read_option(&mut self, name: &str, args: &mut Args<'_>) -> Result<bool, Failure> {
        match name {
            "--nodes" => self.nodes = args.number(1, u64::MAX)?,
            "--growth" => self.growth = true,
            "--balance" => self.balance = Some(args.number(1, MAX_BALANCE)?),
            "--seed" => self.seed = args.number(0, u64::MAX)?,
            "--threads" => self.threads = args.number(1, MAX_THREADS)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the greatest imbalance of an opening. Where by the score model a small advantage hardly
    /// ever wins, openings must have one side ahead so that wins and draws are both likely.
    pub fn balance(&self, ScoreModel { lead, spread }: ScoreModel) -> i32 {
        let by_model = BALANCE.max(lead + spread / 2);
        self.balance.unwrap_or(by_model)
    }
}

/// Returns the [`network`](engine::network) of this name, or the game's own.
pub(super) fn network<G: Entry>(name: Option<&str>) -> Result<Option<Arc<Network>>, Failure> {
    let name = name.unwrap_or(INTERNAL_NETWORK);
    engine::network::<G>(name).map_err(Failure::file(name))
}

/// Solves the endings of three pieces, as far as they can be solved. All are solved before the
/// first game, so that games do not depend on time.
pub(super) fn endings<G: Game>(threads: usize, interrupt: &Interrupt) -> Arc<Endings> {
    let endings = Arc::new(Endings::default());
    let stop = || interrupt.is_set();
    for men in Material::all::<G>(3) {
        let mut watch = Watch::new(&stop, None);
        // Sets that cannot occur are left out.
        let _ = endings.solve::<G>(&men, threads, &mut watch, None);
    }
    endings
}

pub(super) struct SelfPlayer<G> {
    searcher: Searcher<G>,
    table: Arc<Table>,
    /// Soft limit of a search at the start of a game.
    nodes: u64,
    /// Number of pieces at the start of a game, if the limit grows as they are captured.
    pieces: Option<u64>,
    endings: Arc<Endings>,
    interrupt: Interrupt,
}

impl<G: Entry> SelfPlayer<G> {
    /// Creates a player whose searches have the soft limit `nodes`, with
    /// [`growth`](SelfplayOptions::growth) at the start of a game.
    pub(super) fn new(
        nodes: u64,
        growth: bool,
        network: Option<Arc<Network>>,
        endings: &Arc<Endings>,
        interrupt: &Interrupt,
    ) -> Self {
        let mut searcher = Searcher::new(G::SHEET.params);
        searcher.evaluate_with(network);
        let megabytes = if nodes <= SMALL_HASH_NODES { SMALL_HASH } else { HASH };
        Self {
            searcher,
            table: Arc::new(Table::new(megabytes, 1)),
            nodes,
            pieces: growth.then(|| pieces(&G::start())),
            endings: Arc::clone(endings),
            interrupt: interrupt.clone(),
        }
    }

    pub(super) fn endings(&self) -> Arc<Endings> {
        Arc::clone(&self.endings)
    }

    /// Clears table and histories.
    pub(super) fn forget(&mut self) {
        self.searcher.forget();
        Table::renew(&mut self.table, 1);
    }

    /// From now on draws one of the leaves of each search.
    pub(super) fn draw_leaves(&mut self, random: Random) {
        self.searcher.draw_leaves(random);
    }

    /// Takes the leaf drawn from the last search, without those drawn before.
    pub(super) fn take_leaf(&mut self) -> Option<G> {
        self.searcher.take_leaf()
    }

    pub(super) fn set_params(&mut self, params: Params) {
        self.searcher.set_params(params);
    }

    /// Returns true if both sides can win from an opening: its imbalance is within `balance`.
    /// `None` if the search was interrupted.
    pub(super) fn is_open(&mut self, opening: &RandomOpening<G>, balance: i32) -> Option<bool> {
        self.forget();
        let (_, value) = self.search(&opening.position, &opening.keys)?;
        Some(value.abs() <= balance)
    }

    /// Finds the move to play and its value for the side to move. `keys` are the keys of the
    /// positions before. `None` if it was interrupted.
    pub(super) fn search(&mut self, position: &G, keys: &[u64]) -> Option<(Move, i32)> {
        let nodes = match self.pieces {
            Some(start) => self.nodes.saturating_mul(start) / pieces(position).max(1),
            None => self.nodes,
        };
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(HARD_FACTOR.saturating_mul(nodes)),
            ..Limits::default()
        };
        let resources = Resources {
            table: Arc::clone(&self.table),
            control: self.interrupt.control(),
            threads: 1,
            nodes_per_milli: None,
            endings: Some(Arc::clone(&self.endings)),
        };
        let answer = self.searcher.search(position, keys, &[], &limits, &resources, &mut |_| {});
        let best = answer.best.filter(|_| !self.interrupt.is_set())?;
        Some((best, answer.value))
    }
}

fn pieces<G: Game>(position: &G) -> u64 {
    position.placement().occupied().count().into()
}

/// Plays two games from one opening. Returns the results of the first player, first as White and
/// then as Black; `None` if they were interrupted.
pub(super) fn play_pair<G: Entry>(
    players: &mut [SelfPlayer<G>; 2],
    opening: &RandomOpening<G>,
) -> Option<[GameResult; 2]> {
    let endings = players[0].endings();
    let mut results = [GameResult::Draw; 2];
    for (white, result) in results.iter_mut().enumerate() {
        players.iter_mut().for_each(SelfPlayer::forget);
        let winner = play(
            opening.position.clone(),
            opening.keys.clone(),
            Some(&endings),
            |position, keys| {
                let player = match position.to_move() {
                    Side::White => white,
                    Side::Black => 1 - white,
                };
                players[player].search(position, keys)
            },
        )?;
        *result = match winner {
            None => GameResult::Draw,
            Some(side) if (side == Side::White) == (white == 0) => GameResult::Win,
            Some(_) => GameResult::Loss,
        };
    }
    Some(results)
}

/// Returns the smallest score with which a side is far ahead.
fn far_ahead(sheet: &Sheet) -> i32 {
    let ScoreModel { lead, spread } = sheet.score_model;
    lead + (sheet.adjudication.spreads * f64::from(spread)) as i32
}

/// The beginning of a game.
pub(super) struct RandomOpening<G> {
    pub number: u64,
    pub position: G,
    /// Keys of the positions before it.
    pub keys: Vec<u64>,
    /// Decides all else that is random in the game.
    pub random: Random,
}

/// Draws openings in order, each of some random moves. None comes twice while new ones are found. The
/// seed determines them all.
pub(super) struct RandomOpenings {
    seed: u64,
    /// Number of the next opening.
    pub next: u64,
    seen: HashSet<u64>,
}

impl RandomOpenings {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, next: 0, seen: HashSet::new() }
    }

    pub(super) fn draw<G: Game>(&mut self) -> RandomOpening<G> {
        let number = self.next;
        self.next += 1;
        let mut random = Random::new(self.seed, number);
        let mut tries = 0;
        loop {
            let (position, keys) = random_position::<G>(&mut random);
            if position.outcome().is_some() {
                continue;
            }
            tries += 1;
            if self.seen.insert(position.key()) || tries >= TRIES {
                return RandomOpening { number, position, keys, random };
            }
        }
    }
}

/// Plays some random moves. Returns the position and the keys of the positions before it.
fn random_position<G: Game>(random: &mut Random) -> (G, Vec<u64>) {
    let mut position = G::start();
    let mut keys = Vec::new();
    for _ in 0..random.below(RANDOM_PLIES + 1) {
        let moves = position.legal_moves();
        let Some(&mv) = random.pick(&moves) else {
            break;
        };
        keys.push(position.key());
        position.play(mv);
    }
    (position, keys)
}

/// Returns the side that was far ahead for at least `wanted` plies; `ahead` counts them, negative
/// for Black.
fn winner(ahead: i32, wanted: usize) -> Option<Side> {
    let is_long = ahead.unsigned_abs() as usize >= wanted;
    is_long.then_some(if ahead > 0 { Side::White } else { Side::Black })
}

/// Plays a game to its end. `choose` returns the move to play in a position and its value for the
/// side to move. With `endings` the game also ends once its ending is solved, a search has proven a
/// win, or one side was far ahead for some plies.
/// Returns the winner, if any; `None` if `choose` was interrupted.
pub(super) fn play<G: Entry>(
    mut position: G,
    mut keys: Vec<u64>,
    endings: Option<&Endings>,
    mut choose: impl FnMut(&G, &[u64]) -> Option<(Move, i32)>,
) -> Option<Option<Side>> {
    let far_ahead = far_ahead(&G::SHEET);
    let plies = G::SHEET.adjudication.plies;
    let mut ahead: i32 = 0;
    for _ in 0..MAX_PLIES {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.winner);
        }
        let key = position.key();
        if is_third_occurrence(&keys, key) {
            return Some(None);
        }
        if let Some(value) = endings.and_then(|endings| endings.value(&position)) {
            return Some(match value {
                Value::Drawn => None,
                Value::Won(_) => Some(position.to_move()),
                Value::Lost(_) => Some(!position.to_move()),
            });
        }
        let (mv, value) = choose(&position, &keys)?;
        // Both sides agree on the sign for White.
        let for_white = match position.to_move() {
            Side::White => value,
            Side::Black => -value,
        };
        ahead = match for_white {
            _ if for_white >= far_ahead => ahead.max(0) + 1,
            _ if for_white <= -far_ahead => ahead.min(0) - 1,
            _ => 0,
        };
        let wanted = if is_decisive(value) { 1 } else { plies };
        if endings.is_some()
            && let Some(side) = winner(ahead, wanted)
        {
            return Some(Some(side));
        }
        keys.push(key);
        position.play(mv);
    }
    Some(winner(ahead, plies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::test_all_games;

    fn no_opening_is_drawn_twice<G: Game>() {
        let mut openings = RandomOpenings::new(7);
        let mut keys = HashSet::new();
        let mut plies = HashSet::new();
        for number in 0..2_000 {
            let opening = openings.draw::<G>();
            assert_eq!(opening.number, number);
            assert!(opening.position.outcome().is_none());
            assert!(keys.insert(opening.position.key()), "{}", opening.position.fen());
            plies.insert(opening.keys.len());
        }
        assert_eq!(plies.len(), RANDOM_PLIES + 1);
    }

    #[test]
    fn a_side_far_ahead_for_long_has_won() {
        let plies = 6;
        for (ahead, side) in [
            (0, None),
            (plies - 1, None),
            (1 - plies, None),
            (plies, Some(Side::White)),
            (-plies, Some(Side::Black)),
        ] {
            assert_eq!(winner(ahead, 6), side, "{ahead}");
        }
    }

    fn who_is_far_ahead_wins<G: Entry>() {
        let [won, drawn, _] = G::SHEET.score_model.chances(far_ahead(&G::SHEET));
        let expected = won + drawn / 2.0;
        assert!(expected > 0.965, "{}: {expected}", G::NAME);
    }

    test_all_games! {
        no_opening_is_drawn_twice
        who_is_far_ahead_wins
    }
}
