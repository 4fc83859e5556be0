//! The API gateway: every request is judged in one fixed order, then goes to the same handlers, over REST and over gRPC.

mod authorizer;
pub mod documents;
mod error;
mod gate;
mod grpc;
mod health;
mod organization;
mod rate;
mod refusal;
mod rest;

pub use authorizer::RoleTable;
pub use error::GatewayStartError;
pub use grpc::{HostedServices, MAX_MESSAGE_BYTES};

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::get;
use invoicing_contract::{Names, Operation};

use crate::documents::{Authority, Documents, PageTokens};
use invoicing_contract::EnvironmentKind;
use invoicing_http::{CorrelationId, RequestContext};
use invoicing_storage::Store;
use invoicing_storage::access::{Authorizer, TenantResolver, TokenVerifier};
use invoicing_storage::world::World;

use gate::Gate;
use refusal::{Protocol, Refusal};

/// What the gateway is built from.
pub struct GatewayDependencies {
    /// gRPC services of other crates, served behind the same guard.
    pub services: HostedServices,
    /// Decides which role holds which scope.
    pub authorizer: Arc<dyn Authorizer>,
    /// What the environment is for: a token must carry its project-audience id.
    pub kind: EnvironmentKind,
    /// What access tokens stand for.
    pub tokens: Arc<dyn TokenVerifier>,
    /// Which tenant an organization is.
    pub tenants: Arc<dyn TenantResolver>,
    /// Where documents are kept.
    pub store: Arc<dyn Store>,
    /// Clock and randomness.
    pub world: World,
    /// Names of headers, claims and scopes.
    pub names: Names,
    /// Requests per minute for tenants without a limit of their own.
    pub rate_limit: Option<u32>,
}

/// The gateway as a router.
///
/// # Errors
/// When storage does not give the key of page tokens, or HTTP to tax authorities cannot be set up.
pub async fn router(parts: GatewayDependencies) -> Result<Router, GatewayStartError> {
    let page_tokens = PageTokens::open(&*parts.store, &parts.world).await?;
    let authority = Authority::new().map_err(GatewayStartError::Authority)?;
    let documents = Documents::new(
        parts.store.clone(),
        parts.world.clone(),
        authority,
        page_tokens,
    );
    let services = parts.services.clone();
    let store = parts.store.clone();
    let gateway = Arc::new(Gateway {
        gate: Gate::new(parts),
        rest: rest::Transcoder::new(),
        grpc: grpc::Services::new(documents, services).await,
    });
    Ok(Router::new()
        .route("/health/live", get(health::live))
        .route("/health/ready", get(move || health::ready(store.clone())))
        .fallback(move |request: Request| {
            let gateway = gateway.clone();
            async move { gateway.answer(request).await }
        }))
}

struct Gateway {
    gate: Gate,
    rest: rest::Transcoder,
    grpc: grpc::Services,
}

impl Gateway {
    async fn answer(&self, request: Request) -> Response {
        let protocol = Protocol::of(request.headers());
        let answered = match protocol {
            Protocol::Grpc => self.answer_grpc(request).await,
            Protocol::Rest => self.answer_rest(request).await,
        };
        answered.unwrap_or_else(|refusal| refusal.response(protocol))
    }

    async fn answer_grpc(&self, mut request: Request) -> Result<Response, Refusal> {
        let target = self.grpc.target(request.uri().path());
        let caller = match target {
            grpc::Target::Health => return Ok(self.grpc.call(request).await),
            grpc::Target::Operation(operation) => self.judge(&request, Some(operation)).await?,
            grpc::Target::Reflection | grpc::Target::Unknown => self.judge(&request, None).await?,
        };
        request.extensions_mut().insert(caller);
        match target {
            grpc::Target::Operation(_) => self.grpc.call_unary(request).await,
            grpc::Target::Health | grpc::Target::Reflection => Ok(self.grpc.call(request).await),
            grpc::Target::Unknown => Err(Refusal::unknown_method()),
        }
    }

    async fn answer_rest(&self, request: Request) -> Result<Response, Refusal> {
        let target = self.rest.target(request.method(), request.uri().path());
        let caller = self.judge(&request, target.operation()).await?;
        self.rest.answer(target, request, caller, &self.grpc).await
    }

    /// Not async itself: a request's body must not be held while others wait.
    fn judge<'call>(
        &'call self,
        request: &'call Request,
        operation: Option<&'call Operation>,
    ) -> impl Future<Output = Result<RequestContext, Refusal>> + Send + 'call {
        let correlation_id = request
            .extensions()
            .get::<CorrelationId>()
            .map(CorrelationId::as_str)
            .unwrap_or_default();
        self.gate
            .judge(request.headers(), correlation_id, operation)
    }
}
