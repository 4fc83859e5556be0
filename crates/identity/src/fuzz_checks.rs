//! Properties of the parsers of forms, HTTP Basic and bearer tokens for arbitrary bytes. The fuzz targets and the corpus test
//! call them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue, header};
use invoicing_contract::Timestamp;
use secrecy::ExposeSecret as _;
use url::form_urlencoded;

use crate::csrf_tokens::CsrfTokens;
use crate::oauth::Parameters;
use crate::oauth::parse_basic;
use crate::userinfo;

/// A form is rejected, or it round-trips through a query, and `Debug` shows no value.
///
/// # Panics
/// If the property does not hold.
pub fn check_form(bytes: &[u8]) {
    let Ok(parameters) = Parameters::parse(bytes) else {
        return;
    };
    let query = parameters.to_query();
    let parsed = Parameters::parse(query.as_bytes()).expect("a serialized query parses");
    assert_eq!(parsed.to_query(), query, "the query round-trips");
    for (name, value) in form_urlencoded::parse(bytes) {
        let expected = (!value.is_empty()).then_some(&*value);
        assert_eq!(parameters.get(&name), expected, "the value of {name:?}");
    }
    const SECRET: &str = "a value that nobody may see";
    let debug = format!("{:?}", parameters.with("password", SECRET));
    // Names are shown, and one may contain the value by chance.
    let is_name = form_urlencoded::parse(bytes).any(|(name, _)| name.contains(SECRET));
    assert!(is_name || !debug.contains(SECRET));
}

/// An Authorization header and an encoded credential are rejected, or client id and secret round-trip.
///
/// # Panics
/// If the property does not hold.
pub fn check_basic(bytes: &[u8]) {
    let header = String::from_utf8_lossy(bytes);
    let encoded = format!("Basic {}", STANDARD.encode(bytes));
    for authorization in [&*header, &encoded] {
        let Some((id, secret)) = parse_basic(authorization) else {
            continue;
        };
        let form =
            |text: &str| -> String { form_urlencoded::byte_serialize(text.as_bytes()).collect() };
        let joined = format!("{}:{}", form(&id), form(secret.expose_secret()));
        let parsed = parse_basic(&format!("basic {}", STANDARD.encode(joined)));
        let (parsed_id, parsed_secret) = parsed.expect("a serialized header parses");
        assert_eq!(parsed_id, id);
        assert!(
            parsed_secret.expose_secret() == secret.expose_secret(),
            "the secret is the same"
        );
        assert_eq!(
            format!("{secret:?}"),
            format!("{parsed_secret:?}"),
            "Debug shows no secret"
        );
    }
}

/// An Authorization header is rejected, or its token has no surrounding blanks. The bytes are never a valid CSRF token.
///
/// # Panics
/// If the property does not hold.
pub fn check_token(bytes: &[u8]) {
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_bytes(bytes) {
        headers.insert(header::AUTHORIZATION, value);
    }
    if let Ok(token) = userinfo::bearer(&headers) {
        assert_eq!(token, token.trim(), "no surrounding blanks");
    }
    let text = String::from_utf8_lossy(bytes);
    let csrf_tokens = CsrfTokens::new("a secret key");
    for now in [0, 1_000_000, i64::MAX, i64::MIN] {
        let now = Timestamp::from_millis(now);
        assert!(
            !csrf_tokens.verify(&text, "cookie", "page", now),
            "a CSRF token cannot be forged"
        );
    }
}
