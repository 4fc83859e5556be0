//! INV-TEXT: length and characters of texts.

use std::fmt::Display;

use super::fields::{LONG_TEXT, SHORT_TEXT, UNBOUNDED_TEXT};
use crate::Content;
use crate::content::{Address, Identifier, Line, Party, SparseLineDetails, Text};
use crate::violation::Violations;

/// Checks the texts of the document except those of buyer and lines.
pub(super) fn check(violations: &mut Violations, content: &Content) {
    if !violations.limits_values {
        return;
    }
    let references = &content.references;
    for (name, text) in [
        ("buyer", &references.buyer),
        ("project", &references.project),
        ("contract", &references.contract),
        ("salesOrder", &references.sales_order),
        ("receivingAdvice", &references.receiving_advice),
        ("despatchAdvice", &references.despatch_advice),
        ("tender", &references.tender),
        ("accounting", &references.accounting),
    ] {
        violations.text(format_args!("references.{name}"), text, SHORT_TEXT);
    }
    let object = &references.invoiced_object;
    identifier(violations, "references.invoicedObject", object);
    if let Some(payee) = &content.payee {
        localized(violations, "payee.name", &payee.name);
        identifier(violations, "payee.id", &payee.id);
        identifier(violations, "payee.legalId", &payee.legal_id);
    }
    if let Some(representative) = &content.tax_representative {
        localized(violations, "taxRepresentative.name", &representative.name);
        violations.text(
            "taxRepresentative.taxId",
            &representative.tax_id,
            SHORT_TEXT,
        );
        address(violations, "taxRepresentative", &representative.address);
    }
    if let Some(delivery) = &content.delivery {
        localized(violations, "delivery.party", &delivery.party);
        identifier(violations, "delivery.location", &delivery.location);
        address(violations, "delivery", &delivery.address);
    }
    payment(violations, content);
    for (index, paper) in content.documents.iter().enumerate() {
        let path = format_args!("documents[{index}]");
        identifier(violations, format_args!("{path}.id"), &paper.id);
        for (name, text, most) in [
            ("typeCode", &paper.type_code, SHORT_TEXT),
            ("uuid", &paper.uuid, SHORT_TEXT),
            ("description", &paper.description, LONG_TEXT),
            ("uri", &paper.uri, LONG_TEXT),
        ] {
            violations.text(format_args!("{path}.{name}"), text, most);
        }
        if let Some(file) = &paper.attachment {
            for (name, text, most) in [
                ("mime", &file.mime, SHORT_TEXT),
                ("filename", &file.filename, SHORT_TEXT),
                // How large a request may be bounds it.
                ("content", &file.content, UNBOUNDED_TEXT),
            ] {
                violations.text(format_args!("{path}.attachment.{name}"), text, most);
            }
        }
    }
    for (index, item) in content.allowances_charges.iter().enumerate() {
        let path = format_args!("allowancesCharges[{index}].reasonCode");
        violations.text(path, &item.reason_code, SHORT_TEXT);
    }
}

fn payment(violations: &mut Violations, content: &Content) {
    for (index, means) in content.payment.iter().enumerate() {
        let account = means.account.as_ref();
        let card = means.card.as_ref();
        let mandate = means.mandate.as_ref();
        for (name, text) in [
            ("name", Some(&means.name)),
            ("remittance", Some(&means.remittance)),
            ("account.id", account.map(|account| &account.id)),
            ("account.name", account.map(|account| &account.name)),
            ("account.provider", account.map(|account| &account.provider)),
            ("card.number", card.map(|card| &card.number)),
            ("card.network", card.map(|card| &card.network)),
            ("card.holder", card.map(|card| &card.holder)),
            (
                "mandate.reference",
                mandate.map(|mandate| &mandate.reference),
            ),
            (
                "mandate.payerAccount",
                mandate.map(|mandate| &mandate.payer_account),
            ),
        ] {
            let text = text.map_or("", String::as_str);
            violations.text(format_args!("payment[{index}].{name}"), text, SHORT_TEXT);
        }
    }
}

/// Checks the texts of a party that [`parties`](super::parties) does not check.
pub(super) fn check_party(violations: &mut Violations, path: impl Display + Copy, party: &Party) {
    if !violations.limits_values {
        return;
    }
    localized(
        violations,
        format_args!("{path}.tradingName"),
        &party.trading_name,
    );
    for (name, text) in [
        ("taxRegistration", &party.tax_registration),
        ("legalForm", &party.legal_form),
        ("address.additionalNumber", &party.address.additional_number),
        ("address.additionalStreet", &party.address.additional_street),
        ("address.thirdLine", &party.address.third_line),
    ] {
        violations.text(format_args!("{path}.{name}"), text, SHORT_TEXT);
    }
    identifier(violations, format_args!("{path}.legalId"), &party.legal_id);
    let electronic = &party.electronic_address;
    identifier(
        violations,
        format_args!("{path}.electronicAddress"),
        electronic,
    );
}

/// Fields that few lines have.
pub(super) fn check_line(violations: &mut Violations, path: impl Display + Copy, line: &Line) {
    if !violations.limits_values
        || (line.details == SparseLineDetails::default() && line.allowances_charges.is_empty())
    {
        return;
    }
    let details = &line.details;
    for (index, item) in line.allowances_charges.iter().enumerate() {
        let path = format_args!("{path}.allowancesCharges[{index}].reasonCode");
        violations.text(path, &item.reason_code, SHORT_TEXT);
    }
    identifier(violations, format_args!("{path}.object"), &details.object);
    let code = &details.standard_item_code;
    identifier(violations, format_args!("{path}.standardItemCode"), code);
    violations.text(
        format_args!("{path}.priceBaseUnit"),
        &details.price_base_unit,
        SHORT_TEXT,
    );
    for (index, class) in details.classifications.iter().enumerate() {
        let path = format_args!("{path}.classifications[{index}]");
        violations.text(format_args!("{path}.version"), &class.version, SHORT_TEXT);
        violations.text(format_args!("{path}.code"), &class.code, SHORT_TEXT);
    }
    for (index, attribute) in details.attributes.iter().enumerate() {
        let path = format_args!("{path}.attributes[{index}]");
        violations.text(format_args!("{path}.name"), &attribute.name, SHORT_TEXT);
        violations.text(format_args!("{path}.value"), &attribute.value, LONG_TEXT);
    }
}

fn localized(violations: &mut Violations, path: impl Display + Copy, text: &Text) {
    violations.text(format_args!("{path}.ar"), &text.ar, SHORT_TEXT);
    violations.text(format_args!("{path}.en"), &text.en, SHORT_TEXT);
}

fn identifier(violations: &mut Violations, path: impl Display + Copy, id: &Identifier) {
    violations.text(format_args!("{path}.scheme"), &id.scheme, SHORT_TEXT);
    violations.text(format_args!("{path}.value"), &id.value, SHORT_TEXT);
}

fn address(violations: &mut Violations, path: impl Display + Copy, address: &Address) {
    for (name, text) in [
        ("building", &address.building),
        ("additionalNumber", &address.additional_number),
        ("street", &address.street),
        ("additionalStreet", &address.additional_street),
        ("thirdLine", &address.third_line),
        ("district", &address.district),
        ("city", &address.city),
        ("postalCode", &address.postal_code),
        ("region", &address.region),
    ] {
        violations.text(format_args!("{path}.address.{name}"), text, SHORT_TEXT);
    }
}
