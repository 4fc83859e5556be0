//! `admin users …`

use clap::Subcommand;
use invoicing_contract::Timestamp;
use invoicing_identity::administration::{Administration, CreatedUser, NewUser};
use invoicing_storage::subjects::{Account, Subject};
use serde::Serialize;

use super::output::{Output, time};
use super::{CommandResult, CommonOptions, confirm, password};

#[derive(Subcommand)]
pub(crate) enum Users {
    /// Show users, by id
    List {
        /// Only those whose home is this organization
        #[arg(long, value_name = "ID")]
        organization: Option<String>,
        /// Begin after the user with this id: where the page before ended
        #[arg(long, value_name = "ID")]
        after: Option<String>,
        /// Users of a page
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        size: u32,
    },
    /// Show a user
    Show {
        /// Id or username
        user: String,
    },
    /// Add a person, whose first password is printed once, or a machine user
    Create {
        /// Name to sign in with
        #[arg(long)]
        username: String,
        /// Name for people
        #[arg(long)]
        name: String,
        /// Id of the home organization
        #[arg(long, value_name = "ID")]
        organization: String,
        /// Address for mail
        #[arg(long)]
        email: Option<String>,
        /// You have confirmed that the address is this person's; applications are told so
        #[arg(long, requires = "email")]
        email_verified: bool,
        /// A machine user: it has no password
        #[arg(long, conflicts_with = "password_stdin")]
        machine: bool,
        /// Read the first password from standard input instead of making one
        #[arg(long)]
        password_stdin: bool,
    },
    /// Lock a user out: sessions and tokens are dead for good
    Disable {
        /// Id or username
        user: String,
    },
    /// Let a user in again, with new sign-ins
    Enable {
        /// Id or username
        user: String,
    },
    /// Give a person a password for once: all sign-ins end, and it has to be changed at the next
    ResetPassword {
        /// Id or username
        user: String,
        /// Read the password from standard input instead of making one
        #[arg(long)]
        password_stdin: bool,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    id: String,
    username: String,
    name: String,
    email: Option<String>,
    email_verified: bool,
    organization: String,
    machine: bool,
    disabled_at: Option<String>,
    must_change_password: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<String>,
}

impl Users {
    pub(super) async fn run(
        self,
        administration: &Administration,
        common: &CommonOptions,
    ) -> CommandResult {
        match self {
            Self::List {
                organization,
                after,
                size,
            } => {
                let (organization, after) = (organization.map(Into::into), after.map(Into::into));
                let accounts = administration
                    .store
                    .accounts(organization.as_ref(), after.as_ref(), size)
                    .await?;
                let views: Vec<_> = accounts.into_iter().map(account).collect();
                let columns = [
                    "id",
                    "username",
                    "name",
                    "organization",
                    "machine",
                    "disabledAt",
                ];
                Ok(Output::list(&views, &columns))
            }
            Self::Show { user } => Ok(Output::one(&account(administration.user(&user).await?))),
            Self::Create {
                username,
                name,
                organization,
                email,
                email_verified,
                machine,
                password_stdin,
            } => {
                let new = NewUser {
                    username,
                    name,
                    email,
                    email_verified,
                    organization,
                    machine,
                    password: password(password_stdin)?,
                };
                let CreatedUser { subject, password } = administration.add_user(new).await?;
                let mut view = view(subject, None);
                view.password = password.map(|password| password.expose().to_owned());
                Ok(Output::one(&view))
            }
            Self::Disable { user } => {
                confirm(
                    common,
                    &format!("Lock {user} out and end every session and token?"),
                )?;
                Ok(Output::one(&account(
                    administration.disable_user(&user).await?,
                )))
            }
            Self::Enable { user } => Ok(Output::one(&account(
                administration.enable_user(&user).await?,
            ))),
            Self::ResetPassword {
                user,
                password_stdin,
            } => {
                confirm(
                    common,
                    &format!("Give {user} another password and end every session and token?"),
                )?;
                let made = administration
                    .reset_password(&user, password(password_stdin)?)
                    .await?;
                let mut view = account(administration.user(&user).await?);
                view.password = made.map(|password| password.expose().to_owned());
                Ok(Output::one(&view))
            }
        }
    }
}

fn account(account: Account) -> View {
    view(account.subject, account.disabled_at)
}

fn view(subject: Subject, disabled_at: Option<Timestamp>) -> View {
    View {
        machine: subject.is_machine(),
        id: subject.id.into_string(),
        username: subject.username,
        name: subject.name,
        email: subject.email,
        email_verified: subject.email_verified,
        organization: subject.home_organization.into_string(),
        disabled_at: disabled_at.map(time),
        must_change_password: subject.must_change_password,
        password: None,
    }
}
