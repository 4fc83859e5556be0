//! Commands about organizations, the binding of windows, and the check that every command about an organization starts with.

use std::sync::{Arc, Weak};

use invoice::Country;
use invoicing_contract::OrganizationId;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::sync::watch;

use super::{CommandResult, Desktop, WindowKey};
use crate::gateway::CallContext;
use crate::organizations::{self, OrganizationRecord};
use crate::session::{ActiveSession, SessionState};
use crate::sign_in::SignInOptions;
use crate::views::{CommandError, OrganizationView, WindowBinding};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn organizations(&self, window: &WindowKey) -> CommandResult<Vec<OrganizationView>> {
        Ok(self.organization_views(&*self.session_in(window)?))
    }

    pub async fn refresh_organizations(&self, _window: &WindowKey) -> CommandResult<()> {
        let active = self.session.active()?;
        let environment = active.environment().name().to_owned();
        self.sign_in
            .start_silently(SignInOptions {
                silent: true,
                expected_subject: Some(active.identity().subject),
                ..self.sign_in_options(environment)
            })
            .await
    }

    pub async fn read_organization_names(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<()> {
        // Nobody waits for them: without an answer they are asked for again when the window gets the focus.
        let context = CallContext {
            retries: false,
            ..self.call_context(window, &binding, "read_organization_names", false)?
        };
        self.read_names(&context).await
    }

    pub async fn switch_organization(
        &self,
        window: &WindowKey,
        organization: OrganizationId,
    ) -> CommandResult<WindowBinding> {
        self.refuse_while_impersonating(window)?;
        let session = self.session.active()?;
        require_granted(&session, &organization)?;
        let account = session.account_key();
        self.open_drafts.close_window(window);
        let binding = self.bindings.switch(window, &account, organization.clone());
        self.changes.notify();
        self.shortlist.note_opened(&account, organization).await;
        self.bindings
            .save_last(window, &account, &binding.organization)
            .await;
        Ok(binding)
    }

    pub async fn set_organization_alias(
        &self,
        _window: &WindowKey,
        organization: OrganizationId,
        alias: Option<String>,
    ) -> CommandResult<()> {
        let session = self.session.active()?;
        require_granted(&session, &organization)?;
        self.aliases
            .set(&session.account_key(), organization, alias.as_deref())
            .await?;
        self.changes.notify();
        Ok(())
    }

    pub async fn set_organization_pinned(
        &self,
        _window: &WindowKey,
        organization: OrganizationId,
        pinned: bool,
    ) -> CommandResult<()> {
        let session = self.session.active()?;
        require_granted(&session, &organization)?;
        self.shortlist
            .set_pinned(&session.account_key(), organization, pinned)
            .await?;
        self.changes.notify();
        Ok(())
    }
}

impl Desktop {
    /// The session that a command with this binding uses, if the binding is current and its organization still granted.
    /// Nothing is sent before this has passed.
    pub(super) fn session_of(
        &self,
        window: &WindowKey,
        binding: &WindowBinding,
    ) -> CommandResult<Arc<ActiveSession>> {
        let session = self.session_in(window)?;
        self.bindings
            .check(window, &session.account_key(), binding)?;
        require_granted(&session, &binding.organization)?;
        Ok(session)
    }

    /// The same as the context of a gateway call. `write`: whether the command writes.
    pub(super) fn call_context(
        &self,
        window: &WindowKey,
        binding: &WindowBinding,
        command: &'static str,
        write: bool,
    ) -> CommandResult<CallContext> {
        Ok(CallContext {
            session: self.session_of(window, binding)?,
            organization: binding.organization.clone(),
            command,
            write,
            retries: true,
        })
    }

    /// Reads names and regions of the organizations of the account, and keeps them.
    async fn read_names(&self, context: &CallContext) -> CommandResult<()> {
        let names = self.administration.organization_names(context).await?;
        let session = &context.session;
        let account = session.account_key();
        if self.organization_names.of(&account) == names {
            return Ok(());
        }
        let remembered = session.is_remembered() && !session.is_impersonated();
        self.organization_names
            .set(&account, names, remembered)
            .await?;
        self.changes.notify();
        Ok(())
    }

    /// What the service has told of the organization of a command.
    fn record_of(&self, context: &CallContext) -> Option<OrganizationRecord> {
        let account = context.session.account_key();
        self.organization_names
            .of(&account)
            .remove(&context.organization)
    }

    /// What the service tells of the organization of a command; asked for if it has told nothing yet.
    pub(super) async fn read_record(&self, context: &CallContext) -> Option<OrganizationRecord> {
        let is_told = |record: &OrganizationRecord| !record.country.is_empty();
        if let Some(record) = self.record_of(context).filter(is_told) {
            return Some(record);
        }
        // Without an answer the person enters what would have been there.
        self.read_names(context).await.ok()?;
        self.record_of(context)
    }

    /// The country of the organization of a command, as the service told it, else as in a document that was read since the start.
    pub(super) fn country_of(&self, context: &CallContext) -> Option<Country> {
        let told = self.record_of(context);
        told.and_then(|told| Country::parse(&told.country))
            .or_else(|| self.invoices.seller_country(context))
    }

    /// The date in the time zone of the organization of a command; in that of the computer until the service has told it.
    pub(super) fn today_of(&self, context: &CallContext) -> Date {
        let zone = self.record_of(context);
        let zone = zone.and_then(|told| TimeZone::get(&told.time_zone).ok());
        zone.map_or_else(
            || self.clock.today(),
            |zone| self.clock.now().to_zoned(zone).date(),
        )
    }

    /// The organizations that the user of a session holds roles in. Aliases and pins are those of whoever sits at this computer, also
    /// while that person acts as another one (decision 0145).
    pub(super) fn organization_views(&self, session: &ActiveSession) -> Vec<OrganizationView> {
        let account = session.account_key();
        let active = self.session.active();
        let at_computer = active.map_or_else(|_| account.clone(), |active| active.account_key());
        organizations::views(
            &session.identity(),
            &self.aliases.of(&at_computer),
            &self.organization_names.of(&account),
            &self.shortlist.of(&at_computer),
        )
    }

    /// The window's binding for the account that is signed in.
    pub(super) fn current_binding(&self, window: &WindowKey) -> Option<WindowBinding> {
        let session = self.session_in(window).ok()?;
        self.bindings.current(window, &session.account_key())
    }

    /// What the organization is called that the window showed, if it is no longer granted: its alias, else the name that the
    /// service told, else its id.
    pub(super) fn lost_organization(&self, window: &WindowKey) -> Option<String> {
        let session = self.session.active().ok()?;
        let lost = self.bindings.lost_organization(window)?;
        let account = session.account_key();
        let alias = self.aliases.of(&account).remove(&lost);
        let told = || self.organization_names.of(&account).remove(&lost);
        let name = alias.or_else(|| told().map(|name| name.english));
        Some(name.unwrap_or_else(|| lost.into_string()))
    }

    /// Binds each open window that is not bound to a granted organization: to its last one, else the home organization,
    /// else the first by name. Besides `switch_organization`, nothing else binds a window.
    pub(super) fn bind_open_windows(&self) {
        let SessionState::SignedIn(session) = self.session.state() else {
            return;
        };
        let mut organizations = self.organization_views(&session);
        organizations.sort_by_key(|organization| !organization.home);
        let granted: Vec<_> = organizations
            .into_iter()
            .map(|organization| organization.id)
            .collect();
        if self
            .bindings
            .bind_open_windows(&session.account_key(), &granted, |window| {
                self.impersonation_in(window).is_some()
            })
        {
            self.changes.notify();
        }
    }
}

/// Binds the open windows when a session starts or its organizations change, and opens links that waited for it, as long as
/// the core lives.
pub(super) async fn bind_windows_on_change(
    desktop: Weak<Desktop>,
    mut changes: watch::Receiver<u32>,
) {
    while let (Ok(()), Some(desktop)) = (changes.changed().await, desktop.upgrade()) {
        desktop.bind_open_windows();
        desktop.open_followed_link().await;
    }
}

/// Fails unless the user holds a role in the organization.
pub(super) fn require_granted(
    session: &ActiveSession,
    organization: &OrganizationId,
) -> CommandResult<()> {
    if session.grants(organization.as_str()) {
        Ok(())
    } else {
        Err(CommandError::OrganizationNotGranted {
            organization: organization.clone(),
        })
    }
}
