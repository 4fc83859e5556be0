//! Lines, allowances and charges.

use std::io::BufRead;

use super::{INVOICED_OBJECT, amount, date, indicator, only};
use crate::content::{
    AllowanceCharge, Classification, Identifier, ItemAttribute, Line, LineDetails, Period, Tax,
};
use crate::syntax::RAM;
use crate::xml::{ReadError, Source};

pub(super) fn line<R: BufRead>(
    source: &mut Source<R>,
    line: &mut Line,
    net: &mut String,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "AssociatedDocumentLineDocument") => source.children(|source| match source.name() {
            (RAM, "LineID") => source.read_text(&mut line.id),
            (RAM, "IncludedNote") => only(source, "Content", &mut line.details.note),
            _ => source.skip(),
        }),
        (RAM, "SpecifiedTradeProduct") => product(source, line),
        (RAM, "SpecifiedLineTradeAgreement") => prices(source, line),
        (RAM, "SpecifiedLineTradeDelivery") => source.children(|source| match source.name() {
            (RAM, "BilledQuantity") => quantity(source, &mut line.quantity, &mut line.unit),
            _ => source.skip(),
        }),
        (RAM, "SpecifiedLineTradeSettlement") => settlement(source, line, net),
        _ => source.skip(),
    })
}

fn product<R: BufRead>(source: &mut Source<R>, line: &mut Line) -> Result<(), ReadError> {
    source.children(|source| {
        let details = &mut line.details;
        match source.name() {
            (RAM, "GlobalID") => source.read_identifier(&mut details.standard_item_code),
            (RAM, "SellerAssignedID") => source.read_text(&mut line.item_code),
            (RAM, "BuyerAssignedID") => source.read_text(&mut details.buyer_item_code),
            (RAM, "Name") => source.read_localized(&mut line.description),
            (RAM, "Description") => source.read_localized(&mut details.item_description),
            (RAM, "ApplicableProductCharacteristic") => {
                source.count_repeated()?;
                let mut attribute = ItemAttribute::default();
                source.children(|source| match source.name() {
                    (RAM, "Description") => source.read_text(&mut attribute.name),
                    (RAM, "Value") => source.read_text(&mut attribute.value),
                    _ => source.skip(),
                })?;
                details.attributes.push(attribute);
                Ok(())
            }
            (RAM, "DesignatedProductClassification") => {
                source.children(|source| match source.name() {
                    (RAM, "ClassCode") => {
                        source.count_repeated()?;
                        let class = Classification {
                            list: source.attribute("listID"),
                            version: source.attribute("listVersionID"),
                            code: source.text()?.to_owned(),
                        };
                        details.classifications.push(class);
                        Ok(())
                    }
                    _ => source.skip(),
                })
            }
            (RAM, "OriginTradeCountry") => only(source, "ID", &mut details.origin),
            _ => source.skip(),
        }
    })
}

/// BG-29. Gross and net price both have the base quantity.
fn prices<R: BufRead>(source: &mut Source<R>, line: &mut Line) -> Result<(), ReadError> {
    let (mut gross_base, mut gross_unit) = (String::new(), String::new());
    source.children(|source| {
        let details = &mut line.details;
        match source.name() {
            (RAM, "BuyerOrderReferencedDocument") => {
                only(source, "LineID", &mut details.order_line)
            }
            (RAM, "GrossPriceProductTradePrice") => source.children(|source| match source.name() {
                (RAM, "ChargeAmount") => amount(source, &mut details.gross_price),
                (RAM, "BasisQuantity") => quantity(source, &mut gross_base, &mut gross_unit),
                (RAM, "AppliedTradeAllowanceCharge") if details.price_discount.is_empty() => {
                    discount(source, details)
                }
                _ => source.skip(),
            }),
            (RAM, "NetPriceProductTradePrice") => source.children(|source| match source.name() {
                (RAM, "ChargeAmount") => amount(source, &mut line.unit_price),
                (RAM, "BasisQuantity") => {
                    quantity(source, &mut line.price_base, &mut details.price_base_unit)
                }
                _ => source.skip(),
            }),
            _ => source.skip(),
        }
    })?;
    let same = gross_base == line.price_base && gross_unit == line.details.price_base_unit;
    if same || (gross_base.is_empty() && gross_unit.is_empty()) {
        return Ok(());
    }
    source.record_unmapped_in_last("ram:GrossPriceProductTradePrice/ram:BasisQuantity")
}

/// BT-147. EN 16931 has no charge on a price.
fn discount<R: BufRead>(
    source: &mut Source<R>,
    details: &mut LineDetails,
) -> Result<(), ReadError> {
    let (mut is_charge, mut discount) = (None, String::new());
    source.children(|source| match source.name() {
        (RAM, "ChargeIndicator") => {
            is_charge = indicator(source)?;
            Ok(())
        }
        (RAM, "ActualAmount") => amount(source, &mut discount),
        _ => source.skip(),
    })?;
    if is_charge != Some(false) {
        return source.record_last_unmapped();
    }
    details.price_discount = discount;
    Ok(())
}

fn settlement<R: BufRead>(
    source: &mut Source<R>,
    line: &mut Line,
    net: &mut String,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "ApplicableTradeTax") if line.tax.is_empty() => tax(source, &mut line.tax),
        (RAM, "BillingSpecifiedPeriod") => {
            period(source, line.details.period.get_or_insert_default())
        }
        (RAM, "SpecifiedTradeAllowanceCharge") => {
            source.count_repeated()?;
            let mut item = AllowanceCharge::default();
            allowance_charge(source, &mut item)?;
            line.allowances_charges.push(item);
            Ok(())
        }
        (RAM, "SpecifiedTradeSettlementLineMonetarySummation") => {
            source.children(|source| match source.name() {
                (RAM, "LineTotalAmount") => amount(source, net),
                _ => source.skip(),
            })
        }
        (RAM, "AdditionalReferencedDocument") => object(source, &mut line.details.object),
        (RAM, "ReceivableSpecifiedTradeAccountingAccount") => {
            only(source, "ID", &mut line.details.accounting)
        }
        _ => source.skip(),
    })
}

/// BT-128
fn object<R: BufRead>(source: &mut Source<R>, object: &mut Identifier) -> Result<(), ReadError> {
    let (mut found, mut type_code) = (Identifier::default(), String::new());
    source.children(|source| match source.name() {
        (RAM, "IssuerAssignedID") => source.read_text(&mut found.value),
        (RAM, "TypeCode") => source.read_text(&mut type_code),
        (RAM, "ReferenceTypeCode") => source.read_text(&mut found.scheme),
        _ => source.skip(),
    })?;
    if type_code != INVOICED_OBJECT || !object.value.is_empty() {
        return source.record_last_unmapped();
    }
    *object = found;
    Ok(())
}

pub(super) fn allowance_charge<R: BufRead>(
    source: &mut Source<R>,
    item: &mut AllowanceCharge,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "ChargeIndicator") => {
            item.is_charge = indicator(source)?.unwrap_or_default();
            Ok(())
        }
        (RAM, "CalculationPercent") => source.read_decimal(&mut item.percent),
        (RAM, "BasisAmount") => amount(source, &mut item.base),
        (RAM, "ActualAmount") => amount(source, &mut item.amount),
        (RAM, "ReasonCode") => source.read_text(&mut item.reason_code),
        (RAM, "Reason") => source.read_text(&mut item.reason),
        (RAM, "CategoryTradeTax") if item.tax.is_empty() => tax(source, &mut item.tax),
        _ => source.skip(),
    })
}

fn tax<R: BufRead>(source: &mut Source<R>, tax: &mut Tax) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "TypeCode") => source.expect_text("VAT"),
        (RAM, "CategoryCode") => source.read_text(&mut tax.category),
        (RAM, "RateApplicablePercent") => source.read_decimal(&mut tax.rate),
        (RAM, "ExemptionReasonCode") => source.read_text(&mut tax.exemption_code),
        (RAM, "ExemptionReason") => source.read_text(&mut tax.exemption_reason),
        _ => source.skip(),
    })
}

pub(super) fn period<R: BufRead>(
    source: &mut Source<R>,
    period: &mut Period,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "StartDateTime") => date(source, &mut period.start),
        (RAM, "EndDateTime") => date(source, &mut period.end),
        _ => source.skip(),
    })
}

/// Reads a quantity with its unit into an empty field.
fn quantity<R: BufRead>(
    source: &mut Source<R>,
    field: &mut String,
    unit: &mut String,
) -> Result<(), ReadError> {
    if field.is_empty() {
        *unit = source.attribute("unitCode");
    }
    source.read_decimal(field)
}
