//! A JSON file with a value for each account of this computer.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::account_key::AccountKey;
use crate::files::{FileError, JsonStore};

/// The values of all accounts, with the file that they are saved in.
pub(crate) struct AccountStore<T> {
    all: JsonStore<BTreeMap<AccountKey, T>>,
}

impl<T> AccountStore<T>
where
    T: Clone + Default + Serialize + DeserializeOwned + Send + 'static,
{
    /// Reads the file; `name` says in the log what it holds.
    pub(crate) fn open(path: PathBuf, name: &'static str) -> Self {
        Self {
            all: JsonStore::open(path, name, BTreeMap::new()),
        }
    }

    /// The value of an account; the default if there is none.
    pub(crate) fn of(&self, account: &AccountKey) -> T {
        self.all.get().remove(account).unwrap_or_default()
    }

    /// Changes the value of an account; on disk when it returns.
    pub(crate) async fn change(
        &self,
        account: &AccountKey,
        change: impl FnOnce(&mut T) + Send + 'static,
    ) -> Result<(), FileError> {
        let account = account.clone();
        let change_all = move |all: &mut BTreeMap<AccountKey, T>| {
            change(all.entry(account).or_default());
        };
        self.all.change(change_all).await
    }

    /// Removes the value of an account; on disk when it returns.
    pub(crate) async fn remove(&self, account: &AccountKey) -> Result<(), FileError> {
        let account = account.clone();
        let remove = move |all: &mut BTreeMap<AccountKey, T>| {
            all.remove(&account);
        };
        self.all.change(remove).await
    }
}
