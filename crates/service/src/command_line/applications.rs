//! `admin applications …`

use clap::{Subcommand, ValueEnum};
use invoicing_contract::ready::ApplicationKind;
use invoicing_identity::administration::{
    Administration, ApplicationChanges, RegisteredApplication,
};
use invoicing_storage::applications::{Application, GrantType, ScopeKind, kind_name};
use invoicing_storage::keys::SigningAlgorithm;
use serde::Serialize;

use super::output::{Output, time};
use super::{CommandResult, CommonOptions, confirm};

#[derive(Subcommand)]
pub(crate) enum Applications {
    /// Show all applications
    List,
    /// Show an application
    Show {
        /// Client id
        client_id: String,
    },
    /// Register an application; its secret is printed once
    Register {
        /// What it is for
        #[arg(value_enum)]
        kind: Kind,
        /// Client id; made if left out
        #[arg(long)]
        client_id: Option<String>,
        #[command(flatten)]
        changes: Changes,
    },
    /// Change what an application may do; what is left out stays as it is
    Change {
        /// Client id
        client_id: String,
        #[command(flatten)]
        changes: Changes,
    },
    /// Give an application a new secret, printed once; the one before stays good for a while, earlier ones until their own end
    RotateSecret {
        /// Client id
        client_id: String,
        /// Seconds for which the present one stays good; 0 ends it and all before it, as after a leak
        #[arg(long, value_name = "SECONDS", default_value_t = 86_400)]
        overlap: u32,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Kind {
    /// Native or in a browser, without a secret
    Public,
    /// On a server, with a secret
    Confidential,
    /// Acts for a machine user
    Machine,
    /// A resource server: may introspect
    Api,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Algorithm {
    #[value(name = "RS256")]
    Rs256,
    #[value(name = "EdDSA")]
    EdDsa,
}

#[derive(clap::Args)]
pub(crate) struct Changes {
    /// Name for people
    #[arg(long)]
    name: Option<String>,
    /// The tenant it belongs to; the password grant serves its people only
    #[arg(long, value_name = "ID")]
    organization: Option<String>,
    /// The machine user it acts for
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    /// Grants it may use
    #[arg(
        long = "grant",
        value_name = "GRANT",
        value_enum,
        value_delimiter = ','
    )]
    grants: Option<Vec<GrantType>>,
    /// Scopes it may ask for
    #[arg(
        long = "scope",
        value_name = "SCOPE",
        value_enum,
        value_delimiter = ','
    )]
    scopes: Option<Vec<ScopeKind>>,
    /// Where it may be called back
    #[arg(long = "redirect-uri", value_name = "URI")]
    redirect_uris: Option<Vec<String>>,
    /// Where it may be called back after signing out
    #[arg(long = "post-logout-uri", value_name = "URI")]
    post_logout_uris: Option<Vec<String>>,
    /// What its id_tokens are signed with
    #[arg(long, value_enum)]
    algorithm: Option<Algorithm>,
    /// Revoke the whole sign-in when a used refresh token comes back
    #[arg(long, value_name = "BOOL")]
    revoke_family_on_reuse: Option<bool>,
}

impl From<Changes> for ApplicationChanges {
    fn from(changes: Changes) -> Self {
        Self {
            name: changes.name,
            organization: changes.organization,
            subject: changes.user,
            grant_types: changes.grants,
            scopes: changes.scopes,
            redirect_uris: changes.redirect_uris,
            post_logout_uris: changes.post_logout_uris,
            id_token_algorithm: changes.algorithm.map(|algorithm| match algorithm {
                Algorithm::Rs256 => SigningAlgorithm::Rs256,
                Algorithm::EdDsa => SigningAlgorithm::EdDsa,
            }),
            revoke_family_on_reuse: changes.revoke_family_on_reuse,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    client_id: String,
    name: String,
    kind: &'static str,
    organization: Option<String>,
    user: Option<String>,
    grants: Vec<&'static str>,
    scopes: Vec<&'static str>,
    redirect_uris: Vec<String>,
    post_logout_uris: Vec<String>,
    algorithm: &'static str,
    revoke_family_on_reuse: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    retired_secrets_until: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

impl Applications {
    pub(super) async fn run(
        self,
        administration: &Administration,
        common: &CommonOptions,
    ) -> CommandResult {
        match self {
            Self::List => {
                let all = administration.store.applications().await?;
                let views: Vec<_> = all.into_iter().map(view).collect();
                let columns = [
                    "clientId",
                    "name",
                    "kind",
                    "organization",
                    "grants",
                    "scopes",
                ];
                Ok(Output::list(&views, &columns))
            }
            Self::Show { client_id } => Ok(Output::one(&view(
                administration.application(&client_id).await?,
            ))),
            Self::Register {
                kind,
                client_id,
                changes,
            } => {
                let kind = match kind {
                    Kind::Public => ApplicationKind::Public,
                    Kind::Confidential => ApplicationKind::Confidential,
                    Kind::Machine => ApplicationKind::Machine,
                    Kind::Api => ApplicationKind::Api,
                };
                Ok(registered(
                    administration
                        .register(kind, client_id, changes.into())
                        .await?,
                ))
            }
            Self::Change { client_id, changes } => Ok(Output::one(&view(
                administration
                    .change_application(&client_id, changes.into())
                    .await?,
            ))),
            Self::RotateSecret { client_id, overlap } => {
                confirm(
                    common,
                    &format!(
                        "Replace the secret of {client_id}? The present one is good for {overlap} more seconds."
                    ),
                )?;
                Ok(registered(
                    administration.rotate_secret(&client_id, overlap).await?,
                ))
            }
        }
    }
}

fn registered(registered: RegisteredApplication) -> Output {
    let RegisteredApplication {
        application,
        secret,
    } = registered;
    let mut view = view(application);
    view.client_secret = secret.map(|secret| secret.expose().to_owned());
    Output::one(&view)
}

fn view(application: Application) -> View {
    let retired = application.secret.map(|secret| secret.retired);
    View {
        client_id: application.client_id.into_string(),
        name: application.name,
        kind: kind_name(application.kind),
        organization: application.organization.map(Into::into),
        user: application.subject.map(Into::into),
        grants: application
            .grant_types
            .into_iter()
            .map(GrantType::name)
            .collect(),
        scopes: application
            .scopes
            .into_iter()
            .map(ScopeKind::name)
            .collect(),
        redirect_uris: application.redirect_uris,
        post_logout_uris: application.post_logout_uris,
        algorithm: application.id_token_algorithm.name(),
        revoke_family_on_reuse: application.revoke_family_on_reuse,
        retired_secrets_until: retired
            .unwrap_or_default()
            .into_iter()
            .map(|retired| time(retired.until))
            .collect(),
        client_secret: None,
    }
}
