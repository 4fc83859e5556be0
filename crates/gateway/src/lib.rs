//! The API gateway: a request guard checks every request in one order, then REST and gRPC call the same handlers.

mod audit;
mod audit_event;
mod blocking;
mod body;
pub mod clearance;
mod deadline;
mod description;
pub mod documents;
mod error;
pub mod fuzz_checks;
mod gateway_error;
mod grpc;
mod grpc_health;
pub mod master_data;
mod new_identifiers;
mod organization_shares;
mod payments;
mod permissions;
mod plans;
mod rate_limit;
mod reports;
mod request_date;
mod request_guard;
mod rest;
mod rpc_response;
mod rules;
mod target_organization;
pub mod tenant_time;

pub use body::MAX_MESSAGE_BYTES;
pub use description::document as openapi_document;
pub use error::GatewayStartError;
pub use grpc::HostedServices;
pub use rest::RouteError;
pub use rules::{LargestRules, RuleAuthorizer};

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::get;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use invoicing_contract::{AudienceId, Names, Operation};
use invoicing_http::cors::{OriginCorsLayer, allow_origins};
use invoicing_http::metrics::OperationPath;
use invoicing_http::{
    CorrelationId, PageTokens, Peer, Protocol, Readiness, RequestContext, health,
};
use invoicing_storage::access::{Authorizer, TenantResolver, TokenVerifier};
use invoicing_storage::encryption::EncryptionKeys;
use invoicing_storage::{Clock, Rng, Store};
use ipnet::IpNet;
use tokio_util::sync::CancellationToken;

use crate::audit::AuditEvents;
use crate::body::BodyReader;
use crate::clearance::{AddressPolicy, Authorities, Clearance, ClearanceWorker};
use crate::documents::Documents;
use crate::gateway_error::GatewayError;
use crate::grpc::{GrpcServices, GrpcTarget, OwnServices};
use crate::grpc_health::GrpcHealth;
use crate::master_data::MasterData;
use crate::payments::Payments;
use crate::permissions::Permissions;
use crate::plans::Plans;
use crate::rate_limit::RequestRates;
use crate::reports::Reports;
use crate::request_guard::{DEFAULT_REQUESTS_PER_MINUTE, RequestGuard};
use crate::rest::{Target, Transcoder};
use crate::rules::RuleAdministration;

/// What the gateway is built from.
pub struct GatewayDependencies {
    /// gRPC services of other crates, served behind the same guard.
    pub services: HostedServices,
    /// Decides which role holds which scope.
    pub authorizer: Arc<dyn Authorizer>,
    /// The project-audience id of the environment, which a token must carry.
    pub audience_id: AudienceId,
    /// Finds the principal of an access token.
    pub tokens: Arc<dyn TokenVerifier>,
    /// Finds the tenant of an organization.
    pub tenants: Arc<dyn TenantResolver>,
    /// Documents, and the audit of refused requests.
    pub store: Arc<dyn Store>,
    /// Whether `store` answers.
    pub readiness: Arc<Readiness>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// The random source of keys, stamps and document keys.
    pub rng: Arc<dyn Rng>,
    /// Names of headers, claims and scopes.
    pub names: Names,
    /// Requests per minute for tenants without a limit of their own.
    pub rate_limit: Option<u32>,
    /// Networks of trusted proxies, whose `X-Forwarded-For` names the client.
    pub proxies: Vec<IpNet>,
    /// Origins whose pages may call the gateway, as `https://app.example`.
    pub cors_origins: Vec<HeaderValue>,
    /// Where tax authorities may be.
    pub authority_addresses: AddressPolicy,
    /// How long a tax authority may take for an answer, eight seconds at most; `None` for those.
    pub authority_timeout: Option<Duration>,
    /// The keys that credentials of tax authorities are encrypted with; `None`: they cannot be stored.
    pub encryption_keys: Option<EncryptionKeys>,
    /// Signs and verifies page tokens.
    pub page_tokens: PageTokens,
}

/// The gateway as a router, and its background tasks.
///
/// # Errors
/// See [`GatewayStartError`].
pub async fn router(
    dependencies: GatewayDependencies,
) -> Result<(Router, HealthWatch, ClearanceWorker), GatewayStartError> {
    let description =
        description::router(&dependencies.names, &dependencies.services.error_examples);
    let cors = cors_layer(&dependencies);
    let store = dependencies.store.clone();
    let readiness = dependencies.readiness.clone();
    let services = dependencies.services.clone();
    let page_tokens = dependencies.page_tokens.clone();
    let proxies = dependencies.proxies.clone();
    let bodies = Arc::new(BodyReader::new());
    let clearance = Arc::new(Clearance::new(
        store.clone(),
        dependencies.clock.clone(),
        dependencies.rng.clone(),
        dependencies.authority_addresses.clone(),
        dependencies.authority_timeout,
        dependencies.encryption_keys.clone(),
    ));
    let requests_per_minute = dependencies
        .rate_limit
        .unwrap_or(DEFAULT_REQUESTS_PER_MINUTE);
    let rates = RequestRates::new(
        store.clone(),
        dependencies.clock.clone(),
        requests_per_minute,
    );
    let rates = Arc::new(rates);
    let documents = Arc::new(Documents::new(
        store.clone(),
        dependencies.clock.clone(),
        dependencies.rng.clone(),
        clearance.clone(),
        page_tokens.clone(),
        rates.clone(),
    ));
    let authorities = Arc::new(Authorities::new(clearance.clone(), page_tokens.clone()));
    let rules = Arc::new(RuleAdministration::new(
        store.clone(),
        dependencies.clock.clone(),
        dependencies.rng.clone(),
        page_tokens.clone(),
    ));
    let master_data = Arc::new(MasterData::new(
        store.clone(),
        dependencies.clock.clone(),
        dependencies.rng.clone(),
        page_tokens.clone(),
    ));
    let payments = Arc::new(Payments::new(
        store.clone(),
        dependencies.clock.clone(),
        dependencies.rng.clone(),
        page_tokens.clone(),
    ));
    let reports = Arc::new(Reports::new(store.clone(), dependencies.clock.clone()));
    let audit_events = Arc::new(AuditEvents::new(
        store.clone(),
        dependencies.clock.clone(),
        page_tokens.clone(),
    ));
    let plans = Arc::new(Plans::new(
        store.clone(),
        dependencies.clock.clone(),
        dependencies.rng.clone(),
        page_tokens,
        requests_per_minute,
    ));
    let permissions = Arc::new(Permissions::new(
        dependencies.authorizer.clone(),
        store.clone(),
    ));
    let own = OwnServices {
        permissions: permissions.clone(),
        documents,
        rules,
        master_data,
        plans,
        payments,
        reports,
        authorities,
        audit_events,
    };
    let handlers = own.handlers().and(services.handlers.clone());
    let clock = dependencies.clock.clone();
    let rest = Transcoder::new(&handlers, store, clock, bodies.clone())?;
    let gateway = Arc::new(Gateway {
        guard: RequestGuard::new(dependencies, permissions, rates),
        rest,
        grpc: GrpcServices::new(own, services, readiness.clone(), bodies).await,
        proxies,
    });
    let health = HealthWatch(gateway.grpc.health().clone());
    let router = Router::new()
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready).with_state(readiness))
        .merge(description)
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(move |request: Request| {
            let gateway = gateway.clone();
            async move { gateway.handle(request).await }
        });
    // Outside of the guard: a browser sends no token in a preflight request.
    let router = match cors {
        Some(cors) => router.layer(cors),
        None => router,
    };
    Ok((router, health, ClearanceWorker(clearance)))
}

/// The response to another method than that of the paths which need no token. All of them are read only.
async fn method_not_allowed(headers: HeaderMap) -> Response {
    GatewayError::method_not_allowed(&["GET", "HEAD"]).response(Protocol::of(&headers))
}

/// `None` if no page of another origin may call the gateway.
fn cors_layer(dependencies: &GatewayDependencies) -> Option<OriginCorsLayer> {
    let origins = dependencies.cors_origins.clone();
    let header = HeaderName::try_from(dependencies.names.organization_header()).ok()?;
    (!origins.is_empty()).then(|| OriginCorsLayer::new(allow_origins(origins, header)))
}

/// Keeps the status of the gRPC health service up to date.
pub struct HealthWatch(Arc<GrpcHealth>);

impl HealthWatch {
    /// Asks storage every few seconds until `stop`.
    pub async fn run(self, stop: CancellationToken) {
        self.0.watch(stop).await;
    }
}

/// Headers of each response that does not set them itself: no response may be cached or interpreted as another type.
#[must_use]
pub fn default_response_headers() -> Vec<(HeaderName, HeaderValue)> {
    vec![
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
    ]
}

struct Gateway {
    guard: RequestGuard,
    rest: Transcoder,
    grpc: GrpcServices,
    proxies: Vec<IpNet>,
}

impl Gateway {
    async fn handle(&self, request: Request) -> Response {
        let protocol = Protocol::of(request.headers());
        let (operation, handled) = match protocol {
            Protocol::Grpc => {
                let target = GrpcTarget::of(request.uri().path());
                (target.operation(), self.handle_grpc(target, request).await)
            }
            Protocol::Rest => {
                let target = self.rest.target(request.method(), request.uri().path());
                (target.operation(), self.handle_rest(target, request).await)
            }
        };
        let mut response = handled.unwrap_or_else(|error| error.response(protocol));
        if let Some(operation) = operation {
            let path = OperationPath(operation.path);
            response.extensions_mut().insert(path);
        }
        response
    }

    async fn handle_grpc(
        &self,
        target: GrpcTarget,
        request: Request,
    ) -> Result<Response, GatewayError> {
        match target {
            GrpcTarget::Health => {
                self.grpc.health().refresh().await;
                self.grpc.forward_health(request).await
            }
            GrpcTarget::Operation(operation) => {
                let context = self.authorize(&request, Some(operation)).await?;
                self.grpc.forward_unary(request, context).await
            }
            GrpcTarget::Reflection => {
                self.authorize(&request, None).await?;
                self.grpc.forward_reflection(request).await
            }
            GrpcTarget::Unknown => {
                self.authorize(&request, None).await?;
                Err(GatewayError::unknown_method())
            }
        }
    }

    async fn handle_rest(
        &self,
        target: Target<'_>,
        request: Request,
    ) -> Result<Response, GatewayError> {
        let context = self.authorize(&request, target.operation()).await?;
        self.rest.handle(target, request, context).await
    }

    /// Not `async`: the future must not hold the request, whose body is not `Sync`.
    fn authorize<'call>(
        &'call self,
        request: &'call Request,
        operation: Option<&'call Operation>,
    ) -> impl Future<Output = Result<RequestContext, GatewayError>> + Send + 'call {
        let correlation_id = request
            .extensions()
            .get::<CorrelationId>()
            .map(CorrelationId::as_str)
            .unwrap_or_default();
        let caller = (self.client_address(request), correlation_id);
        self.guard.authorize(request.headers(), caller, operation)
    }

    fn client_address(&self, request: &Request) -> IpAddr {
        let peer = request.extensions().get::<Peer>();
        // Every request that a listener receives has a peer.
        peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| {
            peer.client_address(request.headers(), &self.proxies)
        })
    }
}
