//! Makes access and refresh tokens.

use std::sync::Arc;

use crate::Provider;
use crate::json_object::JsonObjectWriter;
use crate::scope::Scope;
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::{
    AccessToken, Family, IssuedTokens, RefreshToken, TokenAuthorization,
};

/// Lifetime of an access token (contract, part 8).
pub(super) const ACCESS_SECONDS: i64 = 43_200;
/// A refresh token that nobody uses for this long stops working (decision 0004).
const REFRESH_IDLE_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// However often it is used, signing in again is due after this (decision 0004).
pub(crate) const REFRESH_ABSOLUTE_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// Tokens that were made. They may be given out as soon as what the store keeps of them is kept.
pub(super) struct MintedTokens {
    pub(super) access: Secret,
    refresh: Option<Secret>,
    authorization: Arc<TokenAuthorization>,
}

impl MintedTokens {
    /// The tokens of a person's authorization, and what the store keeps of them.
    pub(super) fn of_family(
        provider: &Provider,
        family: &Family,
        scope: &Scope,
    ) -> (Self, IssuedTokens) {
        let now = provider.now_ms();
        let access = Secret::time_ordered(now, &*provider.world.randomness);
        let refresh = Scope::stored(&family.scope)
            .contains("offline_access")
            .then(|| Secret::time_ordered(now, &*provider.world.randomness));
        let authorization = scope.authorization(&family.client_id, true, &provider.names);
        let kept = IssuedTokens {
            access: AccessToken {
                hash: access.hash(),
                family: Some(family.id),
                authorization: authorization.clone(),
                subject: family.subject.clone(),
                actor: None,
                issued_at: now,
                expires_at: now + ACCESS_SECONDS * 1000,
            },
            refresh: refresh.as_ref().map(|token| RefreshToken {
                hash: token.hash(),
                expires_at: family.expires_at.min(now + REFRESH_IDLE_MS),
            }),
        };
        let made = Self {
            access,
            refresh,
            authorization,
        };
        (made, kept)
    }

    /// The token of a machine, and what the store keeps of it.
    pub(super) fn of_machine(
        provider: &Provider,
        machine: &Subject,
        authorization: Arc<TokenAuthorization>,
    ) -> (Self, AccessToken) {
        let now = provider.now_ms();
        let access = Secret::time_ordered(now, &*provider.world.randomness);
        let kept = AccessToken {
            hash: access.hash(),
            family: None,
            authorization: authorization.clone(),
            subject: machine.id.clone(),
            actor: None,
            issued_at: now,
            expires_at: now + ACCESS_SECONDS * 1000,
        };
        let made = Self {
            access,
            refresh: None,
            authorization,
        };
        (made, kept)
    }

    /// The answer that gives them out (contract, part 2).
    pub(super) fn response(self, id_token: Option<&str>) -> JsonObjectWriter {
        // What was granted, which can be less than what was asked for (RFC 6749, 5.1). No scope at all has no form on the wire.
        let scope = Some(&self.authorization.scope).filter(|scope| !scope.is_empty());
        JsonObjectWriter::new()
            .with("access_token", self.access.expose())
            .with("token_type", "Bearer")
            .with("expires_in", ACCESS_SECONDS)
            .with_some("refresh_token", self.refresh.as_ref().map(Secret::expose))
            .with_some("id_token", id_token)
            .with_some("scope", scope)
    }
}
