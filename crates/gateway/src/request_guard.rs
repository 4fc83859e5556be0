//! Authentication and authorization of every request, in the order of decision 0025. REST and gRPC share it.

use std::error::Error;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use invoicing_contract::{AudienceId, Operation, OrganizationId, Status, operation};
use invoicing_http::{BearerError, BearerPolicy, RequestContext, bearer_token};
use invoicing_storage::access::{
    Principal, Tenant, TenantResolver, TokenVerification, TokenVerifier, VerifiedToken,
};
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::{Clock, StorageError, Store};

use crate::GatewayDependencies;
use crate::documents;
use crate::gateway_error::GatewayError;
use crate::permissions::{Permissions, is_entitled};
use crate::rate_limit::RequestRates;
use crate::target_organization::target_organization;

/// Requests per minute of a tenant without a limit, if the configuration has no other default.
pub(crate) const DEFAULT_REQUESTS_PER_MINUTE: u32 = 6_000;
/// The least time between two audit events about the same kind of refusal to the same subject. The refusal comes before the rate limit, so
/// a caller could fill the audit otherwise.
const AUDIT_INTERVAL: Duration = Duration::from_secs(60);

/// Steps 1 to 8 of decision 0025. REST and gRPC do 9 and 10, the operation 11.
pub(crate) struct RequestGuard {
    tokens: Arc<dyn TokenVerifier>,
    tenants: Arc<dyn TenantResolver>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    organization_header: String,
    audience_id: AudienceId,
    permissions: Arc<Permissions>,
    rates: Arc<RequestRates>,
}

impl RequestGuard {
    pub(crate) fn new(
        dependencies: GatewayDependencies,
        permissions: Arc<Permissions>,
        rates: Arc<RequestRates>,
    ) -> Self {
        let GatewayDependencies {
            tokens,
            tenants,
            store,
            clock,
            rng: _,
            names,
            services: _,
            readiness: _,
            authorizer: _,
            audience_id,
            rate_limit: _,
            proxies: _,
            cors_origins: _,
            authority_addresses: _,
            authority_timeout: _,
            encryption_keys: _,
            page_tokens: _,
        } = dependencies;
        Self {
            tokens,
            tenants,
            store,
            clock,
            organization_header: names.organization_header(),
            audience_id,
            permissions,
            rates,
        }
    }

    /// The context of a request that may proceed. It comes from an address, and has a correlation id. `operation` is `None` if the
    /// request names none; scope and plan are not checked then.
    ///
    /// # Errors
    /// The first step that fails.
    pub(crate) async fn authorize(
        &self,
        headers: &HeaderMap,
        (address, correlation_id): (IpAddr, &str),
        operation: Option<&Operation>,
    ) -> Result<RequestContext, GatewayError> {
        let failed = |error: StorageError| {
            tracing::error!(
                correlation_id,
                error = &error as &dyn Error,
                "storage failed in the request guard"
            );
            GatewayError::from(Status::from(&error))
        };

        // 1, 2
        let token = bearer_token(headers, BearerPolicy::Strict).map_err(|error| match error {
            BearerError::Missing => GatewayError::PermissionDenied,
            BearerError::Malformed => GatewayError::Unauthenticated,
        })?;
        let verification = self.tokens.verify(token, address).await.map_err(failed)?;
        let VerifiedToken { principal, basis } = match verification {
            TokenVerification::Valid(token) => token,
            TokenVerification::Invalid => return Err(GatewayError::Unauthenticated),
            TokenVerification::NotLookedUp { wait } => {
                return Err(GatewayError::address_limit(wait));
            }
        };
        // 3
        if !principal
            .audiences
            .iter()
            .any(|audience| audience == self.audience_id.as_str())
        {
            return Err(GatewayError::PermissionDenied);
        }
        // 4, 5
        let Some(organization) =
            target_organization(headers, &self.organization_header, &principal)
        else {
            return Err(GatewayError::PermissionDenied);
        };
        // 6
        let Some(tenant) = self
            .tenants
            .resolve(organization, basis)
            .await
            .map_err(failed)?
        else {
            tracing::warn!(
                correlation_id,
                %organization,
                "the organization has no tenant"
            );
            return Err(GatewayError::TenantUnavailable);
        };
        // 7
        if !is_entitled(&principal, &tenant, operation) {
            return Err(GatewayError::PermissionDenied);
        }
        if let Some(operation) = operation
            && !self
                .permissions
                .allows(&principal, organization, operation)
                .await
                .map_err(failed)?
        {
            self.record_refusal(&principal, organization, operation, correlation_id)
                .await
                .map_err(failed)?;
            return Err(GatewayError::PermissionDenied);
        }
        // 8
        self.check_rate(&tenant).await.map_err(failed)??;
        if operation.is_some_and(|operation| operation.creates_document) && tenant.has_profile() {
            self.check_plan(&tenant).await.map_err(failed)??;
        }
        Ok(RequestContext {
            correlation_id: correlation_id.to_owned(),
            lacks_profile: !tenant.has_profile()
                && operation.is_none_or(|operation| !operation.without_profile),
            principal,
            tenant,
        })
    }

    /// Records a refused operation on the platform, and the use of an impersonated token to impersonate another person.
    async fn record_refusal(
        &self,
        principal: &Principal,
        organization: &OrganizationId,
        operation: &Operation,
        correlation_id: &str,
    ) -> Result<(), StorageError> {
        let (kind, reason) = if operation.is_platform() {
            (audit::AuditEventKind::PlatformRefused, operation.method)
        } else if operation.scope == operation::IMPERSONATE.scope && principal.actor.is_some() {
            (audit::AuditEventKind::ImpersonationRefused, "a chain")
        } else {
            return Ok(());
        };
        let now = self.clock.timestamp();
        let mut event = AuditEvent::new(now, kind)
            .subject(&principal.subject)
            .organization(organization)
            .client(&principal.client)
            .correlation_id(correlation_id)
            .detail("reason", reason);
        if let Some(actor) = &principal.actor {
            event = event.actor(&actor.subject);
        }
        self.store
            .record_once(&event, now.minus(AUDIT_INTERVAL))
            .await
    }

    async fn check_rate(&self, tenant: &Tenant) -> Result<Result<(), GatewayError>, StorageError> {
        let admitted = self.rates.admit(tenant).await?;
        Ok(admitted.map_err(|limited| {
            let organization = &tenant.organization.id;
            GatewayError::rate_limit(organization, limited.per_minute, limited.wait)
        }))
    }

    async fn check_plan(&self, tenant: &Tenant) -> Result<Result<(), GatewayError>, StorageError> {
        let now = self.clock.now();
        let month = documents::plan_month(tenant, now);
        let Some(limit) = month.limit else {
            return Ok(Ok(()));
        };
        let created = self
            .store
            .documents_created(&tenant.organization.id, &month.name)
            .await?;
        if created < limit {
            return Ok(Ok(()));
        }
        Ok(Err(
            Status::from(documents::plan_limit_error(tenant, now)).into()
        ))
    }
}
