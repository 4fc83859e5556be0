//! Payment, taxes and totals.

use std::io::BufRead;

use super::line::{allowance_charge, period};
use super::{amount, date, only, party};
use crate::content::{Account, Card, Mandate, PaymentMeans, Period, Reference};
use crate::document::{Figures, TaxRow};
use crate::syntax::RAM;
use crate::xml::{ReadError, Source};
use crate::{Content, Document};

/// Values that are assigned to the model after the whole settlement has been read.
#[derive(Default)]
struct Beside {
    /// BT-83
    remittance: String,
    /// BT-89
    mandate: String,
    /// The currency and the amount of each tax total.
    taxes: Vec<(String, String)>,
}

pub(super) fn settlement<R: BufRead>(
    source: &mut Source<R>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let Document {
        seller,
        creditor_id,
        content,
        figures,
        ..
    } = document;
    let mut beside = Beside::default();
    source.children(|source| match source.name() {
        (RAM, "CreditorReferenceID") => source.read_text(creditor_id),
        (RAM, "PaymentReference") => source.read_text(&mut beside.remittance),
        (RAM, "TaxCurrencyCode") => source.read_text(&mut content.tax_currency),
        (RAM, "InvoiceCurrencyCode") => source.read_text(&mut content.currency),
        (RAM, "PayeeTradeParty") if content.payee.is_none() => {
            party::payee(source, content.payee.insert(Default::default()))
        }
        (RAM, "TaxApplicableTradeCurrencyExchange") => {
            source.children(|source| match source.name() {
                (RAM, "SourceCurrencyCode") => source.expect_text(&content.currency),
                (RAM, "TargetCurrencyCode") => source.expect_text(&content.tax_currency),
                (RAM, "ConversionRate") => source.read_decimal(&mut content.exchange_rate),
                _ => source.skip(),
            })
        }
        (RAM, "SpecifiedTradeSettlementPaymentMeans") => payment_means(source, content),
        (RAM, "ApplicableTradeTax") => {
            source.count_repeated()?;
            let mut row = TaxRow::default();
            tax_row(source, content, &mut row)?;
            figures.tax_breakdown.push(row);
            Ok(())
        }
        (RAM, "BillingSpecifiedPeriod") => period(source, content.period.get_or_insert_default()),
        (RAM, "SpecifiedTradeAllowanceCharge") => {
            source.count_repeated()?;
            let mut item = Default::default();
            allowance_charge(source, &mut item)?;
            content.allowances_charges.push(item);
            Ok(())
        }
        (RAM, "SpecifiedTradePaymentTerms") => source.children(|source| match source.name() {
            (RAM, "Description") => source.append_text(&mut content.payment_terms),
            (RAM, "DueDateDateTime") => date(source, &mut content.due_date),
            (RAM, "DirectDebitMandateID") => source.read_text(&mut beside.mandate),
            _ => source.skip(),
        }),
        (RAM, "SpecifiedTradeSettlementHeaderMonetarySummation") => {
            summation(source, content, figures, &mut beside.taxes)
        }
        (RAM, "InvoiceReferencedDocument") => preceding(source, &mut content.preceding),
        (RAM, "ReceivableSpecifiedTradeAccountingAccount") => {
            only(source, "ID", &mut content.references.accounting)
        }
        _ => source.skip(),
    })?;
    party::take_creditor_id(seller, creditor_id);
    // In UBL the tax point code is in the period, and without dates it is not a period.
    if !content.tax_point_code.is_empty() && content.period == Some(Period::default()) {
        content.period = None;
    }
    settle_payment(source, content, &beside)?;
    settle_taxes(source, content, figures, beside.taxes)
}

/// BG-3
fn preceding<R: BufRead>(
    source: &mut Source<R>,
    into: &mut Vec<Reference>,
) -> Result<(), ReadError> {
    source.count_repeated()?;
    let mut reference = Reference::default();
    source.children(|source| match source.name() {
        (RAM, "IssuerAssignedID") => source.read_text(&mut reference.number),
        (RAM, "FormattedIssueDateTime") => date(source, &mut reference.issue_date),
        _ => source.skip(),
    })?;
    into.push(reference);
    Ok(())
}

fn payment_means<R: BufRead>(
    source: &mut Source<R>,
    content: &mut Content,
) -> Result<(), ReadError> {
    source.count_repeated()?;
    let mut means = PaymentMeans::default();
    source.children(|source| match source.name() {
        (RAM, "TypeCode") => source.read_text(&mut means.code),
        (RAM, "Information") => source.read_text(&mut means.name),
        (RAM, "ApplicableTradeSettlementFinancialCard") => {
            let card = means.card.get_or_insert_with(Card::default);
            source.children(|source| match source.name() {
                (RAM, "ID") => source.read_text(&mut card.number),
                (RAM, "CardholderName") => source.read_text(&mut card.holder),
                _ => source.skip(),
            })
        }
        (RAM, "PayerPartyDebtorFinancialAccount") => {
            let mandate = means.mandate.get_or_insert_with(Mandate::default);
            source.children(|source| match source.name() {
                (RAM, "IBANID" | "ProprietaryID") => source.read_text(&mut mandate.payer_account),
                _ => source.skip(),
            })
        }
        (RAM, "PayeePartyCreditorFinancialAccount") => {
            let account = means.account.get_or_insert_with(Account::default);
            source.children(|source| match source.name() {
                (RAM, "IBANID" | "ProprietaryID") => source.read_text(&mut account.id),
                (RAM, "AccountName") => source.read_text(&mut account.name),
                _ => source.skip(),
            })
        }
        (RAM, "PayeeSpecifiedCreditorFinancialInstitution") => {
            let account = means.account.get_or_insert_with(Account::default);
            only(source, "BICID", &mut account.provider)
        }
        _ => source.skip(),
    })?;
    content.payment.push(means);
    Ok(())
}

/// Copies the remittance information to each payment instruction, and the mandate reference to the direct debit.
fn settle_payment<R: BufRead>(
    source: &mut Source<R>,
    content: &mut Content,
    beside: &Beside,
) -> Result<(), ReadError> {
    if content.payment.is_empty() {
        if !beside.remittance.is_empty() {
            source.record_unmapped_in_last("ram:PaymentReference")?;
        }
        if !beside.mandate.is_empty() {
            source.record_unmapped_in_last(
                "ram:SpecifiedTradePaymentTerms/ram:DirectDebitMandateID",
            )?;
        }
        return Ok(());
    }
    for means in &mut content.payment {
        means.remittance.clone_from(&beside.remittance);
    }
    if beside.mandate.is_empty() {
        return Ok(());
    }
    let draws = |means: &PaymentMeans| means.mandate.is_some();
    let at = content.payment.iter().position(draws).unwrap_or(0);
    let mandate = content.payment[at].mandate.get_or_insert_default();
    mandate.reference.clone_from(&beside.mandate);
    Ok(())
}

/// BG-23, with the tax point, which the model has once for all rows.
fn tax_row<R: BufRead>(
    source: &mut Source<R>,
    content: &mut Content,
    row: &mut TaxRow,
) -> Result<(), ReadError> {
    let (mut tax_point, mut code) = (String::new(), String::new());
    source.children(|source| match source.name() {
        (RAM, "CalculatedAmount") => amount(source, &mut row.tax),
        (RAM, "TypeCode") => source.expect_text("VAT"),
        (RAM, "ExemptionReason") => source.read_text(&mut row.exemption_reason),
        (RAM, "BasisAmount") => amount(source, &mut row.taxable),
        (RAM, "CategoryCode") => source.read_text(&mut row.category),
        (RAM, "ExemptionReasonCode") => source.read_text(&mut row.exemption_code),
        (RAM, "TaxPointDate") => date(source, &mut tax_point),
        (RAM, "DueDateTypeCode") => source.read_text(&mut code),
        (RAM, "RateApplicablePercent") => source.read_decimal(&mut row.rate),
        _ => source.skip(),
    })?;
    let code = due_date_code(code);
    for (found, field, name) in [
        (tax_point, &mut content.tax_point_date, "ram:TaxPointDate"),
        (code, &mut content.tax_point_code, "ram:DueDateTypeCode"),
    ] {
        if field.is_empty() {
            *field = found;
        } else if !found.is_empty() && *field != found {
            source.record_unmapped_in_last(name)?;
        }
    }
    Ok(())
}

/// BT-8: converts UNTDID 2475 to UNTDID 2005, which the model has.
fn due_date_code(code: String) -> String {
    match code.as_str() {
        "5" => "3".to_owned(),
        "29" => "35".to_owned(),
        "72" => "432".to_owned(),
        _ => code,
    }
}

fn summation<R: BufRead>(
    source: &mut Source<R>,
    content: &mut Content,
    figures: &mut Figures,
    taxes: &mut Vec<(String, String)>,
) -> Result<(), ReadError> {
    let totals = &mut figures.totals;
    source.children(|source| match source.name() {
        (RAM, "LineTotalAmount") => amount(source, &mut totals.lines),
        (RAM, "ChargeTotalAmount") => amount(source, &mut totals.charges),
        (RAM, "AllowanceTotalAmount") => amount(source, &mut totals.allowances),
        (RAM, "TaxBasisTotalAmount") => amount(source, &mut totals.net),
        (RAM, "TaxTotalAmount") if taxes.len() < 2 => {
            let mut tax = String::new();
            let currency = source.attribute("currencyID");
            source.read_decimal(&mut tax)?;
            taxes.push((currency, tax));
            Ok(())
        }
        (RAM, "RoundingAmount") => amount(source, &mut content.rounding),
        (RAM, "GrandTotalAmount") => amount(source, &mut totals.gross),
        (RAM, "TotalPrepaidAmount") => amount(source, &mut content.prepaid),
        (RAM, "DuePayableAmount") => amount(source, &mut totals.payable),
        _ => source.skip(),
    })
}

/// BT-110 is in the document currency, BT-111 in the tax currency. If both are the same, the first is BT-110.
fn settle_taxes<R: BufRead>(
    source: &mut Source<R>,
    content: &Content,
    figures: &mut Figures,
    taxes: Vec<(String, String)>,
) -> Result<(), ReadError> {
    let totals = &mut figures.totals;
    for (currency, tax) in taxes {
        let of_document = currency.is_empty() || currency == content.currency;
        let field = if of_document && totals.tax.is_empty() {
            &mut totals.tax
        } else if !currency.is_empty()
            && currency == content.tax_currency
            && totals.tax_in_tax_currency.is_empty()
        {
            &mut totals.tax_in_tax_currency
        } else {
            source.record_unmapped_in_last(
                "ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:TaxTotalAmount",
            )?;
            continue;
        };
        *field = tax;
    }
    Ok(())
}
