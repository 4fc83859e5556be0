//! Documents that a new one may repeat: the same buyer and total within a few days. Without a connection they are those that this
//! computer has seen lately (decision 0193).

use invoice::Country;
use invoicing_contract::fold::{folded_identifier, words};
use invoicing_contract::messages::simple;
use invoicing_contract::{DocumentKey, operation};
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::list_request::rows_only;
use super::{Invoices, calculate, from_wire, same_number};
use crate::cached_read::{Answer, read_or_cached};
use crate::gateway::{CallContext, GatewayError};
use crate::read_cache::{Cached, DOCUMENTS};
use crate::views::{
    BuyerContent, CommandError, InvoiceContent, InvoiceKind, InvoiceQuery, InvoiceRow,
};

/// How far apart the issue dates may be.
const DAYS: i64 = 7;
/// How many documents are named.
const NAMED: usize = 5;
/// The largest page.
const MAX_PAGE: u32 = 500;

/// What two documents of one sale have in common.
pub(crate) struct Sale<'a> {
    kind: InvoiceKind,
    buyer: &'a BuyerContent,
    currency: &'a str,
    /// BT-112
    pub(crate) gross: String,
    issued: Date,
}

impl<'a> Sale<'a> {
    /// `None` while the content has no buyer or no total.
    pub(crate) fn of(
        content: &'a InvoiceContent,
        today: Date,
        seller: Option<Country>,
    ) -> Option<Self> {
        let InvoiceContent {
            kind,
            buyer,
            issue_date,
            currency,
            ..
        } = content;
        buyer_text(buyer)?;
        let totals = calculate(content, today, seller).totals?;
        Some(Self {
            kind: *kind,
            buyer,
            currency,
            gross: totals.gross,
            issued: issue_date.parse().unwrap_or(today),
        })
    }

    /// Whether another one can be the same sale.
    pub(crate) fn is_repeated_by(&self, other: &Sale<'_>) -> bool {
        let BuyerContent { name, tax_id, .. } = other.buyer;
        self.kind == other.kind
            && self.currency == other.currency
            && same_number(&self.gross, &other.gross)
            && self.is_near(other.issued)
            && self.is_of(tax_id, &name.en, &name.ar)
    }

    /// Whether a document can be of the same sale.
    fn is_in(&self, invoice: &simple::Invoice) -> bool {
        let buyer = invoice.buyer.clone().unwrap_or_default();
        let name = buyer.name.unwrap_or_default();
        let issued = invoice.issue_date.parse::<Date>();
        self.kind == from_wire::kind_from_wire(invoice.kind())
            && self.currency == invoice.currency
            && same_number(&self.gross, &invoice.gross)
            && issued.is_ok_and(|issued| self.is_near(issued))
            && self.is_of(&buyer.tax_id, &name.en, &name.ar)
    }

    /// Whether its buyer has this tax id, or, where one of them has none, a name of the same words.
    fn is_of(&self, tax_id: &str, en: &str, ar: &str) -> bool {
        let ids = (
            folded_identifier(&self.buyer.tax_id),
            folded_identifier(tax_id),
        );
        match ids {
            (Some(one), Some(other)) => one == other,
            (_, _) => same_words(&self.buyer.name.en, en) || same_words(&self.buyer.name.ar, ar),
        }
    }

    fn is_near(&self, issued: Date) -> bool {
        self.day(-DAYS).is_none_or(|first| issued >= first)
            && self.day(DAYS).is_none_or(|last| issued <= last)
    }

    fn day(&self, by: i64) -> Option<Date> {
        self.issued.checked_add(by.days()).ok()
    }

    /// What the documents are found by. `known` ones among them are left out afterwards.
    fn query(&self, known: usize) -> InvoiceQuery {
        let day = |by| self.day(by).map(|day| day.to_string()).unwrap_or_default();
        let size = u32::try_from(NAMED + known).unwrap_or(MAX_PAGE);
        InvoiceQuery {
            kind: vec![self.kind],
            buyer: buyer_text(self.buyer).unwrap_or_default().to_owned(),
            issued_from: day(-DAYS),
            issued_to: day(DAYS),
            gross_from: self.gross.clone(),
            gross_to: self.gross.clone(),
            currency: vec![self.currency.to_owned()],
            page_size: size.min(MAX_PAGE),
            ..InvoiceQuery::default()
        }
    }
}

impl Invoices {
    /// Documents that a sale may repeat, without the `known` ones, latest first. `true`: the service was not reached, and they are those
    /// that this computer has seen lately.
    pub(crate) async fn similar(
        &self,
        context: &CallContext,
        sale: &Sale<'_>,
        known: &[DocumentKey],
    ) -> Result<(Vec<InvoiceRow>, bool), CommandError> {
        let request = self.list_request(context, &sale.query(known.len()))?;
        let cached = async {
            let mut value = self.known_rows(context).await;
            value.retain(|row| sale.is_in(row));
            value.sort_by(|one, other| other.issue_date.cmp(&one.issue_date));
            let as_of = self.clock.now();
            Some(Cached { value, as_of })
        };
        let answer = read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            DOCUMENTS,
            self.ask_similar(context, &request),
            cached,
        );
        match answer.await {
            Ok(Answer::Current(found)) => Ok((unknown_rows(&found, known), false)),
            Ok(Answer::Cached(Cached { value, .. })) => Ok((unknown_rows(&value, known), true)),
            Err(error) => Err(self.command_error(context, &operation::LIST_INVOICES, &error)),
        }
    }

    /// The same as the service has them now.
    pub(crate) async fn similar_now(
        &self,
        context: &CallContext,
        sale: &Sale<'_>,
        known: &[DocumentKey],
    ) -> Result<Vec<InvoiceRow>, CommandError> {
        let request = self.list_request(context, &sale.query(known.len()))?;
        match self.ask_similar(context, &request).await {
            Ok(found) => Ok(unknown_rows(&found, known)),
            Err(error) => Err(self.command_error(context, &operation::LIST_INVOICES, &error)),
        }
    }

    async fn ask_similar(
        &self,
        context: &CallContext,
        request: &simple::ListInvoicesRequest,
    ) -> Result<Vec<simple::Invoice>, GatewayError> {
        let page: simple::ListInvoicesResponse = self
            .gateway
            .call(
                context,
                &operation::LIST_INVOICES,
                None,
                &rows_only(request),
            )
            .await?;
        Ok(page.items)
    }
}

fn unknown_rows(found: &[simple::Invoice], known: &[DocumentKey]) -> Vec<InvoiceRow> {
    let rows = found.iter().map(from_wire::row);
    rows.filter(|row| !known.contains(&row.key))
        .take(NAMED)
        .collect()
}

/// What the list finds a buyer by.
fn buyer_text(buyer: &BuyerContent) -> Option<&str> {
    [&buyer.tax_id, &buyer.name.en, &buyer.name.ar]
        .into_iter()
        .map(|text| text.trim())
        .find(|text| !text.is_empty())
}

fn same_words(one: &str, other: &str) -> bool {
    let of_one = words(one);
    !of_one.is_empty() && of_one == words(other)
}

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::documents;

    use super::*;
    use crate::views::LineContent;

    const TODAY: Date = jiff::civil::date(2026, 11, 21);

    /// Two pieces at 1.235, which come to 2.47.
    fn content(buyer: &str, tax_id: &str) -> InvoiceContent {
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
        content.buyer.name.en = buyer.to_owned();
        content.buyer.tax_id = tax_id.to_owned();
        content
    }

    #[test]
    fn total_is_that_of_the_numbers_as_they_were_typed() {
        assert!(
            Sale::of(&content(" ", ""), TODAY, None).is_none(),
            "no buyer"
        );
        let content = content(" Dune ", "");
        let query = Sale::of(&content, TODAY, None).expect("a buyer and a total");
        let query = query.query(1);
        assert_eq!(
            (query.buyer.as_str(), query.gross_from.as_str()),
            ("Dune", "2.47")
        );
        assert_eq!(
            (query.issued_from.as_str(), query.issued_to.as_str()),
            ("2026-11-14", "2026-11-28")
        );
        assert_eq!(query.page_size, 6, "one more than are named");
    }

    #[test]
    fn without_a_connection_the_same_is_compared_as_the_service_compares() {
        let typed = content("Dune  catering", "3001 22");
        let sale = Sale::of(&typed, TODAY, None).expect("a buyer and a total");
        let row = |issue_date: &str, gross: &str, name: &str, tax_id: &str| simple::Invoice {
            issue_date: issue_date.to_owned(),
            currency: "SAR".to_owned(),
            gross: gross.to_owned(),
            buyer: Some(documents::Party {
                name: Some(documents::LocalizedText {
                    ar: String::new(),
                    en: name.to_owned(),
                }),
                tax_id: tax_id.to_owned(),
                ..documents::Party::default()
            }),
            ..simple::Invoice::default()
        };
        for (row, expected) in [
            (row("2026-11-14", "2.47", "DUNE Catering", ""), true),
            (row("2026-11-28", "2.470", "Other name", "300122"), true),
            (row("2026-11-28", "2.47", "Dune Catering", "300123"), false),
            (row("2026-11-28", "2.47", "Dune", ""), false),
            (row("2026-11-13", "2.47", "Dune Catering", ""), false),
            (row("2026-11-21", "2.48", "Dune Catering", ""), false),
        ] {
            assert_eq!(sale.is_in(&row), expected, "{row:?}");
        }
        let euros = simple::Invoice {
            currency: "EUR".to_owned(),
            ..row("2026-11-21", "2.47", "Dune Catering", "")
        };
        assert!(!sale.is_in(&euros));
        let mut note = content("Dune Catering", "");
        let other = Sale::of(&note, TODAY, None).expect("a buyer and a total");
        assert!(sale.is_repeated_by(&other));
        note.kind = InvoiceKind::CreditNote;
        let other = Sale::of(&note, TODAY, None).expect("a buyer and a total");
        assert!(!sale.is_repeated_by(&other));
    }
}
