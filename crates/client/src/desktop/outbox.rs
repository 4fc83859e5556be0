//! The outbox: what was saved without a connection is sent as soon as there is one, whatever the window shows by then.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use tokio::sync::watch;

use super::Desktop;
use crate::drafts::Owner;
use crate::session::{Live, Reach, State};
use crate::views::{CommandError, DraftState};

/// Sends what waits each time that the session comes online, as long as the core lives.
pub(super) async fn look_after(desktop: Weak<Desktop>, mut changes: watch::Receiver<u32>) {
    let mut sent_for: Option<Arc<Live>> = None;
    while changes.changed().await.is_ok() {
        let Some(desktop) = desktop.upgrade() else {
            return;
        };
        let State::SignedIn(live) = desktop.session.state() else {
            sent_for = None;
            continue;
        };
        if live.reach() != Reach::Online {
            sent_for = None;
        } else if !sent_for
            .as_ref()
            .is_some_and(|before| Arc::ptr_eq(before, &live))
        {
            desktop.send_waiting(&live).await;
            sent_for = Some(live);
        }
    }
}

impl Desktop {
    /// Sends every draft of this account that waits, the oldest of each organization first.
    async fn send_waiting(&self, live: &Arc<Live>) {
        for organization in live.identity().organizations() {
            let owner = Owner {
                account: live.owner(),
                organization: organization.clone(),
            };
            // What cannot be read now is still there at the next connection.
            for draft in self.drafts.waiting(&owner).await.unwrap_or_default() {
                let written = self
                    .send_draft(Arc::clone(live), organization.clone(), &draft)
                    .await;
                match written {
                    Ok(_) | Err(CommandError::UnknownOutcome { .. }) => {}
                    // Another time; nothing has happened to it.
                    Err(
                        CommandError::Offline { .. }
                        | CommandError::Unavailable { .. }
                        | CommandError::OrganizationUnavailable { .. }
                        | CommandError::RateLimited { .. }
                        | CommandError::SessionEnded { .. },
                    ) => break,
                    Err(_) => {
                        let marked = self
                            .drafts
                            .mark(&owner, &draft.key, DraftState::Refused)
                            .await;
                        if marked.is_err() {
                            break;
                        }
                    }
                }
                self.deliveries.fetch_add(1, Ordering::AcqRel);
                self.changes.bump();
            }
        }
    }
}
