//! The gRPC service of domains over [`Administration`].

use std::sync::Arc;

use invoicing_contract::messages::identity::domains_server::Domains;
use invoicing_contract::messages::identity::{
    AddDomainRequest, Domain as DomainMessage, ListDomainsRequest, ListDomainsResponse,
    RemoveDomainRequest, RemoveDomainResponse, SetPrimaryDomainRequest, VerifyDomainRequest,
};
use invoicing_contract::operation;
use invoicing_http::{PageRequest, RequestContext};
use invoicing_storage::domains::Domain;
use tonic::{Request, Response};

use super::dependencies::{AdministrationDependencies, RpcResult};
use super::domains::{DomainVerifier, verification_path, verification_text};
use super::pages::{list, read_page, respond, truncate};
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
        let list = list(&caller, &operation::LIST_DOMAINS, &[]);
        let PageRequest { after, size } = read_page::<String>(
            &self.dependencies.page_tokens,
            request.page_size,
            &request.page_token,
            &list,
        )?;
        let administration = self.dependencies.administration(&caller);
        // One more than the page tells whether there is another.
        let found = administration.domains(caller.organization(), after.as_deref(), size + 1);
        let mut found = found.await.map_err(|error| to_status(&caller, &error))?;
        let has_more = truncate(&mut found, size);
        let last = found.last().filter(|_| has_more);
        let next_page_token = last.map_or_else(String::new, |last| {
            self.dependencies.page_tokens.sign(&last.name, &list)
        });
        Ok(Response::new(ListDomainsResponse {
            items: found.into_iter().map(to_domain).collect(),
            next_page_token,
        }))
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
}

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
        verification_text: token.as_deref().map_or_else(String::new, verification_text),
        domain: name,
    }
}
