//! The place of a game in a match.

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: u64,
    /// The number of its opening.
    pub opening: u64,
    /// Which of the games with this opening it is.
    pub repetition: u64,
    /// Its engines, White's first.
    pub seats: [usize; 2],
    /// The engines that meet, the one that the score is given for first.
    pub pairing: (usize, usize),
    /// Games with the same number have the same opening; two of them are a pair, with the
    /// colours swapped. `None` if games are not paired.
    pub pair: Option<u64>,
}
