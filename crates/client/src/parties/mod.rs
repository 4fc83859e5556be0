//! Remembered buyers at the service: search, and which of them a buyer is (decision 0123).

mod from_wire;

use std::sync::Arc;

use invoicing_contract::fold::{folded_identifier, words};
use invoicing_contract::messages::parties as wire;
use invoicing_contract::{DocumentKey, operation};

use crate::cached_read::{Answer, read_or_cached};
use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::invoices::buyer_of;
use crate::read_cache::{Cached, ReadCache};
use crate::views::{BuyerContent, CommandError, PartyView};

/// The kind of the cached parties, and the name under which they are.
const KNOWN: &str = "parties";
/// How many parties a search returns.
const HITS: usize = 12;
/// How many parties the start of a form reads, to have them without a connection.
const RECENT: i32 = 200;
/// How many parties are cached. The least recently used are left out.
const MAX_KNOWN: usize = 1_000;

/// The remembered parties of the signed-in user's organizations.
pub(crate) struct Parties {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    read_cache: Arc<ReadCache>,
}

impl Parties {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        Self {
            gateway,
            clock,
            read_cache,
        }
    }

    /// The parties whose words begin with those of `text`, most recently used first; without a text the most recently used.
    pub(crate) async fn search(
        &self,
        context: &CallContext,
        text: &str,
    ) -> Result<Vec<PartyView>, CommandError> {
        let found = self.find(context, text).await?;
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
        let found = self.find(context, text).await?;
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
        let party: wire::Party = self
            .gateway
            .call(context, &operation::REMEMBER_PARTY, None, &request)
            .await?;
        self.cache(context, vec![party]).await;
        Ok(())
    }

    async fn find(
        &self,
        context: &CallContext,
        text: &str,
    ) -> Result<Vec<wire::Party>, CommandError> {
        let searched = words(text);
        let request = wire::ListPartiesRequest {
            filter: Some(wire::PartyFilter {
                text: text.trim().to_owned(),
                archived: false,
            }),
            page_size: if searched.is_empty() {
                RECENT
            } else {
                i32::try_from(HITS).unwrap_or(i32::MAX)
            },
            page_token: String::new(),
        };
        let call = self.gateway.call::<_, wire::ListPartiesResponse>(
            context,
            &operation::LIST_PARTIES,
            None,
            &request,
        );
        match read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            call,
            self.cached(context),
        )
        .await
        {
            Ok(Answer::Current(page)) => {
                self.cache(context, page.items.clone()).await;
                Ok(page.items)
            }
            Ok(Answer::Cached(Cached { value, .. })) => Ok(value
                .items
                .into_iter()
                .filter(|party| from_wire::matches(party, &searched))
                .collect()),
            Err(error) => {
                Err(error.to_command_error(context, &operation::LIST_PARTIES, self.clock.now()))
            }
        }
    }

    async fn cached(&self, context: &CallContext) -> Option<Cached<wire::ListPartiesResponse>> {
        self.read_cache
            .message(&context.session, &context.organization, KNOWN, "")
            .await
    }

    /// Puts parties that the service has answered with before those that are cached.
    async fn cache(&self, context: &CallContext, found: Vec<wire::Party>) {
        let known = self.cached(context).await;
        let known = known.map(|known| known.value.items).unwrap_or_default();
        if found.iter().all(|party| known.contains(party)) {
            return;
        }
        let mut items = found;
        for party in known {
            if items.len() < MAX_KNOWN
                && items.iter().all(|other| other.party_key != party.party_key)
            {
                items.push(party);
            }
        }
        let message = wire::ListPartiesResponse {
            items,
            next_page_token: String::new(),
        };
        self.read_cache
            .store_message(&context.session, &context.organization, KNOWN, "", &message)
            .await;
    }
}

/// Whether two names have the same words, and some.
fn same_name(one: &str, other: &str) -> bool {
    let one = words(one);
    !one.is_empty() && one == words(other)
}
