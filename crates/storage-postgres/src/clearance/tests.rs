//! Claims of due submissions, whatever the planner knows of the queue and however long that is.

use std::collections::BTreeSet;
use std::sync::Arc;

use invoicing_contract::Timestamp;
use invoicing_storage::SystemRng;
use invoicing_storage::clearance::ClearanceStore as _;
use invoicing_storage::suite::clearance::{HOLDER, claim};
use invoicing_storage::suite::fixtures::{JEDDAH, NOW, RIYADH, id};
use invoicing_test_postgres::{Database, Server};
use tokio_postgres::{Client, SimpleQueryMessage};

use super::{CLAIM_DUE, SELECT_OLDEST, SELECT_OLDEST_OF_ORGANIZATIONS};
use crate::{Options, Postgres, migrate, schema_name};

/// More submissions than are looked at in the order of their times.
const MANY: i64 = 1_500;

/// An empty store, and its owner.
async fn open() -> (Postgres, Client, Database) {
    let database = Server::shared()
        .database(&schema_name(), async |owner_url| {
            let options = Options::from_url(owner_url).unwrap();
            migrate(&options, Timestamp::from_millis(0)).await.unwrap();
        })
        .await;
    let options = Options::from_url(database.application_url()).unwrap();
    let store = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
    let owner = Server::shared().connect_as_owner(&database).await;
    (store, owner, database)
}

/// Queues submissions of an organization that have been due for `age` milliseconds and less.
async fn queue(owner: &Client, organization: &str, count: i64, age: i64) {
    let insert = "INSERT INTO clearance_queue (organization_id, submission, due_at, failures, holder, claimed_until)
         SELECT $1, gen_random_uuid(), $2::bigint + number, 3, gen_random_uuid(), 0 FROM generate_series(1, $3::bigint) AS number";
    let first = NOW.as_millis() - age;
    owner
        .execute(insert, &[&organization, &first, &count])
        .await
        .unwrap();
}

async fn claimed(owner: &Client) -> i64 {
    let count = "SELECT count(*) FROM clearance_queue WHERE claimed_until > 0";
    owner.query_one(count, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn one_submission_is_claimed_also_with_statistics_of_a_queue_that_was_nearly_empty() {
    let (store, owner, _database) = open().await;
    queue(&owner, RIYADH, 1, 5_000).await;
    owner
        .batch_execute("ANALYZE clearance_queue")
        .await
        .unwrap();
    queue(&owner, RIYADH, 10, 4_000).await;
    queue(&owner, JEDDAH, 10, 4_000).await;
    let claimed_one = store.claim_due(NOW, claim(HOLDER), &BTreeSet::new()).await;
    let (organization, submission) = claimed_one.unwrap().unwrap();
    assert_eq!(organization, id(RIYADH), "the longest due one");
    assert_eq!(claimed(&owner).await, 1);
    let select = "SELECT holder = $2 FROM clearance_queue WHERE submission = $1";
    let row = owner.query_one(select, &[&submission, &HOLDER]).await;
    assert!(row.unwrap().get::<_, bool>(0));
}

#[tokio::test]
async fn due_submission_behind_a_long_queue_of_an_excluded_organization_is_claimed() {
    let (store, owner, _database) = open().await;
    queue(&owner, RIYADH, MANY, 5_000).await;
    queue(&owner, JEDDAH, 1, 5).await;
    let mut except = BTreeSet::from([id(RIYADH)]);
    let found = store.claim_due(NOW, claim(HOLDER), &except).await.unwrap();
    assert_eq!(found.unwrap().0, id(JEDDAH));
    let found = store.claim_due(NOW, claim(HOLDER), &except).await;
    assert_eq!(found.unwrap(), None, "it is claimed");
    except.insert(id(JEDDAH));
    let found = store.claim_due(NOW, claim(HOLDER), &except).await;
    assert_eq!(found.unwrap(), None);
    assert_eq!(claimed(&owner).await, 1);
}

#[tokio::test]
async fn no_statement_reads_the_whole_of_a_long_queue() {
    let (_store, owner, _database) = open().await;
    queue(&owner, RIYADH, 20 * MANY, 50_000).await;
    owner
        .batch_execute("ANALYZE clearance_queue")
        .await
        .unwrap();
    let now = NOW.as_millis();
    let of_organizations = format!("{now}, '{{{RIYADH}}}'");
    let of_one = format!("'{HOLDER}', {now}, {now}, '{RIYADH}'");
    for (statement, types, values, index) in [
        (
            SELECT_OLDEST,
            "bigint, text[]",
            &of_organizations,
            "using clearance_queue_due on",
        ),
        (
            SELECT_OLDEST_OF_ORGANIZATIONS,
            "bigint, text[]",
            &of_organizations,
            "using clearance_queue_organization on clearance_queue q ",
        ),
        (
            CLAIM_DUE,
            "uuid, bigint, bigint, text",
            &of_one,
            "using clearance_queue_organization on",
        ),
    ] {
        let explain = format!(
            "SET plan_cache_mode = force_generic_plan;
             PREPARE due ({types}) AS {statement};
             EXPLAIN EXECUTE due ({values});
             DEALLOCATE due"
        );
        let plan = owner.simple_query(&explain).await.unwrap();
        let lines = plan.iter().filter_map(|message| {
            if let SimpleQueryMessage::Row(row) = message {
                row.get(0)
            } else {
                None
            }
        });
        let plan = lines.collect::<Vec<_>>().join("\n");
        assert!(plan.contains(index), "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}
