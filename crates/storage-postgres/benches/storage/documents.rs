//! Documents: created, issued, and listed in an organization with a million.

use std::sync::Arc;
use std::time::{Duration, Instant};

use invoicing_contract::messages::documents::{Kind, Status};
use invoicing_storage::documents::{
    AddOutcome, DocumentFilter, DocumentRow, ListQuery, NumberOutcome, NumberSeries, SortField,
};
use invoicing_storage::suite::fixtures::{
    Draft, RIYADH, after_now, id, organization, row, unlimited,
};
use invoicing_storage::{DirectoryStore as _, DocumentStore as _};
use invoicing_storage_postgres::Postgres;
use invoicing_test_postgres::{Database, Server};
use uuid::Uuid;

use crate::list_peers::ListPeers;
use crate::load::{Rate, percentile, repeat, repeat_by};
use crate::{CALLERS, Figures};

/// Documents of one import.
const IMPORT: u32 = 10_000;

/// An organization for each caller.
pub(crate) async fn add_organizations(store: &Postgres) -> Vec<&'static str> {
    let mut names = Vec::new();
    for caller in 0..CALLERS {
        let name: &'static str = String::leak(format!("organization{caller}"));
        store.add_organization(&organization(name)).await.unwrap();
        names.push(name);
    }
    names
}

fn draft(organization: &'static str, key: Uuid) -> DocumentRow {
    row(Draft {
        organization,
        key,
        ..Draft::default()
    })
}

async fn add(store: &Postgres, row: &DocumentRow) {
    let added = store.add_document(row, &unlimited()).await;
    assert_eq!(added.unwrap(), AddOutcome::Stored);
}

/// Drafts, each caller in its own organization.
pub(crate) async fn create(
    store: &Arc<Postgres>,
    organizations: &[&'static str],
    duration: Duration,
) -> Rate {
    let (store, organizations) = (store.clone(), organizations.to_vec());
    repeat(duration, move |caller, _| {
        let store = store.clone();
        let organization = organizations[caller % organizations.len()];
        async move { add(&store, &draft(organization, Uuid::new_v4())).await }
    })
    .await
}

/// Drafts that each caller may number.
pub(crate) struct Drafts {
    organizations: Vec<&'static str>,
    callers: usize,
    /// The part of their keys that no other measurement has.
    prefix: u64,
    of_caller: u64,
}

impl Drafts {
    fn organization(&self, caller: usize) -> &'static str {
        self.organizations[caller % self.organizations.len()]
    }

    fn key(&self, caller: usize, number: u64) -> Uuid {
        let caller = u64::try_from(caller).unwrap();
        Uuid::from_u64_pair(self.prefix << 16 | caller, number)
    }
}

/// Imports more drafts than `callers` can number in the time.
pub(crate) async fn prepare(
    store: &Postgres,
    organizations: &[&'static str],
    callers: usize,
    duration: Duration,
) -> Arc<Drafts> {
    let share = u64::try_from(callers / CALLERS).unwrap();
    let drafts = Drafts {
        organizations: organizations.to_vec(),
        callers,
        prefix: u64::from(Uuid::new_v4().as_fields().0),
        of_caller: u64::try_from(duration.as_millis()).unwrap() / share + 50,
    };
    for caller in 0..callers {
        let rows = (0..drafts.of_caller)
            .map(|number| draft(drafts.organization(caller), drafts.key(caller, number)));
        store.import_documents(rows.collect(), &[]).await.unwrap();
    }
    Arc::new(drafts)
}

/// Numbers the drafts.
pub(crate) async fn issue(store: &Arc<Postgres>, drafts: Arc<Drafts>, duration: Duration) -> Rate {
    let store = store.clone();
    repeat_by(drafts.callers, duration, move |caller, repetition| {
        let store = store.clone();
        let organization = drafts.organization(caller);
        let key = drafts.key(caller, repetition);
        assert!(repetition < drafts.of_caller, "a caller has no draft left");
        async move {
            let numbered = store
                .number_document(
                    &id(organization),
                    key,
                    &"new".into(),
                    &NumberSeries {
                        kind: Kind::Invoice,
                        year: 2027,
                    },
                    Box::new(move |number, _| {
                        Ok(Ok(row(Draft {
                            organization,
                            key,
                            number: number.to_string(),
                            status: Status::Issued,
                            stamp: "issued".to_owned(),
                            ..Draft::default()
                        })
                        .into()))
                    }),
                )
                .await;
            assert!(matches!(numbered.unwrap(), NumberOutcome::Stored(_)));
        }
    })
    .await
}

/// Fills one organization: 10,000 buyers of which few buy often, four years of dates, amounts over six orders of magnitude.
pub(crate) async fn fill(store: &Postgres, documents: u32) {
    for first in (0..documents).step_by(usize::try_from(IMPORT).unwrap()) {
        let rows = (first..(first + IMPORT).min(documents)).map(varied);
        store.import_documents(rows.collect(), &[]).await.unwrap();
    }
}

fn varied(number: u32) -> DocumentRow {
    // A multiplicative hash: the same rows in every run.
    let random = number.wrapping_mul(2_654_435_761);
    let buyer = (random % 100).pow(2) + random / 1_000_000 % 100;
    let day = random / 7 % 1_400;
    let (year, month, day) = (2023 + day / 350, day % 350 / 30 + 1, day % 28 + 1);
    row(Draft {
        organization: RIYADH,
        key: Uuid::from_u64_pair(1 << 40, u64::from(number)),
        status: if number.is_multiple_of(10) {
            Status::Draft
        } else {
            Status::Issued
        },
        number: if number.is_multiple_of(10) {
            String::new()
        } else {
            format!("INV-{number:08}")
        },
        issue_date: format!("{year}-{month:02}-{day:02}"),
        gross: i64::from(random % 1_000_000) + 1,
        buyer: format!("buyer {buyer:05} of riyadh"),
        updated_at: after_now(u64::from(number)),
        ..Draft::default()
    })
}

/// Has the server count rows, as it does by itself some minutes after a change.
pub(crate) async fn analyze(server: &Server, database: &Database) {
    let client = server.connect_as_owner(database).await;
    client.batch_execute("VACUUM ANALYZE").await.unwrap();
}

/// The first page with its sums: of the whole list, and of filters.
pub(crate) async fn read_lists(
    store: &Postgres,
    peers: &ListPeers,
    reads: usize,
    figures: &mut Figures,
) {
    let whole = ListQuery {
        organization: id(RIYADH),
        filter: DocumentFilter::default(),
        sort: vec![(SortField::IssueDate, true)],
        after: None,
        skip: 0,
        size: 50,
    };
    let filtered = ListQuery {
        filter: DocumentFilter {
            status: [Status::Issued].into(),
            buyer: "00042".to_owned(),
            issued_from: Some("2024-01-01".to_owned()),
            ..DocumentFilter::default()
        },
        ..whole.clone()
    };
    let by_amount = ListQuery {
        filter: DocumentFilter {
            gross_from: Some(50_000_000),
            issued_from: Some("2025-01-01".to_owned()),
            ..DocumentFilter::default()
        },
        sort: vec![(SortField::Gross, true)],
        ..whole.clone()
    };
    // Almost half of the amounts of one class: the most documents that a part of a class is read from.
    let within_a_class = ListQuery {
        filter: DocumentFilter {
            gross_from: Some(52_600_000),
            gross_to: Some(57_500_000),
            ..by_amount.filter.clone()
        },
        ..by_amount.clone()
    };
    peers.page(store, &whole, figures).await;
    for (name, query) in [
        ("list/first-page", whole),
        ("list/filtered-by-buyer", filtered),
        ("list/filtered-by-amount-and-date", by_amount),
        ("list/filtered-within-a-class-of-amounts", within_a_class),
    ] {
        let mut times = Vec::new();
        for _ in 0..reads {
            let start = Instant::now();
            let page = store.list_document_summaries(&query).await.unwrap();
            times.push(start.elapsed());
            assert!(!page.sums.is_empty(), "{name} is empty");
        }
        times.sort_unstable();
        eprintln!("{name}: {} us", percentile(&times, 50));
        figures.insert(format!("{name}-us"), percentile(&times, 50));
        figures.insert(format!("{name}/p99-us"), percentile(&times, 99));
        if query.filter.gross_from.is_some() {
            let micros = percentile(&times, 50);
            peers.sums(name, &query, micros, figures).await;
        }
    }
}
