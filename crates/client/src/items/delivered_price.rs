//! The price of an item in the document of a buyer that this computer has delivered last: what is known without a connection of a pair that
//! was not asked for before (decision 0193).

use invoicing_contract::messages::documents::Tax;
use invoicing_contract::messages::items as wire;

use super::differences::change_of;
use super::{Items, PRICE, price_name};
use crate::gateway::CallContext;
use crate::read_cache::Cached;
use crate::views::{LineContent, PriceView};

impl Items {
    /// Keeps price and tax of a line that was delivered to a buyer. The service tells those of issued documents alone, so that its
    /// answers are kept beside.
    pub(crate) async fn note_delivered_price(
        &self,
        context: &CallContext,
        item: &wire::Item,
        party: &str,
        line: &LineContent,
        currency: &str,
    ) {
        let PriceView {
            unit_price,
            currency,
            tax_category,
            tax_rate,
            exemption_code,
        } = change_of(item, line, currency).price;
        if unit_price.is_empty() || party.is_empty() {
            return;
        }
        let price = wire::LastPrice {
            price: unit_price,
            currency,
            tax: Some(Tax {
                category: tax_category,
                rate: tax_rate,
                exemption_code,
                ..Tax::default()
            }),
            ..wire::LastPrice::default()
        };
        let (session, organization) = (&context.session, &context.organization);
        let name = delivered_name(&item.item_key, party);
        self.read_cache
            .store_message(session, organization, PRICE, &name, &price)
            .await;
    }

    /// The price that was answered or delivered last.
    pub(super) async fn known_price(
        &self,
        context: &CallContext,
        item: &str,
        party: &str,
    ) -> Option<Cached<wire::LastPrice>> {
        let (session, organization) = (&context.session, &context.organization);
        let mut newest: Option<Cached<wire::LastPrice>> = None;
        // Of the same moment, the answer.
        for name in [delivered_name(item, party), price_name(item, party)] {
            let known =
                self.read_cache
                    .message::<wire::LastPrice>(session, organization, PRICE, &name);
            let known = known.await;
            newest = newest
                .into_iter()
                .chain(known)
                .max_by_key(|price| price.as_of);
        }
        newest
    }
}

/// The name of the cached price of an item in the document that was delivered to a buyer last.
fn delivered_name(item: &str, party: &str) -> String {
    format!("delivered {item} {party}")
}
