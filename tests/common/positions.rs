//! Positions to test with: the lines of `tests/data`, and random games that begin there. Unit tests
//! of the crate include this file too.

use quadrille::board::Bitboard;
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::games::{Game, GameExt, Move, MoveClass};

/// Perft counts from positions of every game.
pub const PERFT: &str = include_str!("../data/perft.txt");

/// Parses the lines of a data file that belong to a variant: their fields, without its name.
pub fn lines<'t>(data: &'t str, variant: &str) -> impl Iterator<Item = Vec<&'t str>> {
    data.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('|').collect::<Vec<_>>())
        .filter(move |fields| fields[0] == variant)
        .map(|fields| fields[1..].to_vec())
}

/// Pseudo-random numbers (SplitMix64), the same for the same seed.
pub struct Random(pub u64);

impl Random {
    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of `items`, `None` if there are none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.below(items.len())])
    }
}

/// Limit at which a random game is aborted.
pub const MOST_PLIES: usize = 10_000;

/// The positions of a random game, from a FEN to its end.
///
/// Tactical moves are preferred, because pure chance hardly plays any. Sometimes a move is taken
/// back, because otherwise no position is ever repeated.
pub fn random_game<G: Game>(fen: &str, seed: u64) -> impl Iterator<Item = G> {
    let mut random = Random(seed);
    let mut played: Vec<Move> = Vec::new();
    let start = G::from_fen(fen).unwrap();
    std::iter::successors(Some(start), move |position| {
        if position.outcome().is_some() {
            return None;
        }
        let mut moves = Vec::new();
        match random.below(4) {
            0 => position.generate(MoveClass::Tactical, Bitboard::ALL, &mut moves),
            1 => moves.extend(
                (played.iter().nth_back(1))
                    .map(|own| Move::new(own.to(), own.from()))
                    .filter(|&mv| position.is_legal(mv)),
            ),
            _ => {}
        }
        let mv = random.pick(&moves).or_else(|| random.pick(&position.legal_moves()))?;
        played.push(mv);
        let mut next = position.clone();
        next.play(mv);
        Some(next)
    })
    .take(MOST_PLIES)
}

/// The samples of a game in the catalogue.
fn samples(name: &str) -> &'static [&'static str] {
    find_variant(VARIANTS, name).map_or(&[], |variant| variant.info.samples)
}

/// Random games from the start, from the game's samples and from where `perft` begins.
pub fn random_games<G: Game>() -> impl Iterator<Item = impl Iterator<Item = G>> {
    random_games_from_seed(1)
}

/// Random games that differ with the seed.
pub fn random_games_from_seed<G: Game>(seed: u64) -> impl Iterator<Item = impl Iterator<Item = G>> {
    [G::START; 8]
        .into_iter()
        .chain(samples(G::NAME).iter().copied())
        .chain(lines(PERFT, G::NAME).map(|fields| fields[0]))
        .zip(seed..)
        .map(|(fen, seed)| random_game(fen, seed))
}

/// At most `count` positions, spread evenly over [`random_games`].
pub fn random_positions<G: Game>(count: usize) -> impl Iterator<Item = G> {
    let total = random_games::<G>().flatten().count();
    random_games::<G>().flatten().step_by(total.div_ceil(count).max(1))
}

/// Defines a test of each function for every game of the registry, in a module with the name of the
/// game.
macro_rules! test_all_games {
    (in $game:ident [$($(#[$attribute:meta])* $function:ident)*]) => { $(
        #[test]
        $(#[$attribute])*
        fn $function() {
            super::$function::<quadrille::games::$game>();
        }
    )* };
    (each $functions:tt $($game:ident),*) => { $(
        #[allow(non_snake_case)]
        mod $game {
            use super::test_all_games;
            test_all_games! { in $game $functions }
        }
    )* };
    ($($functions:tt)*) => {
        quadrille::for_all_games! { test_all_games each [$($functions)*] }
    };
}
pub(crate) use test_all_games;
