//! Lists with ranges of amounts against a plain read of all documents, whatever the sums of their days are.

mod store;

use invoicing_contract::Timestamp;
use invoicing_contract::messages::documents::{Kind, Status};
use invoicing_storage::documents::{AddOutcome, DocumentFilter, DocumentStore as _};
use invoicing_storage::suite::fixtures::unlimited;
use invoicing_storage::suite::known_documents::{Content, DAYS, Write, filter, write};
use invoicing_test_postgres::Server;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use self::store::{Step, Store};
use super::super::classification::classify_sums;
use crate::{Options, migrate};

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        11 => write().prop_map(Step::Write),
        2 => (1..=3, 0..3).prop_map(|(mode, part)| Step::Unclassify { mode, part }),
        1 => Just(Step::Classify),
    ]
}

#[test]
fn lists_of_amounts_are_what_a_plain_read_selects() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = ProptestConfig {
        cases: 12,
        max_shrink_iters: 50,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let cases = (vec(step(), 4..12), vec(filter(), 8));
    let checked = TestRunner::new(config).run(&cases, |(steps, filters)| {
        runtime.block_on(async {
            let mut store = Store::open().await;
            for step in &steps {
                store.take(step).await;
                for filter in &filters {
                    store.check(filter).await;
                }
            }
        });
        Ok(())
    });
    checked.unwrap();
}

/// Amounts from 55.00 on, whose class is cut, and to 3,000.00.
fn cut() -> DocumentFilter {
    DocumentFilter {
        gross_from: Some(550_000),
        gross_to: Some(30_000_000),
        ..DocumentFilter::default()
    }
}

/// A store with documents on three days, which a version before has counted.
async fn unclassified() -> Store {
    let mut store = Store::open().await;
    let contents = (0..90_u32).map(|number| Content {
        day: DAYS[number as usize % DAYS.len()],
        status: Status::Draft,
        kind: Kind::Invoice,
        currency: "SAR",
        gross: i64::from(number) * 97,
    });
    let import = Write::Import(contents.collect());
    store.take(&Step::Write(import)).await;
    store.unclassify(1, 0).await;
    assert_eq!(store.unclassified_days().await, DAYS);
    store
}

#[tokio::test]
async fn migration_that_is_stopped_has_classified_the_days_before_and_goes_on_when_repeated() {
    let store = unclassified().await;
    let options = Options::from_url(store.database.owner_url()).unwrap();
    // A writer of the version before has changed the second day, and not committed.
    let mut writer = Server::shared().connect_as_superuser(&store.database).await;
    let writing = writer.transaction().await.unwrap();
    let change = "UPDATE document_sums SET documents = documents WHERE issue_date = '2027-01-16'";
    writing.execute(change, &[]).await.unwrap();
    let migration = tokio::spawn({
        let options = options.clone();
        async move { migrate(&options, Timestamp::from_millis(0)).await }
    });
    while store.unclassified_days().await != DAYS[1..] {
        tokio::task::yield_now().await;
    }
    migration.abort();
    assert!(migration.await.unwrap_err().is_cancelled());
    store.check(&cut()).await;
    writing.commit().await.unwrap();

    migrate(&options, Timestamp::from_millis(0)).await.unwrap();
    assert_eq!(store.unclassified_days().await, [""; 0]);
    store.check(&cut()).await;
    store.check(&DocumentFilter::default()).await;
    migrate(&options, Timestamp::from_millis(0)).await.unwrap();
    store.check(&cut()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_are_classified_beside_writers() {
    let mut store = unclassified().await;
    let owner = store.owner().await;
    for round in 0..10 {
        let contents = (0..6).map(|number| Content {
            day: DAYS[number % DAYS.len()],
            status: Status::Draft,
            kind: Kind::CreditNote,
            currency: "SAR",
            gross: 5_000 + i64::try_from(number).unwrap() * 700,
        });
        let rows: Vec<_> = contents
            .map(|content| store.documents.new_row(&content))
            .collect();
        let writers = rows.into_iter().map(|row| {
            let store = store.store.clone();
            tokio::spawn(async move { store.add_document(&row, &unlimited()).await })
        });
        let writers: Vec<_> = writers.collect();
        classify_sums(owner.engine()).await.unwrap();
        for writer in writers {
            assert_eq!(writer.await.unwrap().unwrap(), AddOutcome::Stored);
        }
        assert_eq!(store.unclassified_days().await, [""; 0]);
        store.check(&cut()).await;
        store.unclassify(3, round % 3).await;
        store.check(&cut()).await;
    }
}

#[tokio::test]
async fn day_whose_sums_are_not_those_of_its_documents_stays_unclassified() {
    let store = unclassified().await;
    let change = "UPDATE document_sums SET net = net + 1 WHERE ctid =
         (SELECT ctid FROM document_sums WHERE issue_date = '2027-01-16' LIMIT 1)";
    store.superuser.execute(change, &[]).await.unwrap();
    let owner = store.owner().await;
    classify_sums(owner.engine()).await.unwrap();
    assert_eq!(store.unclassified_days().await, ["2027-01-16"]);
    store.check(&cut()).await;
}
