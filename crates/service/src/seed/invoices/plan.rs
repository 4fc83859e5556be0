//! What is to be made for an organization, written down before the first of it, so that every start makes the same.

use invoicing_contract::messages::documents::Kind;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::draw::Draw;
use invoicing_gateway::documents::today;
use invoicing_storage::directory::Tenant;
use invoicing_storage::documents::Series;
use invoicing_storage::world::World;
use invoicing_storage::{StorageError, Store};

/// So many invoices until a day.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Plan {
    /// What the organization is to have in all. It tells this plan from one for more.
    wanted: u32,
    /// What was missing of that when the plan was made.
    pub(super) count: u32,
    /// The last day.
    pub(super) until: Date,
    /// The last number of each series before: kind, year, number.
    after: Vec<(i32, i16, i64)>,
}

impl Plan {
    /// The plan to bring a tenant to so many invoices: the one that an earlier start made, or a new one.
    pub(super) async fn of(
        store: &dyn Store,
        world: &World,
        tenant: &Tenant,
        wanted: u32,
    ) -> Result<Self, StorageError> {
        let organization = &tenant.organization.id;
        let there = u32::try_from(store.count_documents(organization).await?).unwrap_or(u32::MAX);
        let after = store.last_numbers(organization).await?;
        let new = Self {
            wanted,
            count: wanted.saturating_sub(there),
            until: today(tenant, world.clock.now()),
            after: after
                .into_iter()
                .map(|(series, last)| (series.kind as i32, series.year, last))
                .collect(),
        };
        let new = serde_json::to_string(&new).expect("a plan is numbers and a date");
        let kept = store
            .setting_or(&format!("seeded-invoices-{organization}-{wanted}"), &new)
            .await?;
        serde_json::from_str(&kept).map_err(|error| {
            StorageError::Corrupt(format!(
                "the plan of demo invoices of {organization}: {error}"
            ))
        })
    }

    /// The key of one: a UUIDv7 of a fixed past, so that it is the same on every day.
    pub(super) fn key(&self, index: u32) -> Uuid {
        const BEGIN: u64 = 1_700_000_000_000;
        let mut random = [0; 10];
        let kind = format!("key {}", self.wanted);
        random[..8].copy_from_slice(&Draw::new(&kind, u64::from(index)).next().to_be_bytes());
        uuid::Builder::from_unix_timestamp_millis(BEGIN + u64::from(index) * 1000, &random)
            .into_uuid()
    }

    /// The last number of each series before the first of this plan.
    pub(super) fn after(&self) -> impl Iterator<Item = (Series, i64)> {
        self.after.iter().map(|(kind, year, last)| {
            (
                Series {
                    kind: Kind::try_from(*kind).unwrap_or_default(),
                    year: *year,
                },
                *last,
            )
        })
    }
}
