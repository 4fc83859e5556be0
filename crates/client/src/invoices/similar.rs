//! Documents that a new one may repeat: the same buyer and total within a few days.

use invoice::Country;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::{Invoices, calculate};
use crate::gateway::CallContext;
use crate::views::{CommandError, InvoiceContent, InvoiceQuery, InvoiceRow};

/// How far apart the issue dates may be.
const DAYS: i64 = 7;
/// How many documents are named.
const NAMED: u32 = 5;

impl Invoices {
    /// Documents of the same kind, buyer, currency and gross total whose issue dates are near, latest first.
    pub(crate) async fn similar(
        &self,
        context: &CallContext,
        content: &InvoiceContent,
        today: Date,
        seller: Option<Country>,
    ) -> Result<Vec<InvoiceRow>, CommandError> {
        match query(content, today, seller) {
            Some(query) => Ok(self.list(context, &query).await?.rows),
            None => Ok(Vec::new()),
        }
    }
}

/// What the documents are found by; `None` while the content has no buyer or no total.
fn query(content: &InvoiceContent, today: Date, seller: Option<Country>) -> Option<InvoiceQuery> {
    let totals = calculate(content, today, seller).totals?;
    let buyer = [
        &content.buyer.tax_id,
        &content.buyer.name.en,
        &content.buyer.name.ar,
    ]
    .into_iter()
    .map(|text| text.trim())
    .find(|text| !text.is_empty())?;
    let issued = content.issue_date.parse().unwrap_or(today);
    let day = |by: i64| {
        let day = issued.checked_add(by.days());
        day.map(|day: Date| day.to_string()).unwrap_or_default()
    };
    Some(InvoiceQuery {
        kind: vec![content.kind],
        buyer: buyer.to_owned(),
        issued_from: day(-DAYS),
        issued_to: day(DAYS),
        gross_from: totals.gross.clone(),
        gross_to: totals.gross,
        currency: vec![content.currency.clone()],
        page_size: NAMED,
        ..InvoiceQuery::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::LineContent;

    #[test]
    fn total_is_that_of_the_numbers_as_they_were_typed() {
        let mut content = InvoiceContent {
            currency: "SAR".to_owned(),
            lines: vec![LineContent {
                quantity: "٢".to_owned(),
                // A decimal string of three decimals would have two readings.
                unit_price: "١٫٢٣٥".to_owned(),
                tax_category: "Z".to_owned(),
                tax_rate: "0".to_owned(),
                ..LineContent::default()
            }],
            ..InvoiceContent::default()
        };
        let today = jiff::civil::date(2026, 11, 21);
        assert_eq!(query(&content, today, None), None, "no buyer");
        content.buyer.name.en = " Dune ".to_owned();
        let query = query(&content, today, None).expect("a buyer and a total");
        assert_eq!(
            (query.buyer.as_str(), query.gross_from.as_str()),
            ("Dune", "2.47")
        );
        assert_eq!(
            (query.issued_from.as_str(), query.issued_to.as_str()),
            ("2026-11-14", "2026-11-28")
        );
    }
}
