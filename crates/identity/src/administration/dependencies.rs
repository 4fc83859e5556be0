//! What the gRPC services of administration work with, and what they share.

use std::sync::Arc;

use invoicing_contract::EnvironmentKind;
use invoicing_http::{PageTokens, RequestContext};
use invoicing_storage::{Clock, Rng, Store};
use tonic::Response;

use super::Administration;

/// The answer to an operation.
pub(super) type RpcResult<Message> = Result<Response<Message>, tonic::Status>;

/// What every gRPC service of administration works with.
#[derive(Clone)]
pub struct AdministrationDependencies {
    /// The storage of all records.
    pub store: Arc<dyn Store>,
    /// The kind of the environment.
    pub kind: EnvironmentKind,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// The random source of ids, stamps and secrets.
    pub rng: Arc<dyn Rng>,
    /// Signs the positions of lists.
    pub page_tokens: PageTokens,
}

impl AdministrationDependencies {
    /// Administration by the caller of a request, whose correlation id its events have.
    pub(super) fn administration(&self, caller: &RequestContext) -> Administration {
        Administration::new(
            self.store.clone(),
            self.kind,
            self.clock.clone(),
            self.rng.clone(),
            caller.principal.subject.to_string(),
        )
        .in_request(&caller.correlation_id)
    }
}
