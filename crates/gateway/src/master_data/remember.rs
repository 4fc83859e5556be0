//! Remembers what a document was written with: its buyer as a party, a line as an item.

use invoicing_contract::messages::documents::{Invoice, LocalizedText};
use invoicing_contract::messages::items::{Item, RememberItemRequest};
use invoicing_contract::messages::parties::{Party, PartyDefaults, RememberPartyRequest};
use invoicing_http::RequestContext;
use invoicing_storage::master_data::{MasterDataQuery, MasterRecord};
use jiff::civil::Date;

use super::parties::MAX_DUE_DAYS;
use super::record::{MasterMessage, read};
use super::search_text::{folded_identifier, words_of_name};
use super::unit_price::unit_price;
use super::{MasterData, MasterDataError, WriteOptions};
use crate::documents::find_document;
use crate::documents::fold::fold;
use crate::new_identifiers::new_key;

/// Most records that a name is compared with.
const MAX_COMPARED: u32 = 50;

impl MasterData {
    /// Makes the buyer of a document a party, unless there is one, and records its use.
    pub(super) async fn remember_party(
        &self,
        context: &RequestContext,
        request: RememberPartyRequest,
    ) -> Result<Party, MasterDataError> {
        let invoice = self.invoice(context, &request.document_key).await?;
        let details = invoice.buyer.ok_or(MasterDataError::NoBuyer)?;
        let (due_days, days_after_month_end) = due_terms(
            &invoice.issue_date,
            &invoice.due_date,
            request.days_after_month_end,
        );
        let party = Party {
            details: Some(details),
            defaults: Some(PartyDefaults {
                currency: invoice.currency,
                payment_terms: invoice.payment_terms,
                due_days,
                days_after_month_end,
                ..PartyDefaults::default()
            }),
            ..Party::default()
        };
        if fold(&party.name().ar).is_empty() && fold(&party.name().en).is_empty() {
            return Err(MasterDataError::NoBuyer);
        }
        self.remember(context, party).await
    }

    /// Makes a line of a document an item, unless there is one, and records its use.
    pub(super) async fn remember_item(
        &self,
        context: &RequestContext,
        request: RememberItemRequest,
    ) -> Result<Item, MasterDataError> {
        let invoice = self.invoice(context, &request.document_key).await?;
        let mut lines = invoice.lines.into_iter();
        let line = lines
            .find(|line| line.id == request.line_id)
            .ok_or(MasterDataError::NoLine)?;
        // An item without a price is better than one with the price of a hundred.
        let price = unit_price(&line).unwrap_or_default();
        let item = Item {
            name: line.description,
            description: line.item_description,
            code: line.item_code,
            standard_code: line.standard_item_code,
            unit: line.unit,
            price,
            currency: invoice.currency,
            tax: line.tax,
            ..Item::default()
        };
        self.remember(context, item).await
    }

    async fn remember<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        mut message: Message,
    ) -> Result<Message, MasterDataError> {
        let now = self.clock.now();
        if let Some(known) = self.known(context, &message).await? {
            return self.used(context, known).await;
        }
        message.complete(&context.tenant);
        let key = new_key(Message::KEY_FIELD, "", now, &*self.rng)?;
        let added = self.add(context, key, message, WriteOptions::default());
        match added.await {
            // Another request has remembered it meanwhile.
            Err(MasterDataError::IdentifierTaken { kind, key }) => {
                let known = self.store.master_record(context.organization(), kind, key);
                let known = known.await?.ok_or(MasterDataError::NotFound(kind))?;
                self.used(context, known).await
            }
            added => added,
        }
    }

    /// Records the use of a record.
    async fn used<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        mut known: MasterRecord,
    ) -> Result<Message, MasterDataError> {
        let now = self.clock.timestamp();
        let organization = context.organization();
        self.store
            .use_master_record(organization, known.kind, known.key, now)
            .await?;
        known.last_used_at = known.last_used_at.max(now);
        Ok(read(&known)?)
    }

    /// The record with the identifier of `message`, or with its name if it has no identifier.
    async fn known<Message: MasterMessage>(
        &self,
        context: &RequestContext,
        message: &Message,
    ) -> Result<Option<MasterRecord>, MasterDataError> {
        let organization = context.organization();
        if let Some(identifier) = folded_identifier(message.identifier()) {
            let known =
                self.store
                    .master_record_identified(organization, Message::KIND, &identifier);
            return Ok(known.await?);
        }
        let name = message.name();
        let query = MasterDataQuery {
            organization: organization.clone(),
            kind: Message::KIND,
            words: words_of_name(&name),
            archived: None,
            after: None,
            size: MAX_COMPARED,
        };
        for record in self.store.master_records(&query).await? {
            if same_name(&read::<Message>(&record)?.name(), &name) {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// The invoice of a document of the organization.
    pub(super) async fn invoice(
        &self,
        context: &RequestContext,
        document_key: &str,
    ) -> Result<Invoice, MasterDataError> {
        let found = find_document(&*self.store, context.organization(), document_key).await;
        let (_, document) = found.map_err(MasterDataError::Document)?;
        Ok(document
            .content
            .and_then(|content| content.invoice)
            .unwrap_or_default())
    }
}

/// The days that a document grants to pay, from its issue date and from the end of that month. The latter only if the caller has stated
/// them: a due date can be the end of a month by chance.
fn due_terms(issued: &str, due: &str, after_month_end: Option<i32>) -> (i32, Option<i32>) {
    let (issued, due) = (issued.parse::<Date>().ok(), due.parse::<Date>().ok());
    let month_end = issued.map(Date::last_of_month);
    let stated = after_month_end.filter(|days| days_within(month_end, due) == Some(*days));
    (days_within(issued, due).unwrap_or_default(), stated)
}

/// The days from one date to another. `None` without two dates in order, or if they are more than a party may hold.
fn days_within(from: Option<Date>, to: Option<Date>) -> Option<i32> {
    let days = (to? - from?).get_days();
    (0..=MAX_DUE_DAYS).contains(&days).then_some(days)
}

/// Whether two names are the same in each language that both have, and in one at least.
pub(super) fn same_name(one: &LocalizedText, other: &LocalizedText) -> bool {
    let pairs = [(&one.ar, &other.ar), (&one.en, &other.en)];
    let mut both = pairs
        .into_iter()
        .map(|(one, other)| (fold(one), fold(other)))
        .filter(|(one, other)| !one.is_empty() && !other.is_empty())
        .peekable();
    both.peek().is_some() && both.all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_count_from_the_end_of_the_month_only_if_the_caller_says_so_and_the_dates_fit() {
        for (issued, due, stated, remembered) in [
            ("2026-11-22", "2026-11-30", Some(0), (8, Some(0))),
            ("2028-02-03", "2028-03-15", Some(15), (41, Some(15))),
            ("2026-11-22", "2026-11-30", None, (8, None)),
            ("2026-11-22", "2026-11-30", Some(15), (8, None)),
            ("2026-11-22", "2026-11-25", Some(-5), (3, None)),
            ("2026-11-22", "2026-11-01", Some(0), (0, None)),
            ("2026-11-22", "", Some(0), (0, None)),
            ("", "2026-11-30", Some(0), (0, None)),
            ("2026-11-30", "2036-11-28", Some(3_651), (0, None)),
        ] {
            assert_eq!(
                due_terms(issued, due, stated),
                remembered,
                "{issued} to {due}"
            );
        }
    }
}
