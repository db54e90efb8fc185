//! A file of training data: a header, then whole games.
//!
//! All numbers are little-endian, everything is a multiple of 32 bytes. The header has 64
//! bytes: [`MAGIC`], the variant's name in 16 bytes, the seed and the nodes of the games,
//! the checksum of the network that played them in 8 each, the balance of their openings and the
//! nodes of their labels in 4 each.
//! A game is 32 bytes (`GAME`, the count of its positions in 4 bytes, the number of the game
//! in 8, a checksum of the positions in 8, zeros) and its packed positions; it has none if its
//! opening was not played. Games are appended with one write each, in the order in which they
//! end. A game that was cut off is found by its length or its checksum.

use super::record::{BYTES, PackedPosition};
use crate::cli::Failure;
use crate::system::checksum::checksum;
use crate::system::files::{self, LockedFile};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

const MAGIC: &[u8; 16] = b"quadrille data 1";
const HEADER_BYTES: usize = 64;
const GAME: &[u8; 4] = b"GAME";

/// Settings of the games of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    pub variant: String,
    pub seed: u64,
    /// Soft limit of nodes for each move.
    pub nodes: u64,
    /// Checksum of the network's file; 0 for material.
    pub network: u64,
    /// Greatest imbalance of an opening; 0 if the score model decided.
    pub balance: u32,
    /// Soft limit of nodes for each label; 0 if the search for the move labels too.
    pub label_nodes: u32,
}

impl Header {
    fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let name = self.variant.as_bytes();
        let length = name.len().min(16);
        bytes[..16].copy_from_slice(MAGIC);
        bytes[16..16 + length].copy_from_slice(&name[..length]);
        bytes[32..40].copy_from_slice(&self.seed.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.network.to_le_bytes());
        bytes[56..60].copy_from_slice(&self.balance.to_le_bytes());
        bytes[60..].copy_from_slice(&self.label_nodes.to_le_bytes());
        bytes
    }

    /// Describes every difference of two headers.
    fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        if self.variant != other.variant {
            differences.push(format!("{}, not {}", self.variant, other.variant));
        }
        let numbers = [
            ("seed", self.seed, other.seed),
            ("nodes", self.nodes, other.nodes),
            ("balance", self.balance.into(), other.balance.into()),
            (
                "label nodes",
                self.label_nodes.into(),
                other.label_nodes.into(),
            ),
        ];
        for (name, number, other) in numbers {
            if number != other {
                differences.push(format!("{name} {number}, not {other}"));
            }
        }
        if self.network != other.network {
            differences.push("another network".into());
        }
        differences
    }

    fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Option<Self> {
        let (magic, rest) = bytes.split_at(16);
        let (name, rest) = rest.split_at(16);
        let numbers = rest.as_chunks::<8>().0;
        (magic == MAGIC).then(|| Self {
            variant: String::from_utf8_lossy(name)
                .trim_end_matches('\0')
                .to_string(),
            seed: u64::from_le_bytes(numbers[0]),
            nodes: u64::from_le_bytes(numbers[1]),
            network: u64::from_le_bytes(numbers[2]),
            balance: u64::from_le_bytes(numbers[3]) as u32,
            label_nodes: (u64::from_le_bytes(numbers[3]) >> 32) as u32,
        })
    }
}

/// A file that games are appended to.
pub struct GameAppender {
    file: LockedFile,
    /// Numbers of the games in the file, also of those without positions.
    pub numbers: HashSet<u64>,
    /// Number of games with positions.
    pub games: u64,
    pub positions: u64,
}

impl GameAppender {
    /// Opens or creates a file. A game that was cut off at its end is dropped.
    pub fn open(path: &Path, header: &Header) -> Result<Self, Failure> {
        let mut file = LockedFile::open(path).map_err(Failure::file(path))?;
        if file.length().map_err(Failure::file(path))? < HEADER_BYTES as u64 {
            let begun = file.read(0).map_err(Failure::file(path))?;
            if !header.to_bytes().starts_with(&begun) {
                return Err(Failure::file(path)("it holds no training data"));
            }
            file.truncate(0).map_err(Failure::file(path))?;
            file.append(&header.to_bytes())
                .map_err(Failure::file(path))?;
            return Ok(Self {
                file,
                numbers: HashSet::new(),
                games: 0,
                positions: 0,
            });
        }
        let mut games = GameReader::read(path)?;
        if games.header != *header {
            let differences = games.header.differences(header).join("; ");
            return Err(Failure::file(path)(format!(
                "it holds other games: {differences}"
            )));
        }
        let mut numbers = HashSet::new();
        let (mut played, mut positions) = (0, 0);
        let mut end = HEADER_BYTES as u64;
        while let Some((number, records)) = games.next_game() {
            numbers.insert(number);
            played += u64::from(!records.is_empty());
            positions += records.len() as u64;
            end += (BYTES * (1 + records.len())) as u64;
        }
        file.truncate(end).map_err(Failure::file(path))?;
        Ok(Self {
            file,
            numbers,
            games: played,
            positions,
        })
    }

    pub fn append(&mut self, number: u64, records: &[PackedPosition]) -> std::io::Result<()> {
        let body: Vec<u8> = records
            .iter()
            .flat_map(|record| record.to_bytes())
            .collect();
        let mut bytes = Vec::with_capacity(BYTES + body.len());
        bytes.extend(GAME);
        bytes.extend((records.len() as u32).to_le_bytes());
        bytes.extend(number.to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.resize(BYTES, 0);
        bytes.extend(body);
        self.file.append(&bytes)?;
        self.numbers.insert(number);
        self.games += u64::from(!records.is_empty());
        self.positions += records.len() as u64;
        Ok(())
    }
}

pub(super) struct GameReader {
    input: BufReader<File>,
    pub header: Header,
    /// Size of the file.
    bytes: u64,
}

impl GameReader {
    /// Opens a file for reading.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let mut input =
            BufReader::with_capacity(1 << 20, files::open(path).map_err(Failure::file(path))?);
        let mut head = [0; HEADER_BYTES];
        let header = match input.read_exact(&mut head) {
            Ok(()) => Header::from_bytes(&head),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => None,
            Err(error) => return Err(Failure::file(path)(error)),
        };
        let header = header.ok_or_else(|| Failure::file(path)("it is not training data"))?;
        let bytes = input
            .get_ref()
            .metadata()
            .map_err(Failure::file(path))?
            .len();
        Ok(Self {
            input,
            header,
            bytes,
        })
    }

    /// Returns the upper bound of the number of positions.
    pub(super) fn most_positions(&self) -> u64 {
        self.bytes.saturating_sub(HEADER_BYTES as u64) / BYTES as u64
    }

    /// Reads the next whole game: its number and its positions.
    pub(super) fn next_game(&mut self) -> Option<(u64, Vec<PackedPosition>)> {
        let mut head = [0; BYTES];
        self.input.read_exact(&mut head).ok()?;
        let (mark, rest) = head.split_at(4);
        let (count, rest) = rest.split_at(4);
        let count = u32::from_le_bytes(count.try_into().ok()?);
        let numbers = rest.as_chunks::<8>().0;
        if mark != GAME || count > MAX_GAME {
            return None;
        }
        let mut body = vec![0; BYTES * count as usize];
        self.input.read_exact(&mut body).ok()?;
        if checksum(&body) != u64::from_le_bytes(numbers[1]) {
            return None;
        }
        let records = body
            .as_chunks::<BYTES>()
            .0
            .iter()
            .map(|&bytes| PackedPosition::from_bytes(bytes))
            .collect();
        Some((u64::from_le_bytes(numbers[0]), records))
    }
}

/// The most records of a game.
pub(super) const MAX_GAME: u32 = 10_000;

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("quadrille-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    fn header(variant: &str) -> Header {
        Header {
            variant: variant.into(),
            seed: 5,
            nodes: 100,
            network: 1,
            balance: 0,
            label_nodes: 0,
        }
    }

    fn records(count: u8) -> Vec<PackedPosition> {
        (0..count)
            .map(|byte| PackedPosition::from_bytes([byte; BYTES]))
            .collect()
    }

    #[test]
    fn a_tail_cut_anywhere_is_dropped_and_the_rest_kept() {
        let path = scratch("tail");
        let mut appender = GameAppender::open(&path, &header("gothic")).expect("a new file");
        appender.append(7, &records(3)).expect("written");
        appender.append(4, &[]).expect("written");
        let whole = std::fs::read(&path).expect("readable").len();
        appender.append(2, &records(5)).expect("written");
        drop(appender);
        let bytes = std::fs::read(&path).expect("readable");
        for length in whole..bytes.len() {
            std::fs::write(&path, &bytes[..length]).expect("writable");
            let appender =
                GameAppender::open(&path, &header("gothic")).expect("it is still a file");
            assert_eq!(appender.numbers, HashSet::from([7, 4]), "cut to {length}");
            assert_eq!((appender.games, appender.positions), (1, 3));
            drop(appender);
            assert_eq!(std::fs::read(&path).expect("readable").len(), whole);
        }
        std::fs::write(&path, &bytes).expect("writable");
        let mut games = GameReader::read(&path).expect("readable");
        assert_eq!(games.next_game(), Some((7, records(3))));
        assert_eq!(games.next_game(), Some((4, Vec::new())));
        assert_eq!(games.next_game(), Some((2, records(5))));
        assert_eq!(games.next_game(), None);
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn games_are_not_mixed_and_writers_not_either() {
        let path = scratch("mixed");
        let first = GameAppender::open(&path, &header("gothic")).expect("a new file");
        let error = GameAppender::open(&path, &header("gothic"))
            .err()
            .expect("it is in use")
            .to_string();
        assert!(error.contains("another process"), "{error}");
        drop(first);
        let error = GameAppender::open(&path, &header("congress"))
            .err()
            .expect("another game")
            .to_string();
        assert!(error.contains("gothic, not congress"), "{error}");
        let stronger = Header {
            network: 2,
            ..header("gothic")
        };
        let error = GameAppender::open(&path, &stronger).err();
        assert!(error.is_some_and(|error| error.to_string().contains("another network")));
        std::fs::write(&path, [b'x'; 100]).expect("writable");
        let error = GameAppender::open(&path, &header("gothic"))
            .err()
            .expect("no data")
            .to_string();
        assert!(error.contains("not training data"), "{error}");
        let _ = std::fs::remove_file(&path);
    }
}
