//! The organizations that a user has pinned on this computer, and those that were opened last.

use std::path::PathBuf;

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};

use crate::account_key::AccountKey;
use crate::account_store::AccountStore;
use crate::files::FileError;

/// How many of the last opened organizations are kept.
const RECENT: usize = 8;

/// The shortlist of one account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AccountShortlist {
    /// In the order in which they were pinned.
    pub(crate) pinned: Vec<OrganizationId>,
    /// The last opened first.
    pub(crate) recent: Vec<OrganizationId>,
}

/// All shortlists, with the file that they are saved in.
pub(crate) struct Shortlist {
    all: AccountStore<AccountShortlist>,
}

impl Shortlist {
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            all: AccountStore::open(path, "pinned organizations"),
        }
    }

    /// The shortlist of an account.
    pub(crate) fn of(&self, account: &AccountKey) -> AccountShortlist {
        self.all.of(account)
    }

    /// Pins an organization behind the others, or unpins it; on disk when it returns.
    pub(crate) async fn set_pinned(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
        pinned: bool,
    ) -> Result<(), FileError> {
        let change = move |list: &mut AccountShortlist| {
            let known = list.pinned.contains(&organization);
            if !pinned {
                list.pinned.retain(|other| *other != organization);
            } else if !known {
                list.pinned.push(organization);
            }
        };
        self.all.change(account, change).await
    }

    /// Notes that an organization was opened. An error is logged only: nothing else depends on the file.
    pub(crate) async fn note_opened(&self, account: &AccountKey, organization: OrganizationId) {
        let note = move |list: &mut AccountShortlist| {
            list.recent.retain(|other| *other != organization);
            list.recent.insert(0, organization);
            list.recent.truncate(RECENT);
        };
        if let Err(error) = self.all.change(account, note).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the organization that was opened last was not saved"
            );
        }
    }

    /// Removes the shortlist of an account; on disk when it returns.
    pub(crate) async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        self.all.remove(account).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn pins_keep_their_order_and_the_last_opened_comes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("shortlist.json");
        let user = AccountKey::new("local", "u");
        let shortlist = Shortlist::open(path.clone());
        for (organization, pinned) in [
            ("b", true),
            ("a", true),
            ("b", true),
            ("c", true),
            ("a", false),
        ] {
            let saved = shortlist.set_pinned(&user, organization.into(), pinned);
            saved.await.expect("saved");
        }
        for organization in ["a", "b", "a"] {
            shortlist.note_opened(&user, organization.into()).await;
        }
        let expected = AccountShortlist {
            pinned: vec!["b".into(), "c".into()],
            recent: vec!["a".into(), "b".into()],
        };
        let reopened = Shortlist::open(path);
        assert_eq!(reopened.of(&user), expected);
        let other = AccountKey::new("local", "other");
        assert_eq!(reopened.of(&other), AccountShortlist::default());
        reopened.remove_account(&user).await.expect("saved");
        assert_eq!(reopened.of(&user), AccountShortlist::default());
    }
}
