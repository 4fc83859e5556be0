//! Which indexes SQLite uses for lists, and for the documents that credit notes connect.

use std::collections::BTreeSet;

use rusqlite::Connection;
use tempfile::TempDir;
use uuid::Uuid;

use super::credits::select_relations;
use super::list::{AccessPath, select_ids};
use super::list_sums::{
    select_currencies, select_from_amounts, select_from_classes, select_from_days,
    select_from_documents, select_from_totals,
};
use crate::engine::{Statement, open_checked, query_plan};
use invoice::Currency;
use invoicing_contract::messages::documents::{Kind, Status};
use invoicing_storage::documents::{DocumentFilter, ListQuery, SortField};

fn database() -> (Connection, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let connection = open_checked(&folder.path().join("invoicing.db"));
    (connection.unwrap(), folder)
}

fn plan(database: &Connection, statement: &Statement) -> String {
    query_plan(database, statement.sql())
}

/// The plan of the first page of a list of `total` documents, of whose days there are `of_days`.
fn plan_of_page(database: &Connection, query: &ListQuery, total: u64, of_days: u64) -> String {
    let path = AccessPath::of(query, total, || Ok(of_days)).unwrap();
    plan(database, &select_ids(query, path, false, None, 51, 0))
}

fn list(filter: DocumentFilter, field: SortField) -> ListQuery {
    ListQuery {
        organization: "1".into(),
        filter,
        sort: vec![(field, true)],
        after: None,
        skip: 0,
        size: 50,
    }
}

/// From 5,000.00 on, in a year.
fn amounts() -> DocumentFilter {
    DocumentFilter {
        gross_from: Some(50_000_000),
        issued_from: Some("2027-01-01".to_owned()),
        issued_to: Some("2027-12-31".to_owned()),
        status: [Status::Issued].into(),
        ..DocumentFilter::default()
    }
}

#[test]
fn sums_of_amounts_are_read_from_classes_and_from_the_index_of_amounts() {
    let (database, _folder) = database();
    let query = list(amounts(), SortField::IssueDate);
    let classes = plan(&database, &select_from_classes(&query, "SAR", &(1..9)));
    let sought = "document_class_sums USING PRIMARY KEY (organization_id=? AND currency=? AND issue_date>? AND issue_date<?)";
    assert!(classes.contains(sought), "{classes}");
    let cut = plan(
        &database,
        &select_from_amounts(&query, &(50_000_000..=51_000_000)),
    );
    let sought = "documents USING COVERING INDEX documents_gross (organization_id=? AND gross_sort_key>? AND gross_sort_key<?)";
    assert!(cut.contains(sought), "{cut}");
    let currencies = plan(&database, &select_currencies(&query));
    assert!(
        currencies.contains("document_totals USING PRIMARY KEY (organization_id=?)"),
        "{currencies}"
    );
    for plan in [classes, cut, currencies] {
        assert!(
            !plan.contains("documents_summary") && !plan.contains("TEMP B-TREE"),
            "{plan}"
        );
    }
}

#[test]
fn sums_without_dates_and_amounts_are_the_totals() {
    let (database, _folder) = database();
    let query = list(DocumentFilter::default(), SortField::IssueDate);
    let totals = plan(&database, &select_from_totals(&query));
    assert_eq!(
        totals,
        "SEARCH document_totals USING PRIMARY KEY (organization_id=?)"
    );
    let since = DocumentFilter {
        issued_from: Some("2027-01-01".to_owned()),
        ..DocumentFilter::default()
    };
    let days = select_from_days(&list(since, SortField::IssueDate));
    let days = plan(&database, &days);
    assert!(
        days.contains("(organization_id=? AND issue_date>?)"),
        "{days}"
    );
    let buyer = DocumentFilter {
        buyer: "nour".to_owned(),
        ..DocumentFilter::default()
    };
    let documents = plan(
        &database,
        &select_from_documents(&list(buyer, SortField::IssueDate)),
    );
    assert!(
        documents.contains("documents USING COVERING INDEX documents_summary"),
        "{documents}"
    );
}

#[test]
fn page_of_many_documents_of_amounts_walks_the_index_of_its_sort() {
    let (database, _folder) = database();
    for (field, index) in [
        (SortField::IssueDate, "documents_issue_date"),
        (SortField::DueDate, "documents_due_date"),
        (SortField::Number, "documents_number"),
        (SortField::Buyer, "documents_buyer"),
        (SortField::Gross, "documents_gross"),
        (SortField::Status, "documents_status"),
        (SortField::Updated, "documents_updated"),
    ] {
        let mut filter = amounts();
        filter.status.clear();
        let page = plan_of_page(&database, &list(filter, field), 1_000_000, 1_000_000);
        assert!(
            page.contains(&format!("INDEX {index} (organization_id=?")),
            "{page}"
        );
        assert!(!page.contains("TEMP B-TREE"), "{page}");
    }
}

#[test]
fn documents_that_are_named_are_found_by_their_keys() {
    let (database, _folder) = database();
    for (status, total) in [(None, 10), (Some(Status::Issued), 10), (None, 60_000)] {
        let named = DocumentFilter {
            keys: Some([Uuid::from_u128(1)].into()),
            status: status.into_iter().collect(),
            ..DocumentFilter::default()
        };
        let query = list(named, SortField::IssueDate);
        let page = plan_of_page(&database, &query, total, 1_000_000);
        let sought = "INDEX sqlite_autoindex_documents_1 (organization_id=? AND key=?)";
        assert!(page.contains(sought), "{page}");
    }
}

#[test]
fn few_documents_are_found_by_what_the_filter_asks_for() {
    let (database, _folder) = database();
    let none = DocumentFilter::default;
    let sar = Currency::parse("SAR").unwrap();
    for (filter, index) in [
        (
            amounts(),
            "COVERING INDEX documents_gross (organization_id=? AND gross_sort_key>?",
        ),
        (
            DocumentFilter {
                issued_from: Some("2027-01-01".to_owned()),
                status: [Status::Issued].into(),
                ..none()
            },
            "INDEX documents_issue_date (organization_id=? AND issue_date>?",
        ),
        (
            DocumentFilter {
                status: [Status::Issued].into(),
                currency: [sar].into(),
                ..none()
            },
            "INDEX documents_status (organization_id=? AND status=?)",
        ),
        (
            DocumentFilter {
                currency: [sar].into(),
                kind: [Kind::CreditNote].into(),
                ..none()
            },
            "INDEX documents_summary (organization_id=? AND currency=?)",
        ),
        (
            DocumentFilter {
                kind: [Kind::CreditNote].into(),
                ..none()
            },
            "COVERING INDEX documents_gross (organization_id=?)",
        ),
    ] {
        let query = list(filter, SortField::IssueDate);
        let page = plan_of_page(&database, &query, 10, 1_000_000);
        assert!(
            page.contains(&format!("SEARCH documents USING {index}")),
            "{page}"
        );
    }
    let query = list(amounts(), SortField::Number);
    let of_few_days = plan_of_page(&database, &query, 10, 100);
    assert!(
        of_few_days.contains("INDEX documents_issue_date (organization_id=? AND issue_date>?"),
        "{of_few_days}"
    );
}

#[test]
fn connected_credit_notes_are_found_by_their_keys() {
    let (database, _folder) = database();
    let originals = BTreeSet::from([Uuid::from_u128(1)]);
    let plan = plan(&database, &select_relations(&"1".into(), &originals));
    let by_note = "document_credits_note (organization_id=? AND note=?)";
    assert_eq!(plan.matches(by_note).count(), 2, "{plan}");
    assert!(
        plan.contains("(organization_id=? AND original=?)"),
        "{plan}"
    );
    assert!(!plan.contains("(organization_id=?)"), "{plan}");
}
