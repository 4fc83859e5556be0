//! Many organizations with invoices, users and tokens, to measure a database of a chosen size.

mod sessions;
mod users;

use invoice::content::Identifier;
use invoicing_contract::{EnvironmentKind, OrganizationId};
use invoicing_storage::directory::{Organization, Tenant, TenantAddress};
use invoicing_storage::plans::Limits;
use invoicing_storage::{Clock, Rng, StorageError, Store};

use super::invoices;
use users::LoadUser;

/// Writes at the same time: as many as fill a statement of tokens on PostgreSQL (decision 0102).
const CONCURRENCY: usize = 64;

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

/// How much is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadSize {
    /// Tenants.
    pub organizations: u32,
    /// Invoices of all tenants together.
    pub invoices: u64,
    /// Users of all tenants together. They have no password.
    pub users: u64,
    /// Sign-ins of all users together, each with a live access token and a refresh token.
    pub sessions: u64,
}

/// Fills a database of kind `local`.
///
/// The tenant with rank `r` has a share in proportion to `1 / r` (Zipf): of 10,000 tenants the first has a tenth of all invoices, and
/// half of the tenants have a fourteenth together. Users and sessions are distributed in the same way. Buyers, dates, states and credit
/// notes are those of the demo invoices. Called again with the same numbers, it continues where it was interrupted, but for
/// sessions, which are added to those that are there.
///
/// # Errors
/// [`LoadError`].
pub async fn generate_load(
    store: &dyn Store,
    clock: &dyn Clock,
    rng: &dyn Rng,
    size: LoadSize,
) -> Result<(), LoadError> {
    let local = EnvironmentKind::Local.name();
    let kind = store.setting_or("kind", local).await?;
    if kind != local {
        return Err(LoadError::NotLocal { kind });
    }
    let invoices = shares(size.organizations, size.invoices);
    let users = shares(size.organizations, size.users);
    sessions::insert_application(store, clock).await?;
    for (rank, invoices) in (1..).zip(invoices) {
        let tenant = tenant(rank);
        store.add_organization(&tenant.organization).await?;
        store.add_tenant(&tenant).await?;
        invoices::insert_for_tenant(store, clock, &tenant, invoices).await?;
    }
    // Where nobody is, nobody signs in.
    let staffed: Vec<_> = (1..).zip(users).filter(|(_, users)| *users > 0).collect();
    let places = u32::try_from(staffed.len()).unwrap_or(size.organizations);
    // After all tenants: some users have roles in several.
    for ((rank, users), sessions) in staffed.into_iter().zip(shares(places, size.sessions)) {
        let users: Vec<_> = (0..users).map(|number| LoadUser { rank, number }).collect();
        users::insert(store, clock, size.organizations, &users).await?;
        sessions::insert(store, clock, rng, &users, sessions).await?;
    }
    Ok(())
}

/// What each organization has of `whole`, the largest first.
fn shares(organizations: u32, whole: u64) -> Vec<u32> {
    let weights = (1..=u64::from(organizations)).map(|rank| PARTS / rank);
    let total: u64 = weights.clone().sum();
    let mut left = whole;
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

fn organization_id(rank: u32) -> OrganizationId {
    (275_000_000 + u64::from(rank)).to_string().into()
}

fn tenant(rank: u32) -> Tenant {
    Tenant {
        organization: Organization {
            id: organization_id(rank),
            name: format!("Organization {rank}"),
            name_ar: format!("منشأة {rank}"),
            domain: format!("organization{rank}.example"),
        },
        currency: "SAR".to_owned(),
        country: "SA".to_owned(),
        time_zone: "Asia/Riyadh".to_owned(),
        tax_id: format!("3{rank:013}3"),
        registration_number: Identifier {
            scheme: "CRN".to_owned(),
            value: (4_030_000_000_u64 + u64::from(rank)).to_string(),
        },
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
