//! The engines of a match: this program, and processes that speak UCI or CECP.

pub mod cecp;
pub mod engine_log;
pub mod in_process;
pub mod option_spec;
pub mod player;
pub mod process;
pub mod start;
pub mod uci;
