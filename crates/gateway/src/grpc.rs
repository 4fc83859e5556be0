//! The tonic services: the operations, health and reflection.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use invoicing_contract::messages::documents::documents_server::DocumentsServer;
use invoicing_contract::messages::simple::invoices_server::InvoicesServer;
use invoicing_contract::{Code, FieldViolation, Operation, Status, operation};
use tonic::service::Routes;
use tonic_health::ServingStatus;
use tower::ServiceExt as _;

use super::refusal::{Protocol, Refusal};
use crate::documents::Documents;
use invoicing_http::BodyError;

/// Largest body of a request. An invoice of thousands of lines fits.
pub(super) const LARGEST: usize = 4 * 1024 * 1024;
/// How long a body may take to arrive.
const BODY_WITHIN: Duration = Duration::from_secs(30);
/// A gRPC message has one byte of flags and four of length before it.
const FRAME: usize = 5;
/// Largest message that a hosted gRPC service decodes, in bytes.
pub const MAX_MESSAGE_BYTES: usize = LARGEST + FRAME;

/// gRPC services of other crates.
#[derive(Debug, Clone)]
pub struct HostedServices {
    /// Their handlers.
    pub routes: Routes,
    /// Their full names, for the health service.
    pub names: Vec<&'static str>,
}

/// Where a gRPC path leads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    Operation(&'static Operation),
    /// Open to everybody: whoever balances load has no token.
    Health,
    /// For every caller whose token this gateway takes, whatever the roles.
    Reflection,
    Unknown,
}

pub(super) struct Services {
    routes: Router,
}

impl Services {
    pub(super) async fn new(documents: Documents, hosted: HostedServices) -> Self {
        let (health, health_service) = tonic_health::server::health_reporter();
        health.set_serving::<DocumentsServer<Documents>>().await;
        health.set_serving::<InvoicesServer<Documents>>().await;
        for name in hosted.names {
            health
                .set_service_status(name, ServingStatus::Serving)
                .await;
        }
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(invoicing_contract::DESCRIPTORS)
            .build_v1()
            .expect("the descriptors are part of this program, and a test asks for them");
        let documents_server =
            DocumentsServer::new(documents.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES);
        let routes = hosted
            .routes
            .add_service(documents_server)
            .add_service(
                InvoicesServer::new(documents).max_decoding_message_size(MAX_MESSAGE_BYTES),
            )
            .add_service(health_service)
            .add_service(reflection)
            .into_axum_router();
        Self { routes }
    }

    pub(super) fn target(&self, path: &str) -> Target {
        if path.starts_with("/grpc.health.v1.Health/") {
            return Target::Health;
        }
        if path.starts_with("/grpc.reflection.v1.ServerReflection/") {
            return Target::Reflection;
        }
        operation::ALL
            .iter()
            .find(|operation| operation.grpc_path() == path)
            .map_or(Target::Unknown, Target::Operation)
    }

    /// Hands a request on as it is.
    pub(super) async fn call(&self, request: Request) -> Response {
        match self.routes.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    /// Hands on a request of one message, once all of it has arrived.
    pub(super) async fn call_unary(&self, request: Request) -> Result<Response, Refusal> {
        let (parts, body) = request.into_parts();
        let bytes = whole(body, LARGEST + FRAME).await?;
        let response = self
            .call(Request::from_parts(parts, Body::from(bytes)))
            .await;
        let status = tonic::Status::from_header_map(response.headers());
        match status {
            // What cannot be decoded is the caller's mistake, which tonic calls its own.
            Some(status)
                if status.code() == tonic::Code::Internal && status.details().is_empty() =>
            {
                tracing::debug!(reason = status.message(), "a message could not be decoded");
                Err(Refusal::malformed(vec![FieldViolation::new(
                    "",
                    "the message cannot be decoded",
                )]))
            }
            Some(status) if status.code() != tonic::Code::Ok => {
                Ok(refused(&status).response(Protocol::Grpc))
            }
            _ => Ok(response),
        }
    }
}

/// A handler's status, with its headers. A code that the contract does not know is one that tonic made up on the way.
pub(super) fn refused(status: &tonic::Status) -> Refusal {
    let known = Status::from(status);
    if known.code == Code::Unknown
        || (known.code == Code::Unimplemented && known.details.is_empty())
    {
        return Refusal::malformed(vec![FieldViolation::new(
            "",
            "the request is not one that this method takes",
        )]);
    }
    known.into()
}

/// The whole body, bounded in size and time.
pub(super) async fn whole(body: Body, most: usize) -> Result<Bytes, Refusal> {
    let read = invoicing_http::read_limited(body, most, BODY_WITHIN).await;
    read.map_err(|unread| match unread {
        BodyError::TooLarge => Refusal::too_large(LARGEST),
        BodyError::Timeout => Refusal::too_slow(),
        BodyError::Incomplete => {
            Refusal::malformed(vec![FieldViolation::new("", "the body ended early")])
        }
    })
}
