//! What a tenant authenticates with at its tax authority, and its encryption.

use std::fmt;

use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use invoicing_storage::clearance::{AuthoritySettings, credentials_owner};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

use super::{AuthorityError, Clearance};

/// A name and a secret (RFC 7617), or without a name a bearer token (RFC 6750). `Debug` shows neither.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Credentials {
    /// Empty for a bearer token.
    pub(crate) username: String,
    /// The password or token.
    #[serde(serialize_with = "write_secret", deserialize_with = "read_secret")]
    pub(crate) secret: Zeroizing<String>,
}

fn write_secret<S: Serializer>(
    secret: &Zeroizing<String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret)
}

fn read_secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Zeroizing<String>, D::Error> {
    String::deserialize(deserializer).map(Zeroizing::new)
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Credentials")
            .finish_non_exhaustive()
    }
}

impl Clearance {
    /// The credentials of an authority; `None` if it needs none.
    ///
    /// # Errors
    /// [`AuthorityError::NoEncryptionKey`] if they are encrypted with a key that this process does not have.
    pub(super) fn credentials(
        &self,
        settings: &AuthoritySettings,
    ) -> Result<Option<Credentials>, AuthorityError> {
        let Some(record) = &settings.credentials else {
            return Ok(None);
        };
        let keys = self.keys.as_ref().ok_or(AuthorityError::NoEncryptionKey)?;
        let owner = credentials_owner(&settings.organization);
        let secret = keys
            .decrypt(&owner, record)
            .map_err(|_undecryptable| AuthorityError::NoEncryptionKey)?;
        let credentials = serde_json::from_slice(&secret).map_err(StorageError::corrupt)?;
        Ok(Some(credentials))
    }

    /// The record of credentials.
    ///
    /// # Errors
    /// [`AuthorityError::NoEncryptionKey`] if this process has no key.
    pub(super) fn encrypt_credentials(
        &self,
        organization: &OrganizationId,
        credentials: &Credentials,
    ) -> Result<Vec<u8>, AuthorityError> {
        let keys = self.keys.as_ref().ok_or(AuthorityError::NoEncryptionKey)?;
        let secret = serde_json::to_vec(credentials).map_err(StorageError::unexpected)?;
        let secret = Zeroizing::new(secret);
        Ok(keys.encrypt(&*self.rng, &credentials_owner(organization), &secret))
    }
}
