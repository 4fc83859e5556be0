//! Lists with ranges of amounts against a plain read of all documents, whatever the sums of their days are.

mod store;

use invoice::Currency;
use invoicing_contract::Timestamp;
use invoicing_contract::messages::documents::{Kind, Status};
use invoicing_storage::documents::{
    AddOutcome, DocumentFilter, DocumentStore as _, ListQuery, SortField,
};
use invoicing_storage::suite::fixtures::{RIYADH, id, unlimited};
use invoicing_test_postgres::Server;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;

use self::store::{Content, Step, Store};
use super::super::classification::classify_sums;
use super::super::list_sums::AnsweredBy;
use crate::{Options, migrate};

const DAYS: [&str; 3] = ["2027-01-15", "2027-01-16", "2027-02-01"];
const CURRENCIES: [&str; 3] = ["SAR", "KWD", "JPY"];
/// Amounts in minor units at the borders of classes: of two decimals 0, 0.01, 9.99, 10 and 100, of three decimals 99.995, and others.
const AMOUNTS: [i64; 16] = [
    0,
    1,
    99,
    100,
    101,
    999,
    1_000,
    1_001,
    9_999,
    10_000,
    99_995,
    100_000,
    1_550,
    1_999,
    123_456_789,
    99_999_999_999_900,
];

fn content() -> impl Strategy<Value = Content> {
    let sign = select(&[1, 1, -1_i64][..]);
    let gross = (select(&AMOUNTS[..]), sign).prop_map(|(amount, sign)| sign * amount);
    (
        select(&DAYS[..]),
        select(&[Status::Draft, Status::Issued][..]),
        select(&[Kind::Invoice, Kind::CreditNote, Kind::DebitNote][..]),
        select(&CURRENCIES[..]),
        gross,
    )
        .prop_map(|(day, status, kind, currency, gross)| Content {
            day,
            status,
            kind,
            currency,
            gross,
        })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => content().prop_map(Step::Add),
        3 => vec(content(), 1..20).prop_map(Step::Import),
        3 => (any::<Index>(), content()).prop_map(|(at, content)| Step::Change(at, content)),
        2 => any::<Index>().prop_map(Step::Delete),
        2 => (1..=3, 0..3).prop_map(|(mode, part)| Step::Unclassify { mode, part }),
        1 => Just(Step::Classify),
    ]
}

fn filter() -> impl Strategy<Value = DocumentFilter> {
    // In ten-thousandths, at and beside the amounts of each currency.
    let bound = (
        select(&AMOUNTS[..]),
        select(&[10, 100, 10_000, -10, -100][..]),
        -1..=1_i64,
    )
        .prop_map(|(amount, factor, beside)| amount.saturating_mul(factor) + beside);
    let day = || option::weighted(0.3, select(&DAYS[..]).prop_map(str::to_owned));
    let currency = select(&CURRENCIES[..]).prop_map(|code| Currency::parse(code).unwrap());
    (
        option::weighted(0.8, bound.clone()),
        option::weighted(0.8, bound),
        day(),
        day(),
        option::weighted(0.2, currency),
        option::weighted(0.2, select(&[Status::Draft, Status::Issued][..])),
        option::weighted(0.2, select(&[Kind::Invoice, Kind::CreditNote][..])),
    )
        .prop_map(
            |(from, to, issued_from, issued_to, currency, status, kind)| DocumentFilter {
                gross_from: from,
                gross_to: to,
                issued_from,
                issued_to,
                currency: currency.into_iter().collect(),
                status: status.into_iter().collect(),
                kind: kind.into_iter().collect(),
                ..DocumentFilter::default()
            },
        )
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
    let contents: Vec<_> = contents.collect();
    store.import(&contents).await;
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
        let rows: Vec<_> = contents.map(|content| store.new_row(&content)).collect();
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

#[test]
fn range_inside_of_a_class_reads_its_documents_only() {
    let query = |from, to| ListQuery {
        organization: id(RIYADH),
        filter: DocumentFilter {
            gross_from: from,
            gross_to: to,
            ..DocumentFilter::default()
        },
        sort: vec![(SortField::Gross, true)],
        after: None,
        skip: 0,
        size: 50,
    };
    for (from, to, expected) in [
        (None, None, "days"),
        (Some(1_150_000), Some(1_150_000), "rows"),
        (Some(30_000_000), Some(20_000_000), "rows"),
        (Some(50_000_000), None, "classes"),
        (None, Some(51_234_567), "classes"),
        (Some(51_000_000), Some(59_000_000), "classes"),
    ] {
        let answered = match AnsweredBy::of(&query(from, to)) {
            AnsweredBy::Rows => "rows",
            AnsweredBy::Days => "days",
            AnsweredBy::Classes(_) => "classes",
        };
        assert_eq!(answered, expected, "{from:?} {to:?}");
    }
}
