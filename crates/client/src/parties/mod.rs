//! Remembered buyers at the service: search, and which of them a buyer is (decision 0123).

mod from_wire;
mod known_elsewhere;
mod sought_buyer;

use std::sync::Arc;

use invoicing_contract::messages::parties as wire;
use invoicing_contract::{DocumentKey, Operation, operation};

use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::read_cache::ReadCache;
use crate::remembered::{HITS, Remembered, RememberedRecord};
use crate::views::{BuyerContent, CommandError, PartyView};

use sought_buyer::SoughtBuyer;

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
        let Some(sought) = SoughtBuyer::of(buyer) else {
            return Ok(None);
        };
        let found = self.remembered.find(context, sought.text()).await?;
        let known = found.into_iter().find(|party| sought.is(party));
        Ok(known.map(from_wire::party))
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
