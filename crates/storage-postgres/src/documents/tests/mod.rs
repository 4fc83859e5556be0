//! Tests of statements: their texts, their plans, and the isolation of organizations.

mod authority_warnings;
mod corrupt_values;
mod day_sums;
mod debit_notes;
mod derived_rows;
mod isolation;
mod numbering;
mod plans;
mod rejections;
mod revisions;

use std::sync::Arc;

use invoice::Currency;
use invoicing_contract::Timestamp;
use invoicing_contract::messages::documents::{AuthorityState, Kind, Status};
use invoicing_storage::SystemRng;
use invoicing_storage::documents::{DocumentFilter, ListQuery, SortField, SortValue};
use invoicing_test_postgres::{Database, Server};
use uuid::Uuid;

use crate::{Options, Postgres, migrate, schema_name};

use super::filter::Buyers;
use super::list::{PageColumns, PageRange, select_page};
use super::list_sums::select_from_rows;

/// A filter with `count` currencies, and with every status and kind if there is more than one.
fn query(count: usize) -> ListQuery {
    let codes = ["SAR", "AED", "KWD", "USD", "EUR", "GBP", "JPY"];
    let parse = |code: &&str| Currency::parse(code).expect("a currency");
    let mut filter = DocumentFilter {
        status: [Status::Draft].into(),
        kind: [Kind::Invoice].into(),
        authority_state: [AuthorityState::Pending].into(),
        currency: codes.iter().take(count).map(parse).collect(),
        buyer: "nour".to_owned(),
        ..DocumentFilter::default()
    };
    if count > 1 {
        filter.status.extend([Status::Issued, Status::Frozen]);
        filter.kind.extend([Kind::CreditNote, Kind::DebitNote]);
        filter
            .authority_state
            .extend([AuthorityState::Unknown, AuthorityState::Rejected]);
    }
    ListQuery {
        organization: "1".into(),
        filter,
        sort: vec![(SortField::IssueDate, true)],
        after: None,
        skip: 0,
        size: 50,
    }
}

#[test]
fn text_of_a_statement_does_not_depend_on_the_number_of_values() {
    for total in [10, 1_000_000] {
        let texts = |count: usize| {
            let query = query(count);
            let buyers = Buyers::Few(vec![Uuid::nil(); count]);
            let range = PageRange::of(&query, total).expect("there are rows");
            let page = select_page(&query, &buyers, PageColumns::Body, total, &range);
            let sums = select_from_rows(&query, &buyers);
            (page.text().to_owned(), sums.text().to_owned())
        };
        assert_eq!(texts(1), texts(7), "{total}");
    }
}

#[test]
fn plans_are_kept_for_usual_pages_of_whole_lists_whose_texts_are_few() {
    let usual = ListQuery {
        filter: DocumentFilter::default(),
        ..query(0)
    };
    let page = |query: &ListQuery, total: u64| {
        let range = PageRange::of(query, total).expect("there are rows");
        let page = select_page(query, &Buyers::All, PageColumns::Body, total, &range);
        (page.keeps_plan(), page.text().to_owned())
    };
    let after = |date: &str, key: u128| ListQuery {
        after: Some((vec![SortValue::Text(date.to_owned())], Uuid::from_u128(key))),
        ..usual.clone()
    };
    let (keeps_plan, first) = page(&usual, 10);
    assert!(keeps_plan);
    assert_eq!(page(&usual, 1_000_000), (true, first));
    let elsewhere = ListQuery {
        organization: "2".into(),
        ..after("2028-01-01", 2)
    };
    let following = page(&after("2027-01-01", 1), 10);
    assert!(following.0);
    assert_eq!(page(&elsewhere, 1_000_000), following);
    // Of these there can be any number.
    let mut filtered = usual.clone();
    filtered.filter.number = "INV".to_owned();
    for (what, unusual) in [
        ("a filter", filtered),
        (
            "an offset",
            ListQuery {
                skip: 1,
                ..usual.clone()
            },
        ),
        (
            "a size",
            ListQuery {
                size: 51,
                ..usual.clone()
            },
        ),
        (
            "several fields",
            ListQuery {
                sort: vec![(SortField::IssueDate, true), (SortField::Gross, true)],
                ..usual
            },
        ),
    ] {
        assert!(!page(&unusual, 1_000_000).0, "{what}");
    }
}

/// An empty store in a database of its own, as the application role.
async fn open() -> (Postgres, Database) {
    let database = Server::shared()
        .database(&schema_name(), async |owner_url| {
            let options = Options::from_url(owner_url).unwrap();
            migrate(&options, Timestamp::from_millis(0)).await.unwrap();
        })
        .await;
    (open_with(&database, 4).await, database)
}

/// A store with so many connections.
async fn open_with(database: &Database, connections: usize) -> Postgres {
    let mut options = Options::from_url(database.application_url()).unwrap();
    options.connections = connections;
    Postgres::open(options, Arc::new(SystemRng)).await.unwrap()
}

/// Returns when a session of the database waits for a lock.
async fn until_one_waits(database: &Database) {
    let observer = Server::shared().connect_as_superuser(database).await;
    let select = "SELECT EXISTS (SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock')";
    let waits = async || {
        let row = observer.query_one(select, &[]).await.unwrap();
        row.get::<_, bool>(0)
    };
    while !waits().await {}
}

/// Has the server count rows, as it does by itself some minutes after a change.
async fn analyze(database: &Database) {
    let client = Server::shared().connect_as_owner(database).await;
    client.batch_execute("VACUUM ANALYZE").await.unwrap();
}
