//! The values of all placements of a material set.

use super::index::Index;
use super::material::Material;
use crate::games::{Game, GameExt, Kind};
use crate::system::files;
use crate::system::sealed::{Format, SealedFault, SealedReader};
use std::io;
use std::path::Path;

/// The value of a position for the side to move with best play; clock and repetition are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Neither side can win.
    Drawn,
    /// Won, with the plies to the end of the game.
    Won(u16),
    /// Lost, with the plies to the end of the game.
    Lost(u16),
}

impl Value {
    /// Returns the name of the result.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drawn => "draw",
            Self::Won(_) => "win",
            Self::Lost(_) => "loss",
        }
    }

    /// Returns the plies to the end of the game, if it is decided.
    pub const fn plies(self) -> Option<u16> {
        match self {
            Self::Drawn => None,
            Self::Won(plies) | Self::Lost(plies) => Some(plies),
        }
    }

    /// Returns the value of the position before the move that led here.
    #[must_use]
    pub const fn before(self) -> Self {
        match self {
            Self::Drawn => Self::Drawn,
            Self::Won(plies) => Self::Lost(plies + 1),
            Self::Lost(plies) => Self::Won(plies + 1),
        }
    }
}

/// Values in two bytes: 0 for a draw, 2n + 1 for a loss in n plies, 2n + 2 for a win.
pub(super) mod code {
    use super::Value;

    /// Drawn, or not known to be anything else.
    pub(in crate::endings) const OPEN: u16 = 0;
    /// Drawn by the rules.
    pub(in crate::endings) const DRAWN: u16 = u16::MAX - 1;
    /// Not a position of the game.
    pub(in crate::endings) const NONE: u16 = u16::MAX;
    /// The most plies that have a code.
    pub(in crate::endings) const MAX_PLIES: u16 = 32_000;

    pub(in crate::endings) const fn of(value: Value) -> u16 {
        match value {
            Value::Drawn => OPEN,
            Value::Won(plies) => 2 * plies + 2,
            Value::Lost(plies) => 2 * plies + 1,
        }
    }

    pub(in crate::endings) const fn value(code: u16) -> Option<Value> {
        match code {
            NONE => None,
            OPEN | DRAWN => Some(Value::Drawn),
            code if code % 2 == 0 => Some(Value::Won(code / 2 - 1)),
            code => Some(Value::Lost(code / 2)),
        }
    }
}

/// The codes of a table, in one byte each where that is enough.
enum Codes {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

/// In one byte, the last codes stand for the last codes of two bytes.
const NARROW_DRAWN: u8 = u8::MAX - 1;
const NARROW_NONE: u8 = u8::MAX;

impl Codes {
    fn new(codes: Vec<u16>) -> Self {
        let narrow = |&code: &u16| match code {
            code::NONE => Some(NARROW_NONE),
            code::DRAWN => Some(NARROW_DRAWN),
            code => u8::try_from(code).ok().filter(|&code| code < NARROW_DRAWN),
        };
        match codes.iter().map(narrow).collect() {
            Some(narrow) => Self::Narrow(narrow),
            None => Self::Wide(codes),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(codes) => codes.len(),
            Self::Wide(codes) => codes.len(),
        }
    }

    #[inline]
    fn value(&self, number: usize) -> Option<Value> {
        code::value(match self {
            Self::Narrow(codes) => match *codes.get(number)? {
                NARROW_NONE => code::NONE,
                NARROW_DRAWN => code::DRAWN,
                code => u16::from(code),
            },
            Self::Wide(codes) => *codes.get(number)?,
        })
    }
}

/// A solved material set.
pub struct EndingTable {
    material: Material,
    index: Index,
    codes: Codes,
}

/// The positions of one side to move by their results.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Shares {
    /// Won for the side to move.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost for the side to move.
    pub lost: u64,
}

/// Totals of a material set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// By the side to move, White first.
    pub shares: [Shares; 2],
    /// The longest way to the end of a game, in plies, with a position; `None` if every position
    /// is drawn.
    pub longest: Option<(u16, String)>,
}

/// A table as a file: lengths of the game's name and of the set's letters, bytes of a value, a
/// checksum of the rest; then the name, the letters and the values.
static FORMAT: Format = Format {
    what: "a table of endings",
    magic: b"QUADEND1",
    remedy: "remove it to solve it again",
};

impl EndingTable {
    pub(super) fn new(material: Material, index: Index, codes: Vec<u16>) -> Self {
        let codes = Codes::new(codes);
        Self { material, index, codes }
    }

    /// Returns the material set.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Returns the value of a position of the set or, if `flipped`, of its twin.
    pub(super) fn value<G: Game>(&self, position: &G, flipped: bool) -> Option<Value> {
        self.codes.value(self.index.of_position(position, flipped))
    }

    /// Counts the positions of the set, each placement on its own, with pieces of one kind told
    /// apart. `flipped` returns the figures of the twin. Only positions whose pieces have exactly
    /// the kinds `kinds`, in the order of the set, are counted.
    pub fn summary<G: Game>(&self, flipped: bool, kinds: &[Kind]) -> Summary {
        let mut shares = [Shares::default(); 2];
        let mut longest: Option<(u16, usize)> = None;
        let images = self.index.images() as u64;
        for (number, value) in self.values() {
            let (places, to_move) = self.index.places(number);
            let is_asked_for = |(&kind, &place)| G::kind_on(kind, place) == kind;
            if !kinds.iter().zip(&places).all(is_asked_for) {
                continue;
            }
            let shares = &mut shares[to_move.index()];
            match value {
                Value::Won(_) => shares.won += images,
                Value::Drawn => shares.drawn += images,
                Value::Lost(_) => shares.lost += images,
            }
            if let Some(plies) = value.plies()
                && longest.is_none_or(|(most, _)| plies > most)
            {
                longest = Some((plies, number));
            }
        }
        if flipped {
            shares.swap(0, 1);
        }
        let longest = longest.and_then(|(plies, number)| {
            let position = self.position::<G>(number, flipped)?;
            Some((plies, position.fen()))
        });
        Summary { shares, longest }
    }

    /// Returns the position of a number; `None` if that is not a position of the game.
    fn position<G: Game>(&self, number: usize, flipped: bool) -> Option<G> {
        let (mut places, mut to_move) = self.index.places(number);
        if !flipped {
            return self.index.position(&places, to_move);
        }
        places = places.map(G::perspective);
        to_move = !to_move;
        let twin = Index::new::<G>(&self.material.flipped::<G>());
        // The twin has its pieces in another order.
        let mut left: Vec<_> = self.material.pieces().iter().zip(places).collect();
        let mut ordered = places;
        for (piece, place) in twin.pieces().iter().zip(&mut ordered) {
            let index = left.iter().position(|(other, _)| {
                other.kind() == piece.kind() && other.side() != piece.side()
            })?;
            *place = left.remove(index).1;
        }
        twin.position(&ordered, to_move)
    }

    /// Returns the positions of the set with their values, one of each group of reflections.
    pub fn positions<G: Game>(&self) -> impl Iterator<Item = (G, Value)> {
        self.values()
            .filter_map(|(number, value)| Some((self.position::<G>(number, false)?, value)))
    }

    /// Returns the numbers of all positions with their values.
    fn values(&self) -> impl Iterator<Item = (usize, Value)> {
        (0..self.codes.len()).filter_map(|number| Some((number, self.codes.value(number)?)))
    }

    /// Encodes the table as a file, the values in one byte each where that is enough.
    pub fn to_bytes<G: Game>(&self) -> Vec<u8> {
        let letters = self.material.name::<G>();
        let mut body = [G::NAME, &letters].concat().into_bytes();
        let width = match &self.codes {
            Codes::Narrow(codes) => {
                body.extend(codes);
                1
            }
            Codes::Wide(codes) => {
                body.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
                2
            }
        };
        FORMAT.seal(&[G::NAME.len() as u8, letters.len() as u8, width], &body)
    }

    /// Reads a file with the table of a set.
    pub(super) fn read_set<G: Game>(path: &Path, set: &Material) -> io::Result<Self> {
        let table = Self::read::<G>(path)?;
        if table.material() == set {
            Ok(table)
        } else {
            Err(io::Error::other("it has other pieces"))
        }
    }

    /// Reads a file with a table.
    pub fn read<G: Game>(path: &Path) -> io::Result<Self> {
        Self::from_bytes::<G>(&files::read(path, u64::MAX)?).map_err(io::Error::other)
    }

    /// Parses the bytes of a table's file.
    pub fn from_bytes<G: Game>(bytes: &[u8]) -> Result<Self, SealedFault> {
        let damaged = || SealedFault::Damaged(&FORMAT);
        let mut file = SealedReader::new(&FORMAT, bytes)?;
        let [game, letters, width] = file.take()?.map(usize::from);
        file.take_seal()?;
        let body = file.rest()?;
        let (game, rest) = body.split_at_checked(game).ok_or_else(damaged)?;
        FORMAT.check_game(game, G::NAME)?;
        let (letters, values) = rest.split_at_checked(letters).ok_or_else(damaged)?;
        let letters = String::from_utf8_lossy(letters);
        let material = Material::read::<G>(&letters);
        let (material, _) =
            material.map_err(|error| SealedFault::Refused(format!("{letters}: {error}").into()))?;
        let index = Index::new::<G>(&material);
        if !matches!(width, 1 | 2) || values.len() != width * index.len() {
            return Err(damaged());
        }
        let codes = if width == 1 {
            Codes::Narrow(values.to_vec())
        } else {
            let (pairs, _) = values.as_chunks();
            let pairs = pairs.iter().map(|&pair| u16::from_le_bytes(pair));
            Codes::Wide(pairs.collect())
        };
        Ok(Self { material, index, codes })
    }
}

impl Shares {
    /// Returns the count of all positions.
    pub const fn total(&self) -> u64 {
        self.won + self.drawn + self.lost
    }
}
