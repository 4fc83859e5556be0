//! The environments of this computer: the embedded one, and those of the environments file.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use invoicing_contract::Names;
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::removed::RemovedEnvironments;
use super::{Environment, LOCAL};
use crate::files::JsonStore;
use crate::views::{
    CommandError, EnvironmentField, EnvironmentKind, EnvironmentProblem, EnvironmentView,
    InvalidFieldReason,
};
use crate::{LocalEnvironment, LocalEnvironmentError};

/// All environments. The embedded one starts when somebody signs in to it, or has a session there: never in advance, because
/// every program of this computer can reach its ports.
pub(crate) struct Environments {
    /// The entries of the file. Those that are no valid environments stay in it.
    entries: JsonStore<Vec<Value>>,
    removed: RemovedEnvironments,
    local: Option<Arc<dyn LocalEnvironment>>,
    embedded: Mutex<Option<Environment>>,
}

impl Environments {
    pub(crate) fn open(path: PathBuf, local: Option<Arc<dyn LocalEnvironment>>) -> Self {
        Self {
            removed: RemovedEnvironments::open(path.with_file_name("removed-environments.json")),
            entries: JsonStore::open(path, "environments", Vec::new()),
            local,
            embedded: Mutex::default(),
        }
    }

    /// The environment with this name. Starts the embedded one if it has that name.
    pub(crate) async fn get(&self, name: &str) -> Result<Environment, CommandError> {
        if name == LOCAL
            && let Some(local) = &self.local
        {
            return self.start(local.as_ref()).await;
        }
        let found = self
            .saved()
            .into_iter()
            .find(|environment| environment.name() == name);
        found.ok_or(CommandError::UnknownEnvironment)
    }

    /// The environment with this name if it is the embedded one and has started.
    pub(crate) fn running_embedded(&self, name: &str) -> Option<Environment> {
        let is_embedded = name == LOCAL && self.local.is_some();
        is_embedded.then(|| self.lock().clone()).flatten()
    }

    /// The environment with this name, unless it is the embedded one and has not started.
    pub(crate) fn running(&self, name: &str) -> Option<Environment> {
        if name == LOCAL && self.local.is_some() {
            return self.running_embedded(name);
        }
        let mut saved = self.saved().into_iter();
        saved.find(|environment| environment.name() == name)
    }

    /// Adds an environment. Its name must not be in use, nor have been that of a removed one with other addresses, to which the drafts
    /// under it belong.
    pub(crate) async fn add(&self, environment: Environment) -> Result<(), CommandError> {
        if self.contains(environment.name()) {
            return Err(refused_name(InvalidFieldReason::Taken, None));
        }
        if let Some(earlier) = self.removed.other_addresses(&environment) {
            let reason = InvalidFieldReason::OtherAddresses;
            return Err(refused_name(reason, Some(earlier)));
        }
        // Another call, or another program, may have added it since.
        let add = move |saved: &mut Vec<Environment>| {
            let is_free = saved.iter().all(|it| it.name() != environment.name());
            if is_free {
                saved.push(environment);
            }
            is_free
        };
        if self.change_saved(add).await? {
            Ok(())
        } else {
            Err(refused_name(InvalidFieldReason::Taken, None))
        }
    }

    /// Replaces the environment of the same name.
    pub(crate) async fn change(&self, environment: Environment) -> Result<(), CommandError> {
        self.require_saved(environment.name())?;
        self.change_saved(move |saved| {
            for other in saved {
                if other.name() == environment.name() {
                    *other = environment.clone();
                }
            }
        })
        .await
    }

    /// Removes an environment. Its drafts stay, and belong to a later environment of the same name and addresses.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), CommandError> {
        let mut saved = self.saved().into_iter();
        let removed = saved.find(|environment| environment.name() == name);
        let removed = removed.ok_or(CommandError::UnknownEnvironment)?;
        // First: without its addresses its name would be free for any other.
        self.removed.add(&removed).await?;
        let name = name.to_owned();
        self.change_saved(move |saved| saved.retain(|environment| environment.name() != name))
            .await
    }

    fn contains(&self, name: &str) -> bool {
        name == LOCAL || self.require_saved(name).is_ok()
    }

    fn require_saved(&self, name: &str) -> Result<(), CommandError> {
        let saved = self.saved();
        let saved = saved.iter().any(|environment| environment.name() == name);
        saved.then_some(()).ok_or(CommandError::UnknownEnvironment)
    }

    fn saved(&self) -> Vec<Environment> {
        parse(self.entries.get()).0
    }

    /// Changes the list, first in the file, and returns what `change` returns. Entries that are no valid environments stay.
    async fn change_saved<R: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Vec<Environment>) -> R + Send + 'static,
    ) -> Result<R, CommandError> {
        let change = move |entries: &mut Vec<Value>| {
            let (mut saved, invalid) = parse(std::mem::take(entries));
            let changed = change(&mut saved);
            *entries = saved
                .iter()
                .map(|environment| json!(environment))
                .chain(invalid)
                .collect();
            changed
        };
        Ok(self.entries.change(change).await?)
    }

    /// All environments, the embedded one first. Its addresses are empty until it has started.
    pub(crate) fn views(&self) -> Vec<EnvironmentView> {
        let state = self.lock();
        let embedded = self.local.as_ref().map(|_| match &*state {
            Some(environment) => environment.view(),
            None => EnvironmentView {
                name: LOCAL.to_owned(),
                kind: EnvironmentKind::Local,
                auth_url: String::new(),
                base_url: String::new(),
                config: None,
                demo_accounts: Vec::new(),
            },
        });
        embedded
            .into_iter()
            .chain(self.saved().iter().map(Environment::view))
            .collect()
    }

    async fn start(&self, local: &dyn LocalEnvironment) -> Result<Environment, CommandError> {
        let ready = local.start().await?;
        let environment = Environment::embedded(&ready)
            .map_err(|error| LocalEnvironmentError::Other(error.into()))?;
        *self.lock() = Some(environment.clone());
        Ok(environment)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Environment>> {
        self.embedded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused_name(reason: InvalidFieldReason, earlier: Option<String>) -> CommandError {
    CommandError::EnvironmentRefused {
        problems: vec![EnvironmentProblem {
            field: EnvironmentField::Name,
            reason,
            earlier,
        }],
    }
}

/// The environments among the entries of the file, and the entries that are no valid ones.
fn parse(entries: Vec<Value>) -> (Vec<Environment>, Vec<Value>) {
    let mut saved: Vec<Environment> = Vec::new();
    let mut invalid = Vec::new();
    for entry in entries {
        match Environment::deserialize(&current_form(entry.clone())) {
            Ok(environment)
                if environment.name() != LOCAL
                    && saved.iter().all(|other| other.name() != environment.name()) =>
            {
                saved.push(environment);
            }
            Ok(environment) => {
                tracing::warn!(
                    name = environment.name(),
                    "an environment has a name that is in use"
                );
                invalid.push(entry);
            }
            Err(error) => {
                tracing::warn!(%error, "an entry is no valid environment");
                invalid.push(entry);
            }
        }
    }
    (saved, invalid)
}

/// An entry with the names of fields of the current version. The first version wrote them in snake case, and left the
/// default namespace out.
fn current_form(mut entry: Value) -> Value {
    if let Some(fields) = entry.as_object_mut() {
        for (former, name) in [
            ("auth_url", "authUrl"),
            ("base_url", "baseUrl"),
            ("project_audience_id", "projectAudienceId"),
            ("client_id", "clientId"),
        ] {
            if let Some(value) = fields.remove(former) {
                fields.entry(name).or_insert(value);
            }
        }
        fields
            .entry("namespace")
            .or_insert_with(|| json!(Names::default().namespace()));
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::super::EnvironmentConfig;
    use super::*;
    use crate::files::{self, FileContent};

    fn environment(name: &str) -> Environment {
        Environment::new(EnvironmentConfig {
            name: name.to_owned(),
            kind: EnvironmentKind::Staging,
            auth_url: "https://id.example.com".to_owned(),
            base_url: "https://api.example.com".to_owned(),
            project_audience_id: "1".to_owned(),
            client_id: "desk".into(),
            namespace: "idp".to_owned(),
            proxy: String::new(),
            ca_file: String::new(),
        })
        .expect("a valid configuration")
    }

    #[tokio::test]
    async fn saved_environment_is_read_after_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("environments.json");
        Environments::open(path.clone(), None)
            .add(environment("staging"))
            .await
            .expect("written");
        let again = Environments::open(path, None);
        assert_eq!(again.get("staging").await, Ok(environment("staging")));
        assert_eq!(
            again.get("production").await,
            Err(CommandError::UnknownEnvironment)
        );
    }

    #[tokio::test]
    async fn invalid_entry_is_skipped_and_stays_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("environments.json");
        let good = serde_json::to_value(environment("staging")).expect("JSON");
        files::write_json(&path, &vec![serde_json::json!({"name": "x"}), good]).expect("written");
        let environments = Environments::open(path.clone(), None);
        assert_eq!(environments.views().len(), 1);
        environments
            .add(environment("production"))
            .await
            .expect("written");
        let FileContent::Parsed(entries) = files::read_json::<Vec<Value>>(&path).expect("read")
        else {
            panic!("not JSON")
        };
        assert_eq!(entries.len(), 3, "the invalid entry is gone");
    }

    #[tokio::test]
    async fn name_in_use_is_refused_and_the_embedded_environment_cannot_be_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let environments = Environments::open(folder.path().join("environments.json"), None);
        environments
            .add(environment("staging"))
            .await
            .expect("added");
        for name in ["staging", LOCAL] {
            let refused = environments.add(environment(name)).await;
            let Err(CommandError::EnvironmentRefused { problems }) = refused else {
                panic!("{name} was added twice")
            };
            assert_eq!(problems[0].reason, InvalidFieldReason::Taken);
        }
        assert_eq!(
            environments.change(environment(LOCAL)).await,
            Err(CommandError::UnknownEnvironment)
        );
        assert_eq!(
            environments.remove(LOCAL).await,
            Err(CommandError::UnknownEnvironment)
        );
    }

    #[tokio::test]
    async fn one_of_two_calls_at_once_adds_a_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let environments = Environments::open(folder.path().join("environments.json"), None);
        let add = || environments.add(environment("staging"));
        let (first, second) = tokio::join!(add(), add());
        assert_eq!(first, Ok(()));
        assert!(
            matches!(second, Err(CommandError::EnvironmentRefused { .. })),
            "{second:?}"
        );
        assert_eq!(environments.views().len(), 1);
    }

    #[tokio::test]
    async fn name_of_a_removed_environment_is_not_given_to_another_service() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("environments.json");
        let environments = Environments::open(path.clone(), None);
        let staging = environment("staging");
        environments.add(staging.clone()).await.expect("added");
        environments.remove("staging").await.expect("removed");
        let environments = Environments::open(path, None);
        for (auth_url, base_url) in [
            ("https://other.example.com", "https://api.example.com"),
            ("https://id.example.com", "https://other.example.com"),
        ] {
            let other = Environment::new(EnvironmentConfig {
                auth_url: auth_url.to_owned(),
                base_url: base_url.to_owned(),
                ..staging.clone().into()
            });
            let refused = environments.add(other.expect("a valid configuration"));
            let earlier = "https://id.example.com https://api.example.com".to_owned();
            let expected = refused_name(InvalidFieldReason::OtherAddresses, Some(earlier));
            assert_eq!(refused.await, Err(expected));
        }
        environments
            .add(staging.clone())
            .await
            .expect("its drafts are back");
        let moved = Environment::new(EnvironmentConfig {
            auth_url: "https://other.example.com".to_owned(),
            ..staging.into()
        });
        let moved = moved.expect("a valid configuration");
        let changed = environments.change(moved.clone());
        changed.await.expect("the same service has moved");
        environments.remove("staging").await.expect("removed");
        environments.add(moved).await.expect("its addresses now");
    }

    #[tokio::test]
    async fn changed_environment_keeps_its_position_and_a_removed_one_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let environments = Environments::open(folder.path().join("environments.json"), None);
        for name in ["staging", "production"] {
            environments.add(environment(name)).await.expect("added");
        }
        let elsewhere = Environment::new(EnvironmentConfig {
            base_url: "https://elsewhere.example.com".to_owned(),
            ..environment("staging").into()
        });
        let elsewhere = elsewhere.expect("a valid configuration");
        environments
            .change(elsewhere.clone())
            .await
            .expect("changed");
        assert_eq!(environments.get("staging").await, Ok(elsewhere));
        assert_eq!(environments.views()[0].name, "staging");
        environments.remove("staging").await.expect("removed");
        assert_eq!(
            environments.get("staging").await,
            Err(CommandError::UnknownEnvironment)
        );
        assert_eq!(environments.views().len(), 1);
    }
}
