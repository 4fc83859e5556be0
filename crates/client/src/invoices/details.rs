//! The fields that few invoices have, in a content: read, and put over one.

use invoice::Content;
use invoice::content::{
    Account, AllowanceCharge, Line, PaymentMeans, Period, References, SparseLineDetails, Tax,
};

use super::number_input::unambiguous;
use crate::views::{
    AllowanceChargeContent, AllowanceChargeKind, InvoiceDetails, LineDetails, PaymentContent,
    PeriodContent, ReferencesContent,
};

pub(super) fn of_document(content: &Content, minor_units: u32) -> InvoiceDetails {
    let References {
        buyer,
        project,
        contract,
        sales_order,
        receiving_advice,
        despatch_advice,
        tender: _,
        invoiced_object: _,
        accounting,
    } = content.references.clone();
    let payment = content.payment.first().cloned().unwrap_or_default();
    let account = payment.account.unwrap_or_default();
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
        },
        payment: PaymentContent {
            code: payment.code,
            account: account.id,
            account_name: account.name,
            provider: account.provider,
            remittance: payment.remittance,
        },
        payment_terms: content.payment_terms.clone(),
        tax_currency: content.tax_currency.clone(),
        exchange_rate: unambiguous(content.exchange_rate.clone(), 0),
        prepaid: amount(&content.prepaid),
        rounding: amount(&content.rounding),
        allowances_charges: allowances_charges(&content.allowances_charges, minor_units),
    }
}

pub(super) fn overlay_document(content: &mut Content, form: &InvoiceDetails) {
    let InvoiceDetails {
        period,
        references,
        payment,
        payment_terms,
        tax_currency,
        exchange_rate,
        prepaid,
        rounding,
        allowances_charges,
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
    overlay_payment(&mut content.payment, payment);
    content.payment_terms.clone_from(payment_terms);
    content.tax_currency.clone_from(tax_currency);
    content.exchange_rate.clone_from(exchange_rate);
    content.prepaid.clone_from(prepaid);
    content.rounding.clone_from(rounding);
    overlay_allowances(&mut content.allowances_charges, allowances_charges);
}

pub(super) fn of_line(line: &Line, minor_units: u32) -> LineDetails {
    LineDetails {
        item_code: line.item_code.clone(),
        buyer_item_code: line.details.buyer_item_code.clone(),
        order_line: line.details.order_line.clone(),
        note: line.details.note.clone(),
        period: period(line.details.period.as_ref()),
        price_base: unambiguous(line.price_base.clone(), 0),
        exemption_reason: line.tax.exemption_reason.clone(),
        allowances_charges: allowances_charges(&line.allowances_charges, minor_units),
    }
}

/// All but the reason of an exemption, which belongs to the tax.
pub(super) fn overlay_line(line: &mut Line, form: &LineDetails) {
    let LineDetails {
        item_code,
        buyer_item_code,
        order_line,
        note,
        period,
        price_base,
        exemption_reason: _,
        allowances_charges,
    } = form;
    line.item_code.clone_from(item_code);
    line.price_base.clone_from(price_base);
    overlay_allowances(&mut line.allowances_charges, allowances_charges);
    let mut details = (*line.details).clone();
    details.buyer_item_code.clone_from(buyer_item_code);
    details.order_line.clone_from(order_line);
    details.note.clone_from(note);
    details.period = to_period(period);
    // The amounts of the line as it was before.
    details.tax_amounts = None;
    line.details = SparseLineDetails::from(details);
}

fn period(period: Option<&Period>) -> PeriodContent {
    let Period { start, end } = period.cloned().unwrap_or_default();
    PeriodContent { start, end }
}

fn to_period(form: &PeriodContent) -> Option<Period> {
    let PeriodContent { start, end } = form.clone();
    (!start.is_empty() || !end.is_empty()).then_some(Period { start, end })
}

/// The form has the first payment instruction only.
fn overlay_payment(payment: &mut Vec<PaymentMeans>, form: &PaymentContent) {
    if *form == PaymentContent::default() {
        if payment.first().is_some_and(|first| {
            let PaymentMeans {
                code,
                name,
                remittance: _,
                account: _,
                card,
                mandate,
            } = first;
            !code.is_empty() && name.is_empty() && card.is_none() && mandate.is_none()
        }) {
            payment.remove(0);
        }
        return;
    }
    if payment.is_empty() {
        payment.push(PaymentMeans::default());
    }
    let Some(first) = payment.first_mut() else {
        return;
    };
    first.code.clone_from(&form.code);
    first.remittance.clone_from(&form.remittance);
    let account = Account {
        id: form.account.clone(),
        name: form.account_name.clone(),
        provider: form.provider.clone(),
    };
    first.account = (account != Account::default()).then_some(account);
}

fn allowances_charges(items: &[AllowanceCharge], minor_units: u32) -> Vec<AllowanceChargeContent> {
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
fn overlay_allowances(items: &mut Vec<AllowanceCharge>, form: &[AllowanceChargeContent]) {
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
