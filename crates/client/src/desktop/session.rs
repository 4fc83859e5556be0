//! Commands about signing in and out, and the snapshot.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{CommandResult, Desktop, WindowKey};
use crate::session::State;
use crate::sign_in::Wish;
use crate::views::{Language, SessionView, Snapshot};

/// How long `watch` waits for a change before it answers that there is none.
const WATCH: Duration = Duration::from_secs(25);

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
            () = self.changes.since(after) => {}
            () = self.clock.sleep(WATCH) => {}
        }
        // Read before the rest: a change meanwhile is in the next snapshot.
        let revision = self.changes.revision();
        Ok(Snapshot {
            revision,
            session: self.session_view(),
            binding: self.current_binding(window),
            pending_retries: self.pending_retries.list(),
            deliveries: self.deliveries.load(Ordering::Acquire),
        })
    }

    pub async fn start_sign_in(
        &self,
        _window: &WindowKey,
        environment: String,
    ) -> CommandResult<()> {
        self.sign_in.start(self.wish(environment)).await
    }

    pub async fn open_browser_again(&self, _window: &WindowKey) -> CommandResult<()> {
        self.sign_in.open_again()
    }

    pub async fn use_loopback(&self, _window: &WindowKey) -> CommandResult<()> {
        self.sign_in.use_loopback().await
    }

    pub async fn paste_callback(&self, _window: &WindowKey, address: String) -> CommandResult<()> {
        self.sign_in.answer(&address).await
    }

    pub async fn cancel_sign_in(&self, _window: &WindowKey) -> CommandResult<()> {
        self.sign_in.cancel()
    }

    pub async fn sign_out(&self, _window: &WindowKey) -> CommandResult<()> {
        let live = self.session.live()?;
        self.sign_in.remember(live.environment().name());
        self.session.sign_out().await
    }

    pub async fn unlock_vault(&self, _window: &WindowKey) -> CommandResult<()> {
        self.session.unlock(&self.environments).await?;
        self.drafts.unlock().await?;
        self.changes.bump();
        Ok(())
    }

    pub(super) fn wish(&self, environment: String) -> Wish {
        let language = self
            .preferences
            .get()
            .language
            .map(|language| match language {
                Language::En => "en",
                Language::Ar => "ar",
            });
        Wish {
            environment,
            language,
            loopback: false,
            silent: false,
        }
    }

    fn session_view(&self) -> SessionView {
        if let Some(attempt) = self.sign_in.view() {
            return attempt;
        }
        match self.session.state() {
            State::Starting => SessionView::Starting,
            State::SignedOut { trouble } => SessionView::SignedOut {
                last_environment: self.sign_in.last_environment(),
                trouble,
            },
            State::SignedIn(live) => {
                let identity = live.identity();
                SessionView::SignedIn {
                    account: identity.account(),
                    environment: live.environment().view(),
                    organizations: self.organization_views(&live),
                    standing: live.standing(),
                    vault: live.vault_trouble().or(self.drafts.trouble()),
                    trouble: self.sign_in.trouble().map(Box::new),
                    roles_as_of: identity.issued_at.to_string(),
                }
            }
        }
    }
}
