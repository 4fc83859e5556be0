//! Documents: what they are made of, how they live, and how they are found.

pub mod any_bytes;
mod authority;
mod conditions;
mod content;
mod credit;
mod entry;
mod error;
mod fold;
mod life;
mod list;
mod numbering;
mod page_token;
mod plan;
mod rpc;
mod simple;

pub use authority::Authority;
pub use error::DocumentError;
pub use page_token::PageTokens;

pub use content::complete;
pub use entry::entry;
pub use numbering::number;
pub(crate) use plan::{month, plan_limit};

use std::sync::Arc;

use invoice::{CheckContext, Country, Currency};
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Event;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use invoicing_storage::directory::Tenant;
use invoicing_storage::world::World;
use invoicing_storage::{StorageError, Store};

/// The documents of all organizations.
#[derive(Clone)]
pub struct Documents {
    store: Arc<dyn Store>,
    world: World,
    authority: Authority,
    page_tokens: Arc<PageTokens>,
}

impl Documents {
    /// Documents in `store`.
    pub fn new(
        store: Arc<dyn Store>,
        world: World,
        authority: Authority,
        page_tokens: PageTokens,
    ) -> Self {
        Self {
            store,
            world,
            authority,
            page_tokens: Arc::new(page_tokens),
        }
    }

    fn event(&self, acting: &Acting<'_>) -> Event {
        let (actor, actor_name) = acting.actor.unwrap_or_default();
        Event {
            actor: actor.to_owned(),
            actor_name: actor_name.to_owned(),
            ..event(self.world.clock.now(), acting.subject, acting.name)
        }
    }
}

/// Who does something, and for which tenant.
#[derive(Debug, Clone, Copy)]
pub struct Acting<'request> {
    /// The tenant that the request is scoped to.
    pub tenant: &'request Tenant,
    /// The subject id of the caller.
    pub subject: &'request str,
    /// What to call the caller.
    pub name: &'request str,
    /// The subject id of the administrator who acts as the caller, and what to call them.
    pub actor: Option<(&'request str, &'request str)>,
}

impl Acting<'_> {
    const fn organization(&self) -> &OrganizationId {
        &self.tenant.organization.id
    }
}

/// The date that it is for a tenant.
pub fn today(tenant: &Tenant, now: Timestamp) -> Date {
    now.to_zoned(zone(tenant)).date()
}

/// The time zone of a tenant. UTC where its stored name is unknown, with a line in the log.
pub fn zone(tenant: &Tenant) -> TimeZone {
    TimeZone::get(&tenant.time_zone).unwrap_or_else(|error| {
        tracing::warn!(time_zone = tenant.time_zone, %error, "unknown time zone; its days begin as in UTC");
        TimeZone::UTC
    })
}

/// What checking an invoice of this tenant depends on.
///
/// # Errors
/// [`StorageError::Corrupt`] if the tenant's own country or currency is none.
pub fn rules(tenant: &Tenant, today: Date) -> Result<CheckContext, StorageError> {
    let corrupt =
        |what: &str| StorageError::corrupt(format!("{what} of tenant {}", tenant.organization.id));
    Ok(CheckContext {
        today,
        seller_country: Country::parse(&tenant.country).ok_or_else(|| corrupt("country"))?,
        currency: Currency::parse(&tenant.currency).ok_or_else(|| corrupt("currency"))?,
    })
}

/// An event of a document at a time by a subject.
pub fn event(at: Timestamp, by: &str, by_name: &str) -> Event {
    let time = pbjson_types::Timestamp {
        seconds: at.as_second(),
        nanos: at.subsec_nanosecond(),
    };
    Event {
        time: Some(time),
        by: by.to_owned(),
        by_name: by_name.to_owned(),
        ..Event::default()
    }
}
