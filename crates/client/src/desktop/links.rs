//! Links to documents: followed from outside, pasted into a window, opened in the window of their organization
//! (decision 0143).

use std::sync::Arc;

use invoicing_contract::{DocumentKey, OrganizationId};

use super::organizations::require_granted;
use super::{CommandResult, Desktop, WindowKey};
use crate::links::{self, DocumentLink, FollowedLink};
use crate::session::ActiveSession;
use crate::views::{CommandError, LinkTarget, WindowBinding};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn take_link(&self, window: &WindowKey) -> CommandResult<Option<LinkTarget>> {
        // The window may have been bound to another organization since the link was left to it.
        let (Ok(session), Some(binding)) = (self.session.active(), self.current_binding(window))
        else {
            return Ok(None);
        };
        let taken = self.links.take(window);
        Ok(taken.map(|link| target_in(&session, &binding, link)))
    }

    pub async fn read_link(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        text: String,
    ) -> CommandResult<LinkTarget> {
        let session = self.session_of(window, &binding)?;
        if let Ok(key) = links::parse_key(&text) {
            return Ok(self.target_of_key(&session, &binding, key).await);
        }
        Ok(target_in(&session, &binding, DocumentLink::parse(&text)))
    }

    pub async fn open_link(&self, _window: &WindowKey, address: String) -> CommandResult<()> {
        let session = self.session.active()?;
        let link = DocumentLink::parse(&address).map_err(|error| CommandError::InvalidCall {
            reason: error.to_string(),
        })?;
        self.open_document(&session, link).await
    }
}

impl Desktop {
    /// Keeps a link that was followed outside of the windows, until somebody is signed in.
    pub(super) fn follow_link(self: &Arc<Self>, address: &str) {
        self.links.follow(address);
        self.host.bring_to_front();
        // The loop that binds windows opens it.
        self.changes.notify();
    }

    /// Opens the link that was followed last, if somebody is signed in and a window is open. What it cannot open, a window
    /// explains.
    pub(super) async fn open_followed_link(&self) {
        let (Ok(session), Some(front)) = (self.session.active(), self.bindings.first_window())
        else {
            return;
        };
        let Some(followed) = self.links.take_followed() else {
            return;
        };
        if let Ok(link) = &followed
            && self.open_document(&session, link.clone()).await.is_ok()
        {
            return;
        }
        // The window says why, or offers it again and shows the error.
        self.links.leave(&front, followed);
        self.host.show_window(&front);
        self.changes.notify();
    }

    /// Opens a document in a window of its organization: in one in which no draft is edited, if there are several.
    async fn open_document(
        &self,
        session: &ActiveSession,
        link: DocumentLink,
    ) -> CommandResult<()> {
        require_granted(session, &link.organization)?;
        let account = session.account_key();
        let is_free = |window: &WindowKey| !self.open_drafts.is_editing(window);
        let shown = self
            .bindings
            .window_of(&account, &link.organization, is_free);
        let window = match shown {
            Some(window) => window,
            None => {
                self.open_another(&account, link.organization.clone())
                    .await?
            }
        };
        self.links.leave(&window, Ok(link));
        self.host.show_window(&window);
        self.changes.notify();
        Ok(())
    }

    /// The target of a key without its organization: of another organization if this computer has read it there and not here.
    async fn target_of_key(
        &self,
        session: &Arc<ActiveSession>,
        binding: &WindowBinding,
        key: DocumentKey,
    ) -> LinkTarget {
        let here = self
            .read_cache
            .document(session, &binding.organization, &key);
        if here.await.is_some() {
            return LinkTarget::Document { key };
        }
        for organization in self.organization_views(session) {
            let organization = organization.id;
            let there = self.read_cache.document(session, &organization, &key);
            if organization != binding.organization && there.await.is_some() {
                return DocumentLink { organization, key }.elsewhere();
            }
        }
        LinkTarget::Document { key }
    }
}

/// Where a link leads, as seen from a window with this binding.
fn target_in(session: &ActiveSession, binding: &WindowBinding, link: FollowedLink) -> LinkTarget {
    let is_granted = |organization: &OrganizationId| session.grants(organization.as_str());
    link.map_or(LinkTarget::NoLink, |link| {
        link.target(&binding.organization, is_granted)
    })
}
