//! The environments that this computer knows: the embedded one, and those kept in a file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize as _, Serialize};
use serde_json::Value;

use super::{Environment, LOCAL};
use crate::files::{self, Content};
use crate::views::{
    CommandError, EnvironmentField, EnvironmentKind, EnvironmentProblem, EnvironmentTrouble,
    EnvironmentView,
};
use crate::{LocalEnvironment, LocalEnvironmentError};

/// All environments. The embedded one starts when it is first asked for.
pub(crate) struct Environments {
    path: PathBuf,
    local: Option<Arc<dyn LocalEnvironment>>,
    state: Mutex<State>,
    writing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    kept: Vec<Environment>,
    /// Entries that make no environment: they stay in the file.
    unread: Vec<Value>,
    embedded: Option<Environment>,
}

impl Environments {
    pub(crate) fn open(path: PathBuf, local: Option<Arc<dyn LocalEnvironment>>) -> Self {
        let (kept, unread) = read(&path);
        Self {
            path,
            local,
            state: Mutex::new(State {
                kept,
                unread,
                embedded: None,
            }),
            writing: tokio::sync::Mutex::default(),
        }
    }

    /// The environment with this name; starts the embedded one if that is meant.
    pub(crate) async fn get(&self, name: &str) -> Result<Environment, CommandError> {
        if name == LOCAL
            && let Some(local) = &self.local
        {
            return self.start(local.as_ref()).await;
        }
        let found = self
            .lock()
            .kept
            .iter()
            .find(|environment| environment.name() == name)
            .cloned();
        found.ok_or(CommandError::UnknownEnvironment)
    }

    /// Keeps an environment whose name is not taken.
    pub(crate) async fn add(&self, environment: Environment) -> Result<(), CommandError> {
        if self.knows(environment.name()) {
            return Err(CommandError::EnvironmentRefused {
                problems: vec![EnvironmentProblem {
                    field: EnvironmentField::Name,
                    trouble: EnvironmentTrouble::Taken,
                }],
            });
        }
        self.write(|kept| kept.push(environment)).await
    }

    /// Keeps an environment in place of the one of its name.
    pub(crate) async fn change(&self, environment: Environment) -> Result<(), CommandError> {
        self.editable(environment.name())?;
        self.write(|kept| {
            for other in kept {
                if other.name() == environment.name() {
                    *other = environment.clone();
                }
            }
        })
        .await
    }

    /// Forgets an environment. Drafts that belong to it stay, and are found again under its name.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), CommandError> {
        self.editable(name)?;
        self.write(|kept| kept.retain(|environment| environment.name() != name))
            .await
    }

    fn knows(&self, name: &str) -> bool {
        name == LOCAL || self.editable(name).is_ok()
    }

    fn editable(&self, name: &str) -> Result<(), CommandError> {
        let state = self.lock();
        let known = state
            .kept
            .iter()
            .any(|environment| environment.name() == name);
        known.then_some(()).ok_or(CommandError::UnknownEnvironment)
    }

    /// Changes the list, in the file first. Writes follow one another.
    async fn write(&self, change: impl FnOnce(&mut Vec<Environment>)) -> Result<(), CommandError> {
        let _writing = self.writing.lock().await;
        let (mut kept, unread) = {
            let state = self.lock();
            (state.kept.clone(), state.unread.clone())
        };
        change(&mut kept);
        let path = self.path.clone();
        let entries: Vec<_> = kept
            .iter()
            .map(Entry::Read)
            .chain(unread.iter().map(Entry::Unread))
            .map(|entry| serde_json::json!(entry))
            .collect();
        files::off_thread(move || files::write_json(&path, &entries)).await?;
        self.lock().kept = kept;
        Ok(())
    }

    /// All of them, the embedded one first and its addresses empty until it has started.
    pub(crate) fn views(&self) -> Vec<EnvironmentView> {
        let state = self.lock();
        let embedded = self.local.as_ref().map(|_| match &state.embedded {
            Some(environment) => environment.view(),
            None => EnvironmentView {
                name: LOCAL.to_owned(),
                kind: EnvironmentKind::Local,
                auth_url: String::new(),
                base_url: String::new(),
                particulars: None,
                demo_accounts: Vec::new(),
            },
        });
        embedded
            .into_iter()
            .chain(state.kept.iter().map(Environment::view))
            .collect()
    }

    /// Starts the embedded environment ahead of need, so that its accounts can be shown. Trouble is told when it is used.
    pub(crate) async fn warm_up(&self) -> bool {
        match &self.local {
            Some(local) => self.start(local.as_ref()).await.is_ok(),
            None => false,
        }
    }

    async fn start(&self, local: &dyn LocalEnvironment) -> Result<Environment, CommandError> {
        let ready = local.start().await?;
        let environment =
            Environment::embedded(&ready).map_err(|error| LocalEnvironmentError::Other {
                reason: error.to_string(),
            })?;
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
    Read(&'a Environment),
    Unread(&'a Value),
}

/// Reads the file: the environments, and the entries that make none.
fn read(path: &Path) -> (Vec<Environment>, Vec<Value>) {
    let entries: Vec<Value> = match files::read_json(path) {
        Ok(Content::Good(entries)) => entries,
        Ok(Content::Missing) => return (Vec::new(), Vec::new()),
        Ok(Content::SetAside) | Err(_) => {
            tracing::warn!("the environments could not be read; the file is kept beside");
            return (Vec::new(), Vec::new());
        }
    };
    let mut kept: Vec<Environment> = Vec::new();
    let mut unread = Vec::new();
    for entry in entries {
        match Environment::deserialize(&entry) {
            Ok(environment)
                if environment.name() != LOCAL
                    && kept.iter().all(|other| other.name() != environment.name()) =>
            {
                kept.push(environment);
            }
            Ok(environment) => {
                tracing::warn!(
                    name = environment.name(),
                    "an environment's name is taken already"
                );
                unread.push(entry);
            }
            Err(error) => {
                tracing::warn!(%error, "an entry makes no environment");
                unread.push(entry);
            }
        }
    }
    (kept, unread)
}

#[cfg(test)]
mod tests {
    use super::super::Particulars;
    use super::*;

    fn environment(name: &str) -> Environment {
        Environment::new(Particulars {
            name: name.to_owned(),
            kind: EnvironmentKind::Staging,
            auth_url: "https://id.example.com".to_owned(),
            base_url: "https://api.example.com".to_owned(),
            project_audience_id: "1".to_owned(),
            client_id: "desk".to_owned(),
            namespace: "idp".to_owned(),
        })
        .expect("it is right")
    }

    #[tokio::test]
    async fn a_kept_environment_is_there_after_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("environments.json");
        Environments::open(path.clone(), None)
            .add(environment("staging"))
            .await
            .expect("kept");
        let again = Environments::open(path, None);
        assert_eq!(again.get("staging").await, Ok(environment("staging")));
        assert_eq!(
            again.get("production").await,
            Err(CommandError::UnknownEnvironment)
        );
    }

    #[tokio::test]
    async fn one_bad_entry_does_not_hide_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("environments.json");
        let good = serde_json::to_value(environment("staging")).expect("JSON");
        files::write_json(&path, &vec![serde_json::json!({"name": "x"}), good]).expect("written");
        let environments = Environments::open(path.clone(), None);
        assert_eq!(environments.views().len(), 1);
        environments
            .add(environment("production"))
            .await
            .expect("kept");
        let Content::Good(entries) = files::read_json::<Vec<Value>>(&path).expect("read") else {
            panic!("not JSON")
        };
        assert_eq!(
            entries.len(),
            3,
            "the entry that was not understood is gone"
        );
    }

    #[tokio::test]
    async fn a_name_is_given_once_and_the_embedded_one_is_not_to_be_edited() {
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
            assert_eq!(problems[0].trouble, EnvironmentTrouble::Taken);
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
    async fn a_changed_environment_keeps_its_place_and_a_removed_one_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let environments = Environments::open(folder.path().join("environments.json"), None);
        for name in ["staging", "production"] {
            environments.add(environment(name)).await.expect("added");
        }
        let elsewhere = Environment::new(Particulars {
            base_url: "https://elsewhere.example.com".to_owned(),
            ..environment("staging").into()
        });
        let elsewhere = elsewhere.expect("it is right");
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
