//! What SQLite adds to the suite of clearance: while nothing is due, no claim waits for the writer.

use std::collections::BTreeSet;

use invoicing_storage::clearance::ClearanceStore as _;
use invoicing_storage::suite::clearance::{HOLDER, claim};
use invoicing_storage::suite::fixtures::NOW;
use rusqlite::Connection;

#[tokio::test]
async fn claim_of_nothing_does_not_wait_for_another_process_that_writes() {
    let (store, _folder) = crate::open().await;
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let claimed = store.claim_due(NOW, claim(HOLDER), &BTreeSet::new()).await;
    assert_eq!(claimed.unwrap(), None);
}
