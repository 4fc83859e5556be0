//! What a buyer is recognized by among remembered parties.

use invoicing_contract::fold::{folded_identifier, words};
use invoicing_contract::messages::parties as wire;

use crate::views::BuyerContent;

/// A buyer that is looked for.
pub(super) enum SoughtBuyer {
    /// By its tax id, folded.
    TaxId(String),
    /// By its name, as it has no tax id.
    Name {
        /// As it was typed, in the language in which it has words.
        typed: String,
        /// Its words in English.
        en: Vec<String>,
        /// Its words in Arabic.
        ar: Vec<String>,
    },
}

impl SoughtBuyer {
    /// `None` if the buyer has neither a tax id nor a name.
    pub(super) fn of(buyer: &BuyerContent) -> Option<Self> {
        if let Some(tax_id) = folded_identifier(&buyer.tax_id) {
            return Some(Self::TaxId(tax_id));
        }
        let (en, ar) = (words(&buyer.name.en), words(&buyer.name.ar));
        if en.is_empty() && ar.is_empty() {
            return None;
        }
        let typed = if en.is_empty() {
            buyer.name.ar.clone()
        } else {
            buyer.name.en.clone()
        };
        Some(Self::Name { typed, en, ar })
    }

    /// The text of a search that finds it.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::TaxId(tax_id) => tax_id,
            Self::Name { typed, .. } => typed,
        }
    }

    /// Whether a party is this buyer: it has the tax id, or a name of the same words.
    pub(super) fn is(&self, party: &wire::Party) -> bool {
        let Some(details) = &party.details else {
            return false;
        };
        match self {
            Self::TaxId(tax_id) => folded_identifier(&details.tax_id).as_ref() == Some(tax_id),
            Self::Name { en, ar, .. } => details
                .name
                .as_ref()
                .is_some_and(|name| are_words_of(en, &name.en) || are_words_of(ar, &name.ar)),
        }
    }
}

/// Whether a name has exactly these words, and some.
fn are_words_of(sought: &[String], name: &str) -> bool {
    !sought.is_empty() && words(name) == sought
}

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::documents;

    use super::*;
    use crate::views::LocalizedText;

    fn sought(en: &str, ar: &str, tax_id: &str) -> Option<SoughtBuyer> {
        SoughtBuyer::of(&BuyerContent {
            name: LocalizedText {
                ar: ar.to_owned(),
                en: en.to_owned(),
            },
            tax_id: tax_id.to_owned(),
            ..BuyerContent::default()
        })
    }

    fn party(tax_id: &str) -> wire::Party {
        wire::Party {
            details: Some(documents::Party {
                name: Some(documents::LocalizedText {
                    ar: "شركة المعرفة".to_owned(),
                    en: "Knowledge Company".to_owned(),
                }),
                tax_id: tax_id.to_owned(),
                ..documents::Party::default()
            }),
            ..wire::Party::default()
        }
    }

    #[test]
    fn buyer_is_recognized_by_its_tax_id_whatever_its_name_is() {
        let buyer = sought("Knowledge Company", "", "٣١٠٢ 98765400003").expect("a tax id");
        assert_eq!(buyer.text(), "310298765400003");
        assert!(buyer.is(&party("310298765400003")));
        assert!(!buyer.is(&party("310122393500003")), "the same name");
        assert!(!buyer.is(&party("")) && !buyer.is(&wire::Party::default()));
    }

    #[test]
    fn buyer_without_a_tax_id_is_recognized_by_all_words_of_its_name() {
        let buyer = sought(" knowledge  COMPANY", "", "").expect("a name");
        assert_eq!(buyer.text(), " knowledge  COMPANY");
        assert!(buyer.is(&party("310298765400003")));
        let shorter = sought("Knowledge", "", "").expect("a name");
        assert!(!shorter.is(&party("")));
        let arabic = sought("", "شركه المعرفه", "").expect("a name");
        assert_eq!(arabic.text(), "شركه المعرفه");
        assert!(arabic.is(&party("")));
        assert!(sought(" ", "-", ".").is_none(), "it has neither");
    }
}
