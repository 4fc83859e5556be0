//! PKCE with S256, the only method that is taken (RFC 7636; decision 0006).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Whether `challenge` can be the S256 challenge of anything: 43 characters of base64url.
pub(crate) fn is_challenge(challenge: &str) -> bool {
    challenge.len() == 43
        && URL_SAFE_NO_PAD
            .decode(challenge)
            .is_ok_and(|bytes| bytes.len() == 32)
}

/// Whether `verifier` has 43 to 128 unreserved characters and is the one that `challenge` was made of.
pub(crate) fn verifies(verifier: &str, challenge: &str) -> bool {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let fits = (43..=128).contains(&verifier.len()) && verifier.bytes().all(unreserved);
    let made = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    fits && subtle::ConstantTimeEq::ct_eq(made.as_bytes(), challenge.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard_verifies() {
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert!(is_challenge(challenge));
        assert!(verifies(
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            challenge
        ));
    }

    #[test]
    fn a_verifier_of_the_wrong_length_or_alphabet_does_not_verify_even_if_it_hashes_right() {
        for verifier in [
            "a".repeat(42),
            "a".repeat(129),
            format!("{}+", "a".repeat(43)),
        ] {
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
            assert!(!verifies(&verifier, &challenge), "{verifier:?}");
        }
    }

    #[test]
    fn a_challenge_has_exactly_the_form_of_a_hash() {
        assert!(!is_challenge(""));
        assert!(!is_challenge(&"a".repeat(42)));
        assert!(!is_challenge(&"=".repeat(43)));
    }
}
