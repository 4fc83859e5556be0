//! A tracing event for each statement of a write.

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

/// Emits an event at level debug after each statement that `connection` runs, if that level is enabled now. It has the text of the statement with
/// placeholders, never with values.
pub(super) fn install(connection: &Connection) {
    // SQLite reads the clock twice for each traced statement.
    if tracing::enabled!(tracing::Level::DEBUG) {
        let finished = TraceEventCodes::SQLITE_TRACE_PROFILE;
        connection.trace_v2(finished, Some(trace_statement));
    }
}

fn trace_statement(event: TraceEvent<'_>) {
    if let TraceEvent::Profile(statement, _) = event {
        tracing::debug!(statement = &*statement.sql());
    }
}
