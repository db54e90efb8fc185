//! The search: iterative deepening over a principal-variation search with quiescence, one for all
//! games.
//!
//! It knows no game and prints nothing. A caller hands [`Searcher::search`] a position, the keys of
//! the positions before it and [`Limits`]. The search reports [`SearchEvent`]s while it runs and returns
//! an [`Answer`].

mod alpha_beta;
mod answer;
mod clock;
mod control;
mod correction;
mod history;
mod history_update;
mod leaf;
mod limits;
mod mate;
mod node;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod repetition;
mod root;
mod searcher;
mod see;
mod skill;
mod strength;
mod table;
mod terminal;
pub mod value;
mod vote;
mod worker;

pub use answer::{Answer, Line, SearchEvent};
pub use clock::{Budget, GameClock, time_of_nodes};
pub use control::Control;
pub use limits::{Limits, Resources};
pub use params::Params;
pub use searcher::{STACK_BYTES, Searcher};
pub use see::{winnings, wins_material};
pub use skill::{FULL_SKILL, HANDICAPS, LOWEST_ELO, Skill, SkillElo, elo_of_level};
pub use strength::ScoreModel;
pub use table::{Bound, Table};
pub use value::Score;
