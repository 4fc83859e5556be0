//! Template data of parties: names, addresses and identifiers.

use serde_json::{Value, json};

use super::super::Languages;
use super::super::printable_text::TextPreparer;
use super::text;
use crate::Document;
use crate::content::{Address, Contact, Identifier, Party};

pub(super) fn all(
    print: &mut TextPreparer<'_>,
    document: &Document,
    languages: Languages,
) -> Vec<Value> {
    let content = &document.content;
    let mut parties = vec![
        party(print, "seller", &document.seller, languages),
        party(print, "buyer", &content.buyer, languages),
    ];
    if let Some(payee) = &content.payee {
        let payee = Party {
            name: payee.name.clone(),
            legal_id: payee.legal_id.clone(),
            other_ids: vec![payee.id.clone()],
            ..Party::default()
        };
        parties.push(party(print, "payee", &payee, languages));
    }
    if let Some(representative) = &content.tax_representative {
        let representative = Party {
            name: representative.name.clone(),
            tax_id: representative.tax_id.clone(),
            address: representative.address.clone(),
            ..Party::default()
        };
        parties.push(party(print, "representative", &representative, languages));
    }
    if let Some(delivery) = &content.delivery {
        let delivery = Party {
            name: delivery.party.clone(),
            address: delivery.address.clone(),
            other_ids: vec![delivery.location.clone()],
            ..Party::default()
        };
        parties.push(party(print, "delivery", &delivery, languages));
    }
    parties
}

/// In a bilingual layout the rows of an address are assigned to a side by their letters.
fn party(
    print: &mut TextPreparer<'_>,
    role: &'static str,
    party: &Party,
    languages: Languages,
) -> Value {
    let rows: Vec<String> = address(&party.address)
        .into_iter()
        .chain(contact(&party.contact))
        .map(|row| print.text(&row))
        .filter(|row| !row.is_empty())
        .collect();
    let beside =
        languages == Languages::Both && !party.name.ar.is_empty() && !party.name.en.is_empty();
    let (ar, en) = if beside {
        rows.into_iter().partition(|row| is_arabic(row))
    } else {
        (rows.clone(), rows)
    };
    let legal = ("legal-id", party.legal_id.value.clone());
    let other = party.other_ids.iter().map(|Identifier { scheme, value }| {
        let name = if scheme.is_empty() { "ID" } else { scheme };
        (name, value.clone())
    });
    let mut ids: Vec<_> = [("tax-id", party.tax_id.clone()), legal]
        .into_iter()
        .chain(other)
        .map(|(name, value)| (name.to_owned(), print.text(&value)))
        .filter(|(_, value)| !value.is_empty())
        .collect();
    // A file may have an identifier twice (`Document::without_vat_numbers_outside_scope`), which tells a reader nothing.
    ids.dedup();
    json!({
        "role": role,
        "name": text(print, &party.name),
        "rows": { "ar": ar, "en": en },
        "ids": ids,
    })
}

fn is_arabic(text: &str) -> bool {
    text.chars()
        .any(|letter| matches!(letter, '\u{600}'..='\u{6ff}'))
}

fn address(address: &Address) -> Vec<String> {
    let joined = |parts: &[&str], between: &str| {
        let parts = parts.iter().copied().filter(|part| !part.is_empty());
        let parts: Vec<_> = parts.collect();
        let arabic = between == ", " && parts.iter().any(|part| is_arabic(part));
        parts.join(if arabic { "\u{60c} " } else { between })
    };
    vec![
        joined(&[&address.building, &address.street], " "),
        joined(&[&address.additional_street, &address.third_line], ", "),
        joined(&[&address.district, &address.additional_number], " "),
        joined(
            &[
                joined(&[&address.postal_code, &address.city], " ").as_str(),
                &address.region,
                &address.country,
            ],
            ", ",
        ),
    ]
}

fn contact(contact: &Contact) -> [String; 3] {
    let Contact { name, phone, email } = contact;
    [name.clone(), phone.clone(), email.clone()]
}
