//! The gRPC service over [`Administration`]. The gateway authorizes the request and adds the [`RequestContext`].

use std::sync::Arc;

use invoicing_contract::messages::identity::identity_server::Identity;
use invoicing_contract::messages::identity::{
    Address, CompleteProfileRequest, CompleteProfileResponse, CreateTenantRequest,
    CreateTenantResponse, ImpersonateAcrossTenantsRequest, ImpersonateRequest, ImpersonateResponse,
    Profile as ProfileMessage, SetTenantLimitsRequest, SetTenantLimitsResponse,
    Tenant as TenantMessage,
};
use invoicing_contract::{Code, FieldViolation, OrganizationId, Status, SubjectId, operation};
use tonic::{Request, Response};

use super::dependencies::{AdministrationDependencies, RpcResult};
use super::impersonation::{Impersonation, ImpersonationError};
use super::status::to_status;
use super::tenant_messages::{from_registration_number, to_tenant};
use super::tenants::{NewOrganization, NewTenant, Profile, ProvisionedTenant};
use crate::provider::Provider;
use invoicing_http::RequestContext;
use invoicing_storage::StorageError;
use invoicing_storage::access::Authorizer;
use invoicing_storage::plans::Limits;
use invoicing_storage::subjects::Member;
use invoicing_storage::tokens::TokenActor;

/// The operations of the package invoicing.identity.v2: here those of the service Identity, the others in a file for each service.
#[derive(Clone)]
pub struct IdentityRpc {
    /// The provider, for impersonation.
    pub provider: Arc<Provider>,
    /// What every service of administration works with.
    pub dependencies: AdministrationDependencies,
    /// Decides who is an administrator.
    pub authorizer: Arc<dyn Authorizer>,
}

#[tonic::async_trait]
impl Identity for IdentityRpc {
    async fn create_tenant(
        &self,
        request: Request<CreateTenantRequest>,
    ) -> RpcResult<CreateTenantResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let new = NewTenant {
            organization: NewOrganization {
                id: request.organization_id,
                name: request.name,
                name_ar: request.name_ar,
                domain: request.domain,
            },
            profile: profile(request.profile),
        };
        let provisioned = self
            .dependencies
            .administration(&caller)
            .create_tenant(new)
            .await
            .map_err(|error| to_status(&caller, &error))?;
        let (client_id, client_secret, tenant) = to_messages(provisioned);
        Ok(Response::new(CreateTenantResponse {
            tenant: Some(tenant),
            client_id,
            client_secret,
        }))
    }

    async fn complete_profile(
        &self,
        request: Request<CompleteProfileRequest>,
    ) -> RpcResult<CompleteProfileResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let provisioned = self
            .dependencies
            .administration(&caller)
            .complete_profile((*caller.tenant).clone(), profile(request.profile))
            .await
            .map_err(|error| to_status(&caller, &error))?;
        let (client_id, client_secret, tenant) = to_messages(provisioned);
        Ok(Response::new(CompleteProfileResponse {
            tenant: Some(tenant),
            client_id,
            client_secret,
        }))
    }

    async fn impersonate(
        &self,
        request: Request<ImpersonateRequest>,
    ) -> RpcResult<ImpersonateResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        self.respond_with_impersonation(&caller, None, &request.user_id)
            .await
    }

    async fn impersonate_across_tenants(
        &self,
        request: Request<ImpersonateAcrossTenantsRequest>,
    ) -> RpcResult<ImpersonateResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let organization = request.organization_id.into();
        self.respond_with_impersonation(&caller, Some(&organization), &request.user_id)
            .await
    }

    async fn set_tenant_limits(
        &self,
        request: Request<SetTenantLimitsRequest>,
    ) -> RpcResult<SetTenantLimitsResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let limits = request.limits.unwrap_or_default();
        let violations = [
            ("limits.monthlyDocuments", limits.monthly_documents),
            ("limits.requestsPerMinute", limits.requests_per_minute),
            ("limits.users", limits.users),
        ]
        .into_iter()
        .filter(|(_, limit)| limit.is_some_and(|limit| limit < 0))
        .map(|(field, _)| FieldViolation::new(field, "must not be negative"))
        .collect::<Vec<_>>();
        if !violations.is_empty() {
            let message = "the limits are not valid";
            return Err(Status::invalid("INVALID_REQUEST", message, violations).into());
        }
        self.dependencies
            .administration(&caller)
            .set_limits(
                &request.organization_id,
                &Limits {
                    monthly_documents: limits.monthly_documents.map(i64::from),
                    requests_per_minute: limits.requests_per_minute.map(i64::from),
                    users: limits.users.map(i64::from),
                },
            )
            .await
            .map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(SetTenantLimitsResponse {
            limits: Some(limits),
        }))
    }
}

/// Why an impersonation is denied.
enum ImpersonationDenied {
    /// The caller may not impersonate, or the target may not be impersonated.
    Forbidden,
    /// No person of the organization has this id.
    NotFound,
    /// The tokens could not be issued.
    Failed(ImpersonationError),
}

impl From<StorageError> for ImpersonationDenied {
    fn from(error: StorageError) -> Self {
        Self::Failed(error.into())
    }
}

impl IdentityRpc {
    async fn respond_with_impersonation(
        &self,
        caller: &RequestContext,
        another: Option<&OrganizationId>,
        target: &str,
    ) -> RpcResult<ImpersonateResponse> {
        let tokens = self.issue_impersonation(caller, another, target).await;
        tokens.map(Response::new).map_err(|denied| match denied {
            ImpersonationDenied::Forbidden => Status::permission_denied().into(),
            ImpersonationDenied::NotFound => Status::new(
                Code::NotFound,
                "USER_NOT_FOUND",
                "there is no such person in this organization",
            )
            .into(),
            ImpersonationDenied::Failed(error) => {
                tracing::error!(correlation_id = caller.correlation_id, %error, "impersonation failed");
                match error {
                    ImpersonationError::Storage(error) => Status::from(&error),
                    ImpersonationError::Signing(_) => Status::new(
                        Code::Internal,
                        "INTERNAL",
                        "something went wrong; the log has it under the correlation id",
                    ),
                }
                .into()
            }
        })
    }

    /// Issues tokens for the target, a person of `another` organization, or of the caller's.
    async fn issue_impersonation(
        &self,
        caller: &RequestContext,
        another: Option<&OrganizationId>,
        target: &str,
    ) -> Result<ImpersonateResponse, ImpersonationDenied> {
        let actor = &caller.principal.subject;
        let organization = another.unwrap_or(caller.organization());
        let deny = async |reason, denied| {
            self.provider
                .record_impersonation_denied(
                    actor,
                    caller.organization(),
                    reason,
                    &caller.correlation_id,
                )
                .await?;
            Err(denied)
        };
        let basis = self.dependencies.store.basis().await?;
        let client_id = &caller.principal.client;
        let Some(application) = self
            .dependencies
            .store
            .application(client_id, basis)
            .await?
        else {
            return deny("a personal access token", ImpersonationDenied::Forbidden).await;
        };
        if another == Some(caller.organization()) {
            // People of the operator organization are impersonated by its administrators.
            return deny("the operator organization", ImpersonationDenied::Forbidden).await;
        }
        let target = SubjectId::new(target);
        let target = self
            .dependencies
            .store
            .member(&target, basis)
            .await?
            .filter(|target| {
                target.subject.home_organization == *organization && !target.subject.is_machine()
            });
        let Some(target) = target else {
            return deny("nobody of this organization", ImpersonationDenied::NotFound).await;
        };
        if self.is_administrator(&target) {
            return deny("an administrator", ImpersonationDenied::Forbidden).await;
        }
        let impersonation = Impersonation {
            actor: &TokenActor {
                subject: actor.clone(),
                epoch: caller.principal.epoch,
            },
            application: &application,
            target: &target,
            organization,
            basis,
            correlation_id: &caller.correlation_id,
        };
        let tokens = self
            .provider
            .impersonate(&impersonation)
            .await
            .map_err(ImpersonationDenied::Failed)?;
        Ok(ImpersonateResponse {
            access_token: tokens.access_token.expose().to_owned(),
            token_type: "Bearer".to_owned(),
            expires_in: i32::try_from(tokens.expires_in.as_secs()).unwrap_or(i32::MAX),
            id_token: tokens.id_token,
            scope: tokens.scope,
        })
    }

    /// Whether `member` holds the scope of an administrative operation in any organization.
    fn is_administrator(&self, member: &Member) -> bool {
        let mut operations = operation::ALL
            .iter()
            .filter(|operation| operation.is_administration());
        operations.any(|operation| {
            member
                .grants
                .iter()
                .any(|grant| self.authorizer.allows(&[&*grant.role], operation.scope))
        })
    }
}

fn profile(message: Option<ProfileMessage>) -> Profile {
    let ProfileMessage {
        currency,
        country,
        time_zone,
        tax_id,
        address,
        registration_number,
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
        registration_number: from_registration_number(registration_number),
        building,
        street,
        district,
        city,
        postal_code,
    }
}

/// Client id, client secret and tenant of a response.
fn to_messages(provisioned: ProvisionedTenant) -> (String, String, TenantMessage) {
    (
        provisioned.client_id,
        provisioned.client_secret.expose().to_owned(),
        to_tenant(provisioned.tenant),
    )
}
