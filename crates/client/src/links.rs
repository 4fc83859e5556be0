//! Links to documents, `com.invoicedesk.desktop:/documents/ORGANIZATION/KEY`, and where they wait until a window takes them
//! (decision 0143).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use invoicing_contract::{DocumentKey, OrganizationId};
use uuid::Uuid;

use crate::WindowKey;
use crate::environments::SCHEME;
use crate::views::LinkTarget;

/// What follows the scheme in the address of a document.
const PATH: &str = ":/documents/";
/// Characters of an organization's id. Ids of identity providers are much shorter.
const MAX_ORGANIZATION: usize = 64;
/// Characters of a key: a UUID with hyphens.
const KEY_LENGTH: usize = 36;

/// A document of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocumentLink {
    pub(crate) organization: OrganizationId,
    pub(crate) key: DocumentKey,
}

/// The address is no link to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the address is no link to a document")]
pub(crate) struct MalformedLink;

impl DocumentLink {
    /// Whether an address of our scheme is for documents, and not the answer of a sign-in.
    pub(crate) fn is_for_documents(address: &str) -> bool {
        address
            .strip_prefix(SCHEME)
            .is_some_and(|rest| rest.starts_with(":/documents"))
    }

    /// Reads an address, which anybody may have written: exactly two segments, the id of an organization and a UUID, without
    /// query, fragment or percent-encoding.
    pub(crate) fn parse(address: &str) -> Result<Self, MalformedLink> {
        let rest = address
            .strip_prefix(SCHEME)
            .and_then(|rest| rest.strip_prefix(PATH));
        let (organization, key) = rest
            .and_then(|rest| rest.split_once('/'))
            .ok_or(MalformedLink)?;
        let is_id = |text: &str| {
            let is_id = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
            (1..=MAX_ORGANIZATION).contains(&text.len()) && text.bytes().all(is_id)
        };
        if !is_id(organization) {
            return Err(MalformedLink);
        }
        Ok(Self {
            organization: organization.into(),
            key: parse_key(key)?,
        })
    }

    /// The address.
    pub(crate) fn address(&self) -> String {
        format!("{SCHEME}{PATH}{}/{}", self.organization, self.key)
    }

    /// Where it leads, as seen from a window of the organization `shown`. `is_granted`: whether the user has a role in an
    /// organization.
    pub(crate) fn target(
        self,
        shown: &OrganizationId,
        is_granted: impl FnOnce(&OrganizationId) -> bool,
    ) -> LinkTarget {
        if self.organization == *shown {
            LinkTarget::Document { key: self.key }
        } else if is_granted(&self.organization) {
            self.elsewhere()
        } else {
            LinkTarget::NotGranted {
                organization: self.organization,
            }
        }
    }

    /// Where it leads, as seen from a window of another organization of the user.
    pub(crate) fn elsewhere(self) -> LinkTarget {
        LinkTarget::OtherOrganization {
            address: self.address(),
            organization: self.organization,
        }
    }
}

/// Reads a document key that stands alone.
pub(crate) fn parse_key(text: &str) -> Result<DocumentKey, MalformedLink> {
    match Uuid::try_parse(text) {
        Ok(key) if text.len() == KEY_LENGTH => Ok(key.to_string().into()),
        Ok(_) | Err(_) => Err(MalformedLink),
    }
}

/// A link that was followed outside of the windows.
pub(crate) type FollowedLink = Result<DocumentLink, MalformedLink>;

/// The links that were followed outside of the windows. Of several, the last one counts: a person follows one at a time.
#[derive(Debug, Default)]
pub(crate) struct Links(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    /// Until somebody is signed in.
    followed: Option<FollowedLink>,
    /// Until the window takes them. Whole, since the window may be bound to another organization meanwhile.
    left: HashMap<WindowKey, FollowedLink>,
}

impl Links {
    /// Keeps the address of a link that was followed.
    pub(crate) fn follow(&self, address: &str) {
        self.lock().followed = Some(DocumentLink::parse(address));
    }

    /// Takes the link that was followed last.
    pub(crate) fn take_followed(&self) -> Option<FollowedLink> {
        self.lock().followed.take()
    }

    /// Leaves a link to a window.
    pub(crate) fn leave(&self, window: &WindowKey, link: FollowedLink) {
        self.lock().left.insert(window.clone(), link);
    }

    /// Whether a window has a link to take.
    pub(crate) fn is_waiting(&self, window: &WindowKey) -> bool {
        self.lock().left.contains_key(window)
    }

    /// Takes the link of a window.
    pub(crate) fn take(&self, window: &WindowKey) -> Option<FollowedLink> {
        self.lock().left.remove(window)
    }

    /// Forgets the link of a window that is closed: another one may be opened under its key.
    pub(crate) fn close_window(&self, window: &WindowKey) {
        self.lock().left.remove(window);
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0199f3a0-0000-7000-8000-0000000000aa";

    #[test]
    fn link_names_an_organization_and_a_document_and_reads_back() {
        let address = format!("com.invoicedesk.desktop:/documents/274893001/{KEY}");
        let link = DocumentLink::parse(&address).expect("a link");
        assert_eq!(link.organization, "274893001");
        assert_eq!(link.key, KEY);
        assert_eq!(link.address(), address);
    }

    #[test]
    fn anything_else_than_the_exact_form_is_refused() {
        let long = "1".repeat(MAX_ORGANIZATION + 1);
        for rest in [
            "",
            "/documents",
            "/documents/",
            "/documents/274893001",
            "/documents/274893001/",
            &format!("//documents/274893001/{KEY}"),
            &format!("/documents//{KEY}"),
            &format!("/documents/274893001/{KEY}/"),
            &format!("/documents/274893001/{KEY}/print"),
            &format!("/documents/274893001/{KEY}?issue=true"),
            &format!("/documents/274893001/{KEY}#a"),
            &format!("/documents/274893001/{KEY} "),
            &format!("/documents/../{KEY}"),
            &format!("/documents/2748%39001/{KEY}"),
            &format!("/documents/274 893/{KEY}"),
            &format!("/documents/منشأة/{KEY}"),
            &format!("/documents/{long}/{KEY}"),
            &format!("/Documents/274893001/{KEY}"),
            &format!("/oauth/274893001/{KEY}"),
            &format!("/documents/274893001/{}", KEY.replace('-', "")),
            &format!("/documents/274893001/{{{KEY}}}"),
            "/documents/274893001/not-a-key",
        ] {
            let address = format!("com.invoicedesk.desktop:{rest}");
            assert_eq!(
                DocumentLink::parse(&address),
                Err(MalformedLink),
                "{address}"
            );
        }
        for address in [
            format!("https://documents/274893001/{KEY}"),
            format!("COM.invoicedesk.desktop:/documents/274893001/{KEY}"),
            format!("com.invoicedesk.desktop.evil:/documents/274893001/{KEY}"),
            format!(" com.invoicedesk.desktop:/documents/274893001/{KEY}"),
        ] {
            assert_eq!(
                DocumentLink::parse(&address),
                Err(MalformedLink),
                "{address}"
            );
        }
    }

    #[test]
    fn answers_of_a_sign_in_are_not_for_documents() {
        let is_for_documents = DocumentLink::is_for_documents;
        assert!(is_for_documents("com.invoicedesk.desktop:/documents/1/2"));
        assert!(is_for_documents("com.invoicedesk.desktop:/documents"));
        assert!(!is_for_documents(
            "com.invoicedesk.desktop:/oauth/local?code=a"
        ));
        assert!(!is_for_documents("https://documents/"));
    }

    #[test]
    fn of_several_links_the_last_one_counts() {
        let links = Links::default();
        links.follow(&format!("com.invoicedesk.desktop:/documents/1/{KEY}"));
        links.follow("com.invoicedesk.desktop:/documents/2");
        assert_eq!(links.take_followed(), Some(Err(MalformedLink)));
        assert_eq!(links.take_followed(), None);
        let window = WindowKey::from("main");
        links.leave(&window, Err(MalformedLink));
        assert!(links.is_waiting(&window));
        assert_eq!(links.take(&window), Some(Err(MalformedLink)));
        assert_eq!(links.take(&window), None);
    }

    #[test]
    fn link_leads_to_its_document_only_in_a_window_of_its_organization() {
        let link = DocumentLink {
            organization: "274893001".into(),
            key: KEY.into(),
        };
        let target = |shown: &str, granted: &str| {
            let is_granted = |organization: &OrganizationId| *organization == *granted;
            link.clone().target(&shown.into(), is_granted)
        };
        let organization = || OrganizationId::from("274893001");
        assert_eq!(
            target("274893001", "274893001"),
            LinkTarget::Document { key: KEY.into() }
        );
        assert_eq!(
            target("274893002", "274893001"),
            LinkTarget::OtherOrganization {
                organization: organization(),
                address: link.address(),
            }
        );
        assert_eq!(
            target("274893002", "274893002"),
            LinkTarget::NotGranted {
                organization: organization(),
            }
        );
    }
}
