//! The same comparison for the fields that few invoices have.

use std::iter;

use super::{same_localized, same_number, same_text};
use crate::views::{
    AddressContent, AllowanceChargeContent, BuyerDetails, CardContent, ClassificationContent,
    ContactContent, DeliveryContent, IdentifierContent, InvoiceDetails, ItemAttributeContent,
    LineDetails, MandateContent, PayeeContent, PaymentContent, PeriodContent, PrecedingContent,
    ReferencesContent, SupportingDocumentContent, TaxRepresentativeContent,
};

/// Functions that compare structs of texts only. A field that is missing here does not compile.
macro_rules! same_texts {
    ($($function:ident: $type:ident { $first:ident $(, $field:ident)* })*) => {$(
        fn $function(sent: &$type, stored: &$type) -> bool {
            let $type { $first $(, $field)* } = sent;
            same_text($first, &stored.$first) $(&& same_text($field, &stored.$field))*
        }
    )*};
}

same_texts! {
    same_identifier: IdentifierContent { scheme, value }
    same_contact: ContactContent { name, phone, email }
    same_card: CardContent { number, network, holder }
    same_mandate: MandateContent { reference, payer_account }
    same_period: PeriodContent { start, end }
    same_classification: ClassificationContent { list, version, code }
    same_attribute: ItemAttributeContent { name, value }
    same_preceding: PrecedingContent { number, issue_date }
    same_address: AddressContent {
        building, additional_number, street, additional_street, third_line, district, city,
        postal_code, region, country
    }
}

pub(super) fn same_buyer_details(sent: &BuyerDetails, stored: &BuyerDetails) -> bool {
    let BuyerDetails {
        trading_name,
        other_ids,
        legal_id,
        electronic_address,
        contact,
        additional_number,
        additional_street,
        third_line,
        region,
    } = sent;
    same_localized(trading_name, &stored.trading_name)
        && same_list(other_ids, &stored.other_ids, same_identifier)
        && same_identifier(legal_id, &stored.legal_id)
        && same_identifier(electronic_address, &stored.electronic_address)
        && same_contact(contact, &stored.contact)
        && same_text(additional_number, &stored.additional_number)
        && same_text(additional_street, &stored.additional_street)
        && same_text(third_line, &stored.third_line)
        && same_text(region, &stored.region)
}

fn same_delivery(sent: &DeliveryContent, stored: &DeliveryContent) -> bool {
    let DeliveryContent {
        party,
        location,
        latest_date,
        address,
    } = sent;
    same_localized(party, &stored.party)
        && same_identifier(location, &stored.location)
        && same_text(latest_date, &stored.latest_date)
        && same_address(address, &stored.address)
}

fn same_payee(sent: &PayeeContent, stored: &PayeeContent) -> bool {
    let PayeeContent { name, id, legal_id } = sent;
    same_localized(name, &stored.name)
        && same_identifier(id, &stored.id)
        && same_identifier(legal_id, &stored.legal_id)
}

fn same_representative(sent: &TaxRepresentativeContent, stored: &TaxRepresentativeContent) -> bool {
    let TaxRepresentativeContent {
        name,
        tax_id,
        address,
    } = sent;
    same_localized(name, &stored.name)
        && same_text(tax_id, &stored.tax_id)
        && same_address(address, &stored.address)
}

fn same_document(sent: &SupportingDocumentContent, stored: &SupportingDocumentContent) -> bool {
    let SupportingDocumentContent {
        id,
        type_code,
        description,
        uri,
    } = sent;
    same_identifier(id, &stored.id)
        && same_text(type_code, &stored.type_code)
        && same_text(description, &stored.description)
        && same_text(uri, &stored.uri)
}

/// The entries that have a text: others are not sent.
fn filled<'a, Entry: Default + PartialEq + Clone + 'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Vec<Entry> {
    let filled = entries
        .into_iter()
        .filter(|entry| **entry != Entry::default());
    filled.cloned().collect()
}

fn same_payment(sent: &PaymentContent, stored: &PaymentContent) -> bool {
    let PaymentContent {
        code,
        account,
        account_name,
        provider,
        remittance,
        name,
        card,
        mandate,
    } = sent;
    same_text(code, &stored.code)
        && same_text(account, &stored.account)
        && same_text(account_name, &stored.account_name)
        && same_text(provider, &stored.provider)
        && same_text(remittance, &stored.remittance)
        && same_text(name, &stored.name)
        && same_card(card, &stored.card)
        && same_mandate(mandate, &stored.mandate)
}

pub(super) fn same_details(sent: &InvoiceDetails, stored: &InvoiceDetails) -> bool {
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
        preceding_documents,
    } = sent;
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
    let named = &stored.references;
    same_period(period, &stored.period)
        && same_text(purchase_order, &named.purchase_order)
        && same_text(buyer, &named.buyer)
        && same_text(contract, &named.contract)
        && same_text(project, &named.project)
        && same_text(sales_order, &named.sales_order)
        && same_text(despatch_advice, &named.despatch_advice)
        && same_text(receiving_advice, &named.receiving_advice)
        && same_text(accounting, &named.accounting)
        && same_text(tender, &named.tender)
        && same_identifier(invoiced_object, &named.invoiced_object)
        && same_list(
            &filled(iter::once(payment).chain(other_payments)),
            &filled(iter::once(&stored.payment).chain(&stored.other_payments)),
            same_payment,
        )
        && same_text(payment_terms, &stored.payment_terms)
        && same_text(tax_currency, &stored.tax_currency)
        && same_number(exchange_rate, &stored.exchange_rate)
        && same_number(prepaid, &stored.prepaid)
        && same_number(rounding, &stored.rounding)
        && same_list(
            allowances_charges,
            &stored.allowances_charges,
            same_allowance_charge,
        )
        && same_text(subtype, &stored.subtype)
        && same_text(tax_point_date, &stored.tax_point_date)
        && same_text(tax_point_code, &stored.tax_point_code)
        && same_delivery(delivery, &stored.delivery)
        && same_payee(payee, &stored.payee)
        && same_representative(tax_representative, &stored.tax_representative)
        && same_list(documents, &stored.documents, same_document)
        && same_list(
            &filled(preceding_documents),
            &filled(&stored.preceding_documents),
            same_preceding,
        )
}

pub(super) fn same_line_details(sent: &LineDetails, stored: &LineDetails) -> bool {
    let LineDetails {
        item_code,
        buyer_item_code,
        order_line,
        note,
        period,
        price_base,
        exemption_reason,
        allowances_charges,
        object,
        accounting,
        gross_price,
        price_discount,
        price_base_unit,
        item_description,
        standard_item_code,
        origin,
        classifications,
        attributes,
    } = sent;
    same_text(item_code, &stored.item_code)
        && same_text(buyer_item_code, &stored.buyer_item_code)
        && same_text(order_line, &stored.order_line)
        && same_text(note, &stored.note)
        && same_period(period, &stored.period)
        && same_number(price_base, &stored.price_base)
        && same_text(exemption_reason, &stored.exemption_reason)
        && same_list(
            allowances_charges,
            &stored.allowances_charges,
            same_allowance_charge,
        )
        && same_identifier(object, &stored.object)
        && same_text(accounting, &stored.accounting)
        && same_number(gross_price, &stored.gross_price)
        && same_number(price_discount, &stored.price_discount)
        && same_text(price_base_unit, &stored.price_base_unit)
        && same_localized(item_description, &stored.item_description)
        && same_identifier(standard_item_code, &stored.standard_item_code)
        && same_text(origin, &stored.origin)
        && same_list(
            classifications,
            &stored.classifications,
            same_classification,
        )
        && same_list(attributes, &stored.attributes, same_attribute)
}

fn same_list<Item>(sent: &[Item], stored: &[Item], same: impl Fn(&Item, &Item) -> bool) -> bool {
    sent.len() == stored.len()
        && sent
            .iter()
            .zip(stored)
            .all(|(sent, stored)| same(sent, stored))
}

fn same_allowance_charge(sent: &AllowanceChargeContent, stored: &AllowanceChargeContent) -> bool {
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
    } = sent;
    *kind == stored.kind
        && same_number(amount, &stored.amount)
        && same_number(percent, &stored.percent)
        && same_number(base, &stored.base)
        && same_text(reason, &stored.reason)
        && same_text(reason_code, &stored.reason_code)
        && same_text(tax_category, &stored.tax_category)
        && (tax_rate.trim().is_empty() || same_number(tax_rate, &stored.tax_rate))
        && same_text(exemption_code, &stored.exemption_code)
}
