//! Tests of the texts of statements.

use invoice::Currency;
use invoicing_contract::messages::documents::{Kind, Status};
use invoicing_storage::documents::{DocumentFilter, ListQuery, SortField};
use uuid::Uuid;

use super::filter::Buyers;
use super::list::{PageRange, select_page, select_sums};

/// A filter with `count` currencies, and with every status and kind if there is more than one.
fn query(count: usize) -> ListQuery {
    let codes = ["SAR", "AED", "KWD", "USD", "EUR", "GBP", "JPY"];
    let parse = |code: &&str| Currency::parse(code).expect("a currency");
    let mut filter = DocumentFilter {
        status: [Status::Draft].into(),
        kind: [Kind::Invoice].into(),
        currency: codes.iter().take(count).map(parse).collect(),
        buyer: "nour".to_owned(),
        ..DocumentFilter::default()
    };
    if count > 1 {
        filter.status.extend([Status::Issued, Status::Frozen]);
        filter.kind.extend([Kind::CreditNote, Kind::DebitNote]);
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
            let page = select_page(&query, &buyers, "d.body", total, &range);
            let sums = select_sums(&query, &buyers);
            (page.text().to_owned(), sums.text().to_owned())
        };
        assert_eq!(texts(1), texts(7), "{total}");
    }
}
