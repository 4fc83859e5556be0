//! The tonic service over [`Payments`]. The request guard has put the context into the extensions of the request.

use invoicing_contract::messages::payments::payments_server::Payments as PaymentsRpc;
use invoicing_contract::messages::payments::{
    Balance, GetBalanceRequest, ListPaymentsRequest, ListPaymentsResponse, RecordPaymentRequest,
    RecordPaymentResponse, VoidPaymentRequest,
};
use invoicing_http::RequestContext;
use tonic::Request;

use super::Payments;
use crate::rpc_response::{RpcResult, respond};

#[tonic::async_trait]
impl PaymentsRpc for Payments {
    async fn record_payment(
        &self,
        request: Request<RecordPaymentRequest>,
    ) -> RpcResult<RecordPaymentResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.record(&context, request).await)
    }

    async fn list_payments(
        &self,
        request: Request<ListPaymentsRequest>,
    ) -> RpcResult<ListPaymentsResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.list(&context, request).await)
    }

    async fn void_payment(
        &self,
        request: Request<VoidPaymentRequest>,
    ) -> RpcResult<RecordPaymentResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.void(&context, request).await)
    }

    async fn get_balance(&self, request: Request<GetBalanceRequest>) -> RpcResult<Balance> {
        let (context, request) = RequestContext::from_request(request)?;
        let balance = self.balance(&context, &request.document_key);
        respond(&context, balance.await)
    }
}
