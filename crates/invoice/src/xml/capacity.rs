//! Estimates vector capacities from the buffered input.

use std::io::BufRead;

use super::ReadError;
use super::source::Source;

impl<R: BufRead> Source<R> {
    /// Estimates how many more elements follow, from the size of the first one in the input (`bytes`) and in memory (`memory`).
    /// The estimated memory never exceeds the buffered bytes by much.
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
