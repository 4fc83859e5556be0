//! The services of identity that the gateway hosts.

use std::sync::Arc;

use invoicing_contract::handlers;
use invoicing_contract::messages::identity::applications_server::ApplicationsServer;
use invoicing_contract::messages::identity::domains_server::DomainsServer;
use invoicing_contract::messages::identity::identity_server::IdentityServer;
use invoicing_contract::messages::identity::machine_users_server::MachineUsersServer;
use invoicing_contract::messages::identity::tenants_server::TenantsServer;
use invoicing_contract::messages::identity::users_server::UsersServer;
use invoicing_gateway::{HostedServices, with_message_limits};
use invoicing_identity::administration::{DomainsRpc, IdentityRpc, TenantsRpc, error_examples};
use tonic::service::Routes;

/// The services of identity, for the gateway to host over gRPC and REST.
pub(crate) fn identity_services(
    identity: IdentityRpc,
    tenants: TenantsRpc,
    domains: DomainsRpc,
) -> HostedServices {
    let (identity, tenants, domains) = (Arc::new(identity), Arc::new(tenants), Arc::new(domains));
    let identity_server = with_message_limits!(IdentityServer::from_arc(identity.clone()));
    let tenants_server = with_message_limits!(TenantsServer::from_arc(tenants.clone()));
    let domains_server = with_message_limits!(DomainsServer::from_arc(domains.clone()));
    let users_server = with_message_limits!(UsersServer::from_arc(identity.clone()));
    let machine_users_server = with_message_limits!(MachineUsersServer::from_arc(identity.clone()));
    let applications_server = with_message_limits!(ApplicationsServer::from_arc(identity.clone()));
    HostedServices {
        routes: Routes::new(identity_server)
            .add_service(tenants_server)
            .add_service(domains_server)
            .add_service(users_server)
            .add_service(machine_users_server)
            .add_service(applications_server),
        handlers: handlers::identity(identity.clone())
            .and(handlers::tenants(tenants))
            .and(handlers::domains(domains))
            .and(handlers::users(identity.clone()))
            .and(handlers::machine_users(identity.clone()))
            .and(handlers::applications(identity)),
        error_examples: error_examples(),
    }
}
