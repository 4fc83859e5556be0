//! The log of the client at its most detailed level, kept in memory.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard};

use tracing_subscriber::fmt::MakeWriter;

/// What was logged in this process.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Begins to record.
    pub(crate) fn record() -> Self {
        let log = Self::default();
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter("invoicing_client=trace,reqwest=trace,hyper=debug,hyper_util=debug")
            .with_writer(log.clone())
            .finish();
        tracing::subscriber::set_global_default(subscriber)
            .expect("each test is a process of its own");
        log
    }

    /// Adds a text.
    pub(crate) fn note(&self, text: &str) {
        self.bytes().extend_from_slice(text.as_bytes());
    }

    /// Its length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes().len()
    }

    /// What was logged after a length.
    pub(crate) fn text_from(&self, begin: usize) -> String {
        String::from_utf8_lossy(&self.bytes()[begin..]).into_owned()
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().expect("not poisoned")
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
