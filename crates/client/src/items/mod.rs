//! Remembered items at the service: search, and the last price for a buyer (decision 0123).

mod delivered_price;
mod differences;
mod from_wire;

use std::sync::Arc;

use invoicing_contract::messages::items as wire;
use invoicing_contract::{Code, DocumentKey, FieldMask, Operation, operation};

use crate::cached_read::{Answer, read_or_cached};
use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::invoices::same_number;
use crate::read_cache::{Cached, ReadCache};
use crate::remembered::{HITS, Remembered, RememberedRecord};
use crate::views::{
    CommandError, ItemChange, ItemDifference, ItemPart, ItemView, LineContent, PriceView,
};

use differences::{Differences, change_of};

/// The kind of cached last prices.
const PRICE: &str = "last price";

impl RememberedRecord for wire::Item {
    type Page = wire::ListItemsResponse;
    type Search = wire::ListItemsRequest;
    const KIND: &'static str = "items";
    const KINDS: &'static [&'static str] = &[Self::KIND, PRICE];
    const LIST: &'static Operation = &operation::LIST_ITEMS;
    const REMEMBER: &'static Operation = &operation::REMEMBER_ITEM;

    fn key(&self) -> &str {
        &self.item_key
    }

    fn is_archived(&self) -> bool {
        self.archived
    }

    fn matches(&self, searched: &[String]) -> bool {
        from_wire::matches(self, searched)
    }

    fn search(text: String, page_size: i32) -> Self::Search {
        wire::ListItemsRequest {
            filter: Some(wire::ItemFilter {
                text,
                archived: false,
            }),
            page_size,
            page_token: String::new(),
        }
    }

    fn page(items: Vec<Self>) -> Self::Page {
        wire::ListItemsResponse {
            items,
            next_page_token: String::new(),
        }
    }

    fn items(page: Self::Page) -> Vec<Self> {
        page.items
    }
}

/// The remembered items of the signed-in user's organizations.
pub(crate) struct Items {
    remembered: Remembered<wire::Item>,
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    read_cache: Arc<ReadCache>,
}

impl Items {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        let (of_items, of_clock) = (gateway.clone(), Arc::clone(&clock));
        Self {
            remembered: Remembered::new(of_items, of_clock, Arc::clone(&read_cache)),
            gateway,
            clock,
            read_cache,
        }
    }

    /// The items whose words begin with those of `text`, most recently used first; without a text the most recently used.
    pub(crate) async fn search(
        &self,
        context: &CallContext,
        text: &str,
    ) -> Result<Vec<ItemView>, CommandError> {
        let found = self.remembered.find(context, text).await?;
        Ok(found.into_iter().take(HITS).map(from_wire::item).collect())
    }

    /// Price and tax of an item in the latest document of a buyer, or `None` if it has none.
    pub(crate) async fn last_price(
        &self,
        context: &CallContext,
        item: &str,
        party: &str,
    ) -> Result<Option<PriceView>, CommandError> {
        let (session, organization) = (&context.session, &context.organization);
        let name = price_name(item, party);
        let request = serde_json::json!({ "itemKey": item, "partyKey": party });
        let call = self.gateway.call::<_, wire::LastPrice>(
            context,
            &operation::GET_LAST_PRICE,
            None,
            &request,
        );
        let known = self.known_price(context, item, party);
        match read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            &[PRICE],
            call,
            known,
        )
        .await
        {
            Ok(Answer::Current(price)) => {
                self.read_cache
                    .store_message(session, organization, PRICE, &name, &price)
                    .await;
                Ok(Some(from_wire::last_price(price)))
            }
            Ok(Answer::Cached(Cached { value, .. })) => Ok(Some(from_wire::last_price(value))),
            Err(error) if error.code() == Some(Code::NotFound) => Ok(None),
            Err(error) => {
                let now = self.clock.now();
                Err(error.to_command_error(context, &operation::GET_LAST_PRICE, now))
            }
        }
    }

    /// Makes a line of a document an item, or the most recently used one if it is.
    pub(crate) async fn remember(
        &self,
        context: &CallContext,
        document: &DocumentKey,
        line: &str,
    ) -> Result<wire::Item, GatewayError> {
        let request = wire::RememberItemRequest {
            document_key: document.as_str().to_owned(),
            line_id: line.to_owned(),
        };
        self.remembered.remember(context, &request).await
    }

    /// What a line says otherwise than what is remembered of its item. The price that the buyer had last, as the form has filled it in, is
    /// no other one; nor is an item left otherwise that is not suggested any more.
    pub(crate) async fn difference(
        &self,
        context: &CallContext,
        item: &wire::Item,
        party: &str,
        line: &LineContent,
        currency: &str,
    ) -> Option<ItemDifference> {
        if item.archived {
            return None;
        }
        let mut change = change_of(item, line, currency);
        let mut differences = Differences::of(item, &change);
        if differences.parts.contains(&ItemPart::Price) {
            let (session, organization) = (&context.session, &context.organization);
            let name = price_name(&item.item_key, party);
            let last = self
                .read_cache
                .message::<wire::LastPrice>(session, organization, PRICE, &name)
                .await;
            let is_last = |last: &wire::LastPrice| {
                last.currency == currency && same_number(&last.price, &change.price.unit_price)
            };
            if last.is_some_and(|last| is_last(&last.value)) {
                change.price.unit_price.clear();
                differences = Differences::of(item, &change);
            }
        }
        let Differences { parts, paths } = differences;
        (!paths.is_empty()).then(|| ItemDifference {
            name: differences::name_of(item),
            parts,
            change,
        })
    }

    /// Has that remembered of an item which differs from it, if the user has seen it as it is. What is remembered already is no write, so
    /// that a repeated change succeeds whose answer was lost.
    pub(crate) async fn update(
        &self,
        context: &CallContext,
        change: &ItemChange,
    ) -> Result<ItemView, CommandError> {
        let get = wire::GetItemRequest {
            item_key: change.key.clone(),
        };
        let item = self.remembered.one(context, &operation::GET_ITEM, &get);
        let item = item.await?;
        let differences = Differences::of(&item, change);
        if differences.paths.is_empty() {
            return Ok(from_wire::item(item));
        }
        let request = wire::UpdateItemRequest {
            item_key: change.key.clone(),
            concurrency_stamp: change.stamp.clone(),
            item: Some(differences::to_wire(change)),
            update_mask: Some(FieldMask::of(differences.paths)),
            ..wire::UpdateItemRequest::default()
        };
        let updated = self
            .remembered
            .one(context, &operation::UPDATE_ITEM, &request)
            .await?;
        Ok(from_wire::item(updated))
    }

    /// Takes an item out of the suggestions, or back among them.
    pub(crate) async fn set_archived(
        &self,
        context: &CallContext,
        key: String,
        stamp: String,
        archived: bool,
    ) -> Result<ItemView, CommandError> {
        let changed = if archived {
            let request = wire::ArchiveItemRequest {
                item_key: key,
                concurrency_stamp: stamp,
            };
            let operation = &operation::ARCHIVE_ITEM;
            self.remembered.one(context, operation, &request).await?
        } else {
            let request = wire::RestoreItemRequest {
                item_key: key,
                concurrency_stamp: stamp,
            };
            let operation = &operation::RESTORE_ITEM;
            self.remembered.one(context, operation, &request).await?
        };
        Ok(from_wire::item(changed))
    }
}

/// The name of the cached last price of an item for a buyer.
fn price_name(item: &str, party: &str) -> String {
    format!("{item} {party}")
}
