//! Each row of the contract's retry table, with its pending retries.

use std::time::Duration;

use invoicing_client::views::{CommandError, InvoicePage, InvoiceQuery};

use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp};

/// Lists invoices while the next `times` responses of the gateway are `fault`. Returns the result, the delays and the
/// number of requests. The client is a new one, with what it remembers of its requests.
async fn list_with_fault(
    service: &Service,
    fault: Fault,
    times: usize,
) -> (Result<InvoicePage, CommandError>, Vec<Duration>, usize) {
    let (app, binding) = TestApp::start_signed_in(service, NOURA, HOME).await;
    let before = service.gateway.requests("/list").len();
    for _ in 0..times {
        service.gateway.fault("/list", fault.clone());
    }
    let query = InvoiceQuery {
        page_size: 1,
        ..InvoiceQuery::default()
    };
    let (answer, waits) = app
        .run_through_retries(app.desktop.list_invoices(&app.window, binding, query))
        .await;
    let sent = service.gateway.requests("/list").len() - before;
    (answer, waits, sent)
}

/// Asserts that the delays are those of the retry table, each with a jitter of at most 25 %.
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
    let service = Service::start().await;
    let fault = Fault::status(503, 14, "X");
    let (answer, waits, sent) = list_with_fault(&service, fault, 4).await;
    answer.expect("the fifth attempt is served");
    assert_waits(&waits, &[1, 2, 4, 8]);
    assert_eq!(sent, 5);
}

#[tokio::test]
async fn unavailable_after_the_last_retry_is_the_error() {
    let service = Service::start().await;
    let fault = Fault::status(503, 14, "X");
    let (answer, waits, sent) = list_with_fault(&service, fault, 9).await;
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
    let service = Service::start().await;
    let fault = Fault::status(503, 14, "AUTHORITY_UNAVAILABLE");
    let (answer, waits, _) = list_with_fault(&service, fault, 9).await;
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
    let service = Service::start().await;
    let (answer, waits, _) = list_with_fault(&service, empty_503(), 9).await;
    let Err(CommandError::OrganizationUnavailable { support, .. }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(support.correlation_id, "from-the-server");
    assert_waits(&waits, &[1, 2, 4, 8]);
}

#[tokio::test]
async fn rate_limit_is_retried_after_the_delay_of_the_service() {
    let body = r#"{"code":8,"message":"","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}"#;
    let service = Service::start().await;
    let (answer, waits, sent) = list_with_fault(
        &service,
        Fault::Respond {
            status: 429,
            headers: Vec::new(),
            body: body.to_owned(),
        },
        1,
    )
    .await;
    answer.expect("the second attempt is served");
    assert_waits(&waits, &[7]);
    assert_eq!(sent, 2);
    let headers = vec![("retry-after", "5".to_owned())];
    let body = r#"{"code":8,"message":"","details":[]}"#.to_owned();
    let (_, waits, _) = list_with_fault(
        &service,
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
    let service = Service::start().await;
    let fault = Fault::status(500, 13, "X");
    let (answer, waits, sent) = list_with_fault(&service, fault, 9).await;
    assert!(
        matches!(answer, Err(CommandError::Internal { .. })),
        "{answer:?}"
    );
    assert_waits(&waits, &[1]);
    assert_eq!(sent, 2);
}

#[tokio::test]
async fn permanent_errors_are_not_retried() {
    let service = Service::start().await;
    for (http, code) in [(400, 3), (400, 9), (403, 7), (404, 5), (409, 6), (409, 10)] {
        let fault = Fault::status(http, code, "X");
        let (answer, waits, sent) = list_with_fault(&service, fault, 1).await;
        assert!(answer.is_err() && waits.is_empty(), "{code}: {waits:?}");
        assert_eq!(sent, 1, "{code}");
    }
    let fault = Fault::status(429, 8, "PLAN_LIMIT");
    let (_, waits, sent) = list_with_fault(&service, fault, 1).await;
    assert!(
        waits.is_empty() && sent == 1,
        "an exceeded plan limit was retried"
    );
}

#[tokio::test]
async fn retry_now_ends_the_wait() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    service.gateway.fault("/list", Fault::status(503, 14, "X"));
    let query = InvoiceQuery {
        page_size: 1,
        ..InvoiceQuery::default()
    };
    let retrying = async {
        let snapshot = app
            .wait_until(|snapshot| !snapshot.pending_retries.is_empty())
            .await;
        assert_eq!(snapshot.pending_retries[0].failed_attempts, 1);
        app.desktop
            .retry_now(&app.window, snapshot.pending_retries[0].id)
            .await
            .expect("retried");
        // An id that is no longer pending is not an error.
        app.desktop
            .retry_now(&app.window, snapshot.pending_retries[0].id)
            .await
            .expect("nothing happens");
    };
    let (answer, ()) = tokio::join!(
        app.desktop.list_invoices(&app.window, binding, query),
        retrying
    );
    answer.expect("served although the clock did not advance");
    assert!(
        app.snapshot().await.pending_retries.is_empty(),
        "the wait is still shown"
    );
}
