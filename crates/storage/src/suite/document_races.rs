//! Races of document writes between several processes: each case gets handles that were opened one by one on the same database.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use invoice::Violation;
use invoicing_contract::messages::documents::{Kind, Status};

use super::fixtures::{Draft, RIYADH, draft, id, key, populate, row, unlimited};
use crate::Store;
use crate::documents::{
    Action, AddOutcome, CreditRelations, DocumentFilter, DocumentRow, ListQuery, NumberOutcome,
    NumberSeries, Numbering, PlanMonth, SortField, WriteOutcome,
};

/// Handles that a case gets.
pub const HANDLES: usize = 3;

fn series(kind: Kind, year: i16) -> NumberSeries {
    NumberSeries { kind, year }
}

/// The draft as it is stored under a number.
fn numbered(draft: Draft, number: i64) -> DocumentRow {
    row(Draft {
        number: number.to_string(),
        status: Status::Issued,
        stamp: "issued".to_owned(),
        ..draft
    })
}

async fn number(
    store: &dyn Store,
    draft: Draft,
    series: &NumberSeries,
    condition: fn(&CreditRelations) -> Result<(), Violation>,
) -> NumberOutcome {
    let (organization, key, expected) = (id(RIYADH), draft.key, "new".into());
    let numbering: Numbering = Box::new(move |number, relations| {
        Ok(condition(relations).map(|()| numbered(draft.clone(), number).into()))
    });
    let outcome = store.number_document(&organization, key, &expected, series, numbering);
    outcome.await.unwrap()
}

/// The number of a stored document.
fn number_of(outcome: &NumberOutcome) -> Option<i64> {
    match outcome {
        NumberOutcome::Stored(document) => {
            let content = document.content.as_ref()?;
            content.invoice.as_ref()?.number.parse().ok()
        }
        NumberOutcome::Stale | NumberOutcome::Refused(_) => None,
    }
}

fn everything() -> ListQuery {
    ListQuery {
        organization: id(RIYADH),
        filter: DocumentFilter::default(),
        sort: vec![(SortField::Number, false)],
        after: None,
        skip: 0,
        size: 500,
    }
}

pub async fn numbers_of_many_processes_have_no_gaps_and_no_doubles(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    const DOCUMENTS: u128 = 50;
    let drafts = (1..=DOCUMENTS).map(|number| draft(number, 115)).collect();
    stores[0].import_documents(drafts, &[]).await.unwrap();
    let of = series(Kind::Invoice, 2027);
    // Each document is numbered by two processes at the same time.
    let callers = stores
        .iter()
        .cycle()
        .zip((1..=DOCUMENTS).chain(1..=DOCUMENTS));
    let callers = callers.map(|(store, document)| {
        let draft = Draft {
            key: key(document),
            ..Draft::default()
        };
        number(*store, draft, &of, |_| Ok(()))
    });
    let outcomes = join_all(callers).await;
    let numbers: Vec<_> = outcomes.iter().filter_map(number_of).collect();
    assert_eq!(numbers.len(), 50, "each document has one number");
    assert_eq!(BTreeSet::from_iter(numbers), (1..=50).collect());
    for store in stores {
        let last = store.last_numbers(&id(RIYADH)).await.unwrap();
        assert_eq!(last, [(of.clone(), 50)]);
    }
}

pub async fn document_is_replaced_by_one_of_many_processes(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let added = stores[0].add_document(&draft(1, 115), &unlimited()).await;
    assert_eq!(added.unwrap(), AddOutcome::Stored);
    let mut expected = "new".to_owned();
    for round in 0..5 {
        let rows: Vec<_> = (0..12_i64)
            .map(|caller| {
                row(Draft {
                    stamp: format!("{round} {caller}"),
                    gross: 100 + caller,
                    ..Draft::default()
                })
            })
            .collect();
        let stamp = expected.as_str().into();
        let callers = stores.iter().cycle().zip(&rows);
        let replaced =
            callers.map(|(store, row)| store.replace_document(row, &stamp, Action::Updated));
        let outcomes = join_all(replaced).await;
        let outcomes = rows.iter().zip(outcomes.into_iter().map(Result::unwrap));
        let winners: Vec<_> = outcomes
            .filter(|(_, outcome)| *outcome == WriteOutcome::Stored)
            .map(|(row, _)| row)
            .collect();
        assert_eq!(winners.len(), 1);
        for store in stores {
            let found = store.document(&id(RIYADH), key(1)).await.unwrap();
            assert_eq!(found.as_ref(), Some(&winners[0].document));
        }
        expected.clone_from(&winners[0].document.concurrency_stamp);
    }
    let history = stores[0]
        .document_history(&id(RIYADH), key(1), None, 50)
        .await;
    assert_eq!(history.unwrap().len(), 6);
}

pub async fn notes_of_many_processes_do_not_exceed_their_original(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    const NOTES: u128 = 20;
    let note = |number| Draft {
        key: key(number),
        kind: Kind::CreditNote,
        gross: 100,
        preceding: vec![key(1)],
        ..Draft::default()
    };
    let mut rows = vec![draft(1, 1_000)];
    rows.extend((2..2 + NOTES).map(|number| row(note(number))));
    stores[0].import_documents(rows, &[]).await.unwrap();
    // In the series of two years, which have different rows.
    let years = [2027, 2028].map(|year| series(Kind::CreditNote, year));
    let callers = stores.iter().cycle().zip(years.iter().cycle());
    let callers = callers.zip(2..2 + NOTES).map(|((store, of), document)| {
        number(*store, note(document), of, |relations| {
            let notes: i64 = relations
                .notes
                .values()
                .map(|(gross, _)| gross.minor())
                .sum();
            if notes + 100 <= 1_000 {
                return Ok(());
            }
            Err(Violation {
                path: "preceding".into(),
                rule: "a rule",
                description: "credited already".into(),
                data: Vec::new(),
            })
        })
    });
    let outcomes = join_all(callers).await;
    let stored = outcomes.iter().filter_map(number_of).count();
    assert_eq!(stored, 10);
    let refused = |outcome: &&NumberOutcome| matches!(outcome, NumberOutcome::Refused(_));
    assert_eq!(outcomes.iter().filter(refused).count(), 10);
    // Refused numbers are not used.
    let last = stores[0].last_numbers(&id(RIYADH)).await.unwrap();
    assert_eq!(last.iter().map(|(_, last)| last).sum::<i64>(), 10);
    for of in &years {
        let of_series = outcomes.iter().zip(years.iter().cycle());
        let numbers = of_series.filter(|(_, year)| *year == of);
        let numbers: BTreeSet<_> = numbers
            .filter_map(|(outcome, _)| number_of(outcome))
            .collect();
        let last = last.iter().find(|(year, _)| year == of);
        let last = last.map_or(0, |(_, last)| *last);
        assert_eq!(numbers, (1..=last).collect(), "{of:?}");
    }
}

pub async fn month_of_many_processes_admits_no_document_above_its_limit(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let month = PlanMonth {
        limit: Some(15),
        ..unlimited()
    };
    let rows: Vec<_> = (1..=40).map(|number| draft(number, 115)).collect();
    let callers = stores.iter().cycle().zip(&rows);
    let added = callers.map(|(store, row)| store.add_document(row, &month));
    let mut outcomes = BTreeMap::new();
    for outcome in join_all(added).await {
        *outcomes
            .entry(format!("{:?}", outcome.unwrap()))
            .or_insert(0) += 1;
    }
    let expected = [("PlanLimit".to_owned(), 25), ("Stored".to_owned(), 15)];
    assert_eq!(outcomes, BTreeMap::from(expected));
    assert_eq!(stores[0].count_documents(&id(RIYADH)).await.unwrap(), 15);
    let created = stores[0].documents_created(&id(RIYADH), "2027-01").await;
    assert_eq!(created.unwrap(), 15);
}

pub async fn limit_counts_what_was_added_without_one(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let rows: Vec<_> = (1..=20).map(|number| draft(number, 115)).collect();
    let month = unlimited();
    let callers = stores.iter().cycle().zip(&rows);
    let added = callers.map(|(store, row)| store.add_document(row, &month));
    for outcome in join_all(added).await {
        assert_eq!(outcome.unwrap(), AddOutcome::Stored);
    }
    let month = PlanMonth {
        limit: Some(21),
        ..unlimited()
    };
    for (number, expected) in [(21, AddOutcome::Stored), (22, AddOutcome::PlanLimit)] {
        let added = stores[1].add_document(&draft(number, 115), &month).await;
        assert_eq!(added.unwrap(), expected);
    }
    let created = stores[0].documents_created(&id(RIYADH), "2027-01").await;
    assert_eq!(created.unwrap(), 21);
}

pub async fn buyer_is_found_after_many_processes_added_it_at_once(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let rows: Vec<_> = (1..=30_u128)
        .map(|number| {
            row(Draft {
                key: key(number),
                buyer: format!("new buyer {}", number % 3),
                ..Draft::default()
            })
        })
        .collect();
    let month = unlimited();
    let callers = stores.iter().cycle().zip(&rows);
    let added = callers.map(|(store, row)| store.add_document(row, &month));
    for outcome in join_all(added).await {
        assert_eq!(outcome.unwrap(), AddOutcome::Stored);
    }
    for (buyer, documents) in [("new buyer", 30), ("buyer 1", 10), ("buyer 3", 0)] {
        let mut list = everything();
        list.filter.buyer = buyer.to_owned();
        let page = stores[1].list_documents(&list).await.unwrap();
        assert_eq!(page.items.len(), documents, "{buyer}");
    }
}

/// Documents are added, replaced, numbered and deleted at the same time; the sums are those of the documents that are left.
pub async fn sums_are_those_of_the_documents_after_races(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    const DOCUMENTS: u128 = 24;
    let drafts = (1..=DOCUMENTS).map(|number| draft(number, 1_000)).collect();
    stores[0].import_documents(drafts, &[]).await.unwrap();
    let month = unlimited();
    let writes = stores.iter().cycle().zip(1..=DOCUMENTS * 3);
    let writes = writes.map(|(store, write)| {
        let month = &month;
        async move {
            let (document, expected) = (write % DOCUMENTS + 1, "new".into());
            let changed = row(Draft {
                key: key(document),
                gross: 2_000,
                stamp: format!("changed {write}"),
                ..Draft::default()
            });
            match write % 5 {
                0 => {
                    let new = draft(1_000 + write, 3_000);
                    let added = store.add_document(&new, month).await.unwrap();
                    assert_eq!(added, AddOutcome::Stored);
                }
                1 => {
                    let row = draft(document, 1_000);
                    store.delete_document(&row, &expected).await.unwrap();
                }
                2 => {
                    let draft = Draft {
                        key: key(document),
                        gross: 1_000,
                        ..Draft::default()
                    };
                    number(*store, draft, &series(Kind::Invoice, 2027), |_| Ok(())).await;
                }
                _ => {
                    let replaced = store.replace_document(&changed, &expected, Action::Updated);
                    replaced.await.unwrap();
                }
            }
        }
    });
    join_all(writes).await;
    let page = stores[1].list_documents(&everything()).await.unwrap();
    let amount = |document: &invoicing_contract::messages::documents::Document| {
        let invoice = document.content.as_ref().unwrap().invoice.as_ref().unwrap();
        let gross = &invoice.totals.as_ref().unwrap().gross;
        gross.replace('.', "").parse::<i128>().unwrap()
    };
    let gross: i128 = page.items.iter().map(amount).sum();
    let count = u64::try_from(page.items.len()).unwrap();
    let sums: Vec<_> = page.sums.iter().map(|sum| (sum.count, sum.gross)).collect();
    assert_eq!(sums, [(count, gross)]);
    assert_eq!(stores[2].count_documents(&id(RIYADH)).await.unwrap(), count);
}
