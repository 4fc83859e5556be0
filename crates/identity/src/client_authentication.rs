//! Which application calls: by HTTP Basic, by secret in the form, or by its id alone if it is public.

use invoicing_contract::ClientId;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, header};
use invoicing_contract::ready::ApplicationKind;
use secrecy::{ExposeSecret as _, SecretString};
use url::form_urlencoded;

use super::Provider;
use super::oauth_error::{ErrorCode, OAuthError};
use super::parameters::Parameters;
use invoicing_storage::Basis;
use invoicing_storage::applications::Application;
use invoicing_storage::secret::TokenHash;

/// The application that calls.
///
/// # Errors
/// invalid_client when the application is unknown or its secret wrong, missing, or given although it has none (RFC 6749, 2.3
/// and 5.2).
pub(super) async fn authenticate(
    provider: &Provider,
    credentials: &Credentials,
    basis: Basis,
) -> Result<Arc<Application>, OAuthError> {
    let Credentials {
        client_id,
        secret,
        basic,
    } = credentials;
    let refused = |description| OAuthError::invalid_client(description, *basic);
    let Some(application) = provider.store.application(client_id, basis).await? else {
        return Err(refused(
            "the application is not known, or its secret is wrong",
        ));
    };
    match (&application.secret, secret) {
        (None, None) if application.kind == ApplicationKind::Public => Ok(application),
        (None, Some(_)) => Err(refused(
            "a public application has no secret and must not send one",
        )),
        (Some(_) | None, None) => Err(refused("this application must send its secret")),
        (Some(expected), Some(secret))
            if expected.accepts(&TokenHash::of(secret.expose_secret()), provider.now_ms()) =>
        {
            Ok(application)
        }
        (Some(_), Some(_)) => Err(refused(
            "the application is not known, or its secret is wrong",
        )),
    }
}

/// What the application that calls says of itself.
pub(super) struct Credentials {
    client_id: ClientId,
    secret: Option<SecretString>,
    basic: bool,
}

impl Credentials {
    /// Those of a request.
    ///
    /// # Errors
    /// invalid_request when more than one way is used at once, invalid_client when the application is not named (RFC 6749, 2.3
    /// and 5.2).
    pub(super) fn of(headers: &HeaderMap, form: &Parameters) -> Result<Self, OAuthError> {
        let invalid = |description| OAuthError::new(ErrorCode::InvalidRequest, description);
        let in_form = form.get("client_secret").map(SecretString::from);
        let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
        let Some(authorization) = authorizations.next() else {
            // "No client authentication included" is invalid_client, not invalid_request (RFC 6749, 5.2).
            let client_id = form
                .get("client_id")
                .ok_or_else(|| OAuthError::new(ErrorCode::InvalidClient, "client_id is missing"))?;
            return Ok(Self {
                client_id: client_id.into(),
                secret: in_form,
                basic: false,
            });
        };
        if authorizations.next().is_some() || in_form.is_some() {
            return Err(invalid("the application must authenticate in one way only"));
        }
        let malformed =
            || OAuthError::invalid_client("the Authorization header is not HTTP Basic", true);
        let (client_id, secret) = authorization
            .to_str()
            .ok()
            .and_then(basic)
            .ok_or_else(malformed)?;
        if form.get("client_id").is_some_and(|id| id != client_id) {
            return Err(invalid(
                "client_id differs from the one in the Authorization header",
            ));
        }
        Ok(Self {
            client_id: client_id.into(),
            secret: Some(secret),
            basic: true,
        })
    }
}

/// Id and secret are form-encoded before they are joined (RFC 6749, 2.3.1).
pub(super) fn basic(authorization: &str) -> Option<(String, SecretString)> {
    let (scheme, encoded) = authorization.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let joined = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (client_id, secret) = joined.split_once(':')?;
    Some((
        form_decoded(client_id),
        SecretString::from(form_decoded(secret)),
    ))
}

fn form_decoded(text: &str) -> String {
    // A name without `=` decodes like any other; the text has no `&` or `=` left in it once encoded.
    form_urlencoded::parse(text.as_bytes())
        .map(|(name, _)| name.into_owned())
        .next()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_credentials_are_decoded_twice() {
        let (client_id, secret) =
            basic(&format!("basic {}", STANDARD.encode("a%20b:c%3Ad+e"))).unwrap();
        assert_eq!(
            (client_id.as_str(), secret.expose_secret()),
            ("a b", "c:d e")
        );
    }

    #[test]
    fn what_is_not_basic_is_nothing() {
        for header in [
            "",
            "Basic",
            "Basic !",
            "Bearer YTpi",
            &format!("Basic {}", STANDARD.encode("no colon")),
        ] {
            assert!(basic(header).is_none(), "{header:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_header_brings_it_down(header: String, bytes: Vec<u8>) {
            let _ = basic(&header);
            let _ = basic(&format!("Basic {}", STANDARD.encode(bytes)));
        }
    }
}
