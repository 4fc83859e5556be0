//! Rotation of signing keys.

use super::{Administration, AdministrationError, Restriction};
use crate::keys::rotate;
use invoicing_storage::keys::SigningKeyRecord;

impl Administration {
    /// Rotates the signing keys: the next keys become current. Running servers reload them within seconds; tokens signed before
    /// still verify.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn rotate_keys(&self) -> Result<Vec<SigningKeyRecord>, AdministrationError> {
        if !rotate(&*self.store, self.now(), &self.actor, |_| true).await? {
            return Err(AdministrationError::NotAllowed(Restriction::NoCurrentKey));
        }
        Ok(self.store.signing_keys().await?)
    }
}
