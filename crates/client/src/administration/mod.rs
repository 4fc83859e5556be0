//! Administration through the gateway: people, machine users and the plan of an organization; authorization rules, tenants, plans
//! and tax authorities.

mod audit;
mod from_wire;
mod impersonation;
mod machine_users;
mod organization_names;
mod permissions;
mod submissions;
mod tenant_plans;
mod tenants;

pub(crate) use self::submissions::submission_state;

use std::sync::Arc;

use invoicing_contract::messages::{identity, plans, rules};
use invoicing_contract::{Code, Operation, operation};
use serde::Serialize;

use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError, ResponseMessage};
use crate::rng::{Rng, time_ordered_id};
use crate::views::{
    CommandError, NewUser, PasswordCodeView, PlanView, RuleMatrix, RuleVersionPage, RulesCheck,
    RulesView, UserChange, UserPage,
};

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

    /// Adds somebody under an id that all attempts share: once more if the answer was lost.
    ///
    /// # Errors
    /// `AlreadyExists`: an attempt has arrived, or a name is taken. Otherwise of the lost attempt, if there is one: whatever the
    /// repetition says, that one may have arrived.
    async fn add_once<T: ResponseMessage>(
        &self,
        context: &CallContext,
        operation: &Operation,
        request: &(impl Serialize + Sync),
    ) -> Result<T, GatewayError> {
        let mut lost = None;
        loop {
            match self.gateway.call(context, operation, None, request).await {
                Ok(answer) => return Ok(answer),
                Err(error) if lost.is_none() && error.outcome_is_unknown() => lost = Some(error),
                Err(error) if error.code() == Some(Code::AlreadyExists) => return Err(error),
                Err(error) => return Err(lost.unwrap_or(error)),
            }
        }
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
        let error = match invited {
            Ok(answer) => return from_wire::password_code(answer.password_code),
            Err(error) => error,
        };
        let command_error = error.to_command_error(context, operation, self.clock.now());
        // Nobody has the id if it is the user name that is taken.
        if error.code() != Some(Code::AlreadyExists) {
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
            .call(context, &operation::RESET_PASSWORD, &request)
            .await?;
        from_wire::password_code(answer.password_code)
    }

    pub(crate) async fn change_user(
        &self,
        context: &CallContext,
        user_id: String,
        change: UserChange,
    ) -> Result<(), CommandError> {
        let done: Result<identity::User, CommandError> = match change {
            UserChange::GrantRole { role } => {
                let request = identity::GrantRoleRequest {
                    user_id,
                    role,
                    ..Default::default()
                };
                self.call(context, &operation::GRANT_ROLE, &request).await
            }
            UserChange::RevokeRole { role } => {
                let request = identity::RevokeRoleRequest { user_id, role };
                let answer: identity::RevokeRoleResponse = self
                    .call(context, &operation::REVOKE_ROLE, &request)
                    .await?;
                let identity::RevokeRoleResponse {} = answer;
                return Ok(());
            }
            UserChange::Disable => {
                let request = identity::DisableUserRequest { user_id };
                self.call(context, &operation::DISABLE_USER, &request).await
            }
            UserChange::Enable => {
                let request = identity::EnableUserRequest { user_id };
                self.call(context, &operation::ENABLE_USER, &request).await
            }
            UserChange::EndSessions => {
                let request = identity::EndSessionsRequest { user_id };
                self.call(context, &operation::END_SESSIONS, &request).await
            }
        };
        done.map(drop)
    }

    /// A version of the rules; the current one if `None`.
    pub(crate) async fn rules(
        &self,
        context: &CallContext,
        version: Option<i32>,
    ) -> Result<RulesView, CommandError> {
        let request = rules::GetRulesRequest { version };
        let rules: rules::RuleSet = self.call(context, &operation::GET_RULES, &request).await?;
        Ok(from_wire::rules(rules))
    }

    pub(crate) async fn rule_versions(
        &self,
        context: &CallContext,
        page: String,
    ) -> Result<RuleVersionPage, CommandError> {
        let request = rules::ListRuleVersionsRequest {
            page_size: PAGE_SIZE,
            page_token: page,
        };
        let answer: rules::ListRuleVersionsResponse = self
            .call(context, &operation::LIST_RULE_VERSIONS, &request)
            .await?;
        let versions = answer.versions.into_iter();
        Ok(RuleVersionPage {
            versions: versions.map(from_wire::rule_version).collect(),
            next_page: answer.next_page_token,
        })
    }

    pub(crate) async fn check_rules(
        &self,
        context: &CallContext,
        matrix: RuleMatrix,
    ) -> Result<RulesCheck, CommandError> {
        let request = rules::CheckRulesRequest {
            matrix: Some(from_wire::to_matrix(matrix)),
            ..Default::default()
        };
        let answer: rules::CheckRulesResponse = self
            .call(context, &operation::CHECK_RULES, &request)
            .await?;
        Ok(from_wire::rules_check(answer))
    }

    pub(crate) async fn publish_rules(
        &self,
        context: &CallContext,
        matrix: RuleMatrix,
        stamp: String,
        comment: String,
    ) -> Result<RulesView, CommandError> {
        let request = rules::PublishRulesRequest {
            matrix: Some(from_wire::to_matrix(matrix)),
            concurrency_stamp: stamp,
            comment,
            ..Default::default()
        };
        let rules: rules::RuleSet = self
            .call(context, &operation::PUBLISH_RULES, &request)
            .await?;
        Ok(from_wire::rules(rules))
    }

    pub(crate) async fn roll_back_rules(
        &self,
        context: &CallContext,
        version: i32,
        stamp: String,
        comment: String,
    ) -> Result<RulesView, CommandError> {
        let request = rules::RollBackRulesRequest {
            version: Some(version),
            concurrency_stamp: stamp,
            comment,
            ..Default::default()
        };
        let rules: rules::RuleSet = self
            .call(context, &operation::ROLL_BACK_RULES, &request)
            .await?;
        Ok(from_wire::rules(rules))
    }

    pub(crate) async fn own_plan(&self, context: &CallContext) -> Result<PlanView, CommandError> {
        let request = plans::GetOwnPlanRequest {};
        let plan: plans::TenantPlan = self
            .call(context, &operation::GET_OWN_PLAN, &request)
            .await?;
        Ok(from_wire::plan(plan))
    }
}
