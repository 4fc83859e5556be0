//! Lines, allowances and charges.

use invoice::content::*;

use super::referenced;
use super::xml::Xml;

pub(super) fn line(xml: &mut Xml, line: &Line, net: &str) {
    let details = &line.details;
    xml.group("ram:AssociatedDocumentLineDocument", |xml| {
        xml.text("ram:LineID", &line.id);
        xml.only("ram:IncludedNote", "ram:Content", &details.note);
    });
    xml.group("ram:SpecifiedTradeProduct", |xml| {
        xml.identifier("ram:GlobalID", &details.standard_item_code);
        xml.text("ram:SellerAssignedID", &line.item_code);
        xml.text("ram:BuyerAssignedID", &details.buyer_item_code);
        xml.localized("ram:Name", &line.description);
        xml.localized("ram:Description", &details.item_description);
        for attribute in &details.attributes {
            xml.group("ram:ApplicableProductCharacteristic", |xml| {
                xml.text("ram:Description", &attribute.name);
                xml.text("ram:Value", &attribute.value);
            });
        }
        for class in &details.classifications {
            xml.group("ram:DesignatedProductClassification", |xml| {
                let list = [("listID", &*class.list), ("listVersionID", &*class.version)];
                xml.group_with_text("ram:ClassCode", &list, &class.code);
            });
        }
        xml.only("ram:OriginTradeCountry", "ram:ID", &details.origin);
    });
    xml.group("ram:SpecifiedLineTradeAgreement", |xml| {
        xml.only(
            "ram:BuyerOrderReferencedDocument",
            "ram:LineID",
            &details.order_line,
        );
        let base = |xml: &mut Xml| {
            let unit = [("unitCode", &*details.price_base_unit)];
            xml.with("ram:BasisQuantity", &unit, &line.price_base);
        };
        xml.group("ram:GrossPriceProductTradePrice", |xml| {
            xml.text("ram:ChargeAmount", &details.gross_price);
            base(xml);
            if !details.price_discount.is_empty() {
                xml.group("ram:AppliedTradeAllowanceCharge", |xml| {
                    xml.indicator(false);
                    xml.text("ram:ActualAmount", &details.price_discount);
                });
            }
        });
        xml.group("ram:NetPriceProductTradePrice", |xml| {
            xml.text("ram:ChargeAmount", &line.unit_price);
            base(xml);
        });
    });
    xml.group("ram:SpecifiedLineTradeDelivery", |xml| {
        xml.with(
            "ram:BilledQuantity",
            &[("unitCode", &line.unit)],
            &line.quantity,
        );
    });
    xml.group("ram:SpecifiedLineTradeSettlement", |xml| {
        tax(xml, "ram:ApplicableTradeTax", &line.tax);
        if let Some(dates) = &details.period {
            period(xml, dates);
        }
        for item in &line.allowances_charges {
            allowance_charge(xml, item);
        }
        let sum = "ram:SpecifiedTradeSettlementLineMonetarySummation";
        xml.only(sum, "ram:LineTotalAmount", net);
        if details.object != Identifier::default() {
            referenced(xml, "130", &details.object, |_| {});
        }
        let account = "ram:ReceivableSpecifiedTradeAccountingAccount";
        xml.only(account, "ram:ID", &details.accounting);
    });
}

pub(super) fn tax(xml: &mut Xml, name: &str, tax: &Tax) {
    if *tax == Tax::default() {
        return;
    }
    xml.group(name, |xml| {
        xml.text("ram:TypeCode", "VAT");
        xml.text("ram:ExemptionReason", &tax.exemption_reason);
        xml.text("ram:CategoryCode", &tax.category);
        xml.text("ram:ExemptionReasonCode", &tax.exemption_code);
        xml.text("ram:RateApplicablePercent", &tax.rate);
    });
}

pub(super) fn period(xml: &mut Xml, period: &Period) {
    xml.group("ram:BillingSpecifiedPeriod", |xml| {
        xml.date("ram:StartDateTime", "udt:DateTimeString", &period.start);
        xml.date("ram:EndDateTime", "udt:DateTimeString", &period.end);
    });
}

pub(super) fn allowance_charge(xml: &mut Xml, item: &AllowanceCharge) {
    xml.group("ram:SpecifiedTradeAllowanceCharge", |xml| {
        xml.indicator(item.is_charge);
        xml.text("ram:CalculationPercent", &item.percent);
        xml.text("ram:BasisAmount", &item.base);
        xml.text("ram:ActualAmount", &item.amount);
        xml.text("ram:ReasonCode", &item.reason_code);
        xml.text("ram:Reason", &item.reason);
        tax(xml, "ram:CategoryTradeTax", &item.tax);
    });
}
