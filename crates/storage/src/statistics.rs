//! What an engine reports about itself, for metrics.

/// The pool of connections of an engine, and what it has repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageStatistics {
    /// The engine: `postgresql`.
    pub engine: &'static str,
    /// Open connections that a transaction uses.
    pub connections_used: u64,
    /// Open connections that none uses.
    pub connections_idle: u64,
    /// Most open connections.
    pub connections_limit: u64,
    /// Transactions that wait for a connection.
    pub waiting: u64,
    /// Attempts at transactions that failed and were repeated, since the process started.
    pub retries: u64,
}
