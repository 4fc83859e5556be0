//! Parties, addresses, identifiers, texts.

use invoice::content as typed;
use invoicing_contract::messages::documents as wire;

pub(super) fn text(text: Option<wire::LocalizedText>) -> typed::Text {
    let wire::LocalizedText { ar, en } = text.unwrap_or_default();
    typed::Text { ar, en }
}

pub(super) fn identifier(id: Option<wire::Identifier>) -> typed::Identifier {
    let wire::Identifier { scheme, value } = id.unwrap_or_default();
    typed::Identifier { scheme, value }
}

pub(super) fn address(address: Option<wire::Address>) -> typed::PresenceTracked<typed::Address> {
    let wire::Address {
        building,
        street,
        district,
        city,
        postal_code,
        region,
        country,
        additional_number,
        additional_street,
        third_line,
    } = address.unwrap_or_default();
    typed::PresenceTracked::present_unless_empty(typed::Address {
        building,
        additional_number,
        street,
        additional_street,
        third_line,
        district,
        city,
        postal_code,
        region,
        country,
    })
}

pub(super) fn party(party: wire::Party) -> typed::Party {
    let wire::Party {
        name,
        tax_id,
        other_ids,
        address: at,
        contact,
        trading_name,
        tax_registration,
        legal_id,
        legal_form,
        electronic_address,
    } = party;
    let wire::Contact {
        name: contact_name,
        phone,
        email,
    } = contact.unwrap_or_default();
    typed::Party {
        name: text(name),
        trading_name: text(trading_name),
        tax_id,
        tax_registration,
        other_ids: other_ids
            .into_iter()
            .map(|id| identifier(Some(id)))
            .collect(),
        legal_id: identifier(legal_id),
        legal_form,
        electronic_address: identifier(electronic_address),
        address: address(at),
        contact: typed::Contact {
            name: contact_name,
            phone,
            email,
        },
    }
}
