//! The names and the regions of organizations, as the service told them to an account last (decision 0162).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};

use crate::account_key::AccountKey;
use crate::account_store::AccountStore;
use crate::files::FileError;

/// What an organization is called, and where it keeps its accounts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrganizationRecord {
    /// In English.
    pub(crate) english: String,
    /// In Arabic.
    pub(crate) arabic: String,
    /// The time zone in which its days begin, an IANA name; empty if it is no tenant, as the country and the currency.
    #[serde(default)]
    pub(crate) time_zone: String,
    /// ISO 3166-1 alpha-2.
    #[serde(default)]
    pub(crate) country: String,
    /// ISO 4217.
    #[serde(default)]
    pub(crate) currency: String,
}

/// The names that one account knows.
pub(crate) type AccountNames = BTreeMap<OrganizationId, OrganizationRecord>;

/// All names, with the file that they are saved in.
pub(crate) struct OrganizationNames {
    all: AccountStore<AccountNames>,
    /// Of sessions that are not remembered, which store nothing.
    unsaved: Mutex<BTreeMap<AccountKey, AccountNames>>,
}

impl OrganizationNames {
    /// Reads them from their file in the folder of the core's own data.
    pub(crate) fn open(folder: &Path) -> Self {
        let path = folder.join("organization-names.json");
        Self {
            all: AccountStore::open(path, "names of organizations"),
            unsaved: Mutex::default(),
        }
    }

    /// The names that an account knows.
    pub(crate) fn of(&self, account: &AccountKey) -> AccountNames {
        let unsaved = self.unsaved().get(account).cloned();
        unsaved.unwrap_or_else(|| self.all.of(account))
    }

    /// Replaces the names that an account knows; on disk when it returns, if they are to outlive the program.
    pub(crate) async fn set(
        &self,
        account: &AccountKey,
        names: AccountNames,
        remembered: bool,
    ) -> Result<(), FileError> {
        if !remembered {
            self.unsaved().insert(account.clone(), names);
            return Ok(());
        }
        self.unsaved().remove(account);
        let replace = move |known: &mut AccountNames| *known = names;
        self.all.change(account, replace).await
    }

    /// Removes the names that an account knows; on disk when it returns.
    pub(crate) async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        self.unsaved().remove(account);
        self.all.remove(account).await
    }

    fn unsaved(&self) -> MutexGuard<'_, BTreeMap<AccountKey, AccountNames>> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> AccountNames {
        let name = OrganizationRecord {
            english: "Al-Khair Trading".to_owned(),
            arabic: "الخير للتجارة".to_owned(),
            time_zone: "Asia/Riyadh".to_owned(),
            country: "SA".to_owned(),
            currency: "SAR".to_owned(),
        };
        [("1".into(), name)].into()
    }

    #[tokio::test]
    async fn names_of_an_account_outlive_the_program_until_it_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let user = AccountKey::new("local", "u");
        let stored = OrganizationNames::open(folder.path());
        stored.set(&user, names(), true).await.expect("saved");
        let reopened = OrganizationNames::open(folder.path());
        assert_eq!(reopened.of(&user), names());
        assert!(reopened.of(&AccountKey::new("local", "other")).is_empty());
        reopened.remove_account(&user).await.expect("removed");
        assert!(OrganizationNames::open(folder.path()).of(&user).is_empty());
    }

    #[tokio::test]
    async fn names_of_a_session_that_is_not_remembered_are_not_stored() {
        let folder = tempfile::tempdir().expect("a folder");
        let user = AccountKey::new("local", "u");
        let known = OrganizationNames::open(folder.path());
        known.set(&user, names(), false).await.expect("kept");
        assert_eq!(known.of(&user), names());
        let mut stored = folder.path().read_dir().expect("readable");
        assert!(stored.next().is_none());
    }
}
