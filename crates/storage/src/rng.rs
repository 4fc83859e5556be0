//! The source of random bytes, passed in so that tests can fix it.

/// A cryptographically secure source of random bytes.
pub trait Rng: Send + Sync {
    /// Fills `bytes` with unpredictable values.
    fn fill(&self, bytes: &mut [u8]);
}

/// The random source of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRng;

impl Rng for SystemRng {
    /// # Panics
    /// When the operating system returns no random bytes: then no secret would be safe to issue.
    fn fill(&self, bytes: &mut [u8]) {
        aws_lc_rs::rand::fill(bytes).expect("the operating system returns random bytes");
    }
}
