//! Who a request comes from and which tenant it is for, once the gate has let it pass.

use invoicing_contract::{Code, Status};

use super::NOT_AUTHORIZED;
use invoicing_storage::access::{Principal, Tenant};

/// An extension of every request that reaches a handler.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// Who calls.
    pub(crate) principal: Principal,
    /// The tenant that the request is scoped to.
    pub(crate) tenant: Tenant,
    /// What support finds the request by.
    pub(crate) correlation_id: String,
}

impl Caller {
    /// The caller that came with a request, and the message.
    pub(crate) fn taken<Message>(
        mut request: tonic::Request<Message>,
    ) -> Result<(Self, Message), tonic::Status> {
        let Some(caller) = request.extensions_mut().remove::<Self>() else {
            // Only a service that is mounted outside the gate gets here. Better no answer than one to a stranger.
            return Err(Status::bare(Code::PermissionDenied, NOT_AUTHORIZED).into());
        };
        Ok((caller, request.into_inner()))
    }
}
