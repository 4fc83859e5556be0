//! What a user has set for an organization on this computer, for each account: views and columns of its list and the period of its
//! reports (decision 0142), and changes of its rules that are not published.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use invoicing_contract::OrganizationId;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::account_key::AccountKey;
use crate::account_store::AccountStore;
use crate::files::FileError;
use crate::views::{ListSettings, RuleEdits};

/// The settings of one kind, of each organization of one account.
type Settings<T> = BTreeMap<OrganizationId, T>;

/// All settings of organizations.
pub(crate) struct OrganizationSettings {
    pub(crate) lists: SettingsFile<ListSettings>,
    pub(crate) rule_edits: SettingsFile<RuleEdits>,
}

impl OrganizationSettings {
    pub(crate) fn open(folder: &Path) -> Self {
        Self {
            lists: SettingsFile::open(folder.join("list-settings.json"), "settings of lists"),
            rule_edits: SettingsFile::open(folder.join("rule-edits.json"), "changes of rules"),
        }
    }

    /// Removes all settings of an account; on disk when it returns.
    pub(crate) async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        self.lists.remove_account(account).await?;
        self.rule_edits.remove_account(account).await
    }
}

/// The settings of one kind, with the file that they are saved in.
pub(crate) struct SettingsFile<T> {
    all: AccountStore<Settings<T>>,
}

impl<T> SettingsFile<T>
where
    T: Clone + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    fn open(path: PathBuf, name: &'static str) -> Self {
        Self {
            all: AccountStore::open(path, name),
        }
    }

    /// The settings of an organization; the defaults if there are none.
    pub(crate) fn of(&self, account: &AccountKey, organization: &OrganizationId) -> T {
        let settings = self.all.of(account).remove(organization);
        settings.unwrap_or_default()
    }

    /// Replaces the settings of an organization; on disk when it returns. The defaults are not stored.
    pub(crate) async fn save(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
        settings: T,
    ) -> Result<(), FileError> {
        let change = move |of: &mut Settings<T>| {
            if settings == T::default() {
                of.remove(&organization);
            } else {
                of.insert(organization, settings);
            }
        };
        self.all.change(account, change).await
    }

    async fn remove_account(&self, account: &AccountKey) -> Result<(), FileError> {
        self.all.remove(account).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{ListColumn, ReportPeriod, RuleEdit, SavedView};

    #[test]
    fn settings_of_a_former_version_have_nothing_unfolded_and_no_period() {
        let read: ListSettings =
            serde_json::from_str(r#"{"views":[],"columns":[]}"#).expect("readable");
        assert_eq!(read, ListSettings::default());
    }

    #[tokio::test]
    async fn defaults_are_not_stored_and_remove_what_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let user = AccountKey::new("local", "u");
        let opened = OrganizationSettings::open(folder.path());
        let edits = RuleEdits {
            comment: "Plans for clerks".to_owned(),
            ..RuleEdits::default()
        };
        for (edits, stored) in [(edits, 1), (RuleEdits::default(), 0)] {
            let saved = opened.rule_edits.save(&user, "1".into(), edits.clone());
            saved.await.expect("saved");
            let file = std::fs::read(folder.path().join("rule-edits.json")).expect("a file");
            let file: BTreeMap<AccountKey, Settings<RuleEdits>> =
                serde_json::from_slice(&file).expect("JSON");
            assert_eq!(file[&user].len(), stored);
            assert_eq!(opened.rule_edits.of(&user, &"1".into()), edits);
        }
    }

    #[tokio::test]
    async fn settings_belong_to_one_organization_of_one_account() {
        let folder = tempfile::tempdir().expect("a folder");
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
            report_period: Some(ReportPeriod {
                name: "days".to_owned(),
                from: "2024-01-01".to_owned(),
                to: "2024-03-31".to_owned(),
            }),
        };
        let edits = RuleEdits {
            stamp: "a".to_owned(),
            cells: vec![RuleEdit {
                role: "clerk".to_owned(),
                scope: "Service.Plans.v2.Get".to_owned(),
                allowed: true,
            }],
            comment: "Plans for clerks".to_owned(),
        };
        let opened = OrganizationSettings::open(folder.path());
        let saved = opened.lists.save(&user, "1".into(), settings.clone());
        saved.await.expect("saved");
        let saved = opened.rule_edits.save(&user, "1".into(), edits.clone());
        saved.await.expect("saved");
        let reopened = OrganizationSettings::open(folder.path());
        assert_eq!(reopened.lists.of(&user, &"1".into()), settings);
        assert_eq!(
            reopened.lists.of(&user, &"2".into()),
            ListSettings::default()
        );
        assert_eq!(reopened.rule_edits.of(&user, &"1".into()), edits);
        reopened.remove_account(&user).await.expect("saved");
        assert_eq!(
            reopened.lists.of(&user, &"1".into()),
            ListSettings::default()
        );
        assert_eq!(
            reopened.rule_edits.of(&user, &"1".into()),
            RuleEdits::default()
        );
    }
}
