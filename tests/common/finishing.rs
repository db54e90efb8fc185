//! Laws about finishing won games, for any game: a repetition by the rules is a draw for the
//! search, and an announced mate is carried out.

use super::positions::{MOST_PLIES, Random, random_positions};
use quadrille::engine::{Entry, Request, Session};
use quadrille::games::{GameExt, Move, MoveClass, Side};
use quadrille::search::value::DRAW;
use quadrille::search::value::moves_to_mate;
use quadrille::search::{Answer, Limits, Resources, STACK_BYTES, Table};
use quadrille::text::move_text;
use std::sync::Arc;

/// Runs a deep search on a thread with a large enough stack.
fn with_room(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        if let Err(panic) = thread.spawn_scoped(scope, run).unwrap().join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// A game in progress.
#[derive(Clone)]
struct Played<G> {
    from: String,
    moves: Vec<Move>,
    /// Keys of the earlier positions.
    keys: Vec<u64>,
    position: G,
}

impl<G: Entry> Played<G> {
    fn after(&self, mv: Move) -> G {
        let mut next = self.position.clone();
        next.play(mv);
        next
    }

    fn play(&mut self, mv: Move) {
        self.keys.push(self.position.key());
        self.moves.push(mv);
        self.position.play(mv);
    }

    /// Counts earlier occurrences of a position.
    fn occurrences(&self, position: &G) -> usize {
        let key = position.key();
        self.keys.iter().filter(|&&before| before == key).count()
    }

    /// True while the game is neither over nor drawn by repetition.
    fn is_open(&self) -> bool {
        self.position.outcome().is_none() && self.occurrences(&self.position) < 2
    }
}

/// A game in progress with its searcher and table.
struct Engine {
    session: Box<dyn Session>,
    table: Arc<Table>,
}

impl Engine {
    fn new(session: Box<dyn Session>, megabytes: usize) -> Self {
        Self { session, table: Arc::new(Table::new(megabytes, 1)) }
    }

    fn forget(&mut self) {
        self.session.forget();
        Table::renew(&mut self.table, 1);
    }

    fn set_up(&mut self, fen: &str, moves: &[String]) {
        let moves: Vec<_> = moves.iter().map(String::as_str).collect();
        self.session.set_position(Some(fen), &moves).unwrap();
    }

    fn search(&self, only: &[String], limits: Limits) -> Answer<String> {
        let request = Request { limits, search_moves: only.to_vec() };
        let search = self.session.search(&request, Resources::alone(&self.table)).unwrap();
        search(&mut |_| {}).answer
    }
}

/// Depths and nodes for the search of a repeating move.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=6;
const REPETITION_NODES: u64 = 20_000;
/// Nodes of a search that fills the table beforehand.
const WARMING_NODES: u64 = 1_000;
/// Plies played from a position in search of such moves, and moves tried of one game.
const WANDERED_PLIES: usize = 40;
const PER_GAME: usize = 2;

/// A move that leads to the third occurrence of a position.
struct Third<G> {
    game: Played<G>,
    mv: Move,
    /// True if the clock was reset between the occurrences.
    across: bool,
}

/// Moves that end a game by the third occurrence of a position. Both sides walk in circles from
/// `start` where they can.
fn third_occurrences<G: Entry>(start: G, random: &mut Random) -> Vec<Third<G>> {
    let (from, moves, keys) = (start.fen(), Vec::new(), Vec::new());
    let mut game = Played { from, moves, keys, position: start };
    let mut found = Vec::new();
    while game.moves.len() < WANDERED_PLIES && game.is_open() {
        // Where the board decides the game, the rules ask for no repetition.
        let moves: Vec<_> = game
            .position
            .legal_moves()
            .into_iter()
            .map(|mv| (mv, game.after(mv)))
            .filter(|(_, next)| next.outcome().is_none_or(|end| end.reason.is_claimed()))
            .collect();
        let (third, others): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|(_, next)| game.occurrences(next) == 2);
        let pick = random.below(third.len().max(1));
        if let Some((mv, next)) = third.into_iter().nth(pick) {
            let key = next.key();
            let first = game.keys.iter().position(|&before| before == key).unwrap();
            let distance = game.keys.len() + 1 - first;
            found.push(Third {
                game: game.clone(),
                mv,
                across: distance > next.placement().clock() as usize,
            });
            if found.len() == PER_GAME {
                break;
            }
        }
        let Some(mv) = wander(&game, &others, random) else { break };
        game.play(mv);
    }
    found
}

/// Picks a move: mostly back to a position of the game, or to one from which a reply leads back;
/// otherwise often a tactical one.
fn wander<G: Entry>(game: &Played<G>, moves: &[(Move, G)], random: &mut Random) -> Option<Move> {
    let some_of = |wanted: &dyn Fn(&(Move, G)) -> bool, random: &mut Random| {
        let chosen: Vec<_> = moves.iter().filter(|&mv| wanted(mv)).collect();
        random.pick(&chosen).map(|&(mv, _)| mv)
    };
    let was_there = |position: &G| game.occurrences(position) > 0;
    let leads_back = |(_, next): &(Move, G)| was_there(next);
    let lets_back = |(_, next): &(Move, G)| {
        next.legal_moves().into_iter().any(|reply| {
            let mut end = next.clone();
            end.play(reply);
            was_there(&end)
        })
    };
    let mut chosen = None;
    if random.below(8) > 0 {
        chosen = some_of(&leads_back, random);
        if chosen.is_none() && game.moves.len() > 1 {
            chosen = some_of(&lets_back, random);
        }
    }
    if chosen.is_none() && random.below(4) > 0 {
        let mut tactical = Vec::new();
        let all = !quadrille::board::Bitboard::EMPTY;
        game.position.generate(MoveClass::Tactical, all, &mut tactical);
        chosen = some_of(&|(mv, _)| tactical.contains(mv), random);
    }
    chosen.or_else(|| some_of(&|_| true, random))
}

/// Asserts that a move to the third occurrence of a position is worth a draw at every depth,
/// whatever the table holds. Starts from `positions` random positions. Returns the number of such
/// moves, and of those among them with a reset clock between the occurrences.
pub fn third_occurrences_are_worth_a_draw<G: Entry>(
    session: Box<dyn Session>,
    positions: usize,
) -> [usize; 2] {
    let mut counts = [0; 2];
    with_room(|| counts = try_third_occurrences::<G>(session, positions));
    counts
}

fn try_third_occurrences<G: Entry>(session: Box<dyn Session>, positions: usize) -> [usize; 2] {
    let mut random = Random(7);
    let mut engine = Engine::new(session, 1);
    let (mut counts, mut wrong) = ([0; 2], Vec::new());
    for position in random_positions::<G>(positions) {
        for third in third_occurrences(position, &mut random) {
            counts[0] += 1;
            counts[1] += usize::from(third.across);
            wrong.extend(search_third_occurrence(&mut engine, &third));
        }
    }
    let [count, across] = counts;
    let figures = format!(
        "{}: {count} third occurrences, {across} across captures and the like, {} not seen",
        G::NAME,
        wrong.len()
    );
    println!("{figures}");
    wrong.truncate(10);
    assert!(wrong.is_empty(), "{figures}\n{}", wrong.join("\n"));
    counts
}

/// Searches the move to a third occurrence. Describes the first answer that is no draw.
fn search_third_occurrence<G: Entry>(engine: &mut Engine, third: &Third<G>) -> Option<String> {
    let Third { game, mv, .. } = third;
    let moves: Vec<_> = game.moves.iter().map(|&mv| move_text::<G>(mv)).collect();
    let only = move_text::<G>(*mv);
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    engine.forget();
    for warm in [false, true] {
        if warm {
            // Without the game before.
            for position in [&game.after(*mv), &game.position] {
                engine.set_up(&position.fen(), &[]);
                engine.search(&[], nodes(WARMING_NODES));
            }
        }
        engine.set_up(&game.from, &moves);
        for depth in DEPTHS.map(Some).chain([None]) {
            let limits = Limits { depth, ..nodes(REPETITION_NODES) };
            let answer = engine.search(std::slice::from_ref(&only), limits);
            let (value, moves) = (answer.value, moves.join(" "));
            if answer.best.as_ref() != Some(&only) || value != DRAW {
                return Some(format!(
                    "{only} worth {value}, depth {depth:?}, warm {warm}: {answer:?}\n  \
                     position fen {} moves {moves}",
                    game.from
                ));
            }
        }
    }
    None
}

/// Size of a run of [`announced_mates_are_carried_out`]: the least number of games with an
/// announced mate, and of positions in them.
pub struct Extent {
    pub games: usize,
    pub positions: usize,
    /// Node limits, drawn anew for each move, since a clock gives one move more than another.
    pub nodes: &'static [u64],
}

/// Random plies before such a game, and the size of the table in MB.
const OPENING_PLIES: usize = 8;
const HASH: usize = 4;
/// Lead, in spreads of the game's score model, up to which moves get only `NODES_BEFORE` nodes: the
/// play before the end need not be good.
const SPREADS_AHEAD: i32 = 16;
const NODES_BEFORE: u64 = 100;
/// Limit for the games played, as a multiple of those asked for.
const GAMES_FACTOR: usize = 20;
/// One in this number of positions may take longer to its mate than announced.
const LATE_OF: usize = 100;

/// A mate that was announced in a game.
struct Announced {
    /// Moves played before.
    plies: usize,
    side: Side,
    moves: i32,
    /// True if the side saw no mate, or one as far away, at its next move.
    forgotten: bool,
}

/// Asserts that announced mates are carried out: the engine plays against itself with one table and
/// few nodes. A side that announces a mate wins, and hardly ever later than announced.
pub fn announced_mates_are_carried_out(session: Box<dyn Session>, extent: Extent) {
    with_room(|| play_announced_mates(session, &extent));
}

fn play_announced_mates(session: Box<dyn Session>, extent: &Extent) {
    let mut random = Random(11);
    let mut engine = Engine::new(session, HASH);
    let (mut begun, mut games, mut positions) = (0, 0, 0);
    let (mut longest, mut forgotten) = (0, 0);
    let (mut not_won, mut late) = (Vec::new(), Vec::new());
    while games < extent.games || positions < extent.positions {
        begun += 1;
        assert!(begun <= GAMES_FACTOR * extent.games, "only {games} games");
        engine.forget();
        let mut moves = opening(engine.session.as_mut(), &mut random);
        let announced = play_out(&mut engine, &mut moves, extent.nodes, &mut random);
        games += usize::from(!announced.is_empty());
        positions += announced.len();
        for mate in announced {
            longest = longest.max(mate.moves);
            forgotten += usize::from(mate.forgotten);
            let took = (moves.len() - mate.plies).div_ceil(2);
            let end = engine.session.outcome();
            let won = end.is_some_and(|end| end.winner == Some(mate.side));
            if won && took <= mate.moves as usize {
                continue;
            }
            let list = if won { &mut late } else { &mut not_won };
            let (before, after) = moves.split_at(mate.plies);
            list.push(format!(
                "mate {} announced, {end:?} after {took} moves: position startpos moves {}\n  then {}",
                mate.moves,
                before.join(" "),
                after.join(" ")
            ));
        }
    }
    let figures = format!(
        "{}: {positions} mates announced in {games} of {begun} games, in {longest} moves at most, \
         {} not won, {} late, {forgotten} forgotten after a move",
        engine.session.info().name,
        not_won.len(),
        late.len()
    );
    println!("{figures}");
    let carried_out = not_won.is_empty() && late.len() <= positions.div_ceil(LATE_OF);
    not_won.truncate(10);
    late.truncate(10);
    not_won.append(&mut late);
    assert!(carried_out, "{figures}\n{}", not_won.join("\n"));
}

/// Plays random moves from the start that do not end the game. Returns them.
fn opening(session: &mut dyn Session, random: &mut Random) -> Vec<String> {
    loop {
        session.set_position(None, &[]).unwrap();
        let mut moves = Vec::new();
        while moves.len() < OPENING_PLIES && session.outcome().is_none() {
            let mut all = session.moves();
            let mv = all.swap_remove(random.below(all.len()));
            session.play(&mv).unwrap();
            moves.push(mv);
        }
        if session.outcome().is_none() {
            return moves;
        }
    }
}

/// Plays both sides to the end. Returns the mates announced for the side to move.
fn play_out(
    engine: &mut Engine,
    moves: &mut Vec<String>,
    nodes: &[u64],
    random: &mut Random,
) -> Vec<Announced> {
    let mut announced: Vec<Announced> = Vec::new();
    let far = SPREADS_AHEAD * engine.session.info().score_model.spread;
    let mut ahead = false;
    while engine.session.outcome().is_none() && moves.len() < MOST_PLIES {
        let nodes = random.pick(nodes).filter(|_| ahead).or(Some(NODES_BEFORE));
        let answer = engine.search(&[], Limits { nodes, ..Limits::default() });
        if !ahead && answer.value.abs() >= far {
            // The move is searched again, from now on with more nodes.
            ahead = true;
            continue;
        }
        let (plies, side) = (moves.len(), engine.session.to_move());
        let known = moves_to_mate(answer.value).filter(|&moves| moves > 0);
        for mate in &mut announced {
            if mate.plies + 2 == plies {
                mate.forgotten = known.is_none_or(|moves| moves >= mate.moves);
            }
        }
        announced.extend(known.map(|moves| Announced { plies, side, moves, forgotten: false }));
        let mv = answer.best.unwrap();
        engine.session.play(&mv).unwrap();
        moves.push(mv);
    }
    announced
}
