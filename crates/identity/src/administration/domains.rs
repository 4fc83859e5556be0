//! Domains of organizations: claims, their verification, and the primary one (decisions 0115 and 0163).

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use invoicing_contract::{FieldViolation, OrganizationId};
use invoicing_storage::StorageError;
use invoicing_storage::audit::{AuditEventKind, AuditedValues};
use invoicing_storage::directory::Organization;
use invoicing_storage::domains::{Domain, DomainChange, DomainClaim};
use invoicing_storage::secret::random_id;
use invoicing_storage::tenants::TenantAction;

use super::tenants::{FieldChange, domain_name};
use super::{ATTEMPTS, Administration, AdministrationError, RecordKind, Restriction};

/// Domains and claims that an organization may have.
const MAX_DOMAINS: u32 = 20;
/// The least time between two checks of a claim. Each makes a request to a server that the caller chose.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// Looks at what the owner of a domain has published.
#[async_trait]
pub trait DomainVerifier: Send + Sync + fmt::Debug {
    /// Whether the file at [`verification_path`] of the domain has the line `text`.
    ///
    /// # Errors
    /// When it is not known: the server of the domain does not answer.
    async fn publishes(&self, domain: &str, text: &str) -> Result<bool, DomainUnreachable>;
}

/// The server of a domain does not answer.
#[derive(Debug, thiserror::Error)]
#[error("the server of the domain does not answer")]
pub struct DomainUnreachable(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// The path of the file that verifies a domain (RFC 8615).
#[must_use]
pub const fn verification_path() -> &'static str {
    "/.well-known/invoice-desk-domain-verification.txt"
}

/// The line of the file that verifies a domain with this token.
#[must_use]
pub fn verification_text(token: &str) -> String {
    format!("invoice-desk-domain-verification={token}")
}

impl Administration {
    /// Claims a domain for an organization. With `validate_only` nothing is written, and the token is empty.
    ///
    /// # Errors
    /// [`AdministrationError::Violations`]; [`AdministrationError::Exists`]; [`Restriction::TooManyDomains`].
    pub async fn add_domain(
        &self,
        organization: &OrganizationId,
        domain: &str,
        validate_only: bool,
    ) -> Result<Domain, AdministrationError> {
        let Some(name) = domain_name(domain) else {
            let violation =
                FieldViolation::new("domain", "must be a domain name, as in alkhair.example");
            return Err(AdministrationError::Violations(vec![violation]));
        };
        // A claim that is not stored has no token (decision 0129).
        let token = if validate_only {
            String::new()
        } else {
            random_id(&*self.rng)
        };
        let outcome = if validate_only {
            let found = self.store.domains(organization, None, MAX_DOMAINS).await?;
            let has_all = u32::try_from(found.len()).is_ok_and(|found| found >= MAX_DOMAINS);
            if found.iter().any(|found| found.name == name) {
                DomainClaim::Exists
            } else if has_all {
                DomainClaim::TooMany
            } else {
                DomainClaim::Done
            }
        } else {
            let event = self
                .event(AuditEventKind::DomainClaimed)
                .organization(organization)
                .detail("domain", &*name);
            self.store
                .claim_domain(organization, &name, &token, MAX_DOMAINS, &event)
                .await?
        };
        match outcome {
            DomainClaim::Done => Ok(Domain {
                name,
                token: Some(token),
                is_primary: false,
            }),
            DomainClaim::Exists => Err(taken(&name)),
            DomainClaim::TooMany => {
                Err(AdministrationError::NotAllowed(Restriction::TooManyDomains))
            }
        }
    }

    /// Makes a domain one of an organization without a proof. A claim of the organization becomes a domain. With `validate_only`
    /// nothing is written.
    ///
    /// # Errors
    /// As [`Self::add_domain`]; [`AdministrationError::NotFound`] for an unknown organization.
    pub async fn assign_domain(
        &self,
        organization: &str,
        domain: &str,
        validate_only: bool,
    ) -> Result<Domain, AdministrationError> {
        let organization = self.organization(organization).await?.id;
        let name = domain_name(domain).unwrap_or_default();
        if self.store.organization_of_domain(&name).await?.is_some() {
            return Err(taken(&name));
        }
        match self.add_domain(&organization, domain, validate_only).await {
            // It is claimed already.
            Ok(_) | Err(AdministrationError::Exists { .. }) => {}
            Err(error) => return Err(error),
        }
        if validate_only {
            return Ok(assigned(&name));
        }
        let event = self
            .event(AuditEventKind::DomainVerified)
            .organization(&organization)
            .detail("domain", &*name);
        let outcome = self
            .store
            .verify_domain(&organization, &name, &event)
            .await?;
        domain_result(outcome, &name)?;
        Ok(assigned(&name))
    }

    /// A domain or claim of an organization.
    ///
    /// # Errors
    /// [`AdministrationError::NotFound`] and those of storage.
    pub async fn domain(
        &self,
        organization: &OrganizationId,
        domain: &str,
    ) -> Result<Domain, AdministrationError> {
        let name = domain_name(domain).unwrap_or_default();
        let found = self.store.domain(organization, &name).await?;
        found.ok_or_else(|| not_found(domain))
    }

    /// Domains and claims of an organization, by name.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn domains(
        &self,
        organization: &OrganizationId,
        after: Option<&str>,
        size: u32,
    ) -> Result<Vec<Domain>, AdministrationError> {
        Ok(self.store.domains(organization, after, size).await?)
    }

    /// Makes a claim a domain of the organization if the server of the domain says so. A verified domain stays.
    ///
    /// # Errors
    /// [`Restriction::DomainNotProved`], [`AdministrationError::DomainCheckedJustNow`], [`AdministrationError::DomainUnreachable`]
    /// and [`AdministrationError::Exists`] for the domain of another organization.
    pub async fn verify_domain(
        &self,
        organization: &OrganizationId,
        domain: &str,
        verifier: &dyn DomainVerifier,
    ) -> Result<Domain, AdministrationError> {
        let claim = self.domain(organization, domain).await?;
        let Some(token) = &claim.token else {
            return Ok(claim);
        };
        let (name, now) = (&*claim.name, self.now());
        let since = now.minus(CHECK_INTERVAL);
        let store = &self.store;
        if !store
            .begin_verification(organization, name, now, since)
            .await?
        {
            return Err(AdministrationError::DomainCheckedJustNow {
                retry_after: CHECK_INTERVAL,
            });
        }
        if !verifier.publishes(name, &verification_text(token)).await? {
            return Err(AdministrationError::NotAllowed(
                Restriction::DomainNotProved,
            ));
        }
        let event = self
            .event(AuditEventKind::DomainVerified)
            .organization(organization)
            .detail("domain", name);
        let outcome = store.verify_domain(organization, name, &event).await?;
        domain_result(outcome, name)?;
        self.domain(organization, name).await
    }

    /// Makes a verified domain the primary one. Claims name it from the next token on.
    ///
    /// # Errors
    /// [`Restriction::DomainNotVerified`] and [`AdministrationError::NotFound`].
    pub async fn set_primary_domain(
        &self,
        organization: &OrganizationId,
        domain: &str,
    ) -> Result<Domain, AdministrationError> {
        let name = self.domain(organization, domain).await?.name;
        for _attempt in 0..ATTEMPTS {
            let current = self.organization(organization.as_str()).await?;
            let changed = Organization {
                domain: name.clone(),
                ..current.clone()
            };
            let event = self
                .event(AuditEventKind::PrimaryDomainChanged)
                .organization(organization)
                .difference(&current.audited_values(), &changed.audited_values());
            let before = current.domain;
            let change = FieldChange {
                field: "domain".to_owned(),
                before: before.clone(),
                after: name.clone(),
            };
            let revision = self.revision(TenantAction::Updated, &[change]);
            let stamp = self.new_stamp();
            let outcome = self
                .store
                .set_primary_domain(organization, &before, &name, &stamp, &revision, &event)
                .await?;
            if outcome != DomainChange::Stale {
                domain_result(outcome, &name)?;
                return self.domain(organization, &name).await;
            }
        }
        Err(StorageError::Busy.into())
    }

    /// Removes a claim, or a domain that is not primary.
    ///
    /// # Errors
    /// [`Restriction::DomainIsPrimary`] and [`AdministrationError::NotFound`].
    pub async fn remove_domain(
        &self,
        organization: &OrganizationId,
        domain: &str,
    ) -> Result<(), AdministrationError> {
        for _attempt in 0..ATTEMPTS {
            let found = self.domain(organization, domain).await?;
            let (name, verified) = (&*found.name, found.is_verified());
            let before = AuditedValues::default().flag("domain_verified", verified);
            let event = self
                .event(AuditEventKind::DomainRemoved)
                .organization(organization)
                .detail("domain", name)
                .difference(&before, &AuditedValues::default());
            let store = &self.store;
            let outcome = store
                .remove_domain(organization, name, verified, &event)
                .await?;
            if outcome != DomainChange::Stale {
                return domain_result(outcome, name);
            }
        }
        Err(StorageError::Busy.into())
    }
}

fn domain_result(outcome: DomainChange, name: &str) -> Result<(), AdministrationError> {
    match outcome {
        DomainChange::Done => Ok(()),
        DomainChange::NotFound => Err(not_found(name)),
        DomainChange::Taken => Err(taken(name)),
        DomainChange::Primary => Err(AdministrationError::NotAllowed(
            Restriction::DomainIsPrimary,
        )),
        DomainChange::Stale => Err(StorageError::Busy.into()),
        DomainChange::NotVerified => Err(AdministrationError::NotAllowed(
            Restriction::DomainNotVerified,
        )),
    }
}

/// A domain that was given to an organization.
fn assigned(name: &str) -> Domain {
    Domain {
        name: name.to_owned(),
        token: None,
        is_primary: false,
    }
}

fn taken(domain: &str) -> AdministrationError {
    AdministrationError::Exists {
        kind: RecordKind::Domain,
        name: domain.to_owned(),
    }
}

fn not_found(domain: &str) -> AdministrationError {
    AdministrationError::NotFound {
        kind: RecordKind::Domain,
        name: domain.to_owned(),
    }
}
