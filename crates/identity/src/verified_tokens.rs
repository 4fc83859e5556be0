//! Verified access tokens in memory, for as long as nothing is committed.

use invoicing_contract::Timestamp;
use invoicing_storage::access::VerifiedToken;
use invoicing_storage::documents::DataVersion;
use invoicing_storage::secret::TokenHash;
use quick_cache::sync::Cache;

/// Capacity in tokens. One of an accountant with forty organizations takes about 4 KiB.
const CAPACITY: usize = 1_024;

/// Tokens by their hashes. What makes a token valid, and what its bearer may do, is stored; only the time at which it expires is not:
/// so a token is verified again after any commit, of whichever process (decision 0170).
pub(crate) struct VerifiedTokens(Cache<Box<[u8]>, Verified>);

#[derive(Clone)]
struct Verified {
    /// Of before the token was read.
    version: DataVersion,
    expires_at: Timestamp,
    token: VerifiedToken,
}

impl VerifiedTokens {
    /// Without a token.
    pub(crate) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    /// The token with this hash, if it was verified since the last commit and has not expired.
    pub(crate) fn get(
        &self,
        hash: &TokenHash,
        version: DataVersion,
        now: Timestamp,
    ) -> Option<VerifiedToken> {
        let verified = self.0.get(hash.as_bytes())?;
        (verified.version == version && now < verified.expires_at).then_some(verified.token)
    }

    /// Keeps a token that was read after `version`.
    pub(crate) fn insert(
        &self,
        hash: &TokenHash,
        version: DataVersion,
        expires_at: Timestamp,
        token: VerifiedToken,
    ) {
        let verified = Verified {
            version,
            expires_at,
            token,
        };
        self.0.insert(hash.as_bytes().into(), verified);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use invoicing_contract::ClientId;
    use invoicing_storage::Basis;
    use invoicing_storage::access::Principal;

    use super::*;

    fn token() -> VerifiedToken {
        VerifiedToken {
            principal: Arc::new(Principal {
                subject: "1".into(),
                epoch: 1,
                is_machine: false,
                name: "Noor".to_owned(),
                client: ClientId::from("desk"),
                audiences: Vec::new(),
                home_organization: None,
                roles: std::collections::BTreeMap::new(),
                actor: None,
            }),
            basis: Basis::read(1),
        }
    }

    #[test]
    fn token_is_verified_again_after_a_commit_and_from_its_expiry_on() {
        let tokens = VerifiedTokens::new();
        let at = Timestamp::from_millis;
        let hash = TokenHash::of("secret");
        tokens.insert(&hash, DataVersion(7), at(1_000), token());
        let is_kept =
            |hash, version, now| tokens.get(hash, DataVersion(version), at(now)).is_some();
        assert!(is_kept(&hash, 7, 999));
        assert!(!is_kept(&hash, 7, 1_000));
        assert!(!is_kept(&hash, 8, 999));
        assert!(!is_kept(&TokenHash::of("another"), 7, 999));
    }
}
