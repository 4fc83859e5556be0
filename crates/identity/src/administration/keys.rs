//! Rotation of signing keys.

use super::{Administration, AdministrationError, Restriction};
use crate::keys::{KeyStorage, rotate};
use invoicing_storage::kept_secrets::EncryptionAtRest;
use invoicing_storage::keys::SigningKeyRecord;

impl Administration {
    /// Rotates the signing keys: the next keys become current. Running servers reload them within seconds; tokens signed before
    /// still verify. Stored keys and new ones are encrypted as `encryption` says (decision 0160).
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn rotate_keys(
        &self,
        encryption: &EncryptionAtRest,
    ) -> Result<Vec<SigningKeyRecord>, AdministrationError> {
        let storage = KeyStorage {
            store: &*self.store,
            encryption,
            rng: &*self.rng,
        };
        if !rotate(storage, self.now(), &self.actor, |_| true).await? {
            return Err(AdministrationError::NotAllowed(Restriction::NoCurrentKey));
        }
        Ok(self.store.signing_keys().await?)
    }
}
