//! A file of training data: a header, then whole games.
//!
//! All numbers are little-endian, everything is a multiple of 32 bytes. The header has 64
//! bytes: a magic, the variant's name in 16 bytes, the seed and the nodes of the games,
//! the checksum of the network that played them in 8 each, the balance of their openings and the
//! nodes of their labels in 4 each. The highest bit of the balance says that the limit of nodes grew.
//! A game is a head of 32 bytes and its packed positions; it has none if its opening was not
//! played. The head has `GAME`, the count of the positions in 4 bytes, the number of the game, the
//! checksum of the positions and that of the file's header with the rest of the head in 8 each: so
//! no game is read with another header, and the file has no checksum of its own. Games are appended with one write each, in the order in
//! which they end. An unfinished last game is dropped; any other damage is an error.

use super::record::{BYTES, PackedPosition};
use crate::cli::{Console, Failure};
use crate::system::checksum::{Checksum, checksum};
use crate::system::files::{self, LockedFile};
use crate::system::sealed::{Format, SealedFault, SealedReader, padded};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

static FORMAT: Format =
    Format { what: "training data", magic: b"quadrille data 2", remedy: "play its games again" };
const HEADER_BYTES: usize = 64;
const GAME: &[u8; 4] = b"GAME";
/// The most records of a game.
const MAX_GAME: usize = 10_000;

/// The number of a game and its positions.
type Game = (u64, Vec<PackedPosition>);

/// Settings of the games of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub variant: String,
    pub seed: u64,
    /// Soft limit of nodes for each move.
    pub nodes: u64,
    /// True if the limit grew as pieces were captured.
    pub growth: bool,
    /// Checksum of the network's file; 0 for material.
    pub network: u64,
    /// Greatest imbalance of an opening; 0 if it was derived from the score model.
    pub balance: u32,
    /// Soft limit of nodes for each label; 0 if the search for the move labels too.
    pub label_nodes: u32,
}

impl Header {
    fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..16].copy_from_slice(FORMAT.magic);
        bytes[16..32].copy_from_slice(&padded::<16>(&self.variant));
        bytes[32..40].copy_from_slice(&self.seed.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.network.to_le_bytes());
        let growth = u32::from(self.growth) << 31;
        bytes[56..60].copy_from_slice(&(self.balance | growth).to_le_bytes());
        bytes[60..].copy_from_slice(&self.label_nodes.to_le_bytes());
        bytes
    }

    /// Returns true if games with the same number are the same in both files.
    pub(super) fn has_games_of(&self, other: &Self) -> bool {
        // Labels change no move.
        let label_nodes = self.label_nodes;
        *self == Self { label_nodes, ..other.clone() }
    }

    /// Describes every difference of two headers.
    fn differences(&self, other: &Self) -> Vec<String> {
        let settings = |header: &Self| {
            [
                ("", header.variant.clone()),
                ("seed ", header.seed.to_string()),
                ("nodes ", header.nodes.to_string()),
                ("growth ", header.growth.to_string()),
                ("balance ", header.balance.to_string()),
                ("label nodes ", header.label_nodes.to_string()),
                ("network ", format!("{:016x}", header.network)),
            ]
        };
        let pairs = settings(self).into_iter().zip(settings(other));
        let different = pairs.filter(|(own, other)| own != other);
        let described =
            different.map(|((name, own), (_, other))| format!("{name}{own}, not {other}"));
        described.collect()
    }

    fn read(input: &mut impl Read) -> Result<Self, SealedFault> {
        let mut input = SealedReader::new(&FORMAT, input)?;
        let name = input.take::<16>()?;
        let (seed, nodes, network) = (input.number()?, input.number()?, input.number()?);
        let [balance, label_nodes] = [input.take()?, input.take()?].map(u32::from_le_bytes);
        Ok(Self {
            variant: String::from_utf8_lossy(&name).trim_end_matches('\0').to_string(),
            seed,
            nodes,
            network,
            growth: balance >> 31 == 1,
            balance: balance & !(1 << 31),
            label_nodes,
        })
    }

    /// Returns the checksum of the header and the rest of a game's head.
    fn seal(&self, rest: &[u8]) -> [u8; 8] {
        let mut sum = Checksum::default();
        sum.add(&self.to_bytes());
        sum.add(rest);
        sum.value().to_le_bytes()
    }

    /// Encodes a game of this file.
    fn encode(&self, number: u64, records: &[PackedPosition]) -> Vec<u8> {
        let body = records.iter().flat_map(|record| record.to_bytes());
        let body: Vec<_> = body.collect();
        let mut bytes = GAME.to_vec();
        bytes.extend((records.len() as u32).to_le_bytes());
        bytes.extend(number.to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(self.seal(&bytes));
        bytes.extend(body);
        bytes
    }

    /// Decodes a game's head: the number of the game, the count of its positions, and their checksum;
    /// `None` if it is damaged.
    fn decode_head(&self, head: &[u8]) -> Option<(u64, usize, u64)> {
        let (rest, seal) = head.split_last_chunk()?;
        let (mark, rest_of_head) = rest.split_first_chunk()?;
        let (count, numbers) = rest_of_head.split_first_chunk()?;
        let &[number, sum] = numbers.as_chunks().0 else {
            return None;
        };
        let count = u32::from_le_bytes(*count) as usize;
        let is_sound = mark == GAME && count <= MAX_GAME && *seal == self.seal(rest);
        is_sound.then(|| (u64::from_le_bytes(number), count, u64::from_le_bytes(sum)))
    }

    /// Reads a game; `None` if the input does not begin with a whole one.
    fn read_game(&self, input: &mut impl Read) -> io::Result<Option<Game>> {
        let head = read_up_to(input, BYTES)?;
        let Some((number, count, sum)) = self.decode_head(&head) else {
            return Ok(None);
        };
        let body = read_up_to(input, BYTES * count)?;
        if body.len() < BYTES * count || checksum(&body) != sum {
            return Ok(None);
        }
        let records = body.as_chunks().0.iter();
        let records = records.map(|&bytes| PackedPosition::from_bytes(bytes));
        Ok(Some((number, records.collect())))
    }

    /// Returns true if bytes begin a game whose end was not written: it is missing, or has zeros
    /// in its place after a power cut.
    fn is_torn(&self, bytes: &[u8]) -> bool {
        let last = bytes.iter().rposition(|&byte| byte != 0);
        let written = last.map_or(0, |last| last + 1);
        let head = bytes.get(..BYTES).and_then(|head| self.decode_head(head));
        let size = BYTES * (1 + head.map_or(0, |(_, count, _)| count));
        // No position is all zeros.
        let is_short = bytes.len() < size || written + BYTES <= size;
        is_short && bytes[..written].iter().zip(GAME).all(|(a, b)| a == b)
    }
}

fn read_up_to(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file that games are appended to.
pub(super) struct GameAppender {
    file: LockedFile,
    header: Header,
    /// Numbers of the games in the file, also of those without positions.
    pub numbers: HashSet<u64>,
    /// Number of games with positions.
    pub games: u64,
    pub positions: u64,
}

impl GameAppender {
    /// Opens or creates a file. An unfinished game at its end is dropped, with a warning.
    pub(super) fn open(
        path: &Path,
        header: &Header,
        console: &mut dyn Console,
    ) -> Result<Self, Failure> {
        let failed = Failure::file::<io::Error>(path);
        let mut file = LockedFile::open(path).map_err(&failed)?;
        let mut end = HEADER_BYTES as u64;
        let (mut played, mut positions) = (0, 0);
        let mut numbers = HashSet::new();
        if file.length().map_err(&failed)? < end {
            let begun = file.read(0).map_err(&failed)?;
            if !header.to_bytes().starts_with(&begun) {
                return Err(Failure::file(path)(SealedFault::Foreign(&FORMAT)));
            }
            let missing = &header.to_bytes()[begun.len()..];
            file.append(missing).map_err(&failed)?;
        } else {
            let mut games = GameReader::open(path)?;
            if games.header != *header {
                let differences = games.header.differences(header).join("; ");
                return Err(Failure::file(path)(format!("it holds other games: {differences}")));
            }
            while let Some((_, records)) = games.next_game(console)? {
                played += u64::from(!records.is_empty());
                positions += records.len() as u64;
            }
            (numbers, end) = (games.numbers, games.end);
        }
        file.truncate(end).map_err(&failed)?;
        Ok(Self { file, header: header.clone(), numbers, games: played, positions })
    }

    pub(super) fn append(&mut self, number: u64, records: &[PackedPosition]) -> io::Result<()> {
        self.file.append(&self.header.encode(number, records))?;
        self.numbers.insert(number);
        self.games += u64::from(!records.is_empty());
        self.positions += records.len() as u64;
        Ok(())
    }
}

pub(super) struct GameReader<'p> {
    path: &'p Path,
    input: BufReader<File>,
    pub header: Header,
    /// Numbers of the games read.
    pub numbers: HashSet<u64>,
    /// Offset of the end of the last one.
    end: u64,
    /// True if damage is skipped with a warning.
    pub salvages: bool,
}

impl<'p> GameReader<'p> {
    /// Opens a file with games of a variant.
    pub(super) fn of(game: &'static str, path: &'p Path) -> Result<Self, Failure> {
        let games = Self::open(path)?;
        let check = FORMAT.check_game(games.header.variant.as_bytes(), game);
        check.map(|()| games).map_err(Failure::file(path))
    }

    /// Opens a file for reading.
    pub(super) fn open(path: &'p Path) -> Result<Self, Failure> {
        let file = files::open(path).map_err(Failure::file(path))?;
        let mut input = BufReader::with_capacity(1 << 20, file);
        let header = Header::read(&mut input).map_err(Failure::file(path))?;
        Ok(Self {
            path,
            input,
            header,
            numbers: HashSet::new(),
            end: HEADER_BYTES as u64,
            salvages: false,
        })
    }

    /// Returns the upper bound of the number of positions.
    pub(super) fn most_positions(&self) -> u64 {
        let data = self.input.get_ref().metadata();
        data.map_or(0, |data| data.len() / BYTES as u64)
    }

    /// Reads the next game; `None` at the end of the file, or before an unfinished game there, which
    /// is left out with a warning.
    ///
    /// # Errors
    ///
    /// The game is damaged or repeated, unless the reader salvages the others.
    pub(super) fn next_game(&mut self, console: &mut dyn Console) -> Result<Option<Game>, Failure> {
        let failed = Failure::file::<io::Error>(self.path);
        let name = self.path.display();
        loop {
            let game = self.header.read_game(&mut self.input).map_err(&failed)?;
            if let Some((number, records)) = game
                && self.numbers.insert(number)
            {
                self.end += (BYTES * (1 + records.len())) as u64;
                return Ok(Some((number, records)));
            }
            let mut rest = Vec::new();
            self.input.seek(SeekFrom::Start(self.end)).map_err(&failed)?;
            self.input.read_to_end(&mut rest).map_err(&failed)?;
            let next = self.next_in(&rest);
            if rest.is_empty() {
                return Ok(None);
            } else if next.is_none() && self.header.is_torn(&rest) {
                let bytes = rest.len();
                console.warn(&format!(
                    "{name}: its last {bytes} bytes, an unfinished game, are dropped"
                ));
                return Ok(None);
            }
            let fault = format!("the game at byte {} is damaged or repeated", self.end);
            if !self.salvages {
                let variant = &self.header.variant;
                return Err(Failure::file(self.path)(format!(
                    "{fault}; `datagen {variant} --salvage {name} --out NEW` copies the others"
                )));
            }
            console.warn(&format!("{name}: {fault}"));
            self.end += next.unwrap_or(rest.len()) as u64;
            self.input.seek(SeekFrom::Start(self.end)).map_err(&failed)?;
        }
    }

    /// Finds the next whole game in the rest of the file.
    fn next_in(&self, rest: &[u8]) -> Option<usize> {
        let is_new = |mut bytes: &[u8]| {
            let game = self.header.read_game(&mut bytes).ok().flatten();
            game.is_some_and(|(number, _)| !self.numbers.contains(&number))
        };
        (1..rest.len()).find(|&at| rest[at..].starts_with(GAME) && is_new(&rest[at..]))
    }
}
