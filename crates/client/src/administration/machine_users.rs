//! Machine users of an organization and their personal access tokens, with the secrets that are shown once (decision 0136).

use invoicing_contract::messages::identity;
use invoicing_contract::{Code, operation};

use super::write::FailedWrite;
use super::{Administration, PAGE_SIZE, from_wire};
use crate::gateway::CallContext;
use crate::rng::time_ordered_id;
use crate::views::{
    CommandError, CreatedMachineUser, MachineUserView, MintedToken, PersonalTokenPage,
};

impl Administration {
    pub(crate) async fn machine_users(
        &self,
        context: &CallContext,
    ) -> Result<Vec<MachineUserView>, CommandError> {
        let mut request = identity::ListMachineUsersRequest {
            page_size: PAGE_SIZE,
            ..Default::default()
        };
        let mut users = Vec::new();
        loop {
            let page: identity::ListMachineUsersResponse = self
                .call(context, &operation::LIST_MACHINE_USERS, &request)
                .await?;
            users.extend(page.machine_users.into_iter().map(from_wire::machine_user));
            if page.next_page_token.is_empty() {
                return Ok(users);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Creates a machine user under an id that all attempts share. If an attempt whose answer was lost has done it, its secret is
    /// lost too, and is replaced.
    ///
    /// # Errors
    /// `AlreadyExists`: the machine user is there, and nobody knows its secret.
    pub(crate) async fn create_machine_user(
        &self,
        context: &CallContext,
        name: String,
        role: String,
    ) -> Result<CreatedMachineUser, CommandError> {
        let request = identity::CreateMachineUserRequest {
            user_id: time_ordered_id(&*self.clock, &*self.rng).to_string(),
            name,
            role,
            ..Default::default()
        };
        let operation = &operation::CREATE_MACHINE_USER;
        let created = self
            .add_once::<identity::CreateMachineUserResponse>(context, operation, &request)
            .await;
        let failed = match created {
            Ok(answer) => {
                return Ok(CreatedMachineUser {
                    user: from_wire::machine_user(answer.machine_user.unwrap_or_default()),
                    client_id: answer.client_id,
                    client_secret: answer.client_secret.into(),
                });
            }
            Err(failed) => failed,
        };
        let command_error = self.write_error(context, operation, &failed);
        // No other user has the id: only an earlier attempt can have added it.
        if failed.failed_attempts < 2 || failed.error.code() != Some(Code::AlreadyExists) {
            return Err(command_error);
        }
        match self.with_new_secret(context, &request.user_id).await {
            Ok(created) => Ok(created),
            Err(error) => {
                tracing::warn!(?error, "the lost secret of a machine user was not replaced");
                Err(command_error)
            }
        }
    }

    /// A machine user with a new client secret. The one before ends at once.
    async fn with_new_secret(
        &self,
        context: &CallContext,
        user_id: &str,
    ) -> Result<CreatedMachineUser, CommandError> {
        let users = self.machine_users(context).await?;
        let user = users.into_iter().find(|user| user.id == user_id);
        let client_id = self.client_id_of(context, user_id).await?;
        let (Some(user), Some(client_id)) = (user, client_id) else {
            return Err(CommandError::NotFound {
                support: Box::default(),
            });
        };
        let request = identity::RotateApplicationSecretRequest {
            client_id: client_id.clone(),
            overlap_seconds: 0,
        };
        let answer: identity::RotateApplicationSecretResponse = self
            .call(context, &operation::ROTATE_APPLICATION_SECRET, &request)
            .await?;
        Ok(CreatedMachineUser {
            user,
            client_id,
            client_secret: answer.client_secret.into(),
        })
    }

    /// The client id of the application that acts for a machine user.
    async fn client_id_of(
        &self,
        context: &CallContext,
        user_id: &str,
    ) -> Result<Option<String>, CommandError> {
        let mut request = identity::ListApplicationsRequest {
            filter: Some(identity::ApplicationFilter {
                kind: identity::application::Kind::Machine.into(),
                ..Default::default()
            }),
            page_size: PAGE_SIZE,
            ..Default::default()
        };
        loop {
            let page: identity::ListApplicationsResponse = self
                .call(context, &operation::LIST_APPLICATIONS, &request)
                .await?;
            let mut applications = page.applications.into_iter();
            if let Some(found) = applications.find(|it| it.user_id == user_id) {
                return Ok(Some(found.client_id));
            }
            if page.next_page_token.is_empty() {
                return Ok(None);
            }
            request.page_token = page.next_page_token;
        }
    }

    pub(crate) async fn personal_tokens(
        &self,
        context: &CallContext,
        user_id: String,
        page_token: String,
    ) -> Result<PersonalTokenPage, CommandError> {
        let request = identity::ListPatsRequest {
            user_id,
            page_size: PAGE_SIZE,
            page_token,
        };
        let answer: identity::ListPatsResponse =
            self.call(context, &operation::LIST_PATS, &request).await?;
        Ok(PersonalTokenPage {
            tokens: answer.pats.into_iter().map(from_wire::token).collect(),
            next_page: answer.next_page_token,
        })
    }

    /// Mints a token. It is not tried again by itself: each attempt would mint another one.
    pub(crate) async fn mint_token(
        &self,
        context: &CallContext,
        user_id: String,
        name: String,
        days: i32,
    ) -> Result<MintedToken, CommandError> {
        let once = CallContext {
            retries: false,
            ..context.clone()
        };
        let request = identity::MintPatRequest {
            user_id,
            name,
            days,
            ..identity::MintPatRequest::default()
        };
        let answer: identity::MintPatResponse =
            self.write(&once, &operation::MINT_PAT, &request).await?;
        Ok(MintedToken {
            token: from_wire::token(answer.pat.unwrap_or_default()),
            secret: answer.token.into(),
        })
    }

    pub(crate) async fn revoke_token(
        &self,
        context: &CallContext,
        user_id: String,
        pat_id: String,
    ) -> Result<(), CommandError> {
        let request = identity::RevokePatRequest { user_id, pat_id };
        let revoked: Result<identity::Pat, FailedWrite> =
            self.write(context, &operation::REVOKE_PAT, &request).await;
        Ok(revoked.map(drop)?)
    }
}
