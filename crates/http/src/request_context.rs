//! The authenticated caller and the target tenant of a request, as the gateway's request guard established them.

use std::sync::Arc;

use invoicing_contract::{Code, OrganizationId, RequestLimits, Status, check_request_limits};
use invoicing_storage::access::{Principal, Tenant};

/// An extension of every gRPC request that reaches a handler.
#[derive(Debug, Clone)]
pub struct RequestContext {
    /// The authenticated caller.
    pub principal: Arc<Principal>,
    /// The tenant that the request is scoped to.
    pub tenant: Arc<Tenant>,
    /// The id that support finds the request by.
    pub correlation_id: String,
    /// Whether the operation needs the profile of the tenant, which is not complete.
    pub lacks_profile: bool,
}

impl RequestContext {
    /// The id of the organization that the request is scoped to.
    #[must_use]
    pub fn organization(&self) -> &OrganizationId {
        &self.tenant.organization.id
    }

    /// Takes the context and the message out of a request. Every handler begins with it, over REST and gRPC.
    ///
    /// # Errors
    /// PERMISSION_DENIED when the request did not pass the guard, because its service is mounted outside of it.
    /// INVALID_ARGUMENT when a field is larger than its limit (decision 0089). FAILED_PRECONDITION when the tenant has to
    /// complete its profile first (decision 0114).
    pub fn from_request<Message: RequestLimits>(
        mut request: tonic::Request<Message>,
    ) -> Result<(Self, Message), tonic::Status> {
        let Some(context) = request.extensions_mut().remove::<Self>() else {
            return Err(Status::permission_denied().into());
        };
        let message = request.into_inner();
        check_request_limits(&message)?;
        if context.lacks_profile {
            let status = Status::new(
                Code::FailedPrecondition,
                "PROFILE_INCOMPLETE",
                "the profile of this organization has to be completed first",
            );
            return Err(status.into());
        }
        Ok((context, message))
    }
}
