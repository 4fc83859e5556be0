//! The tonic service over [`Administration`]: the caller comes with the request, put there by the gateway's gate.

use std::sync::Arc;

use invoicing_contract::messages::identity::identity_server::Identity;
use invoicing_contract::messages::identity::{
    Address, CompleteProfileRequest, CompleteProfileResponse, CreateTenantRequest,
    CreateTenantResponse, ImpersonateRequest, ImpersonateResponse, Profile as ProfileMessage,
    Tenant as TenantMessage,
};
use invoicing_contract::{Code, Status, SubjectId, operation};
use tonic::{Request, Response};

use super::tenants::{NewTenant, Profile, Provisioned};
use super::{Administration, AdministrationError};
use crate::Provider;
use crate::impersonation::{Impersonation, ImpersonationError};
use invoicing_contract::EnvironmentKind;
use invoicing_http::RequestContext;
use invoicing_storage::access::Authorizer;
use invoicing_storage::directory::Tenant;
use invoicing_storage::subjects::Member;
use invoicing_storage::world::World;
use invoicing_storage::{StorageError, Store};

/// The operations of invoicing.identity.v2.Identity.
#[derive(Clone)]
pub struct IdentityRpc {
    /// See the type.
    pub provider: Arc<Provider>,
    /// See the type.
    pub store: Arc<dyn Store>,
    /// See the type.
    pub kind: EnvironmentKind,
    /// See the type.
    pub world: World,
    /// Tells who is an administrator.
    /// See the type.
    pub authorizer: Arc<dyn Authorizer>,
}

type Answer<Message> = Result<Response<Message>, tonic::Status>;

#[tonic::async_trait]
impl Identity for IdentityRpc {
    async fn create_tenant(
        &self,
        request: Request<CreateTenantRequest>,
    ) -> Answer<CreateTenantResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let new = NewTenant {
            organization_id: request.organization_id,
            name: request.name,
            name_ar: request.name_ar,
            domain: request.domain,
            profile: profile(request.profile),
        };
        let made = self.administration(&caller).create_tenant(new).await;
        let made = made.map_err(|error| refused(&caller, &error))?;
        let (client_id, client_secret, tenant) = told(made);
        Ok(Response::new(CreateTenantResponse {
            tenant: Some(tenant),
            client_id,
            client_secret,
        }))
    }

    async fn complete_profile(
        &self,
        request: Request<CompleteProfileRequest>,
    ) -> Answer<CompleteProfileResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let completed = self
            .administration(&caller)
            .complete_profile(caller.tenant.clone(), profile(request.profile))
            .await;
        let completed = completed.map_err(|error| refused(&caller, &error))?;
        let (client_id, client_secret, tenant) = told(completed);
        Ok(Response::new(CompleteProfileResponse {
            tenant: Some(tenant),
            client_id,
            client_secret,
        }))
    }

    async fn impersonate(
        &self,
        request: Request<ImpersonateRequest>,
    ) -> Answer<ImpersonateResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let given = self.give(&caller, &request.user_id).await;
        given.map(Response::new).map_err(|refusal| match refusal {
            Refusal::Forbidden => Status::permission_denied().into(),
            Refusal::NotFound => Status::new(
                Code::NotFound,
                "USER_NOT_FOUND",
                "there is no such person in this organization",
            )
            .into(),
            Refusal::Failed(error) => {
                tracing::error!(correlation_id = caller.correlation_id, %error, "impersonation failed");
                match error {
                    ImpersonationError::Storage(error) => Status::from(&error),
                    ImpersonationError::NotSigned => Status::new(
                        Code::Internal,
                        "INTERNAL",
                        "something went wrong; the log has it under the correlation id",
                    ),
                }
                .into()
            }
        })
    }
}

/// Why an administrator does not become somebody.
enum Refusal {
    /// It is not for this caller, or not for this target.
    Forbidden,
    /// Nobody whose home is the organization has this id.
    NotFound,
    Failed(ImpersonationError),
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        Self::Failed(error.into())
    }
}

impl IdentityRpc {
    fn administration(&self, caller: &RequestContext) -> Administration {
        Administration::new(
            self.store.clone(),
            self.kind,
            self.world.clone(),
            caller.principal.subject.to_string(),
        )
    }

    async fn give(
        &self,
        caller: &RequestContext,
        target: &str,
    ) -> Result<ImpersonateResponse, Refusal> {
        let (actor, organization) = (&caller.principal.subject, &caller.tenant.organization.id);
        let refuse = async |reason, refusal| {
            self.provider
                .impersonation_refused(actor, organization, reason)
                .await?;
            Err(refusal)
        };
        let basis = self.store.basis().await?;
        let client = &caller.principal.client;
        let Some(application) = self.store.application(client, basis).await? else {
            return refuse("a personal access token", Refusal::Forbidden).await;
        };
        let target = SubjectId::new(target);
        let target = self.store.member(&target, basis).await?.filter(|target| {
            target.subject.home_organization == *organization && !target.subject.is_machine()
        });
        let Some(target) = target else {
            return refuse("nobody of this organization", Refusal::NotFound).await;
        };
        if self.administers(&target) {
            return refuse("an administrator", Refusal::Forbidden).await;
        }
        let impersonation = Impersonation {
            actor,
            application: &application,
            target: &target,
            organization,
            basis,
        };
        let given = self
            .provider
            .impersonate(&impersonation)
            .await
            .map_err(Refusal::Failed)?;
        Ok(ImpersonateResponse {
            access_token: given.access_token.expose().to_owned(),
            token_type: "Bearer".to_owned(),
            expires_in: i32::try_from(given.expires_in).unwrap_or(i32::MAX),
            id_token: given.id_token,
            scope: given.scope,
        })
    }

    /// Whether somebody holds a scope of administration in any organization.
    fn administers(&self, member: &Member) -> bool {
        let mut scopes = operation::ALL
            .iter()
            .map(|operation| operation.scope)
            .filter(|scope| scope.starts_with("Service.Admin."));
        scopes.any(|scope| {
            member
                .grants
                .iter()
                .any(|grant| self.authorizer.allows(&[&*grant.role], scope))
        })
    }
}

fn refused(caller: &RequestContext, error: &AdministrationError) -> tonic::Status {
    let message = error.to_string();
    let status = match error {
        AdministrationError::Violations(violations) => {
            Status::invalid("INVALID_REQUEST", message, violations.clone())
        }
        AdministrationError::Exists { what: "domain", .. } => {
            Status::new(Code::AlreadyExists, "DOMAIN_TAKEN", message)
        }
        AdministrationError::Exists { .. } => {
            Status::new(Code::AlreadyExists, "TENANT_EXISTS", message)
        }
        AdministrationError::ProfileComplete => {
            Status::new(Code::AlreadyExists, "PROFILE_COMPLETE", message)
        }
        AdministrationError::Storage(error) => {
            tracing::error!(correlation_id = caller.correlation_id, %error, "storage failed");
            Status::from(error)
        }
        AdministrationError::NotFound { .. }
        | AdministrationError::Invalid { .. }
        | AdministrationError::Refused(_)
        | AdministrationError::SigningKeys(_) => {
            tracing::error!(correlation_id = caller.correlation_id, %error, "administration failed");
            Status::new(
                Code::Internal,
                "INTERNAL",
                "something went wrong; the log has it under the correlation id",
            )
        }
    };
    status.into()
}

fn profile(message: Option<ProfileMessage>) -> Profile {
    let ProfileMessage {
        currency,
        country,
        time_zone,
        tax_id,
        address,
    } = message.unwrap_or_default();
    let Address {
        building,
        street,
        district,
        city,
        postal_code,
    } = address.unwrap_or_default();
    Profile {
        currency,
        country,
        time_zone,
        tax_id,
        building,
        street,
        district,
        city,
        postal_code,
    }
}

/// Client id, client secret and tenant as they are told.
fn told(made: Provisioned) -> (String, String, TenantMessage) {
    let Tenant {
        organization,
        currency,
        country,
        time_zone,
        tax_id,
        address,
        ..
    } = made.tenant;
    let address = Address {
        building: address.building,
        street: address.street,
        district: address.district,
        city: address.city,
        postal_code: address.postal_code,
    };
    let tenant = TenantMessage {
        organization_id: organization.id.into_string(),
        name: organization.name,
        name_ar: organization.name_ar,
        domain: organization.domain,
        profile: Some(ProfileMessage {
            currency,
            country,
            time_zone,
            tax_id,
            address: Some(address),
        }),
    };
    (
        made.client_id,
        made.client_secret.expose().to_owned(),
        tenant,
    )
}
