//! `keys …` and `admin keys …`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use invoicing_identity::administration::Administration;
use invoicing_service::{
    DatabaseOptions, KeyFileError, SystemClock, SystemRng, read_key_file, rotate_encryption,
};
use invoicing_storage::kept_secrets::EncryptionAtRest;
use invoicing_storage::keys::SigningKeyRecord;
use serde::Serialize;

use super::output::{Output, time};
use super::{CommandError, CommandResult};

#[derive(Subcommand)]
pub(crate) enum Keys {
    /// Show the keys, without their private parts
    List,
    /// Let the next keys sign now; running servers notice within seconds
    Rotate(KeyFile),
    /// Encrypt stored secrets with the key in the first line of the key file; the others may then be removed from it
    RotateEncryption(KeyFile),
}

#[derive(Args)]
pub(crate) struct KeyFile {
    /// The key file of the service; by default the one beside a database that is a file
    #[arg(long, env = "INVOICING_ENCRYPTION_KEY_FILE", value_name = "FILE")]
    encryption_key_file: Option<PathBuf>,
}

impl KeyFile {
    /// The keys of the file that is named, or of the one that a local environment has made.
    fn read(self, database: &DatabaseOptions) -> Result<EncryptionAtRest, KeyFileError> {
        if let Some(file) = self.encryption_key_file {
            return read_key_file(&file).map(EncryptionAtRest::Configured);
        }
        match database.key_file().filter(|file| file.exists()) {
            Some(file) => read_key_file(&file).map(EncryptionAtRest::SelfMade),
            None => Ok(EncryptionAtRest::None),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    kid: &'a str,
    algorithm: &'static str,
    state: &'static str,
    since: String,
}

impl Keys {
    pub(super) async fn run(
        self,
        administration: &Administration,
        database: &DatabaseOptions,
    ) -> CommandResult {
        let keys = match self {
            Self::List => administration.store.signing_keys().await?,
            Self::Rotate(file) => {
                let encryption = file.read(database)?;
                administration.rotate_keys(&encryption).await?
            }
            Self::RotateEncryption(file) => {
                let encryption = file.read(database)?;
                if encryption.keys().is_none() {
                    return Err(CommandError::NoKeyFile);
                }
                let store = &*administration.store;
                let rotated = rotate_encryption(store, &encryption, &SystemClock, &SystemRng);
                let rotated = rotated.await?;
                return Ok(Output::list(&[rotated], &["encrypted", "unchanged"]));
            }
        };
        let views: Vec<_> = keys.iter().map(view).collect();
        Ok(Output::list(
            &views,
            &["algorithm", "state", "since", "kid"],
        ))
    }
}

fn view(key: &SigningKeyRecord) -> View<'_> {
    View {
        kid: &key.kid,
        algorithm: key.algorithm.name(),
        state: key.state.name(),
        since: time(key.changed_at),
    }
}
