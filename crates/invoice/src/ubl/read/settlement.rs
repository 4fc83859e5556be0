//! Payment, taxes and totals.

use std::io::BufRead;

use super::{CAC, CBC, amount, line, only_id};
use crate::content::{Account, Card, Mandate, PaymentMeans, Tax};
use crate::document::TaxRow;
use crate::ubl::NO_PAYMENT_MEANS;
use crate::xml::{ReadError, Source, append};
use crate::{Content, Document};

pub(super) fn payment_means<R: BufRead>(
    source: &mut Source<R>,
    content: &mut Content,
) -> Result<(), ReadError> {
    source.count_repeated()?;
    let mut means = PaymentMeans::default();
    let mut instruction = String::new();
    let mut carries = false;
    source.children(|source| match source.name() {
        (CBC, "PaymentMeansCode") => {
            if means.code.is_empty() {
                means.name = source.attribute("name");
            }
            source.read_text(&mut means.code)
        }
        (CBC, "PaymentDueDate") => {
            carries = true;
            source.read_day(&mut content.due_date)
        }
        (CBC, "InstructionNote") => source.append_text(&mut instruction),
        (CBC, "PaymentID") => source.read_text(&mut means.remittance),
        (CAC, "PayeeFinancialAccount") if means.account.is_none() => {
            account(source, means.account.insert(Account::default()))
        }
        (CAC, "CardAccount") if means.card.is_none() => {
            let card = means.card.insert(Card::default());
            source.children(|source| match source.name() {
                (CBC, "PrimaryAccountNumberID") => source.read_text(&mut card.number),
                (CBC, "NetworkID") => source.read_text(&mut card.network),
                (CBC, "HolderName") => source.read_text(&mut card.holder),
                _ => source.skip(),
            })
        }
        (CAC, "PaymentMandate") if means.mandate.is_none() => {
            let mandate = means.mandate.insert(Mandate::default());
            source.children(|source| match source.name() {
                (CBC, "ID") => source.read_text(&mut mandate.reference),
                (CAC, "PayerFinancialAccount") => only_id(source, &mut mandate.payer_account),
                _ => source.skip(),
            })
        }
        _ => source.skip(),
    })?;
    // UBL has no separate element for KSA-10 nor, in a credit note, for BT-9.
    // Saudi files repeat KSA-10 in each payment means: what only carries it comes first.
    let is_repeated = !content.reason.is_empty();
    if instruction != content.reason {
        append(&mut content.reason, &instruction);
    }
    carries |= !instruction.is_empty();
    let only_carrier = PaymentMeans {
        code: NO_PAYMENT_MEANS.to_owned(),
        ..PaymentMeans::default()
    };
    if !carries || is_repeated || means != only_carrier {
        content.payment.push(means);
    }
    Ok(())
}

fn account<R: BufRead>(source: &mut Source<R>, account: &mut Account) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "ID") => source.read_text(&mut account.id),
        (CBC, "Name") => source.read_text(&mut account.name),
        (CAC, "FinancialInstitutionBranch") => only_id(source, &mut account.provider),
        _ => source.skip(),
    })
}

/// BT-110 with BG-23, or BT-111. In Saudi Arabia both are in one currency, and the total without rows is BT-111.
pub(super) fn tax_total<R: BufRead>(
    source: &mut Source<R>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let currency = &document.content.currency;
    let (mut tax, mut of, mut rows) = (String::new(), String::new(), Vec::new());
    source.children(|source| match source.name() {
        (CBC, "TaxAmount") => {
            of = source.attribute("currencyID");
            source.read_decimal(&mut tax)
        }
        (CAC, "TaxSubtotal") => {
            source.count_repeated()?;
            let mut row = TaxRow::default();
            subtotal(source, currency, &mut row)?;
            rows.push(row);
            Ok(())
        }
        _ => source.skip(),
    })?;
    let totals = &mut document.figures.totals;
    let stated_again = rows.is_empty()
        && !of.is_empty()
        && of == document.content.tax_currency
        && totals.tax_in_tax_currency.is_empty();
    let a_second = rows.is_empty()
        && of == *currency
        && !totals.tax.is_empty()
        && document.figures.duplicate_tax_total.is_empty();
    let field = if a_second && !stated_again {
        &mut document.figures.duplicate_tax_total
    } else if stated_again {
        &mut totals.tax_in_tax_currency
    } else {
        if of != *currency {
            source.record_unmapped("/cac:TaxTotal/cbc:TaxAmount@currencyID")?;
        }
        &mut totals.tax
    };
    document.figures.tax_breakdown.append(&mut rows);
    if !field.is_empty() {
        return source.record_last_unmapped();
    }
    *field = tax;
    Ok(())
}

fn subtotal<R: BufRead>(
    source: &mut Source<R>,
    currency: &str,
    row: &mut TaxRow,
) -> Result<(), ReadError> {
    let mut tax = Tax::default();
    source.children(|source| match source.name() {
        (CBC, "TaxableAmount") => amount(source, currency, &mut row.taxable),
        (CBC, "TaxAmount") => amount(source, currency, &mut row.tax),
        (CAC, "TaxCategory") if tax.is_empty() => line::tax_category(source, &mut tax),
        _ => source.skip(),
    })?;
    row.category = tax.category;
    row.rate = tax.rate;
    row.exemption_code = tax.exemption_code;
    row.exemption_reason = tax.exemption_reason;
    Ok(())
}

/// A single tax total without rows is BT-110.
pub(super) fn settle_tax(document: &mut Document) {
    let Document {
        content, figures, ..
    } = document;
    let totals = &mut figures.totals;
    if totals.tax.is_empty()
        && figures.tax_breakdown.is_empty()
        && content.currency == content.tax_currency
    {
        totals.tax = std::mem::take(&mut totals.tax_in_tax_currency);
    }
}

pub(super) fn monetary_total<R: BufRead>(
    source: &mut Source<R>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let Document {
        content, figures, ..
    } = document;
    let (currency, totals) = (&content.currency, &mut figures.totals);
    source.children(|source| match source.name() {
        (CBC, "LineExtensionAmount") => amount(source, currency, &mut totals.lines),
        (CBC, "TaxExclusiveAmount") => amount(source, currency, &mut totals.net),
        (CBC, "TaxInclusiveAmount") => amount(source, currency, &mut totals.gross),
        (CBC, "AllowanceTotalAmount") => amount(source, currency, &mut totals.allowances),
        (CBC, "ChargeTotalAmount") => amount(source, currency, &mut totals.charges),
        (CBC, "PrepaidAmount") => amount(source, currency, &mut content.prepaid),
        (CBC, "PayableRoundingAmount") => amount(source, currency, &mut content.rounding),
        (CBC, "PayableAmount") => amount(source, currency, &mut totals.payable),
        _ => source.skip(),
    })
}
