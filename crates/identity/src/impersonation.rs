//! Impersonation: an administrator becomes a person of the organization for a while (decision 0011).

use super::Provider;
use super::scope::Scope;
use super::token::{IdTokenClaims, sign};
use invoicing_contract::{OrganizationId, SubjectId};
use invoicing_storage::applications::Application;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::Member;
use invoicing_storage::tokens::AccessToken;
use invoicing_storage::{Basis, StorageError};

/// Long enough to look into something. Nothing renews it.
const IMPERSONATION_SECONDS: i64 = 60 * 60;

/// Who wants to act as whom.
pub(crate) struct Impersonation<'a> {
    /// The administrator.
    pub(crate) actor: &'a SubjectId,
    /// The application that the administrator uses.
    pub(crate) application: &'a Application,
    /// The person. The caller has made sure that it may be this one.
    pub(crate) target: &'a Member,
    /// The organization in which the administrator is one. The tokens are for this one only.
    pub(crate) organization: &'a OrganizationId,
    /// The version of the directory that application and target were read with.
    pub(crate) basis: Basis,
}

/// Tokens for the target that name the actor.
pub(crate) struct ImpersonationTokens {
    pub(crate) access_token: Secret,
    pub(crate) id_token: String,
    pub(crate) expires_in: i64,
    pub(crate) scope: String,
}

/// Why there are none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImpersonationError {
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// No id_token could be signed.
    #[error("the id_token could not be signed")]
    NotSigned,
}

impl Provider {
    /// Gives out the tokens, and records it with them.
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
        } = *impersonation;
        let names = &self.names;
        let scope = Scope::stored("openid profile email")
            .with(&names.audience_scope(self.audience_id()))
            .with(names.home_organization_scope())
            .with(&names.organization_scope(organization.as_str()));
        let now = self.now_ms();
        let access_token = Secret::time_ordered(now, &*self.world.randomness);
        let told = IdTokenClaims {
            scope: &scope,
            session_id: None,
            authenticated_at: now,
            nonce: None,
            actor: Some(actor.as_str()),
            lives: IMPERSONATION_SECONDS,
        };
        let id_token = sign(self, application, target, &told, &access_token)
            .map_err(|_| ImpersonationError::NotSigned)?;
        let kept = AccessToken {
            hash: access_token.hash(),
            family: None,
            authorization: scope.authorization(&application.client_id, true, names),
            subject: target.subject.id.clone(),
            actor: Some(actor.clone()),
            issued_at: now,
            expires_at: now + IMPERSONATION_SECONDS * 1000,
        };
        let entry = Entry::new(now, audit::Kind::Impersonated)
            .about(&target.subject.id)
            .by(actor)
            .of(organization)
            .through(&application.client_id);
        self.store.insert_access_token(kept, entry, basis).await?;
        Ok(ImpersonationTokens {
            access_token,
            id_token,
            expires_in: IMPERSONATION_SECONDS,
            scope: scope.joined(),
        })
    }

    /// Records that an administrator was refused.
    pub(crate) async fn impersonation_refused(
        &self,
        actor: &SubjectId,
        organization: &OrganizationId,
        reason: &str,
    ) -> Result<(), StorageError> {
        let entry = Entry::new(self.now_ms(), audit::Kind::ImpersonationRefused)
            .about(actor)
            .of(organization)
            .with("reason", reason);
        self.store.record(&entry).await
    }
}
