//! Proves that a form comes from a page that this browser was given: against login CSRF (RFC 9700, 4.7).

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// A form is taken this long after its page was given out.
const FRESH_FOR_MS: i64 = 15 * 60 * 1000;

/// Makes and checks the tokens.
pub(super) struct CsrfTokens {
    key: hmac::Key,
}

impl CsrfTokens {
    /// With a key that is kept in the database, so that pages survive a restart.
    pub(super) fn new(key: &str) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()),
        }
    }

    /// A token for the page about `subject` (what the form does, with its parameters) in the browser with `cookie`.
    pub(super) fn make(&self, cookie: &str, subject: &str, now: i64) -> String {
        let tag = hmac::sign(&self.key, &message(cookie, subject, now));
        format!("{now}.{}", URL_SAFE_NO_PAD.encode(tag))
    }

    /// Whether `token` is fresh and was made for this page and this browser.
    pub(super) fn check(&self, token: &str, cookie: &str, subject: &str, now: i64) -> bool {
        let Some((made_at, tag)) = token.split_once('.') else {
            return false;
        };
        let (Ok(made_at), Ok(tag)) = (made_at.parse::<i64>(), URL_SAFE_NO_PAD.decode(tag)) else {
            return false;
        };
        let fresh = now
            .checked_sub(made_at)
            .is_some_and(|age| (0..=FRESH_FOR_MS).contains(&age));
        fresh && hmac::verify(&self.key, &message(cookie, subject, made_at), &tag).is_ok()
    }
}

/// The cookie is of fixed alphabet, so a line break cannot be in it, and no two messages are alike.
fn message(cookie: &str, subject: &str, made_at: i64) -> Vec<u8> {
    format!("{made_at}\n{cookie}\n{subject}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_counts_for_its_page_and_its_browser_while_it_is_fresh() {
        let tokens = CsrfTokens::new("key");
        let token = tokens.make("cookie", "page", 1_000_000);
        assert!(
            tokens.check(&token, "cookie", "page", 1_000_000 + FRESH_FOR_MS),
            "fresh"
        );
        assert!(
            !tokens.check(&token, "cookie", "page", 1_000_001 + FRESH_FOR_MS),
            "too old"
        );
        assert!(
            !tokens.check(&token, "cookie", "page", 999_999),
            "from the future"
        );
        assert!(
            !tokens.check(&token, "other", "page", 1_000_000),
            "another browser"
        );
        assert!(
            !tokens.check(&token, "cookie", "other", 1_000_000),
            "another page"
        );
        assert!(
            !CsrfTokens::new("other").check(&token, "cookie", "page", 1_000_000),
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
                !tokens.check(garbage, "cookie", "page", 1_000_000),
                "{garbage:?}"
            );
        }
    }
}
