//! The writes of the store, with every one of their requests to the server broken in every way (decision 0102): the outcome and
//! what is stored are the same as without a fault, and nothing is written twice.

mod account_operations;
mod clearance_operations;
mod completeness;
mod directory_operations;
mod document_operations;
mod key_operations;
mod master_data_operations;
mod no_answer;
mod operations;
mod plan_operations;
mod proxy;
mod round_trips;
mod session_operations;
mod subject_operations;
mod tenant_operations;
mod user_operations;

use std::sync::Arc;

use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::suite::fixtures::{audit_event, populate};
use invoicing_storage::{AuditStore as _, Store, SystemRng};
use invoicing_storage_postgres::{Options, Postgres};
use invoicing_test_postgres::{Database, Server};

use self::operations::{Operation, operations};
use self::proxy::{Fault, Proxy};

/// The faults that one repetition cures. After the first of them, a write sends the most requests: with the connection, what the
/// process knew of the server is lost.
const FAULTS: [Fault; 5] = [
    Fault::RequestLost,
    Fault::AnswerLost,
    // serialization_failure
    Fault::Error("40001"),
    // read_only_sql_transaction, admin_shutdown
    Fault::Error("25006"),
    Fault::Error("57P01"),
];
/// deadlock_detected. The engine does not tell it from serialization_failure, which a test beside `Retry` shows.
const DEADLOCK: Fault = Fault::Error("40P01");

/// The errors that no repetition cures, and how a write fails with them. It has stored nothing then.
const REFUSALS: [(Fault, &str); 2] = [
    // disk_full: an operator has to make room
    (Fault::Error("53100"), "Err(NoSpace)"),
    // too_many_connections; the same test shows that the engine does not tell out_of_memory from it
    (Fault::Error("53300"), "Err(Busy)"),
];

/// Which requests are broken, and by how many faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Every request and every fault. Each connection of the store is a new one of the server, on which the store prepares its
    /// statements and finds out anew that partitions exist.
    All,
    /// The requests of a write itself, and the faults that the engine can tell apart. What precedes them on a new connection is the
    /// same for all writes, and costs more than they do.
    OfTheWrite,
}

/// More requests than any write has. A write that reaches it repeats itself for ever.
const MANY: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_write_changes_neither_its_outcome_nor_what_is_stored() {
    break_every_request(operations(), Scope::All).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_change_of_a_subject_changes_neither_its_outcome_nor_what_is_stored()
{
    break_every_request(subject_operations::operations(), Scope::OfTheWrite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_change_of_the_directory_changes_neither_its_outcome_nor_what_is_stored()
 {
    break_every_request(directory_operations::operations(), Scope::OfTheWrite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_an_administrator_changes_neither_its_outcome_nor_what_is_stored() {
    break_every_request(user_operations::operations(), Scope::OfTheWrite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_that_adds_or_restores_changes_neither_its_outcome_nor_what_is_stored() {
    break_every_request(account_operations::operations(), Scope::OfTheWrite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_session_or_authorization_changes_neither_its_outcome_nor_what_is_stored()
 {
    break_every_request(session_operations::operations(), Scope::OfTheWrite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_the_server_lacks_a_resource_for_is_refused_stores_nothing_and_can_be_repeated()
 {
    let mut operations = subject_operations::operations();
    operations.extend(session_operations::operations());
    operations.extend(document_operations::operations());
    operations.extend(master_data_operations::operations());
    refuse_every_request(operations).await;
}

#[test]
fn every_write_of_the_store_is_in_the_table_or_named_with_a_reason() {
    let operations: Vec<_> = [
        operations(),
        account_operations::operations(),
        clearance_operations::operations(),
        directory_operations::operations(),
        document_operations::operations(),
        master_data_operations::operations(),
        plan_operations::operations(),
        session_operations::operations(),
        subject_operations::operations(),
        user_operations::operations(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let unnamed = completeness::unnamed_methods(&operations);
    assert!(unnamed.is_empty(), "{unnamed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_change_of_plans_or_master_data_changes_neither_its_outcome_nor_what_is_stored()
 {
    let mut operations = plan_operations::operations();
    operations.extend(master_data_operations::operations());
    break_every_request(operations, Scope::OfTheWrite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_payment_or_attachment_changes_neither_its_outcome_nor_what_is_stored()
 {
    break_every_request(document_operations::operations(), Scope::OfTheWrite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_clearance_changes_neither_its_outcome_nor_what_is_stored() {
    break_every_request(clearance_operations::operations(), Scope::OfTheWrite).await;
}

/// The database behind these ports of this machine.
fn options(ports: &[u16], database: &Database) -> Options {
    let hosts = ports.iter().map(|port| format!("127.0.0.1:{port}"));
    let hosts = hosts.collect::<Vec<_>>().join(",");
    let name = database.name();
    Options::from_url(&format!(
        "postgres://application@{hosts}/{name}?sslmode=disable"
    ))
    .unwrap()
}

/// A store, and one with a single connection to the same database through a proxy.
async fn with_proxy(scope: Scope) -> (Postgres, Postgres, Proxy, Database) {
    let (store, database) = super::open().await;
    populate(&store).await;
    let server = Server::shared().port();
    let proxy = match scope {
        Scope::All => Proxy::start(server).await,
        Scope::OfTheWrite => Proxy::start_with_lasting_connections(server).await,
    };
    let mut options = options(&[proxy.port()], &database);
    options.connections = 1;
    let faulty = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
    (store, faulty, proxy, database)
}

/// Has the process find out that the partitions of the events exist. With each new connection it forgets that.
async fn know_partitions(faulty: &Postgres) {
    let event = audit_event(AuditEventKind::SignedOut);
    faulty.record(&event).await.unwrap();
}

async fn break_every_request(operations: Vec<Box<dyn Operation>>, scope: Scope) {
    let (store, faulty, proxy, _database) = with_proxy(scope).await;
    let mut faults = FAULTS.to_vec();
    if scope == Scope::All {
        faults.push(DEADLOCK);
    }
    let mut cell = 0;
    let mut wrong = Vec::new();
    for operation in operations {
        cell += 1;
        let expected = run(&*operation, &store, &store, cell).await;
        // The run that nothing breaks tells how many requests there are: one for all faults, unless their number differs.
        let mut requests = None;
        for &fault in &faults {
            for skipped in 0..requests.unwrap_or(usize::MAX) {
                assert!(skipped < MANY, "{} repeats itself", operation.name());
                cell += 1;
                operation.prepare(&store, cell).await;
                if scope == Scope::OfTheWrite {
                    know_partitions(&faulty).await;
                }
                proxy.arm(skipped, fault);
                let outcome = operation.run(&faulty, cell).await;
                let fired = proxy.disarm();
                let found = (outcome, operation.stored(&store, cell).await);
                if found != expected {
                    let name = operation.name();
                    wrong.push(format!(
                        "{name}, {fault:?} at request {skipped}: {found:?} instead of {expected:?}"
                    ));
                }
                if !fired {
                    assert!(skipped > 0, "{} sends no request", operation.name());
                    if scope == Scope::OfTheWrite {
                        requests = requests.or(Some(skipped));
                    }
                    break;
                }
            }
        }
    }
    // The next request after the last broken one is served as well.
    know_partitions(&faulty).await;
    let statistics = faulty.statistics();
    assert!(statistics.retries > 0, "{statistics:?}");
    faulty.close();
    assert_none_wrong(&wrong, cell);
}

async fn refuse_every_request(operations: Vec<Box<dyn Operation>>) {
    // None of the refusals ends the connection, so all of it costs no more.
    let (store, faulty, proxy, _database) = with_proxy(Scope::All).await;
    let mut cell = 0;
    let mut wrong = Vec::new();
    for operation in operations {
        cell += 1;
        let expected = run(&*operation, &store, &store, cell).await;
        for (fault, refused) in REFUSALS {
            for skipped in 0.. {
                assert!(skipped < MANY, "{} repeats itself", operation.name());
                cell += 1;
                operation.prepare(&store, cell).await;
                let before = operation.stored(&store, cell).await;
                proxy.arm(skipped, fault);
                let outcome = operation.run(&faulty, cell).await;
                if !proxy.disarm() {
                    assert!(skipped > 0, "{} sends no request", operation.name());
                    break;
                }
                let found = (outcome, operation.stored(&store, cell).await);
                let outcome = if found == (refused.to_owned(), before) {
                    let repeated = operation.run(&faulty, cell).await;
                    (repeated, operation.stored(&store, cell).await)
                } else {
                    // What it was is of no consequence if all is as without it, for example after a ROLLBACK.
                    found
                };
                if outcome != expected {
                    let name = operation.name();
                    wrong.push(format!(
                        "{name}, {fault:?} at request {skipped}: {outcome:?} instead of {expected:?}"
                    ));
                }
            }
        }
    }
    faulty.close();
    assert_none_wrong(&wrong, cell);
}

fn assert_none_wrong(wrong: &[String], cells: u64) {
    assert!(
        wrong.is_empty(),
        "{} of {cells} cells:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The outcome of an operation through `through`, and what is stored then.
async fn run(
    operation: &dyn Operation,
    store: &dyn Store,
    through: &dyn Store,
    cell: u64,
) -> (String, String) {
    operation.prepare(store, cell).await;
    let outcome = operation.run(through, cell).await;
    (outcome, operation.stored(store, cell).await)
}
