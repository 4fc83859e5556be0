//! The operations of invoicing.identity.v2.MachineUsers.

use invoicing_contract::messages::identity::machine_users_server::MachineUsers;
use invoicing_contract::messages::identity::{
    CreateMachineUserRequest, CreateMachineUserResponse, ListMachineUsersRequest,
    ListMachineUsersResponse, ListPatsRequest, ListPatsResponse, MachineUser as MachineUserMessage,
    MintOwnPatRequest, MintPatRequest, MintPatResponse, Pat as PatMessage, RevokePatRequest,
};
use invoicing_contract::{FieldViolation, SubjectId, operation};
use invoicing_http::{PageRequest, RequestContext, truncate_page};
use invoicing_storage::pats::{PatPosition, PersonalAccessToken};
use invoicing_storage::provisioning::Machine;
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::{Account, Subject};
use invoicing_storage::users::User;
use tonic::{Request, Response};

use super::dependencies::RpcResult;
use super::organization::{OrganizationAdministration, check_new_id, user_not_found};
use super::pages::{list, read_page};
use super::pats::pat_not_found;
use super::rpc::IdentityRpc;
use super::status::to_status;
use super::tenants::check_text;
use super::users_rpc::state_number;
use super::{AdministrationError, RecordKind, Restriction};

/// The longest life of a token that an administrator mints, in days.
const MAX_DAYS: i32 = 366;
/// The longest life of a token that a machine user mints itself, in days.
const MAX_OWN_DAYS: i32 = 30;

#[tonic::async_trait]
impl MachineUsers for IdentityRpc {
    async fn create_machine_user(
        &self,
        request: Request<CreateMachineUserRequest>,
    ) -> RpcResult<CreateMachineUserResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let validate_only = request.validate_only;
        let created = self
            .of_organization(&caller)
            .create_machine_user(request)
            .await;
        let (machine, secret) = created.map_err(|error| to_status(&caller, &error))?;
        let user = User {
            account: Account {
                subject: machine.subject,
                disabled_at: None,
            },
            roles: vec![machine.role],
            code: None,
        };
        let credentials = (!validate_only).then(|| {
            let client_id = machine.application.client_id.into_string();
            (client_id, secret.expose().to_owned())
        });
        let (client_id, client_secret) = credentials.unwrap_or_default();
        Ok(Response::new(CreateMachineUserResponse {
            machine_user: Some(message(&user)),
            client_id,
            client_secret,
        }))
    }

    async fn list_machine_users(
        &self,
        request: Request<ListMachineUsersRequest>,
    ) -> RpcResult<ListMachineUsersResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let (size, token) = (request.page_size, &request.page_token);
        let page = self
            .user_page(&caller, true, request.filter, size, token)
            .await;
        let (users, next_page_token) = page.map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(ListMachineUsersResponse {
            machine_users: users.iter().map(message).collect(),
            next_page_token,
        }))
    }

    async fn mint_pat(&self, request: Request<MintPatRequest>) -> RpcResult<MintPatResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.of_organization(&caller);
        let minted = administration.mint_pat(&request).await;
        respond_with_pat(&caller, minted)
    }

    async fn list_pats(&self, request: Request<ListPatsRequest>) -> RpcResult<ListPatsResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let tokens = &self.dependencies.page_tokens;
        let (page_size, page_token) = (request.page_size, &request.page_token);
        let list = list(&caller, &operation::LIST_PATS, request.user_id.as_bytes());
        let PageRequest { after, size } =
            read_page::<PatPosition>(tokens, page_size, page_token, &list)?;
        let administration = self.of_organization(&caller);
        // One more than the page tells whether there is another.
        let found = administration.pats(&request.user_id, after.as_ref(), size + 1);
        let mut found = found.await.map_err(|error| to_status(&caller, &error))?;
        let last = truncate_page(&mut found, size);
        let next = last.map(|last| tokens.sign(&last.position(), &list));
        Ok(Response::new(ListPatsResponse {
            pats: found.iter().map(pat_message).collect(),
            next_page_token: next.unwrap_or_default(),
        }))
    }

    async fn revoke_pat(&self, request: Request<RevokePatRequest>) -> RpcResult<PatMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.of_organization(&caller);
        let revoked = administration.revoke_pat(&request).await;
        let revoked = revoked.map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(pat_message(&revoked)))
    }

    async fn mint_own_pat(
        &self,
        request: Request<MintOwnPatRequest>,
    ) -> RpcResult<MintPatResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.of_organization(&caller);
        let minted = administration.mint_own_pat(&request).await;
        respond_with_pat(&caller, minted)
    }
}

type MintedPat = (PersonalAccessToken, Secret);

impl OrganizationAdministration<'_> {
    async fn create_machine_user(
        &self,
        request: CreateMachineUserRequest,
    ) -> Result<(Machine, Secret), AdministrationError> {
        let CreateMachineUserRequest {
            user_id,
            name,
            role,
            validate_only,
        } = request;
        let mut violations = Vec::new();
        check_new_id(&mut violations, "userId", &user_id);
        check_text(&mut violations, "name", &name, true);
        match self.require_grantable("role", &role).await {
            Ok(()) => {}
            Err(AdministrationError::Violations(more)) => violations.extend(more),
            Err(error) => return Err(error),
        }
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        let administration = &self.administration;
        let id = if user_id.is_empty() {
            administration.new_id()
        } else {
            user_id
        };
        let name = name.trim().to_owned();
        let (machine, secret) = administration.machine(id, self.organization(), name, &role);
        let id = machine.subject.id.as_str();
        if !validate_only {
            administration.add_machine(&machine).await?;
        } else if administration.store.account(id).await?.is_some() {
            return Err(AdministrationError::Exists {
                kind: RecordKind::User,
                name: id.to_owned(),
            });
        }
        Ok((machine, secret))
    }

    /// A machine user of the organization, whom the caller may administer.
    async fn machine_user(&self, id: &str) -> Result<Subject, AdministrationError> {
        let subject = self.own_user(id).await?.account.subject;
        if subject.is_machine() {
            Ok(subject)
        } else {
            Err(user_not_found(id))
        }
    }

    async fn mint_pat(&self, request: &MintPatRequest) -> Result<MintedPat, AdministrationError> {
        let subject = self.machine_user(&request.user_id).await?;
        self.require_rights_of(&subject.id).await?;
        let (id, name) = (&request.pat_id, &request.name);
        let days = days(id, name, request.days, MAX_DAYS)?;
        let administration = &self.administration;
        administration.require_room_for_pat(&subject.id).await?;
        administration
            .mint_pat_for(&subject, subject.epoch, id.clone(), name, days)
            .await
    }

    async fn pats(
        &self,
        id: &str,
        after: Option<&PatPosition>,
        limit: u32,
    ) -> Result<Vec<PersonalAccessToken>, AdministrationError> {
        let subject = self.machine_user(id).await?;
        let store = &self.administration.store;
        Ok(store.pats(&subject.id, after, limit).await?)
    }

    async fn revoke_pat(
        &self,
        request: &RevokePatRequest,
    ) -> Result<PersonalAccessToken, AdministrationError> {
        let subject = self.machine_user(&request.user_id).await?;
        let id = &request.pat_id;
        let pat = self.administration.store.pat_by_id(id).await?;
        if pat.is_none_or(|pat| pat.subject != subject.id) {
            return Err(pat_not_found(id));
        }
        self.administration.revoke_pat_of(&subject, id).await
    }

    async fn mint_own_pat(
        &self,
        request: &MintOwnPatRequest,
    ) -> Result<MintedPat, AdministrationError> {
        let caller = &self.caller.principal;
        let id: &SubjectId = self.caller_id();
        // A personal access token has no application, and the machine user takes its place.
        if caller.client == *id.as_str() {
            let restriction = Restriction::PersonalAccessTokenMintsNone;
            return Err(AdministrationError::NotAllowed(restriction));
        }
        let administration = &self.administration;
        let store = &administration.store;
        let basis = store.basis().await?;
        // By the id as the token has it: in another spelling it can be that of somebody else.
        let member = store.member(id, basis).await?;
        let member = member.ok_or_else(|| user_not_found(id.as_str()))?;
        let subject = &member.subject;
        if !subject.is_machine() {
            let restriction = Restriction::PersonalAccessTokensAreForMachines;
            return Err(AdministrationError::NotAllowed(restriction));
        }
        let (pat, name) = (&request.pat_id, &request.name);
        let days = days(pat, name, request.days, MAX_OWN_DAYS)?;
        administration.require_room_for_pat(id).await?;
        administration
            .mint_pat_for(subject, caller.epoch, pat.clone(), name, days)
            .await
    }
}

/// The days of life of a token, if its id and its name are valid too.
fn days(id: &str, name: &str, days: i32, max: i32) -> Result<u16, AdministrationError> {
    let mut violations = Vec::new();
    check_new_id(&mut violations, "patId", id);
    check_text(&mut violations, "name", name, true);
    let days = u16::try_from(days)
        .ok()
        .filter(|_| (1..=max).contains(&days));
    if days.is_none() {
        let description = format!("must lie between 1 and {max}");
        violations.push(FieldViolation::new("days", description));
    }
    days.filter(|_| violations.is_empty())
        .ok_or(AdministrationError::Violations(violations))
}

fn respond_with_pat(
    caller: &RequestContext,
    minted: Result<MintedPat, AdministrationError>,
) -> RpcResult<MintPatResponse> {
    let (pat, secret) = minted.map_err(|error| to_status(caller, &error))?;
    Ok(Response::new(MintPatResponse {
        pat: Some(pat_message(&pat)),
        token: secret.expose().to_owned(),
    }))
}

fn message(user: &User) -> MachineUserMessage {
    let subject = &user.account.subject;
    MachineUserMessage {
        user_id: subject.id.to_string(),
        username: subject.username.clone(),
        name: subject.name.clone(),
        state: state_number(user),
        roles: user.roles.clone(),
    }
}

fn pat_message(pat: &PersonalAccessToken) -> PatMessage {
    PatMessage {
        pat_id: pat.id.clone(),
        user_id: pat.subject.to_string(),
        name: pat.name.clone(),
        create_time: Some(pat.created_at.into()),
        expire_time: Some(pat.expires_at.into()),
        revoke_time: pat.revoked_at.map(Into::into),
    }
}
