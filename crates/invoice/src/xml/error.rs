//! Why a file could not be read or written.

use std::io;

use thiserror::Error;

/// Why a file is not read. Every position is a number of bytes from its start.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The bytes did not come.
    #[error("could not be read at byte {position}: {source}")]
    Input {
        /// How far it was read.
        position: u64,
        /// Why.
        source: io::Error,
    },
    /// It is not well-formed XML.
    #[error("is not well-formed XML at byte {position}: {reason}")]
    Malformed {
        /// Where.
        position: u64,
        /// What the parser says.
        reason: String,
    },
    /// It has a document type declaration, which no invoice needs and with which attacks begin.
    #[error("has a document type declaration at byte {position}")]
    Doctype {
        /// Where.
        position: u64,
    },
    /// It names an entity that XML itself does not have.
    #[error("names the unknown entity '{name}' at byte {position}")]
    Entity {
        /// Where.
        position: u64,
        /// Which.
        name: String,
    },
    /// It is neither UTF-8 nor UTF-16 nor ISO 8859-1, or not what it says that it is.
    #[error("is written in {name}, which is not read or not what it is written in")]
    Encoding {
        /// Where it says so.
        position: u64,
        /// What it is written in.
        name: String,
    },
    /// It is another kind of document.
    #[error("begins with '{name}' and is not an invoice that can be read")]
    Root {
        /// Where.
        position: u64,
        /// Its root element.
        name: String,
    },
    /// It is larger than what is read.
    #[error("goes beyond the limit of {limit} at byte {position}")]
    Limit {
        /// Where.
        position: u64,
        /// Which one.
        limit: Limit,
    },
}

/// A limit of [`Limits`](super::Limits).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Limit {
    /// [`Limits::bytes`](super::Limits::bytes)
    #[error("bytes")]
    Bytes,
    /// [`Limits::token_bytes`](super::Limits::token_bytes)
    #[error("bytes of one text or tag")]
    TokenBytes,
    /// [`Limits::depth`](super::Limits::depth)
    #[error("depth")]
    Depth,
    /// [`Limits::repeated`](super::Limits::repeated)
    #[error("repeated elements")]
    Repeated,
    /// [`Limits::unmapped_names`](super::Limits::unmapped_names)
    #[error("unknown names")]
    UnmappedNames,
    /// Attributes of one element.
    #[error("attributes of one element")]
    Attributes,
}

impl ReadError {
    /// Where it happened, in bytes from the start of the file.
    #[must_use]
    pub const fn position(&self) -> u64 {
        match self {
            Self::Input { position, .. }
            | Self::Malformed { position, .. }
            | Self::Doctype { position }
            | Self::Entity { position, .. }
            | Self::Encoding { position, .. }
            | Self::Root { position, .. }
            | Self::Limit { position, .. } => *position,
        }
    }
}

/// Why a document cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WriteError {
    /// XML has no way to say this character.
    #[error("{element} contains U+{:04X}, which XML cannot hold", *.character as u32)]
    Character {
        /// The element whose text it is.
        element: &'static str,
        /// The character.
        character: char,
    },
    /// Both languages stand in one element, and neither can be told from the other when it is read.
    #[error("{element} has two languages that cannot be told apart when it is read")]
    Languages {
        /// The element.
        element: &'static str,
    },
    /// Its root element has no code for this kind of document.
    #[error("the type code '{type_code}' does not fit the kind of the document")]
    TypeCode {
        /// BT-3
        type_code: String,
    },
}
