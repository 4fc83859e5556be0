//! Requests that are sent together: the server answers none before all of them have come.

use invoicing_storage::DocumentStore as _;
use invoicing_storage::documents::{
    AddOutcome, DocumentFilter, ListQuery, NumberOutcome, SortField,
};
use invoicing_storage::suite::fixtures::{RIYADH, draft, id, key, unlimited};
use invoicing_storage::suite::numbers::{invoices, numbering};

use super::{Scope, with_proxy};

/// BEGIN, the organization, the wait for a deletion, the document, COMMIT.
const OF_A_NEW_DOCUMENT: usize = 5;
/// BEGIN, the organization, the locks of the series and of the document.
const OF_THE_LOCKS_OF_AN_ISSUE: usize = 4;
/// BEGIN, the organization, the rows, COMMIT.
const OF_A_PAGE: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn new_document_the_locks_of_an_issue_and_a_page_are_one_round_trip_each() {
    let (_store, faulty, proxy, _database) = with_proxy(Scope::All).await;
    let add = async |document: u128| {
        let (draft, limits) = (draft(document, 115), unlimited());
        let added = faulty.add_document(&draft, &limits);
        assert_eq!(added.await.unwrap(), AddOutcome::Stored);
    };
    let issue = async |document: u128| {
        let (organization, stamp, series) = (id(RIYADH), "new".into(), invoices());
        let numbering = numbering(document);
        let numbered =
            faulty.number_document(&organization, key(document), &stamp, &series, numbering);
        let numbered = numbered.await.unwrap();
        assert!(matches!(numbered, NumberOutcome::Stored(_)), "{numbered:?}");
    };
    let page = async || {
        let query = ListQuery {
            organization: id(RIYADH),
            filter: DocumentFilter::default(),
            sort: vec![(SortField::IssueDate, true)],
            after: None,
            skip: 0,
            size: 50,
        };
        let page = faulty.list_document_rows(&query, 2).await.unwrap();
        assert_eq!(page.items.len(), 2);
    };

    // The first of each prepares its statements, which takes round trips of its own.
    add(1).await;
    proxy.await_requests(OF_A_NEW_DOCUMENT);
    add(2).await;
    proxy.disarm();
    issue(1).await;
    proxy.await_requests(OF_THE_LOCKS_OF_AN_ISSUE);
    issue(2).await;
    proxy.disarm();
    page().await;
    proxy.await_requests(OF_A_PAGE);
    page().await;
    faulty.close();
}
