//! The environments of this computer: the embedded one, and those of the environments file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize as _, Serialize};
use serde_json::Value;

use super::{Environment, LOCAL};
use crate::files::{self, FileContent};
use crate::views::{
    CommandError, EnvironmentField, EnvironmentKind, EnvironmentProblem, EnvironmentView,
    InvalidFieldReason,
};
use crate::{LocalEnvironment, LocalEnvironmentError};

/// All environments. The embedded one starts when somebody signs in to it, or has a session there: never in advance, because
/// every program of this computer can reach its ports.
pub(crate) struct Environments {
    path: PathBuf,
    local: Option<Arc<dyn LocalEnvironment>>,
    state: Mutex<State>,
    writing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    saved: Vec<Environment>,
    /// Entries that are no valid environments. They stay in the file.
    invalid: Vec<Value>,
    embedded: Option<Environment>,
}

impl Environments {
    pub(crate) fn open(path: PathBuf, local: Option<Arc<dyn LocalEnvironment>>) -> Self {
        let (saved, invalid) = read(&path);
        Self {
            path,
            local,
            state: Mutex::new(State {
                saved,
                invalid,
                embedded: None,
            }),
            writing: tokio::sync::Mutex::default(),
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
            .lock()
            .saved
            .iter()
            .find(|environment| environment.name() == name)
            .cloned();
        found.ok_or(CommandError::UnknownEnvironment)
    }

    /// Adds an environment. Its name must not be in use.
    pub(crate) async fn add(&self, environment: Environment) -> Result<(), CommandError> {
        if self.contains(environment.name()) {
            return Err(CommandError::EnvironmentRefused {
                problems: vec![EnvironmentProblem {
                    field: EnvironmentField::Name,
                    reason: InvalidFieldReason::Taken,
                }],
            });
        }
        self.write(|saved| saved.push(environment)).await
    }

    /// Replaces the environment of the same name.
    pub(crate) async fn change(&self, environment: Environment) -> Result<(), CommandError> {
        self.require_saved(environment.name())?;
        self.write(|saved| {
            for other in saved {
                if other.name() == environment.name() {
                    *other = environment.clone();
                }
            }
        })
        .await
    }

    /// Removes an environment. Its drafts stay, and belong to a later environment of the same name.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), CommandError> {
        self.require_saved(name)?;
        self.write(|saved| saved.retain(|environment| environment.name() != name))
            .await
    }

    fn contains(&self, name: &str) -> bool {
        name == LOCAL || self.require_saved(name).is_ok()
    }

    fn require_saved(&self, name: &str) -> Result<(), CommandError> {
        let state = self.lock();
        let saved = state
            .saved
            .iter()
            .any(|environment| environment.name() == name);
        saved.then_some(()).ok_or(CommandError::UnknownEnvironment)
    }

    /// Changes the list, first in the file. Writes are serialized.
    async fn write(&self, change: impl FnOnce(&mut Vec<Environment>)) -> Result<(), CommandError> {
        let _writing = self.writing.lock().await;
        let (mut saved, invalid) = {
            let state = self.lock();
            (state.saved.clone(), state.invalid.clone())
        };
        change(&mut saved);
        let path = self.path.clone();
        let entries: Vec<_> = saved
            .iter()
            .map(Entry::Valid)
            .chain(invalid.iter().map(Entry::Invalid))
            .map(|entry| serde_json::json!(entry))
            .collect();
        files::run_blocking(move || files::write_json(&path, &entries)).await?;
        self.lock().saved = saved;
        Ok(())
    }

    /// All environments, the embedded one first. Its addresses are empty until it has started.
    pub(crate) fn views(&self) -> Vec<EnvironmentView> {
        let state = self.lock();
        let embedded = self.local.as_ref().map(|_| match &state.embedded {
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
            .chain(state.saved.iter().map(Environment::view))
            .collect()
    }

    async fn start(&self, local: &dyn LocalEnvironment) -> Result<Environment, CommandError> {
        let ready = local.start().await?;
        let environment = Environment::embedded(&ready)
            .map_err(|error| LocalEnvironmentError::Other(error.into()))?;
        self.lock().embedded = Some(environment.clone());
        Ok(environment)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An entry of the file.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Valid(&'a Environment),
    Invalid(&'a Value),
}

/// Reads the file: the environments, and the entries that are no valid ones.
fn read(path: &Path) -> (Vec<Environment>, Vec<Value>) {
    let entries: Vec<Value> = match files::read_json(path) {
        Ok(FileContent::Parsed(entries)) => entries,
        Ok(FileContent::Missing) => return (Vec::new(), Vec::new()),
        Ok(FileContent::Quarantined) => {
            tracing::warn!("the environments file cannot be parsed and was renamed");
            return (Vec::new(), Vec::new());
        }
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the environments file cannot be read"
            );
            return (Vec::new(), Vec::new());
        }
    };
    let mut saved: Vec<Environment> = Vec::new();
    let mut invalid = Vec::new();
    for entry in entries {
        match Environment::deserialize(&entry) {
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

#[cfg(test)]
mod tests {
    use super::super::EnvironmentConfig;
    use super::*;

    fn environment(name: &str) -> Environment {
        Environment::new(EnvironmentConfig {
            name: name.to_owned(),
            kind: EnvironmentKind::Staging,
            auth_url: "https://id.example.com".to_owned(),
            base_url: "https://api.example.com".to_owned(),
            project_audience_id: "1".to_owned(),
            client_id: "desk".into(),
            namespace: "idp".to_owned(),
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
