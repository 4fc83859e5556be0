//! Commands about signing in and out, and the snapshot.

use std::sync::Weak;
use std::time::Duration;

use tokio::sync::watch;

use super::{CommandResult, Desktop, WindowKey};
use crate::read_cache;
use crate::session::SessionState;
use crate::sign_in::SignInOptions;
use crate::views::{Language, SessionView, Snapshot, VaultProblem};

/// How long `watch` waits for a change before it returns an unchanged snapshot.
const WATCH_TIMEOUT: Duration = Duration::from_secs(25);

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn watch(&self, window: &WindowKey, after: u32) -> CommandResult<Snapshot> {
        tokio::select! {
            () = self.changes.wait_for_change(after) => {}
            () = self.clock.sleep(WATCH_TIMEOUT) => {}
        }
        // Read before the rest: the next call returns what changes meanwhile.
        let revision = self.changes.revision();
        let changes = self.bindings.changes(window);
        Ok(Snapshot {
            revision,
            session: self.session_view(window),
            binding: self.current_binding(window),
            lost_organization: self.lost_organization(window),
            pending_retries: self.pending_retries.list(),
            deliveries: changes.deliveries,
            changed_data: changes.data,
            opened_files: self.opened_files.count(window),
            link_waits: self.links.is_waiting(window),
            menu_choice_waits: self.menu.is_waiting(window),
            preferences_saved: self.preferences.saved(),
            bulk_progress: self.bulk_progress.count(),
        })
    }

    pub async fn start_sign_in(
        &self,
        _window: &WindowKey,
        environment: String,
    ) -> CommandResult<()> {
        let options = self.sign_in_options(environment);
        match self.session.active() {
            // Its access token still shows who the user is, so that no page may be needed.
            Ok(ending) if ending.ends().is_some() && ending.is_in(&options.environment) => {
                let expected_subject = Some(ending.identity().subject);
                let options = SignInOptions {
                    expected_subject,
                    ..options
                };
                self.sign_in.start_silently(options).await
            }
            _ => self.sign_in.start(options).await,
        }
    }

    pub async fn open_browser_again(&self, _window: &WindowKey) -> CommandResult<()> {
        self.sign_in.reopen_browser()
    }

    pub async fn use_loopback(&self, _window: &WindowKey) -> CommandResult<()> {
        self.sign_in.use_loopback().await
    }

    pub async fn paste_callback(&self, _window: &WindowKey, address: String) -> CommandResult<()> {
        self.sign_in.handle_callback(&address).await
    }

    pub async fn cancel_sign_in(&self, _window: &WindowKey) -> CommandResult<()> {
        self.sign_in.cancel()
    }

    pub async fn sign_out(&self, _window: &WindowKey) -> CommandResult<()> {
        let active = self.session.active()?;
        self.sign_in
            .set_last_environment(active.environment().name());
        let cache = read_cache::account_of(&active);
        self.open_drafts.close_all();
        let signed_out = self.session.sign_out().await;
        self.read_cache.purge(&cache).await;
        signed_out
    }

    pub async fn reconnect(&self, _window: &WindowKey) -> CommandResult<()> {
        let active = self.session.active()?;
        self.session.reconnect(&active).await;
        Ok(())
    }

    pub async fn unlock_vault(&self, _window: &WindowKey) -> CommandResult<()> {
        self.session.unlock(&self.environments).await?;
        self.unlock_stores().await?;
        self.changes.notify();
        Ok(())
    }

    /// Waits until a refresh in progress has been saved, for at most 15 seconds, and starts no other. As long for drafts that are not
    /// on the disk. Then confirms the sign-outs of the embedded environment, for at most five seconds: its service ends with the
    /// program.
    pub async fn stop(&self) {
        self.session.stop().await;
        self.drafts.stop().await;
        self.session.confirm_embedded(&self.environments).await;
    }

    /// Gives all that is encrypted on this computer the keyring again.
    async fn unlock_stores(&self) -> CommandResult<()> {
        self.read_cache.reopen().await;
        self.drafts.unlock().await?;
        self.attachments.records().unlock().await?;
        self.templates.records().unlock().await?;
        self.exports.records().unlock().await?;
        self.bulk_runs.reopen().await;
        self.run_outbox_after_unlocking();
        Ok(())
    }

    pub(super) fn sign_in_options(&self, environment: String) -> SignInOptions {
        let language = self.preferences.get().language.map(Language::code);
        // Signing in again to a session that is not remembered does not store it.
        let remember = self.session.active().map_or(true, |active| {
            active.is_remembered() || active.environment().name() != environment
        });
        SignInOptions {
            remember,
            environment,
            language,
            loopback: false,
            silent: false,
            expected_subject: None,
            confirmed: false,
        }
    }

    fn session_view(&self, window: &WindowKey) -> SessionView {
        if let Some(attempt) = self.sign_in.view() {
            return attempt;
        }
        match self.session.state() {
            SessionState::Starting => SessionView::Starting,
            SessionState::SignedOut { error } => SessionView::SignedOut {
                last_environment: self.sign_in.last_environment(),
                error,
            },
            SessionState::SignedIn(active) => {
                let identity = active.identity();
                let impersonation = self.impersonation_in(window);
                let session = impersonation
                    .as_ref()
                    .map_or(&active, |found| found.session());
                SessionView::SignedIn {
                    account: identity.account(),
                    environment: active.environment().view(),
                    organizations: self.organization_views(session),
                    connectivity: active.connectivity(),
                    vault: active.vault_problem().or(self.drafts.vault_problem()),
                    error: self.sign_in.error().map(Box::new),
                    roles_as_of: identity.issued_at.to_string(),
                    impersonation: impersonation.as_ref().map(|found| Box::new(found.view())),
                    ends: active.ends().map(|time| time.to_string()),
                }
            }
        }
    }
}

/// Tells the windows each change of why drafts are in memory only, and gives the other stores the keyring as soon as drafts have it, as
/// long as the core lives.
pub(super) async fn follow_keyring(
    desktop: Weak<Desktop>,
    mut problems: watch::Receiver<Option<VaultProblem>>,
) {
    while let (Ok(()), Some(desktop)) = (problems.changed().await, desktop.upgrade()) {
        let has_answered = problems.borrow_and_update().is_none();
        if has_answered && let Err(error) = desktop.unlock_stores().await {
            tracing::warn!(?error, "something is still kept without the keyring");
        }
        desktop.changes.notify();
    }
}
