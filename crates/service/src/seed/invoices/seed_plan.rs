//! The stored plan of the demo invoices of an organization. It makes an interrupted start resumable.

use invoicing_contract::messages::documents::Kind;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::deterministic_rng::DeterministicRng;
use invoicing_gateway::tenant_time::today;
use invoicing_storage::Clock;
use invoicing_storage::directory::Tenant;
use invoicing_storage::documents::NumberSeries;
use invoicing_storage::{StorageError, Store};

/// How many invoices to make, up to which day.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SeedPlan {
    /// How many invoices the organization is to have; part of the name of the stored plan.
    target_count: u32,
    /// How many were missing when the plan was made.
    pub(super) count: u32,
    /// The last day.
    pub(super) until: Date,
    /// The last number of each series before the first planned invoice: kind, year, number.
    last_numbers: Vec<(i32, i16, i64)>,
}

impl SeedPlan {
    /// The plan that an earlier start stored, or a new one.
    pub(super) async fn load_or_create(
        store: &dyn Store,
        clock: &dyn Clock,
        tenant: &Tenant,
        target_count: u32,
    ) -> Result<Self, StorageError> {
        let organization = &tenant.organization.id;
        let there = u32::try_from(store.count_documents(organization).await?).unwrap_or(u32::MAX);
        let last_numbers = store.last_numbers(organization).await?;
        let new = Self {
            target_count,
            count: target_count.saturating_sub(there),
            until: today(tenant, clock.now()),
            last_numbers: last_numbers
                .into_iter()
                .map(|(series, last)| (series.kind as i32, series.year, last))
                .collect(),
        };
        let new = serde_json::to_string(&new).expect("a plan is numbers and a date");
        let stored = store
            .setting_or(
                &format!("seeded-invoices-{organization}-{target_count}"),
                &new,
            )
            .await?;
        serde_json::from_str(&stored).map_err(|error| {
            StorageError::corrupt(format!(
                "the plan of demo invoices of {organization}: {error}"
            ))
        })
    }

    /// The key of an invoice: a UUIDv7 with a fixed time, so that it is the same on every day.
    pub(super) fn key(&self, index: u32) -> Uuid {
        const BEGIN: u64 = 1_700_000_000_000;
        let mut random = [0; 10];
        let kind = format!("key {}", self.target_count);
        random[..8].copy_from_slice(
            &DeterministicRng::new(&kind, u64::from(index))
                .next()
                .to_be_bytes(),
        );
        uuid::Builder::from_unix_timestamp_millis(BEGIN + u64::from(index) * 1000, &random)
            .into_uuid()
    }

    /// The last number of each series before the first of this plan.
    pub(super) fn last_numbers(&self) -> impl Iterator<Item = (NumberSeries, i64)> {
        self.last_numbers.iter().map(|(kind, year, last)| {
            (
                NumberSeries {
                    kind: Kind::try_from(*kind).unwrap_or_default(),
                    year: *year,
                },
                *last,
            )
        })
    }
}
