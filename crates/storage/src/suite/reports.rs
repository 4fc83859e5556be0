//! Cases of reports ([`ReportStore`](crate::ReportStore)).

use invoicing_contract::messages::documents::Kind;

use super::credits::{issue, note};
use super::fixtures::{JEDDAH, RIYADH, draft, id, key, populate, unlimited};
use super::numbers::{invoices, numbering};
use super::payments::{issued, payment, record};
use crate::Store;
use crate::documents::{AddOutcome, NumberOutcome};
use crate::reports::{AgeingBounds, AgeingBucket};

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
