//! How much more is to come, told from the bytes that are there already.

use std::io::BufRead;

use super::ReadError;
use super::source::Source;

impl<R: BufRead> Source<R> {
    /// How many more of something there may be, if the one that took `bytes` and then `memory` is somewhat larger than the others.
    /// Never much more memory than there are bytes.
    pub(crate) fn estimate_remaining(
        &mut self,
        bytes: u64,
        memory: usize,
    ) -> Result<usize, ReadError> {
        let buffered_bytes = self.buffered_bytes()?;
        let each = usize::try_from(bytes).unwrap_or(usize::MAX).max(memory);
        let more = buffered_bytes / each.max(1);
        Ok(more + more / 4)
    }
}
