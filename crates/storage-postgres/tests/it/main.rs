//! The behavioural suite of the store traits, run on PostgreSQL; faults, lost commits, roles and schema.

#![allow(clippy::unwrap_used, reason = "a panic is a failure of the test")]

mod faults;
mod lost_commits;
mod roles;
mod row_level_security;
mod schema;

mod transfer;

use std::sync::Arc;

use invoicing_contract::Timestamp;
use invoicing_storage::SystemRng;
use invoicing_storage_postgres::{Options, Postgres, migrate, schema_name};
use invoicing_test_postgres::{Database, Server};

/// An empty store in a database of its own, as the application role.
async fn open() -> (Postgres, Database) {
    let database = Server::shared()
        .database(&schema_name(), async |owner_url| {
            let options = Options::from_url(owner_url).expect("the address of a database");
            let migrated = migrate(&options, Timestamp::from_millis(0)).await;
            migrated.expect("the migrations apply");
        })
        .await;
    let store = open_again(&database).await;
    (store, database)
}

/// A store with a pool of its own, as another process has.
async fn open_again(database: &Database) -> Postgres {
    let mut options =
        Options::from_url(database.application_url()).expect("the address of a database");
    options.connections = 8;
    let store = Postgres::open(options, Arc::new(SystemRng)).await;
    store.expect("the schema is current")
}

invoicing_storage::storage_suite!(open, open_again);

#[tokio::test]
async fn statistics_show_the_pool() {
    use invoicing_storage::DirectoryStore as _;

    let (store, _database) = open().await;
    let none = store.organization(&"nobody".into()).await;
    assert_eq!(none.expect("storage answers"), None);
    let statistics = store.statistics();
    assert_eq!(statistics.connections_limit, 8);
    assert!(statistics.connections_idle > 0, "{statistics:?}");
    assert_eq!(statistics.connections_used, 0, "{statistics:?}");
    assert_eq!(statistics.waiting, 0, "{statistics:?}");
}
