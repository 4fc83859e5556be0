//! The authorization response (RFC 6749, section 4.1.2). Any program can send one, so every part of it is checked.

use oauth2::CsrfToken;
use secrecy::SecretString;
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error as ValueError, StrDeserializer};
use subtle::ConstantTimeEq as _;
use url::Url;

use crate::provider::OAuthErrorCode;
use crate::views::CallbackRefusal;

/// In bytes; longer than any valid callback.
const MAX_LENGTH: usize = 8 * 1024;

/// The values of the authorization request that the response must match.
pub(super) struct ExpectedResponse<'a> {
    /// Compared exactly.
    pub(super) redirect_uri: &'a str,
    pub(super) state: &'a CsrfToken,
    pub(super) issuer: &'a str,
    /// Whether the provider announces that every response has `iss`.
    pub(super) requires_issuer: bool,
}

/// A response that belongs to the authorization request.
#[derive(Debug)]
pub(super) enum AuthorizationResponse {
    /// An authorization code.
    Code(SecretString),
    /// An OAuth error code, as `access_denied`.
    Error(OAuthErrorCode),
}

/// Parses a callback address, and rejects one that does not belong to the authorization request.
pub(super) fn parse(
    address: &str,
    expected: &ExpectedResponse<'_>,
) -> Result<AuthorizationResponse, CallbackRefusal> {
    let parameters = parameters(address, expected.redirect_uri).ok_or(CallbackRefusal::Broken)?;
    let state = parameters.state.as_ref().ok_or(CallbackRefusal::Broken)?;
    if !bool::from(state.as_bytes().ct_eq(expected.state.secret().as_bytes())) {
        return Err(CallbackRefusal::OtherAttempt);
    }
    // RFC 9207, section 2.4. Where it is not announced it may be absent, as each environment has a redirect URI of its own.
    match &parameters.issuer {
        Some(issuer) if issuer != expected.issuer => return Err(CallbackRefusal::OtherIssuer),
        None if expected.requires_issuer => return Err(CallbackRefusal::Broken),
        Some(_) | None => {}
    }
    match (parameters.code, parameters.error) {
        (Some(code), None) if !code.is_empty() => Ok(AuthorizationResponse::Code(code.into())),
        (None, Some(error)) => error_code(&error)
            .map(AuthorizationResponse::Error)
            .ok_or(CallbackRefusal::Broken),
        _ => Err(CallbackRefusal::Broken),
    }
}

#[derive(Default)]
struct Parameters {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
    issuer: Option<String>,
}

/// The parameters of the query. `None` unless the address is the redirect URI with a query in which no name occurs twice.
fn parameters(address: &str, redirect_uri: &str) -> Option<Parameters> {
    let address = address.trim();
    if address.len() > MAX_LENGTH {
        return None;
    }
    let url = Url::parse(address).ok()?;
    let expected = Url::parse(redirect_uri).ok()?;
    let mut bare = url.clone();
    bare.set_query(None);
    if url.fragment().is_some() || bare != expected {
        return None;
    }
    let mut found = Parameters::default();
    let mut seen = std::collections::HashSet::new();
    for (name, value) in url.query_pairs() {
        if !seen.insert(name.clone()) {
            return None;
        }
        let slot = match name.as_ref() {
            "state" => &mut found.state,
            "code" => &mut found.code,
            "error" => &mut found.error,
            "iss" => &mut found.issuer,
            _ => continue,
        };
        *slot = Some(value.into_owned());
    }
    Some(found)
}

/// Parses an error code. RFC 6749, section 4.1.2.1 allows more characters and any length; this one is shown in the UI.
fn error_code(text: &str) -> Option<OAuthErrorCode> {
    let valid = (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let deserializer: StrDeserializer<'_, ValueError> = text.into_deserializer();
    valid
        .then(|| OAuthErrorCode::deserialize(deserializer).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use secrecy::ExposeSecret as _;

    use super::*;

    const URI: &str = "com.invoicedesk.desktop:/oauth/local";
    const STATE: &str = "q7-_Aa";

    fn parse(address: &str) -> Result<String, CallbackRefusal> {
        parse_from(address, false)
    }

    fn parse_from(address: &str, requires_issuer: bool) -> Result<String, CallbackRefusal> {
        let state = CsrfToken::new(STATE.to_owned());
        let expected = ExpectedResponse {
            redirect_uri: URI,
            state: &state,
            issuer: "https://id.example.com",
            requires_issuer,
        };
        super::parse(address, &expected).map(|response| match response {
            AuthorizationResponse::Code(code) => format!("code {}", code.expose_secret()),
            AuthorizationResponse::Error(error) => format!("error {error}"),
        })
    }

    #[test]
    fn response_to_the_request_is_parsed() {
        assert_eq!(
            parse(&format!("{URI}?code=a%2Bb&state={STATE}")),
            Ok("code a+b".to_owned())
        );
        assert_eq!(
            parse(&format!(
                "  {URI}?state={STATE}&code=c&iss=https%3A%2F%2Fid.example.com&session_state=x\n"
            )),
            Ok("code c".to_owned())
        );
        assert_eq!(
            parse(&format!(
                "{URI}?state={STATE}&error=access_denied&error_description=%3Cb%3E"
            )),
            Ok("error access_denied".to_owned())
        );
    }

    #[test]
    fn address_other_than_the_redirect_uri_with_single_parameters_is_broken() {
        for address in [
            "",
            "no address",
            URI,
            &format!("{URI}?code=c"),
            &format!("{URI}?state={STATE}"),
            &format!("{URI}?state={STATE}&code="),
            &format!("{URI}?state={STATE}&code=c&error=x"),
            &format!("{URI}?state={STATE}&code=c&code=d"),
            &format!("{URI}?state={STATE}&state={STATE}&code=c"),
            &format!("{URI}?state={STATE}&code=c&x=1&x=2"),
            &format!("{URI}?state={STATE}&code=c#"),
            &format!("{URI}/?state={STATE}&code=c"),
            &format!("{URI}x?state={STATE}&code=c"),
            &format!("com.invoicedesk.desktop:/oauth/staging?state={STATE}&code=c"),
            &format!("com.invoicedesk.desktop://oauth/local?state={STATE}&code=c"),
            &format!("https://oauth/local?state={STATE}&code=c"),
            &format!("{URI}?state={STATE}&error=%3Cscript%3E"),
            &format!("{URI}?state={STATE}&code={}", "c".repeat(MAX_LENGTH)),
        ] {
            assert_eq!(parse(address), Err(CallbackRefusal::Broken), "{address}");
        }
    }

    #[test]
    fn response_with_another_state_or_issuer_is_rejected() {
        assert_eq!(
            parse(&format!("{URI}?code=c&state=other")),
            Err(CallbackRefusal::OtherAttempt)
        );
        assert_eq!(
            parse(&format!(
                "{URI}?code=c&state={STATE}&iss=https://evil.example"
            )),
            Err(CallbackRefusal::OtherIssuer)
        );
        assert_eq!(
            parse(&format!(
                "{URI}?code=c&state={STATE}&iss=https://id.example.com/"
            )),
            Err(CallbackRefusal::OtherIssuer)
        );
    }

    #[test]
    fn response_without_an_announced_issuer_is_broken() {
        let without = format!("{URI}?code=c&state={STATE}");
        assert_eq!(parse_from(&without, true), Err(CallbackRefusal::Broken));
        let refusal = format!("{URI}?error=access_denied&state={STATE}");
        assert_eq!(parse_from(&refusal, true), Err(CallbackRefusal::Broken));
        let with = format!("{without}&iss=https%3A%2F%2Fid.example.com");
        assert_eq!(parse_from(&with, true), Ok("code c".to_owned()));
    }

    proptest! {
        #[test]
        fn address_without_the_state_is_rejected(address in ".*", query in "[a-z=&%0-9]{0,40}") {
            prop_assert!(parse(&address).is_err());
            let guessed = format!("{URI}?{query}");
            prop_assert!(parse(&guessed).is_err());
        }

        #[test]
        fn code_is_returned_unchanged(code in "[ -~]{1,40}") {
            let mut address = Url::parse(URI).expect("an address");
            address.query_pairs_mut().append_pair("state", STATE).append_pair("code", &code);
            prop_assert_eq!(parse(address.as_str()), Ok(format!("code {code}")));
        }
    }
}
