//! The aliases that a user gave organizations on this computer.

use std::collections::BTreeMap;
use std::path::PathBuf;

use invoicing_contract::OrganizationId;

use crate::account_key::AccountKey;
use crate::account_store::AccountStore;
use crate::files::FileError;

/// The aliases of one account.
type AccountAliases = BTreeMap<OrganizationId, String>;

/// All aliases, with the file that they are saved in.
pub(crate) struct Aliases {
    all: AccountStore<AccountAliases>,
}

impl Aliases {
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            all: AccountStore::open(path, "aliases of organizations"),
        }
    }

    /// The aliases of an account.
    pub(crate) fn of(&self, account: &AccountKey) -> AccountAliases {
        self.all.of(account)
    }

    /// Sets or removes an alias; on disk when it returns. White space around it is removed; an empty alias is none.
    pub(crate) async fn set(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
        alias: Option<&str>,
    ) -> Result<(), FileError> {
        let alias = alias.map(str::trim).filter(|alias| !alias.is_empty());
        let alias = alias.map(str::to_owned);
        let change = move |aliases: &mut AccountAliases| {
            match alias {
                Some(alias) => aliases.insert(organization, alias),
                None => aliases.remove(&organization),
            };
        };
        self.all.change(account, change).await
    }

    /// Removes all aliases of an account; on disk when it returns.
    pub(crate) async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        self.all.remove(account).await
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
