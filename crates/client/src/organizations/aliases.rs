//! The aliases that a user gave organizations on this computer.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use invoicing_contract::OrganizationId;

use crate::account_key::AccountKey;
use crate::files::{self, FileContent, FileError};

/// The aliases of one account.
type AccountAliases = BTreeMap<OrganizationId, String>;

/// All aliases, with the file that they are saved in.
pub(crate) struct Aliases {
    path: PathBuf,
    all: Mutex<BTreeMap<AccountKey, AccountAliases>>,
}

impl Aliases {
    pub(crate) fn open(path: PathBuf) -> Self {
        let all = match files::read_json(&path) {
            Ok(FileContent::Parsed(all)) => all,
            Ok(FileContent::Missing) => BTreeMap::new(),
            Ok(FileContent::Quarantined) | Err(_) => {
                tracing::warn!(
                    "the aliases of organizations could not be read; their file was renamed"
                );
                BTreeMap::new()
            }
        };
        Self {
            path,
            all: Mutex::new(all),
        }
    }

    /// The aliases of an account.
    pub(crate) fn of(&self, account: &AccountKey) -> AccountAliases {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(account).cloned().unwrap_or_default()
    }

    /// Sets or removes an alias; on disk when it returns. White space around it is removed; an empty alias is none.
    pub(crate) async fn set(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
        alias: Option<&str>,
    ) -> Result<(), FileError> {
        let mut all = self
            .all
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let aliases = all.entry(account.clone()).or_default();
        match alias.map(str::trim).filter(|alias| !alias.is_empty()) {
            Some(alias) => aliases.insert(organization, alias.to_owned()),
            None => aliases.remove(&organization),
        };
        let path = self.path.clone();
        let written = all.clone();
        files::run_blocking(move || files::write_json(&path, &written)).await?;
        *self.all.lock().unwrap_or_else(PoisonError::into_inner) = all;
        Ok(())
    }

    /// Removes all aliases of an account; on disk when it returns.
    pub(crate) async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        let mut all = self
            .all
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if all.remove(account).is_none() {
            return Ok(());
        }
        let path = self.path.clone();
        let written = all.clone();
        files::run_blocking(move || files::write_json(&path, &written)).await?;
        *self.all.lock().unwrap_or_else(PoisonError::into_inner) = all;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn alias_belongs_to_one_account_and_can_be_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("aliases.json");
        let user = AccountKey::new("local", "u");
        Aliases::open(path.clone())
            .set(&user, "1".into(), Some("  Khair "))
            .await
            .expect("saved");
        let reopened = Aliases::open(path);
        assert_eq!(
            reopened.of(&user),
            [("1".into(), "Khair".to_owned())].into()
        );
        for other in [
            AccountKey::new("local", "other"),
            AccountKey::new("staging", "u"),
        ] {
            assert!(reopened.of(&other).is_empty(), "{other:?}");
        }
        reopened.set(&user, "1".into(), None).await.expect("saved");
        assert!(reopened.of(&user).is_empty());
    }
}
