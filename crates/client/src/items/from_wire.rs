//! Items and prices as views, and what a search without a connection compares.

use invoicing_contract::fold::{folded_identifier, words};
use invoicing_contract::messages::documents::Tax;
use invoicing_contract::messages::items as wire;

use crate::invoices::{minor_units, unambiguous};
use crate::views::{ItemView, LocalizedText, PriceView};

/// An item as a line offers it.
pub(super) fn item(item: wire::Item) -> ItemView {
    let name = item.name.unwrap_or_default();
    ItemView {
        key: item.item_key,
        stamp: item.concurrency_stamp,
        description: LocalizedText {
            ar: name.ar,
            en: name.en,
        },
        code: item.code,
        unit: item.unit,
        price: price(item.price, item.currency, item.tax),
    }
}

pub(super) fn last_price(last: wire::LastPrice) -> PriceView {
    price(last.price, last.currency, last.tax)
}

/// Whether each of the words begins one of the item's, or its code.
pub(super) fn matches(item: &wire::Item, searched: &[String]) -> bool {
    let name = item.name.clone().unwrap_or_default();
    let description = item.description.clone().unwrap_or_default();
    let code = folded_identifier(&item.code).unwrap_or_default();
    let texts = [
        &name.en,
        &name.ar,
        &description.en,
        &description.ar,
        &item.code,
    ];
    let own: Vec<String> = texts
        .into_iter()
        .chain(&item.tags)
        .flat_map(|text| words(text))
        .chain([code])
        .collect();
    searched
        .iter()
        .all(|word| own.iter().any(|own| own.starts_with(word.as_str())))
}

fn price(price: String, currency: String, tax: Option<Tax>) -> PriceView {
    let tax = tax.unwrap_or_default();
    PriceView {
        unit_price: unambiguous(price, minor_units(&currency)),
        currency,
        tax_category: tax.category,
        tax_rate: unambiguous(tax.rate, 0),
        exemption_code: tax.exemption_code,
    }
}
