//! The outbox: what was saved without a connection is sent as soon as there is one, and as soon as a busy service takes it,
//! whatever the window shows by then.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use invoicing_contract::OrganizationId;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::Desktop;
use crate::drafts::Owner;
use crate::retry;
use crate::session::{ActiveSession, SessionState};
use crate::views::{CommandError, DraftState, Wait};

/// What is to be sent, once the time has come.
struct Due {
    organization: String,
    /// How many tries have failed since the last one that did not.
    tried: u32,
    /// A person has given it up.
    stopped: bool,
}

/// Sends what waits each time that the session comes online, and again when the service has asked for time, as long as the
/// core lives.
pub(super) async fn look_after(desktop: Weak<Desktop>, mut changes: watch::Receiver<u32>) {
    let mut serving: Option<Arc<ActiveSession>> = None;
    let mut postponed = JoinSet::new();
    loop {
        let due = tokio::select! {
            changed = changes.changed() => {
                let (Ok(()), Some(desktop)) = (changed, desktop.upgrade()) else {
                    return;
                };
                let online = desktop.online();
                if online.as_ref().map(Arc::as_ptr) == serving.as_ref().map(Arc::as_ptr) {
                    continue;
                }
                // What was put off for another session or an earlier connection begins anew.
                postponed.shutdown().await;
                serving = online;
                serving.as_ref().map(first).unwrap_or_default()
            }
            Some(Ok(due)) = postponed.join_next() => vec![due],
        };
        let (Some(desktop), Some(live)) = (desktop.upgrade(), &serving) else {
            continue;
        };
        for due in due {
            let owner = Owner {
                account: live.owner(),
                organization: due.organization.clone(),
            };
            if due.stopped {
                desktop.give_back(&owner).await;
            } else if let Some((error, tried)) = desktop.send_waiting(live, &owner, due.tried).await
            {
                desktop.postpone(&mut postponed, due.organization, error, tried);
            }
        }
    }
}

/// Everything is due when a session comes online.
fn first(live: &Arc<ActiveSession>) -> Vec<Due> {
    let due = |organization: OrganizationId| Due {
        organization: organization.into_string(),
        tried: 0,
        stopped: false,
    };
    live.identity()
        .organizations()
        .into_iter()
        .map(due)
        .collect()
}

impl Desktop {
    fn online(&self) -> Option<Arc<ActiveSession>> {
        match self.session.state() {
            SessionState::SignedIn(live) if live.is_online() => Some(live),
            SessionState::SignedIn(_) | SessionState::Starting | SessionState::SignedOut { .. } => {
                None
            }
        }
    }

    /// Sends every draft of an owner that waits, the oldest first. Gives the error that another try may get past, and how
    /// many tries have failed in a row.
    async fn send_waiting(
        &self,
        live: &Arc<ActiveSession>,
        owner: &Owner,
        mut tried: u32,
    ) -> Option<(CommandError, u32)> {
        // What cannot be read now is still there at the next connection.
        for key in self.drafts.waiting(owner).await.ok()? {
            // Somebody may have opened it while those before it were sent.
            let draft = match self.drafts.get(owner, &key).await {
                Ok(Some(draft)) if draft.state == DraftState::Waiting => draft,
                _ => continue,
            };
            let written = self
                .send(Arc::clone(live), owner.organization.clone(), &draft, false)
                .await;
            match written {
                Ok(_) | Err(CommandError::UnknownOutcome { .. }) => {}
                // Another time; nothing has happened to it.
                Err(CommandError::SessionEnded { .. }) => return None,
                Err(error) if retry::lasting(&error, tried).is_some() => {
                    return Some((error, tried));
                }
                Err(_) => {
                    let refused = self.drafts.mark(owner, &key, DraftState::Refused);
                    refused.await.ok()?;
                }
            }
            tried = 0;
            self.deliveries.fetch_add(1, Ordering::AcqRel);
            self.changes.notify();
        }
        None
    }

    /// Puts an organization's drafts off for as long as the retry table says, in the open.
    fn postpone(
        &self,
        postponed: &mut JoinSet<Due>,
        organization: String,
        error: CommandError,
        tried: u32,
    ) {
        let Some(delay) = retry::lasting(&error, tried) else {
            return;
        };
        let tried = tried.saturating_add(1);
        let wait = Wait {
            id: 0,
            command: "outbox".to_owned(),
            organization: organization.clone(),
            write: true,
            error,
            until: String::new(),
            tries: tried,
        };
        let passed = retry::pass(&*self.clock, &*self.rng, &self.waits, wait, delay);
        postponed.spawn(async move {
            Due {
                stopped: !passed.await,
                organization,
                tried,
            }
        });
    }

    /// Somebody does not want them sent by themselves any more: they are drafts as before.
    async fn give_back(&self, owner: &Owner) {
        for key in self.drafts.waiting(owner).await.unwrap_or_default() {
            // What cannot be noted now waits as before.
            let noted = self.drafts.mark(owner, &key, DraftState::Editing).await;
            if noted.is_ok() {
                self.deliveries.fetch_add(1, Ordering::AcqRel);
            }
        }
        self.changes.notify();
    }
}
