//! The gRPC service of domains over [`Administration`].

use std::sync::Arc;

use invoicing_contract::messages::identity::domains_server::Domains;
use invoicing_contract::messages::identity::{
    AddDomainRequest, AddOrganizationDomainRequest, Domain as DomainMessage, ListDomainsRequest,
    ListDomainsResponse, ListOrganizationDomainsRequest, RemoveDomainRequest, RemoveDomainResponse,
    RemoveOrganizationDomainRequest, SetOrganizationPrimaryDomainRequest, SetPrimaryDomainRequest,
    VerifyDomainRequest,
};
use invoicing_contract::{Operation, OrganizationId, operation};
use invoicing_http::{PageRequest, RequestContext, truncate_page};
use invoicing_storage::domains::Domain;
use tonic::{Request, Response};

use super::dependencies::{AdministrationDependencies, RpcResult};
use super::domains::{DomainVerifier, verification_path, verification_text};
use super::pages::{list, read_page, respond};
use super::status::to_status;

/// The operations of invoicing.identity.v2.Domains.
#[derive(Clone)]
pub struct DomainsRpc {
    /// What every service of administration works with.
    pub dependencies: AdministrationDependencies,
    /// Looks at what the owner of a domain has published.
    pub verifier: Arc<dyn DomainVerifier>,
}

#[tonic::async_trait]
impl Domains for DomainsRpc {
    async fn add_domain(&self, request: Request<AddDomainRequest>) -> RpcResult<DomainMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let added = administration.add_domain(
            caller.organization(),
            &request.domain,
            request.validate_only,
        );
        respond(&caller, added.await.map(to_domain))
    }

    async fn list_domains(
        &self,
        request: Request<ListDomainsRequest>,
    ) -> RpcResult<ListDomainsResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let organization = caller.organization();
        self.page(&caller, &operation::LIST_DOMAINS, organization, request)
            .await
    }

    async fn verify_domain(
        &self,
        request: Request<VerifyDomainRequest>,
    ) -> RpcResult<DomainMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let verified =
            administration.verify_domain(caller.organization(), &request.domain, &*self.verifier);
        respond(&caller, verified.await.map(to_domain))
    }

    async fn set_primary_domain(
        &self,
        request: Request<SetPrimaryDomainRequest>,
    ) -> RpcResult<DomainMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let primary = administration.set_primary_domain(caller.organization(), &request.domain);
        respond(&caller, primary.await.map(to_domain))
    }

    async fn remove_domain(
        &self,
        request: Request<RemoveDomainRequest>,
    ) -> RpcResult<RemoveDomainResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let removed = administration.remove_domain(caller.organization(), &request.domain);
        respond(&caller, removed.await.map(|()| RemoveDomainResponse {}))
    }

    async fn list_organization_domains(
        &self,
        request: Request<ListOrganizationDomainsRequest>,
    ) -> RpcResult<ListDomainsResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let organization = administration.organization(&request.organization_id).await;
        let organization = organization.map_err(|error| to_status(&caller, &error))?;
        let operation = &operation::LIST_ORGANIZATION_DOMAINS;
        let page = ListDomainsRequest {
            page_size: request.page_size,
            page_token: request.page_token,
        };
        self.page(&caller, operation, &organization.id, page).await
    }

    async fn add_organization_domain(
        &self,
        request: Request<AddOrganizationDomainRequest>,
    ) -> RpcResult<DomainMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let added = administration.assign_domain(
            &request.organization_id,
            &request.domain,
            request.validate_only,
        );
        respond(&caller, added.await.map(to_domain))
    }

    async fn set_organization_primary_domain(
        &self,
        request: Request<SetOrganizationPrimaryDomainRequest>,
    ) -> RpcResult<DomainMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let organization = request.organization_id.into();
        let primary = administration.set_primary_domain(&organization, &request.domain);
        respond(&caller, primary.await.map(to_domain))
    }

    async fn remove_organization_domain(
        &self,
        request: Request<RemoveOrganizationDomainRequest>,
    ) -> RpcResult<RemoveDomainResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let administration = self.dependencies.administration(&caller);
        let organization = request.organization_id.into();
        let removed = administration.remove_domain(&organization, &request.domain);
        respond(&caller, removed.await.map(|()| RemoveDomainResponse {}))
    }
}

impl DomainsRpc {
    async fn page(
        &self,
        caller: &RequestContext,
        operation: &Operation,
        organization: &OrganizationId,
        request: ListDomainsRequest,
    ) -> RpcResult<ListDomainsResponse> {
        let tokens = &self.dependencies.page_tokens;
        let list = list(caller, operation, organization.as_str().as_bytes());
        let PageRequest { after, size } =
            read_page::<String>(tokens, request.page_size, &request.page_token, &list)?;
        let administration = self.dependencies.administration(caller);
        // One more than the page tells whether there is another.
        let found = administration.domains(organization, after.as_deref(), size + 1);
        let mut found = found.await.map_err(|error| to_status(caller, &error))?;
        let last = truncate_page(&mut found, size);
        let next = last.map(|last| tokens.sign(&last.name, &list));
        Ok(Response::new(ListDomainsResponse {
            items: found.into_iter().map(to_domain).collect(),
            next_page_token: next.unwrap_or_default(),
        }))
    }
}

/// A domain in messages. A claim that was only validated has an empty token and tells no text.
fn to_domain(domain: Domain) -> DomainMessage {
    let Domain {
        name,
        token,
        is_primary,
    } = domain;
    let url = format!("https://{name}{}", verification_path());
    DomainMessage {
        verified: token.is_none(),
        primary: is_primary,
        verification_url: token.as_ref().map_or_else(String::new, |_| url),
        verification_text: token
            .as_deref()
            .filter(|token| !token.is_empty())
            .map_or_else(String::new, verification_text),
        domain: name,
    }
}
