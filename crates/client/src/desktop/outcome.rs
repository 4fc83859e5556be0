//! Finds out what has become of a draft whose response was lost: when somebody asks, in the outbox, and before the draft is discarded or
//! moved (decision 0187).

use std::sync::Arc;

use invoicing_contract::DocumentKey;

use super::drafts::draft_owner;
use super::sender::{Sender, needs_session};
use super::{CommandResult, Desktop};
use crate::drafts::{DraftOwner, HeldDraft};
use crate::gateway::{CallContext, background_delay};
use crate::invoices;
use crate::organizations::ChangedData;
use crate::session::ActiveSession;
use crate::views::{CommandError, Draft, DraftState, InvoiceView, Support};

/// What the service says about a draft.
pub(super) enum Outcome {
    /// It has what the draft would send. The draft is deleted.
    Arrived(Box<InvoiceView>),
    /// It has the document of the draft, with another content. The draft stays.
    Differs(Box<InvoiceView>),
    /// It has nothing of it. The draft stays.
    NotArrived,
}

impl Outcome {
    /// The document, if the service has it.
    pub(super) fn document(self) -> Option<InvoiceView> {
        match self {
            Self::Arrived(view) | Self::Differs(view) => Some(*view),
            Self::NotArrived => None,
        }
    }
}

impl Desktop {
    /// Asks the service for the document of a draft, and deletes the draft if it has arrived. What was typed since, or did not arrive,
    /// stays for its author, or in the outbox. It is not sent meanwhile.
    pub(super) async fn resolve_outcome(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        asking: Sender,
    ) -> CommandResult<Outcome> {
        let owner = draft_owner(context);
        let held = self.drafts.hold(&owner, key).await?;
        Box::pin(self.resolve_held(context, &owner, key, &held, asking)).await
    }

    async fn resolve_held(
        &self,
        context: &CallContext,
        owner: &DraftOwner,
        key: &DocumentKey,
        held: &HeldDraft,
        asking: Sender,
    ) -> CommandResult<Outcome> {
        let found = self.invoices.find_document(context, key).await?;
        // A form may have saved it while the service was asked.
        let draft = self.drafts.get(owner, key).await?;
        let outcome = match (found, draft) {
            (Some(view), Some(draft)) if has_arrived(&draft, &view) => {
                let discarded = self.drafts.discard_arrived(owner, &draft).await;
                if let Err(error) = &discarded {
                    tracing::warn!(?error, "a draft that has arrived was not removed");
                }
                return Ok(Outcome::Arrived(Box::new(InvoiceView {
                    draft_left: discarded.is_err(),
                    ..view
                })));
            }
            (Some(view), None) => Outcome::Arrived(Box::new(view)),
            (Some(view), Some(draft)) if draft.changes.is_none() => {
                Outcome::Differs(Box::new(view))
            }
            // A document that was to be changed was there before: that it is found says nothing about the change.
            (Some(_), Some(_)) | (None, _) => Outcome::NotArrived,
        };
        let is_outbox = asking == Sender::Outbox;
        // The outbox tells nobody of the document. Whoever opens the draft, discards it or moves it is told.
        if !is_outbox || !matches!(outcome, Outcome::Differs(_)) {
            self.drafts.end_doubt(owner, held, is_outbox).await?;
        }
        Ok(outcome)
    }

    /// Resolves the drafts in doubt for the outbox. One whose document cannot be read keeps no other draft from being sent.
    pub(super) async fn check_outcomes(
        &self,
        session: &Arc<ActiveSession>,
        owner: &DraftOwner,
    ) -> CommandResult<()> {
        let context = CallContext {
            session: Arc::clone(session),
            organization: owner.organization.clone(),
            command: "check_outcome",
            write: false,
            retries: false,
        };
        let mut failed = Ok(());
        for state in [DraftState::UnknownOutcome, DraftState::WaitingInDoubt] {
            let in_doubt = self.drafts.keys_in(owner, state).await;
            for key in in_doubt.unwrap_or_default() {
                match Box::pin(self.resolve_outcome(&context, &key, Sender::Outbox)).await {
                    Ok(Outcome::Differs(_)) => {}
                    // It is sent next, unless somebody has opened it.
                    Ok(Outcome::NotArrived) if state == DraftState::WaitingInDoubt => {
                        self.note_change(None, &owner.organization, ChangedData::Drafts);
                    }
                    Ok(Outcome::Arrived(_) | Outcome::NotArrived) => {
                        self.count_delivery(&owner.organization);
                    }
                    // It can be this document alone that the service fails at.
                    Err(error @ CommandError::Internal { .. }) => failed = Err(error),
                    Err(error)
                        if needs_session(&error) || background_delay(&error, 0).is_some() =>
                    {
                        return Err(error);
                    }
                    // The service has refused to show it. It stays for its author.
                    Err(error) => tracing::warn!(?error, "the outcome of a draft was not checked"),
                }
            }
        }
        failed
    }

    /// Holds a draft that the service does not have, to delete it. One in doubt is asked for first.
    ///
    /// # Errors
    /// The service has it (`AlreadyExists`, with the document), or that cannot be learned now (`UnknownOutcome`). Nothing was deleted
    /// there, and what was typed stays, unless the service has exactly that.
    pub(super) async fn hold_unsent(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> CommandResult<HeldDraft> {
        let owner = draft_owner(context);
        let support = || {
            Box::new(Support {
                operation: context.command.to_owned(),
                organization: context.organization.clone(),
                time: self.clock.now().to_string(),
                ..Support::default()
            })
        };
        let unknown = |support| CommandError::UnknownOutcome {
            key: Some(key.clone()),
            support,
        };
        let Some(held) = self.drafts.try_hold(&owner, key).await? else {
            return Err(unknown(support()));
        };
        let draft = held.draft.as_ref();
        let is_in_doubt = draft.is_some_and(|draft| draft.state.is_in_doubt());
        if !is_in_doubt {
            return Ok(held);
        }
        let asking = CallContext {
            command: "check_outcome",
            write: false,
            // The person waits, and the outbox asks again.
            retries: false,
            ..context.clone()
        };
        let resolved = self.resolve_held(&asking, &owner, key, &held, Sender::Window);
        match Box::pin(resolved).await {
            Ok(outcome) => match outcome.document() {
                None => Ok(held),
                Some(view) => {
                    self.note_change(None, &owner.organization, ChangedData::Documents);
                    Err(CommandError::AlreadyExists {
                        current: Some(Box::new(view)),
                        support: support(),
                    })
                }
            },
            Err(error) if !says_nothing(&error) => Err(error),
            Err(error) => {
                // Without a connection the next one asks.
                if context.session.is_online() || !matches!(error, CommandError::Offline { .. }) {
                    self.run_outbox_later(owner.organization, error.clone());
                }
                let mut answered = error.into_support();
                context.command.clone_into(&mut answered.operation);
                Err(unknown(answered))
            }
        }
    }
}

/// Whether an error of the service or the network says nothing about a draft.
fn says_nothing(error: &CommandError) -> bool {
    let is_of_this_computer = matches!(
        error,
        CommandError::Vault { .. } | CommandError::NotSaved { .. }
    );
    background_delay(error, 0).is_some() && !is_of_this_computer
}

/// Whether the service has what the draft would send.
fn has_arrived(draft: &Draft, view: &InvoiceView) -> bool {
    let (content, ambiguous) = invoices::parse_numbers(&draft.content);
    let is_written = match &draft.changes {
        // Every write gives a new stamp (decision 0019).
        Some(base) => base.stamp != view.row.stamp,
        None => true,
    };
    is_written && ambiguous.is_empty() && invoices::is_stored(&content, &view.content)
}
