//! What an administrator does to tenants, people, applications and keys: the same from the command line and through the
//! gateway, and always with an entry in the audit.

mod applications;
mod error;
mod keys;
mod pats;
mod rpc;
mod tenants;
mod users;

use std::sync::Arc;

pub use applications::{ApplicationChanges, Registered};
pub use error::AdministrationError;
pub use rpc::IdentityRpc;
pub use tenants::{NewTenant, Profile, Provisioned};
pub use users::{Added, NewUser};

use invoicing_contract::EnvironmentKind;
use invoicing_storage::Store;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::world::{Randomness, World};

/// Administration of one environment by one administrator.
#[derive(Clone)]
pub struct Administration {
    /// Where everything is kept, for what only reads.
    pub store: Arc<dyn Store>,
    /// What the environment is for.
    pub kind: EnvironmentKind,
    world: World,
    actor: String,
}

impl Administration {
    /// Of an environment that is being served, by the subject `actor`.
    #[must_use]
    pub const fn new(
        store: Arc<dyn Store>,
        kind: EnvironmentKind,
        world: World,
        actor: String,
    ) -> Self {
        Self {
            store,
            kind,
            world,
            actor,
        }
    }

    fn now_ms(&self) -> i64 {
        self.world.clock.now_ms()
    }

    fn entry(&self, kind: audit::Kind) -> Entry {
        Entry::new(self.now_ms(), kind).by(&self.actor)
    }

    /// An id for something new: 18 digits, as all ids of the service are.
    fn new_id(&self) -> String {
        new_id(&*self.world.randomness)
    }
}

fn new_id(randomness: &dyn Randomness) -> String {
    const FIRST: u64 = 100_000_000_000_000_000;
    let mut bytes = [0; 8];
    randomness.fill(&mut bytes);
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
