//! Initial data. Seeding twice changes nothing.

mod credentials;
pub(crate) mod demo;
mod invoices;
mod load;
mod master_data;
mod registration_numbers;

pub use load::{LoadError, LoadSize, generate_load};

use invoicing_contract::AudienceId;
use invoicing_contract::messages::documents::Address;
use invoicing_contract::ready::{self, Ready};

use crate::config::{Config, Seed};
use crate::start_error::StartError;
use invoicing_storage::{Clock, Rng};
use invoicing_storage::{StorageError, Store};

/// Passwords and client secrets of a seed, of which the store has only hashes.
pub(crate) struct SeedSecrets {
    users: Vec<ready::User>,
    client_secrets: Vec<(String, String)>,
}

/// What every Saudi buyer has of an address besides its city: no document to a business is issued without it there (BR-KSA-63).
fn saudi_address() -> Address {
    Address {
        building: "7421".to_owned(),
        street: "King Fahd Road".to_owned(),
        district: "Al Olaya".to_owned(),
        postal_code: "12213".to_owned(),
        ..Address::default()
    }
}

/// Writes the seed into the store.
pub(crate) async fn insert(
    seed: Seed,
    store: &dyn Store,
    config: &Config,
    clock: &dyn Clock,
    rng: &dyn Rng,
) -> Result<SeedSecrets, StartError> {
    match seed {
        Seed::Demo => {
            let secrets = demo::insert(store, config.kind, clock, rng).await?;
            // An environment without demo invoices begins without what they would have left behind.
            if config.invoices != Some(0) {
                master_data::insert(store, clock).await?;
            }
            invoices::insert(store, clock, config.invoices).await?;
            Ok(secrets)
        }
    }
}

/// The content of the ready file. It has secrets only after a seed, never in production.
pub(crate) async fn ready(
    store: &dyn Store,
    audience_id: &AudienceId,
    auth_url: String,
    base_url: String,
    secrets: Option<SeedSecrets>,
) -> Result<Ready, StorageError> {
    let SeedSecrets {
        users,
        client_secrets,
    } = secrets.unwrap_or(SeedSecrets {
        users: Vec::new(),
        client_secrets: Vec::new(),
    });
    let applications =
        store
            .applications()
            .await?
            .into_iter()
            .map(|application| ready::Application {
                client_secret: client_secrets
                    .iter()
                    .find(|(client_id, _)| application.client_id == **client_id)
                    .map(|(_, secret)| secret.clone()),
                client_id: application.client_id.into_string(),
                kind: application.kind,
                grants: application
                    .grant_types
                    .iter()
                    .map(|grant| grant.name().to_owned())
                    .collect(),
                redirect_uris: application.redirect_uris,
            });
    let organizations = store
        .organizations()
        .await?
        .into_iter()
        .map(|organization| ready::Organization {
            id: organization.id.into_string(),
            name: organization.name,
            domain: organization.domain,
        });
    Ok(Ready {
        auth_url,
        base_url,
        audience_id: audience_id.to_string(),
        applications: applications.collect(),
        users,
        organizations: organizations.collect(),
    })
}
