//! Commands about organizations, and the check that every command about one begins with.

use std::sync::Arc;

use super::{Desktop, WindowKey};
use crate::organizations;
use crate::session::{ActiveSession, SessionState};
use crate::sign_in::SignInOptions;
use crate::views::{CommandError, OrganizationView, Place};

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
    pub async fn organizations(&self, _window: &WindowKey) -> Outcome<Vec<OrganizationView>> {
        let live = self.session.active()?;
        Ok(organizations::granted(
            &live.identity(),
            &self.aliases.of(&live.owner()),
        ))
    }

    pub async fn refresh_organizations(&self, _window: &WindowKey) -> Outcome<()> {
        let environment = self.session.active()?.environment().name().to_owned();
        self.sign_in
            .start_silently(SignInOptions {
                silent: true,
                ..self.sign_in_options(environment)
            })
            .await
    }

    pub async fn switch_organization(
        &self,
        window: &WindowKey,
        organization: String,
    ) -> Outcome<Place> {
        let live = self.session.active()?;
        if !live.grants(&organization) {
            return Err(CommandError::OrganizationNotGranted { organization });
        }
        let place = self.places.switch(window, &live.owner(), &organization);
        self.changes.notify();
        self.places
            .remember(window, &live.owner(), &organization)
            .await;
        Ok(place)
    }

    pub async fn name_organization(
        &self,
        _window: &WindowKey,
        organization: String,
        alias: Option<String>,
    ) -> Outcome<()> {
        let live = self.session.active()?;
        if !live.grants(&organization) {
            return Err(CommandError::OrganizationNotGranted { organization });
        }
        self.aliases
            .set(&live.owner(), &organization, alias.as_deref())
            .await?;
        self.changes.notify();
        Ok(())
    }

    /// The session that a command about `at` works with, if the window is there and the organization still granted.
    /// Nothing is asked of the network before this has passed.
    pub(super) fn enter(&self, window: &WindowKey, at: &Place) -> Outcome<Arc<ActiveSession>> {
        let live = self.session.active()?;
        self.places.check(window, &live.owner(), at)?;
        if !live.grants(&at.organization) {
            return Err(CommandError::OrganizationNotGranted {
                organization: at.organization.clone(),
            });
        }
        Ok(live)
    }

    /// What the window is bound to; the first time after a start or sign-in, what it was bound to the last time.
    pub(super) fn restored_place(&self, window: &WindowKey) -> Option<Place> {
        match self.session.state() {
            SessionState::SignedIn(live) => {
                self.places.restore(window, &live.owner(), |organization| {
                    live.grants(organization)
                })
            }
            SessionState::Starting | SessionState::SignedOut { .. } => None,
        }
    }
}
