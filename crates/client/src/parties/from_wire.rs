//! Parties as views, and what a search without a connection compares.

use invoicing_contract::fold::{folded_identifier, words};
use invoicing_contract::messages::parties as wire;

use crate::invoices::buyer_of;
use crate::views::{DueTerms, PartyView};

/// A party as the form offers it.
pub(super) fn party(party: wire::Party) -> PartyView {
    let defaults = party.defaults.unwrap_or_default();
    PartyView {
        key: party.party_key,
        stamp: party.concurrency_stamp,
        buyer: buyer_of(party.details.unwrap_or_default()),
        due_terms: due_terms(&defaults),
        currency: defaults.currency,
        payment_terms: defaults.payment_terms,
        note: defaults.note,
    }
}

/// The terms of a party. Days from the end of the month take the place of those from the issue date.
fn due_terms(defaults: &wire::PartyDefaults) -> Option<DueTerms> {
    let (end_of_month, days) = match defaults.days_after_month_end {
        Some(days) => (true, days),
        None if defaults.due_days > 0 => (false, defaults.due_days),
        None => return None,
    };
    let days = u32::try_from(days).ok()?;
    Some(DueTerms { end_of_month, days })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_from_the_end_of_the_month_take_the_place_of_those_of_one_document() {
        let terms = |due_days, days_after_month_end| {
            due_terms(&wire::PartyDefaults {
                due_days,
                days_after_month_end,
                ..wire::PartyDefaults::default()
            })
        };
        let of = |end_of_month, days| Some(DueTerms { end_of_month, days });
        assert_eq!(terms(8, Some(0)), of(true, 0));
        assert_eq!(terms(0, Some(15)), of(true, 15));
        assert_eq!(terms(30, None), of(false, 30));
        assert_eq!(terms(0, None), None);
    }
}
