//! What the tests share.

pub mod checks;
pub mod client;
pub mod console;
pub mod endings;
pub mod finishing;
pub mod matches;
pub mod positions;
pub mod program;
#[cfg(unix)]
pub mod xboard;

use quadrille::engine::{Session, VARIANTS, find_variant};
use quadrille::games::Game;
use std::sync::OnceLock;

/// A session of a game in the catalogue, as the program was built with it.
pub fn session<G: Game>() -> Box<dyn Session> {
    find_variant(VARIANTS, G::NAME).unwrap().open()
}

/// How much more than usual the tests try that draw what they try: `QUADRILLE_TIMES`.
pub fn times() -> usize {
    static TIMES: OnceLock<usize> = OnceLock::new();
    *TIMES.get_or_init(|| {
        std::env::var("QUADRILLE_TIMES").map_or(1, |text| {
            text.parse()
                .expect("QUADRILLE_TIMES is a whole number of times")
        })
    })
}
