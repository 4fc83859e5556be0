//! Claims of due submissions, however long the queue is.

use std::collections::BTreeSet;

use invoicing_storage::clearance::ClearanceStore as _;
use invoicing_storage::suite::clearance::{HOLDER, claim};
use invoicing_storage::suite::fixtures::{JEDDAH, NOW, RIYADH, id};
use rusqlite::Connection;
use tempfile::TempDir;

use super::{CLAIM_DUE, SELECT_OLDEST, SELECT_OLDEST_OF_ORGANIZATIONS};
use crate::Sqlite;
use crate::engine::query_plan;

/// More submissions than are looked at in the order of their times.
const MANY: i64 = 1_500;

/// An empty store, and a connection to its database.
async fn open(folder: &TempDir) -> (Sqlite, Connection) {
    let path = folder.path().join("invoicing.db");
    let store = Sqlite::open(&format!("sqlite:{}", path.display())).await;
    (store.unwrap(), Connection::open(path).unwrap())
}

/// Queues submissions of an organization that have been due for `age` milliseconds and less.
fn queue(database: &Connection, organization: &str, count: i64, age: i64) {
    let insert = "WITH RECURSIVE numbers (number) AS (
             SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?3)
         INSERT INTO clearance_queue (organization_id, submission, due_at, failures, holder, claimed_until)
         SELECT ?1, randomblob(16), ?2 + number, 3, randomblob(16), 0 FROM numbers";
    let first = NOW.as_millis() - age;
    database
        .execute(insert, (organization, first, count))
        .unwrap();
}

#[tokio::test]
async fn due_submission_behind_a_long_queue_of_an_excluded_organization_is_claimed() {
    let folder = tempfile::tempdir().unwrap();
    let (store, database) = open(&folder).await;
    queue(&database, RIYADH, MANY, 5_000);
    queue(&database, JEDDAH, 1, 5);
    let mut except = BTreeSet::from([id(RIYADH)]);
    let found = store.claim_due(NOW, claim(HOLDER), &except).await.unwrap();
    assert_eq!(found.unwrap().0, id(JEDDAH));
    let found = store.claim_due(NOW, claim(HOLDER), &except).await;
    assert_eq!(found.unwrap(), None, "it is claimed");
    except.insert(id(JEDDAH));
    let found = store.claim_due(NOW, claim(HOLDER), &except).await;
    assert_eq!(found.unwrap(), None);
    let count = "SELECT count(*) FROM clearance_queue WHERE claimed_until > 0";
    let claimed: i64 = database.query_row(count, [], |row| row.get(0)).unwrap();
    assert_eq!(claimed, 1);
    store.close().await;
}

#[tokio::test]
async fn no_statement_reads_the_whole_of_a_long_queue() {
    let folder = tempfile::tempdir().unwrap();
    let (store, database) = open(&folder).await;
    for (statement, index) in [
        (SELECT_OLDEST, "clearance_queue_due (due_at<?)"),
        (
            SELECT_OLDEST_OF_ORGANIZATIONS,
            "clearance_queue_organization (organization_id=? AND due_at<?)",
        ),
        (
            CLAIM_DUE,
            "clearance_queue_organization (organization_id=? AND due_at<?)",
        ),
    ] {
        let plan = query_plan(&database, statement);
        assert!(plan.contains(index), "{plan}");
        // The first of all organizations is the first entry of an index: LIMIT 1 ends that scan.
        let first = usize::from(statement == SELECT_OLDEST_OF_ORGANIZATIONS);
        let scans = plan.lines().filter(|line| {
            let table = line.strip_prefix("SCAN ");
            let table = table.and_then(|line| line.split(' ').next());
            matches!(table, Some("clearance_queue" | "q"))
        });
        assert_eq!(scans.count(), first, "{plan}");
    }
    store.close().await;
}
