//! The tonic service over [`Plans`]. The request guard has put the context into the extensions of the request.

use invoicing_contract::messages::plans::plans_server::Plans as PlansRpc;
use invoicing_contract::messages::plans::{
    AssignPlanRequest, CreatePlanRequest, DeletePlanRequest, DeletePlanResponse, GetOwnPlanRequest,
    GetPlanRequest, GetTenantPlanRequest, ListPlansRequest, ListPlansResponse, Plan, TenantPlan,
    UpdatePlanRequest,
};
use invoicing_contract::{OrganizationId, PlanId};
use invoicing_http::RequestContext;
use tonic::Request;

use super::Plans;
use super::content::plan_message;
use crate::rpc_response::{RpcResult, respond};

#[tonic::async_trait]
impl PlansRpc for Plans {
    async fn create_plan(&self, request: Request<CreatePlanRequest>) -> RpcResult<Plan> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.create(&context, request).await)
    }

    async fn get_plan(&self, request: Request<GetPlanRequest>) -> RpcResult<Plan> {
        let (context, request) = RequestContext::from_request(request)?;
        let plan = self.get(&PlanId::new(request.plan_id)).await;
        respond(&context, plan.map(|plan| plan_message(&plan)))
    }

    async fn list_plans(&self, request: Request<ListPlansRequest>) -> RpcResult<ListPlansResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.list(request).await)
    }

    async fn update_plan(&self, request: Request<UpdatePlanRequest>) -> RpcResult<Plan> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.update(&context, request).await)
    }

    async fn delete_plan(
        &self,
        request: Request<DeletePlanRequest>,
    ) -> RpcResult<DeletePlanResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        let deleted = self.delete(&context, request).await;
        respond(&context, deleted.map(|()| DeletePlanResponse {}))
    }

    async fn assign_plan(&self, request: Request<AssignPlanRequest>) -> RpcResult<TenantPlan> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.assign(&context, request).await)
    }

    async fn get_tenant_plan(
        &self,
        request: Request<GetTenantPlanRequest>,
    ) -> RpcResult<TenantPlan> {
        let (context, request) = RequestContext::from_request(request)?;
        let organization = OrganizationId::new(request.organization_id);
        respond(&context, self.of_tenant(&organization).await)
    }

    async fn get_own_plan(&self, request: Request<GetOwnPlanRequest>) -> RpcResult<TenantPlan> {
        let (context, _) = RequestContext::from_request(request)?;
        respond(&context, self.tenant_plan(&context.tenant).await)
    }
}
