//! The address that the browser comes back with. Anybody can send one, so everything about it is checked.

use openidconnect::CsrfToken;
use secrecy::SecretString;
use subtle::ConstantTimeEq as _;
use url::Url;

use crate::views::CallbackRefusal;

/// Longer than any honest callback.
const LONGEST: usize = 8 * 1024;

/// What an attempt expects to come back.
pub(super) struct Expected<'a> {
    /// Where to, exactly.
    pub(super) redirect_uri: &'a str,
    pub(super) state: &'a CsrfToken,
    pub(super) issuer: &'a str,
}

/// An answer that belongs to the attempt.
#[derive(Debug)]
pub(super) enum Answer {
    /// To be redeemed.
    Code(SecretString),
    /// An OAuth error code, as `access_denied`.
    Refused(String),
}

/// Reads a callback, and refuses whatever does not belong to the attempt.
pub(super) fn read(address: &str, expected: &Expected<'_>) -> Result<Answer, CallbackRefusal> {
    let parameters = parameters(address, expected.redirect_uri).ok_or(CallbackRefusal::Broken)?;
    let state = parameters.state.as_ref().ok_or(CallbackRefusal::Broken)?;
    if !bool::from(state.as_bytes().ct_eq(expected.state.secret().as_bytes())) {
        return Err(CallbackRefusal::OtherAttempt);
    }
    // RFC 9207. A provider may leave it out, as each has a redirect URI of its own here.
    if parameters
        .issuer
        .as_ref()
        .is_some_and(|issuer| issuer != expected.issuer)
    {
        return Err(CallbackRefusal::OtherIssuer);
    }
    match (parameters.code, parameters.error) {
        (Some(code), None) if !code.is_empty() => Ok(Answer::Code(code.into())),
        (None, Some(error)) if is_error_code(&error) => Ok(Answer::Refused(error)),
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

/// The parameters, if the address is the redirect URI with a query and nothing else, and none stands there twice.
fn parameters(address: &str, redirect_uri: &str) -> Option<Parameters> {
    let address = address.trim();
    if address.len() > LONGEST {
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

/// RFC 6749, 4.1.2.1; kept short and plain, since it is shown.
fn is_error_code(error: &str) -> bool {
    (1..=64).contains(&error.len())
        && error
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use secrecy::ExposeSecret as _;

    use super::*;

    const URI: &str = "com.invoicedesk.desktop:/oauth/local";
    const STATE: &str = "q7-_Aa";

    fn read(address: &str) -> Result<String, CallbackRefusal> {
        let state = CsrfToken::new(STATE.to_owned());
        let expected = Expected {
            redirect_uri: URI,
            state: &state,
            issuer: "https://id.example.com",
        };
        super::read(address, &expected).map(|answer| match answer {
            Answer::Code(code) => format!("code {}", code.expose_secret()),
            Answer::Refused(error) => format!("error {error}"),
        })
    }

    #[test]
    fn the_answer_to_the_attempt_is_read() {
        assert_eq!(
            read(&format!("{URI}?code=a%2Bb&state={STATE}")),
            Ok("code a+b".to_owned())
        );
        assert_eq!(
            read(&format!(
                "  {URI}?state={STATE}&code=c&iss=https%3A%2F%2Fid.example.com&session_state=x\n"
            )),
            Ok("code c".to_owned())
        );
        assert_eq!(
            read(&format!(
                "{URI}?state={STATE}&error=access_denied&error_description=%3Cb%3E"
            )),
            Ok("error access_denied".to_owned())
        );
    }

    #[test]
    fn what_is_not_exactly_the_redirect_uri_with_single_parameters_is_broken() {
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
            &format!("{URI}?state={STATE}&code={}", "c".repeat(LONGEST)),
        ] {
            assert_eq!(read(address), Err(CallbackRefusal::Broken), "{address}");
        }
    }

    #[test]
    fn another_attempts_or_providers_answer_is_not_used() {
        assert_eq!(
            read(&format!("{URI}?code=c&state=other")),
            Err(CallbackRefusal::OtherAttempt)
        );
        assert_eq!(
            read(&format!(
                "{URI}?code=c&state={STATE}&iss=https://evil.example"
            )),
            Err(CallbackRefusal::OtherIssuer)
        );
        assert_eq!(
            read(&format!(
                "{URI}?code=c&state={STATE}&iss=https://id.example.com/"
            )),
            Err(CallbackRefusal::OtherIssuer)
        );
    }

    proptest! {
        #[test]
        fn no_address_gets_through_without_the_state(address in ".*", query in "[a-z=&%0-9]{0,40}") {
            prop_assert!(read(&address).is_err());
            let guessed = format!("{URI}?{query}");
            prop_assert!(read(&guessed).is_err());
        }

        #[test]
        fn every_code_comes_through_unchanged(code in "[ -~]{1,40}") {
            let mut address = Url::parse(URI).expect("an address");
            address.query_pairs_mut().append_pair("state", STATE).append_pair("code", &code);
            prop_assert_eq!(read(address.as_str()), Ok(format!("code {code}")));
        }
    }
}
