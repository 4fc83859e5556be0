//! The fields of a document that few invoices have, in a content: read, and put over one.

use invoice::Content;
use invoice::content::{
    Account, AllowanceCharge, Card, Mandate, PaymentMeans, Period, Reference, References, Subtype,
    SupportingDocument, Tax,
};

use super::number_input::unambiguous;
use super::party_details::{
    delivery, identifier, payee, representative, to_delivery, to_identifier, to_payee,
    to_representative, unless_empty,
};
use crate::views::{
    AllowanceChargeContent, AllowanceChargeKind, CardContent, InvoiceDetails, MandateContent,
    PaymentContent, PeriodContent, PrecedingContent, ReferencesContent, SupportingDocumentContent,
};

const STANDARD: &str = "STANDARD";
const SIMPLIFIED: &str = "SIMPLIFIED";

/// `preceding` are those that are not in the correction.
pub(super) fn of_document(
    content: &Content,
    preceding: &[Reference],
    minor_units: u32,
) -> InvoiceDetails {
    let References {
        buyer,
        project,
        contract,
        sales_order,
        receiving_advice,
        despatch_advice,
        tender,
        invoiced_object,
        accounting,
    } = content.references.clone();
    let amount = |text: &str| unambiguous(text.to_owned(), minor_units);
    InvoiceDetails {
        period: period(content.period.as_ref()),
        references: ReferencesContent {
            purchase_order: content.purchase_order.clone(),
            buyer,
            contract,
            project,
            sales_order,
            despatch_advice,
            receiving_advice,
            accounting,
            tender,
            invoiced_object: identifier(invoiced_object),
        },
        payment: payment(content.payment.first().cloned().unwrap_or_default()),
        other_payments: content
            .payment
            .iter()
            .skip(1)
            .cloned()
            .map(payment)
            .collect(),
        payment_terms: content.payment_terms.clone(),
        tax_currency: content.tax_currency.clone(),
        exchange_rate: unambiguous(content.exchange_rate.clone(), 0),
        prepaid: amount(&content.prepaid),
        rounding: amount(&content.rounding),
        allowances_charges: allowances_charges(&content.allowances_charges, minor_units),
        subtype: match content.subtype {
            None => String::new(),
            Some(Subtype::Standard) => STANDARD.to_owned(),
            Some(Subtype::Simplified) => SIMPLIFIED.to_owned(),
        },
        tax_point_date: content.tax_point_date.clone(),
        tax_point_code: content.tax_point_code.clone(),
        delivery: delivery(content.delivery.clone().unwrap_or_default()),
        payee: payee(content.payee.clone().unwrap_or_default()),
        tax_representative: representative(content.tax_representative.clone().unwrap_or_default()),
        documents: content
            .documents
            .iter()
            .cloned()
            .map(supporting_document)
            .collect(),
        preceding_documents: preceding.iter().map(to_preceding).collect(),
    }
}

fn to_preceding(reference: &Reference) -> PrecedingContent {
    PrecedingContent {
        number: reference.number.clone(),
        issue_date: reference.issue_date.clone(),
    }
}

pub(super) fn overlay_document(content: &mut Content, form: &InvoiceDetails) {
    let InvoiceDetails {
        period,
        references,
        payment,
        other_payments,
        payment_terms,
        tax_currency,
        exchange_rate,
        prepaid,
        rounding,
        allowances_charges,
        subtype,
        tax_point_date,
        tax_point_code,
        delivery,
        payee,
        tax_representative,
        documents,
        // With the correction.
        preceding_documents: _,
    } = form;
    content.period = to_period(period);
    let ReferencesContent {
        purchase_order,
        buyer,
        contract,
        project,
        sales_order,
        despatch_advice,
        receiving_advice,
        accounting,
        tender,
        invoiced_object,
    } = references;
    content.purchase_order.clone_from(purchase_order);
    content.references.buyer.clone_from(buyer);
    content.references.contract.clone_from(contract);
    content.references.project.clone_from(project);
    content.references.sales_order.clone_from(sales_order);
    content
        .references
        .despatch_advice
        .clone_from(despatch_advice);
    content
        .references
        .receiving_advice
        .clone_from(receiving_advice);
    content.references.accounting.clone_from(accounting);
    content.references.tender.clone_from(tender);
    content.references.invoiced_object = to_identifier(invoiced_object);
    let payments = std::iter::once(payment).chain(other_payments).cloned();
    content.payment = payments.map(to_payment).filter_map(unless_empty).collect();
    content.payment_terms.clone_from(payment_terms);
    content.tax_currency.clone_from(tax_currency);
    content.exchange_rate.clone_from(exchange_rate);
    content.prepaid.clone_from(prepaid);
    content.rounding.clone_from(rounding);
    overlay_allowances(&mut content.allowances_charges, allowances_charges);
    content.subtype = match subtype.as_str() {
        STANDARD => Some(Subtype::Standard),
        SIMPLIFIED => Some(Subtype::Simplified),
        _ => None,
    };
    content.tax_point_date.clone_from(tax_point_date);
    content.tax_point_code.clone_from(tax_point_code);
    content.delivery = to_delivery(delivery);
    content.payee = to_payee(payee);
    content.tax_representative = to_representative(tax_representative);
    overlay_documents(&mut content.documents, documents);
}

pub(super) fn period(period: Option<&Period>) -> PeriodContent {
    let Period { start, end } = period.cloned().unwrap_or_default();
    PeriodContent { start, end }
}

pub(super) fn to_period(form: &PeriodContent) -> Option<Period> {
    let PeriodContent { start, end } = form.clone();
    (!start.is_empty() || !end.is_empty()).then_some(Period { start, end })
}

fn payment(means: PaymentMeans) -> PaymentContent {
    let PaymentMeans {
        code,
        name,
        remittance,
        account,
        card,
        mandate,
    } = means;
    let account = account.unwrap_or_default();
    let card = card.unwrap_or_default();
    let mandate = mandate.unwrap_or_default();
    PaymentContent {
        code,
        account: account.id,
        account_name: account.name,
        provider: account.provider,
        remittance,
        name,
        card: CardContent {
            number: card.number,
            network: card.network,
            holder: card.holder,
        },
        mandate: MandateContent {
            reference: mandate.reference,
            payer_account: mandate.payer_account,
        },
    }
}

fn to_payment(form: PaymentContent) -> PaymentMeans {
    let PaymentContent {
        code,
        account,
        account_name,
        provider,
        remittance,
        name,
        card,
        mandate,
    } = form;
    PaymentMeans {
        code,
        name,
        remittance,
        account: unless_empty(Account {
            id: account,
            name: account_name,
            provider,
        }),
        card: unless_empty(Card {
            number: card.number,
            network: card.network,
            holder: card.holder,
        }),
        mandate: unless_empty(Mandate {
            reference: mandate.reference,
            payer_account: mandate.payer_account,
        }),
    }
}

fn supporting_document(document: SupportingDocument) -> SupportingDocumentContent {
    SupportingDocumentContent {
        id: identifier(document.id),
        type_code: document.type_code,
        description: document.description,
        uri: document.uri,
    }
}

/// The form has neither the UUID nor the file of a document. They stay with its identifier; if as many documents are left as
/// there were, with its position, because then the identifier was changed.
fn overlay_documents(documents: &mut Vec<SupportingDocument>, form: &[SupportingDocumentContent]) {
    let mut before = std::mem::take(documents);
    let by_position = before.len() == form.len();
    *documents = form
        .iter()
        .enumerate()
        .map(|(index, form)| {
            let id = to_identifier(&form.id);
            let at = if by_position {
                Some(index)
            } else {
                before.iter().position(|other| other.id == id)
            };
            let kept = at
                .and_then(|at| before.get_mut(at))
                .map(std::mem::take)
                .unwrap_or_default();
            SupportingDocument {
                id,
                type_code: form.type_code.clone(),
                description: form.description.clone(),
                uri: form.uri.clone(),
                ..kept
            }
        })
        .collect();
}

pub(super) fn allowances_charges(
    items: &[AllowanceCharge],
    minor_units: u32,
) -> Vec<AllowanceChargeContent> {
    items
        .iter()
        .cloned()
        .map(|item| AllowanceChargeContent {
            kind: if item.is_charge {
                AllowanceChargeKind::Charge
            } else {
                AllowanceChargeKind::Allowance
            },
            amount: unambiguous(item.amount, minor_units),
            percent: unambiguous(item.percent, 0),
            base: unambiguous(item.base, minor_units),
            reason: item.reason,
            reason_code: item.reason_code,
            tax_category: item.tax.category,
            tax_rate: unambiguous(item.tax.rate, 0),
            exemption_code: item.tax.exemption_code,
        })
        .collect()
}

/// They have no ids: what the form does not have stays at the same position.
pub(super) fn overlay_allowances(
    items: &mut Vec<AllowanceCharge>,
    form: &[AllowanceChargeContent],
) {
    items.resize_with(form.len(), AllowanceCharge::default);
    for (item, form) in items.iter_mut().zip(form) {
        let AllowanceChargeContent {
            kind,
            amount,
            percent,
            base,
            reason,
            reason_code,
            tax_category,
            tax_rate,
            exemption_code,
        } = form.clone();
        let exemption_reason = if exemption_code.is_empty() {
            String::new()
        } else {
            std::mem::take(&mut item.tax.exemption_reason)
        };
        *item = AllowanceCharge {
            is_charge: kind == AllowanceChargeKind::Charge,
            amount,
            base,
            percent,
            reason,
            reason_code,
            tax: Tax {
                category: tax_category,
                rate: tax_rate,
                exemption_code,
                exemption_reason,
            },
        };
    }
}
