//! Commands about remembered buyers and items, and what a new document begins with.

use invoicing_contract::DocumentKey;
use invoicing_contract::fold::folded_identifier;

use super::drafts::check_key;
use super::{CommandResult, Desktop, WindowKey};
use crate::gateway::CallContext;
use crate::invoices::document_defaults;
use crate::organizations::ChangedData;
use crate::views::{
    BuyerContent, BuyerDoubt, DocumentDefaults, DueTerms, ItemChange, ItemView, PartyChange,
    PartyView, PriceView, RememberedDifferences, WindowBinding,
};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn search_parties(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        text: String,
    ) -> CommandResult<Vec<PartyView>> {
        let context = self.aid_context(window, &binding, "search_parties")?;
        self.parties.search(&context, &text).await
    }

    pub async fn known_party(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        buyer: BuyerContent,
    ) -> CommandResult<Option<PartyView>> {
        let context = self.aid_context(window, &binding, "known_party")?;
        self.parties.known(&context, &buyer).await
    }

    pub async fn buyer_doubt(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        buyer: BuyerContent,
    ) -> CommandResult<Option<BuyerDoubt>> {
        let context = self.aid_context(window, &binding, "buyer_doubt")?;
        // First: it is certain, and needs no look into the buyers of all organizations.
        if self.has_own_tax_id(&context, &buyer).await {
            return Ok(Some(BuyerDoubt::OwnTaxId));
        }
        let organization = self.parties.known_elsewhere(&context, &buyer).await;
        Ok(organization.map(|organization| BuyerDoubt::KnownElsewhere { organization }))
    }

    pub async fn search_items(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        text: String,
    ) -> CommandResult<Vec<ItemView>> {
        let context = self.aid_context(window, &binding, "search_items")?;
        self.items.search(&context, &text).await
    }

    pub async fn last_price(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        item: String,
        party: String,
    ) -> CommandResult<Option<PriceView>> {
        let context = self.aid_context(window, &binding, "last_price")?;
        self.items.last_price(&context, &item, &party).await
    }

    pub async fn remember_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        due_terms: Option<DueTerms>,
    ) -> CommandResult<RememberedDifferences> {
        // What is not remembered now is remembered with the next document.
        let context = self.memory_context(window, &binding, "remember_document")?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::MasterData);
        check_key(&key)?;
        Box::pin(self.remember(&context, &key, due_terms)).await
    }

    pub async fn update_party(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        change: PartyChange,
    ) -> CommandResult<PartyView> {
        let context = self.memory_context(window, &binding, "update_party")?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::MasterData);
        self.parties.update(&context, &change).await
    }

    pub async fn update_item(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        change: ItemChange,
    ) -> CommandResult<ItemView> {
        let context = self.memory_context(window, &binding, "update_item")?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::MasterData);
        self.items.update(&context, &change).await
    }

    pub async fn set_party_archived(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        party: String,
        stamp: String,
        archived: bool,
    ) -> CommandResult<PartyView> {
        let context = self.memory_context(window, &binding, "set_party_archived")?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::MasterData);
        self.parties
            .set_archived(&context, party, stamp, archived)
            .await
    }

    pub async fn set_item_archived(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        item: String,
        stamp: String,
        archived: bool,
    ) -> CommandResult<ItemView> {
        let context = self.memory_context(window, &binding, "set_item_archived")?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::MasterData);
        self.items
            .set_archived(&context, item, stamp, archived)
            .await
    }

    pub async fn document_defaults(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<DocumentDefaults> {
        let context = self.aid_context(window, &binding, "document_defaults")?;
        let record = self.read_record(&context).await.unwrap_or_default();
        Ok(document_defaults(record.country, record.currency))
    }

    pub async fn seller_tax_id(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<String> {
        let context = self.aid_context(window, &binding, "seller_tax_id")?;
        let seller = self.invoices.known_seller(&context).await;
        Ok(seller.map(|seller| seller.tax_id).unwrap_or_default())
    }
}

impl Desktop {
    /// The context of a read that only helps to type: without an answer now nothing is missing, so that nothing is retried.
    pub(super) fn aid_context(
        &self,
        window: &WindowKey,
        binding: &WindowBinding,
        command: &'static str,
    ) -> CommandResult<CallContext> {
        Ok(CallContext {
            retries: false,
            ..self.call_context(window, binding, command, false)?
        })
    }

    /// The context of a write to what is remembered, which is not retried by itself: nobody waits for it, and a repeated one would find
    /// another stamp.
    fn memory_context(
        &self,
        window: &WindowKey,
        binding: &WindowBinding,
        command: &'static str,
    ) -> CommandResult<CallContext> {
        Ok(CallContext {
            retries: false,
            ..self.call_context(window, binding, command, true)?
        })
    }

    /// Whether a buyer has the tax id of the organization itself.
    async fn has_own_tax_id(&self, context: &CallContext, buyer: &BuyerContent) -> bool {
        let Some(tax_id) = folded_identifier(&buyer.tax_id) else {
            return false;
        };
        let own = self.invoices.known_seller(context).await;
        own.is_some_and(|own| folded_identifier(&own.tax_id) == Some(tax_id))
    }
}
