//! Commands about drafts.

use uuid::Uuid;

use super::invoices::owner;
use super::{Desktop, WindowKey};
use crate::invoices::calculate;
use crate::views::{
    CommandError, Draft, DraftState, DraftSummary, InvoiceContent, InvoiceView, Place,
};

type Outcome<T> = Result<T, CommandError>;

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn drafts(&self, window: &WindowKey, at: Place) -> Outcome<Vec<DraftSummary>> {
        let caller = self.caller(window, &at, "drafts", false)?;
        let today = self.clock.today();
        let gross = |draft: &Draft| {
            // Sums are the same wherever the seller is.
            calculate(&draft.content, today, None)
                .totals
                .map(|totals| totals.gross)
        };
        self.drafts.list(&owner(&caller), gross).await
    }

    pub async fn new_draft(
        &self,
        window: &WindowKey,
        at: Place,
        content: Option<InvoiceContent>,
    ) -> Outcome<Draft> {
        let caller = self.caller(window, &at, "new_draft", true)?;
        let today = self.clock.today().to_string();
        let content = content.unwrap_or_else(|| InvoiceContent {
            issue_date: today,
            ..InvoiceContent::default()
        });
        let draft = Draft {
            key: Uuid::now_v7().to_string(),
            changes: None,
            content,
            state: DraftState::Editing,
        };
        self.drafts.save(&owner(&caller), draft.clone()).await?;
        Ok(draft)
    }

    pub async fn open_draft(&self, window: &WindowKey, at: Place, key: String) -> Outcome<Draft> {
        let caller = self.caller(window, &at, "open_draft", false)?;
        check_key(&key)?;
        let owner = owner(&caller);
        let draft = self.drafts.get(&owner, &key).await?;
        let draft = draft.ok_or(CommandError::DraftNotFound)?;
        match draft.state {
            DraftState::Editing | DraftState::UnknownOutcome => Ok(draft),
            // In somebody's hands again: it is not sent from under them.
            state @ (DraftState::Waiting | DraftState::Refused) => {
                let state = still(state);
                self.drafts.mark(&owner, &key, state).await?;
                Ok(Draft { state, ..draft })
            }
        }
    }

    pub async fn save_draft(&self, window: &WindowKey, at: Place, draft: Draft) -> Outcome<()> {
        let caller = self.caller(window, &at, "save_draft", true)?;
        check_key(&draft.key)?;
        let owner = owner(&caller);
        // What became of it is for the core to say: a form that saves once more does not know that an answer was lost.
        let before = self.drafts.get(&owner, &draft.key).await?;
        let state = before.map_or(DraftState::Editing, |before| still(before.state));
        self.drafts.save(&owner, Draft { state, ..draft }).await
    }

    pub async fn discard_draft(&self, window: &WindowKey, at: Place, key: String) -> Outcome<()> {
        let caller = self.caller(window, &at, "discard_draft", true)?;
        check_key(&key)?;
        self.drafts.discard(&owner(&caller), &key).await
    }

    pub async fn check_outcome(
        &self,
        window: &WindowKey,
        at: Place,
        key: String,
    ) -> Outcome<Option<InvoiceView>> {
        let caller = self.caller(window, &at, "check_outcome", false)?;
        check_key(&key)?;
        let found = self.invoices.check(&caller, &key).await?;
        match &found {
            // A new document that is there has arrived. Whether a change of one has, its author has to see.
            Some(_) if self.is_new(&caller, &key).await? => {
                self.drafts.discard(&owner(&caller), &key).await?
            }
            Some(_) | None => {
                self.drafts
                    .mark(&owner(&caller), &key, DraftState::Editing)
                    .await?
            }
        }
        Ok(found)
    }

    async fn is_new(&self, caller: &crate::gateway::Caller, key: &str) -> Outcome<bool> {
        Ok(self
            .drafts
            .get(&owner(caller), key)
            .await?
            .is_some_and(|draft| draft.changes.is_none()))
    }
}

/// What a draft is that is typed at: whether an earlier answer was lost is not forgotten by that.
const fn still(state: DraftState) -> DraftState {
    match state {
        DraftState::Editing | DraftState::Waiting | DraftState::Refused => DraftState::Editing,
        DraftState::UnknownOutcome => DraftState::UnknownOutcome,
    }
}

/// A document key that the core made is a UUID, and nothing else names a file.
pub(super) fn check_key(key: &str) -> Outcome<()> {
    match Uuid::try_parse(key) {
        Ok(_) => Ok(()),
        Err(_) => Err(CommandError::BadCall {
            reason: "key is not a UUID".to_owned(),
        }),
    }
}
