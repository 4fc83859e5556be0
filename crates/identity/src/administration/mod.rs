//! Administration of tenants, users, applications and keys, for the command line and the gateway. Every change has an audit
//! event.

mod application_rules;
mod applications;
mod applications_rpc;
mod dependencies;
mod domains;
mod domains_rpc;
mod error;
mod impersonation;
mod invitations;
mod keys;
mod machine_users;
mod machine_users_rpc;
mod organization;
mod organization_applications;
mod organization_users;
mod pages;
mod pats;
mod rpc;
mod status;
mod tenant_messages;
mod tenants;
mod tenants_rpc;
mod users;
mod users_rpc;

use std::sync::Arc;

pub use applications::{ApplicationChanges, RegisteredApplication};
pub use dependencies::AdministrationDependencies;
pub use domains::{DomainUnreachable, DomainVerifier, verification_path, verification_text};
pub use domains_rpc::DomainsRpc;
pub use error::{AdministrationError, Input, RecordKind, Restriction};
pub(crate) use impersonation::may_impersonate;
pub use rpc::IdentityRpc;
pub use status::error_examples;
pub use tenants::{
    FieldChange, NewOrganization, NewTenant, Profile, ProvisionedTenant, Revision, TenantFields,
};
pub use tenants_rpc::TenantsRpc;
pub use users::{CreatedUser, NewUser};

use invoicing_contract::{EnvironmentKind, Timestamp};
use invoicing_storage::Store;
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::{Clock, Rng};

/// How often a change is tried again because what it is based on has changed meanwhile: the rules, or the values that its event
/// names as those before.
const ATTEMPTS: u32 = 5;

/// Administration of one environment by one administrator.
#[derive(Clone)]
pub struct Administration {
    /// The storage, for read-only commands.
    pub store: Arc<dyn Store>,
    /// The kind of the environment.
    pub kind: EnvironmentKind,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    actor: String,
    correlation_id: Option<String>,
}

impl Administration {
    /// Administration by `actor`: a subject id, or the user of the command line.
    #[must_use]
    pub const fn new(
        store: Arc<dyn Store>,
        kind: EnvironmentKind,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        actor: String,
    ) -> Self {
        Self {
            store,
            kind,
            clock,
            rng,
            actor,
            correlation_id: None,
        }
    }

    /// Administration in the request with this correlation id, which its events get.
    #[must_use]
    pub(crate) fn in_request(mut self, correlation_id: &str) -> Self {
        self.correlation_id = Some(correlation_id.to_owned());
        self
    }

    fn now(&self) -> Timestamp {
        self.clock.timestamp()
    }

    fn event(&self, kind: audit::AuditEventKind) -> AuditEvent {
        let event = AuditEvent::new(self.now(), kind).actor(&self.actor);
        match &self.correlation_id {
            Some(id) => event.correlation_id(id),
            None => event,
        }
    }

    /// A random id of 18 digits, the form of all ids of the service.
    fn new_id(&self) -> String {
        new_id(&*self.rng)
    }
}

fn new_id(rng: &dyn Rng) -> String {
    const FIRST: u64 = 100_000_000_000_000_000;
    let mut bytes = [0; 8];
    rng.fill(&mut bytes);
    (FIRST + u64::from_le_bytes(bytes) % (9 * FIRST)).to_string()
}

impl std::fmt::Debug for Administration {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Administration")
            .field("kind", &self.kind)
            .field("actor", &self.actor)
            .finish_non_exhaustive()
    }
}
