//! Calls to the keyring that take longer than a refresh waits, because the person has to answer its prompt: the session
//! goes on meanwhile, exchanges nothing, and stores what is not stored yet when the keyring answers or the program ends.

use std::sync::Arc;

use secrecy::SecretString;

use super::refresh_token::RefreshLock;
use super::{ActiveSession, STOP_TIMEOUT, Session, SessionState};
use crate::BoxFuture;
use crate::vault::{UNLOCK_TIMEOUT, VaultError, with_timeout};
use crate::views::{CommandError, VaultProblem};

impl Session {
    /// Waits for a read in the background, then stores a token that is not stored yet.
    pub(super) fn await_late_read(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        read: BoxFuture<'static, Result<Option<SecretString>, VaultError>>,
    ) {
        self.await_vault(active, async move { read.await.map(|_| None) }, None);
    }

    /// Waits for the write of this generation in the background. The lock, if there is one, is held meanwhile.
    pub(super) fn await_late_write(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        write: BoxFuture<'static, Result<(), VaultError>>,
        generation: u64,
        lock: Option<Arc<RefreshLock>>,
    ) {
        let written = async move { write.await.map(|()| Some(generation)) };
        self.await_vault(active, written, lock);
    }

    /// `call` resolves to the generation that it has stored.
    fn await_vault(
        self: &Arc<Self>,
        active: &Arc<ActiveSession>,
        call: impl Future<Output = Result<Option<u64>, VaultError>> + Send + 'static,
        lock: Option<Arc<RefreshLock>>,
    ) {
        active.begin_waiting_for_vault();
        self.show_vault_problem(active, Some(VaultProblem::Waiting));
        let (session, active) = (Arc::clone(self), Arc::clone(active));
        tokio::spawn(async move {
            let answer = call.await;
            if let Ok(Some(generation)) = answer {
                active.set_stored_generation(generation);
                session.clear_marker_of_stored(&active).await;
            }
            drop(lock);
            active.end_waiting_for_vault();
            session.show_vault_problem(&active, answer.err().map(VaultError::problem));
            if answer.is_ok() && active.has_unstored_token().await {
                // The session view shows whether it was stored.
                let _ = session.store_again(&active).await;
            }
        });
    }

    /// Removes the marker of a refresh whose new token has been stored since.
    async fn clear_marker_of_stored(&self, active: &ActiveSession) {
        let record = active.record();
        let stored = active.stored_generation();
        if record
            .refresh_in_flight
            .is_some_and(|exchanged| stored > Some(exchanged))
        {
            self.write_refresh_in_flight(active, None).await;
        }
    }

    /// Stores the refresh token of a session that is only in memory, within the time that the user has to unlock the
    /// keyring.
    ///
    /// The token is not locked meanwhile, so that sign-out and refresh do not wait for the user. A write by a refresh
    /// comes after this one in the queue of the keyring.
    pub(super) async fn store_again(&self, active: &ActiveSession) -> Result<(), CommandError> {
        let token = active.refresh_token().lock().await.clone();
        let token = token.ok_or(CommandError::NotSignedIn)?;
        let entry = active.record().vault_entry();
        let write = self.vault.write(&entry, token.to_secret());
        let written = with_timeout(&self.clock, UNLOCK_TIMEOUT, write).await;
        let current = active.refresh_token().lock().await;
        if current.as_ref().map(|current| current.generation) != Some(token.generation) {
            // A refresh has replaced the token and recorded itself whether it was stored.
            return written.map_err(CommandError::from);
        }
        if written.is_ok() {
            active.set_stored_generation(token.generation);
            self.clear_marker_of_stored(active).await;
        }
        self.show_vault_problem(active, written.err().map(VaultError::problem));
        written.map_err(CommandError::from)
    }

    /// Prevents later refreshes, and waits until the present one has been stored, for at most 15 seconds. A token that
    /// the keyring has refused is offered to it once more.
    pub(crate) async fn stop(&self) {
        let SessionState::SignedIn(active) = self.state() else {
            return;
        };
        active.close();
        let stored = async {
            drop(active.refresh_token().lock().await);
            active.vault_answered().await;
            if active.has_unstored_token().await
                && let Err(error) = self.store_again(&active).await
            {
                tracing::warn!(?error, "the session ends with the program");
            }
        };
        tokio::select! {
            () = stored => {}
            () = self.clock.sleep(STOP_TIMEOUT) => {
                tracing::warn!("the keyring or the identity provider had not answered at the end");
            }
        }
    }
}
