//! The tonic service over [`Reports`]. The request guard has put the context into the extensions of the request.

use invoicing_contract::messages::reports::reports_server::Reports as ReportsRpc;
use invoicing_contract::messages::reports::{
    Ageing, BuyerSums, GetAgeingRequest, GetBuyerSumsRequest, GetMonthlySumsRequest,
    GetTaxSumsRequest, MonthlySums, TaxSums,
};
use invoicing_http::RequestContext;
use tonic::Request;

use super::Reports;
use crate::rpc_response::{RpcResult, respond};

#[tonic::async_trait]
impl ReportsRpc for Reports {
    async fn get_ageing(&self, request: Request<GetAgeingRequest>) -> RpcResult<Ageing> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.ageing(&context, request).await)
    }

    async fn get_monthly_sums(
        &self,
        request: Request<GetMonthlySumsRequest>,
    ) -> RpcResult<MonthlySums> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.monthly_sums(&context, request).await)
    }

    async fn get_buyer_sums(&self, request: Request<GetBuyerSumsRequest>) -> RpcResult<BuyerSums> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.buyer_sums(&context, request).await)
    }

    async fn get_tax_sums(&self, request: Request<GetTaxSumsRequest>) -> RpcResult<TaxSums> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.tax_sums(&context, request).await)
    }
}
