//! The outbox: sends queued drafts as soon as there is a connection and the service accepts requests, independent of what
//! the windows show.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use invoicing_contract::{DocumentKey, OrganizationId};
use tokio::sync::{mpsc, watch};
use tokio_util::task::JoinMap;

use super::Desktop;
use super::sender::needs_session;
use crate::attachments::Attachments;
use crate::drafts::DraftOwner;
use crate::gateway::{CallContext, RetryDescription, background_delay, wait_for_retry};
use crate::organizations::ChangedData;
use crate::session::{ActiveSession, SessionState};
use crate::views::{CommandError, DraftState, DueTerms};

/// What the outbox is told.
pub(super) enum OutboxNotice {
    /// A draft whose outcome is unknown, or a draft or file whose connection failed, which the outbox takes up after a delay.
    Unchecked {
        organization: OrganizationId,
        error: CommandError,
    },
    /// The keyring was unlocked: drafts can be read that could not be read before.
    Unlocked,
    /// A draft of the organization waits again.
    Queued(OrganizationId),
}

/// A run over the queue of one organization.
struct OutboxRun {
    organization: OrganizationId,
    /// How many attempts in a row have failed before it.
    failed_attempts: u32,
    /// The user has cancelled it.
    cancelled: bool,
}

/// A run that ended with a temporary error.
struct Postponed {
    error: CommandError,
    /// How many attempts in a row have failed, without this one.
    earlier_attempts: u32,
}

/// Runs that wait for their delay, one for each organization: a run takes up all of its drafts.
type PostponedRuns = JoinMap<OrganizationId, OutboxRun>;

/// Sends the queues each time that the session comes online, and again after temporary errors, as long as the core lives.
pub(super) async fn run(
    desktop: Weak<Desktop>,
    changes: watch::Receiver<u32>,
    mut notices: mpsc::UnboundedReceiver<OutboxNotice>,
) {
    let mut current: Option<Arc<ActiveSession>> = None;
    let mut postponed = PostponedRuns::new();
    let (connection, mut connections) = watch::channel(None);
    tokio::spawn(follow_connection(
        Weak::clone(&desktop),
        changes,
        connection,
    ));
    loop {
        let runs = tokio::select! {
            changed = connections.changed() => {
                if changed.is_err() {
                    return;
                }
                // Runs that were postponed for another session or an earlier connection start again.
                postponed.shutdown().await;
                current = connections.borrow_and_update().clone();
                current.as_ref().map(first_runs).unwrap_or_default()
            }
            Some((_, Ok(run))) = postponed.join_next() => vec![run],
            Some(notice) = notices.recv() => match notice {
                OutboxNotice::Unchecked { organization, error } => {
                    if let Some(desktop) = desktop.upgrade() {
                        let failed = Postponed { error, earlier_attempts: 0 };
                        desktop.postpone(&mut postponed, organization, failed);
                    }
                    continue;
                }
                OutboxNotice::Unlocked => {
                    postponed.shutdown().await;
                    current.as_ref().map(first_runs).unwrap_or_default()
                }
                OutboxNotice::Queued(organization) => vec![first_run(organization)],
            },
        };
        let (Some(desktop), Some(session)) = (desktop.upgrade(), &current) else {
            continue;
        };
        for run in runs {
            let owner = DraftOwner {
                account: session.account_key(),
                organization: run.organization,
            };
            if run.cancelled {
                desktop.return_queue_to_editing(&owner).await;
            } else if let Some(failed) = desktop
                .send_queue(session, &owner, run.failed_attempts)
                .await
            {
                desktop.postpone(&mut postponed, owner.organization, failed);
            }
        }
    }
}

/// Sends the session each time that it comes online, and `None` when it is not. A task of its own: a connection that was
/// lost and found while a queue was sent is a new one.
async fn follow_connection(
    desktop: Weak<Desktop>,
    mut changes: watch::Receiver<u32>,
    connection: watch::Sender<Option<Arc<ActiveSession>>>,
) {
    while changes.changed().await.is_ok() {
        let Some(desktop) = desktop.upgrade() else {
            return;
        };
        let online = desktop.online_session();
        connection.send_if_modified(|current| {
            let is_new = online.as_ref().map(Arc::as_ptr) != current.as_ref().map(Arc::as_ptr);
            *current = online;
            is_new
        });
    }
}

/// One run for each organization, when a session comes online.
fn first_runs(session: &Arc<ActiveSession>) -> Vec<OutboxRun> {
    let organizations = session.identity().organizations();
    organizations.into_iter().map(first_run).collect()
}

fn first_run(organization: OrganizationId) -> OutboxRun {
    OutboxRun {
        organization,
        failed_attempts: 0,
        cancelled: false,
    }
}

/// `None` if the error is not temporary: the next session tries again.
fn postponed(error: CommandError, earlier_attempts: u32) -> Option<Postponed> {
    background_delay(&error, earlier_attempts)?;
    Some(Postponed {
        error,
        earlier_attempts,
    })
}

impl Desktop {
    fn online_session(&self) -> Option<Arc<ActiveSession>> {
        match self.session.state() {
            SessionState::SignedIn(session) if session.is_online() => Some(session),
            SessionState::SignedIn(_) | SessionState::Starting | SessionState::SignedOut { .. } => {
                None
            }
        }
    }

    /// Runs the outbox of an organization after a delay, for a draft or files that this error has left behind.
    pub(super) fn run_outbox_later(&self, organization: OrganizationId, error: CommandError) {
        // The receiver lives as long as the core.
        let _ = self.outbox.send(OutboxNotice::Unchecked {
            organization,
            error,
        });
    }

    /// Runs the outbox of an organization, for a draft that waits again. Without a connection the next one runs it.
    pub(super) fn run_outbox(&self, organization: OrganizationId) {
        let _ = self.outbox.send(OutboxNotice::Queued(organization));
    }

    /// Runs the outbox of an organization after a delay, if a window could not send all files of a document.
    pub(super) fn send_files_later(
        &self,
        session: &ActiveSession,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) {
        let Some(error) = self.attachments.interruption(owner, key) else {
            return;
        };
        // Without a connection the next one runs it.
        if session.is_online() || !matches!(error, CommandError::Offline { .. }) {
            self.run_outbox_later(owner.organization.clone(), error);
        }
    }

    /// Runs the outbox of all organizations: drafts can be read that could not be read before.
    pub(super) fn run_outbox_after_unlocking(&self) {
        let _ = self.outbox.send(OutboxNotice::Unlocked);
    }

    /// Checks the drafts in doubt of an owner and sends the queued ones, the oldest first, until a temporary error.
    async fn send_queue(
        &self,
        session: &Arc<ActiveSession>,
        owner: &DraftOwner,
        mut failed_attempts: u32,
    ) -> Option<Postponed> {
        let mut last_error = None;
        match self.check_outcomes(session, owner).await {
            Ok(()) => {}
            Err(error @ CommandError::Internal { .. }) => last_error = Some(error),
            Err(error) => return postponed(error, failed_attempts),
        }
        // Drafts that cannot be read now are still queued at the next connection, and when the keyring is unlocked.
        let queued = self.drafts.keys_in(owner, DraftState::Waiting).await.ok()?;
        let mut saved = Vec::new();
        for key in queued {
            // The user may have opened it while earlier drafts were sent.
            let only = Some(DraftState::Waiting);
            let Ok(Some(sending)) = self.drafts.begin_sending(owner, &key, only).await else {
                continue;
            };
            let due_terms = sending.draft.content.due_terms;
            match Box::pin(self.deliver(session, owner, sending)).await {
                Err(error) if needs_session(&error) => return None,
                // It can be this draft alone that the service fails at.
                Err(error @ CommandError::Internal { .. }) => {
                    last_error = Some(error);
                    continue;
                }
                Err(error) if background_delay(&error, failed_attempts).is_some() => {
                    // It may be in doubt now.
                    self.note_change(None, &owner.organization, ChangedData::Drafts);
                    return postponed(error, failed_attempts);
                }
                Ok(Some(view)) => saved.push((view.row.key, due_terms)),
                Ok(None) | Err(_) => {}
            }
            failed_attempts = 0;
            self.count_delivery(&owner.organization);
        }
        if let Err(error) = self.send_attachments_later(session, owner).await {
            last_error = Some(error);
        }
        self.remember_later(session, owner, &saved).await;
        postponed(last_error?, failed_attempts)
    }

    /// Remembers buyers and items of documents that were sent (decision 0131), after all that waits: it is an aid, and what fails is not
    /// repeated.
    async fn remember_later(
        &self,
        session: &Arc<ActiveSession>,
        owner: &DraftOwner,
        documents: &[(DocumentKey, Option<DueTerms>)],
    ) {
        for (key, due_terms) in documents {
            let context = CallContext {
                session: Arc::clone(session),
                organization: owner.organization.clone(),
                command: "remember_document",
                write: true,
                retries: false,
            };
            // Nobody is there to be told what they say otherwise.
            if let Err(error) = Box::pin(self.remember(&context, key, *due_terms)).await {
                tracing::info!(?error, "a document that was sent later was not remembered");
                return;
            }
        }
    }

    /// Sends the files that wait for documents of an owner. What the service has refused stays for its author.
    async fn send_attachments_later(
        &self,
        session: &Arc<ActiveSession>,
        owner: &DraftOwner,
    ) -> Result<(), CommandError> {
        // Without the keyring nothing can be read.
        let documents = self.attachments.waiting_documents(owner).await;
        let mut failed = Ok(());
        for key in documents.unwrap_or_default() {
            match self.is_local(owner, &key).await {
                Ok(true) => continue,
                Ok(false) => {}
                // It is the draft of this document alone that cannot be read.
                Err(error) => {
                    failed = Err(error);
                    continue;
                }
            }
            let context = CallContext {
                session: Arc::clone(session),
                organization: owner.organization.clone(),
                command: "send_attachments",
                write: true,
                retries: false,
            };
            let sent = Box::pin(self.attachments.send_waiting(&context, owner, &key)).await;
            self.count_delivery(&owner.organization);
            match sent {
                // It can be a file of this document alone that the service fails at.
                Err(error @ CommandError::Internal { .. }) => failed = Err(error),
                Err(error) if Attachments::is_temporary(&error) => return Err(error),
                Ok(_) | Err(_) => {}
            }
        }
        failed
    }

    /// Starts the next run after the delay of the retry rules, shown as a pending retry. It replaces one of the organization that
    /// waits already: a run takes up all of its drafts.
    fn postpone(
        &self,
        postponed: &mut PostponedRuns,
        organization: OrganizationId,
        failed: Postponed,
    ) {
        let Postponed {
            error,
            earlier_attempts,
        } = failed;
        let Some(delay) = background_delay(&error, earlier_attempts) else {
            return;
        };
        let failed_attempts = earlier_attempts.saturating_add(1);
        let description = RetryDescription {
            command: "outbox".to_owned(),
            organization: organization.clone(),
            write: true,
            error,
            failed_attempts,
        };
        let retry = wait_for_retry(
            self.clock.as_ref(),
            self.rng.as_ref(),
            &self.pending_retries,
            description,
            delay,
        );
        postponed.spawn(organization.clone(), async move {
            OutboxRun {
                cancelled: !retry.await,
                organization,
                failed_attempts,
            }
        });
    }

    /// Takes the owner's drafts out of the queue: the user has cancelled their retry. What is in doubt stays so.
    async fn return_queue_to_editing(&self, owner: &DraftOwner) {
        for (from, to) in [
            (DraftState::Waiting, DraftState::Editing),
            (DraftState::WaitingInDoubt, DraftState::UnknownOutcome),
        ] {
            let queued = self.drafts.keys_in(owner, from).await;
            for key in queued.unwrap_or_default() {
                // A draft whose state cannot be saved stays queued.
                let saved = self.drafts.change_state(owner, &key, from, to).await;
                if saved.is_ok() {
                    self.count_delivery(&owner.organization);
                }
            }
        }
    }

    /// Tells the windows of an organization that the outbox has sent a draft of it.
    pub(super) fn count_delivery(&self, organization: &OrganizationId) {
        self.deliveries.fetch_add(1, Ordering::AcqRel);
        for data in [
            ChangedData::Delivery,
            ChangedData::Drafts,
            ChangedData::Documents,
        ] {
            self.bindings.note_change(None, organization, data);
        }
        self.changes.notify();
    }
}
