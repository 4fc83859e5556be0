//! Personal access tokens of machine users.

use std::time::Duration;

use super::{Administration, AdministrationError, RecordKind, Restriction};
use invoicing_contract::{EnvironmentKind, SubjectId};
use invoicing_storage::audit::{self, AuditedValues};
use invoicing_storage::pats::PersonalAccessToken;
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::{Account, Subject};

/// Valid tokens that a machine user can have through the gateway.
pub(super) const MAX_VALID_PATS: i64 = 50;
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
        let subject = self.user(user).await?.subject;
        self.mint_pat_for(&subject, subject.epoch, String::new(), name, days)
            .await
    }

    /// The same for a machine user with the epoch that is proved: by the record, or by the token that the machine user has presented
    /// (decision 0106). An id is made if `id` is empty.
    pub(super) async fn mint_pat_for(
        &self,
        subject: &Subject,
        epoch: i64,
        id: String,
        name: &str,
        days: u16,
    ) -> Result<(PersonalAccessToken, Secret), AdministrationError> {
        if self.kind == EnvironmentKind::Production {
            return Err(AdministrationError::NotAllowed(
                Restriction::NoPersonalAccessTokensInProduction,
            ));
        }
        if !subject.is_machine() {
            return Err(AdministrationError::NotAllowed(
                Restriction::PersonalAccessTokensAreForMachines,
            ));
        }
        let (now, secret) = (self.now(), Secret::personal(&*self.rng));
        let pat = PersonalAccessToken {
            id: if id.is_empty() { self.new_id() } else { id },
            subject: subject.id.clone(),
            epoch,
            name: name.to_owned(),
            created_at: now,
            expires_at: now.plus(DAY * u32::from(days)),
            revoked_at: None,
        };
        let event = self
            .event(audit::AuditEventKind::PatMinted)
            .subject(&pat.subject)
            .organization(&subject.home_organization)
            .difference(&AuditedValues::default(), &pat.audited_values());
        if self.store.add_pat(&pat, &secret.hash(), &event).await? {
            Ok((pat, secret))
        } else {
            Err(AdministrationError::Exists {
                kind: RecordKind::PersonalAccessToken,
                name: pat.id,
            })
        }
    }

    /// Refuses another token to a machine user with [`MAX_VALID_PATS`]. Tokens that are minted at the same time can exceed the number by
    /// theirs: it keeps lists short, and protects nothing.
    pub(super) async fn require_room_for_pat(
        &self,
        subject: &SubjectId,
    ) -> Result<(), AdministrationError> {
        if self.kind == EnvironmentKind::Production {
            // No number is right: the reason of the refusal is another.
            return Ok(());
        }
        if self.store.count_valid_pats(subject, self.now()).await? < MAX_VALID_PATS {
            Ok(())
        } else {
            let restriction = Restriction::TooManyPersonalAccessTokens;
            Err(AdministrationError::NotAllowed(restriction))
        }
    }

    /// Revokes a personal access token by its id.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn revoke_pat(&self, id: &str) -> Result<PersonalAccessToken, AdministrationError> {
        let pat = self.store.pat_by_id(id).await?;
        let pat = pat.ok_or_else(|| pat_not_found(id))?;
        let Account { subject, .. } = self.user_with_id(&pat.subject).await?;
        self.revoke_pat_of(&subject, id).await
    }

    /// The same of a token that is known to be of `subject`.
    pub(super) async fn revoke_pat_of(
        &self,
        subject: &Subject,
        id: &str,
    ) -> Result<PersonalAccessToken, AdministrationError> {
        let event = self
            .event(audit::AuditEventKind::PatRevoked)
            .subject(&subject.id)
            .organization(&subject.home_organization)
            .detail("pat", id);
        self.store.revoke_pat(id, self.now(), &event).await?;
        let revoked = self.store.pat_by_id(id).await?;
        revoked.ok_or_else(|| pat_not_found(id))
    }
}

pub(super) fn pat_not_found(id: &str) -> AdministrationError {
    AdministrationError::NotFound {
        kind: RecordKind::PersonalAccessToken,
        name: id.to_owned(),
    }
}
