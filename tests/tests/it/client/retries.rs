//! Each row of the contract's retry table, with its pending retries.

use std::time::Duration;

use invoicing_client::views::{CommandError, InvoicePage, InvoiceQuery};

use crate::fixtures::{Desk, Fault, HOME, NOURA, Service};

/// A call of a desk whose gateway answers with `fault` so many times: its end, the waits, and how often it was sent.
async fn after(
    fault: Fault,
    times: usize,
) -> (Result<InvoicePage, CommandError>, Vec<Duration>, usize) {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    for _ in 0..times {
        service.gateway.fault("/list", fault.clone());
    }
    let query = InvoiceQuery {
        page_size: 1,
        ..InvoiceQuery::default()
    };
    let (answer, waits) = desk
        .over_waits(desk.desktop.list_invoices(&desk.window, binding, query))
        .await;
    (answer, waits, service.gateway.requests("/list").len())
}

/// The waits are those of the table, each with at most a quarter more so that clients do not come back together.
fn assert_waits(waits: &[Duration], seconds: &[u64]) {
    assert_eq!(waits.len(), seconds.len(), "{waits:?}");
    for (wait, seconds) in waits.iter().zip(seconds) {
        let least = Duration::from_secs(*seconds);
        assert!((least..=least * 5 / 4).contains(wait), "{waits:?}");
    }
}

fn empty_503() -> Fault {
    let headers = vec![
        ("retry-after", "1".to_owned()),
        ("x-correlation-id", "from-the-server".to_owned()),
    ];
    Fault::Respond {
        status: 503,
        headers,
        body: String::new(),
    }
}

#[tokio::test]
async fn unavailable_is_retried_after_1_2_4_and_8_seconds() {
    let (answer, waits, sent) = after(Fault::status(503, 14, "X"), 4).await;
    answer.expect("the fifth try is served");
    assert_waits(&waits, &[1, 2, 4, 8]);
    assert_eq!(sent, 5);
}

#[tokio::test]
async fn unavailable_after_the_last_retry_is_the_error() {
    let (answer, waits, sent) = after(Fault::status(503, 14, "X"), 9).await;
    assert!(
        matches!(
            answer,
            Err(CommandError::Unavailable {
                authority: false,
                ..
            })
        ),
        "{answer:?}"
    );
    assert_waits(&waits, &[1, 2, 4, 8]);
    assert_eq!(sent, 5);
}

#[tokio::test]
async fn unavailable_tax_authority_is_distinguished_from_the_service() {
    let (answer, waits, _) = after(Fault::status(503, 14, "AUTHORITY_UNAVAILABLE"), 9).await;
    assert!(
        matches!(
            answer,
            Err(CommandError::Unavailable {
                authority: true,
                ..
            })
        ),
        "{answer:?}"
    );
    assert_waits(&waits, &[1, 2, 4, 8]);
}

#[tokio::test]
async fn empty_503_is_retried_and_its_error_has_the_correlation_id() {
    let (answer, waits, _) = after(empty_503(), 9).await;
    let Err(CommandError::OrganizationUnavailable { support }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(support.correlation_id, "from-the-server");
    assert_waits(&waits, &[1, 2, 4, 8]);
}

#[tokio::test]
async fn rate_limit_is_retried_after_the_delay_of_the_service() {
    let body = r#"{"code":8,"message":"","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}"#;
    let (answer, waits, sent) = after(
        Fault::Respond {
            status: 429,
            headers: Vec::new(),
            body: body.to_owned(),
        },
        1,
    )
    .await;
    answer.expect("the second try is served");
    assert_waits(&waits, &[7]);
    assert_eq!(sent, 2);
    let headers = vec![("retry-after", "5".to_owned())];
    let body = r#"{"code":8,"message":"","details":[]}"#.to_owned();
    let (_, waits, _) = after(
        Fault::Respond {
            status: 429,
            headers,
            body,
        },
        1,
    )
    .await;
    assert_waits(&waits, &[5]);
}

#[tokio::test]
async fn internal_is_retried_once() {
    let (answer, waits, sent) = after(Fault::status(500, 13, "X"), 9).await;
    assert!(
        matches!(answer, Err(CommandError::Internal { .. })),
        "{answer:?}"
    );
    assert_waits(&waits, &[1]);
    assert_eq!(sent, 2);
}

#[tokio::test]
async fn permanent_errors_are_not_retried() {
    for (http, code) in [(400, 3), (400, 9), (403, 7), (404, 5), (409, 6), (409, 10)] {
        let (answer, waits, sent) = after(Fault::status(http, code, "X"), 1).await;
        assert!(answer.is_err() && waits.is_empty(), "{code}: {waits:?}");
        assert_eq!(sent, 1, "{code}");
    }
    let (_, waits, sent) = after(Fault::status(429, 8, "PLAN_LIMIT"), 1).await;
    assert!(waits.is_empty() && sent == 1, "a plan was waited for");
}

#[tokio::test]
async fn retry_now_ends_the_wait() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    service.gateway.fault("/list", Fault::status(503, 14, "X"));
    let query = InvoiceQuery {
        page_size: 1,
        ..InvoiceQuery::default()
    };
    let hurrying = async {
        let snapshot = desk
            .wait_until(|snapshot| !snapshot.pending_retries.is_empty())
            .await;
        assert_eq!(snapshot.pending_retries[0].failed_attempts, 1);
        desk.desktop
            .retry_now(&desk.window, snapshot.pending_retries[0].id)
            .await
            .expect("hurried");
        // One that has gone is no error.
        desk.desktop
            .retry_now(&desk.window, snapshot.pending_retries[0].id)
            .await
            .expect("nothing happens");
    };
    let (answer, ()) = tokio::join!(
        desk.desktop.list_invoices(&desk.window, binding, query),
        hurrying
    );
    answer.expect("served without the clock having moved");
    assert!(
        desk.snapshot().await.pending_retries.is_empty(),
        "the wait is still shown"
    );
}
