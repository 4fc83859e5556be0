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

use invoicing_storage::suite::fixtures::populate;
use invoicing_storage::{Store, SystemRng};
use invoicing_storage_postgres::{Options, Postgres};
use invoicing_test_postgres::{Database, Server};

use self::operations::{Operation, operations};
use self::proxy::{Fault, Proxy};

/// The faults that one repetition cures.
const FAULTS: [Fault; 6] = [
    Fault::RequestLost,
    Fault::AnswerLost,
    // serialization_failure, deadlock_detected
    Fault::Error("40001"),
    Fault::Error("40P01"),
    // read_only_sql_transaction, admin_shutdown
    Fault::Error("25006"),
    Fault::Error("57P01"),
];

/// The errors that no repetition cures, and how a write fails with them. It has stored nothing then.
const REFUSALS: [(Fault, &str); 3] = [
    // disk_full: an operator has to make room
    (Fault::Error("53100"), "Err(NoSpace)"),
    // too_many_connections, out_of_memory
    (Fault::Error("53300"), "Err(Busy)"),
    (Fault::Error("53200"), "Err(Busy)"),
];

/// More requests than any write has. A write that reaches it repeats itself for ever.
const MANY: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_write_changes_neither_its_outcome_nor_what_is_stored() {
    break_every_request(operations()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_change_of_a_subject_changes_neither_its_outcome_nor_what_is_stored()
{
    break_every_request(subject_operations::operations()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_change_of_the_directory_changes_neither_its_outcome_nor_what_is_stored()
 {
    break_every_request(directory_operations::operations()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_an_administrator_changes_neither_its_outcome_nor_what_is_stored() {
    break_every_request(user_operations::operations()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_that_adds_or_restores_changes_neither_its_outcome_nor_what_is_stored() {
    break_every_request(account_operations::operations()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_session_or_authorization_changes_neither_its_outcome_nor_what_is_stored()
 {
    break_every_request(session_operations::operations()).await;
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
    break_every_request(operations).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_a_payment_or_attachment_changes_neither_its_outcome_nor_what_is_stored()
 {
    break_every_request(document_operations::operations()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_request_of_clearance_changes_neither_its_outcome_nor_what_is_stored() {
    break_every_request(clearance_operations::operations()).await;
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
async fn with_proxy() -> (Postgres, Postgres, Proxy, Database) {
    let (store, database) = super::open().await;
    populate(&store).await;
    let proxy = Proxy::start(Server::shared().port()).await;
    let mut options = options(&[proxy.port()], &database);
    options.connections = 1;
    let faulty = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
    (store, faulty, proxy, database)
}

async fn break_every_request(operations: Vec<Box<dyn Operation>>) {
    let (store, faulty, proxy, _database) = with_proxy().await;
    let mut cell = 0;
    let mut wrong = Vec::new();
    for operation in operations {
        cell += 1;
        let expected = run(&*operation, &store, &store, cell).await;
        for fault in FAULTS {
            for skipped in 0.. {
                assert!(skipped < MANY, "{} repeats itself", operation.name());
                cell += 1;
                operation.prepare(&store, cell).await;
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
                    break;
                }
            }
        }
    }
    let statistics = faulty.statistics();
    assert!(statistics.retries > 0, "{statistics:?}");
    faulty.close();
    assert_none_wrong(&wrong, cell);
}

async fn refuse_every_request(operations: Vec<Box<dyn Operation>>) {
    let (store, faulty, proxy, _database) = with_proxy().await;
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
