//! Generates access and refresh tokens.

use std::sync::Arc;

use crate::json_object::JsonObjectWriter;
use crate::lifetimes::{ACCESS_TOKEN_LIFETIME, REFRESH_TOKEN_IDLE_LIFETIME};
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_storage::secret::{Bucket, Secret};
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::{
    AccessToken, Family, IssuedTokens, RefreshToken, TokenAuthorization,
};

/// Generated tokens. They must be stored before they are returned to the client.
pub(super) struct MintedTokens {
    pub(super) access: Secret,
    refresh: Option<Secret>,
    authorization: Arc<TokenAuthorization>,
}

impl MintedTokens {
    /// The tokens of a token family and their records. `scope` is that of the access token. A refresh can narrow it, and there is
    /// a refresh token all the same if what is `authorized` includes it.
    pub(super) fn for_family(
        provider: &Provider,
        family: &Family,
        authorized: &Scope,
        scope: &Scope,
    ) -> (Self, IssuedTokens) {
        let (now, bucket) = (provider.now(), Bucket::of(family.id));
        let access = Secret::time_ordered_in(now, bucket, &*provider.rng);
        let refresh = authorized
            .contains("offline_access")
            .then(|| Secret::time_ordered_in(now, bucket, &*provider.rng));
        let authorization = scope.authorization(&family.client_id, true, &provider.names);
        let records = IssuedTokens {
            access: AccessToken {
                hash: access.hash(),
                family: Some(family.id),
                authorization: authorization.clone(),
                subject: family.subject.clone(),
                epoch: family.epoch,
                actor: None,
                issued_at: now,
                expires_at: now.plus(ACCESS_TOKEN_LIFETIME),
            },
            refresh: refresh.as_ref().map(|token| RefreshToken {
                hash: token.hash(),
                expires_at: family.expires_at.min(now.plus(REFRESH_TOKEN_IDLE_LIFETIME)),
            }),
        };
        let tokens = Self {
            access,
            refresh,
            authorization,
        };
        (tokens, records)
    }

    /// The access token of a machine user and its record.
    pub(super) fn for_machine(
        provider: &Provider,
        machine: &Subject,
        authorization: Arc<TokenAuthorization>,
    ) -> (Self, AccessToken) {
        let now = provider.now();
        let access = Secret::time_ordered(now, &*provider.rng);
        let record = AccessToken {
            hash: access.hash(),
            family: None,
            authorization: authorization.clone(),
            subject: machine.id.clone(),
            epoch: machine.epoch,
            actor: None,
            issued_at: now,
            expires_at: now.plus(ACCESS_TOKEN_LIFETIME),
        };
        let tokens = Self {
            access,
            refresh: None,
            authorization,
        };
        (tokens, record)
    }

    /// The token response (contract, part 2).
    pub(super) fn response(self, id_token: Option<&str>) -> JsonObjectWriter {
        // The granted scope, which can be narrower than the requested one (RFC 6749, 5.1). An empty scope is omitted.
        let scope = Some(&self.authorization.scope).filter(|scope| !scope.is_empty());
        JsonObjectWriter::new()
            .with("access_token", self.access.expose())
            .with("token_type", "Bearer")
            .with("expires_in", ACCESS_TOKEN_LIFETIME.as_secs())
            .with_some("refresh_token", self.refresh.as_ref().map(Secret::expose))
            .with_some("id_token", id_token)
            .with_some("scope", scope)
    }
}
