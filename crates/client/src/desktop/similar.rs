//! Documents that a new one may repeat: what a window is told of before it sends, and what the outbox asks before it does (decision 0193).

use std::sync::Arc;

use invoicing_contract::DocumentKey;

use super::drafts::{check_key, draft_owner};
use super::sender::{Sender, needs_session};
use super::{CommandResult, Desktop, WindowKey};
use crate::drafts::{AfterSending, DraftOwner, SendingDraft};
use crate::gateway::{CallContext, background_delay};
use crate::invoices::Sale;
use crate::organizations::ChangedData;
use crate::session::ActiveSession;
use crate::views::{
    CommandError, Draft, InvoiceContent, InvoiceView, SimilarDocument, SimilarDocuments,
    WindowBinding,
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
    pub async fn similar_documents(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        content: InvoiceContent,
    ) -> CommandResult<SimilarDocuments> {
        let context = self.aid_context(window, &binding, "similar_documents")?;
        check_key(&key)?;
        let (today, seller) = (self.today_of(&context), self.country_of(&context));
        let Some(sale) = Sale::of(&content, today, seller) else {
            return Ok(SimilarDocuments::default());
        };
        let found = self
            .invoices
            .similar(&context, &sale, std::slice::from_ref(&key));
        let (documents, offline) = Box::pin(found).await?;
        let is_listed = |draft: &Draft| documents.iter().any(|row| row.key == draft.key);
        let gross_of = |draft: &Draft| {
            if draft.key == key || draft.changes.is_some() || is_listed(draft) {
                return None;
            }
            let other = Sale::of(&draft.content, today, seller)?;
            sale.is_repeated_by(&other).then_some(other.gross)
        };
        let waiting = if context.session.is_impersonated() {
            Ok(Vec::new())
        } else {
            let owner = draft_owner(&context);
            self.drafts.handed_over(&owner, gross_of).await
        };
        if let Err(error) = &waiting {
            tracing::info!(?error, "drafts that wait are not compared");
        }
        Ok(SimilarDocuments {
            documents,
            waiting: waiting.unwrap_or_default(),
            offline,
        })
    }

    pub async fn accept_similar(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        documents: Vec<DocumentKey>,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "accept_similar", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
        check_key(&key)?;
        let owner = draft_owner(&context);
        self.open_drafts.check(window, &owner, &key)?;
        if self.drafts.accept_similar(&owner, &key, documents).await? {
            self.run_outbox(owner.organization);
        }
        Ok(())
    }
}

impl Desktop {
    /// Sends a draft of the outbox. `None`: the service has documents that it may repeat, and nobody has seen them. It stays, and names
    /// them.
    pub(super) async fn deliver(
        &self,
        session: &Arc<ActiveSession>,
        owner: &DraftOwner,
        sending: SendingDraft,
    ) -> CommandResult<Option<InvoiceView>> {
        let unseen = Box::pin(self.unseen_similar(session, owner, &sending)).await;
        match unseen {
            Ok(unseen) if unseen.is_empty() => {
                let (session, organization) = (Arc::clone(session), owner.organization.clone());
                // On the heap: the futures of a call are large.
                let sent = self.submit(session, organization, sending, Sender::Outbox);
                Box::pin(sent).await.map(Some)
            }
            Ok(unseen) => {
                if let Err(error) = self.drafts.keep_similar(sending, unseen).await {
                    tracing::warn!(?error, "why a draft was not sent is not saved");
                }
                Ok(None)
            }
            Err(error) => {
                let state = sending.draft.state;
                self.finish(sending, AfterSending::Kept(state)).await;
                Err(error)
            }
        }
    }

    /// The documents that a draft may repeat and nobody has seen. Fails if the service cannot be asked now.
    async fn unseen_similar(
        &self,
        session: &Arc<ActiveSession>,
        owner: &DraftOwner,
        sending: &SendingDraft,
    ) -> CommandResult<Vec<SimilarDocument>> {
        let draft = &sending.draft;
        let context = CallContext {
            session: Arc::clone(session),
            organization: owner.organization.clone(),
            command: "similar_documents",
            write: false,
            retries: false,
        };
        let (today, seller) = (self.today_of(&context), self.country_of(&context));
        let sale = match &draft.changes {
            // The person has changed a document, and knows that it is there.
            Some(_) => None,
            None => Sale::of(&draft.content, today, seller),
        };
        let Some(sale) = sale else {
            return Ok(Vec::new());
        };
        let mut known = sending.accepted.clone();
        known.push(draft.key.clone());
        match self.invoices.similar_now(&context, &sale, &known).await {
            Ok(rows) => Ok(rows
                .into_iter()
                .map(|row| SimilarDocument {
                    key: row.key,
                    number: row.number,
                })
                .collect()),
            Err(error) if needs_session(&error) || is_temporary(&error) => Err(error),
            // It is an aid: who may not read the list, or whose list the service fails at, is not kept from sending.
            Err(error) => {
                tracing::info!(?error, "a draft is sent without a look for a repeated one");
                Ok(Vec::new())
            }
        }
    }
}

/// Whether the service can be asked later.
fn is_temporary(error: &CommandError) -> bool {
    background_delay(error, 0).is_some() && !matches!(error, CommandError::Internal { .. })
}
