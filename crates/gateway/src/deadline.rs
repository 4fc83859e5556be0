//! The deadline of a gRPC call: the header `grpc-timeout` (gRPC over HTTP/2, "Requests").

use std::time::Duration;

use http::HeaderMap;

use crate::gateway_error::GatewayError;

/// How long a caller waits for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deadline(Option<Duration>);

impl Deadline {
    /// The time in `grpc-timeout`. A value that is not of the standard is no deadline.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let text = headers
            .get("grpc-timeout")
            .and_then(|value| value.to_str().ok());
        Self(text.and_then(parse))
    }

    /// The outcome of `work`, which is cancelled at the deadline. A transaction that has not been committed by then is rolled
    /// back, so a write is whole or not done.
    ///
    /// # Errors
    /// DEADLINE_EXCEEDED, or what `work` returns.
    pub(crate) async fn limit<Output>(
        self,
        work: impl Future<Output = Result<Output, GatewayError>>,
    ) -> Result<Output, GatewayError> {
        let Some(time) = self.0 else {
            return work.await;
        };
        tokio::time::timeout(time, work)
            .await
            .unwrap_or_else(|_elapsed| Err(GatewayError::deadline_exceeded()))
    }
}

/// `TimeoutValue TimeoutUnit`: at most eight digits, then one letter.
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(value * 60 * 60),
        "M" => Duration::from_secs(value * 60),
        "S" => Duration::from_secs(value),
        "m" => Duration::from_millis(value),
        "u" => Duration::from_micros(value),
        "n" => Duration::from_nanos(value),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeout_has_at_most_eight_digits_and_a_unit() {
        assert_eq!(parse("2H"), Some(Duration::from_secs(7_200)));
        assert_eq!(parse("100m"), Some(Duration::from_millis(100)));
        assert_eq!(parse("99999999n"), Some(Duration::from_nanos(99_999_999)));
        for wrong in ["", "S", "123456789S", "1", "-1S", "1s", "1.5S", "1 S", "١S"] {
            assert_eq!(parse(wrong), None, "{wrong:?}");
        }
    }

    #[tokio::test]
    async fn work_is_cancelled_at_the_deadline() {
        let deadline = |time| Deadline(Some(time));
        let never = std::future::pending::<Result<(), _>>();
        let late = deadline(Duration::ZERO).limit(never).await;
        let Err(GatewayError::Status { status, .. }) = late else {
            panic!("the work never ends");
        };
        assert_eq!(status.reason(), Some("DEADLINE_EXCEEDED"));
        let done = deadline(Duration::from_secs(60)).limit(async { Ok(()) });
        assert!(done.await.is_ok());
        assert!(Deadline(None).limit(async { Ok(()) }).await.is_ok());
    }
}
