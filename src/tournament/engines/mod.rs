//! The engines of a match: this program, and processes that speak UCI or CECP.

pub(super) mod cecp;
pub(super) mod engine_log;
pub(super) mod in_process;
pub(super) mod option_spec;
pub(super) mod player;
pub(super) mod process;
pub(super) mod start;
pub(super) mod uci;
