//! Commands about acting as another person, and which window does (decision 0145).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoicing_contract::OrganizationId;
use jiff::Timestamp;

use super::{CommandResult, Desktop, WindowKey};
use crate::account_key::AccountKey;
use crate::session::ActiveSession;
use crate::views::{CommandError, ImpersonationView, Support, WindowBinding};

/// The impersonations of the open windows, in memory only.
#[derive(Default)]
pub(super) struct Impersonations(Mutex<HashMap<WindowKey, Arc<Impersonation>>>);

/// The user acts as another person in one window.
pub(super) struct Impersonation {
    /// Of the person, with the token of the impersonation.
    session: Arc<ActiveSession>,
    /// The user.
    actor: AccountKey,
    /// The organization that the window returns to.
    before: OrganizationId,
    since: Timestamp,
}

impl Impersonation {
    pub(super) fn view(&self) -> ImpersonationView {
        ImpersonationView {
            person: self.session.identity().account(),
            since: self.since.to_string(),
            ends: self.session.ends().unwrap_or(self.since).to_string(),
        }
    }

    pub(super) fn session(&self) -> &Arc<ActiveSession> {
        &self.session
    }
}

impl Impersonations {
    pub(super) fn remove(&self, window: &WindowKey) -> Option<Arc<Impersonation>> {
        self.lock().remove(window)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WindowKey, Arc<Impersonation>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn impersonate(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        organization: Option<OrganizationId>,
        user: String,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "impersonate", true)?;
        let answer = self
            .administration
            .impersonate(&context, organization.as_ref(), user)
            .await?;
        let actor = context.session;
        let verified = actor
            .provider()
            .verify_impersonation(
                &answer.id_token,
                &answer.access_token,
                &actor.identity().subject,
            )
            .await;
        let identity = match verified {
            Ok(identity) => identity,
            Err(error) => {
                let (provider, token) = (Arc::clone(actor.provider()), answer.access_token);
                self.runtime
                    .spawn(async move { provider.revoke_unused(&token).await });
                let support = Support {
                    operation: "impersonate".to_owned(),
                    organization: binding.organization.clone(),
                    time: self.clock.now().to_string(),
                    ..Support::default()
                };
                return Err(error.to_command_error(actor.environment(), support));
            }
        };
        // The token is for the home organization of the person only (decision 0011).
        let home = identity.home.id.clone();
        let session =
            self.session
                .impersonated(&actor, identity, answer.access_token, answer.expires_in);
        let bound = self.session_of(window, &binding);
        let person = session.account_key();
        let impersonation = Arc::new(Impersonation {
            session,
            actor: actor.account_key(),
            before: binding.organization,
            since: self.clock.now(),
        });
        // The window was bound to another organization or account meanwhile, or closed: nobody uses the token.
        if let Err(error) = bound {
            self.revoke_impersonation(impersonation);
            return Err(error);
        }
        let impersonations = &self.impersonations;
        impersonations.lock().insert(window.clone(), impersonation);
        self.bindings.switch(window, &person, home);
        self.changes.notify();
        Ok(())
    }

    pub async fn end_impersonation(&self, window: &WindowKey) -> CommandResult<()> {
        let Some(ended) = self.impersonations.remove(window) else {
            return Ok(());
        };
        self.revoke_impersonation(Arc::clone(&ended));
        let active = self.session.active()?;
        if active.account_key() == ended.actor {
            self.bindings
                .switch(window, &ended.actor, ended.before.clone());
        }
        self.bind_open_windows();
        self.changes.notify();
        Ok(())
    }
}

impl Desktop {
    /// Revokes the token of an impersonation that no window has any more.
    pub(super) fn revoke_impersonation(&self, ended: Arc<Impersonation>) {
        let session = Arc::clone(&self.session);
        self.runtime
            .spawn(async move { session.end_impersonated(&ended.session).await });
    }

    /// The impersonation of a window, as long as its token is good and the user who began it is signed in.
    pub(super) fn impersonation_in(&self, window: &WindowKey) -> Option<Arc<Impersonation>> {
        let found = self.impersonations.lock().get(window).cloned()?;
        let is_of_user = self
            .session
            .active()
            .is_ok_and(|active| active.account_key() == found.actor);
        let is_over = found.session.has_ended()
            || found
                .session
                .ends()
                .is_none_or(|ends| ends <= self.clock.now());
        if is_of_user && !is_over {
            return Some(found);
        }
        if let Some(ended) = self.impersonations.remove(window)
            && !is_over
        {
            self.revoke_impersonation(ended);
        }
        // The window is bound again for the user.
        self.changes.notify();
        None
    }

    /// The session that a window works with: that of the person whom the user acts as, else that of the user.
    pub(super) fn session_in(&self, window: &WindowKey) -> CommandResult<Arc<ActiveSession>> {
        match self.impersonation_in(window) {
            Some(impersonation) => Ok(Arc::clone(impersonation.session())),
            None => self.session.active(),
        }
    }

    /// Fails in a window in which the user acts as another person: what the command would write outlives the impersonation.
    pub(super) fn refuse_while_impersonating(&self, window: &WindowKey) -> CommandResult<()> {
        match self.impersonation_in(window) {
            Some(_) => Err(CommandError::NotWhileImpersonating),
            None => Ok(()),
        }
    }
}
