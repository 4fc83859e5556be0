//! Signs JWTs in compact serialization (RFC 7515, 3.1) with a key that is parsed once. jsonwebtoken parses the key for every
//! signature, which was more than half of the cost of RS256.

use aws_lc_rs::error::{KeyRejected, Unspecified};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use invoicing_storage::keys::SigningAlgorithm;

/// A private key and the encoded JOSE header of the tokens that it signs.
pub(crate) struct Signer {
    pair: KeyPair,
    header: String,
}

enum KeyPair {
    Rs256(RsaKeyPair),
    EdDsa(Ed25519KeyPair),
}

/// Why an id_token cannot be signed. Neither occurs after a successful start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SigningError {
    /// There is no current key of the algorithm.
    #[error("there is no current signing key of the algorithm")]
    NoCurrentKey,
    /// The cryptographic library failed.
    #[error("the id_token could not be signed")]
    Signature(#[from] Unspecified),
}

impl Signer {
    /// Parses the key in `pkcs8`, which is published under `kid`.
    ///
    /// # Errors
    /// If `pkcs8` is not a key of `algorithm`.
    pub(crate) fn new(
        algorithm: SigningAlgorithm,
        kid: &str,
        pkcs8: &[u8],
    ) -> Result<Self, KeyRejected> {
        let (pair, alg) = match algorithm {
            SigningAlgorithm::Rs256 => (KeyPair::Rs256(RsaKeyPair::from_pkcs8(pkcs8)?), "RS256"),
            SigningAlgorithm::EdDsa => {
                (KeyPair::EdDsa(Ed25519KeyPair::from_pkcs8(pkcs8)?), "EdDSA")
            }
        };
        let header = json!({"typ": "JWT", "alg": alg, "kid": kid}).to_string();
        Ok(Self {
            pair,
            header: URL_SAFE_NO_PAD.encode(header),
        })
    }

    /// A signed JWT with `claims`, a serialized JSON object.
    ///
    /// # Errors
    /// See [`SigningError`].
    pub(crate) fn sign(&self, claims: &[u8]) -> Result<String, SigningError> {
        let mut token = format!("{}.", self.header);
        URL_SAFE_NO_PAD.encode_string(claims, &mut token);
        let message = token.as_bytes();
        let signature = match &self.pair {
            KeyPair::Rs256(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(
                    &RSA_PKCS1_SHA256,
                    &SystemRandom::new(),
                    message,
                    &mut signature,
                )?;
                signature
            }
            KeyPair::EdDsa(pair) => pair.sign(message).as_ref().to_vec(),
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

    fn verify(token: &str, key: &DecodingKey, algorithm: Algorithm) -> Option<Value> {
        let mut validation = Validation::new(algorithm);
        validation.set_required_spec_claims::<&str>(&[]);
        validation.validate_aud = false;
        let verified = jsonwebtoken::decode::<Value>(token, key, &validation).ok()?;
        assert_eq!(verified.header.alg, algorithm);
        assert_eq!(verified.header.kid.as_deref(), Some("a key"));
        assert_eq!(verified.header.typ.as_deref(), Some("JWT"));
        Some(verified.claims)
    }

    #[test]
    fn signature_verifies_with_its_public_key_and_with_no_other() {
        let claims = json!({"sub": "نورة", "aud": ["a", "b"]});
        let ed = || Ed25519KeyPair::generate().unwrap();
        let (pair, other) = (ed(), ed());
        let pkcs8: Pkcs8V1Der<'_> = pair.as_der().unwrap();
        let signer = Signer::new(SigningAlgorithm::EdDsa, "a key", pkcs8.as_ref()).unwrap();
        let token = signer.sign(claims.to_string().as_bytes()).unwrap();
        let public = |pair: &Ed25519KeyPair| DecodingKey::from_ed_der(pair.public_key().as_ref());
        let verified = verify(&token, &public(&pair), Algorithm::EdDSA);
        assert_eq!(verified, Some(claims.clone()));
        assert_eq!(verify(&token, &public(&other), Algorithm::EdDSA), None);

        let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let pkcs8: Pkcs8V1Der<'_> = pair.as_der().unwrap();
        let signer = Signer::new(SigningAlgorithm::Rs256, "a key", pkcs8.as_ref()).unwrap();
        let token = signer.sign(claims.to_string().as_bytes()).unwrap();
        let public = DecodingKey::from_rsa_der(pair.public_key().as_ref());
        assert_eq!(verify(&token, &public, Algorithm::RS256), Some(claims));
    }

    #[test]
    fn invalid_pkcs8_is_rejected_for_every_algorithm() {
        for algorithm in SigningAlgorithm::ALL {
            assert!(Signer::new(algorithm, "a key", b"nothing").is_err());
        }
    }
}
