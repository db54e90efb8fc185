//! A network as a file.
//!
//! A header, then the payload in little-endian numbers: the weights of the features, the biases
//! and the output weights in 16 bits each; the scales and the output biases in 32 bits each, one
//! a bucket.

use super::network::Network;
use super::shape::{BUCKETS, Shape};
use crate::games::Game;
use crate::system::checksum::checksum;

/// The first bytes of a file. The last character is the version.
const MAGIC: &[u8; 16] = b"quadrille net\0\0\x01";
/// Magic, name of the game, kinds, squares, hidden, buckets as two bytes each, checksum of
/// the payload.
const HEADER: usize = 48;

impl Network {
    /// Encodes the network as a file of a game.
    pub fn to_bytes(&self, game: &str) -> Vec<u8> {
        let shape = self.shape();
        let mut payload = Vec::with_capacity(payload_bytes(shape));
        payload.extend(self.weights().flat_map(i16::to_le_bytes));
        let numbers = self.scales_and_biases().into_iter().flatten();
        payload.extend(numbers.flat_map(i32::to_le_bytes));
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend(MAGIC);
        bytes.extend(game.bytes().chain(std::iter::repeat(0)).take(16));
        for size in [shape.kinds, shape.squares, shape.hidden, BUCKETS] {
            bytes.extend((size as u16).to_le_bytes());
        }
        bytes.extend(checksum(&payload).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// Parses the bytes of a file.
    ///
    /// # Errors
    ///
    /// The reason why the file is not a network of the game.
    pub fn from_bytes<G: Game>(bytes: &[u8]) -> Result<Self, String> {
        let header = bytes.split_at_checked(HEADER);
        let whole = header.filter(|(header, _)| header.starts_with(MAGIC));
        let (header, payload) = whole.ok_or("it is not a network")?;
        let (name, rest) = header[MAGIC.len()..].split_at(16);
        let (sizes, sum) = rest.split_at(8);
        let name = String::from_utf8_lossy(name);
        let name = name.trim_end_matches('\0');
        if name != G::NAME {
            let name: String = name.chars().filter(|c| !c.is_control()).collect();
            return Err(format!("it is a network for `{name}`"));
        }
        let mut sizes =
            sizes.as_chunks::<2>().0.iter().map(|&size| usize::from(u16::from_le_bytes(size)));
        let mut size = || sizes.next().unwrap_or(0);
        let [kinds, squares, hidden, buckets] = [size(), size(), size(), size()];
        for (what, found, wanted) in [
            ("kinds", kinds, G::KINDS.len()),
            ("squares", squares, G::GEOMETRY.count()),
            ("buckets", buckets, BUCKETS),
        ] {
            if found != wanted {
                return Err(format!("{found} {what} do not fit"));
            }
        }
        let shape = Shape { kinds, squares, hidden };
        shape.check()?;
        if payload.len() != payload_bytes(shape) {
            let (wanted, found) = (HEADER + payload_bytes(shape), bytes.len());
            return Err(format!("it has {found} bytes instead of {wanted}"));
        }
        if sum != checksum(payload).to_le_bytes() {
            return Err("its checksum is wrong".into());
        }
        let (weights, biases) = payload.split_at(2 * shape.weights());
        let weights: Vec<_> =
            weights.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let mut numbers = biases.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes));
        let mut eight = || [(); BUCKETS].map(|()| numbers.next().unwrap_or(0));
        let (scale, output_bias) = (eight(), eight());
        Self::new(shape, &weights, scale, output_bias)
    }
}

/// Returns the length of a payload in bytes.
const fn payload_bytes(shape: Shape) -> usize {
    size_of::<i16>() * shape.weights() + 2 * size_of::<i32>() * BUCKETS
}
