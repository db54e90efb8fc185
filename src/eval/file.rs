//! A network as a sealed file.
//!
//! A header: magic, name of the game, kinds, squares, hidden, buckets as two bytes each, checksum of
//! the payload. The payload is in little-endian numbers: the weights of pieces (16 bits each), of pairs
//! if the game has them (8), biases and output weights (16), scales and output biases (32, one for each bucket).

use super::network::{Network, NetworkFault};
use super::shape::{BUCKETS, Shape};
use crate::games::Game;
use crate::system::sealed::{Format, SealedFault, SealedReader, padded};

static FORMAT: Format = Format {
    what: "a network",
    magic: b"quadrille net\0\0\x01",
    remedy: "restore a copy or train it again",
};

impl Network {
    /// Encodes the network as a file of a game.
    pub fn to_bytes(&self, game: &str) -> Vec<u8> {
        let shape = self.shape();
        let mut head = padded::<16>(game).to_vec();
        for size in [shape.kinds, shape.squares, shape.hidden, BUCKETS] {
            head.extend((size as u16).to_le_bytes());
        }
        let mut payload = Vec::with_capacity(payload_bytes(shape));
        for (index, weight) in self.weights().enumerate() {
            let bytes = weight.to_le_bytes();
            let is_pair = shape.is_pair(index / shape.hidden);
            payload.extend(&bytes[..if is_pair { 1 } else { 2 }]);
        }
        let numbers = self.scales_and_biases().into_iter().flatten();
        payload.extend(numbers.flat_map(i32::to_le_bytes));
        FORMAT.seal(&head, &payload)
    }

    /// Parses the bytes of a file.
    pub fn from_bytes<G: Game>(bytes: &[u8]) -> Result<Self, SealedFault> {
        let mut file = SealedReader::new(&FORMAT, bytes)?;
        FORMAT.check_game(&file.take::<16>()?, G::NAME)?;
        let mut size = || file.take().map(u16::from_le_bytes).map(usize::from);
        let [kinds, squares, hidden, buckets] = [size()?, size()?, size()?, size()?];
        for (what, found, wanted) in [
            ("kinds", kinds, G::KINDS.len()),
            ("squares", squares, G::GEOMETRY.count()),
            ("buckets", buckets, BUCKETS),
        ] {
            if found != wanted {
                return Err(NetworkFault::Shape(found, what).into());
            }
        }
        let shape = Shape::of::<G>(hidden);
        shape.check()?;
        file.take_seal()?;
        let payload = file.rest()?;
        // The game's features may have changed since.
        if payload.len() != payload_bytes(shape) {
            return Err(SealedFault::Version(&FORMAT));
        }
        let (pieces, rest) = payload.split_at(2 * shape.piece_features() * hidden);
        let (pairs, rest) = rest.split_at(shape.pair_features * hidden);
        let (others, biases) = rest.split_at(2 * (shape.weights() - shape.features() * hidden));
        let large = |bytes: &[u8]| {
            let chunks = bytes.as_chunks().0.iter();
            chunks.map(|&bytes| i16::from_le_bytes(bytes)).collect::<Vec<_>>()
        };
        let mut weights = large(pieces);
        weights.extend(pairs.iter().map(|&byte| i16::from(byte as i8)));
        weights.extend(large(others));
        let mut numbers = biases.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes));
        let mut eight = || [(); BUCKETS].map(|()| numbers.next().unwrap_or(0));
        let (scale, output_bias) = (eight(), eight());
        Ok(Self::new(shape, &weights, scale, output_bias)?)
    }
}

impl From<NetworkFault> for SealedFault {
    fn from(fault: NetworkFault) -> Self {
        Self::Refused(fault.into())
    }
}

/// Returns the length of a payload in bytes.
const fn payload_bytes(shape: Shape) -> usize {
    2 * shape.weights() - shape.pair_features * shape.hidden + 2 * size_of::<i32>() * BUCKETS
}
