//! The tonic service over [`Permissions`]. The request guard has put the context into the extensions of the request.

use invoicing_contract::messages::permissions::permissions_server::Permissions as PermissionsRpc;
use invoicing_contract::messages::permissions::{CallerPermissions, GetPermissionsRequest};
use invoicing_http::RequestContext;
use tonic::Request;

use super::Permissions;
use crate::rpc_response::{RpcResult, respond};

#[tonic::async_trait]
impl PermissionsRpc for Permissions {
    async fn get_permissions(
        &self,
        request: Request<GetPermissionsRequest>,
    ) -> RpcResult<CallerPermissions> {
        let (context, GetPermissionsRequest {}) = RequestContext::from_request(request)?;
        respond(&context, self.get(&context).await)
    }
}
