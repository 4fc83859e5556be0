//! What a user calls the organizations on this computer, kept per environment and user.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::files::{self, FileContent, FileError};

/// Organization id to name.
type Names = BTreeMap<String, String>;

/// The kept aliases.
pub(crate) struct Aliases {
    path: PathBuf,
    all: Mutex<BTreeMap<String, Names>>,
}

impl Aliases {
    pub(crate) fn open(path: PathBuf) -> Self {
        let all = match files::read_json(&path) {
            Ok(FileContent::Parsed(all)) => all,
            Ok(FileContent::Missing) => BTreeMap::new(),
            Ok(FileContent::Quarantined) | Err(_) => {
                tracing::warn!(
                    "the organizations' names could not be read; the file is kept beside"
                );
                BTreeMap::new()
            }
        };
        Self {
            path,
            all: Mutex::new(all),
        }
    }

    /// The aliases of one user of one environment: `owner` names both.
    pub(crate) fn of(&self, owner: &str) -> Names {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(owner).cloned().unwrap_or_default()
    }

    /// Gives or takes an alias, on disk when it returns. White space around it is not part of it; empty takes it away.
    pub(crate) async fn set(
        &self,
        owner: &str,
        organization: &str,
        alias: Option<&str>,
    ) -> Result<(), FileError> {
        let mut all = self
            .all
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let names = all.entry(owner.to_owned()).or_default();
        match alias.map(str::trim).filter(|alias| !alias.is_empty()) {
            Some(alias) => names.insert(organization.to_owned(), alias.to_owned()),
            None => names.remove(organization),
        };
        let path = self.path.clone();
        let written = all.clone();
        files::run_blocking(move || files::write_json(&path, &written)).await?;
        *self.all.lock().unwrap_or_else(PoisonError::into_inner) = all;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_alias_is_kept_for_its_user_only_and_can_be_taken_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("aliases.json");
        Aliases::open(path.clone())
            .set("local u", "1", Some("  Khair "))
            .await
            .expect("kept");
        let again = Aliases::open(path);
        assert_eq!(
            again.of("local u"),
            [("1".to_owned(), "Khair".to_owned())].into()
        );
        assert!(again.of("local other").is_empty() && again.of("staging u").is_empty());
        again.set("local u", "1", None).await.expect("kept");
        assert!(again.of("local u").is_empty());
    }
}
