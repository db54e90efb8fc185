//! Laws of solved endings, for any game.

use super::positions::Random;
use super::{drawn, session, with_field};
use quadrille::endings::{Endings, Material, SolveError, Value, Watch};
use quadrille::engine::VARIANTS;
use quadrille::games::{Game, GameExt, Piece, Placement};
use quadrille::search::value::{is_decisive, plies_to_end};
use quadrille::search::{Limits, Resources, Skill, Table};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

/// Solves a set of pieces and the sets that it needs.
pub fn solve<G: Game>(endings: &Endings, material: &Material) -> Result<(), SolveError> {
    let mut watch = Watch::new(&|| false, None);
    endings.solve::<G>(material, 2, &mut watch, None)
}

/// All sets of three pieces of a game, solved once for all tests.
pub fn three_pieces<G: Game>() -> (Arc<Endings>, Vec<Material>) {
    type Solved = BTreeMap<&'static str, (Arc<Endings>, Vec<Material>)>;
    static SOLVED: Mutex<Solved> = Mutex::new(BTreeMap::new());
    let mut solved = SOLVED.lock().unwrap();
    let sets = || {
        let endings = Arc::new(Endings::default());
        let sets = solve_all::<G>(&endings, 3);
        (endings, sets)
    };
    solved.entry(G::NAME).or_insert_with(sets).clone()
}

/// Solves all possible sets of `count` pieces, and returns them.
pub fn solve_all<G: Game>(endings: &Endings, count: usize) -> Vec<Material> {
    let mut sets = Material::all::<G>(count);
    sets.retain(|material| solve::<G>(endings, material).is_ok());
    sets
}

/// Value of a position by the rules if the game is over, with the clock at 0.
fn value_if_over<G: Game>(position: &G) -> Option<Value> {
    Some(match position.outcome()?.winner {
        None => Value::Drawn,
        Some(side) if side == position.to_move() => Value::Won(0),
        Some(_) => Value::Lost(0),
    })
}

/// Best value: the soonest win, a draw, the latest loss.
fn best(values: impl Iterator<Item = Value>) -> Value {
    let rank = |value: &Value| match *value {
        Value::Won(plies) => 100_000 - i32::from(plies),
        Value::Drawn => 0,
        Value::Lost(plies) => i32::from(plies) - 100_000,
    };
    values.max_by_key(rank).unwrap()
}

fn after<G: Game>(position: &G) -> Vec<G> {
    let play = |mv| {
        let mut next = position.clone();
        next.play(mv);
        next
    };
    position.legal_moves().into_iter().map(play).collect()
}

/// Asserts that every value of a set follows from those one move later by the rules alone. Returns
/// the number of positions.
pub fn values_are_consistent<G: Game>(endings: &Endings, material: &Material) -> u64 {
    let (table, _) = endings.table(material).unwrap();
    let mut count = 0;
    for (position, value) in table.positions::<G>() {
        count += 1;
        let expected = value_if_over(&position).unwrap_or_else(|| {
            let next = |next: &G| {
                let value = match next.board_outcome() {
                    Some(_) => value_if_over(next),
                    None => endings.value(next),
                };
                value.unwrap_or_else(|| panic!("{} is in no table", next.fen())).before()
            };
            best(after(&position).iter().map(next))
        });
        assert_eq!(value, expected, "{}", position.fen());
    }
    count
}

/// A random sample of a fixed size, each item as likely as any other.
struct Sample<T> {
    size: usize,
    met: usize,
    kept: Vec<T>,
}

impl<T> Sample<T> {
    fn new(size: usize) -> Self {
        Self { size, met: 0, kept: Vec::new() }
    }

    fn meet(&mut self, item: T, random: &mut Random) {
        self.met += 1;
        let place = random.below(self.met);
        if self.kept.len() < self.size {
            self.kept.push(item);
        } else if place < self.size {
            self.kept[place] = item;
        }
    }
}

/// Value of a position by trying all moves for `plies` plies; `None` if these do not decide the
/// game.
fn searched<G: Game>(
    position: &G,
    plies: u16,
    known: &mut HashMap<(u64, u16), Option<Value>>,
) -> Option<Value> {
    let mut position = position.clone();
    if G::CLOCK_LIMIT.is_some() && position.placement().clock() > 0 {
        // Tables ignore the clock.
        position = G::from_fen(&with_field(&position.fen(), 4, "0")).unwrap();
    }
    if let Some(value) = value_if_over(&position) {
        return Some(value);
    }
    if plies == 0 {
        return None;
    }
    let key = (position.key(), plies);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let values: Vec<_> = after(&position)
        .iter()
        .map(|next| searched(next, plies - 1, known).map(Value::before))
        .collect();
    let wins = values.iter().flatten().filter(|value| matches!(value, Value::Won(_)));
    let value = if wins.clone().next().is_some() {
        Some(best(wins.copied()))
    } else if values.iter().all(|value| matches!(value, Some(Value::Lost(_)))) {
        Some(best(values.into_iter().flatten()))
    } else {
        None
    };
    known.insert(key, value);
    value
}

/// Asserts that the table and a search of all moves agree as far as the search reaches. Half of the
/// random positions of a set are near the end of the game. Returns the number of decided ones.
pub fn values_are_those_of_a_search<G: Game>(
    endings: &Endings,
    material: &Material,
    plies: u16,
) -> usize {
    let positions = if cfg!(debug_assertions) { 20 } else { drawn(100) };
    let (table, _) = endings.table(material).unwrap();
    let mut random = Random(7);
    let is_near = |value: Value| value.plies().is_some_and(|needed| needed <= plies);
    let mut near = Sample::new(positions);
    let mut far = Sample::new(positions);
    for (position, value) in table.positions::<G>() {
        let sample = if is_near(value) { &mut near } else { &mut far };
        sample.meet((position, value), &mut random);
    }
    let mut decided = 0;
    let mut known = HashMap::new();
    for (position, value) in near.kept.into_iter().chain(far.kept) {
        match searched(&position, plies, &mut known) {
            Some(searched) => {
                decided += 1;
                assert_eq!(value, searched, "{}", position.fen());
            }
            None => assert!(!is_near(value), "{}: {value:?}", position.fen()),
        }
    }
    decided
}

/// The same position with the sides exchanged.
pub fn flipped<G: Game>(position: &G) -> G {
    let old = position.placement();
    let mut placement = Placement::empty(!old.to_move());
    for square in old.occupied() {
        let piece = old.at(square).unwrap();
        placement.put(G::perspective(square), Piece::new(!piece.side(), piece.kind()));
    }
    G::from_placement(placement).unwrap()
}

/// Asserts that the program wins the won positions of a set, at few nodes a move, as soon as the
/// table promises, if the clock allows. Returns the number of positions.
pub fn won_positions_are_won_in_time<G: Game>(endings: &Endings, material: &Material) -> usize {
    const NODES: u64 = 100;
    let positions = if cfg!(debug_assertions) { 3 } else { drawn(50) };
    let (table, _) = endings.table(material).unwrap();
    let limit = G::CLOCK_LIMIT.unwrap_or(u32::MAX);
    let is_wanted = |value: Value| value.plies().is_some_and(|plies| u32::from(plies) <= limit);
    let mut random = Random(11);
    let mut sample = Sample::new(positions);
    for met in table.positions::<G>() {
        if is_wanted(met.1) {
            sample.meet(met, &mut random);
        }
    }
    let mut session = session::<G>();
    let resources = Resources::alone(&Arc::new(Table::new(1, 1)));
    let request = Limits { nodes: Some(NODES), ..Limits::default() }.into();
    for (start, value) in &sample.kept {
        session.set_position(Some(&start.fen()), &[]).unwrap();
        let mut plies = 0;
        while session.outcome().is_none() {
            let found = session.search(&request, resources.clone()).unwrap()(&mut |_| {});
            session.play(&found.answer.best.unwrap()).unwrap();
            plies += 1;
        }
        let is_won = session.outcome().unwrap().winner.map(|side| side == start.to_move());
        let expected = match value {
            Value::Won(_) => Some(true),
            Value::Lost(_) => Some(false),
            Value::Drawn => None,
        };
        assert_eq!((is_won, Some(plies)), (expected, value.plies()), "{}", start.fen());
    }
    sample.kept.len()
}

/// Asserts that the table agrees with every win that a search without tables proves, in no more
/// plies. Returns the number of proofs among random positions of a set that are drawn or near their
/// end.
pub fn a_search_proves_the_same<G: Game>(endings: &Endings, material: &Material) -> usize {
    let positions = if cfg!(debug_assertions) { 40 } else { drawn(50).max(13) };
    let (table, _) = endings.table(material).unwrap();
    let is_wanted = |value: Value| value.plies().is_none_or(|plies| plies < 10);
    let mut random = Random(13);
    let mut sample = Sample::new(positions);
    for met in table.positions::<G>() {
        if is_wanted(met.1) && met.0.outcome().is_none() {
            sample.meet(met, &mut random);
        }
    }
    let mut session = session::<G>();
    let resources = Resources::alone(&Arc::new(Table::new(1, 1)));
    // A handicapped search consults no tables.
    let limits = Limits {
        nodes: Some(10_000),
        skill: Skill::of_level(19.0, &VARIANTS[0].info.skill_elo),
        ..Limits::default()
    };
    let request = limits.into();
    let mut proven = 0;
    for (position, known) in sample.kept {
        session.set_position(Some(&position.fen()), &[]).unwrap();
        let found = session.search(&request, resources.clone()).unwrap()(&mut |_| {});
        let value = found.value().unwrap();
        if is_decisive(value) {
            proven += 1;
            let plies = known.plies().unwrap_or(u16::MAX);
            let same = matches!(known, Value::Won(_)) == (value > 0);
            let found = plies_to_end(value);
            assert!(same && usize::from(plies) <= found, "{}: {known:?}, {found}", position.fen());
        }
    }
    proven
}
