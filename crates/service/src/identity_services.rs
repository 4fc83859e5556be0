//! The services of identity that the gateway hosts.

use std::sync::Arc;

use invoicing_contract::handlers;
use invoicing_contract::messages::identity::domains_server::DomainsServer;
use invoicing_contract::messages::identity::identity_server::IdentityServer;
use invoicing_contract::messages::identity::tenants_server::TenantsServer;
use invoicing_gateway::{HostedServices, with_message_limits};
use invoicing_identity::administration::{DomainsRpc, IdentityRpc, TenantsRpc};
use tonic::server::NamedService as _;
use tonic::service::Routes;

/// The services of identity, for the gateway to host over gRPC and REST.
pub(crate) fn identity_services(
    identity: IdentityRpc,
    tenants: TenantsRpc,
    domains: DomainsRpc,
) -> HostedServices {
    let (identity, tenants) = (Arc::new(identity), Arc::new(tenants));
    let identity_server = with_message_limits!(IdentityServer::from_arc(identity.clone()));
    let tenants_server = with_message_limits!(TenantsServer::from_arc(tenants.clone()));
    let domains = Arc::new(domains);
    let domains_server = with_message_limits!(DomainsServer::from_arc(domains.clone()));
    HostedServices {
        routes: Routes::new(identity_server)
            .add_service(tenants_server)
            .add_service(domains_server),
        handlers: handlers::identity(identity)
            .and(handlers::tenants(tenants))
            .and(handlers::domains(domains)),
        names: vec![
            IdentityServer::<IdentityRpc>::NAME,
            TenantsServer::<TenantsRpc>::NAME,
            DomainsServer::<DomainsRpc>::NAME,
        ],
    }
}
