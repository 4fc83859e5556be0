//! Impersonation: an administrator receives tokens for a person of the organization, an operator for a person of another one
//! (decision 0011).

use std::time::Duration;

use invoicing_contract::{Operation, OrganizationId, SubjectId, operation};

use crate::id_token::{IdTokenClaims, sign_id_token};
use crate::keys::SigningError;
use crate::lifetimes::IMPERSONATION_LIFETIME;
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_storage::access::Authorizer;
use invoicing_storage::applications::Application;
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::Member;
use invoicing_storage::tokens::{AccessToken, TokenActor};
use invoicing_storage::{Basis, StorageError, Store};

/// An impersonation that was authorized.
pub(crate) struct Impersonation<'a> {
    /// The administrator, with the epoch of the token that the administrator has presented.
    pub(crate) actor: &'a TokenActor,
    /// The application that the administrator uses.
    pub(crate) application: &'a Application,
    /// The impersonated person.
    pub(crate) target: &'a Member,
    /// The home organization of the target, to which the tokens are restricted.
    pub(crate) organization: &'a OrganizationId,
    /// The version of the directory with which application and target were read.
    pub(crate) basis: Basis,
    /// Of the request.
    pub(crate) correlation_id: &'a str,
}

/// Tokens for the target, with the actor in the `act` claim.
pub(crate) struct ImpersonationTokens {
    pub(crate) access_token: Secret,
    pub(crate) id_token: String,
    pub(crate) expires_in: Duration,
    pub(crate) scope: String,
}

/// Whether `actor` may impersonate people of `organization`: as its administrator, or as an operator. The gateway checks the
/// same scopes before the operations; the tokens are checked again at every use.
pub(crate) async fn may_impersonate(
    store: &dyn Store,
    authorizer: &dyn Authorizer,
    actor: &Member,
    organization: &str,
) -> Result<bool, StorageError> {
    let holds = |organization: &str, operation: &Operation| {
        let grants = actor.grants.iter();
        let roles: Vec<_> = grants
            .filter(|grant| grant.organization == organization)
            .map(|grant| &*grant.role)
            .collect();
        authorizer.allows(&roles, operation.scope)
    };
    if holds(organization, &operation::IMPERSONATE) {
        return Ok(true);
    }
    let operator = store.operator().await?;
    Ok(operator.is_some_and(|operator| {
        operator != *organization
            && holds(operator.as_str(), &operation::IMPERSONATE_ACROSS_TENANTS)
    }))
}

/// Why no tokens were issued.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImpersonationError {
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The id_token could not be signed.
    #[error("the id_token could not be signed")]
    Signing(#[from] SigningError),
}

impl Provider {
    /// Issues the tokens and records the impersonation in the audit.
    pub(crate) async fn impersonate(
        &self,
        impersonation: &Impersonation<'_>,
    ) -> Result<ImpersonationTokens, ImpersonationError> {
        let Impersonation {
            actor,
            application,
            target,
            organization,
            basis,
            correlation_id,
        } = *impersonation;
        let names = &self.names;
        let scope = Scope::from_stored("openid profile email")
            .with(&names.audience_scope(self.audience_id()))
            .with(names.home_organization_scope())
            .with(&names.organization_scope(organization.as_str()));
        let now = self.now();
        let access_token = Secret::time_ordered(now, &*self.rng);
        let claims = IdTokenClaims {
            scope: &scope,
            session_id: None,
            authenticated_at: now,
            nonce: None,
            actor: Some(actor.subject.as_str()),
            lifetime: IMPERSONATION_LIFETIME,
        };
        let id_token = sign_id_token(self, application, target, &claims, &access_token)?;
        let record = AccessToken {
            hash: access_token.hash(),
            family: None,
            authorization: scope.authorization(&application.client_id, true, names),
            subject: target.subject.id.clone(),
            epoch: target.subject.epoch,
            actor: Some(actor.clone()),
            issued_at: now,
            expires_at: now.plus(IMPERSONATION_LIFETIME),
        };
        let event = AuditEvent::new(now, audit::AuditEventKind::Impersonated)
            .subject(&target.subject.id)
            .actor(&actor.subject)
            .organization(organization)
            .client(&application.client_id)
            .correlation_id(correlation_id);
        self.store.insert_access_token(record, event, basis).await?;
        Ok(ImpersonationTokens {
            access_token,
            id_token,
            expires_in: IMPERSONATION_LIFETIME,
            scope: scope.to_wire(),
        })
    }

    /// Records a denied impersonation in the audit.
    pub(crate) async fn record_impersonation_denied(
        &self,
        actor: &SubjectId,
        organization: &OrganizationId,
        reason: &str,
        correlation_id: &str,
    ) -> Result<(), StorageError> {
        let event = AuditEvent::new(self.now(), audit::AuditEventKind::ImpersonationRefused)
            .subject(actor)
            .organization(organization)
            .correlation_id(correlation_id)
            .detail("reason", reason);
        self.store.record(&event).await
    }
}
