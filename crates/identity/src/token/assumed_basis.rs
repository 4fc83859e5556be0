//! A request that is decided by an assumed version of the directory, and repeated if that is outdated.

use invoicing_storage::{Basis, StorageError};

use super::GrantError;
use crate::oauth::OAuthError;

/// The outcome of `attempt` with the `assumed` basis. If that is outdated, whatever came of it, the outcome with the `current` one
/// (decision 0036).
pub(super) async fn respond<T, Attempt>(
    assumed: Option<Basis>,
    current: impl Future<Output = Result<Basis, StorageError>>,
    attempt: impl Fn(Option<Basis>) -> Attempt,
) -> Result<T, OAuthError>
where
    Attempt: Future<Output = Result<T, GrantError>>,
{
    let Some(assumed) = assumed else {
        return Ok(attempt(None).await?);
    };
    let error = match attempt(Some(assumed)).await {
        Ok(response) => return Ok(response),
        Err(error) => error,
    };
    let current = current.await?;
    match error {
        GrantError::OAuth(error) if current.same_version(assumed) => return Err(error),
        GrantError::OAuth(error) => {
            if let Some(error) = error.cause() {
                tracing::debug!(error = error as &dyn std::error::Error, "repeated");
            }
        }
        GrantError::Outdated => {}
    }
    Ok(attempt(Some(current)).await?)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Arc, Mutex};

    use axum::response::IntoResponse as _;
    use tracing_subscriber::fmt::MakeWriter;

    use super::*;

    /// The log of a test.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut log = self.0.lock().map_err(|_poisoned| io::ErrorKind::Other)?;
            log.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Log {
        type Writer = Self;

        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    /// The status of the response and the levels of the lines that are logged about storage, when the first attempts fail
    /// because the database is busy.
    async fn response_of_busy_storage(failures: u32, current: i64) -> (u16, Vec<&'static str>) {
        let log = Log::default();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_ansi(false)
            .with_writer(log.clone())
            .finish();
        let _logging = tracing::subscriber::set_default(subscriber);
        let attempts = AtomicU32::new(0);
        let response = respond(
            Some(Basis::assumed(1)),
            async { Ok(Basis::read(current)) },
            |_| {
                let failed = attempts.fetch_add(1, Ordering::Relaxed) < failures;
                async move {
                    if failed {
                        return Err(StorageError::Busy.into());
                    }
                    Ok("issued")
                }
            },
        );
        let status = match response.await {
            Ok(issued) => issued.into_response().status(),
            Err(error) => error.into_response().status(),
        };
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let lines = log.lines().filter(|line| line.contains("busy"));
        let levels = lines.map(|line| {
            ["ERROR", "DEBUG"]
                .into_iter()
                .find(|level| line.contains(level))
                .unwrap_or("another")
        });
        (status.as_u16(), levels.collect())
    }

    #[tokio::test]
    async fn repeated_attempt_that_succeeds_logs_no_error() {
        let response = response_of_busy_storage(1, 2).await;
        assert_eq!(response, (200, vec!["DEBUG"]));
    }

    #[tokio::test]
    async fn last_failure_is_logged_once_as_an_error() {
        let response = response_of_busy_storage(2, 2).await;
        assert_eq!(response, (503, vec!["DEBUG", "ERROR"]));
        let response = response_of_busy_storage(1, 1).await;
        assert_eq!(response, (503, vec!["ERROR"]), "the basis was current");
    }
}
