//! `admin grants …`

use clap::Subcommand;
use invoicing_identity::administration::Administration;
use serde::Serialize;

use super::output::Output;
use super::{CommandError, CommandResult, CommonOptions, confirm};

#[derive(Subcommand)]
pub(crate) enum Grants {
    /// Show the roles of a user
    List {
        /// Id or username
        user: String,
    },
    /// Give a role in an organization; the gateway knows at the next request
    Add(Grant),
    /// Take a role away; the gateway knows at the next request
    Remove(Grant),
}

#[derive(clap::Args)]
pub(crate) struct Grant {
    /// Id or username
    user: String,
    /// Id of the organization
    organization: String,
    /// Role, as in accountant
    role: String,
}

#[derive(Serialize)]
struct View {
    organization: String,
    domain: String,
    role: String,
}

impl Grants {
    pub(super) async fn run(
        self,
        administration: &Administration,
        common: &CommonOptions,
    ) -> CommandResult {
        let user = match self {
            Self::List { user } => user,
            Self::Add(grant) => {
                administration
                    .add_role(&grant.user, &grant.organization, &grant.role)
                    .await?;
                grant.user
            }
            Self::Remove(grant) => {
                let Grant {
                    user,
                    organization,
                    role,
                } = &grant;
                confirm(
                    common,
                    &format!("Take the role {role} in {organization} from {user}?"),
                )?;
                administration.remove_role(user, organization, role).await?;
                grant.user
            }
        };
        list(administration, &user).await
    }
}

async fn list(administration: &Administration, user: &str) -> Result<Output, CommandError> {
    let subject = administration.user(user).await?.subject;
    let grants = administration.store.grants(&subject.id).await?;
    let views: Vec<_> = grants
        .iter()
        .map(|grant| View {
            organization: grant.organization.to_string(),
            domain: grant.domain.clone(),
            role: grant.role.clone(),
        })
        .collect();
    Ok(Output::list(&views, &["organization", "domain", "role"]))
}
