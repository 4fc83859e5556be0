//! The tonic service over [`Authorities`]. The request guard has put the context into the extensions of the request.

use invoicing_contract::messages::authorities::authorities_server::Authorities as AuthoritiesRpc;
use invoicing_contract::messages::authorities::{
    CreateAuthorityRequest, GetAuthorityRequest, ListAuthoritiesRequest, ListAuthoritiesResponse,
    TaxAuthority, TestConnectionRequest, TestConnectionResponse, UpdateAuthorityRequest,
};
use invoicing_http::RequestContext;
use tonic::Request;

use super::authorities::Authorities;
use crate::rpc_response::{RpcResult, respond};

#[tonic::async_trait]
impl AuthoritiesRpc for Authorities {
    async fn get_authority(
        &self,
        request: Request<GetAuthorityRequest>,
    ) -> RpcResult<TaxAuthority> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.get(request).await)
    }

    async fn list_authorities(
        &self,
        request: Request<ListAuthoritiesRequest>,
    ) -> RpcResult<ListAuthoritiesResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.list(request).await)
    }

    async fn create_authority(
        &self,
        request: Request<CreateAuthorityRequest>,
    ) -> RpcResult<TaxAuthority> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.create(&context, request).await)
    }

    async fn update_authority(
        &self,
        request: Request<UpdateAuthorityRequest>,
    ) -> RpcResult<TaxAuthority> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.update(&context, request).await)
    }

    async fn test_connection(
        &self,
        request: Request<TestConnectionRequest>,
    ) -> RpcResult<TestConnectionResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.test_connection(request).await)
    }
}
