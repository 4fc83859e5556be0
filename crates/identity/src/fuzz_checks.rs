//! What must hold for any bytes at all that arrive as a form, as HTTP Basic or as a bearer token: for the fuzz targets and
//! for the short run of them in the tests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue, header};
use secrecy::ExposeSecret as _;
use url::form_urlencoded;

use super::client_authentication::basic;
use super::csrf_token::CsrfTokens;
use super::parameters::Parameters;
use super::userinfo;

/// Refused, or read in one way only: written and read again it is the same, and `Debug` shows no value.
///
/// # Panics
/// When it is not so.
pub fn as_form(bytes: &[u8]) {
    let Ok(read) = Parameters::parse(bytes) else {
        return;
    };
    let written = read.to_query();
    let again = Parameters::parse(written.as_bytes()).expect("what was written can be read");
    assert_eq!(again.to_query(), written, "written the same again");
    for (name, value) in form_urlencoded::parse(bytes) {
        let expected = (!value.is_empty()).then_some(&*value);
        assert_eq!(read.get(&name), expected, "the value of {name:?}");
    }
    const SECRET: &str = "a value that nobody may see";
    let shown = format!("{:?}", read.with("password", SECRET));
    // A name is shown, and may be that text.
    let named = form_urlencoded::parse(bytes).any(|(name, _)| name.contains(SECRET));
    assert!(named || !shown.contains(SECRET));
}

/// As a whole header, and as what is encoded in one: refused, or an id and a secret that encode to the same again.
///
/// # Panics
/// When it is not so.
pub fn as_basic(bytes: &[u8]) {
    let whole = String::from_utf8_lossy(bytes);
    let encoded = format!("Basic {}", STANDARD.encode(bytes));
    for authorization in [&*whole, &encoded] {
        let Some((id, secret)) = basic(authorization) else {
            continue;
        };
        let form =
            |text: &str| -> String { form_urlencoded::byte_serialize(text.as_bytes()).collect() };
        let joined = format!("{}:{}", form(&id), form(secret.expose_secret()));
        let again = basic(&format!("basic {}", STANDARD.encode(joined)));
        let (id_again, secret_again) = again.expect("what was written can be read");
        assert_eq!(id_again, id);
        assert!(
            secret_again.expose_secret() == secret.expose_secret(),
            "the secret is the same"
        );
        assert_eq!(
            format!("{secret:?}"),
            format!("{secret_again:?}"),
            "it shows nothing"
        );
    }
}

/// As an Authorization header and as the token of a page: refused, or a token without blanks around it; and never a page's.
///
/// # Panics
/// When it is not so.
pub fn as_token(bytes: &[u8]) {
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_bytes(bytes) {
        headers.insert(header::AUTHORIZATION, value);
    }
    if let Ok(token) = userinfo::bearer(&headers) {
        assert_eq!(token, token.trim(), "no blanks around it");
    }
    let text = String::from_utf8_lossy(bytes);
    let pages = CsrfTokens::new("a key that nobody knows");
    for now in [0, 1_000_000, i64::MAX, i64::MIN] {
        assert!(
            !pages.check(&text, "cookie", "page", now),
            "nobody makes a page's token"
        );
    }
}
