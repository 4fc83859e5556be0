//! Payment, taxes and totals.

use invoice::Document;
use invoice::content::*;
use invoice::document::TaxRow;

use super::line::{allowance_charge, period};
use super::xml::Xml;

pub(super) fn settlement(xml: &mut Xml, document: &Document) {
    let (content, figures) = (&document.content, &document.figures);
    xml.text("ram:CreditorReferenceID", &document.creditor_id);
    let remittance = content.payment.first().map(|one| one.remittance.as_str());
    xml.text("ram:PaymentReference", remittance.unwrap_or_default());
    xml.text("ram:TaxCurrencyCode", &content.tax_currency);
    xml.text("ram:InvoiceCurrencyCode", &content.currency);
    if let Some(payee) = &content.payee {
        xml.group("ram:PayeeTradeParty", |xml| {
            xml.identifier("ram:GlobalID", &payee.id);
            xml.localized("ram:Name", &payee.name);
            xml.group("ram:SpecifiedLegalOrganization", |xml| {
                xml.identifier("ram:ID", &payee.legal_id);
            });
        });
    }
    if !content.exchange_rate.is_empty() {
        xml.group("ram:TaxApplicableTradeCurrencyExchange", |xml| {
            xml.text("ram:SourceCurrencyCode", &content.currency);
            xml.text("ram:TargetCurrencyCode", &content.tax_currency);
            xml.text("ram:ConversionRate", &content.exchange_rate);
        });
    }
    for means in &content.payment {
        xml.group("ram:SpecifiedTradeSettlementPaymentMeans", |xml| {
            payment(xml, means)
        });
    }
    for row in &figures.tax_breakdown {
        xml.group("ram:ApplicableTradeTax", |xml| tax_row(xml, content, row));
    }
    if let Some(dates) = &content.period {
        period(xml, dates);
    }
    for item in &content.allowances_charges {
        allowance_charge(xml, item);
    }
    let mandate = content.payment.iter().find_map(|one| one.mandate.as_ref());
    xml.group("ram:SpecifiedTradePaymentTerms", |xml| {
        xml.text("ram:Description", &content.payment_terms);
        xml.date(
            "ram:DueDateDateTime",
            "udt:DateTimeString",
            &content.due_date,
        );
        let mandate = mandate.map(|mandate| mandate.reference.as_str());
        xml.text("ram:DirectDebitMandateID", mandate.unwrap_or_default());
    });
    let totals = &figures.totals;
    xml.group(
        "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
        |xml| {
            xml.text("ram:LineTotalAmount", &totals.lines);
            xml.text("ram:ChargeTotalAmount", &totals.charges);
            xml.text("ram:AllowanceTotalAmount", &totals.allowances);
            // The currency may stand at any amount, and says nothing there.
            let own = [("currencyID", &*content.currency)];
            if !totals.net.is_empty() {
                xml.with("ram:TaxBasisTotalAmount", &own, &totals.net);
            }
            if !totals.tax.is_empty() {
                xml.with("ram:TaxTotalAmount", &own, &totals.tax);
            }
            if !totals.tax_in_tax_currency.is_empty() {
                let of_tax = [("currencyID", &*content.tax_currency)];
                xml.with("ram:TaxTotalAmount", &of_tax, &totals.tax_in_tax_currency);
            }
            xml.text("ram:RoundingAmount", &content.rounding);
            xml.text("ram:GrandTotalAmount", &totals.gross);
            xml.text("ram:TotalPrepaidAmount", &content.prepaid);
            xml.text("ram:DuePayableAmount", &totals.payable);
        },
    );
    for reference in &content.preceding {
        xml.group("ram:InvoiceReferencedDocument", |xml| {
            xml.text("ram:IssuerAssignedID", &reference.number);
            let date = "ram:FormattedIssueDateTime";
            xml.date(date, "qdt:DateTimeString", &reference.issue_date);
        });
    }
    let account = "ram:ReceivableSpecifiedTradeAccountingAccount";
    xml.only(account, "ram:ID", &content.references.accounting);
}

fn payment(xml: &mut Xml, means: &PaymentMeans) {
    xml.text("ram:TypeCode", &means.code);
    xml.text("ram:Information", &means.name);
    if let Some(card) = &means.card {
        xml.group("ram:ApplicableTradeSettlementFinancialCard", |xml| {
            xml.text("ram:ID", &card.number);
            xml.text("ram:CardholderName", &card.holder);
        });
    }
    if let Some(mandate) = &means.mandate {
        xml.group("ram:PayerPartyDebtorFinancialAccount", |xml| {
            xml.text("ram:IBANID", &mandate.payer_account);
        });
    }
    if let Some(account) = &means.account {
        xml.group("ram:PayeePartyCreditorFinancialAccount", |xml| {
            xml.text("ram:ProprietaryID", &account.id);
            xml.text("ram:AccountName", &account.name);
        });
        let branch = "ram:PayeeSpecifiedCreditorFinancialInstitution";
        xml.only(branch, "ram:BICID", &account.provider);
    }
}

fn tax_row(xml: &mut Xml, content: &Content, row: &TaxRow) {
    xml.text("ram:CalculatedAmount", &row.tax);
    xml.text("ram:TypeCode", "VAT");
    xml.text("ram:ExemptionReason", &row.exemption_reason);
    xml.text("ram:BasisAmount", &row.taxable);
    xml.text("ram:CategoryCode", &row.category);
    xml.text("ram:ExemptionReasonCode", &row.exemption_code);
    xml.date(
        "ram:TaxPointDate",
        "udt:DateString",
        &content.tax_point_date,
    );
    let code = match content.tax_point_code.as_str() {
        "3" => "5",
        "35" => "29",
        "432" => "72",
        other => other,
    };
    xml.text("ram:DueDateTypeCode", code);
    xml.text("ram:RateApplicablePercent", &row.rate);
}
