//! `keys …` and `admin keys …`

use std::path::PathBuf;

use clap::Subcommand;
use invoicing_identity::administration::Administration;
use invoicing_service::{
    DatabaseOptions, SystemClock, SystemRng, read_key_file, rotate_encryption,
};
use invoicing_storage::keys::SigningKeyRecord;
use serde::Serialize;

use super::output::{Output, time};
use super::{CommandError, CommandResult};

#[derive(Subcommand)]
pub(crate) enum Keys {
    /// Show the keys, without their private parts
    List,
    /// Let the next keys sign now; running servers notice within seconds
    Rotate,
    /// Encrypt stored secrets with the key in the first line of the key file; the others may then be removed from it
    RotateEncryption {
        /// The key file; by default the one beside a database that is a file
        #[arg(long, env = "INVOICING_ENCRYPTION_KEY_FILE", value_name = "FILE")]
        encryption_key_file: Option<PathBuf>,
    },
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
            Self::Rotate => administration.rotate_keys().await?,
            Self::RotateEncryption {
                encryption_key_file,
            } => {
                let file = encryption_key_file.or_else(|| database.key_file());
                let file = file.ok_or(CommandError::NoKeyFile)?;
                let rotated = rotate_encryption(
                    &*administration.store,
                    &read_key_file(&file)?,
                    &SystemClock,
                    &SystemRng,
                )
                .await?;
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
