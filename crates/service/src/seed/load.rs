//! Many organizations with invoices, to measure a database of a chosen size.

use invoicing_contract::EnvironmentKind;
use invoicing_storage::directory::{Organization, Tenant, TenantAddress};
use invoicing_storage::plans::Limits;
use invoicing_storage::{Clock, StorageError, Store};

use super::invoices;

/// Parts of a share, so that shares are computed without fractions.
const PARTS: u64 = 1_000_000_000;

/// Why nothing is generated.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The database belongs to an environment of another kind than local.
    #[error(
        "the database belongs to an environment of kind {kind}: load is generated in local ones only"
    )]
    NotLocal {
        /// Its kind.
        kind: String,
    },
    /// Storage failed. What was written stays, and the next call continues.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Fills a database of kind `local` with `organizations` tenants that have `invoices` invoices together.
///
/// The tenant with rank `r` has a share in proportion to `1 / r` (Zipf): of 10,000 tenants the first has a tenth of all invoices, and
/// half of the tenants have a fourteenth together. Buyers, dates, states and credit notes are those of the demo invoices.
/// Called again with the same numbers, it continues where it was interrupted.
///
/// # Errors
/// [`LoadError`].
pub async fn generate_load(
    store: &dyn Store,
    clock: &dyn Clock,
    organizations: u32,
    invoices: u64,
) -> Result<(), LoadError> {
    let local = EnvironmentKind::Local.name();
    let kind = store.setting_or("kind", local).await?;
    if kind != local {
        return Err(LoadError::NotLocal { kind });
    }
    for (rank, count) in (1..).zip(shares(organizations, invoices)) {
        let tenant = tenant(rank);
        store.add_organization(&tenant.organization).await?;
        store.add_tenant(&tenant).await?;
        invoices::insert_for_tenant(store, clock, &tenant, count).await?;
    }
    Ok(())
}

/// The numbers of invoices of organizations, the largest first. They add up to `invoices`.
fn shares(organizations: u32, invoices: u64) -> Vec<u32> {
    let weights = (1..=u64::from(organizations)).map(|rank| PARTS / rank);
    let total: u64 = weights.clone().sum();
    let mut left = invoices;
    let mut left_weight = total;
    weights
        .map(|weight| {
            // Of what is left, so that rounding loses none.
            let share = u128::from(left) * u128::from(weight) / u128::from(left_weight.max(1));
            let share = u32::try_from(share).unwrap_or(u32::MAX);
            left -= u64::from(share);
            left_weight -= weight;
            share
        })
        .collect()
}

fn tenant(rank: u32) -> Tenant {
    Tenant {
        organization: Organization {
            id: (275_000_000 + u64::from(rank)).to_string().into(),
            name: format!("Organization {rank}"),
            name_ar: format!("منشأة {rank}"),
            domain: format!("organization{rank}.example"),
        },
        currency: "SAR".to_owned(),
        country: "SA".to_owned(),
        time_zone: "Asia/Riyadh".to_owned(),
        tax_id: format!("3{rank:013}3"),
        address: TenantAddress {
            building: "7421".to_owned(),
            street: "King Fahd Road".to_owned(),
            district: "Al Olaya".to_owned(),
            city: "Riyadh".to_owned(),
            postal_code: "12213".to_owned(),
        },
        own_limits: Limits::default(),
        plan: None,
        authority_endpoint: None,
        concurrency_stamp: Tenant::INITIAL_STAMP.to_owned(),
        disabled_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_fall_with_the_rank() {
        for (organizations, invoices) in [(1, 7), (3, 100), (100, 1_000_000), (10_000, 50_000)] {
            let shares = shares(organizations, invoices);
            assert_eq!(
                shares.iter().map(|share| u64::from(*share)).sum::<u64>(),
                invoices
            );
            assert!(shares.is_sorted_by(|a, b| a + 1 >= *b), "{organizations}");
        }
    }

    #[test]
    fn first_of_ten_thousand_organizations_has_a_tenth() {
        let shares = shares(10_000, 1_000_000);
        assert!((95_000..110_000).contains(&shares[0]), "{}", shares[0]);
        let smaller: u32 = shares[5_000..].iter().sum();
        assert!((60_000..80_000).contains(&smaller), "{smaller}");
    }
}
