//! The gRPC services: those of the contract, health and reflection.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::HeaderMap;
use http_body::Frame;
use http_body_util::BodyExt as _;
use invoicing_contract::handlers::{self, Handlers};
use invoicing_contract::messages::audit::audit_events_server::AuditEventsServer;
use invoicing_contract::messages::authorities::authorities_server::AuthoritiesServer;
use invoicing_contract::messages::documents::document_attachments_server::DocumentAttachmentsServer;
use invoicing_contract::messages::documents::document_batches_server::DocumentBatchesServer;
use invoicing_contract::messages::documents::document_files_server::DocumentFilesServer;
use invoicing_contract::messages::documents::documents_server::DocumentsServer;
use invoicing_contract::messages::documents::submissions_server::SubmissionsServer;
use invoicing_contract::messages::items::items_server::ItemsServer;
use invoicing_contract::messages::parties::parties_server::PartiesServer;
use invoicing_contract::messages::payments::payments_server::PaymentsServer;
use invoicing_contract::messages::permissions::permissions_server::PermissionsServer;
use invoicing_contract::messages::plans::plans_server::PlansServer;
use invoicing_contract::messages::reports::reports_server::ReportsServer;
use invoicing_contract::messages::rules::rules_server::RulesServer;
use invoicing_contract::messages::simple::invoices_server::InvoicesServer;
use invoicing_contract::{FieldViolation, Operation, Status, operation};
use invoicing_http::{Readiness, RequestContext, limit_size};
use tonic::service::Routes;
use tower::ServiceExt as _;

use crate::audit::AuditEvents;
use crate::body::{
    BodyReader, MAX_BODY_BYTES, MAX_MESSAGE_BYTES, MAX_STREAM_BYTES, ReceivedBody, is_one_message,
};
use crate::clearance::Authorities;
use crate::deadline::Deadline;
use crate::documents::{Documents, get_stored_document};
use crate::gateway_error::GatewayError;
use crate::grpc_health::GrpcHealth;
use crate::master_data::MasterData;
use crate::payments::Payments;
use crate::permissions::Permissions;
use crate::plans::Plans;
use crate::reports::Reports;
use crate::rules::RuleAdministration;

/// A tonic server with the limit of messages, which holds for their decompressed size, and with gzip in both directions (decision
/// 0130).
#[macro_export]
macro_rules! with_message_limits {
    ($server:expr) => {
        $server
            .max_decoding_message_size($crate::MAX_MESSAGE_BYTES)
            .accept_compressed(::tonic::codec::CompressionEncoding::Gzip)
            .send_compressed(::tonic::codec::CompressionEncoding::Gzip)
    };
}

/// gRPC services of other crates, served behind the request guard.
#[derive(Debug, Clone)]
pub struct HostedServices {
    /// Serve their operations over gRPC.
    pub routes: Routes,
    /// Serve their operations over REST.
    pub handlers: Handlers,
    /// An example of each of their errors, for the description of the API.
    pub error_examples: Vec<Status>,
}

/// The gateway's own services.
pub(crate) struct OwnServices {
    pub(crate) documents: Arc<Documents>,
    pub(crate) rules: Arc<RuleAdministration>,
    pub(crate) master_data: Arc<MasterData>,
    pub(crate) permissions: Arc<Permissions>,
    pub(crate) plans: Arc<Plans>,
    pub(crate) payments: Arc<Payments>,
    pub(crate) reports: Arc<Reports>,
    pub(crate) authorities: Arc<Authorities>,
    pub(crate) audit_events: Arc<AuditEvents>,
}

impl OwnServices {
    /// Their handlers.
    pub(crate) fn handlers(&self) -> Handlers {
        handlers::documents(self.documents.clone())
            .and(handlers::document_batches(self.documents.clone()))
            .and(handlers::document_files(self.documents.clone()))
            .and(handlers::document_attachments(self.documents.clone()))
            .and(handlers::invoices(self.documents.clone()))
            .and(handlers::rules(self.rules.clone()))
            .and(handlers::parties(self.master_data.clone()))
            .and(handlers::items(self.master_data.clone()))
            .and(handlers::permissions(self.permissions.clone()))
            .and(handlers::plans(self.plans.clone()))
            .and(handlers::payments(self.payments.clone()))
            .and(handlers::reports(self.reports.clone()))
            .and(handlers::submissions(self.documents.clone()))
            .and(handlers::authorities(self.authorities.clone()))
            .and(handlers::audit_events(self.audit_events.clone()))
            .with(
                &operation::GET_DOCUMENT,
                handlers::encoded(&self.documents, get_stored_document),
            )
    }

    /// Adds them to the services of other crates.
    fn add_to(self, routes: Routes) -> Routes {
        let documents = self.documents;
        routes
            .add_service(with_message_limits!(DocumentsServer::from_arc(
                documents.clone()
            )))
            .add_service(with_message_limits!(DocumentBatchesServer::from_arc(
                documents.clone()
            )))
            .add_service(with_message_limits!(DocumentAttachmentsServer::from_arc(
                documents.clone()
            )))
            .add_service(with_message_limits!(DocumentFilesServer::from_arc(
                documents.clone()
            )))
            .add_service(with_message_limits!(SubmissionsServer::from_arc(
                documents.clone()
            )))
            .add_service(with_message_limits!(AuthoritiesServer::from_arc(
                self.authorities
            )))
            .add_service(with_message_limits!(InvoicesServer::from_arc(documents)))
            .add_service(with_message_limits!(RulesServer::from_arc(self.rules)))
            .add_service(with_message_limits!(PartiesServer::from_arc(
                self.master_data.clone()
            )))
            .add_service(with_message_limits!(ItemsServer::from_arc(
                self.master_data
            )))
            .add_service(with_message_limits!(PermissionsServer::from_arc(
                self.permissions
            )))
            .add_service(with_message_limits!(PlansServer::from_arc(self.plans)))
            .add_service(with_message_limits!(PaymentsServer::from_arc(
                self.payments
            )))
            .add_service(with_message_limits!(ReportsServer::from_arc(self.reports)))
            .add_service(with_message_limits!(AuditEventsServer::from_arc(
                self.audit_events
            )))
    }
}

/// What a gRPC path names.
#[derive(Debug, Clone, Copy)]
pub(crate) enum GrpcTarget {
    /// An operation of the contract.
    Operation(&'static Operation),
    /// `grpc.health.v1.Health`, which needs no token: a load balancer has none.
    Health,
    /// `grpc.reflection.v1.ServerReflection` and v1alpha, for every caller that passes the request guard without an operation.
    Reflection,
    /// Nothing.
    Unknown,
}

impl GrpcTarget {
    pub(crate) fn of(path: &str) -> Self {
        match path {
            "/grpc.health.v1.Health/Check" | "/grpc.health.v1.Health/Watch" => Self::Health,
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
            | "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo" => Self::Reflection,
            _ => operation::ALL
                .iter()
                .find(|operation| operation.grpc_path() == path)
                .map_or(Self::Unknown, Self::Operation),
        }
    }

    pub(crate) const fn operation(self) -> Option<&'static Operation> {
        match self {
            Self::Operation(operation) => Some(operation),
            Self::Health | Self::Reflection | Self::Unknown => None,
        }
    }
}

/// The tonic routers over all services.
pub(crate) struct GrpcServices {
    routes: Router,
    /// Made for the first caller: it decodes the descriptors twice, and keeps both.
    reflection: LazyLock<Router>,
    health: Arc<GrpcHealth>,
    bodies: Arc<BodyReader>,
}

impl GrpcServices {
    pub(crate) async fn new(
        own: OwnServices,
        hosted: HostedServices,
        readiness: Arc<Readiness>,
        bodies: Arc<BodyReader>,
    ) -> Self {
        let (health, health_service) = GrpcHealth::new(readiness).await;
        let routes = own
            .add_to(hosted.routes)
            .add_service(health_service.max_decoding_message_size(MAX_STREAM_BYTES))
            .into_axum_router();
        Self {
            routes,
            reflection: LazyLock::new(reflection),
            health,
            bodies,
        }
    }

    /// Keeps the health service up to date.
    pub(crate) const fn health(&self) -> &Arc<GrpcHealth> {
        &self.health
    }

    /// Forwards a request of health with its body as a stream, which has a limit.
    pub(crate) async fn forward_health(&self, request: Request) -> Result<Response, GatewayError> {
        forward_stream(&self.routes, request).await
    }

    /// Forwards a request of reflection in the same way.
    pub(crate) async fn forward_reflection(
        &self,
        request: Request,
    ) -> Result<Response, GatewayError> {
        forward_stream(&self.reflection, request).await
    }

    /// Forwards a request of one message, once its body has arrived. The room of that is held until the answer begins.
    pub(crate) async fn forward_unary(
        &self,
        request: Request,
        context: RequestContext,
    ) -> Result<Response, GatewayError> {
        let (mut parts, body) = request.into_parts();
        let mut deadline = Deadline::of(&parts.headers);
        let response = deadline.limit(async {
            let organization = context.organization();
            let received = self.bodies.read(body, MAX_MESSAGE_BYTES, organization);
            let ReceivedBody { bytes, held: _held } = received.await?;
            if !is_one_message(&bytes) {
                return Err(GatewayError::malformed_body(vec![FieldViolation::new(
                    "",
                    "the body is not one message with its length",
                )]));
            }
            parts.extensions.insert(context);
            let request = Request::from_parts(parts, Body::from(bytes));
            succeeded(forward(&self.routes, request).await, MAX_BODY_BYTES)
        });
        let response = response.await?;
        Ok(response.map(|body| deadline.limit_body(body)))
    }
}

/// A response that is no error.
///
/// # Errors
/// The status of the response, with the details of the contract. A message has at most `max_bytes`.
fn succeeded(response: Response, max_bytes: usize) -> Result<Response, GatewayError> {
    match failure(response.headers(), max_bytes) {
        Some(error) => Err(error),
        None => Ok(response),
    }
}

/// The error in the headers or trailers of a response, if there is one.
fn failure(headers: &HeaderMap, max_bytes: usize) -> Option<GatewayError> {
    let status = tonic::Status::from_header_map(headers)?;
    let failed = status.code() != tonic::Code::Ok;
    failed.then(|| GatewayError::from_service(&status, max_bytes))
}

/// The body of a stream of health or reflection, whose error is in its trailers.
fn with_error_details(body: Body) -> Body {
    Body::new(body.map_frame(|frame| match frame.into_trailers() {
        Ok(trailers) => {
            let error = failure(&trailers, MAX_STREAM_BYTES);
            let of_contract = error.and_then(|error| error.trailers());
            Frame::trailers(of_contract.unwrap_or(trailers))
        }
        Err(data) => data,
    }))
}

async fn forward(routes: &Router, request: Request) -> Response {
    match routes.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

async fn forward_stream(routes: &Router, request: Request) -> Result<Response, GatewayError> {
    let mut deadline = Deadline::of(request.headers());
    let request = request.map(|body| limit_size(body, MAX_STREAM_BYTES));
    let response =
        deadline.limit(async { succeeded(forward(routes, request).await, MAX_STREAM_BYTES) });
    let response = response.await?;
    Ok(response.map(|body| deadline.limit_body(with_error_details(body))))
}

/// The services of reflection.
fn reflection() -> Router {
    let builder = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(invoicing_contract::DESCRIPTORS)
    };
    let compiled_in = "the descriptors are compiled in, and a test reads them over reflection";
    let current = builder().build_v1().expect(compiled_in);
    // What older clients ask for, among them those of most languages.
    let older = builder().build_v1alpha().expect(compiled_in);
    Routes::default()
        .add_service(current.max_decoding_message_size(MAX_STREAM_BYTES))
        .add_service(older.max_decoding_message_size(MAX_STREAM_BYTES))
        .into_axum_router()
}
