//! Administration through the gateway: people, machine users, the plan and the tenant of an organization; authorization rules, tenants,
//! plans and tax authorities.

mod audit;
mod from_wire;
mod impersonation;
mod machine_users;
mod organization_names;
mod own_tenant;
mod permissions;
mod rules;
mod submissions;
mod tenant_plans;
mod tenants;
mod write;

pub(crate) use self::submissions::submission_state;

use std::sync::Arc;

use invoicing_contract::messages::{identity, plans};
use invoicing_contract::{Code, Operation, operation};
use serde::Serialize;

use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, ResponseMessage};
use crate::rng::{Rng, time_ordered_id};
use crate::views::{CommandError, NewUser, PasswordCodeView, PlanView, UserChange, UserPage};

use write::FailedWrite;

/// How many entries a page of a list has.
const PAGE_SIZE: i32 = 100;

/// Calls of administration.
pub(crate) struct Administration {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
}

impl Administration {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, rng: Arc<dyn Rng>) -> Self {
        Self {
            gateway,
            clock,
            rng,
        }
    }

    async fn call<T: ResponseMessage>(
        &self,
        context: &CallContext,
        operation: &Operation,
        request: &(impl Serialize + Sync),
    ) -> Result<T, CommandError> {
        let called = self.gateway.call(context, operation, None, request).await;
        called.map_err(|error| error.to_command_error(context, operation, self.clock.now()))
    }

    pub(crate) async fn users(
        &self,
        context: &CallContext,
        text: String,
        page: String,
    ) -> Result<UserPage, CommandError> {
        let request = identity::ListUsersRequest {
            filter: Some(identity::UserFilter {
                text,
                ..Default::default()
            }),
            page_size: PAGE_SIZE,
            page_token: page,
        };
        let answer: identity::ListUsersResponse =
            self.call(context, &operation::LIST_USERS, &request).await?;
        Ok(UserPage {
            users: answer.users.into_iter().map(from_wire::user).collect(),
            next_page: answer.next_page_token,
            grantable_roles: answer.grantable_roles,
        })
    }

    /// Invites a person under an id that all attempts share. If an attempt whose answer was lost has done it, its code is lost
    /// too, and another one is made.
    pub(crate) async fn invite(
        &self,
        context: &CallContext,
        user: NewUser,
    ) -> Result<PasswordCodeView, CommandError> {
        let request = identity::InviteUserRequest {
            user_id: time_ordered_id(&*self.clock, &*self.rng).to_string(),
            username: user.username,
            name: user.name,
            email: user.email,
            roles: vec![user.role],
            ..Default::default()
        };
        let operation = &operation::INVITE_USER;
        let invited = self
            .add_once::<identity::InviteUserResponse>(context, operation, &request)
            .await;
        let failed = match invited {
            Ok(answer) => return from_wire::password_code(answer.password_code),
            Err(failed) => failed,
        };
        let command_error = self.write_error(context, operation, &failed);
        // At the first attempt it is the user name that is taken. Later nobody has the id if it is.
        if failed.failed_attempts < 2 || failed.error.code() != Some(Code::AlreadyExists) {
            return Err(command_error);
        }
        match self.reset_password(context, request.user_id).await {
            Ok(code) => Ok(code),
            Err(error) => {
                tracing::warn!(?error, "the lost code of an invitation was not replaced");
                Err(command_error)
            }
        }
    }

    pub(crate) async fn reset_password(
        &self,
        context: &CallContext,
        user_id: String,
    ) -> Result<PasswordCodeView, CommandError> {
        let request = identity::ResetPasswordRequest { user_id };
        let answer: identity::ResetPasswordResponse = self
            .write(context, &operation::RESET_PASSWORD, &request)
            .await?;
        from_wire::password_code(answer.password_code)
    }

    pub(crate) async fn change_user(
        &self,
        context: &CallContext,
        user_id: String,
        change: UserChange,
    ) -> Result<(), CommandError> {
        let done: Result<identity::User, FailedWrite> = match change {
            UserChange::GrantRole { role } => {
                let request = identity::GrantRoleRequest {
                    user_id,
                    role,
                    ..Default::default()
                };
                let granted: Result<identity::User, FailedWrite> =
                    self.write(context, &operation::GRANT_ROLE, &request).await;
                return granted
                    .map(drop)
                    .or_else(|failed| failed.unless_done(Code::AlreadyExists));
            }
            UserChange::RevokeRole { role } => {
                let request = identity::RevokeRoleRequest { user_id, role };
                let revoked: Result<identity::RevokeRoleResponse, FailedWrite> =
                    self.write(context, &operation::REVOKE_ROLE, &request).await;
                return revoked
                    .map(drop)
                    .or_else(|failed| failed.unless_done(Code::NotFound));
            }
            UserChange::Disable => {
                let request = identity::DisableUserRequest { user_id };
                self.write(context, &operation::DISABLE_USER, &request)
                    .await
            }
            UserChange::Enable => {
                let request = identity::EnableUserRequest { user_id };
                self.write(context, &operation::ENABLE_USER, &request).await
            }
            UserChange::EndSessions => {
                let request = identity::EndSessionsRequest { user_id };
                self.write(context, &operation::END_SESSIONS, &request)
                    .await
            }
        };
        Ok(done.map(drop)?)
    }

    pub(crate) async fn own_plan(&self, context: &CallContext) -> Result<PlanView, CommandError> {
        let request = plans::GetOwnPlanRequest {};
        let plan: plans::TenantPlan = self
            .call(context, &operation::GET_OWN_PLAN, &request)
            .await?;
        Ok(from_wire::plan(plan))
    }
}

/// Names as the service stores them: in order, each once.
fn names_in_order(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}
