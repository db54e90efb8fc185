//! A leaf of a search, drawn at random: a position at which quiescence begins. It is there that the search asks the
//! network, which learns from positions of games.

use crate::system::random::Random;

/// One leaf, drawn from all of a search.
pub(super) struct LeafSample<G> {
    random: Random,
    /// The leaves so far.
    seen: usize,
    drawn: Option<G>,
}

impl<G: Clone> LeafSample<G> {
    pub(super) fn new(random: Random) -> Self {
        Self { random, seen: 0, drawn: None }
    }

    /// Replaces the leaf by this one, with equal chances for all (A. Waterman's reservoir, in D. Knuth, "The Art of
    /// Computer Programming", volume 2).
    pub(super) fn offer(&mut self, position: &G) {
        self.seen += 1;
        if self.random.below(self.seen) == 0 {
            self.drawn = Some(position.clone());
        }
    }

    /// Takes the leaf, and begins anew.
    pub(super) fn take(&mut self) -> Option<G> {
        self.seen = 0;
        self.drawn.take()
    }
}
