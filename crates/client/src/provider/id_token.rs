//! The id_token: nothing in it is believed before every check has passed (OpenID Connect Core, 3.1.3.7).

use std::collections::BTreeMap;

use jiff::Timestamp;
use openidconnect::core::{
    CoreGenderClaim, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm,
};
use openidconnect::{
    AccessToken, AccessTokenHash, AdditionalClaims, ClaimsVerificationError, ClientId, IdToken,
    IdTokenClaims, IdTokenVerifier, IssuerUrl, JsonWebKeySet, Nonce, SignatureVerificationError,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ProviderError;
use crate::environments::Environment;
use crate::session::{Home, Identity};

pub(super) type Token =
    IdToken<Claims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;

/// The claims beside the standard's, whose names depend on the environment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Claims {
    #[serde(flatten)]
    all: Map<String, Value>,
}

impl AdditionalClaims for Claims {}

/// How far apart two right clocks may be, in seconds.
const LEEWAY: i64 = 60;
/// An id_token that was made earlier than so many seconds ago does not answer a sign-in of now.
const OLDEST: i64 = 3600;

/// What an id_token has to fit.
pub(super) struct Expected<'a> {
    pub(super) environment: &'a Environment,
    pub(super) now: Timestamp,
    pub(super) nonce: &'a Nonce,
    /// The access token that came with it.
    pub(super) access: &'a AccessToken,
}

impl Expected<'_> {
    /// Checks signature, algorithm, issuer, audiences, times, nonce, `azp` and `at_hash`, and gives who it is about.
    pub(super) fn verify(
        &self,
        token: &Token,
        keys: JsonWebKeySet<CoreJsonWebKey>,
    ) -> Result<Identity, ProviderError> {
        let verifier = self.verifier(keys)?;
        let claims = token.claims(&verifier, self.nonce).map_err(failed)?;
        let client_id = self.environment.client_id();
        if claims
            .authorized_party()
            .is_some_and(|party| party.as_str() != client_id)
        {
            return Err(ProviderError::NotTrusted { check: "azp" });
        }
        if let Some(expected) = claims.access_token_hash() {
            let signed = token
                .signing_alg()
                .ok()
                .zip(token.signing_key(&verifier).ok());
            let hash = signed.and_then(|(algorithm, key)| {
                AccessTokenHash::from_token(self.access, algorithm, key).ok()
            });
            if hash.as_ref() != Some(expected) {
                return Err(ProviderError::NotTrusted { check: "at_hash" });
            }
        }
        self.identity(claims)
    }

    /// Whether the token names a key that is not among these.
    pub(super) fn lacks_key(&self, token: &Token, keys: &JsonWebKeySet<CoreJsonWebKey>) -> bool {
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
        let issuer = IssuerUrl::new(self.environment.issuer().to_owned());
        let issuer = issuer.map_err(|_| ProviderError::NotTrusted { check: "issuer" })?;
        let client_id = ClientId::new(self.environment.client_id().to_owned());
        let now = self.now.as_second();
        Ok(IdTokenVerifier::new_public_client(client_id, issuer, keys)
            // Without this, whatever the discovery document advertises would do.
            .set_allowed_algs([CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256])
            .set_other_audience_verifier_fn(|audience| {
                self.environment.accepts_audience(audience.as_str())
            })
            .set_time_fn(move || {
                chrono::DateTime::from_timestamp(now - LEEWAY, 0).unwrap_or_default()
            })
            .set_issue_time_verifier_fn(move |issued| {
                let age = now - issued.timestamp();
                if (-LEEWAY..=OLDEST).contains(&age) {
                    Ok(())
                } else {
                    Err(IAT.to_owned())
                }
            }))
    }

    fn identity(
        &self,
        claims: &IdTokenClaims<Claims, CoreGenderClaim>,
    ) -> Result<Identity, ProviderError> {
        let names = self.environment.names();
        let all = &claims.additional_claims().all;
        let text = |claim: &str| {
            all.get(claim)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let roles = match all.get(names.roles()) {
            Some(roles) => BTreeMap::deserialize(roles)
                .map_err(|_| ProviderError::NotTrusted { check: "roles" })?,
            None => BTreeMap::new(),
        };
        let subject = claims.subject().as_str().to_owned();
        let username = claims
            .preferred_username()
            .map(|name| name.as_str().to_owned());
        let username = username.unwrap_or_else(|| subject.clone());
        let name = claims
            .name()
            .and_then(|name| name.get(None))
            .map(|name| name.as_str().to_owned());
        Ok(Identity {
            name: name.unwrap_or_else(|| username.clone()),
            username,
            subject,
            home: Home {
                id: text(names.home_organization_id()),
                name: text(names.home_organization_name()),
                domain: text(names.home_organization_domain()),
            },
            roles,
            issued_at: Timestamp::from_second(claims.issue_time().timestamp())
                .unwrap_or(Timestamp::UNIX_EPOCH),
        })
    }
}

/// How our own check of the issue time says that it failed.
const IAT: &str = "iat";

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the enum is non-exhaustive, and every kind is a refusal"
)]
fn failed(error: ClaimsVerificationError) -> ProviderError {
    let check = match error {
        ClaimsVerificationError::Expired(message) if message == IAT => IAT,
        ClaimsVerificationError::Expired(_) => "exp",
        ClaimsVerificationError::InvalidAudience(_) => "aud",
        ClaimsVerificationError::InvalidIssuer(_) => "iss",
        ClaimsVerificationError::InvalidNonce(_) => "nonce",
        ClaimsVerificationError::SignatureVerification(
            SignatureVerificationError::DisallowedAlg(_),
        ) => "alg",
        ClaimsVerificationError::SignatureVerification(
            SignatureVerificationError::NoMatchingKey,
        ) => "kid",
        ClaimsVerificationError::SignatureVerification(_) => "signature",
        _ => "id_token",
    };
    ProviderError::NotTrusted { check }
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
    use crate::environments::Particulars;
    use crate::views::EnvironmentKind;

    const NOW: i64 = 1_800_000_000;
    /// An access token and the left half of its SHA-256 (OpenID Connect Core, 3.1.3.6).
    const ACCESS: &str = "access";

    static KEY: LazyLock<KeyPair> =
        LazyLock::new(|| KeyPair::generate(KeySize::Rsa2048).expect("a key"));

    fn environment() -> Environment {
        Environment::new(Particulars {
            name: "production".to_owned(),
            kind: EnvironmentKind::Production,
            auth_url: "https://id.example.com".to_owned(),
            base_url: "https://api.example.com".to_owned(),
            project_audience_id: "2930".to_owned(),
            client_id: "desk".to_owned(),
            namespace: "idp".to_owned(),
        })
        .expect("it is right")
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
        let token =
            Token::from_str(token).map_err(|_| ProviderError::NotTrusted { check: "form" })?;
        let expected = Expected {
            environment: &environment(),
            now: Timestamp::from_second(NOW).unwrap_or_default(),
            nonce: &Nonce::new("n".to_owned()),
            access: &AccessToken::new(ACCESS.to_owned()),
        };
        expected.verify(&token, keys())
    }

    fn check(change: impl FnOnce(&mut Value)) -> Option<&'static str> {
        let mut claims = claims();
        change(&mut claims);
        match verify(&signed(&rs256(), &claims)) {
            Ok(_) => None,
            Err(ProviderError::NotTrusted { check }) => Some(check),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_token_that_passes_every_check_says_who_it_is_about() {
        let identity = verify(&signed(&rs256(), &claims())).expect("it is right");
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
    fn each_wrong_claim_fails_by_its_own_name() {
        assert_eq!(
            check(|claims| claims["iss"] = json!("https://id.example.com/")),
            Some("iss")
        );
        assert_eq!(
            check(|claims| claims["aud"] = json!(["2930"])),
            Some("aud"),
            "not for this application"
        );
        assert_eq!(
            check(|claims| claims["aud"] = json!(["desk", "evil"])),
            Some("aud"),
            "a foreign audience"
        );
        assert_eq!(check(|claims| claims["azp"] = json!("2930")), Some("azp"));
        assert_eq!(
            check(|claims| claims["nonce"] = json!("other")),
            Some("nonce")
        );
        assert_eq!(
            check(|claims| drop(claims.as_object_mut().map(|all| all.remove("nonce")))),
            Some("nonce")
        );
        assert_eq!(
            check(|claims| claims["at_hash"] = json!("AAAAAAAAAAAAAAAAAAAAAA")),
            Some("at_hash")
        );
        assert_eq!(
            check(|claims| claims["exp"] = json!(NOW - LEEWAY)),
            Some("exp")
        );
        assert_eq!(
            check(|claims| claims["iat"] = json!(NOW + LEEWAY + 1)),
            Some("iat")
        );
        assert_eq!(
            check(|claims| claims["iat"] = json!(NOW - OLDEST - 1)),
            Some("iat")
        );
        assert_eq!(
            check(|claims| claims[Names::default().roles()] = json!(["clerk"])),
            Some("roles")
        );
    }

    #[test]
    fn two_clocks_may_differ_by_a_minute() {
        assert_eq!(
            check(|claims| claims["exp"] = json!(NOW - LEEWAY + 1)),
            None
        );
        assert_eq!(check(|claims| claims["iat"] = json!(NOW + LEEWAY)), None);
    }

    #[test]
    fn optional_claims_may_be_absent() {
        for claim in ["azp", "at_hash", "name", "preferred_username"] {
            assert_eq!(
                check(|claims| drop(claims.as_object_mut().map(|all| all.remove(claim)))),
                None,
                "{claim}"
            );
        }
    }

    #[test]
    fn only_rs256_by_a_published_key_is_a_signature() {
        let refused = |token: &str| verify(token).expect_err("it was believed");
        let not = |check| ProviderError::NotTrusted { check };
        assert_eq!(
            refused(&signed(&json!({"alg": "RS512", "kid": "k1"}), &claims())),
            not("alg")
        );
        assert_eq!(
            refused(&signed(&json!({"alg": "HS256", "kid": "k1"}), &claims())),
            not("alg")
        );
        assert_eq!(
            refused(&signed(&json!({"alg": "RS256", "kid": "k2"}), &claims())),
            not("kid")
        );
        let none = signed(&json!({"alg": "none"}), &claims());
        assert!(
            verify(&none[..none.rfind('.').expect("two dots") + 1]).is_err(),
            "an unsigned token was believed"
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
        assert_eq!(refused(&forged), not("signature"));
    }
}
