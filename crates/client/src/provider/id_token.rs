//! Verification of the id_token (OpenID Connect Core, section 3.1.3.7). Its claims are used only if every check passes.

use jiff::Timestamp;
use oauth2::{AccessToken, ClientId};
use openidconnect::core::{
    CoreGenderClaim, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm,
};
use openidconnect::{
    AccessTokenHash, AdditionalClaims, ClaimsVerificationError, IdTokenVerifier, IssuerUrl,
    JsonWebKeySet, Nonce, NonceVerifier as _, SignatureVerificationError,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Check, Identity, MAX_CLOCK_SKEW, ProviderError};
use crate::environments::Environment;

/// An id_token that is not verified yet.
pub(super) type IdToken = openidconnect::IdToken<
    AdditionalIdTokenClaims,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// The claims that OpenID Connect does not define. Their names depend on the environment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct AdditionalIdTokenClaims {
    #[serde(flatten)]
    pub(super) all: Map<String, Value>,
}

impl AdditionalClaims for AdditionalIdTokenClaims {}

/// In seconds. An id_token that was issued earlier does not belong to this sign-in.
const MAX_AGE: i64 = 3600;

/// The values that an id_token is verified against.
pub(super) struct ExpectedIdToken<'a> {
    pub(super) environment: &'a Environment,
    pub(super) now: Timestamp,
    /// That of the authorization request. `None`: there was no such request, and the token has none.
    pub(super) nonce: Option<&'a Nonce>,
    /// The access token of the same token response.
    pub(super) access: &'a AccessToken,
}

impl ExpectedIdToken<'_> {
    /// Checks signature, algorithm, issuer, audiences, times, nonce, `azp` and `at_hash`, and returns the identity.
    pub(super) fn verify(
        &self,
        token: &IdToken,
        keys: JsonWebKeySet<CoreJsonWebKey>,
    ) -> Result<Identity, ProviderError> {
        let verifier = self.verifier(keys)?;
        let claims = token
            .claims(&verifier, |found: Option<&Nonce>| self.check_nonce(found))
            .map_err(|error| ProviderError::because(failed_check(&error))(error))?;
        let client_id = self.environment.client_id().as_str();
        if claims
            .authorized_party()
            .is_some_and(|party| party.as_str() != client_id)
        {
            return Err(ProviderError::failed(Check::Azp));
        }
        if let Some(expected) = claims.access_token_hash() {
            let algorithm = token
                .signing_alg()
                .map_err(ProviderError::because(Check::AtHash))?;
            let key = token
                .signing_key(&verifier)
                .map_err(ProviderError::because(Check::AtHash))?;
            let hash = AccessTokenHash::from_token(self.access, algorithm, key)
                .map_err(ProviderError::because(Check::AtHash))?;
            if hash != *expected {
                return Err(ProviderError::failed(Check::AtHash));
            }
        }
        Identity::from_claims(claims, self.environment.names())
    }

    fn check_nonce(&self, found: Option<&Nonce>) -> Result<(), String> {
        match (self.nonce, found) {
            (Some(expected), found) => expected.verify(found),
            (None, None) => Ok(()),
            (None, Some(_)) => Err("a nonce that nobody has sent".to_owned()),
        }
    }

    /// Whether the token names a key that is not in the set.
    pub(super) fn lacks_key(&self, token: &IdToken, keys: &JsonWebKeySet<CoreJsonWebKey>) -> bool {
        self.verifier(keys.clone()).is_ok_and(|verifier| {
            matches!(
                token.signing_key(&verifier),
                Err(SignatureVerificationError::NoMatchingKey)
            )
        })
    }

    fn verifier(
        &self,
        keys: JsonWebKeySet<CoreJsonWebKey>,
    ) -> Result<IdTokenVerifier<'_, CoreJsonWebKey>, ProviderError> {
        let issuer = IssuerUrl::new(self.environment.issuer().to_owned())
            .map_err(ProviderError::because(Check::Issuer))?;
        let client_id = ClientId::new(self.environment.client_id().to_string());
        let now = self.now.as_second();
        Ok(IdTokenVerifier::new_public_client(client_id, issuer, keys)
            // The default accepts every algorithm that the discovery document lists.
            .set_allowed_algs([CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256])
            .set_other_audience_verifier_fn(|audience| {
                self.environment.accepts_audience(audience.as_str())
            })
            .set_time_fn(move || {
                chrono::DateTime::from_timestamp(now - MAX_CLOCK_SKEW, 0).unwrap_or_default()
            })
            .set_issue_time_verifier_fn(move |issued| {
                let age = now - issued.timestamp();
                if (-MAX_CLOCK_SKEW..=MAX_AGE).contains(&age) {
                    Ok(())
                } else {
                    Err(ISSUE_TIME.to_owned())
                }
            }))
    }
}

/// The message of our check of the issue time, by which [`failed_check`] recognizes it.
const ISSUE_TIME: &str = "iat";

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the enums are non-exhaustive, and every other kind is a malformed token"
)]
fn failed_check(error: &ClaimsVerificationError) -> Check {
    match error {
        ClaimsVerificationError::Expired(message) if message == ISSUE_TIME => Check::Iat,
        ClaimsVerificationError::Expired(_) => Check::Exp,
        ClaimsVerificationError::InvalidAudience(_) => Check::Aud,
        ClaimsVerificationError::InvalidIssuer(_) => Check::Iss,
        ClaimsVerificationError::InvalidNonce(_) => Check::Nonce,
        ClaimsVerificationError::SignatureVerification(error) => match error {
            SignatureVerificationError::DisallowedAlg(_) => Check::Alg,
            SignatureVerificationError::NoMatchingKey => Check::Kid,
            _ => Check::Signature,
        },
        _ => Check::IdToken,
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;
    use std::sync::LazyLock;

    use aws_lc_rs::rand::SystemRandom;
    use aws_lc_rs::rsa::{KeyPair, KeySize};
    use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use invoicing_contract::Names;
    use serde_json::json;

    use super::*;
    use crate::environments::EnvironmentConfig;
    use crate::provider::check_clock_skew;
    use crate::views::EnvironmentKind;

    const NOW: i64 = 1_800_000_000;
    /// An access token and the left half of its SHA-256 (OpenID Connect Core, 3.1.3.6).
    const ACCESS: &str = "access";

    static KEY: LazyLock<KeyPair> =
        LazyLock::new(|| KeyPair::generate(KeySize::Rsa2048).expect("a key"));

    fn environment() -> Environment {
        Environment::new(EnvironmentConfig {
            name: "production".to_owned(),
            kind: EnvironmentKind::Production,
            auth_url: "https://id.example.com".to_owned(),
            base_url: "https://api.example.com".to_owned(),
            project_audience_id: "2930".to_owned(),
            client_id: "desk".into(),
            namespace: "idp".to_owned(),
            proxy: String::new(),
            ca_file: String::new(),
        })
        .expect("a valid value")
    }

    fn keys() -> JsonWebKeySet<CoreJsonWebKey> {
        let public = KEY.public_key();
        let number = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let set = json!({"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "k1",
            "n": number(public.modulus().big_endian_without_leading_zero()),
            "e": number(public.exponent().big_endian_without_leading_zero())}]});
        serde_json::from_value(set).expect("a key set")
    }

    fn claims() -> Value {
        use sha2::Digest as _;
        let names = Names::default();
        let hash = sha2::Sha256::digest(ACCESS.as_bytes());
        json!({
            "iss": "https://id.example.com", "aud": ["desk", "2930"], "azp": "desk", "sub": "u1", "nonce": "n",
            "iat": NOW, "exp": NOW + 600, "at_hash": URL_SAFE_NO_PAD.encode(&hash[..16]),
            "name": "Noura", "preferred_username": "noura@example.com",
            names.home_organization_id(): "7", names.home_organization_name(): "Al-Khair",
            names.roles(): {"clerk": {"7": "khair.example"}},
        })
    }

    fn signed(header: &Value, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", part(header), part(claims));
        let mut signature = vec![0; KEY.public_modulus_len()];
        KEY.sign(
            &RSA_PKCS1_SHA256,
            &SystemRandom::new(),
            message.as_bytes(),
            &mut signature,
        )
        .expect("signed");
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn rs256() -> Value {
        json!({"alg": "RS256", "kid": "k1"})
    }

    fn verify(token: &str) -> Result<Identity, ProviderError> {
        let token = IdToken::from_str(token).map_err(ProviderError::because(Check::IdToken))?;
        let expected = ExpectedIdToken {
            environment: &environment(),
            now: Timestamp::from_second(NOW).unwrap_or_default(),
            nonce: Some(&Nonce::new("n".to_owned())),
            access: &AccessToken::new(ACCESS.to_owned()),
        };
        expected.verify(&token, keys())
    }

    fn check(change: impl FnOnce(&mut Value)) -> Option<Check> {
        let mut claims = claims();
        change(&mut claims);
        match verify(&signed(&rs256(), &claims)) {
            Ok(_) => None,
            Err(ProviderError::VerificationFailed { check, .. }) => Some(check),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn valid_token_returns_its_identity() {
        let identity = verify(&signed(&rs256(), &claims())).expect("a valid value");
        assert_eq!(
            (identity.subject.as_str(), identity.name.as_str()),
            ("u1", "Noura")
        );
        assert_eq!(
            (identity.home.id.as_str(), identity.home.name.as_str()),
            ("7", "Al-Khair")
        );
        assert!(identity.grants("7") && !identity.grants("8"));
    }

    #[test]
    fn wrong_claim_fails_the_check_of_its_name() {
        assert_eq!(
            check(|claims| claims["iss"] = json!("https://id.example.com/")),
            Some(Check::Iss)
        );
        assert_eq!(
            check(|claims| claims["aud"] = json!(["2930"])),
            Some(Check::Aud),
            "not for this application"
        );
        assert_eq!(
            check(|claims| claims["aud"] = json!(["desk", "evil"])),
            Some(Check::Aud),
            "a foreign audience"
        );
        assert_eq!(
            check(|claims| claims["azp"] = json!("2930")),
            Some(Check::Azp)
        );
        assert_eq!(
            check(|claims| claims["nonce"] = json!("other")),
            Some(Check::Nonce)
        );
        assert_eq!(
            check(|claims| drop(claims.as_object_mut().map(|all| all.remove("nonce")))),
            Some(Check::Nonce)
        );
        assert_eq!(
            check(|claims| claims["at_hash"] = json!("AAAAAAAAAAAAAAAAAAAAAA")),
            Some(Check::AtHash)
        );
        assert_eq!(
            check(|claims| claims["exp"] = json!(NOW - MAX_CLOCK_SKEW)),
            Some(Check::Exp)
        );
        assert_eq!(
            check(|claims| claims["iat"] = json!(NOW + MAX_CLOCK_SKEW + 1)),
            Some(Check::Iat)
        );
        assert_eq!(
            check(|claims| claims["iat"] = json!(NOW - MAX_AGE - 1)),
            Some(Check::Iat)
        );
        assert_eq!(
            check(|claims| claims[Names::default().roles()] = json!(["clerk"])),
            Some(Check::Roles)
        );
    }

    #[test]
    fn clock_difference_within_the_leeway_is_accepted() {
        assert_eq!(
            check(|claims| claims["exp"] = json!(NOW - MAX_CLOCK_SKEW + 1)),
            None
        );
        assert_eq!(
            check(|claims| claims["iat"] = json!(NOW + MAX_CLOCK_SKEW)),
            None
        );
    }

    #[test]
    fn slow_clock_passes_the_check_of_the_issue_time_unless_it_is_reported_as_wrong() {
        for behind in [61, MAX_CLOCK_SKEW, MAX_CLOCK_SKEW + 1, 359, 360] {
            let failed = check(|claims| claims["iat"] = json!(NOW + behind));
            let is_reported = check_clock_skew(-behind).is_err();
            let expected = is_reported.then_some(Check::Iat);
            assert_eq!(failed, expected, "{behind} seconds");
        }
    }

    #[test]
    fn token_without_optional_claims_is_accepted() {
        for claim in ["azp", "at_hash", "name", "preferred_username"] {
            assert_eq!(
                check(|claims| drop(claims.as_object_mut().map(|all| all.remove(claim)))),
                None,
                "{claim}"
            );
        }
    }

    #[test]
    fn signature_other_than_rs256_by_a_published_key_is_rejected() {
        let refused = |token: &str| {
            let error = verify(token).expect_err("it was accepted");
            let ProviderError::VerificationFailed { check, .. } = error else {
                panic!("{error}")
            };
            check
        };
        assert_eq!(
            refused(&signed(&json!({"alg": "RS512", "kid": "k1"}), &claims())),
            Check::Alg
        );
        assert_eq!(
            refused(&signed(&json!({"alg": "HS256", "kid": "k1"}), &claims())),
            Check::Alg
        );
        assert_eq!(
            refused(&signed(&json!({"alg": "RS256", "kid": "k2"}), &claims())),
            Check::Kid
        );
        let none = signed(&json!({"alg": "none"}), &claims());
        assert!(
            verify(&none[..none.rfind('.').expect("two dots") + 1]).is_err(),
            "an unsigned token was accepted"
        );
        let right = signed(&rs256(), &claims());
        let [header, _, signature] = right.split('.').collect::<Vec<_>>()[..] else {
            panic!("not three parts")
        };
        let mut other = claims();
        other["sub"] = json!("u2");
        let forged = format!(
            "{header}.{}.{signature}",
            URL_SAFE_NO_PAD.encode(other.to_string())
        );
        assert_eq!(refused(&forged), Check::Signature);
    }
}
