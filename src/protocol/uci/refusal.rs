//! Refused lines: a code for programs, and a sentence for people (`protocol.md`, "Lines").

use crate::engine::{MoveFault, OptionError, PositionError, TypedError};
use crate::system::text::{ValueError, shorten};
use crate::text::SanError;

/// The kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Code {
    AmbiguousMove,
    Fen,
    IllegalMove,
    IncompleteMove,
    RefusedPosition,
    Syntax,
    TooLong,
    UnknownCommand,
    UnknownOption,
    UnknownQuestion,
    UnreadableMove,
    Value,
    Variant,
}

impl Code {
    /// Returns the word of the protocol.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::AmbiguousMove => "ambiguous-move",
            Self::Fen => "fen",
            Self::IllegalMove => "illegal-move",
            Self::IncompleteMove => "incomplete-move",
            Self::RefusedPosition => "refused-position",
            Self::Syntax => "syntax",
            Self::TooLong => "too-long",
            Self::UnknownCommand => "unknown-command",
            Self::UnknownOption => "unknown-option",
            Self::UnknownQuestion => "unknown-question",
            Self::UnreadableMove => "unreadable-move",
            Self::Value => "value",
            Self::Variant => "variant",
        }
    }
}

/// The refusal of a line.
#[derive(Debug)]
pub(super) struct Refusal {
    pub code: Code,
    /// The number of the move, or the game of the FEN, where the code has one.
    pub value: Option<String>,
    /// The sentence.
    pub text: String,
}

impl Refusal {
    pub(super) fn new(code: Code, text: impl ToString) -> Self {
        Self { code, value: None, text: text.to_string() }
    }

    fn of_move(code: Code, number: usize, text: impl ToString) -> Self {
        Self { value: Some(number.to_string()), ..Self::new(code, text) }
    }
}

impl From<ValueError> for Refusal {
    fn from(error: ValueError) -> Self {
        Self::new(Code::Value, error)
    }
}

impl From<OptionError> for Refusal {
    fn from(error: OptionError) -> Self {
        match error {
            OptionError::Unknown { .. } => Self::new(Code::UnknownOption, error),
            _ => Self::new(Code::Value, error),
        }
    }
}

impl From<PositionError> for Refusal {
    fn from(error: PositionError) -> Self {
        match &error {
            PositionError::Fen(_) => Self::new(Code::Fen, error),
            PositionError::San { number, fault } => {
                let code = match fault {
                    SanError::Ambiguous(..) => Code::AmbiguousMove,
                    SanError::Illegal { .. } => Code::IllegalMove,
                    SanError::NotAMove(_) => Code::UnreadableMove,
                };
                Self::of_move(code, *number, fault)
            }
            PositionError::TooLong => Self::new(Code::TooLong, error),
            PositionError::Move { text, number, fault } => {
                let code = match fault {
                    MoveFault::Illegal { .. } => Code::IllegalMove,
                    MoveFault::NeedsLetter { .. } => Code::IncompleteMove,
                    MoveFault::Misspelt { .. } | MoveFault::Unreadable { .. } => {
                        Code::UnreadableMove
                    }
                };
                Self::of_move(code, *number, format!("`{}` {fault}", shorten(text)))
            }
        }
    }
}

/// The only move of a question.
impl From<TypedError> for Refusal {
    fn from(error: TypedError) -> Self {
        let code = match error {
            TypedError::Ambiguous(_) => Code::AmbiguousMove,
            TypedError::Illegal(..) => Code::IllegalMove,
            TypedError::Incomplete(..) => Code::IncompleteMove,
            TypedError::NoMove(_) => Code::UnreadableMove,
        };
        Self::of_move(code, 1, error)
    }
}
