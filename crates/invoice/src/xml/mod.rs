//! XML as invoices need it: a pull reader that is bounded in every direction, and a writer.

mod attributes;
mod bilingual;
mod byte_limiter;
mod capacity;
mod encoding;
mod error;
mod fields;
mod lexical;
mod source;
mod unmapped;
mod unmapped_recording;
mod writer;

pub use error::{Limit, ReadError, WriteError};
pub use unmapped::UnmappedElement;

use bilingual::{join_languages, split_languages};
pub(crate) use fields::append;
pub(crate) use source::Source;
pub(crate) use writer::Writer;

/// What reading may cost at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of the whole file.
    pub bytes: u64,
    /// Of one tag, one text or one comment.
    pub token_bytes: u64,
    /// Elements inside each other.
    pub depth: usize,
    /// Lines, allowances, rows and whatever else repeats, all together.
    pub repeated: u32,
    /// Different names that could not be read.
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
