//! Boards drawn: as text for terminals, and as pictures in SVG.

pub mod diagram;
pub mod svg;

pub use diagram::{Look, Symbols};
pub use svg::{Parts, View};
