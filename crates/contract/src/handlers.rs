//! Handlers of operations, called in process with an encoded message: REST calls the methods of a tonic service through them,
//! without an HTTP request.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use prost::Message;
use prost::bytes::Bytes;
use tonic::codegen::tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response};

use crate::operation::{self, Operation};

/// The encoded answer of a handler with its metadata, or its status.
pub type HandlerFuture =
    Pin<Box<dyn Future<Output = Result<Response<Vec<u8>>, tonic::Status>> + Send>>;

/// The encoded answers of a handler that answers with a stream. A status ends it.
pub type MessageStream = Pin<Box<dyn Stream<Item = Result<Vec<u8>, tonic::Status>> + Send>>;

/// The answers of a handler with their metadata, or its status.
pub type StreamFuture =
    Pin<Box<dyn Future<Output = Result<Response<MessageStream>, tonic::Status>> + Send>>;

/// Decodes the message of a request, calls the method of a service with it, and encodes the answer. Extensions and metadata
/// of the request reach the method unchanged.
pub type UnaryHandler = Arc<dyn Fn(Request<Bytes>) -> HandlerFuture + Send + Sync>;

/// The same for a method that answers with a stream.
pub type StreamHandler = Arc<dyn Fn(Request<Bytes>) -> StreamFuture + Send + Sync>;

/// The handler of an operation.
#[derive(Clone)]
pub enum Handler {
    /// One answer.
    Unary(UnaryHandler),
    /// Any number of answers.
    Stream(StreamHandler),
}

/// The handlers of one or more services, by operation.
#[derive(Clone, Default)]
pub struct Handlers(HashMap<&'static Operation, Handler>);

impl Handlers {
    /// The handler of an operation.
    #[must_use]
    pub fn get(&self, operation: &Operation) -> Option<&Handler> {
        self.0.get(operation)
    }

    /// Adds the handlers of other services.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Replaces the handler of an operation.
    #[must_use]
    pub fn with(mut self, operation: &'static Operation, handler: Handler) -> Self {
        self.add(operation, handler);
        self
    }

    fn add(&mut self, operation: &'static Operation, handler: Handler) {
        self.0.insert(operation, handler);
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let methods = self.0.keys().map(|operation| operation.method);
        formatter.debug_set().entries(methods).finish()
    }
}

/// A handler that calls a function of `service` whose answer is encoded already.
pub fn encoded<Service, Input, Call, Answer>(service: &Arc<Service>, call: Call) -> Handler
where
    Service: Send + Sync + 'static,
    Input: Message + Default + 'static,
    Call: Fn(Arc<Service>, Request<Input>) -> Answer + Copy + Send + Sync + 'static,
    Answer: Future<Output = Result<Response<Vec<u8>>, tonic::Status>> + Send,
{
    let service = service.clone();
    Handler::Unary(Arc::new(move |request| {
        let service = service.clone();
        Box::pin(async move { call(service, decode(request)?).await })
    }))
}

/// A handler that calls one method of `service`.
fn unary<Service, Input, Output, Call, Answer>(service: &Arc<Service>, call: Call) -> Handler
where
    Service: Send + Sync + 'static,
    Input: Message + Default + 'static,
    Output: Message,
    Call: Fn(Arc<Service>, Request<Input>) -> Answer + Copy + Send + Sync + 'static,
    Answer: Future<Output = Result<Response<Output>, tonic::Status>> + Send,
{
    let service = service.clone();
    Handler::Unary(Arc::new(move |request| {
        let service = service.clone();
        Box::pin(async move {
            let response = call(service, decode(request)?).await?;
            Ok(response.map(|answer| answer.encode_to_vec()))
        })
    }))
}

/// A handler that calls one method of `service` which answers with a stream.
fn stream<Service, Input, Output, Call, Answer, Answers>(
    service: &Arc<Service>,
    call: Call,
) -> Handler
where
    Service: Send + Sync + 'static,
    Input: Message + Default + 'static,
    Output: Message,
    Call: Fn(Arc<Service>, Request<Input>) -> Answer + Copy + Send + Sync + 'static,
    Answer: Future<Output = Result<Response<Answers>, tonic::Status>> + Send,
    Answers: Stream<Item = Result<Output, tonic::Status>> + Send + 'static,
{
    let service = service.clone();
    Handler::Stream(Arc::new(move |request| {
        let service = service.clone();
        Box::pin(async move {
            let response = call(service, decode(request)?).await?;
            Ok(response.map(|answers| {
                let encoded = answers.map(|answer| Ok(answer?.encode_to_vec()));
                Box::pin(encoded) as MessageStream
            }))
        })
    }))
}

fn decode<Input: Message + Default>(
    request: Request<Bytes>,
) -> Result<Request<Input>, tonic::Status> {
    let (metadata, extensions, message) = request.into_parts();
    let message =
        Input::decode(message).map_err(|error| tonic::Status::internal(error.to_string()))?;
    Ok(Request::from_parts(metadata, extensions, message))
}

include!(concat!(env!("OUT_DIR"), "/handlers.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::identity::identity_server::Identity;
    use crate::messages::identity::{
        CompleteProfileRequest, CompleteProfileResponse, CreateTenantRequest, CreateTenantResponse,
        ImpersonateAcrossTenantsRequest, ImpersonateRequest, ImpersonateResponse,
        SetTenantLimitsRequest, SetTenantLimitsResponse,
    };

    #[derive(Clone)]
    struct Extension(&'static str);

    /// Answers with what it received, or not at all.
    struct Echo;

    #[tonic::async_trait]
    impl Identity for Echo {
        async fn create_tenant(
            &self,
            _: Request<CreateTenantRequest>,
        ) -> Result<Response<CreateTenantResponse>, tonic::Status> {
            Err(tonic::Status::already_exists("taken"))
        }

        async fn complete_profile(
            &self,
            _: Request<CompleteProfileRequest>,
        ) -> Result<Response<CompleteProfileResponse>, tonic::Status> {
            Err(tonic::Status::already_exists("complete"))
        }

        async fn impersonate_across_tenants(
            &self,
            _: Request<ImpersonateAcrossTenantsRequest>,
        ) -> Result<Response<ImpersonateResponse>, tonic::Status> {
            Err(tonic::Status::not_found("nobody"))
        }

        async fn set_tenant_limits(
            &self,
            _: Request<SetTenantLimitsRequest>,
        ) -> Result<Response<SetTenantLimitsResponse>, tonic::Status> {
            Err(tonic::Status::not_found("no tenant"))
        }

        async fn impersonate(
            &self,
            request: Request<ImpersonateRequest>,
        ) -> Result<Response<ImpersonateResponse>, tonic::Status> {
            let Extension(scope) = *request.extensions().get().expect("the extension");
            Ok(Response::new(ImpersonateResponse {
                access_token: request.into_inner().user_id,
                scope: scope.to_owned(),
                ..ImpersonateResponse::default()
            }))
        }
    }

    fn call(operation: &Operation, message: Bytes) -> HandlerFuture {
        let handlers = identity(Arc::new(Echo));
        let mut request = Request::new(message);
        request.extensions_mut().insert(Extension("scope"));
        match handlers.get(operation) {
            Some(Handler::Unary(handler)) => handler(request),
            _ => panic!("no handler of one answer"),
        }
    }

    #[tokio::test]
    async fn handler_decodes_the_request_and_encodes_the_answer() {
        let request = ImpersonateRequest {
            user_id: "7".to_owned(),
        };
        let answer = call(&operation::IMPERSONATE, request.encode_to_vec().into())
            .await
            .expect("an answer");
        let answer =
            ImpersonateResponse::decode(answer.into_inner().as_slice()).expect("a message");
        assert_eq!((&*answer.access_token, &*answer.scope), ("7", "scope"));
    }

    #[tokio::test]
    async fn handler_returns_the_status_of_the_service() {
        let status = call(&operation::CREATE_TENANT, Bytes::new()).await;
        let status = status.expect_err("a status");
        assert_eq!(
            (status.code(), status.message()),
            (tonic::Code::AlreadyExists, "taken")
        );
    }

    #[tokio::test]
    async fn message_that_cannot_be_decoded_is_an_internal_error() {
        let status = call(&operation::IMPERSONATE, Bytes::from_static(b"\xff")).await;
        assert_eq!(status.expect_err("a status").code(), tonic::Code::Internal);
    }

    #[test]
    fn operation_of_another_service_has_no_handler() {
        let handlers = Handlers::default().and(identity(Arc::new(Echo)));
        assert!(handlers.get(&operation::IMPERSONATE).is_some());
        assert!(handlers.get(&operation::CREATE_DOCUMENT).is_none());
    }
}
