//! The games of this program by their names.

use super::catalogue::{Entry, Sheet};
use super::session::{Session, TypedSession};
use crate::for_all_games;
use crate::games::{COMMON_RULES, GameExt};
use crate::system::text::shorten;
use std::fmt;

/// A game that can be opened.
#[derive(Clone, Copy)]
pub struct Variant {
    /// Facts for clients.
    pub info: &'static Sheet,
    begin: fn() -> Box<dyn Session>,
    is_position: fn(&str) -> bool,
}

/// Its name: the whole sheet has a network.
impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.name)
    }
}

/// The game where none is named.
impl Default for Variant {
    fn default() -> Self {
        VARIANTS[0]
    }
}

impl Variant {
    /// Creates the variant of a game.
    pub const fn of<G: Entry>() -> Self {
        Self {
            info: &G::SHEET,
            begin: || Box::new(TypedSession::<G>::new()),
            is_position: |fen| <G as GameExt>::from_fen(fen).is_ok(),
        }
    }

    /// Returns true for the name of this game, in the spelling of this program or of others.
    pub fn is_called(&self, name: &str) -> bool {
        plain_name(self.info.name) == plain_name(name)
    }

    /// Returns true for the name of another start of this game, which is played by the same rules.
    pub fn has_start(&self, name: &str) -> bool {
        let mut starts = self.info.other_starts.iter();
        starts.any(|start| plain_name(start) == plain_name(name))
    }

    /// Returns true if a FEN is a position of this game.
    pub fn is_position(&self, fen: &str) -> bool {
        (self.is_position)(fen)
    }

    /// Returns the rules of the game: its own, and those of all games.
    pub fn rules(&self) -> String {
        format!("{}\n{}", self.info.rules, COMMON_RULES.trim_end())
    }

    /// Begins a game.
    pub fn open(&self) -> Box<dyn Session> {
        (self.begin)()
    }
}

macro_rules! variants {
    ($($game:ident),*) => { &[$(Variant::of::<crate::games::$game>()),*] };
}

/// All games of this program.
pub static VARIANTS: &[Variant] = for_all_games!(variants);

/// Returns the letters and digits of a variant's name, without `chess` at its end: `Cross-Eyed
/// Chess` is `crosseyed`.
fn plain_name(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let plain: String = letters.collect::<String>().to_ascii_lowercase();
    plain.strip_suffix("chess").unwrap_or(&plain).to_string()
}

/// The fault of a name that is no variant's.
#[derive(Clone, Debug)]
pub struct UnknownVariant {
    name: String,
    known: &'static [Variant],
}

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, known } = self;
        write!(f, "the variant `{}` is not one of {}", shorten(name), names(known))
    }
}

impl std::error::Error for UnknownVariant {}

/// Finds the variant with a name.
pub fn find_variant(known: &'static [Variant], name: &str) -> Result<Variant, UnknownVariant> {
    let mut all = known.iter().copied();
    let variant = all.find(|variant| variant.is_called(name));
    variant.ok_or_else(|| UnknownVariant { name: name.into(), known })
}

/// Finds the variant of a game from a FEN, or from the start. With a FEN the variant may have the name
/// of another start.
pub fn find_game(
    variants: &'static [Variant],
    name: &str,
    fen: Option<&str>,
) -> Result<Variant, UnknownVariant> {
    let mut all = variants.iter().copied();
    let other = all.find(|variant| fen.is_some() && variant.has_start(name));
    find_variant(variants, name).or_else(|error| other.ok_or(error))
}

pub(super) fn names(variants: &[Variant]) -> String {
    let names: Vec<_> = variants.iter().map(|variant| variant.info.name).collect();
    names.join(", ")
}
