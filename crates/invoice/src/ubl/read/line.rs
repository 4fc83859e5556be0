//! Lines, allowances and charges.

use std::io::BufRead;

use super::{CAC, CBC, amount, party, period};
use crate::content::{
    AllowanceCharge, Classification, Identifier, ItemAttribute, Line, LineDetails, Tax, TaxAmounts,
};
use crate::ubl::INVOICED_OBJECT;
use crate::xml::{ReadError, Source};

pub(super) fn line<R: BufRead>(
    source: &mut Source<R>,
    currency: &str,
    line: &mut Line,
    net: &mut String,
) -> Result<(), ReadError> {
    source.children(|source| {
        let details = &mut line.details;
        match source.name() {
            (CBC, "ID") => source.read_text(&mut line.id),
            (CBC, "Note") => source.read_text(&mut details.note),
            (CBC, "InvoicedQuantity" | "CreditedQuantity") => {
                if line.quantity.is_empty() {
                    line.unit = source.attribute("unitCode");
                }
                source.read_decimal(&mut line.quantity)
            }
            (CBC, "LineExtensionAmount") => amount(source, currency, net),
            (CBC, "AccountingCost") => source.read_text(&mut details.accounting),
            (CAC, "InvoicePeriod") => {
                let dates = details.period.get_or_insert_default();
                source.children(|source| period(source, dates))
            }
            (CAC, "OrderLineReference") => source.children(|source| match source.name() {
                (CBC, "LineID") => source.read_text(&mut details.order_line),
                _ => source.skip(),
            }),
            (CAC, "DocumentReference") => object(source, &mut details.object),
            (CAC, "AllowanceCharge") => {
                source.count_repeated()?;
                let mut item = AllowanceCharge::default();
                allowance_charge(source, currency, &mut item)?;
                push(&mut line.allowances_charges, item);
                Ok(())
            }
            (CAC, "TaxTotal") if details.tax_amounts.is_none() => {
                let amounts = details.tax_amounts.insert(TaxAmounts::default());
                source.children(|source| match source.name() {
                    (CBC, "TaxAmount") => amount(source, currency, &mut amounts.tax),
                    (CBC, "RoundingAmount") => amount(source, currency, &mut amounts.gross),
                    _ => source.skip(),
                })
            }
            (CAC, "Item") => item(source, line),
            (CAC, "Price") => price(source, currency, line),
            _ => source.skip(),
        }
    })
}

fn item<R: BufRead>(source: &mut Source<R>, line: &mut Line) -> Result<(), ReadError> {
    source.children(|source| {
        let details = &mut line.details;
        match source.name() {
            (CBC, "Name") => source.read_localized(&mut line.description),
            (CBC, "Description") => source.read_localized(&mut details.item_description),
            (CAC, "BuyersItemIdentification") => {
                super::only_id(source, &mut details.buyer_item_code)
            }
            (CAC, "SellersItemIdentification") => super::only_id(source, &mut line.item_code),
            (CAC, "StandardItemIdentification") => source.children(|source| match source.name() {
                (CBC, "ID") => source.read_identifier(&mut details.standard_item_code),
                _ => source.skip(),
            }),
            (CAC, "OriginCountry") => party::country(source, &mut details.origin),
            (CAC, "CommodityClassification") => source.children(|source| match source.name() {
                (CBC, "ItemClassificationCode") => {
                    source.count_repeated()?;
                    let class = Classification {
                        list: source.attribute("listID"),
                        version: source.attribute("listVersionID"),
                        code: source.text()?.to_owned(),
                    };
                    push(&mut details.classifications, class);
                    Ok(())
                }
                _ => source.skip(),
            }),
            (CAC, "ClassifiedTaxCategory") if line.tax.is_empty() => {
                tax_category(source, &mut line.tax)
            }
            (CAC, "AdditionalItemProperty") => {
                source.count_repeated()?;
                let mut attribute = ItemAttribute::default();
                source.children(|source| match source.name() {
                    (CBC, "Name") => source.read_text(&mut attribute.name),
                    (CBC, "Value") => source.read_text(&mut attribute.value),
                    _ => source.skip(),
                })?;
                push(&mut details.attributes, attribute);
                Ok(())
            }
            _ => source.skip(),
        }
    })
}

fn price<R: BufRead>(
    source: &mut Source<R>,
    currency: &str,
    line: &mut Line,
) -> Result<(), ReadError> {
    source.children(|source| {
        let details = &mut line.details;
        match source.name() {
            (CBC, "PriceAmount") => amount(source, currency, &mut line.unit_price),
            (CBC, "BaseQuantity") => {
                if line.price_base.is_empty() {
                    details.price_base_unit = source.attribute("unitCode");
                }
                source.read_decimal(&mut line.price_base)
            }
            (CAC, "AllowanceCharge")
                if details.price_discount.is_empty() && details.gross_price.is_empty() =>
            {
                price_discount(source, currency, details)
            }
            _ => source.skip(),
        }
    })
}

/// BT-147 and BT-148. EN 16931 has no charge on a price.
fn price_discount<R: BufRead>(
    source: &mut Source<R>,
    currency: &str,
    details: &mut LineDetails,
) -> Result<(), ReadError> {
    // The indicator may be omitted, because only a discount is possible.
    let mut is_discount = true;
    let (mut discount, mut gross) = (String::new(), String::new());
    source.children(|source| match source.name() {
        (CBC, "ChargeIndicator") => {
            is_discount = is_charge(source.text()?) == Some(false);
            Ok(())
        }
        (CBC, "Amount") => amount(source, currency, &mut discount),
        (CBC, "BaseAmount") => amount(source, currency, &mut gross),
        _ => source.skip(),
    })?;
    if !is_discount {
        return source.record_last_unmapped();
    }
    (details.price_discount, details.gross_price) = (discount, gross);
    Ok(())
}

pub(super) fn allowance_charge<R: BufRead>(
    source: &mut Source<R>,
    currency: &str,
    item: &mut AllowanceCharge,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "ChargeIndicator") => {
            match is_charge(source.text()?) {
                Some(is_charge) => item.is_charge = is_charge,
                None => source.record_last_unmapped()?,
            }
            Ok(())
        }
        (CBC, "AllowanceChargeReasonCode") => source.read_text(&mut item.reason_code),
        (CBC, "AllowanceChargeReason") => source.read_text(&mut item.reason),
        (CBC, "MultiplierFactorNumeric") => source.read_decimal(&mut item.percent),
        (CBC, "Amount") => amount(source, currency, &mut item.amount),
        (CBC, "BaseAmount") => amount(source, currency, &mut item.base),
        (CAC, "TaxCategory") if item.tax.is_empty() => tax_category(source, &mut item.tax),
        _ => source.skip(),
    })
}

pub(super) fn tax_category<R: BufRead>(
    source: &mut Source<R>,
    tax: &mut Tax,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "ID") => {
            code_list(source);
            source.read_text(&mut tax.category)
        }
        (CBC, "Percent") => source.read_decimal(&mut tax.rate),
        (CBC, "TaxExemptionReasonCode") => source.read_text(&mut tax.exemption_code),
        (CBC, "TaxExemptionReason") => source.read_text(&mut tax.exemption_reason),
        (CAC, "TaxScheme") => source.children(|source| match source.name() {
            (CBC, "ID") => {
                code_list(source);
                if source.text()?.eq_ignore_ascii_case("VAT") {
                    Ok(())
                } else {
                    source.record_last_unmapped()
                }
            }
            _ => source.skip(),
        }),
        _ => source.skip(),
    })
}

/// Appends an item with a capacity of one at first: most lines have at most one, and the default capacity of four
/// would take most of the memory of an invoice.
fn push<T>(items: &mut Vec<T>, item: T) {
    if items.is_empty() {
        items.reserve_exact(1);
    }
    items.push(item);
}

/// Ignores the attributes that name the code list, which is fixed.
fn code_list<R: BufRead>(source: &mut Source<R>) {
    source.read_attribute_values(
        "schemeID",
        &["UN/ECE 5305", "UN/ECE 5153", "UNCL5305", "UNCL5153"],
    );
    source.read_attribute_values("schemeAgencyID", &["6"]);
}

fn object<R: BufRead>(source: &mut Source<R>, object: &mut Identifier) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "ID") => source.read_identifier(object),
        (CBC, "DocumentTypeCode") => {
            if source.text()? == INVOICED_OBJECT {
                Ok(())
            } else {
                source.record_last_unmapped()
            }
        }
        _ => source.skip(),
    })
}

fn is_charge(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
