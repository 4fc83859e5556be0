//! Commands about the accounts of this computer.

use super::{CommandResult, Desktop, WindowKey};
use crate::account_key::AccountKey;
use crate::read_cache;
use crate::session::AccountRecord;
use crate::sign_in::SignInOptions;
use crate::views::{AccountData, AccountView};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn start_sign_in_once(
        &self,
        _window: &WindowKey,
        environment: String,
    ) -> CommandResult<()> {
        let options = SignInOptions {
            remember: false,
            ..self.sign_in_options(environment)
        };
        self.sign_in.start(options).await
    }

    pub async fn accounts(&self, _window: &WindowKey) -> CommandResult<Vec<AccountView>> {
        let active = self.active_account_id();
        let accounts = self.session.accounts().await?.into_iter();
        Ok(accounts
            .map(|account| AccountView {
                id: account.id(),
                active: active.as_ref() == Some(&account.id()),
                name: account.identity.name,
                username: account.identity.username,
                environment: account.environment,
                last_used: account.last_answer.to_string(),
                remembered: account.remembered,
            })
            .collect())
    }

    pub async fn switch_account(&self, _window: &WindowKey, account: String) -> CommandResult<()> {
        self.session
            .switch_account(&self.environments, &account)
            .await?;
        self.open_drafts.close_all();
        self.bind_open_windows();
        self.changes.notify();
        Ok(())
    }

    pub async fn account_data(
        &self,
        _window: &WindowKey,
        account: String,
    ) -> CommandResult<AccountData> {
        let record = self.session.account(&account).await?;
        self.data_of(&record).await
    }

    pub async fn purge_account(
        &self,
        window: &WindowKey,
        account: String,
        agreed: AccountData,
    ) -> CommandResult<bool> {
        let record = self.session.account(&account).await?;
        let key = account_key(&record);
        let organizations = record.identity.organizations();
        if self.data_of(&record).await? != agreed {
            return Ok(false);
        }
        let count = usize::try_from(agreed.drafts).unwrap_or(usize::MAX);
        let deleted = self
            .drafts
            .delete_of_account(&key, organizations, count)
            .await?;
        if !deleted {
            return Ok(false);
        }
        self.bulk_runs
            .delete_of_account(&key, record.identity.organizations())
            .await?;
        self.attachments.records().delete_of_account(&key).await?;
        self.templates.records().delete_of_account(&key).await?;
        self.exports.records().delete_of_account(&key).await?;
        self.aliases.remove_account(&key).await?;
        self.organization_names.remove_account(&key).await?;
        self.shortlist.remove_account(&key).await?;
        self.organization_settings.remove_account(&key).await?;
        self.palette_recents.remove_account(&key).await?;
        self.bindings.remove_account(&key).await;
        if self.active_account_id().as_ref() == Some(&account) {
            self.sign_out(window).await?;
        } else {
            let cache = self
                .environments
                .get(&record.environment)
                .await
                .map(|environment| read_cache::account_in(&environment, &record.identity));
            self.session
                .forget_account(&self.environments, &account)
                .await?;
            if let Ok(cache) = cache {
                self.read_cache.purge(&cache).await;
            }
        }
        self.changes.notify();
        Ok(true)
    }
}

impl Desktop {
    async fn data_of(&self, record: &AccountRecord) -> CommandResult<AccountData> {
        let key = account_key(record);
        let organizations = record.identity.organizations();
        let drafts = self.drafts.count_of_account(&key, organizations).await?;
        let templates = self.templates.records().count_of_account(&key).await?;
        let waiting_files = self.attachments.records().count_of_account(&key).await?;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(AccountData {
            drafts: count(drafts),
            templates: count(templates),
            waiting_files: count(waiting_files),
        })
    }

    fn active_account_id(&self) -> Option<String> {
        Some(self.session.active().ok()?.account_id())
    }
}

fn account_key(record: &AccountRecord) -> AccountKey {
    AccountKey::new(&record.environment, &record.identity.subject)
}
