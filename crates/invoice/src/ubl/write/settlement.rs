//! Payment, document allowances and charges, taxes and totals.

use super::{Root, line, only_id};
use crate::content::{PaymentMeans, Tax};
use crate::document::TaxRow;
use crate::ubl::NO_PAYMENT_MEANS;
use crate::xml::Writer;
use crate::{Country, Document};

pub(super) fn payment(writer: &mut Writer, document: &Document, root: Root) {
    let content = &document.content;
    let due_date = match root {
        Root::Invoice => "",
        Root::CreditNote => &content.due_date,
    };
    let bare = PaymentMeans {
        code: NO_PAYMENT_MEANS.to_owned(),
        ..PaymentMeans::default()
    };
    let carries = !content.reason.is_empty() || !due_date.is_empty();
    let mut carried = (due_date, content.reason.as_str());
    // In Saudi Arabia each payment means has the reason (BR-KSA-17).
    let is_saudi = document.seller.address.country == Country::SAUDI_ARABIA.code();
    let carried_later = if is_saudi {
        ("", content.reason.as_str())
    } else {
        ("", "")
    };
    if carries && content.payment.first().is_none_or(|first| *first == bare) {
        payment_means(writer, &bare, carried);
        carried = carried_later;
    }
    for means in &content.payment {
        payment_means(writer, means, carried);
        carried = carried_later;
    }
    writer.group("cac:PaymentTerms", |writer| {
        writer.text("cbc:Note", &content.payment_terms);
    });
}

fn payment_means(writer: &mut Writer, means: &PaymentMeans, (due_date, instruction): (&str, &str)) {
    writer.element("cac:PaymentMeans", &[], |writer| {
        writer.text_with(
            "cbc:PaymentMeansCode",
            &[("name", &means.name)],
            &means.code,
        );
        writer.text("cbc:PaymentDueDate", due_date);
        writer.text("cbc:InstructionNote", instruction);
        writer.text("cbc:PaymentID", &means.remittance);
        if let Some(card) = &means.card {
            writer.element("cac:CardAccount", &[], |writer| {
                writer.text("cbc:PrimaryAccountNumberID", &card.number);
                writer.text("cbc:NetworkID", &card.network);
                writer.text("cbc:HolderName", &card.holder);
            });
        }
        if let Some(account) = &means.account {
            writer.element("cac:PayeeFinancialAccount", &[], |writer| {
                writer.text("cbc:ID", &account.id);
                writer.text("cbc:Name", &account.name);
                only_id(writer, "cac:FinancialInstitutionBranch", &account.provider);
            });
        }
        if let Some(mandate) = &means.mandate {
            writer.element("cac:PaymentMandate", &[], |writer| {
                writer.text("cbc:ID", &mandate.reference);
                only_id(writer, "cac:PayerFinancialAccount", &mandate.payer_account);
            });
        }
    });
}

pub(super) fn totals(writer: &mut Writer, document: &Document, root: Root) {
    let content = &document.content;
    if root == Root::CreditNote {
        exchange_rate(writer, document);
    }
    for item in &content.allowances_charges {
        line::allowance_charge(writer, &content.currency, item);
    }
    if root == Root::Invoice {
        exchange_rate(writer, document);
    }
    // If both are in one currency, the total without rows comes first, so that the reader recognizes it.
    let same = content.currency == content.tax_currency;
    if same {
        tax_in_tax_currency(writer, document);
    }
    tax_total(writer, document);
    writer.group("cac:TaxTotal", |writer| {
        writer.amount(
            "cbc:TaxAmount",
            &content.currency,
            &document.figures.duplicate_tax_total,
        );
    });
    if !same {
        tax_in_tax_currency(writer, document);
    }
    monetary_total(writer, document);
}

fn exchange_rate(writer: &mut Writer, document: &Document) {
    let content = &document.content;
    if content.exchange_rate.is_empty() {
        return;
    }
    writer.element("cac:TaxExchangeRate", &[], |writer| {
        writer.text("cbc:SourceCurrencyCode", &content.currency);
        writer.text("cbc:TargetCurrencyCode", &content.tax_currency);
        writer.text("cbc:CalculationRate", &content.exchange_rate);
    });
}

fn tax_total(writer: &mut Writer, document: &Document) {
    let (currency, figures) = (&document.content.currency, &document.figures);
    writer.group("cac:TaxTotal", |writer| {
        writer.amount("cbc:TaxAmount", currency, &figures.totals.tax);
        for row in &figures.tax_breakdown {
            subtotal(writer, currency, row);
        }
    });
}

fn tax_in_tax_currency(writer: &mut Writer, document: &Document) {
    writer.group("cac:TaxTotal", |writer| {
        writer.amount(
            "cbc:TaxAmount",
            &document.content.tax_currency,
            &document.figures.totals.tax_in_tax_currency,
        );
    });
}

fn subtotal(writer: &mut Writer, currency: &str, row: &TaxRow) {
    writer.element("cac:TaxSubtotal", &[], |writer| {
        writer.amount("cbc:TaxableAmount", currency, &row.taxable);
        writer.amount("cbc:TaxAmount", currency, &row.tax);
        let tax = Tax {
            category: row.category.clone(),
            rate: row.rate.clone(),
            exemption_code: row.exemption_code.clone(),
            exemption_reason: row.exemption_reason.clone(),
        };
        line::tax_category(writer, "cac:TaxCategory", &tax);
    });
}

fn monetary_total(writer: &mut Writer, document: &Document) {
    let content = &document.content;
    let (currency, totals) = (&content.currency, &document.figures.totals);
    writer.group("cac:LegalMonetaryTotal", |writer| {
        for (name, amount) in [
            ("cbc:LineExtensionAmount", &totals.lines),
            ("cbc:TaxExclusiveAmount", &totals.net),
            ("cbc:TaxInclusiveAmount", &totals.gross),
            ("cbc:AllowanceTotalAmount", &totals.allowances),
            ("cbc:ChargeTotalAmount", &totals.charges),
            ("cbc:PrepaidAmount", &content.prepaid),
            ("cbc:PayableRoundingAmount", &content.rounding),
            ("cbc:PayableAmount", &totals.payable),
        ] {
            writer.amount(name, currency, amount);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::Limits;
    use crate::{Kind, ubl};

    fn note(country: &str, codes: &[&str]) -> Document {
        let mut document = Document {
            type_code: "381".to_owned(),
            ..Document::default()
        };
        document.seller.address.country = country.to_owned();
        let content = &mut document.content;
        content.kind = Kind::CreditNote;
        content.reason = "Returned".to_owned();
        let means = codes.iter().map(|code| PaymentMeans {
            code: (*code).to_owned(),
            ..PaymentMeans::default()
        });
        content.payment = means.collect();
        document
    }

    #[test]
    fn each_payment_means_of_a_saudi_note_has_its_reason_and_it_is_read_once() {
        for (codes, means) in [
            (vec![], 1),
            (vec!["30"], 1),
            (vec!["30", "42"], 2),
            // What only carries the reason comes before a means of the same code.
            (vec!["1", "30"], 3),
            (vec!["30", "1"], 2),
        ] {
            for (country, reasons) in [("SA", means), ("SE", 1)] {
                let document = note(country, &codes);
                let written = ubl::write(&document).expect("UBL can hold it");
                let count = |text: &str| written.matches(text).count();
                assert_eq!(count("<cac:PaymentMeans>"), means, "{country} {codes:?}");
                assert_eq!(count("<cbc:InstructionNote>"), reasons, "{written}");
                let read = ubl::read(written.as_bytes(), Limits::default());
                let content = read.expect("it is UBL").document.content;
                assert_eq!(content.reason, "Returned", "{country} {codes:?}");
                assert_eq!(content.payment, document.content.payment);
            }
        }
    }
}
