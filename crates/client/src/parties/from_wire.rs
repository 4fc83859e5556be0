//! Parties as views, and what a search without a connection compares.

use invoicing_contract::fold::{folded_identifier, words};
use invoicing_contract::messages::parties as wire;

use crate::invoices::buyer_of;
use crate::views::PartyView;

/// A party as the form offers it.
pub(super) fn party(party: wire::Party) -> PartyView {
    let defaults = party.defaults.unwrap_or_default();
    PartyView {
        key: party.party_key,
        buyer: buyer_of(party.details.unwrap_or_default()),
        currency: defaults.currency,
        payment_terms: defaults.payment_terms,
        due_days: u32::try_from(defaults.due_days).unwrap_or(0),
        note: defaults.note,
    }
}

/// Whether each of the words begins one of the party's, or its tax id.
pub(super) fn matches(party: &wire::Party, searched: &[String]) -> bool {
    let details = party.details.clone().unwrap_or_default();
    let name = details.name.unwrap_or_default();
    let city = details.address.unwrap_or_default().city;
    let tax_id = folded_identifier(&details.tax_id).unwrap_or_default();
    let texts = [&name.en, &name.ar, &city];
    let own: Vec<String> = texts
        .into_iter()
        .chain(&party.tags)
        .flat_map(|text| words(text))
        .chain([tax_id])
        .collect();
    searched
        .iter()
        .all(|word| own.iter().any(|own| own.starts_with(word.as_str())))
}
