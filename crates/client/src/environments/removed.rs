//! The addresses of environments that were removed. Drafts belong to the name of an environment, and stay when it is removed: another
//! service under this name must not get them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Environment;
use crate::files::{FileError, JsonStore};

/// The services of the environments that were removed, by name.
pub(super) struct RemovedEnvironments {
    services: JsonStore<BTreeMap<String, Service>>,
}

/// The addresses of an environment.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Service {
    auth_url: String,
    base_url: String,
}

impl RemovedEnvironments {
    pub(super) fn open(path: PathBuf) -> Self {
        Self {
            services: JsonStore::open(path, "removed environments", BTreeMap::new()),
        }
    }

    /// Keeps the addresses of an environment; on disk when it returns.
    pub(super) async fn add(&self, environment: &Environment) -> Result<(), FileError> {
        let (name, service) = (environment.name().to_owned(), Service::of(environment));
        let insert = move |services: &mut BTreeMap<String, Service>| {
            services.insert(name, service);
        };
        self.services.change(insert).await
    }

    /// The addresses of a removed environment of this name, if they are others.
    pub(super) fn other_addresses(&self, environment: &Environment) -> Option<String> {
        let removed = self.services.get().remove(environment.name())?;
        let is_other = removed != Service::of(environment);
        is_other.then(|| format!("{} {}", removed.auth_url, removed.base_url))
    }
}

impl Service {
    fn of(environment: &Environment) -> Self {
        Self {
            auth_url: environment.issuer().to_owned(),
            base_url: environment.gateway().to_owned(),
        }
    }
}
