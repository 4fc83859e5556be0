//! What is to be remembered of a buyer otherwise than it is, and the fields of the service that are written for it (decision 0188).

use invoicing_contract::fold::folded_identifier;
use invoicing_contract::messages::parties as wire;

use super::from_wire;
use crate::invoices::{buyer_of, party_of};
use crate::views::{BuyerContent, IdentifierContent, PartyChange, PartyPart, PartyView};

/// What differs of a buyer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Differences {
    pub(super) parts: Vec<PartyPart>,
    /// The fields of the party that are written.
    pub(super) paths: Vec<&'static str>,
}

impl Differences {
    /// What a change has that is not remembered. What it does not have is no difference: who types a name alone has not removed the
    /// address.
    pub(super) fn of(party: &wire::Party, change: &PartyChange) -> Self {
        let known = from_wire::party(party.clone());
        // As the service would have it.
        let buyer = buyer_of(party_of(&change.buyer));
        let mut found = Self::default();
        found.compare_buyer(&buyer, &known.buyer);
        found.compare_defaults(change, &known);
        found
    }

    fn compare_buyer(&mut self, buyer: &BuyerContent, known: &BuyerContent) {
        let (details, known_details) = (&buyer.details, &known.details);
        let (trading, known_trading) = (&details.trading_name, &known_details.trading_name);
        let (contact, known_contact) = (&details.contact, &known_details.contact);
        for (text, known, part, path) in [
            (
                &buyer.name.en,
                &known.name.en,
                PartyPart::Name,
                "details.name.en",
            ),
            (
                &buyer.name.ar,
                &known.name.ar,
                PartyPart::Name,
                "details.name.ar",
            ),
            (
                &trading.en,
                &known_trading.en,
                PartyPart::Name,
                "details.trading_name.en",
            ),
            (
                &trading.ar,
                &known_trading.ar,
                PartyPart::Name,
                "details.trading_name.ar",
            ),
            (
                &contact.name,
                &known_contact.name,
                PartyPart::Contact,
                "details.contact.name",
            ),
            (
                &contact.phone,
                &known_contact.phone,
                PartyPart::Contact,
                "details.contact.phone",
            ),
            (
                &contact.email,
                &known_contact.email,
                PartyPart::Contact,
                "details.contact.email",
            ),
        ] {
            self.add_if(is_new(text, known), part, path);
        }
        // Another spelling of the same number is no other one.
        let tax_id = folded_identifier(&buyer.tax_id);
        let other_tax_id = tax_id.is_some() && tax_id != folded_identifier(&known.tax_id);
        self.add_if(other_tax_id, PartyPart::TaxId, "details.tax_id");
        let new_address = address(buyer)
            .into_iter()
            .zip(address(known))
            .any(|(text, known)| is_new(text, known));
        self.add_if(new_address, PartyPart::Address, "details.address");
        let identifiers = [
            (
                is_new_id(&details.legal_id, &known_details.legal_id),
                "details.legal_id",
            ),
            (
                is_new_id(
                    &details.electronic_address,
                    &known_details.electronic_address,
                ),
                "details.electronic_address",
            ),
            (
                details
                    .other_ids
                    .iter()
                    .any(|id| !id.value.trim().is_empty() && !known_details.other_ids.contains(id)),
                "details.other_ids",
            ),
        ];
        for (differs, path) in identifiers {
            self.add_if(differs, PartyPart::Identifiers, path);
        }
    }

    fn compare_defaults(&mut self, change: &PartyChange, known: &PartyView) {
        // Without a currency of its own a buyer has that of the organization.
        let other_currency =
            !known.currency.is_empty() && is_new(&change.currency, &known.currency);
        self.add_if(other_currency, PartyPart::Currency, "defaults.currency");
        self.add_if(
            is_new(&change.payment_terms, &known.payment_terms),
            PartyPart::PaymentTerms,
            "defaults.payment_terms",
        );
        if change.due_terms.is_some() && change.due_terms != known.due_terms {
            self.parts.push(PartyPart::DueTerms);
            self.paths
                .extend(["defaults.due_days", "defaults.days_after_month_end"]);
        }
    }

    fn add_if(&mut self, differs: bool, part: PartyPart, path: &'static str) {
        if !differs {
            return;
        }
        if !self.parts.contains(&part) {
            self.parts.push(part);
        }
        self.paths.push(path);
    }
}

/// The party with what a change says. Only the fields that differ are taken from it.
pub(super) fn to_wire(change: &PartyChange) -> wire::Party {
    let days = |end_of_month| {
        let terms = change
            .due_terms
            .filter(|it| it.end_of_month == end_of_month);
        terms.and_then(|terms| i32::try_from(terms.days).ok())
    };
    wire::Party {
        details: Some(party_of(&change.buyer)),
        defaults: Some(wire::PartyDefaults {
            currency: change.currency.trim().to_owned(),
            payment_terms: change.payment_terms.trim().to_owned(),
            due_days: days(false).unwrap_or_default(),
            days_after_month_end: days(true),
            ..wire::PartyDefaults::default()
        }),
        ..wire::Party::default()
    }
}

/// BG-8. Its parts belong together: half of an old address and half of a new one is none.
fn address(buyer: &BuyerContent) -> [&str; 10] {
    let details = &buyer.details;
    [
        &buyer.building,
        &buyer.street,
        &buyer.district,
        &buyer.city,
        &buyer.postal_code,
        &buyer.country,
        &details.additional_number,
        &details.additional_street,
        &details.third_line,
        &details.region,
    ]
}

fn is_new(text: &str, known: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text != known.trim()
}

fn is_new_id(id: &IdentifierContent, known: &IdentifierContent) -> bool {
    !id.value.trim().is_empty() && id != known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{DueTerms, LocalizedText, full_content};

    fn known() -> wire::Party {
        let mut party = to_wire(&change());
        party.party_key = "p".to_owned();
        party
    }

    /// As the buyer is remembered.
    fn change() -> PartyChange {
        PartyChange {
            buyer: full_content().buyer,
            currency: "SAR".to_owned(),
            payment_terms: "Net 30".to_owned(),
            due_terms: Some(DueTerms {
                end_of_month: true,
                days: 0,
            }),
            ..PartyChange::default()
        }
    }

    fn parts(change: impl FnOnce(&mut PartyChange)) -> Vec<PartyPart> {
        let mut changed = self::change();
        change(&mut changed);
        Differences::of(&known(), &changed).parts
    }

    #[test]
    fn buyer_as_it_is_remembered_differs_in_nothing() {
        assert_eq!(parts(|_| ()), []);
        let spelled = parts(|it| it.buyer.tax_id = "٣١٠ ١٢٢ ٣٩٣ ٥٠٠٠٠٣".to_owned());
        assert_eq!(spelled, [], "the same number");
    }

    #[test]
    fn what_a_document_does_not_say_is_no_difference() {
        let named = PartyChange {
            buyer: BuyerContent {
                name: change().buyer.name,
                country: "SA".to_owned(),
                ..BuyerContent::default()
            },
            ..PartyChange::default()
        };
        assert_eq!(Differences::of(&known(), &named), Differences::default());
    }

    #[test]
    fn each_part_that_is_new_is_named_once_and_written() {
        let name = parts(|it| {
            it.buyer.name = LocalizedText {
                ar: "شركة".to_owned(),
                en: "Company".to_owned(),
            };
        });
        assert_eq!(name, [PartyPart::Name]);
        assert_eq!(
            parts(|it| it.buyer.tax_id = "310298765400003".to_owned()),
            [PartyPart::TaxId]
        );
        assert_eq!(
            parts(|it| it.buyer.details.contact.email = "new@example.com".to_owned()),
            [PartyPart::Contact]
        );
        assert_eq!(
            parts(|it| it.buyer.details.legal_id.value = "1".to_owned()),
            [PartyPart::Identifiers]
        );
        assert_eq!(
            parts(|it| it.currency = "USD".to_owned()),
            [PartyPart::Currency]
        );
        assert_eq!(
            parts(|it| it.payment_terms = "Net 45".to_owned()),
            [PartyPart::PaymentTerms]
        );
        let days = DueTerms {
            end_of_month: false,
            days: 30,
        };
        assert_eq!(parts(|it| it.due_terms = Some(days)), [PartyPart::DueTerms]);
    }

    #[test]
    fn new_address_takes_the_place_of_the_whole_old_one() {
        let mut moved = change();
        moved.buyer.street = "Another street".to_owned();
        moved.buyer.district.clear();
        let found = Differences::of(&known(), &moved);
        assert_eq!(found.parts, [PartyPart::Address]);
        assert_eq!(found.paths, ["details.address"]);
    }

    #[test]
    fn terms_by_days_take_the_place_of_those_from_the_end_of_the_month() {
        let mut days = change();
        days.due_terms = Some(DueTerms {
            end_of_month: false,
            days: 30,
        });
        let defaults = to_wire(&days).defaults.expect("it has some");
        assert_eq!(
            (defaults.due_days, defaults.days_after_month_end),
            (30, None)
        );
        let defaults = to_wire(&change()).defaults.expect("it has some");
        assert_eq!(
            (defaults.due_days, defaults.days_after_month_end),
            (0, Some(0))
        );
    }
}
