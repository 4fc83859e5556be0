//! The refresh protocol: one at a time on this computer, uncancellable, kept before it is shown.
//!
//! A rotating token that is spent without its successor being kept is a lost session, so everything here is about never
//! spending what could not be replaced (decision 0052).

use std::sync::Arc;

use thiserror::Error;

use super::access::Access;
use super::chain::{Link, Lock, lock_path};
use super::live::Reach;
use super::{Lent, Live, Session, State};
use crate::provider::{ProviderError, Tokens};
use crate::vault::{PATIENCE, VaultError};
use crate::views::{CommandError, Support};

/// Why the session lends no access token.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Unusable {
    /// The refresh token is dead: somebody has to sign in again.
    #[error("the session has ended")]
    Ended,
    /// The identity provider did not help; the session goes on.
    #[error(transparent)]
    Provider(ProviderError),
    /// The keyring is locked, and a token that cannot be replaced in it is not spent.
    #[error(transparent)]
    Vault(VaultError),
    /// Another process held the session for too long, or the program is ending.
    #[error("the session is busy")]
    Busy,
}

impl Unusable {
    pub(crate) fn into_command_error(self, live: &Live, support: Support) -> CommandError {
        match self {
            Self::Ended => CommandError::SessionEnded {
                support: Box::new(support),
            },
            Self::Provider(error) => error.into_command_error(live.environment(), support),
            Self::Vault(error) => error.into(),
            Self::Busy => CommandError::Offline {
                support: Box::new(support),
            },
        }
    }
}

impl Session {
    /// Lends the access token, refreshed first if it is about to end, or if it is not newer than `rejected`.
    pub(crate) async fn lend(
        self: &Arc<Self>,
        live: &Arc<Live>,
        rejected: Option<u64>,
    ) -> Result<Lent, Unusable> {
        let live = &self.successor(live);
        let clock = &self.clock;
        let fits = |access: &Access| {
            access.is_fresh(clock.as_ref())
                && rejected.is_none_or(|rejected| access.generation > rejected)
        };
        if let Some(lent) = live.borrow(fits).await {
            return Ok(lent);
        }
        if live.reach() == Reach::Ended {
            return Err(Unusable::Ended);
        }
        // A task of its own: nobody who stops waiting stops it.
        let refresh = tokio::spawn({
            let (session, live) = (Arc::clone(self), Arc::clone(live));
            async move { session.refresh(&live, rejected).await }
        });
        match refresh.await {
            Ok(done) => done?,
            Err(_) => return Err(Unusable::Busy),
        }
        live.borrow(|access| rejected.is_none_or(|rejected| access.generation > rejected))
            .await
            .ok_or(Unusable::Busy)
    }

    /// The session that took this one's place, if the same person has signed in again since.
    fn successor(&self, live: &Arc<Live>) -> Arc<Live> {
        match self.state() {
            State::SignedIn(now) if now.account_key() == live.account_key() => now,
            State::SignedIn(_) | State::Starting | State::SignedOut { .. } => Arc::clone(live),
        }
    }

    /// Notes what a call has learned about the network.
    pub(crate) fn note_reach(&self, live: &Live, reach: Reach) {
        if live.note_reach(reach, self.clock.now()) {
            self.changes.bump();
        }
    }

    async fn refresh(&self, live: &Live, rejected: Option<u64>) -> Result<(), Unusable> {
        let clock = &self.clock;
        // Single flight: who comes second finds the work done.
        let mut chain = live.chain().lock().await;
        let fits = |access: &Access| {
            access.is_fresh(clock.as_ref())
                && rejected.is_none_or(|rejected| access.generation > rejected)
        };
        if live.borrow(fits).await.is_some() {
            return Ok(());
        }
        if live.is_closing() {
            return Err(Unusable::Busy);
        }
        let entry = live.record().vault_entry();
        let lock = Lock::take(clock, &lock_path(&self.locks, &entry))
            .await
            .ok_or(Unusable::Busy)?;
        let mut kept = self.adopt(live, &mut chain, &entry).await?;
        // Calls under way carry a token that the exchange may kill.
        let mut access = live.access().write().await;
        let (tokens, spent) = loop {
            let Some(link) = chain.clone() else {
                return Err(self.end(live));
            };
            let interrupted = live.record().refresh_in_flight == Some(link.generation);
            self.mark(live, Some(link.generation)).await;
            match live.provider().refresh(&link.token).await {
                Ok(tokens) => break (tokens, link),
                Err(error) if error.is_invalid_grant() => {
                    // Another process may have spent it and kept the successor without our lock.
                    let newer = Link::read(self.vault.as_ref(), clock, PATIENCE, &entry)
                        .await
                        .ok()
                        .flatten();
                    match newer.filter(|newer| newer.generation > link.generation) {
                        Some(newer) => *chain = Some(newer),
                        None if interrupted => return Err(self.interrupted(live).await),
                        None => return Err(self.end(live)),
                    }
                }
                Err(error) => {
                    if error != ProviderError::AnswerLost {
                        // It was not spent. Had the answer been lost, it might be, and the marker stays.
                        self.mark(live, None).await;
                    }
                    let reach = if matches!(
                        error,
                        ProviderError::Unreachable | ProviderError::AnswerLost
                    ) {
                        Reach::Offline
                    } else {
                        live.reach()
                    };
                    self.note_reach(live, reach);
                    return Err(Unusable::Provider(error));
                }
            }
        };
        let Tokens {
            access: token,
            refresh,
            expires_in,
        } = tokens;
        let next = Link {
            generation: spent.generation + 1,
            token: refresh.unwrap_or(spent.token),
        };
        let mut late = None;
        if kept {
            let mut writing = self.vault.write(&entry, next.secret());
            let outcome = tokio::select! {
                outcome = &mut writing => outcome,
                () = clock.sleep(PATIENCE) => { late = Some(writing); Err(VaultError::Silent) }
            };
            kept = outcome.is_ok();
            live.note_vault(outcome.err().map(VaultError::trouble));
        }
        if kept {
            self.mark(live, None).await;
        }
        *access = Some(Access::new(
            token,
            next.generation,
            expires_in,
            clock.as_ref(),
        ));
        *chain = Some(next);
        drop(access);
        live.note_reach(Reach::Online, clock.now());
        self.changes.bump();
        if let Some(writing) = late
            && writing.await.is_ok()
        {
            // The lock was held until the keyring was done with it.
            live.note_vault(None);
            self.mark(live, None).await;
            self.changes.bump();
        }
        drop(lock);
        Ok(())
    }

    /// Takes over what the keyring has, and makes sure that it takes the next one. Says whether it does.
    async fn adopt(
        &self,
        live: &Live,
        chain: &mut Option<Link>,
        entry: &str,
    ) -> Result<bool, Unusable> {
        let clock = &self.clock;
        let read = Link::read(self.vault.as_ref(), clock, PATIENCE, entry).await;
        if let Ok(Some(kept)) = &read
            && chain
                .as_ref()
                .is_none_or(|link| kept.generation > link.generation)
        {
            *chain = Some(kept.clone());
        }
        let probed = match (&read, chain.as_ref()) {
            (Ok(_), Some(link)) => link.probe(self.vault.as_ref(), clock, entry).await,
            // The account is known and its entry is gone: some keyrings say so when they are locked.
            (Ok(_), None) => Err(VaultError::Locked),
            (Err(error), _) => Err(*error),
        };
        let before = live.vault_trouble();
        live.note_vault(probed.err().map(VaultError::trouble));
        if live.vault_trouble() != before {
            self.changes.bump();
        }
        match probed {
            Ok(()) => Ok(true),
            // A person can unlock it, so the token is not spent until then.
            Err(VaultError::Locked) => Err(Unusable::Vault(VaultError::Locked)),
            // It will not come back by itself: this session lasts until the program ends.
            Err(_) if chain.is_some() => Ok(false),
            Err(error) => Err(Unusable::Vault(error)),
        }
    }

    pub(super) async fn mark(&self, live: &Live, generation: Option<u64>) {
        let record = live.note_refresh_in_flight(generation);
        if let Err(error) = self.account.write(&record).await {
            tracing::warn!(%error, "the account's state was not kept");
        }
    }

    fn end(&self, live: &Live) -> Unusable {
        live.note_reach(Reach::Ended, self.clock.now());
        self.changes.bump();
        Unusable::Ended
    }

    /// The program stopped between spending a token and keeping its successor.
    async fn interrupted(&self, live: &Live) -> Unusable {
        live.note_reach(Reach::Ended, self.clock.now());
        self.mark(live, None).await;
        let ours = |state: &State| match state {
            State::Starting => true,
            State::SignedIn(now) => std::ptr::eq(Arc::as_ptr(now), live),
            State::SignedOut { .. } => false,
        };
        self.replace(
            ours,
            State::SignedOut {
                trouble: Some(CommandError::SessionInterrupted),
            },
        );
        Unusable::Ended
    }
}
