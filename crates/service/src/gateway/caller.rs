//! Who a request comes from and which tenant it is for, once the gate has let it pass.

use crate::access::{Principal, Tenant};

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
