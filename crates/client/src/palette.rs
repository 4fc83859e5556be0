//! What was chosen last in the command palette, for each organization of an account, saved on this computer (decision 0143).

use std::collections::BTreeMap;
use std::path::PathBuf;

use invoicing_contract::OrganizationId;

use crate::account_key::AccountKey;
use crate::account_store::AccountStore;
use crate::files::FileError;

/// How many entries are kept of an organization.
const KEPT: usize = 6;
/// Characters of an entry's id. Longer ones are not kept.
const MAX_ID: usize = 120;

/// The ids of one account's entries, the last one first. An id names a command, a screen, an organization or a document by its
/// key: never a name of a customer, an amount or what was typed.
type AccountRecents = BTreeMap<OrganizationId, Vec<String>>;

/// All recents, with the file that they are saved in.
pub(crate) struct PaletteRecents {
    all: AccountStore<AccountRecents>,
}

impl PaletteRecents {
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            all: AccountStore::open(path, "recents of the command palette"),
        }
    }

    /// The ids of an organization, the last one first.
    pub(crate) fn of(&self, account: &AccountKey, organization: &OrganizationId) -> Vec<String> {
        let recents = self.all.of(account).remove(organization);
        recents.unwrap_or_default()
    }

    /// Puts an id first; on disk when it returns.
    pub(crate) async fn remember(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
        id: String,
    ) -> Result<(), FileError> {
        if id.chars().count() > MAX_ID {
            return Ok(());
        }
        let change = move |of: &mut AccountRecents| {
            let recents = of.entry(organization).or_default();
            recents.retain(|other| *other != id);
            recents.insert(0, id);
            recents.truncate(KEPT);
        };
        self.all.change(account, change).await
    }

    /// Removes all recents of an account; on disk when it returns.
    pub(crate) async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        self.all.remove(account).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn last_ids_of_an_organization_survive_a_restart_each_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("palette-recents.json");
        let user = AccountKey::new("local", "u");
        let recents = PaletteRecents::open(path.clone());
        for id in ["a", "b", "c", "d", "e", "f", "g", "b"] {
            let remembered = recents.remember(&user, "1".into(), id.to_owned()).await;
            remembered.expect("saved");
        }
        let too_long = "x".repeat(MAX_ID + 1);
        let remembered = recents.remember(&user, "1".into(), too_long).await;
        remembered.expect("ignored");
        let reopened = PaletteRecents::open(path);
        let expected = ["b", "g", "f", "e", "d", "c"];
        assert_eq!(reopened.of(&user, &"1".into()), expected);
        assert!(reopened.of(&user, &"2".into()).is_empty());
        let other = AccountKey::new("local", "v");
        assert!(reopened.of(&other, &"1".into()).is_empty());
        reopened.remove_account(&user).await.expect("saved");
        assert!(reopened.of(&user, &"1".into()).is_empty());
    }
}
