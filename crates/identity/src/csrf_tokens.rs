//! CSRF tokens: a form must come from a page that the same browser requested (against login CSRF, RFC 9700, 4.7).

use std::time::Duration;

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_contract::Timestamp;

use crate::lifetimes::CLOCK_LEEWAY;

/// Lifetime of a token.
const TOKEN_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// Issues and verifies CSRF tokens. A token is an HMAC of its time, the CSRF cookie and a context.
pub(crate) struct CsrfTokens {
    key: hmac::Key,
}

impl CsrfTokens {
    /// With a key that is stored in the database, so that tokens stay valid after a restart.
    pub(crate) fn new(key: &str) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()),
        }
    }

    /// A token for a form with `context` (its parameters) in the browser with `cookie`.
    pub(crate) fn issue(&self, cookie: &str, context: &str, now: Timestamp) -> String {
        let tag = hmac::sign(&self.key, &message(cookie, context, now));
        format!("{now}.{}", URL_SAFE_NO_PAD.encode(tag))
    }

    /// Whether `token` was issued for `context` and `cookie` and has not expired. Another process can have issued it, with a clock
    /// that is ahead by [`CLOCK_LEEWAY`] at most: the token lives longer by as much.
    pub(crate) fn verify(&self, token: &str, cookie: &str, context: &str, now: Timestamp) -> bool {
        let Some((issued_at, tag)) = token.split_once('.') else {
            return false;
        };
        let (Ok(issued_at), Ok(tag)) = (issued_at.parse::<i64>(), URL_SAFE_NO_PAD.decode(tag))
        else {
            return false;
        };
        let issued_at = Timestamp::from_millis(issued_at);
        let is_current =
            issued_at.since(now) <= CLOCK_LEEWAY && now.since(issued_at) <= TOKEN_LIFETIME;
        is_current && hmac::verify(&self.key, &message(cookie, context, issued_at), &tag).is_ok()
    }
}

/// The authenticated message. The cookie contains no line break, so the message is unambiguous.
fn message(cookie: &str, context: &str, issued_at: Timestamp) -> Vec<u8> {
    format!("{issued_at}\n{cookie}\n{context}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_of_a_clock_that_is_ahead_is_valid_within_the_leeway() {
        let tokens = CsrfTokens::new("key");
        let now = Timestamp::from_millis(1_000_000);
        let is_valid = |ahead| {
            let token = tokens.issue("cookie", "page", now.plus(ahead));
            tokens.verify(&token, "cookie", "page", now)
        };
        assert!(is_valid(CLOCK_LEEWAY));
        assert!(!is_valid(CLOCK_LEEWAY + Duration::from_millis(1)));
    }

    #[test]
    fn token_is_valid_for_its_context_and_cookie_until_it_expires() {
        let tokens = CsrfTokens::new("key");
        let issued_at = Timestamp::from_millis(1_000_000);
        let millisecond = Duration::from_millis(1);
        let expires_at = issued_at.plus(TOKEN_LIFETIME);
        let token = tokens.issue("cookie", "page", issued_at);
        assert!(tokens.verify(&token, "cookie", "page", expires_at), "valid");
        assert!(
            !tokens.verify(&token, "cookie", "page", expires_at.plus(millisecond)),
            "too old"
        );
        assert!(
            !tokens.verify(&token, "other", "page", issued_at),
            "another browser"
        );
        assert!(
            !tokens.verify(&token, "cookie", "other", issued_at),
            "another page"
        );
        assert!(
            !CsrfTokens::new("other").verify(&token, "cookie", "page", issued_at),
            "another key"
        );
        for garbage in [
            "",
            ".",
            "1000000.",
            "x.y",
            "9999999999999999999999.AAAA",
            "-9223372036854775808.AAAA",
        ] {
            assert!(
                !tokens.verify(garbage, "cookie", "page", issued_at),
                "{garbage:?}"
            );
        }
    }
}
