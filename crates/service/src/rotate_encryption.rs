//! Encrypts stored secrets with another key (decisions 0127 and 0160).

use invoicing_contract::OrganizationId;
use invoicing_storage::audit::{self, AuditEvent, AuditEventKind};
use invoicing_storage::clearance::{AuthoritySettings, ClearanceStore, credentials_owner};
use invoicing_storage::encryption::{DecryptError, EncryptionKeys};
use invoicing_storage::kept_secrets::{
    EncryptionAtRest, KeptSecretError, RenewedSecrets, UnreadableSecret,
};
use invoicing_storage::secret::random_id;
use invoicing_storage::{Clock, DirectoryStore, KeyStore, Rng, StorageError};
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
    /// A secret of the service itself cannot be decrypted.
    #[error(transparent)]
    Unreadable(#[from] UnreadableSecret),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<KeptSecretError> for RotateEncryptionError {
    fn from(error: KeptSecretError) -> Self {
        match error {
            KeptSecretError::Storage(error) => Self::Storage(error),
            KeptSecretError::Unreadable(error) => Self::Unreadable(error),
        }
    }
}

impl RotateEncryptionError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Decrypt { .. } | Self::Unreadable(_) => 65,
            Self::Storage(error) => error.exit_code(),
        }
    }
}

/// Encrypts the data keys of all stored secrets with the first of the keys, and with keys of the operator the secrets of the
/// service that are in clear. It can run beside the service, which has the same key file, and be repeated.
///
/// # Errors
/// See [`RotateEncryptionError`].
pub async fn rotate_encryption(
    store: &(impl ClearanceStore + DirectoryStore + KeyStore + ?Sized),
    encryption: &EncryptionAtRest,
    clock: &dyn Clock,
    rng: &dyn Rng,
) -> Result<RotatedEncryption, RotateEncryptionError> {
    let (now, actor) = (clock.timestamp(), audit::COMMAND_LINE);
    let signing_keys = encryption.renew_signing_keys(store, rng, now, actor);
    let signing_keys = signing_keys.await?;
    let settings = encryption.renew_settings(store, rng, now, actor).await?;
    let mut rotated = RotatedEncryption::default();
    for RenewedSecrets {
        encrypted,
        unchanged,
    } in [signing_keys, settings]
    {
        rotated.encrypted += encrypted;
        rotated.unchanged += unchanged;
    }
    if let Some(keys) = encryption.keys() {
        rewrap_credentials(store, keys, clock, rng, &mut rotated).await?;
    }
    Ok(rotated)
}

/// Encrypts the data keys of the credentials of all tax authorities with the first of `keys`.
async fn rewrap_credentials(
    store: &(impl ClearanceStore + ?Sized),
    keys: &EncryptionKeys,
    clock: &dyn Clock,
    rng: &dyn Rng,
    rotated: &mut RotatedEncryption,
) -> Result<(), RotateEncryptionError> {
    let mut after = OrganizationId::default();
    loop {
        let page = store.authorities(&after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(());
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
        let expected = settings.concurrency_stamp.clone();
        let now = clock.timestamp();
        let changed = AuthoritySettings {
            credentials: Some(rewrapped),
            concurrency_stamp: random_id(rng).into(),
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
