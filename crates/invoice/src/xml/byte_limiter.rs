//! Bytes that run out: nothing larger than allowed is ever elements in memory.

use std::io::{self, BufRead, Read};

use super::Limit;

/// Passes on what it is given until the file or one token of it becomes too large.
#[derive(Debug)]
pub(super) struct ByteLimiter<R> {
    pub(super) inner: R,
    /// What is left of the file beyond what the token may have.
    file: u64,
    /// What is left of the token, and of the file if that is less.
    token: usize,
    /// What ran out.
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

    /// A new token begins, which may have so many bytes.
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
