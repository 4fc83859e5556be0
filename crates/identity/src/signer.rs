//! Signs tokens in the compact form of RFC 7515, 3.1, with a key that is taken apart once: the library that reads them takes it
//! apart for every signature, which was more than half of what RS256 cost.

use aws_lc_rs::error::KeyRejected;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use invoicing_storage::keys::SigningAlgorithm;

/// A private key, and the header of what it signs.
pub(super) struct Signer {
    pair: Pair,
    header: String,
}

enum Pair {
    Rs256(RsaKeyPair),
    EdDsa(Ed25519KeyPair),
}

/// No key can sign. It cannot happen after a start that went well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the id_token could not be signed")]
pub(crate) struct SigningError;

impl Signer {
    /// With the key in `pkcs8`, which others know by `kid`.
    ///
    /// # Errors
    /// When it is no key of that algorithm.
    pub(super) fn new(
        algorithm: SigningAlgorithm,
        kid: &str,
        pkcs8: &[u8],
    ) -> Result<Self, KeyRejected> {
        let (pair, alg) = match algorithm {
            SigningAlgorithm::Rs256 => (Pair::Rs256(RsaKeyPair::from_pkcs8(pkcs8)?), "RS256"),
            SigningAlgorithm::EdDsa => (Pair::EdDsa(Ed25519KeyPair::from_pkcs8(pkcs8)?), "EdDSA"),
        };
        let header = json!({"typ": "JWT", "alg": alg, "kid": kid}).to_string();
        Ok(Self {
            pair,
            header: URL_SAFE_NO_PAD.encode(header),
        })
    }

    /// The signed token with `claims`, a JSON object.
    ///
    /// # Errors
    /// See [`SigningError`].
    pub(super) fn sign(&self, claims: &[u8]) -> Result<String, SigningError> {
        let mut token = format!("{}.", self.header);
        URL_SAFE_NO_PAD.encode_string(claims, &mut token);
        let message = token.as_bytes();
        let signature = match &self.pair {
            Pair::Rs256(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(
                    &RSA_PKCS1_SHA256,
                    &SystemRandom::new(),
                    message,
                    &mut signature,
                )
                .map_err(|_| SigningError)?;
                signature
            }
            Pair::EdDsa(pair) => pair.sign(message).as_ref().to_vec(),
        };
        token.push('.');
        URL_SAFE_NO_PAD.encode_string(signature, &mut token);
        Ok(token)
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::encoding::{AsDer as _, Pkcs8V1Der};
    use aws_lc_rs::rsa::KeySize;
    use aws_lc_rs::signature::KeyPair as _;
    use jsonwebtoken::{Algorithm, DecodingKey, Validation};
    use serde_json::Value;

    use super::*;

    fn read(token: &str, key: &DecodingKey, algorithm: Algorithm) -> Option<Value> {
        let mut validation = Validation::new(algorithm);
        validation.set_required_spec_claims::<&str>(&[]);
        validation.validate_aud = false;
        let read = jsonwebtoken::decode::<Value>(token, key, &validation).ok()?;
        assert_eq!(read.header.alg, algorithm);
        assert_eq!(read.header.kid.as_deref(), Some("a key"));
        assert_eq!(read.header.typ.as_deref(), Some("JWT"));
        Some(read.claims)
    }

    #[test]
    fn what_is_signed_is_read_with_the_public_key_and_with_no_other() {
        let claims = json!({"sub": "نورة", "aud": ["a", "b"]});
        let ed = || Ed25519KeyPair::generate().unwrap();
        let (pair, other) = (ed(), ed());
        let pkcs8: Pkcs8V1Der<'_> = pair.as_der().unwrap();
        let signer = Signer::new(SigningAlgorithm::EdDsa, "a key", pkcs8.as_ref()).unwrap();
        let token = signer.sign(claims.to_string().as_bytes()).unwrap();
        let public = |pair: &Ed25519KeyPair| DecodingKey::from_ed_der(pair.public_key().as_ref());
        let found = read(&token, &public(&pair), Algorithm::EdDSA);
        assert_eq!(found, Some(claims.clone()));
        assert_eq!(read(&token, &public(&other), Algorithm::EdDSA), None);

        let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let pkcs8: Pkcs8V1Der<'_> = pair.as_der().unwrap();
        let signer = Signer::new(SigningAlgorithm::Rs256, "a key", pkcs8.as_ref()).unwrap();
        let token = signer.sign(claims.to_string().as_bytes()).unwrap();
        let public = DecodingKey::from_rsa_der(pair.public_key().as_ref());
        assert_eq!(read(&token, &public, Algorithm::RS256), Some(claims));
    }

    #[test]
    fn what_is_no_key_signs_nothing() {
        for algorithm in SigningAlgorithm::ALL {
            assert!(Signer::new(algorithm, "a key", b"nothing").is_err());
        }
    }
}
