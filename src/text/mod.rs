//! Moves and squares as text: coordinates, SAN, and the board of a client that knows no rules.

mod board_view;
mod coordinates;
mod san;

pub use board_view::{BoardView, Target};
pub use coordinates::{kind_after_change, move_text, new_piece, read_move, read_squares};
pub use san::{SanError, lan, read_san, san};
