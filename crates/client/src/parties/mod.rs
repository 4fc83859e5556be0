//! Remembered buyers at the service: search, and which of them a buyer is (decision 0123).

mod differences;
mod from_wire;
mod known_elsewhere;
mod sought_buyer;

use std::sync::Arc;

use invoicing_contract::messages::parties as wire;
use invoicing_contract::{DocumentKey, FieldMask, Operation, operation};

use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::read_cache::ReadCache;
use crate::remembered::{HITS, Remembered, RememberedRecord};
use crate::views::{BuyerContent, CommandError, DueTerms, PartyChange, PartyDifference, PartyView};

use differences::Differences;
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

    fn is_archived(&self) -> bool {
        self.archived
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

    /// Makes the buyer of a document a party, or the most recently used one if it is. `due_terms` have given the due date of the
    /// document.
    pub(crate) async fn remember(
        &self,
        context: &CallContext,
        document: &DocumentKey,
        due_terms: Option<DueTerms>,
    ) -> Result<wire::Party, GatewayError> {
        let from_month_end = due_terms.filter(|terms| terms.end_of_month);
        let request = wire::RememberPartyRequest {
            document_key: document.as_str().to_owned(),
            days_after_month_end: from_month_end.and_then(|terms| i32::try_from(terms.days).ok()),
        };
        self.remembered.remember(context, &request).await
    }

    /// Has that remembered of a party which differs from it, if the user has seen it as it is. What is remembered already is no write, so
    /// that a repeated change succeeds whose answer was lost.
    pub(crate) async fn update(
        &self,
        context: &CallContext,
        change: &PartyChange,
    ) -> Result<PartyView, CommandError> {
        let get = wire::GetPartyRequest {
            party_key: change.key.clone(),
        };
        let party = self.remembered.one(context, &operation::GET_PARTY, &get);
        let party = party.await?;
        let differences = Differences::of(&party, change);
        if differences.paths.is_empty() {
            return Ok(from_wire::party(party));
        }
        let request = wire::UpdatePartyRequest {
            party_key: change.key.clone(),
            concurrency_stamp: change.stamp.clone(),
            party: Some(differences::to_wire(change)),
            // Two branches of one company, which share it already.
            allow_shared_tax_id: party.shares_tax_id,
            update_mask: Some(FieldMask::of(differences.paths)),
            ..wire::UpdatePartyRequest::default()
        };
        let updated = self
            .remembered
            .one(context, &operation::UPDATE_PARTY, &request)
            .await?;
        Ok(from_wire::party(updated))
    }

    /// Takes a party out of the suggestions, or back among them.
    pub(crate) async fn set_archived(
        &self,
        context: &CallContext,
        key: String,
        stamp: String,
        archived: bool,
    ) -> Result<PartyView, CommandError> {
        let changed = if archived {
            let request = wire::ArchivePartyRequest {
                party_key: key,
                concurrency_stamp: stamp,
            };
            let operation = &operation::ARCHIVE_PARTY;
            self.remembered.one(context, operation, &request).await?
        } else {
            let request = wire::RestorePartyRequest {
                party_key: key,
                concurrency_stamp: stamp,
            };
            let operation = &operation::RESTORE_PARTY;
            self.remembered.one(context, operation, &request).await?
        };
        Ok(from_wire::party(changed))
    }
}

/// What a change says otherwise than what is remembered of a party. One that is not suggested any more is left as it is.
pub(crate) fn difference(party: &wire::Party, change: PartyChange) -> Option<PartyDifference> {
    let Differences { parts, paths } = Differences::of(party, &change);
    if party.archived || paths.is_empty() {
        return None;
    }
    Some(PartyDifference {
        name: from_wire::party(party.clone()).buyer.name,
        parts,
        change,
    })
}
