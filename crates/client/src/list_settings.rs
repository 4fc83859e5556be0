//! Saved views and columns of lists, for each organization of an account, saved on this computer (decision 0142).

use std::collections::BTreeMap;
use std::path::PathBuf;

use invoicing_contract::OrganizationId;

use crate::account_key::AccountKey;
use crate::files::{FileError, JsonStore};
use crate::views::ListSettings;

/// The settings of one account.
type AccountSettings = BTreeMap<OrganizationId, ListSettings>;

/// All settings, with the file that they are saved in.
pub(crate) struct ListSettingsStore {
    all: JsonStore<BTreeMap<AccountKey, AccountSettings>>,
}

impl ListSettingsStore {
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            all: JsonStore::open(path, "settings of lists", BTreeMap::new()),
        }
    }

    /// The settings of an organization; the defaults if there are none.
    pub(crate) fn of(&self, account: &AccountKey, organization: &OrganizationId) -> ListSettings {
        let mut all = self.all.get();
        let settings = all.get_mut(account).and_then(|of| of.remove(organization));
        settings.unwrap_or_default()
    }

    /// Replaces the settings of an organization; on disk when it returns.
    pub(crate) async fn save(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
        settings: ListSettings,
    ) -> Result<(), FileError> {
        let account = account.clone();
        let change = move |all: &mut BTreeMap<AccountKey, AccountSettings>| {
            all.entry(account)
                .or_default()
                .insert(organization, settings);
        };
        self.all.change(change).await
    }

    /// Removes all settings of an account; on disk when it returns.
    pub(crate) async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        let account = account.clone();
        let change = move |all: &mut BTreeMap<AccountKey, AccountSettings>| {
            all.remove(&account);
        };
        self.all.change(change).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{ListColumn, SavedView};

    #[test]
    fn settings_of_a_former_version_have_nothing_unfolded() {
        let read: ListSettings =
            serde_json::from_str(r#"{"views":[],"columns":[]}"#).expect("readable");
        assert_eq!(read, ListSettings::default());
    }

    #[tokio::test]
    async fn settings_belong_to_one_organization_of_one_account() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list-settings.json");
        let user = AccountKey::new("local", "u");
        let settings = ListSettings {
            views: vec![SavedView {
                id: "1".to_owned(),
                name: "Large".to_owned(),
                filter: r#"{"grossFrom":"1000"}"#.to_owned(),
                columns: Vec::new(),
            }],
            columns: vec![ListColumn {
                name: "number".to_owned(),
                width: Some(140),
            }],
            unfolded: vec!["references".to_owned()],
        };
        ListSettingsStore::open(path.clone())
            .save(&user, "1".into(), settings.clone())
            .await
            .expect("saved");
        let reopened = ListSettingsStore::open(path);
        assert_eq!(reopened.of(&user, &"1".into()), settings);
        assert_eq!(reopened.of(&user, &"2".into()), ListSettings::default());
        reopened.remove_account(&user).await.expect("saved");
        assert_eq!(reopened.of(&user, &"1".into()), ListSettings::default());
    }
}
