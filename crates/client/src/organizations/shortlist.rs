//! The organizations that a user has pinned on this computer, and those that were opened last.

use std::collections::BTreeMap;
use std::path::PathBuf;

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};

use crate::account_key::AccountKey;
use crate::files::{FileError, JsonStore};

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
    all: JsonStore<BTreeMap<AccountKey, AccountShortlist>>,
}

impl Shortlist {
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            all: JsonStore::open(path, "pinned organizations", BTreeMap::new()),
        }
    }

    /// The shortlist of an account.
    pub(crate) fn of(&self, account: &AccountKey) -> AccountShortlist {
        self.all.get().remove(account).unwrap_or_default()
    }

    /// Pins an organization behind the others, or unpins it; on disk when it returns.
    pub(crate) async fn set_pinned(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
        pinned: bool,
    ) -> Result<(), FileError> {
        self.change(account, move |list| {
            let known = list.pinned.contains(&organization);
            if !pinned {
                list.pinned.retain(|other| *other != organization);
            } else if !known {
                list.pinned.push(organization);
            }
        })
        .await
    }

    /// Notes that an organization was opened. An error is logged only: nothing else depends on the file.
    pub(crate) async fn note_opened(&self, account: &AccountKey, organization: OrganizationId) {
        let noted = self
            .change(account, move |list| {
                list.recent.retain(|other| *other != organization);
                list.recent.insert(0, organization);
                list.recent.truncate(RECENT);
            })
            .await;
        if let Err(error) = noted {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the organization that was opened last was not saved"
            );
        }
    }

    /// Removes the shortlist of an account; on disk when it returns.
    pub(crate) async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        let account = account.clone();
        let change = move |all: &mut BTreeMap<AccountKey, AccountShortlist>| {
            all.remove(&account);
        };
        self.all.change(change).await
    }

    async fn change(
        &self,
        account: &AccountKey,
        change: impl FnOnce(&mut AccountShortlist) + Send + 'static,
    ) -> Result<(), FileError> {
        let account = account.clone();
        let change_all = move |all: &mut BTreeMap<AccountKey, AccountShortlist>| {
            change(all.entry(account).or_default());
        };
        self.all.change(change_all).await
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
