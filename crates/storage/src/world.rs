//! Temporary: [`Clock`] and [`Rng`] in one value, until every caller takes them separately.

use std::fmt;
use std::sync::Arc;

pub use crate::clock::{Clock, SystemClock};
pub use crate::rng::{Rng as Randomness, SystemRng as SystemRandomness};

/// Clock and random source.
#[derive(Clone)]
pub struct World {
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// The random source.
    pub randomness: Arc<dyn Randomness>,
}

impl World {
    /// Those of the operating system.
    #[must_use]
    pub fn system() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            randomness: Arc::new(SystemRandomness),
        }
    }
}

impl fmt::Debug for World {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("World").finish_non_exhaustive()
    }
}
