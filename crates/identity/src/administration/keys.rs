//! Signing keys.

use super::{Administration, AdministrationError};
use crate::keys::rotate;
use invoicing_storage::keys::SigningKeyRecord;

impl Administration {
    /// Lets the next keys sign now. Running servers notice within seconds; what was signed before still verifies.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn rotate_keys(&self) -> Result<Vec<SigningKeyRecord>, AdministrationError> {
        if !rotate(&*self.store, self.now_ms(), &self.actor, |_| true).await? {
            return Err(AdministrationError::Refused(
                "there is no current key to replace, or somebody else replaced it just now",
            ));
        }
        Ok(self.store.signing_keys().await?)
    }
}
