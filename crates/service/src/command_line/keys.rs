//! `keys …` and `admin keys …`

use clap::Subcommand;
use invoicing_identity::administration::Administration;
use invoicing_storage::keys::SigningKeyRecord;
use serde::Serialize;

use super::CommandResult;
use super::output::{Output, time};

#[derive(Subcommand)]
pub(crate) enum Keys {
    /// Show the keys, without their private parts
    List,
    /// Let the next keys sign now; running servers notice within seconds
    Rotate,
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
    pub(super) async fn run(self, administration: &Administration) -> CommandResult {
        let keys = match self {
            Self::List => administration.store.signing_keys().await?,
            Self::Rotate => administration.rotate_keys().await?,
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
