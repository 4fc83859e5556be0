//! Remembered items at the service: search, and the last price for a buyer (decision 0123).

mod from_wire;

use std::sync::Arc;

use invoicing_contract::fold::words;
use invoicing_contract::messages::items as wire;
use invoicing_contract::{Code, DocumentKey, operation};

use crate::cached_read::{Answer, read_or_cached};
use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::read_cache::{Cached, ReadCache};
use crate::views::{CommandError, ItemView, PriceView};

/// The kind of the cached items, and the name under which they are.
const KNOWN: &str = "items";
/// The kind of cached last prices.
const PRICE: &str = "last price";
/// How many items a search returns.
const HITS: usize = 12;
/// How many items the start of a form reads, to have them without a connection.
const RECENT: i32 = 200;
/// How many items are cached. The least recently used are left out.
const MAX_KNOWN: usize = 1_000;

/// The remembered items of the signed-in user's organizations.
pub(crate) struct Items {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    read_cache: Arc<ReadCache>,
}

impl Items {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        Self {
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
        let searched = words(text);
        let request = wire::ListItemsRequest {
            filter: Some(wire::ItemFilter {
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
        let call = self.gateway.call::<_, wire::ListItemsResponse>(
            context,
            &operation::LIST_ITEMS,
            None,
            &request,
        );
        let found = match read_or_cached(
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
                page.items
            }
            Ok(Answer::Cached(Cached { value, .. })) => value
                .items
                .into_iter()
                .filter(|item| from_wire::matches(item, &searched))
                .collect(),
            Err(error) => {
                return Err(error.to_command_error(
                    context,
                    &operation::LIST_ITEMS,
                    self.clock.now(),
                ));
            }
        };
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
        match read_or_cached(&self.read_cache, self.clock.as_ref(), context, call, cached).await {
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
        let item: wire::Item = self
            .gateway
            .call(context, &operation::REMEMBER_ITEM, None, &request)
            .await?;
        self.cache(context, vec![item]).await;
        Ok(())
    }

    async fn cached(&self, context: &CallContext) -> Option<Cached<wire::ListItemsResponse>> {
        self.read_cache
            .message(&context.session, &context.organization, KNOWN, "")
            .await
    }

    /// Puts items that the service has answered with before those that are cached.
    async fn cache(&self, context: &CallContext, found: Vec<wire::Item>) {
        let known = self.cached(context).await;
        let known = known.map(|known| known.value.items).unwrap_or_default();
        if found.iter().all(|item| known.contains(item)) {
            return;
        }
        let mut items = found;
        for item in known {
            if items.len() < MAX_KNOWN && items.iter().all(|other| other.item_key != item.item_key)
            {
                items.push(item);
            }
        }
        let message = wire::ListItemsResponse {
            items,
            next_page_token: String::new(),
        };
        self.read_cache
            .store_message(&context.session, &context.organization, KNOWN, "", &message)
            .await;
    }
}
