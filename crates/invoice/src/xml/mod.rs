//! XML for invoices: a pull parser with resource limits, and a writer.

mod attributes;
mod bilingual;
mod byte_limiter;
mod capacity;
mod encoding;
mod error;
mod fields;
mod lexical;
mod namespace_bindings;
mod source;
mod unmapped;
mod unmapped_recording;
mod writer;

pub use error::{Limit, MalformedXml, ReadError, WriteError};
pub use lexical::is_xml;
pub use unmapped::UnmappedElement;

use bilingual::{join_languages, split_languages};
pub(crate) use fields::append;
pub(crate) use source::Source;
pub(crate) use writer::Writer;

/// Resource limits of reading one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest size of the file in bytes.
    pub bytes: u64,
    /// The largest size of one tag, text or comment in bytes.
    pub token_bytes: u64,
    /// The largest depth of nested elements.
    pub depth: usize,
    /// The largest number of repeated elements, such as lines, allowances and tax rows, all together.
    pub repeated: u32,
    /// The largest number of different unmapped paths.
    pub unmapped_names: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 100 << 20,
            token_bytes: 32 << 20,
            depth: 32,
            repeated: 200_000,
            unmapped_names: 1_000,
        }
    }
}
