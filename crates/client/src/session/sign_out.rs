//! Sign-out: deletes the session here and ends it at the identity provider, now or as soon as that can be reached
//! (decision 0062).

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;

use super::sign_out_queue::{PendingSignOut, SignOutTokens};
use super::{AccountRecord, ActiveSession, Session, SessionState, StoredRefreshToken};
use crate::BoxFuture;
use crate::environments::{Environment, Environments};
use crate::provider::{Provider, ProviderError};
use crate::rng::time_ordered_id;
use crate::vault::{KEYRING_TIMEOUT, VaultError, with_timeout};
use crate::views::CommandError;

/// How long sign-out waits for the identity provider.
const REVOCATION_TIMEOUT: Duration = Duration::from_secs(5);
/// The delays between attempts to confirm sign-outs; the last one repeats.
const RETRY_DELAYS: [Duration; 5] = [
    Duration::from_secs(30),
    Duration::from_secs(120),
    Duration::from_secs(600),
    Duration::from_secs(1800),
    Duration::from_secs(3600),
];

/// When sign-outs are tried again, by the monotonic clock.
#[derive(Debug, Default)]
pub(super) struct SignOutRetry {
    after: Duration,
    failures: usize,
}

impl Session {
    /// Ends the session here and at the identity provider. Drafts stay. A second call while the first one waits does nothing: somebody
    /// may have signed in again before it is its turn.
    ///
    /// # Errors
    /// The account file cannot be removed. The session is ended all the same, also for the next start.
    pub(crate) async fn sign_out(&self) -> Result<(), CommandError> {
        let active = self.active()?;
        if !active.close() {
            return Ok(());
        }
        // Waits for a refresh in flight, which would otherwise store its token after the deletion.
        let mut refresh_token = active.refresh_token().lock().await;
        let stored = refresh_token.take();
        let access = active.access_token().write().await.take();
        let record = active.record();
        let generation = stored.as_ref().map_or(0, |stored| stored.generation);
        let token = stored.map(|stored| stored.token);
        let tokens = token
            .or(access.map(|token| token.secret))
            .map(|token| SignOutTokens {
                token,
                id_token: active.take_id_token(),
            });
        let id = time_ordered_id(&*self.clock, &*self.rng).to_string();
        let pending = PendingSignOut::new(id, &record, generation, self.clock.now());
        if let Err(error) = self.sign_outs.add(pending.clone(), tokens.clone()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the sign-out is only known until the program ends"
            );
        }
        // Until the provider has confirmed it, the keyring keeps the tokens for that.
        let removed = self.account.remove().await;
        let removed = removed.and(self.index.remove(&record.id()).await);
        self.set(SessionState::SignedOut { error: None });
        let confirmed = match &tokens {
            Some(tokens) => tokio::select! {
                confirmed = revoke_and_end(active.provider(), tokens) => confirmed.is_ok(),
                () = self.clock.sleep(REVOCATION_TIMEOUT) => false,
            },
            None => true,
        };
        if !confirmed
            && record.remembered
            && let Some(tokens) = tokens
        {
            self.store_tokens(&pending, &tokens).await;
        }
        let deleted = match self.delete_entry(&record.vault_entry()).await {
            Some(deletion) => with_timeout(&self.clock, KEYRING_TIMEOUT, deletion).await,
            None => Ok(()),
        };
        if confirmed && removed.is_ok() {
            self.sign_outs.remove(&pending.id).await;
        }
        if let Err(error) = deleted {
            let error = Some(error.into());
            let is_quiet =
                |state: &SessionState| matches!(state, SessionState::SignedOut { error: None });
            self.set_if(is_quiet, SessionState::SignedOut { error });
        }
        Ok(removed?)
    }

    /// Keeps the tokens of a sign-out in the keyring until the provider has confirmed it, unless it has done so meanwhile.
    async fn store_tokens(&self, pending: &PendingSignOut, tokens: &SignOutTokens) {
        let _storing = self.sign_out_tokens.lock().await;
        if self.sign_outs.tokens(&pending.id).is_none() {
            return;
        }
        let write = self.vault.write(&pending.queue_entry(), tokens.to_secret());
        // Without it the sign-out is confirmed as long as the program runs.
        let _ = with_timeout(&self.clock, KEYRING_TIMEOUT, write).await;
    }

    /// Begins to delete the token of a session that was signed out. `None`: whoever has signed in again while the provider was
    /// waited for has the new token there.
    async fn delete_entry(
        &self,
        entry: &str,
    ) -> Option<BoxFuture<'static, Result<(), VaultError>>> {
        // A sign-in that is storing its token becomes the active session first.
        let _starting = self.starting.lock().await;
        let is_replaced = self
            .active()
            .is_ok_and(|current| current.record().vault_entry() == entry);
        (!is_replaced).then(|| self.vault.delete(entry))
    }

    /// Ends a session that is not remembered, with the program. Within a few seconds: without a connection its token expires.
    pub(super) async fn end_unremembered(&self, active: &ActiveSession) {
        let Some(stored) = active.refresh_token().lock().await.take() else {
            return;
        };
        let tokens = SignOutTokens {
            token: stored.token,
            id_token: active.take_id_token(),
        };
        tokio::select! {
            ended = revoke_and_end(active.provider(), &tokens) => {
                if let Err(error) = ended {
                    tracing::info!(
                        error = &error as &dyn std::error::Error,
                        "the session was not ended at the identity provider"
                    );
                }
            }
            () = self.clock.sleep(REVOCATION_TIMEOUT) => {
                tracing::info!("the identity provider did not confirm the end of the session");
            }
        }
    }

    /// Whether the person has signed out of this environment, so that the next sign-in asks for the password.
    pub(crate) async fn asks_for_password(&self, environment: &Environment) -> bool {
        self.sign_outs.asks_for_password(environment).await
    }

    /// Confirms the sign-outs that are due. The service of an embedded environment is not started for it.
    pub(super) async fn confirm_sign_outs(self: Arc<Self>, environments: Arc<Environments>) {
        // One at a time.
        let Ok(mut retry) = self.sign_out_retry.try_lock() else {
            return;
        };
        if retry.after > self.clock.monotonic() {
            return;
        }
        let (pending, unreadable) = self.sign_outs.pending().await;
        let mut failed = unreadable.is_some();
        for pending in pending {
            let mut ended = match environments.running(&pending.environment) {
                Some(environment) => self.confirm(&pending, environment).await,
                None => Err(SignOutError::NoEnvironment),
            };
            if ended.is_err() && pending.has_expired(self.clock.now()) {
                // The provider does not know its tokens any more.
                ended = self.give_up(&pending).await;
            }
            if let Err(error) = ended {
                failed = true;
                tracing::info!(
                    error = &error as &dyn std::error::Error,
                    "a sign-out is not confirmed yet"
                );
            }
        }
        retry.failures = if failed { retry.failures + 1 } else { 0 };
        let delay = RETRY_DELAYS[retry.failures.saturating_sub(1).min(RETRY_DELAYS.len() - 1)];
        retry.after = self.clock.monotonic() + delay;
    }

    /// Confirms the sign-outs of the embedded environment at the end of the program, without regard to when they are due:
    /// its service runs again only when somebody chooses it.
    pub(crate) async fn confirm_embedded(&self, environments: &Environments) {
        let confirming = async {
            let (pending, _) = self.sign_outs.pending().await;
            for pending in pending {
                let Some(environment) = environments.running_embedded(&pending.environment) else {
                    continue;
                };
                if let Err(error) = self.confirm(&pending, environment).await {
                    tracing::info!(
                        error = &error as &dyn std::error::Error,
                        "a sign-out is not confirmed before the service ends"
                    );
                }
            }
        };
        tokio::select! {
            () = confirming => {}
            () = self.clock.sleep(REVOCATION_TIMEOUT) => {
                tracing::info!("sign-outs were not confirmed before the service ended");
            }
        }
    }

    /// Confirms a sign-out at the provider, and removes it.
    async fn confirm(
        &self,
        pending: &PendingSignOut,
        environment: Environment,
    ) -> Result<(), SignOutError> {
        self.remove_account(pending).await?;
        if !environment.has_sign_in_of(&pending.authority, &pending.client_id) {
            // The environment was edited: its provider does not know the session.
            return Err(SignOutError::OtherProvider);
        }
        let tokens = match self.sign_outs.tokens(&pending.id) {
            Some(tokens) => Some(tokens),
            None => {
                let queued = self.read_secret(&pending.queue_entry()).await?;
                match SignOutTokens::parse(queued) {
                    Some(tokens) => Some(tokens),
                    // The program ended during the sign-out.
                    None => self.tokens_left(pending).await?,
                }
            }
        };
        if let Some(tokens) = tokens {
            let (clock, rng) = (Arc::clone(&self.clock), Arc::clone(&self.rng));
            let provider = Provider::new(environment, clock, rng, &self.network);
            revoke_and_end(&provider, &tokens).await?;
        }
        self.forget(pending).await
    }

    /// Removes the account of a session that was signed out, if that could not be done then.
    async fn remove_account(&self, pending: &PendingSignOut) -> Result<(), SignOutError> {
        // A sign-in writes its account before or afterwards.
        let _starting = self.starting.lock().await;
        if let Some(record) = self.account.read().await.map_err(SignOutError::File)?
            && pending.ended(&record)
        {
            self.account.remove().await.map_err(SignOutError::File)?;
        }
        Ok(())
    }

    /// Removes a sign-out that was never confirmed, and what this computer still has of the session.
    async fn give_up(&self, pending: &PendingSignOut) -> Result<(), SignOutError> {
        self.remove_account(pending).await?;
        match self.forget(pending).await {
            // Without a keyring there is nothing else.
            Err(SignOutError::Vault(VaultError::Unavailable)) => {
                self.sign_outs.remove(&pending.id).await;
                Ok(())
            }
            forgotten => forgotten,
        }
    }

    /// Removes a sign-out, after what the keyring still has of the session.
    async fn forget(&self, pending: &PendingSignOut) -> Result<(), SignOutError> {
        if let Some(entry) = &pending.entry {
            // A sign-in stores its token before or afterwards.
            let _starting = self.starting.lock().await;
            if self.tokens_left(pending).await?.is_some() {
                self.delete_secret(entry).await?;
            }
        }
        // The sign-out itself may be about to store its tokens.
        let _storing = self.sign_out_tokens.lock().await;
        self.delete_secret(&pending.queue_entry()).await?;
        self.sign_outs.remove(&pending.id).await;
        Ok(())
    }

    /// The tokens that are still in the entry of a session that was signed out.
    async fn tokens_left(
        &self,
        pending: &PendingSignOut,
    ) -> Result<Option<SignOutTokens>, VaultError> {
        let Some(entry) = &pending.entry else {
            return Ok(None);
        };
        Ok(pending.tokens_of_entry(self.read_secret(entry).await?))
    }

    async fn read_secret(&self, entry: &str) -> Result<Option<SecretString>, VaultError> {
        with_timeout(&self.clock, KEYRING_TIMEOUT, self.vault.read(entry)).await
    }

    async fn delete_secret(&self, entry: &str) -> Result<(), VaultError> {
        with_timeout(&self.clock, KEYRING_TIMEOUT, self.vault.delete(entry)).await
    }

    /// Ends a session that another has replaced, or that nobody can return to. If the new session is of the same account, it
    /// uses the same keyring entry and belongs to the same session of the browser, so both stay. Otherwise the entry is
    /// deleted and the session of the browser ends: the next person at this computer could go on with it without a password.
    /// What the identity provider does not confirm is tried again as a sign-out is.
    pub(super) fn discard(
        self: &Arc<Self>,
        replaced: Arc<ActiveSession>,
        token: Option<StoredRefreshToken>,
        new_entry: &str,
    ) {
        replaced.close();
        let record = replaced.record();
        let entry = record.vault_entry();
        let is_of_other_account = entry != new_entry;
        if is_of_other_account {
            // Dropping the future does not cancel the deletion.
            drop(self.vault.delete(&entry));
        }
        let id_token = replaced.take_id_token().filter(|_| is_of_other_account);
        let session = Arc::clone(self);
        tokio::spawn(async move {
            // Waits for calls under way: revocation invalidates their access token.
            let access = replaced.access_token().write().await.take();
            // A session without a refresh token is ended by its access token, as in sign-out.
            let access = access.filter(|_| is_of_other_account);
            let token = token
                .map(|stored| stored.token)
                .or(access.map(|access| access.secret));
            let Some(token) = token else {
                return;
            };
            let tokens = SignOutTokens { token, id_token };
            let ended = revoke_and_end(replaced.provider(), &tokens).await;
            if let Err(error) = ended {
                tracing::info!(
                    error = &error as &dyn std::error::Error,
                    "the former session is not ended at the identity provider yet"
                );
                session.end_later(&record, tokens).await;
            }
        });
    }

    /// Ends a former session at the identity provider as soon as that confirms it.
    async fn end_later(&self, record: &AccountRecord, tokens: SignOutTokens) {
        let id = time_ordered_id(&*self.clock, &*self.rng).to_string();
        let pending = PendingSignOut::of_former(id, record, self.clock.now());
        let added = self.sign_outs.add_former(pending.clone(), tokens.clone());
        if let Err(error) = added.await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the end of a session is only known until the program ends"
            );
        }
        if record.remembered {
            self.store_tokens(&pending, &tokens).await;
        }
    }
}

/// Why a sign-out is not confirmed.
#[derive(Debug, thiserror::Error)]
enum SignOutError {
    #[error("the account file cannot be read or removed")]
    File(#[source] crate::files::FileError),
    #[error("the environment was removed, or its service does not run")]
    NoEnvironment,
    #[error("the environment has another provider or client than at the sign-in")]
    OtherProvider,
    #[error("the keyring cannot be used")]
    Vault(#[from] VaultError),
    #[error("the identity provider did not confirm it")]
    Provider(#[from] ProviderError),
}

/// Revokes the refresh token, then ends the session of the browser. At some providers refresh tokens outlive the session.
async fn revoke_and_end(provider: &Provider, tokens: &SignOutTokens) -> Result<(), ProviderError> {
    provider.revoke(&tokens.token).await?;
    match &tokens.id_token {
        Some(id_token) => provider.end_session(id_token).await,
        None => Ok(()),
    }
}
