//! Personal access tokens of machine users.

use std::time::Duration;

use super::{Administration, AdministrationError, RecordKind, Restriction};
use invoicing_contract::EnvironmentKind;
use invoicing_storage::audit;
use invoicing_storage::pats::PersonalAccessToken;
use invoicing_storage::secret::Secret;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Administration {
    /// Mints a personal access token. Its secret is returned once. A production environment has none.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn mint_pat(
        &self,
        user: &str,
        name: &str,
        days: u16,
    ) -> Result<(PersonalAccessToken, Secret), AdministrationError> {
        if self.kind == EnvironmentKind::Production {
            return Err(AdministrationError::NotAllowed(
                Restriction::NoPersonalAccessTokensInProduction,
            ));
        }
        let subject = self.user(user).await?.subject;
        if !subject.is_machine() {
            return Err(AdministrationError::NotAllowed(
                Restriction::PersonalAccessTokensAreForMachines,
            ));
        }
        let (now, secret) = (self.now(), Secret::personal(&*self.rng));
        let pat = PersonalAccessToken {
            id: self.new_id(),
            subject: subject.id,
            epoch: subject.epoch,
            name: name.to_owned(),
            created_at: now,
            expires_at: now.plus(DAY * u32::from(days)),
            revoked_at: None,
        };
        let event = self
            .event(audit::AuditEventKind::PatMinted)
            .subject(&pat.subject)
            .organization(&subject.home_organization)
            .detail("pat", &*pat.id);
        self.store.add_pat(&pat, &secret.hash(), &event).await?;
        Ok((pat, secret))
    }

    /// Revokes a personal access token by its id.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn revoke_pat(&self, id: &str) -> Result<PersonalAccessToken, AdministrationError> {
        let not_found = || AdministrationError::NotFound {
            kind: RecordKind::PersonalAccessToken,
            name: id.to_owned(),
        };
        let pat = self.store.pat_by_id(id).await?.ok_or_else(not_found)?;
        let event = self
            .event(audit::AuditEventKind::PatRevoked)
            .subject(&pat.subject)
            .detail("pat", id);
        self.store.revoke_pat(id, self.now(), &event).await?;
        self.store.pat_by_id(id).await?.ok_or_else(not_found)
    }
}
