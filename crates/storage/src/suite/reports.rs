//! Cases of reports ([`ReportStore`](crate::ReportStore)).

use invoicing_contract::messages::documents::{Kind, Status};

use super::credits::{issue, note};
use super::fixtures::{Draft, JEDDAH, RIYADH, draft, id, key, populate, row, unlimited};
use super::numbers::{invoices, numbering};
use super::payments::{issued, payment, record};
use crate::Store;
use crate::documents::{AddOutcome, NumberOutcome};
use crate::reports::{AgeingBounds, AgeingBucket, BuyerGroup};

fn bounds() -> AgeingBounds {
    AgeingBounds(["2027-03-01", "2027-01-30", "2026-12-31", "2026-12-01"].map(str::to_owned))
}

/// Currency, bucket, number of documents, and what is open.
async fn open(store: &dyn Store) -> Vec<(&'static str, AgeingBucket, u64, i128)> {
    let sums = store.open_sums(&id(RIYADH), &bounds()).await.unwrap();
    let sums = sums.into_iter();
    sums.map(|sum| (sum.currency.code(), sum.bucket, sum.documents, sum.open))
        .collect()
}

pub async fn sums_are_those_of_numbered_documents(store: &dyn Store) {
    populate(store).await;
    let imported = vec![
        issued(1, 115, "2027-03-01"),
        issued(2, 230, "2027-02-28"),
        issued(3, 460, "2026-12-31"),
        issued(4, 115, "2020-01-01"),
    ];
    store.import_documents(imported, &[]).await.unwrap();
    let added = store.add_document(&draft(5, 115), &unlimited()).await;
    assert_eq!(added.unwrap(), AddOutcome::Stored);
    let expected = [
        ("SAR", AgeingBucket::NotDue, 1, 115),
        ("SAR", AgeingBucket::Days1To30, 1, 230),
        ("SAR", AgeingBucket::Days31To60, 1, 460),
        ("SAR", AgeingBucket::Over90, 1, 115),
    ];
    assert_eq!(open(store).await, expected, "without the draft");

    let numbered = store
        .number_document(
            &id(RIYADH),
            key(5),
            &"new".into(),
            &invoices(),
            numbering(5),
        )
        .await;
    assert!(matches!(numbered.unwrap(), NumberOutcome::Stored(_)));
    record(store, &payment(4, 1, 115)).await;
    record(store, &payment(1, 1, 115)).await;
    issue(store, note(10, 40, &[1])).await;
    let expected = [
        ("SAR", AgeingBucket::Days1To30, 1, 230),
        ("SAR", AgeingBucket::Days31To60, 2, 575),
        ("SAR", AgeingBucket::CreditBalance, 1, -40),
    ];
    assert_eq!(
        open(store).await,
        expected,
        "paid and credited ones are gone"
    );

    let months = store
        .month_sums(&id(RIYADH), "2027-01-01", "2027-01-31")
        .await;
    let months = months.unwrap();
    let months: Vec<_> = months
        .iter()
        .map(|sum| (&*sum.month, sum.kind, sum.documents, sum.gross))
        .collect();
    assert_eq!(
        months,
        [
            ("2027-01", Kind::Invoice, 5, 1_035),
            ("2027-01", Kind::CreditNote, 1, 40)
        ]
    );
    let taxes = store
        .tax_sums(&id(RIYADH), "2027-01-01", "2027-01-31")
        .await;
    let taxes = taxes.unwrap();
    let taxes: Vec<_> = taxes
        .iter()
        .map(|sum| {
            (
                sum.kind,
                &*sum.category,
                &*sum.rate,
                sum.documents,
                sum.taxable,
                sum.tax,
            )
        })
        .collect();
    assert_eq!(
        taxes,
        [
            (Kind::Invoice, "S", "15", 5, 960, 75),
            (Kind::CreditNote, "S", "15", 1, 25, 15)
        ]
    );
    let before = store
        .tax_sums(&id(RIYADH), "2026-01-01", "2026-12-31")
        .await;
    assert!(before.unwrap().is_empty());
    let elsewhere = store.open_sums(&id(JEDDAH), &bounds()).await;
    assert!(elsewhere.unwrap().is_empty());
}

/// Buyer or the number of buyers of the rest, currency, number of documents, net and gross of 2027.
async fn buyers(store: &dyn Store, most: u32) -> Vec<(String, &'static str, u64, i128, i128)> {
    let sums = store
        .buyer_sums(&id(RIYADH), "2027-01-01", "2027-12-31", most)
        .await;
    let sums = sums.unwrap().into_iter().map(|sum| {
        let name = match sum.group {
            BuyerGroup::Buyer(party) => party.name.unwrap_or_default().en,
            BuyerGroup::NoBuyer => "nobody".to_owned(),
            BuyerGroup::Rest(buyers) => format!("{buyers} more"),
        };
        let code = sum.currency.code();
        (name, code, sum.documents, sum.net, sum.gross)
    });
    sums.collect()
}

pub async fn buyers_are_summed_by_currency_the_largest_first(store: &dyn Store) {
    populate(store).await;
    let document = |number: u128, buyer: &str, currency, gross| Draft {
        key: key(number),
        status: Status::Issued,
        number: format!("INV-{number}"),
        issue_date: "2027-05-01".to_owned(),
        buyer: buyer.to_owned(),
        currency,
        gross,
        ..Draft::default()
    };
    let large = 9_000_000_000_000;
    let mut imported = vec![
        row(document(1, "acacia", "SAR", 115)),
        row(document(2, "palm", "SAR", large)),
        row(document(3, "palm", "SAR", large)),
        row(document(4, "cedar", "SAR", 230)),
        row(document(5, "palm", "KWD", 1)),
        row(Draft {
            kind: Kind::CreditNote,
            ..document(6, "cedar", "SAR", 500)
        }),
        row(Draft {
            status: Status::Draft,
            ..document(7, "acacia", "SAR", 1_000)
        }),
        row(Draft {
            issue_date: "2026-12-31".to_owned(),
            ..document(8, "acacia", "SAR", 1_000)
        }),
    ];
    let mut anonymous = row(document(10, "", "SAR", 50));
    let content = anonymous.document.content.as_mut().unwrap();
    content.invoice.as_mut().unwrap().buyer = None;
    imported.push(anonymous);
    store.import_documents(imported, &[]).await.unwrap();
    let elsewhere = row(Draft {
        organization: JEDDAH,
        ..document(9, "acacia", "SAR", 1_000)
    });
    let elsewhere = store.import_documents(vec![elsewhere], &[]);
    elsewhere.await.unwrap();

    let net = |gross: i64| i128::from(row(document(1, "", "SAR", gross)).net);
    let sums = |name: &str, currency, documents, net, gross| {
        (name.to_owned(), currency, documents, net, gross)
    };
    let palm = [
        sums("palm", "KWD", 1, net(1), 1),
        sums("palm", "SAR", 2, 2 * net(large), 2 * i128::from(large)),
    ];
    let cedar = (2, net(230) - net(500), -270);
    let rest = [
        sums("acacia", "SAR", 1, net(115), 115),
        sums("nobody", "SAR", 1, net(50), 50),
        sums("cedar", "SAR", cedar.0, cedar.1, cedar.2),
    ];
    assert_eq!(buyers(store, 4).await, [&palm[..], &rest].concat());
    let two_more = sums("2 more", "SAR", 3, net(50) + cedar.1, 50 - 270);
    let expected = [&palm[..], &rest[..1], &[two_more]].concat();
    assert_eq!(buyers(store, 2).await, expected);
}
