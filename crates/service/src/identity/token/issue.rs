//! Makes access and refresh tokens.

use super::TokenResponse;
use crate::identity::Provider;
use crate::identity::scope::Scope;
use crate::identity::secret::Secret;
use crate::storage::tokens::{AccessToken, Family, IssuedTokens, RefreshToken};

/// Lifetime of an access token (contract, part 8).
pub(super) const ACCESS_SECONDS: i64 = 43_200;
/// A refresh token that nobody uses for this long stops working (decisions, "Identity").
const REFRESH_IDLE_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// However often it is used, signing in again is due after this (decisions, "Identity").
pub(in crate::identity) const REFRESH_ABSOLUTE_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// Tokens that were made and are not yet kept.
pub(super) struct Made {
    pub(super) access: Secret,
    pub(super) refresh: Option<Secret>,
    /// What the store keeps of them.
    pub(super) kept: IssuedTokens,
}

impl Made {
    /// The tokens of a person's authorization.
    pub(super) fn of_family(provider: &Provider, family: &Family, scope: &Scope) -> Self {
        let now = provider.now_ms();
        let access = Secret::dated(now, &*provider.world.randomness);
        let refresh = Scope::stored(&family.scope)
            .contains("offline_access")
            .then(|| Secret::dated(now, &*provider.world.randomness));
        let kept = IssuedTokens {
            access: AccessToken {
                hash: access.hash(),
                family: Some(family.id),
                client_id: family.client_id.clone(),
                subject: family.subject.clone(),
                scope: scope.joined(),
                audiences: scope.audiences(&provider.names),
                carries_home: true,
                actor: None,
                issued_at: now,
                expires_at: now + ACCESS_SECONDS * 1000,
            },
            refresh: refresh.as_ref().map(|token| RefreshToken {
                hash: token.hash(),
                expires_at: family.expires_at.min(now + REFRESH_IDLE_MS),
            }),
        };
        Self {
            access,
            refresh,
            kept,
        }
    }

    /// The answer that gives them out.
    pub(super) fn response(self, id_token: Option<String>) -> TokenResponse {
        TokenResponse {
            access_token: self.access.expose().to_owned(),
            token_type: "Bearer",
            expires_in: ACCESS_SECONDS,
            refresh_token: self.refresh.map(|token| token.expose().to_owned()),
            id_token,
            scope: self.kept.access.scope,
        }
    }
}
