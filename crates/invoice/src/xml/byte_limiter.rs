//! Limits the size of the input and of each token, so that nothing larger is ever buffered.

use std::io::{self, BufRead, Read};

use super::Limit;

/// A reader that fails as soon as the file or one token exceeds its limit.
#[derive(Debug)]
pub(super) struct ByteLimiter<R> {
    pub(super) inner: R,
    /// The remaining bytes of the file beyond those of the token.
    file: u64,
    /// The remaining bytes of the token, or of the file if that is less.
    token: usize,
    /// The limit that was exceeded.
    pub(super) exceeded: Option<Limit>,
}

impl<R: BufRead> ByteLimiter<R> {
    pub(super) fn new(inner: R, file: u64) -> Self {
        Self {
            inner,
            file,
            token: 0,
            exceeded: None,
        }
    }

    /// Starts a token of at most this many bytes.
    pub(super) fn token(&mut self, bytes: u64) {
        let left = self.file + self.token as u64;
        self.token = usize::try_from(left.min(bytes)).unwrap_or(usize::MAX);
        self.file = left - self.token as u64;
    }
}

impl<R: BufRead> BufRead for ByteLimiter<R> {
    #[inline(always)]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.inner.fill_buf()?;
        if self.token == 0 && !bytes.is_empty() {
            self.exceeded = Some(if self.file == 0 {
                Limit::Bytes
            } else {
                Limit::TokenBytes
            });
            return Err(io::Error::other("too large"));
        }
        Ok(&bytes[..bytes.len().min(self.token)])
    }

    #[inline(always)]
    fn consume(&mut self, bytes: usize) {
        self.token = self.token.saturating_sub(bytes);
        self.inner.consume(bytes);
    }
}

impl<R: BufRead> Read for ByteLimiter<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let length = bytes.len().min(into.len());
        into[..length].copy_from_slice(&bytes[..length]);
        self.consume(length);
        Ok(length)
    }
}
