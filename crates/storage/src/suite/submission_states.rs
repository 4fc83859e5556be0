//! Cases of the state of a tax authority in lists.

use std::collections::{BTreeMap, BTreeSet};

use invoicing_contract::messages::documents::{AuthorityState, Status};

use super::clearance::{HOLDER, end, issue, issued, stamp};
use super::fixtures::{Draft, JEDDAH, RIYADH, draft, id, key, populate, row, unlimited};
use super::numbers::invoices;
use crate::Store;
use crate::documents::{DocumentFilter, ListQuery, NumberOutcome, NumberedDocument, SortField};

fn list(authority_state: BTreeSet<AuthorityState>) -> ListQuery {
    ListQuery {
        organization: id(RIYADH),
        filter: DocumentFilter {
            authority_state,
            ..DocumentFilter::default()
        },
        sort: vec![(SortField::Number, true)],
        after: None,
        skip: 0,
        size: 500,
    }
}

/// Issues the document `of` again, under its number, where no tax authority clears it any more.
async fn reissue_unsubmitted(store: &dyn Store, of: u128, expected: &str) {
    let numbering = move |_: i64, _: &_| {
        Ok(Ok(NumberedDocument {
            row: row(Draft {
                key: key(of),
                number: "1".to_owned(),
                status: Status::Issued,
                stamp: format!("reissued {of}"),
                ..Draft::default()
            }),
            submission: None,
        }))
    };
    let (organization, expected) = (id(RIYADH), expected.into());
    let (series, numbering) = (invoices(), Box::new(numbering));
    let issued = store.number_document(&organization, key(of), &expected, &series, numbering);
    let issued = issued.await.unwrap();
    assert!(matches!(issued, NumberOutcome::Stored(_)), "{issued:?}");
}

pub async fn states_of_a_tax_authority_are_those_of_the_latest_submission(store: &dyn Store) {
    populate(store).await;
    for number in [100, 101] {
        let added = store.add_document(&draft(number, 115), &unlimited()).await;
        added.unwrap();
    }
    let states = [
        (1, AuthorityState::Pending),
        (2, AuthorityState::Unknown),
        (3, AuthorityState::Cleared),
        (4, AuthorityState::Reported),
        (5, AuthorityState::Accepted),
        (6, AuthorityState::Rejected),
    ];
    for (number, state) in states {
        issued(store, number, false).await;
        if state != AuthorityState::Pending {
            end(store, number, number, HOLDER, state).await;
        }
    }
    // It was rejected and issued again.
    issued(store, 7, false).await;
    let rejected = end(store, 7, 7, HOLDER, AuthorityState::Rejected).await;
    issue(store, &invoices(), 7, stamp(&rejected), 17, false).await;
    // The same, where no authority clears it any more.
    issued(store, 8, false).await;
    let rejected = end(store, 8, 8, HOLDER, AuthorityState::Rejected).await;
    reissue_unsubmitted(store, 8, stamp(&rejected)).await;

    let expected = states.into_iter().chain([(7, AuthorityState::Pending)]);
    let expected: BTreeMap<_, _> = expected
        .map(|(number, state)| (key(number), state))
        .collect();
    let all = store
        .list_document_summaries(&list(BTreeSet::new()))
        .await
        .unwrap();
    let shown = all.items.iter();
    let shown = shown.filter_map(|row| Some((row.key, row.authority_state?)));
    assert_eq!(shown.collect::<BTreeMap<_, _>>(), expected);
    assert_eq!(all.items.len(), 10, "three are not sent");
    let remarks = all.items.iter().filter(|row| row.authority_has_warnings);
    let remarks: Vec<_> = remarks.map(|row| row.key).collect();
    assert_eq!(remarks, [key(4)], "reported with remarks");
    for (authority_state, expected) in [
        (BTreeSet::new(), [key(4)].as_slice()),
        ([AuthorityState::Reported].into(), &[key(4)]),
        ([AuthorityState::Cleared].into(), &[]),
    ] {
        let mut with_remarks = list(authority_state);
        with_remarks.filter.authority_has_warnings = true;
        let page = store.list_document_summaries(&with_remarks).await.unwrap();
        let found: Vec<_> = page.items.iter().map(|row| row.key).collect();
        assert_eq!(found, expected);
        let total: u64 = page.sums.iter().map(|sum| sum.count).sum();
        assert_eq!(total, expected.len() as u64);
        with_remarks.organization = id(JEDDAH);
        let elsewhere = store.list_documents(&with_remarks).await.unwrap();
        assert_eq!(elsewhere.items, []);
    }

    let every = || states.map(|(_, state)| state);
    let mut selections: Vec<BTreeSet<_>> = every().map(|state| [state].into()).into();
    selections.push([AuthorityState::Pending, AuthorityState::Unknown].into());
    selections.push(every().into());
    for authority_state in selections {
        let mut list = list(authority_state.clone());
        for size in [1, 500] {
            list.size = size;
            let page = store.list_document_summaries(&list).await.unwrap();
            let total: u64 = page.sums.iter().map(|sum| sum.count).sum();
            let matching = expected.iter();
            let matching = matching.filter(|(_, state)| authority_state.contains(state));
            let matching: BTreeSet<_> = matching.map(|(key, _)| *key).collect();
            assert_eq!(total, matching.len() as u64, "{authority_state:?}");
            assert_eq!(page.next.is_some(), total > u64::from(size));
            let found: BTreeSet<_> = page.items.iter().map(|row| row.key).collect();
            assert!(found.is_subset(&matching), "{authority_state:?}");
            assert_eq!(found.len() as u64, total.min(u64::from(size)));
        }
        // With another condition, and in another organization.
        list.filter.status = [Status::Draft].into();
        let drafts = store.list_documents(&list).await.unwrap();
        assert_eq!(drafts.items, []);
        list.filter.status.clear();
        list.organization = id(JEDDAH);
        let elsewhere = store.list_documents(&list).await.unwrap();
        assert_eq!(elsewhere.items, []);
    }
}
