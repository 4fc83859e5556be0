//! Errors of reading and writing XML.

use std::io;

use thiserror::Error;

/// Why a document cannot be read. Positions are in bytes from the start of the file.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The input failed.
    #[error("could not be read at byte {position}: {source}")]
    Input {
        /// How far it was read.
        position: u64,
        /// The reason as text.
        source: io::Error,
    },
    /// The document is not well-formed XML.
    #[error("is not well-formed XML at byte {position}: {source}")]
    Malformed {
        /// Where.
        position: u64,
        /// How it is malformed.
        source: MalformedXml,
    },
    /// The document has a document type declaration, which invoices do not need and entity attacks use.
    #[error("has a document type declaration at byte {position}")]
    Doctype {
        /// Where.
        position: u64,
    },
    /// The document refers to an entity that is not predefined.
    #[error("names the unknown entity '{name}' at byte {position}")]
    Entity {
        /// Where.
        position: u64,
        /// Which.
        name: String,
    },
    /// The encoding is not UTF-8, UTF-16 or ISO 8859-1, or differs from the declared one.
    #[error("is written in {name}, which is not read or not what it is written in")]
    Encoding {
        /// Where it says so.
        position: u64,
        /// What it is written in.
        name: String,
    },
    /// The root element is not that of an invoice.
    #[error("begins with '{name}' and is not an invoice that can be read")]
    Root {
        /// Where.
        position: u64,
        /// Its root element.
        name: String,
    },
    /// The document exceeds a limit.
    #[error("goes beyond the limit of {limit} at byte {position}")]
    Limit {
        /// Where.
        position: u64,
        /// Which one.
        limit: Limit,
    },
}

/// How a document is malformed.
#[derive(Debug, Error)]
pub enum MalformedXml {
    /// There is no root element.
    #[error("there is no element")]
    NoRoot,
    /// An element follows the root element.
    #[error("there is a second root element")]
    SecondRoot,
    /// The input ends before the root element.
    #[error("the file ends early")]
    EndsEarly,
    /// An XML declaration follows the start of the root element.
    #[error("a declaration stands in the middle")]
    MisplacedDeclaration,
    /// The parser did not expand an empty element.
    #[error("an element is not expanded")]
    UnexpandedElement,
    /// An element has two attributes of one name.
    #[error("the attribute {name} stands twice")]
    DuplicateAttribute {
        /// The name with its prefix.
        name: String,
    },
    /// An attribute has a syntax error.
    #[error(transparent)]
    Attribute(#[from] quick_xml::events::attributes::AttrError),
    /// The parser rejected the document.
    #[error(transparent)]
    Parser(#[from] quick_xml::Error),
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
    /// The largest number of attributes of one element.
    #[error("attributes of one element")]
    Attributes,
    /// The largest name of an element or attribute with its prefix, in bytes.
    #[error("bytes of one name")]
    NameBytes,
}

impl ReadError {
    /// The position in bytes from the start of the file.
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
    /// XML 1.0 does not allow the character.
    #[error("{element} contains U+{:04X}, which XML cannot hold", *.character as u32)]
    Character {
        /// The element with the text.
        element: &'static str,
        /// The character.
        character: char,
    },
    /// The type code contradicts the kind of the document.
    #[error("the type code '{type_code}' does not fit the kind of the document")]
    TypeCode {
        /// BT-3
        type_code: String,
    },
}
