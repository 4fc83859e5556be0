//! The tonic service over [`RuleAdministration`]. The request guard has put the context into the extensions of the request.

use invoicing_contract::messages::rules::rules_server::Rules;
use invoicing_contract::messages::rules::{
    CheckRulesRequest, CheckRulesResponse, GetRulesRequest, ListRuleVersionsRequest,
    ListRuleVersionsResponse, PublishRulesRequest, RollBackRulesRequest, RuleSet,
};
use invoicing_http::RequestContext;
use tonic::Request;

use super::service::RuleAdministration;
use crate::rpc_response::{RpcResult, respond};

#[tonic::async_trait]
impl Rules for RuleAdministration {
    async fn get_rules(&self, request: Request<GetRulesRequest>) -> RpcResult<RuleSet> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.get(request.version).await)
    }

    async fn check_rules(
        &self,
        request: Request<CheckRulesRequest>,
    ) -> RpcResult<CheckRulesResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.check(&context, request).await)
    }

    async fn publish_rules(&self, request: Request<PublishRulesRequest>) -> RpcResult<RuleSet> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.publish(&context, request).await)
    }

    async fn list_rule_versions(
        &self,
        request: Request<ListRuleVersionsRequest>,
    ) -> RpcResult<ListRuleVersionsResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.list(request).await)
    }

    async fn roll_back_rules(&self, request: Request<RollBackRulesRequest>) -> RpcResult<RuleSet> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.roll_back(&context, request).await)
    }
}
