//! What a caller may leave out and a file must state: amounts of percentages, the rate zero, and what only the schema of UBL requires.

use crate::calculation::percentage;
use crate::content::{AllowanceCharge, Line, Tax};
use crate::tax::Rate;
use crate::{Category, Content, Currency, Document, decimal};

/// The value of an element that UBL requires and the model does not (CEN/TS 16931-3-2).
const NOT_AVAILABLE: &str = "NA";

impl Document {
    /// Fills what was left out. It is filled for a file, and not when a document is completed: so documents that were stored before
    /// have it too, and callers read back what they sent.
    #[must_use]
    pub fn with_omitted_values(mut self) -> Self {
        let content = &mut self.content;
        let currency = Currency::of_document(&content.currency);
        for line in &mut content.lines {
            fill_rate(&mut line.tax);
            for item in &mut line.allowances_charges {
                fill_amount(item, currency);
            }
        }
        for item in &mut content.allowances_charges {
            fill_rate(&mut item.tax);
            fill_amount(item, currency);
        }
        self.with_ubl_values()
    }

    /// Fills what the schema of UBL requires and EN 16931 does not: the number of a purchase order beside a sales order (BT-14), the
    /// network of a card (BG-18), and the discount (BT-147) that UBL states a gross price in.
    #[must_use]
    pub fn with_ubl_values(mut self) -> Self {
        let content = &mut self.content;
        if content.purchase_order.is_empty() && !content.references.sales_order.is_empty() {
            NOT_AVAILABLE.clone_into(&mut content.purchase_order);
        }
        let cards = content.payment.iter_mut();
        for card in cards.filter_map(|means| means.card.as_mut()) {
            if card.network.is_empty() {
                NOT_AVAILABLE.clone_into(&mut card.network);
            }
        }
        for line in &mut content.lines {
            fill_discount(line);
        }
        self
    }
}

impl Content {
    /// BT-13, unless it is only what UBL has in its place. Empty if there is none.
    #[cfg(feature = "pdf")]
    pub(crate) fn purchase_order_number(&self) -> &str {
        match self.purchase_order.as_str() {
            NOT_AVAILABLE => "",
            number => number,
        }
    }
}

/// BT-92, BT-99, BT-136 and BT-141: the percentage of the base, as the rules compute it.
fn fill_amount(item: &mut AllowanceCharge, currency: Currency) {
    if !item.amount.is_empty() {
        return;
    }
    if let (Ok(base), Ok(percent)) = (decimal::parse(&item.base), decimal::parse(&item.percent))
        && let Some(amount) = percentage(base, percent, currency)
    {
        item.amount = amount.to_string();
    }
}

/// BR-Z-05 and its like: a category of the rate zero states it.
fn fill_rate(tax: &mut Tax) {
    let is_zero = Category::parse(&tax.category).is_some_and(|it| it.rate() == Rate::Zero);
    if is_zero && tax.rate.is_empty() {
        "0".clone_into(&mut tax.rate);
    }
}

/// BT-147: what the net price (BT-146) is below the gross price (PEPPOL-EN16931-R046).
fn fill_discount(line: &mut Line) {
    let details = &line.details;
    if details.gross_price.is_empty() || !details.price_discount.is_empty() {
        return;
    }
    let prices = (
        decimal::parse(&details.gross_price),
        decimal::parse(&line.unit_price),
    );
    if let (Ok(gross), Ok(net)) = prices
        && let Some(discount) = gross.checked_sub(net)
    {
        line.details.price_discount = decimal::print(discount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{Card, LineDetails, PaymentMeans};
    use crate::ubl;

    #[test]
    fn file_states_what_the_schema_of_ubl_requires() {
        let mut document = Document::default();
        document.content.references.sales_order = "SO-1".to_owned();
        document.content.payment = vec![PaymentMeans {
            card: Some(Card::default()),
            ..PaymentMeans::default()
        }];
        document.content.lines = vec![Line {
            unit_price: "10.50".to_owned(),
            details: LineDetails {
                gross_price: "12".to_owned(),
                ..LineDetails::default()
            }
            .into(),
            ..Line::default()
        }];
        let written = ubl::write(&document.with_ubl_values()).expect("UBL can hold it");
        for required in [
            "<cac:OrderReference><cbc:ID>NA</cbc:ID><cbc:SalesOrderID>SO-1</cbc:SalesOrderID>",
            "<cbc:NetworkID>NA</cbc:NetworkID>",
            "<cbc:Amount>1.5</cbc:Amount><cbc:BaseAmount>12</cbc:BaseAmount>",
        ] {
            assert!(written.contains(required), "{required} in {written}");
        }
    }

    #[test]
    fn given_value_stays_and_nothing_is_added_without_need() {
        let mut document = Document::default();
        document.content.purchase_order = "PO-1".to_owned();
        document.content.references.sales_order = "SO-1".to_owned();
        document.content.lines = vec![Line {
            unit_price: "10".to_owned(),
            details: LineDetails {
                gross_price: "12".to_owned(),
                price_discount: "2".to_owned(),
                ..LineDetails::default()
            }
            .into(),
            ..Line::default()
        }];
        for given in [document, Document::default()] {
            assert_eq!(given.clone().with_ubl_values(), given);
        }
    }
}
