//! The failure of a command. `main` alone prints it, with the name of the command.

use crate::engine::{PositionError, UnknownVariant};
pub use crate::system::Cause;
use crate::system::text::ValueError;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The failure of a command, by its cause.
#[derive(Debug)]
pub enum Failure {
    /// The command line is wrong. `main` points to `--help`.
    Usage(String),
    /// A file cannot be used.
    File { name: String, cause: Cause },
    /// The command cannot do its work.
    Refused(Cause),
    /// Ctrl-C or the like came first. The text says what is kept or missing.
    Interrupted(Cow<'static, str>),
    /// No failure: a word asks for the help of the command.
    Help,
}

impl Failure {
    /// Returns a function that makes an error a failure of this file.
    pub fn file<E: Into<Cause>>(path: impl AsRef<Path>) -> impl Fn(E) -> Self {
        move |error| Self::File { name: path.as_ref().display().to_string(), cause: error.into() }
    }

    /// Describes that a thread could not be started.
    pub fn no_thread(error: io::Error) -> Self {
        Self::refused(format!("cannot start a thread: {error}"))
    }

    /// Refuses work, for a reason.
    pub fn refused(cause: impl Into<Cause>) -> Self {
        Self::Refused(cause.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(fault) => f.write_str(fault),
            Self::File { name, cause } => write!(f, "{name}: {cause}"),
            Self::Refused(cause) => cause.fmt(f),
            Self::Interrupted(left) => write!(f, "interrupted; {left}"),
            Self::Help => f.write_str("see --help"),
        }
    }
}

impl Error for Failure {}

/// Returns true if a program to start is nowhere in `PATH`, which may name what cannot be read.
pub fn is_not_installed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied
    )
}

/// Faults of the words of a command line.
macro_rules! usage {
    ($($error:ty),*) => { $(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Usage(error.to_string())
            }
        }
    )* };
}
usage!(ValueError, PositionError, UnknownVariant);
