//! The network: a file, its weights, and what it makes of a position.
//!
//! For each side a layer of neurons sums the weights of the features that are on: one for
//! each piece, by owner (mine or theirs), kind and square as that side sees the board. The
//! output is the sum over both layers, that of the side to move first, of the squared
//! clipped neurons times weights that depend on the number of pieces (Y. Nasu, "Efficiently
//! Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018; the
//! activation is from later engines). All of it is done in integers: neurons are scaled by
//! [`QA`], output weights by a scale of their bucket.

use crate::games::{Game, Piece, Placement, Side};
use crate::system::checksum::checksum;
use std::fmt;

/// What a neuron of 1 is.
pub const QA: i16 = 255;
/// What an output of 1 is, in centipawns.
pub const VALUE_SCALE: i32 = 400;
/// How many sets of output weights there are.
pub const BUCKETS: usize = 8;
/// The greatest output weight for which a clipped neuron times the weight fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA - 1;

/// The greatest sum of the sizes of the output weights of a bucket: then the sum over all
/// neurons fits 32 bits.
pub const MAX_OUTPUT_SUM: i64 = i32::MAX as i64 / (QA as i64 * QA as i64);

/// Neurons in a block.
pub const LANES: usize = 64;
/// The most neurons for a side.
pub const MAX_HIDDEN: usize = 1024;

/// One 16-bit value for each of [`LANES`] neurons. The size is fixed and the memory
/// aligned, so that the compiler makes vector instructions of plain loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All zeros.
    pub const ZERO: Self = Self([0; LANES]);
}

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Kinds of piece.
    pub kinds: usize,
    /// Squares of the board.
    pub squares: usize,
    /// Neurons for a side, a multiple of [`LANES`].
    pub hidden: usize,
}

impl Shape {
    /// The shape of a game's network.
    pub fn of<G: Game>(hidden: usize) -> Self {
        Self {
            kinds: G::KINDS.len(),
            squares: G::GEOMETRY.count(),
            hidden,
        }
    }

    /// How many features there are: two owners, each with all kinds on all squares.
    pub const fn features(&self) -> usize {
        2 * self.kinds * self.squares
    }

    /// Refuses a number of neurons that there cannot be.
    fn check(&self) -> Result<(), NetworkError> {
        if self.hidden == 0 || !self.hidden.is_multiple_of(LANES) || self.hidden > MAX_HIDDEN {
            return Err(NetworkError::WrongSize {
                what: "neurons",
                found: self.hidden,
            });
        }
        Ok(())
    }

    const fn blocks(&self) -> usize {
        self.hidden / LANES
    }

    /// The 16-bit weights: those of the features, the biases, those of the output.
    const fn weights(&self) -> usize {
        (self.features() + 1 + 2 * BUCKETS) * self.hidden
    }

    const fn payload(&self) -> usize {
        2 * self.weights() + 2 * 4 * BUCKETS
    }
}

/// Which feature a piece on a square is for a side.
pub struct Features {
    /// By side that looks, piece and square.
    table: Box<[[[u16; 128]; 16]; 2]>,
    /// The pieces of the start position: so many fall into the last bucket.
    most_pieces: usize,
}

impl Features {
    /// The features of a game.
    pub fn of<G: Game>() -> Self {
        let squares = G::GEOMETRY.count();
        let mut table = Box::new([[[0; 128]; 16]; 2]);
        for (viewer, table) in Side::BOTH.into_iter().zip(table.iter_mut()) {
            for owner in Side::BOTH {
                for kind in 0..G::KINDS.len() {
                    let piece = Piece::new(owner, crate::games::Kind::new(kind as u8));
                    let theirs = usize::from(owner != viewer);
                    for square in G::GEOMETRY.squares() {
                        let seen = match viewer {
                            Side::White => square,
                            Side::Black => G::perspective(square),
                        };
                        let feature = (theirs * G::KINDS.len() + kind) * squares + seen.index();
                        table[piece.index()][square.index()] = feature as u16;
                    }
                }
            }
        }
        Self {
            table,
            most_pieces: G::start().placement().occupied().count() as usize,
        }
    }

    /// The feature that a piece on a square is for `viewer`.
    #[inline(always)]
    pub fn index(&self, viewer: Side, piece: Piece, square: crate::board::Square) -> usize {
        usize::from(self.table[viewer.index()][piece.index()][square.index()])
    }

    /// Which output weights serve a number of pieces.
    #[inline(always)]
    pub fn bucket(&self, pieces: usize) -> usize {
        (pieces.saturating_sub(1) * BUCKETS / self.most_pieces.max(1)).min(BUCKETS - 1)
    }
}

/// Why a network was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// It does not begin as one.
    NoNetwork,
    /// It is for another game.
    WrongGame(String),
    /// A size in its header does not fit the game.
    WrongSize {
        /// Which size.
        what: &'static str,
        /// What the header says.
        found: usize,
    },
    /// There is more or less of it than the header says.
    WrongLength {
        /// The length that the header asks for, in bytes.
        wanted: usize,
        /// The length that it has.
        found: usize,
    },
    /// Its checksum does not fit its weights.
    WrongChecksum,
    /// A weight is beyond what the arithmetic can take.
    WeightTooLarge,
    /// A scale of the output is not in its range.
    ScaleOutOfRange,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNetwork => write!(f, "it is no network"),
            Self::WrongGame(name) => write!(f, "it is a network for `{name}`"),
            Self::WrongSize { what, found } => write!(f, "{found} {what} do not fit"),
            Self::WrongLength { wanted, found } => {
                write!(f, "it has {found} bytes instead of {wanted}")
            }
            Self::WrongChecksum => write!(f, "its checksum is wrong"),
            Self::WeightTooLarge => write!(f, "a weight is too large"),
            Self::ScaleOutOfRange => write!(f, "a scale is not from 1 to {MAX_SCALE}"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// What a file begins with. The last character is the version.
const MAGIC: &[u8; 16] = b"quadrille net\0\0\x01";
/// Magic, name of the game, kinds, squares, hidden, buckets as two bytes each, checksum of
/// the payload.
const HEADER: usize = 48;

/// The weights of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: Shape,
    /// By feature.
    features: Vec<Block>,
    bias: Vec<Block>,
    /// By bucket, then side to move and other side.
    output: Vec<Block>,
    /// What an output weight of 1 is, by bucket.
    scale: [i32; BUCKETS],
    /// Scaled by [`QA`] and the scale of the bucket.
    output_bias: [i32; BUCKETS],
}

/// The greatest scale of output weights.
pub const MAX_SCALE: i32 = 1 << 14;

impl Network {
    /// A network from its weights: those of the features one after the other, the biases,
    /// the output weights by bucket and side; the scales of the output weights, and the
    /// output biases.
    ///
    /// # Errors
    ///
    /// The sizes do not fit or a weight is too large.
    pub fn new(
        shape: Shape,
        weights: &[i16],
        scale: [i32; BUCKETS],
        output_bias: [i32; BUCKETS],
    ) -> Result<Self, NetworkError> {
        shape.check()?;
        if weights.len() != shape.weights() {
            return Err(NetworkError::WrongSize {
                what: "weights",
                found: weights.len(),
            });
        }
        let (sums, output) = weights.split_at((shape.features() + 1) * shape.hidden);
        let too_large = |weight: &i16| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT.unsigned_abs();
        let sum_too_large = |weights: &[i16]| {
            let sum: i64 = weights
                .iter()
                .map(|weight| i64::from(weight.unsigned_abs()))
                .sum();
            sum > MAX_OUTPUT_SUM
        };
        if output.iter().any(too_large) || output.chunks(2 * shape.hidden).any(sum_too_large) {
            return Err(NetworkError::WeightTooLarge);
        }
        if !scale.iter().all(|scale| (1..=MAX_SCALE).contains(scale)) {
            return Err(NetworkError::ScaleOutOfRange);
        }
        let blocks = |weights: &[i16]| {
            weights
                .as_chunks::<LANES>()
                .0
                .iter()
                .copied()
                .map(Block)
                .collect::<Vec<_>>()
        };
        let (features, bias) = sums.split_at(shape.features() * shape.hidden);
        Ok(Self {
            shape,
            features: blocks(features),
            bias: blocks(bias),
            output: blocks(output),
            scale,
            output_bias,
        })
    }

    /// The network as a file of a game.
    pub fn to_bytes(&self, game: &str) -> Vec<u8> {
        let mut payload = Vec::with_capacity(self.shape.payload());
        for block in self.features.iter().chain(&self.bias).chain(&self.output) {
            payload.extend(block.0.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        let numbers = self.scale.iter().chain(&self.output_bias);
        payload.extend(numbers.flat_map(|number| number.to_le_bytes()));
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend(MAGIC);
        bytes.extend(game.bytes().chain(std::iter::repeat(0)).take(16));
        for size in [
            self.shape.kinds,
            self.shape.squares,
            self.shape.hidden,
            BUCKETS,
        ] {
            bytes.extend((size as u16).to_le_bytes());
        }
        bytes.extend(checksum(&payload).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Why it is not a network of the game.
    pub fn from_bytes<G: Game>(bytes: &[u8]) -> Result<Self, NetworkError> {
        let Some((header, payload)) = bytes.split_at_checked(HEADER) else {
            return Err(NetworkError::NoNetwork);
        };
        let (magic, rest) = header.split_at(16);
        let (name, rest) = rest.split_at(16);
        let (sizes, sum) = rest.split_at(8);
        if magic != MAGIC {
            return Err(NetworkError::NoNetwork);
        }
        let name = String::from_utf8_lossy(name);
        let name = name.trim_end_matches('\0');
        if name != G::NAME {
            return Err(NetworkError::WrongGame(
                name.chars().filter(|c| !c.is_control()).collect(),
            ));
        }
        let mut sizes = sizes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|&size| usize::from(u16::from_le_bytes(size)));
        let mut size = || sizes.next().unwrap_or(0);
        let [kinds, squares, hidden, buckets] = [size(), size(), size(), size()];
        for (what, found, wanted) in [
            ("kinds", kinds, G::KINDS.len()),
            ("squares", squares, G::GEOMETRY.count()),
            ("buckets", buckets, BUCKETS),
        ] {
            if found != wanted {
                return Err(NetworkError::WrongSize { what, found });
            }
        }
        let shape = Shape {
            kinds,
            squares,
            hidden,
        };
        shape.check()?;
        if payload.len() != shape.payload() {
            let (wanted, found) = (HEADER + shape.payload(), bytes.len());
            return Err(NetworkError::WrongLength { wanted, found });
        }
        if sum != checksum(payload).to_le_bytes() {
            return Err(NetworkError::WrongChecksum);
        }
        let (weights, biases) = payload.split_at(2 * shape.weights());
        let weights: Vec<_> = weights
            .as_chunks()
            .0
            .iter()
            .map(|&bytes| i16::from_le_bytes(bytes))
            .collect();
        let mut numbers = biases
            .as_chunks()
            .0
            .iter()
            .map(|&bytes| i32::from_le_bytes(bytes));
        let mut eight = || [(); BUCKETS].map(|()| numbers.next().unwrap_or(0));
        let (scale, output_bias) = (eight(), eight());
        Self::new(shape, &weights, scale, output_bias)
    }

    /// The output for the side to move, one weight after the other: the twin that the
    /// vectorised way is compared with.
    #[cfg(test)]
    pub fn output_one_by_one(&self, features: &Features, placement: &Placement) -> i32 {
        let us = placement.to_move();
        let bucket = features.bucket(placement.occupied().count() as usize);
        let mut sum = 0i64;
        for (side, viewer) in [us, !us].into_iter().enumerate() {
            for neuron in 0..self.shape.hidden {
                let weight = |blocks: &[Block]| i64::from(blocks[neuron / LANES].0[neuron % LANES]);
                let mut total = weight(&self.bias);
                for square in placement.occupied() {
                    if let Some(piece) = placement.at(square) {
                        total += weight(self.feature(features.index(viewer, piece, square)));
                    }
                }
                let clipped = total.clamp(0, i64::from(QA));
                let at = (2 * bucket + side) * self.shape.blocks();
                sum += clipped * clipped * weight(&self.output[at..]);
            }
        }
        let output = sum / i64::from(QA) + i64::from(self.output_bias[bucket]);
        let scale = i64::from(QA) * i64::from(self.scale[bucket]);
        (output * i64::from(VALUE_SCALE) / scale) as i32
    }

    /// The size of the network.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    #[inline(always)]
    fn feature(&self, index: usize) -> &[Block] {
        let blocks = self.shape.blocks();
        &self.features[index * blocks..(index + 1) * blocks]
    }

    /// The neurons of a position as `viewer` sees it, from nothing.
    fn refresh(
        &self,
        features: &Features,
        placement: &Placement,
        viewer: Side,
        neurons: &mut [Block],
    ) {
        neurons.copy_from_slice(&self.bias);
        for square in placement.occupied() {
            if let Some(piece) = placement.at(square) {
                let weights = self.feature(features.index(viewer, piece, square));
                for (sums, weights) in neurons.iter_mut().zip(weights) {
                    add(sums, weights);
                }
            }
        }
    }

    /// The output for the side to move, whose neurons come first, in centipawns.
    fn output(&self, neurons: [&[Block]; 2], bucket: usize) -> i32 {
        let blocks = self.shape.blocks();
        let mut sum = 0i32;
        for (side, neurons) in neurons.into_iter().enumerate() {
            let at = (2 * bucket + side) * blocks;
            for (neurons, weights) in neurons.iter().zip(&self.output[at..at + blocks]) {
                sum = sum.wrapping_add(activate(neurons, weights));
            }
        }
        let output = i64::from(sum / i32::from(QA)) + i64::from(self.output_bias[bucket]);
        let scale = i64::from(QA) * i64::from(self.scale[bucket]);
        (output * i64::from(VALUE_SCALE) / scale) as i32
    }
}

#[inline(always)]
fn add(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
        *sum = sum.wrapping_sub(*weight);
    }
}

/// The sum of the squared clipped neurons times their weights. A clipped neuron times a
/// weight fits 16 bits, so the compiler can multiply and add in pairs.
#[inline(always)]
fn activate(neurons: &Block, weights: &Block) -> i32 {
    let mut sum = 0i32;
    for (&neuron, &weight) in neurons.0.iter().zip(&weights.0) {
        let clipped = neuron.clamp(0, QA);
        sum = sum.wrapping_add(i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped));
    }
    sum
}

/// The neurons of both sides for one position of a line of play.
#[derive(Clone)]
struct Accumulator {
    /// The position; `None` if the neurons are those of no position of the current line.
    placement: Option<Placement>,
    /// White's and Black's.
    neurons: [Vec<Block>; 2],
}

/// The neurons along a line of play, computed when a position is evaluated, from the
/// nearest position above it that was.
pub struct Accumulators {
    features: Features,
    layers: Vec<Accumulator>,
}

/// From this many changed squares it is quicker to sum up all pieces.
const MANY_CHANGES: u32 = 16;

impl Accumulators {
    /// Room for lines of `plies`.
    pub fn new<G: Game>(network: &Network, plies: usize) -> Self {
        let neurons = vec![Block::ZERO; network.shape.blocks()];
        let layer = Accumulator {
            placement: None,
            neurons: [neurons.clone(), neurons],
        };
        Self {
            features: Features::of::<G>(),
            layers: vec![layer; plies],
        }
    }

    /// Forgets the position at `ply`: another one follows the line up to there.
    #[inline(always)]
    pub fn leave(&mut self, ply: usize) {
        self.layers[ply].placement = None;
    }

    /// What the network makes of the position at `ply`.
    pub fn evaluate(&mut self, network: &Network, placement: &Placement, ply: usize) -> i32 {
        let (above, here) = self.layers.split_at_mut(ply);
        let Some(here) = here.first_mut() else {
            return 0;
        };
        let current = here
            .placement
            .as_ref()
            .is_some_and(|known| known.difference(placement).is_empty());
        if !current {
            let base = above
                .iter()
                .rev()
                .find_map(|layer| Some((layer, placement.difference(layer.placement.as_ref()?))))
                .filter(|(_, changed)| changed.count() < MANY_CHANGES);
            for viewer in Side::BOTH {
                let neurons = &mut here.neurons[viewer.index()];
                match base {
                    None => network.refresh(&self.features, placement, viewer, neurons),
                    Some((layer, changed)) => {
                        let Some(before) = &layer.placement else {
                            continue;
                        };
                        let from = &layer.neurons[viewer.index()];
                        update(
                            network,
                            &self.features,
                            viewer,
                            (before, placement),
                            changed,
                            from,
                            neurons,
                        );
                    }
                }
            }
            here.placement = Some(placement.clone());
        }
        let us = placement.to_move();
        let neurons = [us, !us].map(|side| here.neurons[side.index()].as_slice());
        let pieces = placement.occupied().count() as usize;
        network.output(neurons, self.features.bucket(pieces))
    }
}

/// The neurons after some squares have changed.
#[inline(always)]
fn update(
    network: &Network,
    features: &Features,
    viewer: Side,
    (before, after): (&Placement, &Placement),
    changed: crate::board::Bitboard,
    from: &[Block],
    to: &mut [Block],
) {
    const ROOM: usize = MANY_CHANGES as usize;
    let (mut gone, mut come) = ([0; ROOM], [0; ROOM]);
    let (mut gones, mut comes) = (0, 0);
    for square in changed {
        if let Some(piece) = before.at(square) {
            gone[gones % ROOM] = features.index(viewer, piece, square);
            gones += 1;
        }
        if let Some(piece) = after.at(square) {
            come[comes % ROOM] = features.index(viewer, piece, square);
            comes += 1;
        }
    }
    let rows =
        |list: &[usize]| -> [&[Block]; 2] { [network.feature(list[0]), network.feature(list[1])] };
    let [first_gone, second_gone] = rows(&gone);
    let [first_come, _] = rows(&come);
    // The two kinds of move that are most frequent, without going through memory twice.
    match (comes, gones) {
        (1, 1) => {
            for (index, to) in to.iter_mut().enumerate() {
                let mut sums = from[index];
                add(&mut sums, &first_come[index]);
                subtract(&mut sums, &first_gone[index]);
                *to = sums;
            }
        }
        (1, 2) => {
            for (index, to) in to.iter_mut().enumerate() {
                let mut sums = from[index];
                add(&mut sums, &first_come[index]);
                subtract(&mut sums, &first_gone[index]);
                subtract(&mut sums, &second_gone[index]);
                *to = sums;
            }
        }
        _ => {
            to.copy_from_slice(from);
            for &feature in &come[..comes] {
                for (sums, weights) in to.iter_mut().zip(network.feature(feature)) {
                    add(sums, weights);
                }
            }
            for &feature in &gone[..gones] {
                for (sums, weights) in to.iter_mut().zip(network.feature(feature)) {
                    subtract(sums, weights);
                }
            }
        }
    }
}
