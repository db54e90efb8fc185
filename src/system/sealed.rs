//! Sealed files: a magic, a content, and a checksum that no damage passes.
//!
//! The checksum is at the end, over all bytes before it, or somewhere within, over all that follow.

use super::Cause;
use super::checksum::{Checksum, checksum};
use super::files::{self, Replacement};
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

/// A kind of sealed file.
#[derive(Debug)]
pub struct Format {
    /// Describes such a file: "a network".
    pub what: &'static str,
    /// First bytes. The last one is the version.
    pub magic: &'static [u8],
    /// Advice where one is damaged.
    pub remedy: &'static str,
}

/// Fault of a sealed file.
#[derive(Debug)]
pub enum SealedFault {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// The file is of another kind.
    Foreign(&'static Format),
    /// The file is of another version.
    Version(&'static Format),
    /// The file belongs to the first game, not to the second.
    Game(&'static Format, String, &'static str),
    /// The file was cut off, changed or continued.
    Damaged(&'static Format),
    /// The file is whole, but its content is of no use.
    Refused(Cause),
}

impl Display for SealedFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Foreign(Format { what, .. }) => write!(f, "it is not {what}"),
            Self::Version(Format { what, .. }) => write!(f, "it is {what} of another version"),
            Self::Game(Format { what, .. }, found, wanted) => {
                write!(f, "it is {what} of `{found}`, not of {wanted}")
            }
            Self::Damaged(Format { remedy, .. }) => write!(f, "it is damaged; {remedy}"),
            Self::Refused(cause) => cause.fmt(f),
        }
    }
}

impl Error for SealedFault {}

impl Format {
    /// Refuses a file of another game by the name in it, which zeros may follow.
    pub fn check_game(
        &'static self,
        found: &[u8],
        wanted: &'static str,
    ) -> Result<(), SealedFault> {
        let found = String::from_utf8_lossy(found);
        let found = found.trim_end_matches('\0');
        if found == wanted {
            return Ok(());
        }
        let found = found.chars().filter(|c| !c.is_control()).collect();
        Err(SealedFault::Game(self, found, wanted))
    }

    /// Encodes a file whose checksum is between two parts, over the second.
    pub fn seal(&self, head: &[u8], body: &[u8]) -> Vec<u8> {
        [self.magic, head, &checksum(body).to_le_bytes(), body].concat()
    }
}

/// Returns a name, followed by zeros.
pub fn padded<const N: usize>(name: &str) -> [u8; N] {
    let mut field = [0; N];
    field.iter_mut().zip(name.bytes()).for_each(|(to, byte)| *to = byte);
    field
}

/// Writes a file with its checksum at the end, as a whole or not at all.
pub struct SealedWriter {
    file: BufWriter<Replacement>,
    sum: Checksum,
}

impl SealedWriter {
    /// Begins a file with its magic.
    pub fn create(format: &Format, path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(Replacement::create(path)?);
        let mut writer = Self { file, sum: Checksum::default() };
        writer.write(format.magic)?;
        Ok(writer)
    }

    /// Appends content.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.file.write_all(bytes)
    }

    /// Appends the checksum, and puts the file in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.write_all(&self.sum.value().to_le_bytes())?;
        self.file.into_inner()?.finish()
    }
}

/// Reads a sealed file from its content on.
pub struct SealedReader<R> {
    format: &'static Format,
    input: R,
    sum: Checksum,
    /// Checksum of what follows it, once it was read.
    seal: Option<[u8; 8]>,
}

impl SealedReader<BufReader<File>> {
    /// Opens a file and reads its magic.
    pub fn open(format: &'static Format, path: &Path) -> Result<Self, SealedFault> {
        let file = files::open(path).map_err(SealedFault::Unreadable)?;
        Self::new(format, BufReader::new(file))
    }
}

impl<R: Read> SealedReader<R> {
    /// Reads the magic.
    pub fn new(format: &'static Format, input: R) -> Result<Self, SealedFault> {
        let mut reader = Self { format, input, sum: Checksum::default(), seal: None };
        let (version, mut found) = (format.magic.len() - 1, vec![0; format.magic.len()]);
        match reader.fill(&mut found) {
            Ok(()) if found == format.magic => Ok(reader),
            Ok(()) if found[..version] == format.magic[..version] => {
                Err(SealedFault::Version(format))
            }
            Err(SealedFault::Unreadable(error)) => Err(SealedFault::Unreadable(error)),
            _ => Err(SealedFault::Foreign(format)),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), SealedFault> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => SealedFault::Damaged(self.format),
            _ => SealedFault::Unreadable(error),
        })?;
        self.sum.add(bytes);
        Ok(())
    }

    /// Reads the next bytes.
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], SealedFault> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a number of eight bytes.
    pub fn number(&mut self) -> Result<u64, SealedFault> {
        self.take().map(u64::from_le_bytes)
    }

    /// Reads the checksum of all that follows.
    pub fn take_seal(&mut self) -> Result<(), SealedFault> {
        self.seal = Some(self.take()?);
        self.sum = Checksum::default();
        Ok(())
    }

    /// Reads the rest of the content and tests the checksum.
    pub fn rest(mut self) -> Result<Vec<u8>, SealedFault> {
        let mut bytes = Vec::new();
        self.input.read_to_end(&mut bytes).map_err(SealedFault::Unreadable)?;
        let seal = self.seal.or_else(|| {
            let seal = *bytes.last_chunk()?;
            bytes.truncate(bytes.len() - seal.len());
            Some(seal)
        });
        self.sum.add(&bytes);
        let is_sound = seal == Some(self.sum.value().to_le_bytes());
        if is_sound { Ok(bytes) } else { Err(SealedFault::Damaged(self.format)) }
    }
}
