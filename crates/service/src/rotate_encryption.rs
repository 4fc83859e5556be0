//! Encrypts stored secrets with another key (decision 0127).

use invoicing_contract::OrganizationId;
use invoicing_identity::administration::AdministrationError;
use invoicing_storage::audit::{self, AuditEvent, AuditEventKind};
use invoicing_storage::clearance::{AuthoritySettings, ClearanceStore, credentials_owner};
use invoicing_storage::encryption::{DecryptError, EncryptionKeys};
use invoicing_storage::{Clock, Rng, StorageError};
use serde::Serialize;

/// Authorities that are read at a time.
const PAGE: u32 = 100;

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RotatedEncryption {
    /// Secrets that are now encrypted with the first key.
    pub encrypted: u32,
    /// Secrets that were before.
    pub unchanged: u32,
}

/// Why not all secrets are encrypted with the first key. Those before stay so; run it again.
#[derive(Debug, thiserror::Error)]
pub enum RotateEncryptionError {
    /// A secret cannot be decrypted with the keys of the file.
    #[error("the credentials of the tax authority of {organization} cannot be decrypted: {source}")]
    Decrypt {
        /// Whose.
        organization: OrganizationId,
        /// Why.
        source: DecryptError,
    },
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl RotateEncryptionError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Decrypt { .. } => 65,
            Self::Storage(error) => AdministrationError::storage_exit_code(error),
        }
    }
}

/// Encrypts the data keys of all stored secrets with the first of `keys`. It can run beside the service, which has the same key
/// file, and be repeated.
///
/// # Errors
/// See [`RotateEncryptionError`].
pub async fn rotate_encryption(
    store: &(impl ClearanceStore + ?Sized),
    keys: &EncryptionKeys,
    clock: &dyn Clock,
    rng: &dyn Rng,
) -> Result<RotatedEncryption, RotateEncryptionError> {
    let mut rotated = RotatedEncryption::default();
    let mut after = OrganizationId::default();
    loop {
        let page = store.authorities(&after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(rotated);
        };
        after = last.organization.clone();
        for settings in page {
            if settings.credentials.is_none() {
                continue;
            }
            if rewrap(store, settings, keys, clock, rng).await? {
                rotated.encrypted += 1;
            } else {
                rotated.unchanged += 1;
            }
        }
    }
}

/// Whether the credentials were encrypted with another key. Settings that somebody changes meanwhile are read again.
async fn rewrap(
    store: &(impl ClearanceStore + ?Sized),
    settings: AuthoritySettings,
    keys: &EncryptionKeys,
    clock: &dyn Clock,
    rng: &dyn Rng,
) -> Result<bool, RotateEncryptionError> {
    let organization = settings.organization.clone();
    let owner = credentials_owner(&organization);
    let mut current = Some(settings);
    while let Some(settings) = current {
        let Some(record) = &settings.credentials else {
            return Ok(false);
        };
        let rewrapped = keys.rewrap(rng, &owner, record);
        let rewrapped = rewrapped.map_err(|source| RotateEncryptionError::Decrypt {
            organization: organization.clone(),
            source,
        })?;
        let Some(rewrapped) = rewrapped else {
            return Ok(false);
        };
        let mut stamp = [0; 16];
        rng.fill(&mut stamp);
        let expected = settings.concurrency_stamp.clone();
        let now = clock.timestamp();
        let changed = AuthoritySettings {
            credentials: Some(rewrapped),
            concurrency_stamp: uuid::Uuid::from_bytes(stamp).simple().to_string().into(),
            updated_at: now,
            ..settings
        };
        let event = AuditEvent::new(now, AuditEventKind::EncryptionRotated)
            .actor(audit::COMMAND_LINE)
            .organization(&organization);
        if store
            .put_authority(&changed, Some(&expected), &event)
            .await?
        {
            return Ok(true);
        }
        current = store.authority(&organization).await?;
    }
    Ok(false)
}
