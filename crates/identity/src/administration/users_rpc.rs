//! The operations of invoicing.identity.v2.Users.

use invoicing_contract::messages::identity::users_server::Users;
use invoicing_contract::messages::identity::{
    DisableUserRequest, EnableUserRequest, EndSessionsRequest, GetUserRequest, GrantRoleRequest,
    InviteAdministratorRequest, InviteUserRequest, InviteUserResponse, ListUsersRequest,
    ListUsersResponse, PasswordCode as PasswordCodeMessage, ResetPasswordRequest,
    ResetPasswordResponse, RevokeRoleRequest, RevokeRoleResponse, User as UserMessage,
    UserFilter as UserFilterMessage, user,
};
use invoicing_contract::{FieldViolation, OrganizationId, Role, Timestamp};
use invoicing_http::{PageRequest, RequestContext, truncate_page};
use invoicing_storage::secret::Secret;
use invoicing_storage::users::{User, UserFilter, UserState};
use tonic::{Request, Response};

use super::AdministrationError;
use super::dependencies::RpcResult;
use super::invitations::Invitation;
use super::organization::OrganizationAdministration;
use super::organization_users::UserWithCode;
use super::rpc::IdentityRpc;
use super::status::to_status;
use crate::password::SET_PASSWORD_PATH;

#[tonic::async_trait]
impl Users for IdentityRpc {
    async fn invite_user(
        &self,
        request: Request<InviteUserRequest>,
    ) -> RpcResult<InviteUserResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let invitation = Invitation {
            id: request.user_id,
            username: request.username,
            name: request.name,
            email: request.email,
            email_verified: request.email_verified,
            roles: request.roles,
        };
        let invited = self
            .of_organization(&caller)
            .invite(invitation, request.validate_only)
            .await;
        let (user, code) = invited.map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(InviteUserResponse {
            user: Some(message(&user, caller.organization())),
            password_code: code.map(|(code, expires_at)| self.code_message(&code, expires_at)),
        }))
    }

    async fn invite_administrator(
        &self,
        request: Request<InviteAdministratorRequest>,
    ) -> RpcResult<InviteUserResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let role = if request.role.is_empty() {
            Role::Administrator.name().to_owned()
        } else {
            request.role
        };
        let invitation = Invitation {
            id: request.user_id,
            username: request.username,
            name: request.name,
            email: request.email,
            email_verified: false,
            roles: vec![role],
        };
        let organization = OrganizationId::from(request.organization_id);
        let invited = self
            .of_organization(&caller)
            .invite_administrator(&organization, invitation, request.validate_only)
            .await;
        let (user, code) = invited.map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(InviteUserResponse {
            user: Some(message(&user, &organization)),
            password_code: code.map(|(code, expires_at)| self.code_message(&code, expires_at)),
        }))
    }

    async fn get_user(&self, request: Request<GetUserRequest>) -> RpcResult<UserMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.of_organization(&caller);
        respond(&caller, administration.user(&request.user_id).await)
    }

    async fn list_users(&self, request: Request<ListUsersRequest>) -> RpcResult<ListUsersResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let page = self
            .user_page(
                &caller,
                false,
                request.filter,
                request.page_size,
                &request.page_token,
            )
            .await;
        let (users, next_page_token) = page.map_err(|error| to_status(&caller, &error))?;
        let grantable_roles = self.of_organization(&caller).grantable_roles().await;
        let grantable_roles = grantable_roles.map_err(|error| to_status(&caller, &error))?;
        let organization = caller.organization();
        Ok(Response::new(ListUsersResponse {
            users: users
                .iter()
                .map(|user| message(user, organization))
                .collect(),
            next_page_token,
            grantable_roles,
        }))
    }

    async fn grant_role(&self, request: Request<GrantRoleRequest>) -> RpcResult<UserMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.of_organization(&caller);
        let GrantRoleRequest {
            user_id,
            username,
            role,
        } = request;
        let granted = match (user_id.is_empty(), username.trim().is_empty()) {
            (false, true) => administration.grant_by_id(&user_id, &role).await,
            (true, false) => administration.grant_by_username(&username, &role).await,
            (true, true) | (false, false) => {
                Err(AdministrationError::Violations(vec![FieldViolation::new(
                    "userId",
                    "must be given, or username, and not both",
                )]))
            }
        };
        respond(&caller, granted)
    }

    async fn revoke_role(
        &self,
        request: Request<RevokeRoleRequest>,
    ) -> RpcResult<RevokeRoleResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        self.of_organization(&caller)
            .revoke(&request.user_id, &request.role)
            .await
            .map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(RevokeRoleResponse {}))
    }

    async fn disable_user(&self, request: Request<DisableUserRequest>) -> RpcResult<UserMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.of_organization(&caller);
        respond(&caller, administration.disable(&request.user_id).await)
    }

    async fn enable_user(&self, request: Request<EnableUserRequest>) -> RpcResult<UserMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.of_organization(&caller);
        respond(&caller, administration.enable(&request.user_id).await)
    }

    async fn reset_password(
        &self,
        request: Request<ResetPasswordRequest>,
    ) -> RpcResult<ResetPasswordResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let reset = self
            .of_organization(&caller)
            .reset_password(&request.user_id)
            .await;
        let UserWithCode {
            user,
            code,
            expires_at,
        } = reset.map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(ResetPasswordResponse {
            user: Some(message(&user, caller.organization())),
            password_code: Some(self.code_message(&code, expires_at)),
        }))
    }

    async fn end_sessions(&self, request: Request<EndSessionsRequest>) -> RpcResult<UserMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.of_organization(&caller);
        respond(&caller, administration.end_sessions(&request.user_id).await)
    }
}

impl IdentityRpc {
    /// Administration of the target organization of `caller`.
    pub(super) fn of_organization<'a>(
        &'a self,
        caller: &'a RequestContext,
    ) -> OrganizationAdministration<'a> {
        OrganizationAdministration {
            administration: self.dependencies.administration(caller),
            authorizer: &*self.authorizer,
            caller,
        }
    }

    /// A page of people or machine users, and the token of the next one.
    pub(super) async fn user_page(
        &self,
        caller: &RequestContext,
        machines: bool,
        filter: Option<UserFilterMessage>,
        page_size: i32,
        page_token: &str,
    ) -> Result<(Vec<User>, String), AdministrationError> {
        let filter = filter.unwrap_or_default();
        let organization = caller.organization();
        let (text, role, state) = (filter.text, filter.role, filter.state);
        let list = serde_json::json!(["users", organization, machines, text, role, state]);
        let list = list.to_string().into_bytes();
        let filter = UserFilter {
            machines,
            text,
            role: (!role.is_empty()).then_some(role),
            state: state_of(state)?,
        };
        let PageRequest { after, size } = self
            .dependencies
            .page_tokens
            .read_request::<String>(page_size, page_token, &list)
            .map_err(AdministrationError::Violations)?;
        // One more tells whether there is a next page.
        let users =
            self.dependencies
                .store
                .users(organization, &filter, after.as_deref(), size + 1);
        let mut users = users.await?;
        let last = truncate_page(&mut users, size);
        let next = last.map(|last| {
            self.dependencies
                .page_tokens
                .sign(&last.account.subject.username, &list)
        });
        Ok((users, next.unwrap_or_default()))
    }

    fn code_message(&self, code: &Secret, expires_at: Timestamp) -> PasswordCodeMessage {
        PasswordCodeMessage {
            code: code.expose().to_owned(),
            page_url: format!("{}{SET_PASSWORD_PATH}", self.provider.issuer),
            expire_time: Some(expires_at.into()),
        }
    }
}

fn respond(
    caller: &RequestContext,
    user: Result<User, AdministrationError>,
) -> RpcResult<UserMessage> {
    match user {
        Ok(user) => Ok(Response::new(message(&user, caller.organization()))),
        Err(error) => Err(to_status(caller, &error)),
    }
}

/// A user as the administrators of `organization` see them.
fn message(user: &User, organization: &OrganizationId) -> UserMessage {
    let subject = &user.account.subject;
    let is_own = subject.home_organization == *organization;
    UserMessage {
        user_id: subject.id.to_string(),
        username: subject.username.clone(),
        name: subject.name.clone(),
        email: subject.email.clone().filter(|_| is_own).unwrap_or_default(),
        email_verified: is_own && subject.email_verified,
        from_another_organization: !is_own,
        state: state_number(user),
        roles: user.roles.clone(),
        code_expire_time: user
            .code
            .filter(|_| is_own)
            .map(|(_, expires_at)| expires_at.into()),
    }
}

/// The number of the state of a user in messages.
pub(super) fn state_number(user: &User) -> i32 {
    let state = match user.state() {
        UserState::Active => user::State::Active,
        UserState::Invited => user::State::Invited,
        UserState::PasswordReset => user::State::PasswordReset,
        UserState::Disabled => user::State::Disabled,
    };
    state.into()
}

fn state_of(number: i32) -> Result<Option<UserState>, AdministrationError> {
    match user::State::try_from(number) {
        Ok(user::State::Unspecified) => Ok(None),
        Ok(user::State::Active) => Ok(Some(UserState::Active)),
        Ok(user::State::Invited) => Ok(Some(UserState::Invited)),
        Ok(user::State::PasswordReset) => Ok(Some(UserState::PasswordReset)),
        Ok(user::State::Disabled) => Ok(Some(UserState::Disabled)),
        Err(_) => Err(AdministrationError::Violations(vec![FieldViolation::new(
            "filter.state",
            "is no state of a user",
        )])),
    }
}
