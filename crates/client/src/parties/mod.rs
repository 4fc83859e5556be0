//! Remembered buyers at the service: search, and which of them a buyer is (decision 0123).

mod from_wire;

use std::sync::Arc;

use invoicing_contract::fold::{folded_identifier, words};
use invoicing_contract::messages::parties as wire;
use invoicing_contract::{DocumentKey, Operation, operation};

use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::invoices::buyer_of;
use crate::read_cache::ReadCache;
use crate::remembered::{HITS, Remembered, RememberedRecord};
use crate::views::{BuyerContent, CommandError, PartyView};

impl RememberedRecord for wire::Party {
    type Page = wire::ListPartiesResponse;
    type Search = wire::ListPartiesRequest;
    const KIND: &'static str = "parties";
    const KINDS: &'static [&'static str] = &[Self::KIND];
    const LIST: &'static Operation = &operation::LIST_PARTIES;
    const REMEMBER: &'static Operation = &operation::REMEMBER_PARTY;

    fn key(&self) -> &str {
        &self.party_key
    }

    fn matches(&self, searched: &[String]) -> bool {
        from_wire::matches(self, searched)
    }

    fn search(text: String, page_size: i32) -> Self::Search {
        wire::ListPartiesRequest {
            filter: Some(wire::PartyFilter {
                text,
                archived: false,
            }),
            page_size,
            page_token: String::new(),
        }
    }

    fn page(items: Vec<Self>) -> Self::Page {
        wire::ListPartiesResponse {
            items,
            next_page_token: String::new(),
        }
    }

    fn items(page: Self::Page) -> Vec<Self> {
        page.items
    }
}

/// The remembered parties of the signed-in user's organizations.
pub(crate) struct Parties {
    remembered: Remembered<wire::Party>,
}

impl Parties {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        Self {
            remembered: Remembered::new(gateway, clock, read_cache),
        }
    }

    /// The parties whose words begin with those of `text`, most recently used first; without a text the most recently used.
    pub(crate) async fn search(
        &self,
        context: &CallContext,
        text: &str,
    ) -> Result<Vec<PartyView>, CommandError> {
        let found = self.remembered.find(context, text).await?;
        Ok(found.into_iter().take(HITS).map(from_wire::party).collect())
    }

    /// The party with the tax id of a buyer, or with its name if it has none.
    pub(crate) async fn known(
        &self,
        context: &CallContext,
        buyer: &BuyerContent,
    ) -> Result<Option<PartyView>, CommandError> {
        let tax_id = folded_identifier(&buyer.tax_id);
        let name = [&buyer.name.en, &buyer.name.ar]
            .into_iter()
            .find(|name| !words(name).is_empty());
        let (Some(text), by_tax_id) = (tax_id.as_ref().or(name), tax_id.is_some()) else {
            return Ok(None);
        };
        let found = self.remembered.find(context, text).await?;
        let is_same = |party: &wire::Party| {
            let other = buyer_of(party.details.clone().unwrap_or_default());
            if by_tax_id {
                folded_identifier(&other.tax_id) == tax_id
            } else {
                same_name(&buyer.name.en, &other.name.en)
                    || same_name(&buyer.name.ar, &other.name.ar)
            }
        };
        Ok(found.into_iter().find(is_same).map(from_wire::party))
    }

    /// Makes the buyer of a document a party, or the most recently used one if it is.
    pub(crate) async fn remember(
        &self,
        context: &CallContext,
        document: &DocumentKey,
    ) -> Result<(), GatewayError> {
        let request = wire::RememberPartyRequest {
            document_key: document.as_str().to_owned(),
        };
        self.remembered.remember(context, &request).await
    }
}

/// Whether two names have the same words, and some.
fn same_name(one: &str, other: &str) -> bool {
    let one = words(one);
    !one.is_empty() && one == words(other)
}
