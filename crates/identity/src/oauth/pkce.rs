//! PKCE with S256, the only supported method (RFC 7636; decision 0006).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Whether `challenge` has the form of an S256 challenge: a SHA-256 hash in 43 characters of base64url.
pub(crate) fn is_s256_challenge(challenge: &str) -> bool {
    challenge.len() == 43
        && URL_SAFE_NO_PAD
            .decode(challenge)
            .is_ok_and(|bytes| bytes.len() == 32)
}

/// Whether `verifier` has 43 to 128 unreserved characters and its S256 hash equals `challenge`.
pub(crate) fn verify_challenge(verifier: &str, challenge: &str) -> bool {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let well_formed = (43..=128).contains(&verifier.len()) && verifier.bytes().all(unreserved);
    let computed = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    well_formed && subtle::ConstantTimeEq::ct_eq(computed.as_bytes(), challenge.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_of_rfc_7636_verifies() {
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert!(is_s256_challenge(challenge));
        assert!(verify_challenge(
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            challenge
        ));
    }

    #[test]
    fn verifier_of_invalid_length_or_alphabet_is_rejected_although_its_hash_matches() {
        for verifier in [
            "a".repeat(42),
            "a".repeat(129),
            format!("{}+", "a".repeat(43)),
        ] {
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
            assert!(!verify_challenge(&verifier, &challenge), "{verifier:?}");
        }
    }

    #[test]
    fn challenge_that_is_no_sha256_hash_is_rejected() {
        assert!(!is_s256_challenge(""));
        assert!(!is_s256_challenge(&"a".repeat(42)));
        assert!(!is_s256_challenge(&"=".repeat(43)));
    }
}
