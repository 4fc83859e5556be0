//! Cases of documents that are so large that few of them are read at once (decision 0165).

use invoicing_contract::messages::documents::Document;

use super::fixtures::{Draft, RIYADH, draft, enlarge, id, key, populate, row, unlimited};
use crate::Store;
use crate::documents::{
    Action, AddOutcome, DocumentFilter, DocumentRow, ListQuery, PAGE_BYTES, SortField, WriteOutcome,
};

/// Three of as many bytes reach the limit of a page.
const LARGE: usize = PAGE_BYTES / 3 + 1;

/// Imports nine large documents, and returns them in the order of [`list`].
async fn import(store: &dyn Store) -> Vec<Document> {
    populate(store).await;
    let large = |number| {
        let mut large = draft(number, 115);
        enlarge(&mut large, LARGE);
        large
    };
    let rows: Vec<DocumentRow> = (1..=9).map(large).collect();
    store.import_documents(rows.clone(), &[]).await.unwrap();
    rows.into_iter().rev().map(|row| row.document).collect()
}

fn list() -> ListQuery {
    ListQuery {
        organization: id(RIYADH),
        filter: DocumentFilter::default(),
        sort: vec![(SortField::IssueDate, true)],
        after: None,
        skip: 0,
        size: 500,
    }
}

fn keys(documents: &[Document]) -> Vec<&str> {
    documents.iter().map(|it| &*it.document_key).collect()
}

pub async fn page_of_large_documents_ends_early_and_the_next_one_goes_on(store: &dyn Store) {
    let documents = import(store).await;
    let mut pages = list();
    let mut sizes = Vec::new();
    let mut joined = Vec::new();
    loop {
        let page = store.list_documents(&pages).await.unwrap();
        assert_eq!(page.sums[0].count, 9, "the sums are of the whole filter");
        sizes.push(page.items.len());
        joined.extend(page.items);
        pages.after = page.next;
        if pages.after.is_none() {
            break;
        }
    }
    assert_eq!(sizes, [3, 3, 3]);
    assert_eq!(keys(&joined), keys(&documents));
    let two = ListQuery { size: 2, ..list() };
    let page = store.list_documents(&two).await.unwrap();
    assert_eq!(keys(&page.items), keys(&documents[..2]));
    assert!(page.next.is_some());
    let rows = store.list_document_summaries(&list()).await.unwrap();
    assert_eq!((rows.items.len(), rows.next), (9, None), "rows are small");
}

pub async fn page_from_the_end_of_a_list_ends_early_with_its_first_rows(store: &dyn Store) {
    let documents = import(store).await;
    for (skip, expected) in [(5, 5..8), (6, 6..9)] {
        let page = ListQuery { skip, ..list() };
        let page = store.list_documents(&page).await.unwrap();
        assert_eq!(page.next.is_some(), expected.end < documents.len());
        assert_eq!(keys(&page.items), keys(&documents[expected]), "{skip}");
    }
}

pub async fn history_of_a_large_document_ends_early_with_its_latest_writes(store: &dyn Store) {
    populate(store).await;
    let added = store.add_document(&draft(1, 115), &unlimited()).await;
    assert_eq!(added.unwrap(), AddOutcome::Stored);
    let mut expected = "new".to_owned();
    for number in 0..5 {
        let stamp = number.to_string();
        let mut replacement = row(Draft {
            stamp: stamp.clone(),
            ..Draft::default()
        });
        enlarge(&mut replacement, LARGE);
        let replaced = store
            .replace_document(&replacement, &expected.into(), Action::Updated)
            .await;
        assert_eq!(replaced.unwrap(), WriteOutcome::Stored);
        expected = stamp;
    }
    for (before, page) in [
        (None, [(6, "4"), (5, "3"), (4, "2")]),
        (Some(4), [(3, "1"), (2, "0"), (1, "new")]),
    ] {
        let history = store
            .document_history(&id(RIYADH), key(1), before, 10)
            .await
            .unwrap();
        let revisions = history.iter().map(|revision| {
            let stamp = &*revision.document.as_ref().unwrap().concurrency_stamp;
            (revision.number, stamp)
        });
        assert!(revisions.eq(page), "before {before:?}: {history:?}");
    }
}
