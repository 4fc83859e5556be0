//! Lines, allowances and charges.

use super::{Root, identifier, only_id, party, period};
use crate::Document;
use crate::content::{AllowanceCharge, Identifier, Line, Tax, TaxAmounts};
use crate::ubl::INVOICED_OBJECT;
use crate::xml::Writer;

pub(super) fn lines(writer: &mut Writer, document: &Document, root: Root) {
    let name = match root {
        Root::Invoice => "cac:InvoiceLine",
        Root::CreditNote => "cac:CreditNoteLine",
    };
    let currency = &document.content.currency;
    let nets = document.figures.line_nets.iter().map(String::as_str);
    let nets = nets.chain(std::iter::repeat(""));
    for (one, net) in document.content.lines.iter().zip(nets) {
        writer.element(name, &[], |writer| {
            line(writer, one, net, root, currency);
        });
    }
}

fn line(writer: &mut Writer, line: &Line, net: &str, root: Root, currency: &str) {
    let details = &line.details;
    let quantity = match root {
        Root::Invoice => "cbc:InvoicedQuantity",
        Root::CreditNote => "cbc:CreditedQuantity",
    };
    writer.text("cbc:ID", &line.id);
    writer.text("cbc:Note", &details.note);
    writer.text_with(quantity, &[("unitCode", &line.unit)], &line.quantity);
    writer.amount("cbc:LineExtensionAmount", currency, net);
    writer.text("cbc:AccountingCost", &details.accounting);
    if let Some(dates) = &details.period {
        writer.element("cac:InvoicePeriod", &[], |writer| period(writer, dates));
    }
    writer.group("cac:OrderLineReference", |writer| {
        writer.text("cbc:LineID", &details.order_line);
    });
    if details.object != Identifier::default() {
        writer.element("cac:DocumentReference", &[], |writer| {
            identifier(writer, "cbc:ID", &details.object);
            writer.text("cbc:DocumentTypeCode", INVOICED_OBJECT);
        });
    }
    // The schemas of both lines have these two in another order.
    if root == Root::CreditNote {
        tax_amounts(writer, details.tax_amounts.as_ref(), currency);
    }
    for item in &line.allowances_charges {
        allowance_charge(writer, currency, item);
    }
    if root == Root::Invoice {
        tax_amounts(writer, details.tax_amounts.as_ref(), currency);
    }
    writer.group("cac:Item", |writer| item(writer, line));
    writer.group("cac:Price", |writer| price(writer, line, currency));
}

/// KSA-11 and KSA-12
fn tax_amounts(writer: &mut Writer, amounts: Option<&TaxAmounts>, currency: &str) {
    if let Some(amounts) = amounts {
        writer.element("cac:TaxTotal", &[], |writer| {
            writer.amount("cbc:TaxAmount", currency, &amounts.tax);
            writer.amount("cbc:RoundingAmount", currency, &amounts.gross);
        });
    }
}

fn item(writer: &mut Writer, line: &Line) {
    let details = &line.details;
    writer.localized("cbc:Description", &details.item_description);
    writer.localized("cbc:Name", &line.description);
    only_id(
        writer,
        "cac:BuyersItemIdentification",
        &details.buyer_item_code,
    );
    only_id(writer, "cac:SellersItemIdentification", &line.item_code);
    writer.group("cac:StandardItemIdentification", |writer| {
        identifier(writer, "cbc:ID", &details.standard_item_code);
    });
    party::country(writer, "cac:OriginCountry", &details.origin);
    for class in &details.classifications {
        writer.element("cac:CommodityClassification", &[], |writer| {
            let attributes = [
                ("listID", class.list.as_str()),
                ("listVersionID", class.version.as_str()),
            ];
            writer.element("cbc:ItemClassificationCode", &attributes, |writer| {
                writer.characters("cbc:ItemClassificationCode", &class.code);
            });
        });
    }
    tax_category(writer, "cac:ClassifiedTaxCategory", &line.tax);
    for attribute in &details.attributes {
        writer.element("cac:AdditionalItemProperty", &[], |writer| {
            writer.text("cbc:Name", &attribute.name);
            writer.text("cbc:Value", &attribute.value);
        });
    }
}

fn price(writer: &mut Writer, line: &Line, currency: &str) {
    let details = &line.details;
    writer.amount("cbc:PriceAmount", currency, &line.unit_price);
    writer.text_with(
        "cbc:BaseQuantity",
        &[("unitCode", &details.price_base_unit)],
        &line.price_base,
    );
    if details.price_discount.is_empty() && details.gross_price.is_empty() {
        return;
    }
    writer.element("cac:AllowanceCharge", &[], |writer| {
        writer.text("cbc:ChargeIndicator", "false");
        writer.amount("cbc:Amount", currency, &details.price_discount);
        writer.amount("cbc:BaseAmount", currency, &details.gross_price);
    });
}

pub(super) fn allowance_charge(writer: &mut Writer, currency: &str, item: &AllowanceCharge) {
    writer.element("cac:AllowanceCharge", &[], |writer| {
        let indicator = if item.is_charge { "true" } else { "false" };
        writer.text("cbc:ChargeIndicator", indicator);
        writer.text("cbc:AllowanceChargeReasonCode", &item.reason_code);
        writer.text("cbc:AllowanceChargeReason", &item.reason);
        writer.text("cbc:MultiplierFactorNumeric", &item.percent);
        writer.amount("cbc:Amount", currency, &item.amount);
        writer.amount("cbc:BaseAmount", currency, &item.base);
        tax_category(writer, "cac:TaxCategory", &item.tax);
    });
}

pub(super) fn tax_category(writer: &mut Writer, name: &'static str, tax: &Tax) {
    if tax.is_empty() {
        return;
    }
    writer.element(name, &[], |writer| {
        writer.text("cbc:ID", &tax.category);
        writer.text("cbc:Percent", &tax.rate);
        writer.text("cbc:TaxExemptionReasonCode", &tax.exemption_code);
        writer.text("cbc:TaxExemptionReason", &tax.exemption_reason);
        only_id(writer, "cac:TaxScheme", "VAT");
    });
}

#[cfg(test)]
mod tests {
    use crate::content::{AllowanceCharge, Line, LineDetails, TaxAmounts};
    use crate::{Document, Kind, ubl};

    #[test]
    fn tax_of_a_line_is_where_the_schema_of_its_document_has_it() {
        for (kind, type_code, tax_is_first) in [
            (Kind::Invoice, "380", false),
            (Kind::CreditNote, "381", true),
        ] {
            let mut document = Document {
                type_code: type_code.to_owned(),
                ..Document::default()
            };
            document.content.kind = kind;
            document.content.lines = vec![Line {
                allowances_charges: vec![AllowanceCharge::default()],
                details: LineDetails {
                    tax_amounts: Some(TaxAmounts::default()),
                    ..LineDetails::default()
                }
                .into(),
                ..Line::default()
            }];
            let written = ubl::write(&document).expect("UBL can hold it");
            let at = |name: &str| written.find(name).expect("it is written");
            assert_eq!(
                at("<cac:TaxTotal>") < at("<cac:AllowanceCharge>"),
                tax_is_first,
                "{written}"
            );
        }
    }
}
