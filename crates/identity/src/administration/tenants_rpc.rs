//! The gRPC service of tenants as records over [`Administration`].

use invoicing_contract::messages::identity::tenants_server::Tenants;
use invoicing_contract::messages::identity::{
    CreateOrganizationRequest, CreateTenantOfOrganizationRequest, DisableTenantRequest,
    EnableTenantRequest, GetOwnTenantHistoryRequest, GetOwnTenantRequest, GetTenantHistoryRequest,
    GetTenantRequest, ListCallerOrganizationsRequest, ListCallerOrganizationsResponse,
    ListOrganizationsRequest, ListOrganizationsResponse, ListTenantsRequest, ListTenantsResponse,
    Organization, OrganizationFilter, OwnTenantChanges, RegistrationNumber, Tenant, TenantHistory,
    UpdateOwnTenantRequest, UpdateTenantRequest,
};
use invoicing_contract::{FieldMask, FieldViolation, OrganizationId, field_mask, operation};
use invoicing_http::{PageRequest, RequestContext, truncate_page};
use invoicing_storage::tenants::OrganizationQuery;
use prost::Message as _;
use tonic::{Request, Response};

use super::dependencies::{AdministrationDependencies, RpcResult};
use super::pages::{invalid, list, read_page, respond};
use super::status::to_status;
use super::tenant_messages::{
    from_address, from_changes, from_registration_number, from_state, to_caller_organizations,
    to_changes, to_organization, to_revision, to_tenant,
};
use super::tenants::{NewOrganization, TenantFields};

/// The operations of invoicing.identity.v2.Tenants.
#[derive(Clone)]
pub struct TenantsRpc {
    /// What every service of administration works with.
    pub dependencies: AdministrationDependencies,
}

#[tonic::async_trait]
impl Tenants for TenantsRpc {
    async fn get_tenant(&self, request: Request<GetTenantRequest>) -> RpcResult<Tenant> {
        let (caller, request) = RequestContext::from_request(request)?;
        let tenant = self.dependencies.administration(&caller);
        let tenant = tenant.tenant(&request.organization_id).await;
        respond(&caller, tenant.map(to_tenant))
    }

    async fn list_tenants(
        &self,
        request: Request<ListTenantsRequest>,
    ) -> RpcResult<ListTenantsResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let filter = request.filter.unwrap_or_default();
        let list = list(&caller, &operation::LIST_TENANTS, &filter.encode_to_vec());
        let page = read_page(
            &self.dependencies.page_tokens,
            request.page_size,
            &request.page_token,
            &list,
        );
        let query = query(filter, true, page)?;
        let found = self
            .dependencies
            .administration(&caller)
            .organizations(&query)
            .await;
        let mut found = found.map_err(|error| to_status(&caller, &error))?;
        let next_page_token = self.next_page_token(&query, &mut found, &list);
        let tenants = found.into_iter().filter_map(|(_, tenant)| tenant);
        Ok(Response::new(ListTenantsResponse {
            items: tenants.map(to_tenant).collect(),
            next_page_token,
        }))
    }

    async fn update_tenant(&self, request: Request<UpdateTenantRequest>) -> RpcResult<Tenant> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let current = administration.tenant(&request.organization_id).await;
        let current = current.map_err(|error| to_status(&caller, &error))?;
        let current = to_changes(&current);
        let mut update = request.tenant.unwrap_or_default();
        let mask = request.update_mask.as_ref();
        keep_unnamed(
            &mut update.registration_number,
            current.registration_number.as_ref(),
            mask,
        );
        let fields = from_changes(masked(&current, &update, mask)?);
        let updated = administration.update_tenant(
            &request.organization_id,
            fields,
            &request.concurrency_stamp,
            request.validate_only,
        );
        respond(&caller, updated.await.map(to_tenant))
    }

    async fn disable_tenant(&self, request: Request<DisableTenantRequest>) -> RpcResult<Tenant> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let disabled = administration
            .disable_tenant(&request.organization_id)
            .await;
        respond(&caller, disabled.map(to_tenant))
    }

    async fn enable_tenant(&self, request: Request<EnableTenantRequest>) -> RpcResult<Tenant> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let enabled = administration.enable_tenant(&request.organization_id).await;
        respond(&caller, enabled.map(to_tenant))
    }

    async fn get_tenant_history(
        &self,
        request: Request<GetTenantHistoryRequest>,
    ) -> RpcResult<TenantHistory> {
        let (caller, request) = RequestContext::from_request(request)?;
        let organization = request.organization_id.into();
        self.history(
            &caller,
            &organization,
            request.page_size,
            &request.page_token,
        )
        .await
    }

    async fn create_organization(
        &self,
        request: Request<CreateOrganizationRequest>,
    ) -> RpcResult<Organization> {
        let (caller, request) = RequestContext::from_request(request)?;
        let new = NewOrganization {
            id: request.organization_id,
            name: request.name,
            name_ar: request.name_ar,
            domain: request.domain,
        };
        let administration = self.dependencies.administration(&caller);
        let created = administration.create_organization(new, request.validate_only);
        let created = created.await;
        respond(
            &caller,
            created.map(|created| to_organization(created, None)),
        )
    }

    async fn list_organizations(
        &self,
        request: Request<ListOrganizationsRequest>,
    ) -> RpcResult<ListOrganizationsResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let filter = request.filter.unwrap_or_default();
        let list = list(
            &caller,
            &operation::LIST_ORGANIZATIONS,
            &filter.encode_to_vec(),
        );
        let page = read_page(
            &self.dependencies.page_tokens,
            request.page_size,
            &request.page_token,
            &list,
        );
        let query = query(filter, false, page)?;
        let found = self
            .dependencies
            .administration(&caller)
            .organizations(&query)
            .await;
        let mut found = found.map_err(|error| to_status(&caller, &error))?;
        let next_page_token = self.next_page_token(&query, &mut found, &list);
        let items = found
            .into_iter()
            .map(|(organization, tenant)| to_organization(organization, tenant.as_ref()));
        Ok(Response::new(ListOrganizationsResponse {
            items: items.collect(),
            next_page_token,
        }))
    }

    async fn create_tenant_of_organization(
        &self,
        request: Request<CreateTenantOfOrganizationRequest>,
    ) -> RpcResult<Tenant> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let made = administration.make_tenant(&request.organization_id, request.validate_only);
        respond(&caller, made.await.map(to_tenant))
    }

    async fn get_own_tenant(&self, request: Request<GetOwnTenantRequest>) -> RpcResult<Tenant> {
        let (caller, GetOwnTenantRequest {}) = RequestContext::from_request(request)?;
        Ok(Response::new(to_tenant((*caller.tenant).clone())))
    }

    async fn update_own_tenant(
        &self,
        request: Request<UpdateOwnTenantRequest>,
    ) -> RpcResult<Tenant> {
        let (caller, request) = RequestContext::from_request(request)?;
        let current = to_changes(&caller.tenant);
        let current = OwnTenantChanges {
            address: current.address,
            registration_number: current.registration_number,
        };
        let mut update = request.tenant.unwrap_or_default();
        let mask = request.update_mask.as_ref();
        keep_unnamed(
            &mut update.registration_number,
            current.registration_number.as_ref(),
            mask,
        );
        let changes = masked(&current, &update, mask)?;
        let fields = TenantFields {
            registration_number: from_registration_number(changes.registration_number),
            address: from_address(changes.address),
            ..TenantFields::of(&caller.tenant)
        };
        let administration = self.dependencies.administration(&caller);
        let updated = administration.update_tenant(
            caller.organization().as_str(),
            fields,
            &request.concurrency_stamp,
            request.validate_only,
        );
        respond(&caller, updated.await.map(to_tenant))
    }

    async fn get_own_tenant_history(
        &self,
        request: Request<GetOwnTenantHistoryRequest>,
    ) -> RpcResult<TenantHistory> {
        let (caller, request) = RequestContext::from_request(request)?;
        let organization = caller.organization();
        self.history(
            &caller,
            organization,
            request.page_size,
            &request.page_token,
        )
        .await
    }

    async fn list_caller_organizations(
        &self,
        request: Request<ListCallerOrganizationsRequest>,
    ) -> RpcResult<ListCallerOrganizationsResponse> {
        let (caller, ListCallerOrganizationsRequest {}) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let found = administration.organizations_of(&caller.principal).await;
        respond(&caller, found.map(to_caller_organizations))
    }
}

impl TenantsRpc {
    async fn history(
        &self,
        caller: &RequestContext,
        organization: &OrganizationId,
        page_size: i32,
        page_token: &str,
    ) -> RpcResult<TenantHistory> {
        let list = list(
            caller,
            &operation::GET_TENANT_HISTORY,
            organization.as_str().as_bytes(),
        );
        let PageRequest { after, size } =
            read_page::<i64>(&self.dependencies.page_tokens, page_size, page_token, &list)?;
        let administration = self.dependencies.administration(caller);
        // One more than the page tells whether there is another.
        let found = administration.tenant_history(organization.as_str(), after, size + 1);
        let mut found = found.await.map_err(|error| to_status(caller, &error))?;
        let last = truncate_page(&mut found, size);
        let next = last.map(|last| self.dependencies.page_tokens.sign(&last.revision, &list));
        Ok(Response::new(TenantHistory {
            items: found.into_iter().map(to_revision).collect(),
            next_page_token: next.unwrap_or_default(),
        }))
    }

    /// Cuts what was found to the page, and returns the token of the next one.
    fn next_page_token<T>(
        &self,
        query: &OrganizationQuery,
        found: &mut Vec<(invoicing_storage::directory::Organization, T)>,
        list: &[u8],
    ) -> String {
        let last = truncate_page(found, query.size - 1);
        let id = last.map(|(organization, _)| organization.id.as_str());
        let token = id.map(|id| self.dependencies.page_tokens.sign(&id, list));
        token.unwrap_or_default()
    }
}

/// Programs that do not know the registration number of a tenant send neither it nor, perhaps, a mask: then it stays.
fn keep_unnamed(
    update: &mut Option<RegistrationNumber>,
    current: Option<&RegistrationNumber>,
    mask: Option<&FieldMask>,
) {
    if mask.is_none() && update.is_none() {
        *update = current.cloned();
    }
}

/// The record after an update of the fields that the mask names.
fn masked<Record: prost::Message + prost::Name + Default>(
    current: &Record,
    update: &Record,
    mask: Option<&FieldMask>,
) -> Result<Record, tonic::Status> {
    field_mask::apply(current, update, mask).map_err(|violations| invalid(violations).into())
}

/// The query of a list, for one more than its page.
fn query(
    filter: OrganizationFilter,
    tenants_only: bool,
    page: Result<PageRequest<String>, tonic::Status>,
) -> Result<OrganizationQuery, tonic::Status> {
    let Ok(state) = filter.state.try_into() else {
        let violation = FieldViolation::new("filter.state", "is not one of the values that exist");
        return Err(invalid(vec![violation]).into());
    };
    let PageRequest { after, size } = page?;
    Ok(OrganizationQuery {
        text: filter.text,
        domain: Some(filter.domain.to_lowercase()).filter(|domain| !domain.is_empty()),
        state: from_state(state),
        tenants_only,
        after: after.map(OrganizationId::from),
        size: size + 1,
    })
}
