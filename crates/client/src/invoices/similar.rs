//! Documents that a new one may repeat: the same buyer and total within a few days.

use invoice::Country;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::{Invoices, calculate, parse_numbers};
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
        let (parsed, _) = parse_numbers(content);
        let totals = calculate(&parsed, today, seller).totals;
        let buyer = [
            &content.buyer.tax_id,
            &content.buyer.name.en,
            &content.buyer.name.ar,
        ]
        .into_iter()
        .map(|text| text.trim())
        .find(|text| !text.is_empty());
        let (Some(totals), Some(buyer)) = (totals, buyer) else {
            return Ok(Vec::new());
        };
        let issued = content.issue_date.parse().unwrap_or(today);
        let day = |by: i64| {
            let day = issued.checked_add(by.days());
            day.map(|day: Date| day.to_string()).unwrap_or_default()
        };
        let query = InvoiceQuery {
            kind: vec![content.kind],
            buyer: buyer.to_owned(),
            issued_from: day(-DAYS),
            issued_to: day(DAYS),
            gross_from: totals.gross.clone(),
            gross_to: totals.gross,
            currency: vec![content.currency.clone()],
            page_size: NAMED,
            ..InvoiceQuery::default()
        };
        Ok(self.list(context, &query).await?.rows)
    }
}
