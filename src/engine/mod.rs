//! One engine: a game in progress, options, a transposition table and at most one search
//! at a time. It hides the type of its game behind a [`Session`]; only tools that learn a game
//! need the type.

pub mod bench;
pub mod catalogue;
mod endgames;
mod found;
mod instance;
mod legal_move;
mod messages;
mod networks;
mod node_clock;
mod options;
mod session;
mod settings;
mod transcript;
mod tuned;
mod typed_move;
mod variant;
mod why;

pub use catalogue::{Adjudication, Entry, Sheet, XBoard};
pub use found::{Found, Task};
pub use instance::{Engine, Mode};
pub use messages::{IllegalCause, MAX_GAME, MAX_PERFT, MoveFault, PositionError, Request, Time};
pub use networks::{INTERNAL_NETWORK, NO_NETWORK, network, read_network, shipped};
pub use options::{
    MAX_ELO, MAX_MULTI_PV, MAX_THREADS, OptionError, OptionKind, OptionSpec, Options, read_check,
};
pub use session::Session;
pub use settings::{Effect, VARIANT_OPTION};
pub use transcript::Transcript;
pub use typed_move::{TypedError, read_typed_move};
pub use variant::{UnknownVariant, VARIANTS, Variant, find_game, find_variant};
pub use why::{ScoredLine, is_phrase};
