//! `admin pats …`

use clap::Subcommand;
use invoicing_identity::administration::Administration;
use invoicing_storage::pats::PersonalAccessToken;
use serde::Serialize;

use super::output::{Output, time};
use super::{CommandResult, CommonOptions, confirm};

#[derive(Subcommand)]
pub(crate) enum Pats {
    /// Show the personal access tokens of a machine user
    List {
        /// Id or username
        user: String,
    },
    /// Mint one, printed once; never in an environment of kind production
    Mint {
        /// Id or username of a machine user
        user: String,
        /// What it is for
        #[arg(long)]
        name: String,
        /// How long it works
        #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=366))]
        days: u16,
    },
    /// Revoke one
    Revoke {
        /// Its id
        id: String,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    id: String,
    user: String,
    name: String,
    created_at: String,
    expires_at: String,
    revoked_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl Pats {
    pub(super) async fn run(
        self,
        administration: &Administration,
        common: &CommonOptions,
    ) -> CommandResult {
        match self {
            Self::List { user } => {
                let subject = administration.user(&user).await?.subject;
                let pats = administration
                    .store
                    .pats(&subject.id, None, u32::MAX)
                    .await?;
                let views: Vec<_> = pats.into_iter().map(view).collect();
                let columns = ["id", "name", "createdAt", "expiresAt", "revokedAt"];
                Ok(Output::list(&views, &columns))
            }
            Self::Mint { user, name, days } => {
                let (pat, token) = administration.mint_pat(&user, &name, days).await?;
                let mut view = view(pat);
                view.token = Some(token.expose().to_owned());
                Ok(Output::one(&view))
            }
            Self::Revoke { id } => {
                confirm(
                    common,
                    &format!("Revoke {id}? Whatever uses it stops working."),
                )?;
                Ok(Output::one(&view(administration.revoke_pat(&id).await?)))
            }
        }
    }
}

fn view(pat: PersonalAccessToken) -> View {
    View {
        id: pat.id,
        user: pat.subject.into_string(),
        name: pat.name,
        created_at: time(pat.created_at),
        expires_at: time(pat.expires_at),
        revoked_at: pat.revoked_at.map(time),
        token: None,
    }
}
