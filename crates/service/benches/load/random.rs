//! Pseudo-random numbers of a load.

use std::cell::Cell;

/// Pseudo-random numbers (xorshift), the same in every run.
pub(crate) struct Numbers(Cell<u64>);

impl Numbers {
    pub(crate) const fn new() -> Self {
        Self(Cell::new(0x9E37_79B9_7F4A_7C15))
    }

    pub(crate) fn below(&self, limit: usize) -> usize {
        let mut state = self.0.get();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.0.set(state);
        usize::try_from(state >> 16).unwrap_or(0) % limit
    }
}
