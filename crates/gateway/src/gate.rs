//! The order in which a request is judged (decision 0025): the first that applies is the answer, over REST and gRPC alike.

use std::sync::Arc;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use invoicing_contract::{Code, Detail, Operation, Status, operation};

use super::organization::targeted;
use super::rate::Rate;
use super::refusal::Refusal;
use crate::GatewayDependencies;
use crate::documents;
use invoicing_http::RequestContext;
use invoicing_storage::access::{Authorizer, Principal, Tenant, TenantResolver, TokenVerifier};
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::world::World;
use invoicing_storage::{StorageError, Store};

/// Requests a minute for tenants without a limit, where the service was not told another.
const GENEROUS: u32 = 6_000;
/// A refused chain of impersonations is recorded so often at most: it is refused before requests are counted.
const RECORDED_EVERY_MS: i64 = 60 * 1000;

/// Steps 1 to 8. Steps 9 and 10 are the protocol's, 11 the operation's.
pub(super) struct Gate {
    tokens: Arc<dyn TokenVerifier>,
    tenants: Arc<dyn TenantResolver>,
    store: Arc<dyn Store>,
    world: World,
    organization_header: String,
    audience_id: &'static str,
    authorizer: Arc<dyn Authorizer>,
    rate: Rate,
    per_minute: u32,
}

impl Gate {
    pub(super) fn new(dependencies: GatewayDependencies) -> Self {
        let GatewayDependencies {
            tokens,
            tenants,
            store,
            world,
            names,
            services: _,
            authorizer,
            kind,
            rate_limit,
        } = dependencies;
        Self {
            tokens,
            tenants,
            store,
            world,
            organization_header: names.organization_header(),
            audience_id: kind.audience_id(),
            authorizer,
            rate: Rate::default(),
            per_minute: rate_limit.unwrap_or(GENEROUS),
        }
    }

    /// Lets a request pass or refuses it. `operation` is the one it names, if it names any.
    pub(super) async fn judge(
        &self,
        headers: &HeaderMap,
        correlation_id: &str,
        operation: Option<&Operation>,
    ) -> Result<RequestContext, Refusal> {
        let failed = |error: StorageError| {
            tracing::error!(correlation_id, %error, "storage failed at the gate");
            Refusal::from(Status::from(&error))
        };

        // 1, 2
        let token = bearer(headers)?;
        let Some(principal) = self.tokens.principal(token).await.map_err(failed)? else {
            return Err(Refusal::NotAuthenticated);
        };
        // 3
        if !principal
            .audiences
            .iter()
            .any(|audience| audience == self.audience_id)
        {
            return Err(Refusal::NotAuthorized);
        }
        // 4, 5
        let Some(organization) = targeted(headers, &self.organization_header, &principal) else {
            return Err(Refusal::NotAuthorized);
        };
        // 6
        let Some(tenant) = self.tenants.tenant(organization).await.map_err(failed)? else {
            tracing::warn!(
                correlation_id,
                organization,
                "the organization cannot be resolved to a tenant"
            );
            return Err(Refusal::Unresolvable);
        };
        // 7
        let roles: Vec<_> = principal.roles_in(organization).collect();
        let allowed = |operation: &Operation| {
            // Whoever acts as somebody else never administers: no chaining, whatever roles the other gets meanwhile.
            let administers = operation.scope.starts_with("Service.Admin.");
            !(administers && principal.actor.is_some())
                && self.authorizer.allows(&roles, operation.scope)
        };
        if let Some(refused) = operation.filter(|operation| !allowed(operation)) {
            if refused.scope == operation::IMPERSONATE.scope {
                self.record_chain(&principal, organization)
                    .await
                    .map_err(failed)?;
            }
            return Err(Refusal::NotAuthorized);
        }
        // 8
        self.within_rate(&tenant)?;
        if operation.is_some_and(creates) {
            self.within_plan(&tenant).await.map_err(failed)??;
        }
        Ok(RequestContext {
            correlation_id: correlation_id.to_owned(),
            principal,
            tenant,
        })
    }

    /// Records that somebody who acts as another tried to become a third.
    async fn record_chain(
        &self,
        principal: &Principal,
        organization: &str,
    ) -> Result<(), StorageError> {
        let Some(actor) = &principal.actor else {
            return Ok(());
        };
        let now = self.world.clock.now_ms();
        let entry = Entry::new(now, audit::Kind::ImpersonationRefused)
            .about(&principal.subject)
            .by(&actor.subject)
            .of(organization)
            .through(&principal.client)
            .with("reason", "a chain");
        self.store
            .record_once(&entry, now - RECORDED_EVERY_MS)
            .await
    }

    fn within_rate(&self, tenant: &Tenant) -> Result<(), Refusal> {
        let own = tenant
            .requests_per_minute
            .map(|limit| u32::try_from(limit.max(0)).unwrap_or(u32::MAX));
        let limit = own.unwrap_or(self.per_minute);
        self.rate
            .admit(
                tenant.organization.id.as_str(),
                limit,
                self.world.clock.now_ms(),
            )
            .map_err(|delay| {
                let status = Status::new(
                    Code::ResourceExhausted,
                    "RATE_LIMIT",
                    "too many requests for this organization",
                );
                status
                    .with_metadata("requestsPerMinute", limit.to_string())
                    .with(Detail::RetryInfo { delay })
                    .into()
            })
    }

    async fn within_plan(&self, tenant: &Tenant) -> Result<Result<(), Refusal>, StorageError> {
        let now = self.world.clock.now();
        let month = documents::month(tenant, now);
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
        Ok(Err(Status::from(documents::plan_limit(tenant, now)).into()))
    }
}

/// The presented token. Nothing presented is 403; anything that is not one bearer token is an invalid one.
fn bearer(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(Refusal::NotAuthorized)?;
    if values.next().is_some() {
        return Err(Refusal::NotAuthenticated);
    }
    let (scheme, token) = value
        .to_str()
        .ok()
        .and_then(|value| value.split_once(' '))
        .ok_or(Refusal::NotAuthenticated)?;
    let one = !token.is_empty() && token.len() <= 1024 && !token.contains([' ', ',']);
    if scheme.eq_ignore_ascii_case("bearer") && one {
        Ok(token)
    } else {
        Err(Refusal::NotAuthenticated)
    }
}

/// Whether an operation uses up a document of the plan.
fn creates(operation: &Operation) -> bool {
    operation.scope.ends_with(".Create")
}
