//! A server that is frozen: it accepts connections and requests, and answers none.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::documents::NumberOutcome;
use invoicing_storage::suite::fixtures::{
    NOW, RIYADH, access_token, audit_event, draft, hash, id, key, populate, unlimited,
};
use invoicing_storage::suite::numbers::{invoices, numbering};
use invoicing_storage::{DocumentStore as _, TokenStore as _};
use invoicing_storage::{StorageError, SystemRng};
use invoicing_storage_postgres::Postgres;
use invoicing_test_postgres::{Database, Server};
use tokio::time::timeout;

use super::options;
use super::proxy::{Fault, Proxy};

/// How long the server works on a statement.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(1);
/// Longer than any wait for an answer then.
const BOUND: Duration = Duration::from_secs(60);

/// A store with one connection, through a proxy.
async fn through_proxy(database: &Database) -> (Postgres, Proxy) {
    let proxy = Proxy::start(Server::shared().port()).await;
    let mut options = options(&[proxy.port()], database);
    options.connections = 1;
    options.statement_timeout = STATEMENT_TIMEOUT;
    let store = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
    (store, proxy)
}

/// Runs the same call three times: as it is, without an answer to its last request, and as it is. The second outcome.
async fn without_last_answer<T>(
    proxy: &Proxy,
    call: impl AsyncFn(u64) -> Result<T, StorageError>,
) -> StorageError {
    call(1).await.unwrap_or_else(|error| panic!("{error}"));
    proxy.disarm();
    call(2).await.unwrap_or_else(|error| panic!("{error}"));
    proxy.arm(proxy.requests() - 1, Fault::NoAnswer);
    let outcome = timeout(BOUND, call(3)).await;
    assert!(proxy.disarm(), "no request was swallowed");
    let error = outcome.expect("the wait for an answer ends").err();
    call(4).await.unwrap_or_else(|error| panic!("{error}"));
    error.expect("without an answer there is no outcome")
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_answer_a_write_is_in_doubt_a_read_is_busy_and_the_next_request_is_served() {
    let (store, database) = crate::open().await;
    populate(&store).await;
    for at in 1..=4 {
        let added = store.add_document(&draft(at, 115), &unlimited()).await;
        added.unwrap();
    }

    let insert_token = async {
        let (faulty, proxy) = through_proxy(&database).await;
        without_last_answer(&proxy, async |at| {
            let event = audit_event(AuditEventKind::TokenIssued);
            let token = access_token(&format!("token {at}"), None);
            let basis = faulty.basis().await?;
            faulty.insert_access_token(token, event, basis).await
        })
        .await
    };
    let issue = async {
        let (faulty, proxy) = through_proxy(&database).await;
        without_last_answer(&proxy, async |at| {
            let (key, series) = (key(at.into()), invoices());
            let numbered = faulty
                .number_document(
                    &id(RIYADH),
                    key,
                    &"new".into(),
                    &series,
                    numbering(at.into()),
                )
                .await?;
            assert!(matches!(numbered, NumberOutcome::Stored(_)), "{numbered:?}");
            Ok(())
        })
        .await
    };
    let read = async {
        let (faulty, proxy) = through_proxy(&database).await;
        without_last_answer(&proxy, async |at| {
            faulty
                .access_token(&hash(&format!("token {at}")), NOW)
                .await
        })
        .await
    };
    let (inserted, issued, read) = tokio::join!(insert_token, issue, read);

    assert!(matches!(inserted, StorageError::InDoubt(_)), "{inserted:?}");
    assert!(matches!(issued, StorageError::InDoubt(_)), "{issued:?}");
    assert!(matches!(read, StorageError::Busy), "{read:?}");
    // Documents 1, 2 and 4: the transaction of the third was rolled back.
    let last = store.last_numbers(&id(RIYADH)).await.unwrap();
    assert_eq!(last, [(invoices(), 3)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_are_closed_with_one_that_gets_no_answer() {
    let (_store, database) = crate::open().await;
    let proxy = Proxy::start(Server::shared().port()).await;
    let mut options = options(&[proxy.port()], &database);
    options.statement_timeout = STATEMENT_TIMEOUT;
    let store = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
    let riyadh = id(RIYADH);
    // At once, so that each takes a connection.
    let (one, two, three) = tokio::join!(
        store.last_numbers(&riyadh),
        store.last_numbers(&riyadh),
        store.last_numbers(&riyadh)
    );
    assert!(one.is_ok() && two.is_ok() && three.is_ok());
    assert!(store.statistics().connections_idle > 1);

    proxy.arm(0, Fault::NoAnswer);
    let unanswered = timeout(BOUND, store.last_numbers(&riyadh)).await;
    let unanswered = unanswered.expect("the wait for an answer ends");
    assert!(
        matches!(unanswered, Err(StorageError::Busy)),
        "{unanswered:?}"
    );
    let left = store.statistics();
    assert_eq!((left.connections_used, left.connections_idle), (0, 0));
    assert!(store.last_numbers(&riyadh).await.is_ok());
}

#[tokio::test]
async fn host_that_accepts_connections_and_answers_nothing_is_skipped() {
    let (_store, database) = crate::open().await;
    // The kernel accepts for it.
    let frozen = TcpListener::bind("127.0.0.1:0").unwrap();
    let ports = [frozen.local_addr().unwrap().port(), Server::shared().port()];
    let store = Postgres::open(options(&ports, &database), Arc::new(SystemRng)).await;
    let store = store.unwrap();
    assert!(store.basis().await.is_ok());
}
