//! What is to be remembered of an item otherwise than it is, and the fields of the service that are written for it (decision 0188).

use invoicing_contract::messages::documents::{LocalizedText, Tax};
use invoicing_contract::messages::items as wire;

use super::from_wire;
use crate::invoices::same_number;
use crate::views::{self, ItemChange, ItemPart, LineContent, PriceView};

/// What differs of an item.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Differences {
    pub(super) parts: Vec<ItemPart>,
    /// The fields of the item that are written.
    pub(super) paths: Vec<&'static str>,
}

impl Differences {
    /// What a change has that is not remembered. What it does not have is no difference, and a price in another currency is none either:
    /// it cannot be compared.
    pub(super) fn of(item: &wire::Item, change: &ItemChange) -> Self {
        let mut found = Self::default();
        for (given, known, part, [en, ar]) in [
            (
                &change.name,
                &item.name,
                ItemPart::Name,
                ["name.en", "name.ar"],
            ),
            (
                &change.description,
                &item.description,
                ItemPart::Description,
                ["description.en", "description.ar"],
            ),
        ] {
            let known = known.clone().unwrap_or_default();
            found.add_if(is_new(&given.en, &known.en), part, en);
            found.add_if(is_new(&given.ar, &known.ar), part, ar);
        }
        found.add_if(is_new(&change.unit, &item.unit), ItemPart::Unit, "unit");
        let PriceView {
            unit_price,
            currency,
            tax_category,
            tax_rate,
            exemption_code,
        } = &change.price;
        let other_price = !unit_price.trim().is_empty()
            && *currency == item.currency
            && !same_number(unit_price, &item.price);
        found.add_if(other_price, ItemPart::Price, "price");
        let known = item.tax.clone().unwrap_or_default();
        let other_tax = !tax_category.is_empty()
            && (*tax_category != known.category
                || !same_number(tax_rate, &known.rate)
                || *exemption_code != known.exemption_code);
        found.add_if(other_tax, ItemPart::Tax, "tax");
        found
    }

    fn add_if(&mut self, differs: bool, part: ItemPart, path: &'static str) {
        if !differs {
            return;
        }
        if !self.parts.contains(&part) {
            self.parts.push(part);
        }
        self.paths.push(path);
    }
}

/// Has that remembered of an item which a line of a document in `currency` says.
pub(super) fn change_of(item: &wire::Item, line: &LineContent, currency: &str) -> ItemChange {
    // An item has the price of one unit.
    let of_one = line.details.price_base.is_empty() || same_number(&line.details.price_base, "1");
    let price = if of_one { &*line.unit_price } else { "" };
    ItemChange {
        key: item.item_key.clone(),
        stamp: item.concurrency_stamp.clone(),
        name: line.description.clone(),
        description: line.details.item_description.clone(),
        unit: line.unit.clone(),
        price: PriceView {
            unit_price: price.to_owned(),
            currency: currency.to_owned(),
            tax_category: line.tax_category.clone(),
            tax_rate: line.tax_rate.clone(),
            exemption_code: line.exemption_code.clone(),
        },
    }
}

/// The item with what a change says. Only the fields that differ are taken from it.
pub(super) fn to_wire(change: &ItemChange) -> wire::Item {
    let PriceView {
        unit_price,
        currency: _,
        tax_category,
        tax_rate,
        exemption_code,
    } = change.price.clone();
    wire::Item {
        name: Some(text(&change.name)),
        description: Some(text(&change.description)),
        unit: change.unit.clone(),
        price: unit_price,
        tax: Some(Tax {
            category: tax_category,
            rate: tax_rate,
            exemption_code,
            exemption_reason: String::new(),
        }),
        ..wire::Item::default()
    }
}

/// The name that is remembered.
pub(super) fn name_of(item: &wire::Item) -> views::LocalizedText {
    from_wire::item(item.clone()).description
}

fn text(text: &views::LocalizedText) -> LocalizedText {
    LocalizedText {
        ar: text.ar.trim().to_owned(),
        en: text.en.trim().to_owned(),
    }
}

fn is_new(text: &str, known: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text != known.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> LineContent {
        LineContent {
            description: views::LocalizedText {
                ar: "استشارة".to_owned(),
                en: "Advice".to_owned(),
            },
            unit: "HUR".to_owned(),
            unit_price: "250.00".to_owned(),
            tax_category: "S".to_owned(),
            tax_rate: "15".to_owned(),
            ..LineContent::default()
        }
    }

    /// As it was remembered from the line.
    fn item() -> wire::Item {
        let change = change_of(&wire::Item::default(), &line(), "SAR");
        wire::Item {
            currency: "SAR".to_owned(),
            ..to_wire(&change)
        }
    }

    fn differences(change: impl FnOnce(&mut LineContent), currency: &str) -> Differences {
        let mut line = line();
        change(&mut line);
        Differences::of(&item(), &change_of(&item(), &line, currency))
    }

    #[test]
    fn line_as_it_is_remembered_differs_in_nothing() {
        let same = |line: &mut LineContent| {
            line.unit_price = "250".to_owned();
            line.tax_rate = "15.0".to_owned();
            line.description.ar.clear();
            line.unit.clear();
        };
        assert_eq!(differences(same, "SAR"), Differences::default());
    }

    #[test]
    fn each_part_that_is_new_is_named_and_written() {
        let unit = differences(|line| line.unit = "DAY".to_owned(), "SAR");
        assert_eq!(
            (&*unit.parts, &*unit.paths),
            (&[ItemPart::Unit][..], &["unit"][..])
        );
        let price = differences(|line| line.unit_price = "275".to_owned(), "SAR");
        assert_eq!(price.parts, [ItemPart::Price]);
        let tax = differences(|line| line.tax_category = "Z".to_owned(), "SAR");
        assert_eq!(tax.parts, [ItemPart::Tax]);
        let name = differences(|line| line.description.en = "advice".to_owned(), "SAR");
        assert_eq!(
            (&*name.parts, &*name.paths),
            (&[ItemPart::Name][..], &["name.en"][..])
        );
        let text = |line: &mut LineContent| line.details.item_description.en = "On site".to_owned();
        assert_eq!(differences(text, "SAR").parts, [ItemPart::Description]);
    }

    #[test]
    fn price_in_another_currency_or_for_a_hundred_is_not_compared() {
        let dearer = |line: &mut LineContent| line.unit_price = "275".to_owned();
        assert_eq!(differences(dearer, "USD"), Differences::default());
        let of_hundred = |line: &mut LineContent| {
            line.unit_price = "275".to_owned();
            line.details.price_base = "100".to_owned();
        };
        assert_eq!(differences(of_hundred, "SAR"), Differences::default());
    }
}
