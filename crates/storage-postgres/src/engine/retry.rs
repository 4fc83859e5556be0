//! Which errors a repetition can cure, and how often it is tried.

use std::time::Duration;

use deadpool_postgres::PoolError;
use invoicing_storage::{Rng, StorageError};
use tokio_postgres::error::SqlState;

use super::error::EngineError;

/// Attempts at a transaction.
const ATTEMPTS: u32 = 5;
/// The longest pause before the second attempt. It doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(20);

/// Why an attempt at a transaction failed.
pub(super) struct Failure {
    error: EngineError,
    /// Whether the outcome of its commit is unknown.
    in_doubt: bool,
}

impl Failure {
    /// Nothing was committed.
    pub(super) const fn before_commit(error: EngineError) -> Self {
        Self {
            error,
            in_doubt: false,
        }
    }

    /// The pool gave no connection.
    pub(super) fn not_begun(error: PoolError) -> Self {
        Self::before_commit(match error {
            PoolError::Backend(error) => EngineError::Connection(error),
            error @ (PoolError::Timeout(_)
            | PoolError::Closed
            | PoolError::NoRuntimeSpecified
            | PoolError::PostCreateHook(_)) => EngineError::Pool(error),
        })
    }

    /// COMMIT succeeded with a warning: the wait for the standby was cut short. A repetition would find the commit and could not
    /// tell whether the standby has it.
    pub(super) const fn not_replicated() -> Self {
        Self {
            error: EngineError::NotReplicated,
            in_doubt: true,
        }
    }

    /// Whether a parameter was a text that PostgreSQL does not have, as one with U+0000.
    pub(super) fn is_about_a_text(&self) -> bool {
        match &self.error {
            EngineError::Postgres(error) => {
                error.code() == Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE)
            }
            EngineError::Connection(_)
            | EngineError::Pool(_)
            | EngineError::NoAnswer(_)
            | EngineError::FailedStatement
            | EngineError::NotReplicated
            | EngineError::Storage(_) => false,
        }
    }

    /// Whether the connection on which it happened is of no use any more.
    pub(super) fn breaks_connection(&self) -> bool {
        self.error.breaks_connection()
    }

    /// COMMIT failed, or a statement that it was sent with. A server that answers with an error has rolled back, unless it says
    /// that it ends the connection.
    pub(super) fn at_commit(error: EngineError) -> Self {
        let in_doubt = match &error {
            EngineError::Postgres(error) => error.code().is_none_or(ends_connection),
            EngineError::NoAnswer(_) | EngineError::NotReplicated => true,
            EngineError::Connection(_)
            | EngineError::Pool(_)
            | EngineError::FailedStatement
            | EngineError::Storage(_) => false,
        };
        Self { error, in_doubt }
    }
}

/// What an attempt that failed means for the next.
#[derive(Debug, PartialEq, Eq)]
enum Remedy {
    /// Another attempt can succeed.
    Repeat,
    /// The caller has to wait longer than attempts last.
    Wait,
    /// It would fail again.
    None,
}

impl EngineError {
    /// Whether the connection on which it happened is of no use any more.
    pub(super) fn breaks_connection(&self) -> bool {
        match self {
            Self::Postgres(error) => error.code().is_none_or(|code| {
                *code == SqlState::READ_ONLY_SQL_TRANSACTION || ends_connection(code)
            }),
            Self::NoAnswer(_) => true,
            Self::Connection(_)
            | Self::Pool(_)
            | Self::Storage(_)
            | Self::FailedStatement
            | Self::NotReplicated => false,
        }
    }

    fn remedy(&self) -> Remedy {
        match self {
            // Repeating it would add to what the server has too much of.
            Self::Connection(error) if error.code().is_some_and(is_resource_missing) => {
                Remedy::Wait
            }
            Self::Connection(_) => Remedy::Repeat,
            Self::Pool(PoolError::Timeout(_)) => Remedy::Wait,
            // The next connection would be as silent, and the caller has waited longer than a statement may take.
            Self::NoAnswer(_) => Remedy::Wait,
            Self::Postgres(error) => match error.code() {
                // The connection broke.
                None if error.is_closed() || is_io(error) => Remedy::Repeat,
                None => Remedy::None,
                Some(code) if *code == SqlState::T_R_SERIALIZATION_FAILURE => Remedy::Repeat,
                Some(code) if *code == SqlState::T_R_DEADLOCK_DETECTED => Remedy::Repeat,
                // A primary that became a standby: the pool finds the new one.
                Some(code) if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Remedy::Repeat,
                Some(code) if ends_connection(code) => Remedy::Repeat,
                // Not for the caller to wait: an operator has to make room.
                Some(code) if *code == SqlState::DISK_FULL => Remedy::None,
                Some(code)
                    if *code == SqlState::LOCK_NOT_AVAILABLE
                        || *code == SqlState::QUERY_CANCELED
                        || is_resource_missing(code) =>
                {
                    Remedy::Wait
                }
                Some(_) => Remedy::None,
            },
            Self::Pool(_) | Self::Storage(_) | Self::FailedStatement | Self::NotReplicated => {
                Remedy::None
            }
        }
    }
}

/// Errors with which the server ends a connection, and those of the connection itself (class 08).
pub(super) fn ends_connection(code: &SqlState) -> bool {
    *code == SqlState::ADMIN_SHUTDOWN
        || *code == SqlState::CRASH_SHUTDOWN
        || *code == SqlState::CANNOT_CONNECT_NOW
        || code.code().starts_with("08")
}

/// Errors of a server that lacks a resource (class 53): connections, memory, room on the disk.
pub(super) fn is_resource_missing(code: &SqlState) -> bool {
    code.code().starts_with("53")
}

/// Whether reading from or writing to the connection failed.
fn is_io(error: &tokio_postgres::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.is::<std::io::Error>())
}

/// The attempts at one transaction.
#[derive(Default)]
pub(super) struct Retry {
    failed: u32,
    /// An attempt failed at its commit.
    in_doubt: bool,
}

impl Retry {
    /// Whether an attempt failed at its commit, so that its outcome is unknown.
    pub(super) const fn in_doubt(&self) -> bool {
        self.in_doubt
    }

    /// Waits until the next attempt may be made.
    ///
    /// # Errors
    /// When no attempt may be made any more.
    pub(super) async fn after(
        &mut self,
        failure: Failure,
        rng: &dyn Rng,
    ) -> Result<(), StorageError> {
        self.failed += 1;
        self.in_doubt |= failure.in_doubt;
        let remedy = failure.error.remedy();
        let repeat = matches!(remedy, Remedy::Repeat);
        if repeat && self.failed < ATTEMPTS {
            tracing::debug!(error = %failure.error, attempt = self.failed, "a transaction is repeated");
            tokio::time::sleep(pause(self.failed, rng)).await;
            return Ok(());
        }
        tracing::warn!(error = %failure.error, attempts = self.failed, "a transaction failed");
        Err(if self.in_doubt {
            StorageError::in_doubt(failure.error.into_cause())
        } else {
            match remedy {
                Remedy::Repeat | Remedy::Wait => StorageError::Busy,
                Remedy::None => failure.error.into(),
            }
        })
    }
}

/// A random part of the longest pause, so that processes that collided do not meet again.
fn pause(failed: u32, rng: &dyn Rng) -> Duration {
    let mut byte = [0];
    rng.fill(&mut byte);
    let longest = FIRST_PAUSE * 2_u32.pow(failed - 1);
    longest * (u32::from(byte[0]) + 1) / 256
}

#[cfg(test)]
mod tests {
    use std::mem::{Discriminant, discriminant};

    use invoicing_storage::SystemRng;
    use invoicing_test_postgres::Server;

    use super::*;

    /// All that the engine takes from an error of the server.
    #[derive(Debug, PartialEq, Eq)]
    struct Consequences {
        remedy: Remedy,
        breaks_connection: bool,
        in_doubt_at_commit: bool,
        is_about_a_text: bool,
        after_the_last_attempt: Discriminant<StorageError>,
    }

    /// Those of the error with this SQLSTATE.
    async fn consequences(code: &str) -> Consequences {
        let client = Server::shared().administrator().await;
        let raise = format!("DO $$ BEGIN RAISE SQLSTATE '{code}'; END $$");
        let raised = async || {
            let raised = client.batch_execute(&raise).await;
            EngineError::from(raised.expect_err("it raises an error"))
        };
        let error = raised().await;
        let (remedy, breaks_connection) = (error.remedy(), error.breaks_connection());
        let mut last = Retry {
            failed: ATTEMPTS - 1,
            in_doubt: false,
        };
        let failed = last.after(Failure::before_commit(raised().await), &SystemRng);
        let failed = failed.await.expect_err("it was the last attempt");
        let at_commit = Failure::at_commit(error);
        Consequences {
            remedy,
            breaks_connection,
            in_doubt_at_commit: at_commit.in_doubt,
            is_about_a_text: at_commit.is_about_a_text(),
            after_the_last_attempt: discriminant(&failed),
        }
    }

    /// The table of broken requests has one of them for all writes (`tests/it/faults`).
    #[tokio::test]
    async fn errors_with_the_same_remedy_are_not_told_apart() {
        let failure = consequences("40001").await;
        let resource = consequences("53300").await;
        assert_eq!(failure, consequences("40P01").await);
        assert_eq!(resource, consequences("53200").await);
        assert_ne!(failure, resource);
    }
}
