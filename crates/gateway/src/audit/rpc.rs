//! The tonic service over [`AuditEvents`]. The request guard has put the context into the extensions of the request.

use invoicing_contract::messages::audit::audit_events_server::AuditEvents as AuditEventsRpc;
use invoicing_contract::messages::audit::{
    ListAuditEventsAcrossTenantsRequest, ListAuditEventsRequest, ListAuditEventsResponse,
};
use invoicing_http::RequestContext;
use tonic::Request;

use super::AuditEvents;
use crate::rpc_response::{RpcResult, respond};

#[tonic::async_trait]
impl AuditEventsRpc for AuditEvents {
    async fn list_audit_events(
        &self,
        request: Request<ListAuditEventsRequest>,
    ) -> RpcResult<ListAuditEventsResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.of_organization(&context, request).await)
    }

    async fn list_audit_events_across_tenants(
        &self,
        request: Request<ListAuditEventsAcrossTenantsRequest>,
    ) -> RpcResult<ListAuditEventsResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.across_tenants(&context, request).await)
    }
}
