//! Sign-out: deletes the session here and ends it at the identity provider, as far as that can be reached.

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;

use super::{ActiveSession, Session, SessionState, StoredRefreshToken};
use crate::provider::Provider;
use crate::vault::{KEYRING_TIMEOUT, with_timeout};
use crate::views::CommandError;

/// How long sign-out waits for the identity provider.
const REVOCATION_TIMEOUT: Duration = Duration::from_secs(5);

impl Session {
    /// Ends the session here and at the identity provider. Drafts stay.
    pub(crate) async fn sign_out(&self) -> Result<(), CommandError> {
        let active = self.active()?;
        // Waits for a refresh in flight, which would otherwise store its token after the deletion.
        let mut refresh_token = active.refresh_token().lock().await;
        let token = refresh_token.take().map(|stored| stored.token);
        drop(active.access_token().write().await.take());
        let deletion = self.vault.delete(&active.record().vault_entry());
        let deleted = with_timeout(&self.clock, KEYRING_TIMEOUT, deletion).await;
        self.account.remove().await?;
        self.set(SessionState::SignedOut {
            error: deleted.err().map(CommandError::from),
        });
        tokio::select! {
            () = revoke_and_end(active.provider(), token, active.take_id_token()) => {}
            () = self.clock.sleep(REVOCATION_TIMEOUT) => {
                tracing::info!("the identity provider did not confirm the sign-out in time");
            }
        }
        Ok(())
    }

    /// Ends a session that another has replaced. Its keyring entry is deleted unless the new session uses the same.
    pub(super) fn discard(
        &self,
        replaced: Arc<ActiveSession>,
        token: Option<StoredRefreshToken>,
        new_entry: &str,
    ) {
        replaced.close();
        let entry = replaced.record().vault_entry();
        if entry != new_entry {
            // Dropping the future does not cancel the deletion.
            drop(self.vault.delete(&entry));
        }
        tokio::spawn(async move {
            // Waits for calls under way: revocation invalidates their access token.
            drop(replaced.access_token().write().await.take());
            revoke_and_end(replaced.provider(), token.map(|stored| stored.token), None).await;
        });
    }
}

/// Revokes the refresh token, then ends the session. At some providers refresh tokens outlive the session.
async fn revoke_and_end(
    provider: &Provider,
    refresh_token: Option<SecretString>,
    id_token: Option<SecretString>,
) {
    if let Some(token) = refresh_token
        && let Err(error) = provider.revoke(&token).await
    {
        tracing::info!(
            error = &error as &dyn std::error::Error,
            "the refresh token was not revoked"
        );
    }
    if let Some(id_token) = id_token
        && let Err(error) = provider.end_session(&id_token).await
    {
        tracing::info!(
            error = &error as &dyn std::error::Error,
            "the session was not ended at the identity provider"
        );
    }
}
