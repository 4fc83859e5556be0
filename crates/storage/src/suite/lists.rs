//! Cases of lists: pages, filters, sums, and summaries.

use invoice::Currency;
use invoicing_contract::messages::documents::{Document, Kind, Status};

use super::fixtures::{Draft, JEDDAH, RIYADH, after_now, id, key, populate, row};
use crate::Store;
use crate::documents::{Action, DocumentFilter, DocumentRow, ListQuery, SortField, WriteOutcome};

const DOCUMENTS: u128 = 60;
const FIELDS: [SortField; 7] = [
    SortField::IssueDate,
    SortField::DueDate,
    SortField::Number,
    SortField::Buyer,
    SortField::Gross,
    SortField::Status,
    SortField::Updated,
];

/// Documents that differ in every field, with several of each value.
fn rows() -> Vec<DocumentRow> {
    let of = |number: u128, length: u128| usize::try_from(number % length).unwrap();
    let one = |number: u128| {
        row(Draft {
            key: key(number * 7_919 % 1_000 + 1),
            status: [Status::Draft, Status::Issued, Status::Frozen][of(number, 3)],
            kind: [Kind::Invoice, Kind::CreditNote][of(number / 3, 2)],
            number: format!("N-{:04}", number % 17),
            issue_date: format!("2027-01-{:02}", number % 9 + 1),
            due_date: ["", "2027-02-01", "2027-02-02"][of(number, 3)].to_owned(),
            currency: ["SAR", "USD"][of(number, 2)],
            gross: 100 + i64::try_from(number % 23).unwrap() * 50,
            buyer: ["acme", "zenith", "nour trading"][of(number / 2, 3)].to_owned(),
            updated_at: after_now(u64::try_from(number % 13).unwrap()),
            ..Draft::default()
        })
    };
    (0..DOCUMENTS).map(one).collect()
}

async fn import(store: &dyn Store) -> Vec<DocumentRow> {
    populate(store).await;
    store.import_documents(rows(), &[]).await.unwrap();
    rows()
}

fn query(filter: DocumentFilter, sort: Vec<(SortField, bool)>) -> ListQuery {
    ListQuery {
        organization: id(RIYADH),
        filter,
        sort,
        after: None,
        skip: 0,
        size: 500,
    }
}

fn everything() -> ListQuery {
    query(
        DocumentFilter::default(),
        vec![(SortField::IssueDate, true)],
    )
}

/// What a row is sorted by, so that rows compare as the list orders them.
fn sort_key(row: &DocumentRow, field: SortField) -> (String, i64) {
    match field {
        SortField::IssueDate => (row.issue_date.clone(), 0),
        SortField::DueDate => (row.due_date.clone(), 0),
        SortField::Number => (row.number_sort_key.clone(), 0),
        SortField::Buyer => (row.buyer_sort_key.clone(), 0),
        SortField::Gross => (String::new(), row.gross_sort_key),
        SortField::Status => (String::new(), row.status as i64),
        SortField::Updated => (String::new(), row.updated_at.as_millis()),
    }
}

fn sorted(mut rows: Vec<DocumentRow>, sort: &[(SortField, bool)]) -> Vec<Document> {
    rows.sort_by(|one, other| {
        let fields = sort.iter().map(|(field, descending)| {
            let order = sort_key(one, *field).cmp(&sort_key(other, *field));
            if *descending { order.reverse() } else { order }
        });
        let key = one.key.cmp(&other.key);
        let key = if sort.last().is_some_and(|last| last.1) {
            key.reverse()
        } else {
            key
        };
        fields
            .chain([key])
            .find(|order| order.is_ne())
            .unwrap_or(key)
    });
    rows.into_iter().map(|row| row.document).collect()
}

pub async fn pages_of_every_sort_and_direction_join_to_the_whole_list(store: &dyn Store) {
    let rows = import(store).await;
    let single = FIELDS.into_iter().map(|field| vec![field]);
    let double = FIELDS
        .into_iter()
        .map(|field| vec![SortField::Status, field]);
    for fields in single.chain(double) {
        for directions in [[false, false], [true, true], [true, false]] {
            let sort: Vec<_> = fields.iter().copied().zip(directions).collect();
            let mut pages = query(DocumentFilter::default(), sort.clone());
            pages.size = 7;
            let mut joined = Vec::new();
            loop {
                let page = store.list_documents(&pages).await.unwrap();
                assert!(page.items.len() <= 7);
                joined.extend(page.items);
                pages.after = page.next;
                if pages.after.is_none() {
                    break;
                }
            }
            assert_eq!(joined, sorted(rows.clone(), &sort), "{sort:?}");
        }
    }
}

pub async fn filters_select_what_they_say(store: &dyn Store) {
    let rows = import(store).await;
    type Condition = fn(&DocumentRow) -> bool;
    let none = DocumentFilter::default;
    let sar = Currency::parse("SAR").unwrap();
    let every_status = [
        Status::Draft,
        Status::Issued,
        Status::Frozen,
        Status::Rejected,
    ];
    let every_kind = [Kind::Invoice, Kind::CreditNote, Kind::DebitNote];
    let currencies = ["AED", "KWD", "SAR", "USD"].map(|code| Currency::parse(code).unwrap());
    let cases: [(DocumentFilter, Condition); 15] = [
        (
            DocumentFilter {
                status: [Status::Draft, Status::Frozen].into(),
                ..none()
            },
            |row| row.status != Status::Issued,
        ),
        (
            DocumentFilter {
                kind: [Kind::CreditNote].into(),
                currency: [sar].into(),
                ..none()
            },
            |row| row.kind == Kind::CreditNote && row.currency.code() == "SAR",
        ),
        (
            DocumentFilter {
                status: [Status::Draft].into(),
                currency: [sar].into(),
                ..none()
            },
            |row| row.status == Status::Draft && row.currency.code() == "SAR",
        ),
        (
            DocumentFilter {
                status: every_status.into(),
                kind: every_kind.into(),
                currency: currencies.into(),
                ..none()
            },
            |row| ["AED", "KWD", "SAR", "USD"].contains(&row.currency.code()),
        ),
        (
            DocumentFilter {
                status: every_status.into(),
                kind: [Kind::Invoice, Kind::DebitNote].into(),
                currency: currencies.into(),
                buyer: "nour".to_owned(),
                ..none()
            },
            |row| row.kind != Kind::CreditNote && row.buyer_text.contains("nour"),
        ),
        (
            DocumentFilter {
                buyer: "nour".to_owned(),
                ..none()
            },
            |row| row.buyer_text.contains("nour"),
        ),
        (
            DocumentFilter {
                number: "001".to_owned(),
                ..none()
            },
            |row| row.number.contains("001"),
        ),
        (
            DocumentFilter {
                issued_from: Some("2027-01-03".to_owned()),
                issued_to: Some("2027-01-05".to_owned()),
                ..none()
            },
            |row| ("2027-01-03"..="2027-01-05").contains(&&*row.issue_date),
        ),
        (
            DocumentFilter {
                due_from: Some("2027-02-02".to_owned()),
                ..none()
            },
            |row| &*row.due_date >= "2027-02-02",
        ),
        (
            DocumentFilter {
                due_to: Some("2027-02-01".to_owned()),
                ..none()
            },
            |row| row.due_date == "2027-02-01",
        ),
        (
            DocumentFilter {
                gross_from: Some(20_000),
                gross_to: Some(60_000),
                ..none()
            },
            |row| (20_000..=60_000).contains(&row.gross_sort_key),
        ),
        (
            DocumentFilter {
                buyer: "nobody".to_owned(),
                ..none()
            },
            |_| false,
        ),
        (
            DocumentFilter {
                keys: Some([key(1), key(920), key(5_000)].into()),
                ..none()
            },
            |row| [key(1), key(920)].contains(&row.key),
        ),
        (
            DocumentFilter {
                keys: Some([key(1), key(920)].into()),
                status: [Status::Draft].into(),
                ..none()
            },
            |row| [key(1), key(920)].contains(&row.key) && row.status == Status::Draft,
        ),
        (
            DocumentFilter {
                keys: Some(Default::default()),
                ..none()
            },
            |_| false,
        ),
    ];
    for (filter, condition) in cases {
        for field in FIELDS {
            let sort = vec![(field, true)];
            let query = query(filter.clone(), sort.clone());
            let page = store.list_documents(&query).await.unwrap();
            let matching: Vec<_> = rows.iter().filter(|row| condition(row)).cloned().collect();
            let total: u64 = page.sums.iter().map(|sum| sum.count).sum();
            assert_eq!(total, matching.len() as u64, "{filter:?}");
            assert_eq!(page.items, sorted(matching, &sort), "{filter:?}");
        }
    }
}

pub async fn summaries_are_the_headers_of_the_documents(store: &dyn Store) {
    import(store).await;
    let mut query = everything();
    query.size = 20;
    let documents = store.list_documents(&query).await.unwrap();
    let summaries = store.list_document_summaries(&query).await.unwrap();
    assert_eq!(summaries.next, documents.next);
    assert_eq!(summaries.sums, documents.sums);
    assert_eq!(summaries.items.len(), documents.items.len());
    for (summary, document) in summaries.items.into_iter().zip(documents.items) {
        let invoice = document.content.unwrap().invoice.unwrap();
        let totals = invoice.totals.unwrap();
        assert_eq!(summary.key.to_string(), document.document_key);
        assert_eq!(summary.organization, document.organization_id.as_str());
        assert_eq!(
            summary.concurrency_stamp,
            document.concurrency_stamp.as_str()
        );
        assert_eq!(summary.status as i32, document.status);
        assert_eq!(summary.kind as i32, invoice.kind);
        assert_eq!(summary.number, invoice.number);
        assert_eq!(summary.issue_date, invoice.issue_date);
        assert_eq!(summary.due_date, invoice.due_date);
        assert_eq!(summary.supply_date, invoice.supply_date);
        assert_eq!(summary.net.to_string(), totals.net);
        assert_eq!(summary.tax.to_string(), totals.tax);
        assert_eq!(summary.gross.to_string(), totals.gross);
        assert_eq!(summary.payable.to_string(), totals.payable);
        assert_eq!(summary.note, invoice.note);
        assert_eq!(summary.buyer, invoice.buyer);
        assert_eq!(summary.created, document.created);
        assert_eq!(summary.updated, document.updated);
        assert_eq!(summary.issued, document.issued);
        assert_eq!(summary.frozen, document.frozen);
    }
}

pub async fn sums_follow_every_write(store: &dyn Store) {
    let sums = async || {
        let page = store.list_documents(&everything()).await.unwrap();
        let sums = page.sums.into_iter();
        sums.map(|sum| (sum.currency.code(), sum.count, sum.gross))
            .collect::<Vec<_>>()
    };
    populate(store).await;
    assert_eq!(sums().await, []);
    let document = |kind, gross, stamp: &str, number| {
        row(Draft {
            key: key(number),
            kind,
            gross,
            stamp: stamp.to_owned(),
            ..Draft::default()
        })
    };
    let month = super::fixtures::unlimited();
    let invoice = document(Kind::Invoice, 1_000, "new", 1);
    store.add_document(&invoice, &month).await.unwrap();
    let note = document(Kind::CreditNote, 300, "new", 2);
    store.add_document(&note, &month).await.unwrap();
    assert_eq!(sums().await, [("SAR", 2, 700)], "a credit note is negative");
    let replacement = document(Kind::Invoice, 5_000, "changed", 1);
    let replaced = store
        .replace_document(&replacement, &"new".into(), Action::Updated)
        .await;
    assert_eq!(replaced.unwrap(), WriteOutcome::Stored);
    assert_eq!(sums().await, [("SAR", 2, 4_700)]);
    let deleted = store.delete_document(&note, &"new".into()).await;
    assert_eq!(deleted.unwrap(), WriteOutcome::Stored);
    assert_eq!(sums().await, [("SAR", 1, 5_000)]);
    // Amounts whose sum exceeds 64 bits.
    let largest = 10_i64.pow(16) - 1;
    let huge = (10..1_010).map(|number| document(Kind::Invoice, largest, "new", number));
    store.import_documents(huge.collect(), &[]).await.unwrap();
    let expected = i128::from(largest) * 1_000 + 5_000;
    assert_eq!(sums().await, [("SAR", 1_001, expected)]);
}

pub async fn skipped_rows_are_left_out(store: &dyn Store) {
    let rows = import(store).await;
    let sort = vec![(SortField::Number, false)];
    let expected = sorted(rows, &sort);
    // Before and after the middle, from where the way from the end is shorter, and past the end.
    for skip in [0, 1, 29, 31, 55, 58, 60, 100] {
        let page = store
            .list_documents(&ListQuery {
                skip,
                size: 5,
                ..query(DocumentFilter::default(), sort.clone())
            })
            .await
            .unwrap();
        let skip = skip as usize;
        let slice: Vec<_> = expected.iter().skip(skip).take(5).cloned().collect();
        assert_eq!(page.items, slice, "{skip}");
        assert_eq!(page.next.is_some(), skip + 5 < expected.len(), "{skip}");
    }
}

pub async fn organizations_do_not_see_each_other(store: &dyn Store) {
    import(store).await;
    let page = store
        .list_documents(&ListQuery {
            organization: id(JEDDAH),
            ..everything()
        })
        .await
        .unwrap();
    assert_eq!((page.items.len(), page.sums.len()), (0, 0));
}
