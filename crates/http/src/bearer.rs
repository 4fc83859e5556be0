//! The bearer token in the Authorization header of a request (RFC 6750, section 2.1).

use http::HeaderMap;
use http::header::AUTHORIZATION;

/// Most bytes of a token under [`BearerPolicy::Strict`]. Tokens of the service are far shorter.
const MAX_TOKEN_BYTES: usize = 1024;

/// What is accepted after the scheme name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BearerPolicy {
    /// One token of at most 1024 bytes, without spaces and commas.
    Strict,
    /// Any text. Spaces around it are removed, and the text can be empty: the lookup of the token decides.
    Lenient,
}

/// Why a request has no bearer token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BearerError {
    /// There is no Authorization header.
    #[error("the request has no Authorization header")]
    Missing,
    /// There is more than one Authorization header, another scheme, or no token in the form that the policy accepts.
    #[error("the Authorization header is not one bearer token")]
    Malformed,
}

/// The bearer token of a request.
///
/// # Errors
/// See [`BearerError`].
pub fn bearer_token(headers: &HeaderMap, policy: BearerPolicy) -> Result<&str, BearerError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(BearerError::Missing)?;
    if values.next().is_some() {
        return Err(BearerError::Malformed);
    }
    let (scheme, token) = value
        .to_str()
        .ok()
        .and_then(|value| value.split_once(' '))
        .ok_or(BearerError::Malformed)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(BearerError::Malformed);
    }
    match policy {
        BearerPolicy::Lenient => Ok(token.trim()),
        BearerPolicy::Strict => {
            let fits = (1..=MAX_TOKEN_BYTES).contains(&token.len()) && !token.contains([' ', ',']);
            fits.then_some(token).ok_or(BearerError::Malformed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(values: &[&str], policy: BearerPolicy) -> Result<String, BearerError> {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = http::HeaderValue::from_str(value);
            headers.extend(value.ok().map(|value| (AUTHORIZATION, value)));
        }
        bearer_token(&headers, policy).map(str::to_owned)
    }

    #[test]
    fn one_token_is_accepted_in_any_case_of_the_scheme() {
        for policy in [BearerPolicy::Strict, BearerPolicy::Lenient] {
            assert_eq!(token(&["bEaReR abc"], policy), Ok("abc".to_owned()));
            assert_eq!(token(&[], policy), Err(BearerError::Missing));
            for values in [
                &["Basic abc"] as &[_],
                &["Bearer"],
                &["abc"],
                &["Bearer a", "Bearer b"],
            ] {
                assert_eq!(
                    token(values, policy),
                    Err(BearerError::Malformed),
                    "{values:?}"
                );
            }
        }
    }

    #[test]
    fn text_that_is_not_one_token_is_accepted_only_by_the_lenient_policy() {
        let long = format!("Bearer {}", "a".repeat(MAX_TOKEN_BYTES + 1));
        for (value, lenient) in [
            ("Bearer  abc", "abc"),
            ("Bearer a b", "a b"),
            ("Bearer a,b", "a,b"),
            ("Bearer ", ""),
            (&long, &long[7..]),
        ] {
            assert_eq!(
                token(&[value], BearerPolicy::Strict),
                Err(BearerError::Malformed)
            );
            assert_eq!(
                token(&[value], BearerPolicy::Lenient),
                Ok(lenient.to_owned())
            );
        }
    }
}
