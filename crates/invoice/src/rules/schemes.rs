//! Checks codes against code lists: schemes of identifiers, units and subjects of notes. Countries with national code lists are
//! exempt. Of their units [`lines`](super::lines) checks the form.

use std::fmt::Display;

use super::Scope;
use crate::content::{Identifier, Line, Party};
use crate::violation::Violations;
use crate::{Content, codes};

/// Checks a content, and the seller of a received document.
pub(super) fn check(
    violations: &mut Violations,
    content: &Content,
    seller: Option<&Party>,
    scope: &Scope<'_>,
) {
    if scope.has_own_lists() {
        return;
    }
    let seller = seller.map(|seller| ("seller", seller));
    for (path, party) in seller.into_iter().chain([("buyer", &content.buyer)]) {
        for (index, id) in party.other_ids.iter().enumerate() {
            let path = format_args!("{path}.otherIds[{index}]");
            of_list(violations, path, id, &IDENTIFIER);
        }
        let path_of = |name: &str| format!("{path}.{name}");
        of_list(violations, &path_of("legalId"), &party.legal_id, &LEGAL);
        let address = &party.electronic_address;
        of_list(violations, &path_of("electronicAddress"), address, &ADDRESS);
    }
    if let Some(payee) = &content.payee {
        // The identifier of the payee may be the creditor identifier for direct debits.
        if payee.id.scheme != codes::SEPA {
            of_list(violations, "payee.id", &payee.id, &IDENTIFIER);
        }
        of_list(violations, "payee.legalId", &payee.legal_id, &LEGAL);
    }
    if let Some(delivery) = &content.delivery {
        of_list(
            violations,
            "delivery.location",
            &delivery.location,
            &LOCATION,
        );
    }
    let object = &content.references.invoiced_object;
    of_list(violations, "references.invoicedObject", object, &OBJECT);
    for (index, line) in content.lines.iter().enumerate() {
        check_units(violations, index, line);
        check_line(violations, index, line);
    }
    for (name, note) in [("note", &content.note), ("noteAr", &content.note_ar)] {
        if !note.lines().all(is_subject_known) {
            violations.add(
                name,
                "BR-CL-08",
                "begins with a subject that is no code of UNTDID 4451",
            );
        }
    }
}

fn check_units(violations: &mut Violations, index: usize, line: &Line) {
    for (name, unit) in [
        ("unit", &line.unit),
        ("priceBaseUnit", &line.details.price_base_unit),
    ] {
        if !unit.is_empty() && !codes::is_unit(unit) {
            violations.add(
                format_args!("lines[{index}].{name}"),
                "BR-CL-23",
                "is not a unit code of UN/ECE Recommendation 20, such as C62 or KGM",
            );
        }
    }
}

fn check_line(violations: &mut Violations, index: usize, line: &Line) {
    let details = &line.details;
    let (object, code) = (&details.object, &details.standard_item_code);
    if !object.scheme.is_empty() {
        let path = format_args!("lines[{index}].object");
        of_list(violations, path, object, &OBJECT);
    }
    if !code.scheme.is_empty() {
        let path = format_args!("lines[{index}].standardItemCode");
        of_list(violations, path, code, &ITEM);
    }
}

/// A code list of identifier schemes with its rule.
struct List {
    rule: &'static str,
    has: fn(&str) -> bool,
    name: &'static str,
}

const IDENTIFIER: List = List {
    rule: "BR-CL-10",
    has: codes::is_identifier_scheme,
    name: "ISO 6523",
};
const LEGAL: List = List {
    rule: "BR-CL-11",
    ..IDENTIFIER
};
const ITEM: List = List {
    rule: "BR-CL-21",
    ..IDENTIFIER
};
const LOCATION: List = List {
    rule: "BR-CL-26",
    ..IDENTIFIER
};
const ADDRESS: List = List {
    rule: "BR-CL-25",
    has: codes::is_address_scheme,
    name: "CEF EAS",
};
const OBJECT: List = List {
    rule: "BR-CL-07",
    has: codes::is_object_scheme,
    name: "UNTDID 1153",
};

/// Checks that the scheme of an identifier, if given, is in the list.
fn of_list(violations: &mut Violations, path: impl Display + Copy, id: &Identifier, list: &List) {
    if !id.scheme.is_empty() && !(list.has)(&id.scheme) {
        violations.add(
            format_args!("{path}.scheme"),
            list.rule,
            format!("is not a scheme of {}", list.name),
        );
    }
}

/// Whether the subject code of a note is known. In `#AAI#Some text` three letters between `#` are a subject; other text has none.
fn is_subject_known(line: &str) -> bool {
    let between = || {
        let (_, after) = line.split_once('#')?;
        after.split_once('#').map(|(subject, _)| subject)
    };
    between().is_none_or(|subject| subject.chars().count() != 3 || codes::is_note_subject(subject))
}
