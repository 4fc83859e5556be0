//! Remembered items at the service: search, and the last price for a buyer (decision 0123).

mod from_wire;

use std::sync::Arc;

use invoicing_contract::messages::items as wire;
use invoicing_contract::{Code, DocumentKey, Operation, operation};

use crate::cached_read::{Answer, read_or_cached};
use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::read_cache::{Cached, ReadCache};
use crate::remembered::{HITS, Remembered, RememberedRecord};
use crate::views::{CommandError, ItemView, PriceView};

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
        let name = format!("{item} {party}");
        let request = serde_json::json!({ "itemKey": item, "partyKey": party });
        let call = self.gateway.call::<_, wire::LastPrice>(
            context,
            &operation::GET_LAST_PRICE,
            None,
            &request,
        );
        let cached =
            self.read_cache
                .message::<wire::LastPrice>(session, organization, PRICE, &name);
        match read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            &[PRICE],
            call,
            cached,
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
    ) -> Result<(), GatewayError> {
        let request = wire::RememberItemRequest {
            document_key: document.as_str().to_owned(),
            line_id: line.to_owned(),
        };
        self.remembered.remember(context, &request).await
    }
}
