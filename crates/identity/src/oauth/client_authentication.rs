//! Client authentication: HTTP Basic, client secret in the form, or the client id alone for public clients.

use std::net::IpAddr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, header};
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};
use url::form_urlencoded;

use crate::oauth::Parameters;
use crate::oauth::{ErrorCode, OAuthError};
use crate::provider::Provider;
use invoicing_storage::Basis;
use invoicing_storage::applications::Application;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::secret::TokenHash;

/// Authenticates the client of a request from `address`, and counts the request (decision 0092). Its storage reads come after
/// the first look at the limits, in [`ClientAuthentication::from_request`].
///
/// # Errors
/// invalid_client if the client is unknown, its secret is wrong or missing, or a public client sends a secret (RFC 6749, 2.3
/// and 5.2). 429 if there were too many requests.
pub(crate) async fn authenticate(
    provider: &Provider,
    authentication: &ClientAuthentication,
    address: IpAddr,
    basis: Basis,
) -> Result<Arc<Application>, OAuthError> {
    let ClientAuthentication {
        client_id, secret, ..
    } = authentication;
    let (limits, now) = (&provider.request_limits, provider.monotonic());
    if secret.is_some() {
        // Again: other requests may have presented wrong ones while the grant or token of this one was read.
        limits.check_secret(client_id, address, now)?;
    }
    let application = provider.store.application(client_id, basis).await?;
    match verify(application.as_ref(), authentication, provider.now()) {
        Ok(application) if application.secret.is_some() => {
            limits.admit_application(client_id, now)?;
            Ok(application.clone())
        }
        Ok(application) => {
            limits.admit_address(address, now)?;
            Ok(application.clone())
        }
        Err(error) => {
            // An unknown application is counted too: repeating its id then costs no reads, and gets the same answers as one that
            // exists. At an address over its limit it is not counted, so that ever new ids do not take the place of other
            // counts. That answers differ there is accepted (decision 0092).
            let is_counted = secret.is_some()
                && (application.is_some() || limits.check_address(address, now).is_ok());
            // Before anything is written: whoever does not wait for the answer is charged too.
            let refused = provider.count_failure(address, error);
            if is_counted {
                count_wrong_secret(provider, client_id, address).await;
            }
            if secret.is_some()
                && let Some(application) = &application
                && application.secret.is_some()
                && limits.admit_secret_event(client_id, address, now)
            {
                let event = wrong_secret_event(application, address, provider.now());
                // The secret is wrong in any case, and nothing is changed. An error would tell that the application exists.
                if let Err(error) = provider.store.record(&event).await {
                    tracing::warn!(%error, "a wrong secret was not recorded in the audit");
                }
            }
            Err(refused)
        }
    }
}

/// Counts a wrong secret, and learns how many all processes have counted. What cannot be stored is no error: the secret is wrong in any
/// case, and this process has counted it.
async fn count_wrong_secret(provider: &Provider, client_id: &ClientId, address: IpAddr) {
    let limits = &provider.request_limits;
    let (now, monotonic) = (provider.now(), provider.monotonic());
    limits.count_wrong_secret(client_id, address, monotonic);
    let counters = limits.wrong_secret_counters(&provider.attempt_keys, client_id, address);
    if counters.is_empty() {
        return;
    }
    match provider.store.count_failed_attempt(&counters, now).await {
        Ok(shared) => limits.learn_wrong_secrets(client_id, address, &shared, monotonic),
        Err(error) => tracing::warn!(%error, "a wrong secret is counted by this process alone"),
    }
}

/// The event of a wrong secret. The secret is not recorded: it may be that of another application.
fn wrong_secret_event(application: &Application, address: IpAddr, now: Timestamp) -> AuditEvent {
    let event = AuditEvent::new(now, AuditEventKind::ClientAuthenticationFailed)
        .client(&application.client_id)
        .address(address);
    match &application.organization {
        Some(organization) => event.organization(organization),
        None => event,
    }
}

/// Whether `authentication` is that of `application`.
fn verify<'a>(
    application: Option<&'a Arc<Application>>,
    authentication: &ClientAuthentication,
    now: Timestamp,
) -> Result<&'a Arc<Application>, OAuthError> {
    let ClientAuthentication {
        secret, is_basic, ..
    } = authentication;
    let invalid_client = |description| OAuthError::invalid_client(description, *is_basic);
    let Some(application) = application else {
        return Err(invalid_client(
            "the application is not known, or its secret is wrong",
        ));
    };
    match (&application.secret, secret) {
        (None, None) if application.kind == ApplicationKind::Public => Ok(application),
        (None, Some(_)) => Err(invalid_client(
            "a public application has no secret and must not send one",
        )),
        (Some(_) | None, None) => Err(invalid_client("this application must send its secret")),
        (Some(expected), Some(secret))
            if expected.accepts(&TokenHash::of(secret.expose_secret()), now) =>
        {
            Ok(application)
        }
        (Some(_), Some(_)) => Err(invalid_client(
            "the application is not known, or its secret is wrong",
        )),
    }
}

/// The client credentials of a request.
pub(crate) struct ClientAuthentication {
    client_id: ClientId,
    secret: Option<SecretString>,
    /// Whether they were sent by HTTP Basic.
    is_basic: bool,
}

impl ClientAuthentication {
    /// Reads the credentials of a request from `address`, and looks at the limits, so that a request that they refuse whatever is
    /// stored costs no storage read: one without a secret at an address over its limit, and a secret after too many wrong ones.
    /// Another secret may prove an application, which its address does not limit, so it must be compared (decision 0092).
    ///
    /// # Errors
    /// invalid_request if more than one method is used, invalid_client if there is no client id (RFC 6749, 2.3 and 5.2). Both are
    /// counted. 429 if there were too many requests.
    pub(crate) fn from_request(
        provider: &Provider,
        address: IpAddr,
        headers: &HeaderMap,
        form: &Parameters,
    ) -> Result<Self, OAuthError> {
        let authentication =
            Self::read(headers, form).map_err(|error| provider.count_failure(address, error))?;
        let (limits, now) = (&provider.request_limits, provider.monotonic());
        if authentication.secret.is_some() {
            limits.check_secret(&authentication.client_id, address, now)?;
        } else {
            limits.check_address(address, now)?;
        }
        Ok(authentication)
    }

    fn read(headers: &HeaderMap, form: &Parameters) -> Result<Self, OAuthError> {
        let invalid = |description| OAuthError::new(ErrorCode::InvalidRequest, description);
        let form_secret = form.get("client_secret").map(SecretString::from);
        let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
        let Some(authorization) = authorizations.next() else {
            // "No client authentication included" is invalid_client, not invalid_request (RFC 6749, 5.2).
            let client_id = form
                .get("client_id")
                .ok_or_else(|| OAuthError::new(ErrorCode::InvalidClient, "client_id is missing"))?;
            return Ok(Self {
                client_id: client_id.into(),
                secret: form_secret,
                is_basic: false,
            });
        };
        if authorizations.next().is_some() || form_secret.is_some() {
            return Err(invalid("the application must authenticate in one way only"));
        }
        let malformed =
            || OAuthError::invalid_client("the Authorization header is not HTTP Basic", true);
        let (client_id, secret) = authorization
            .to_str()
            .ok()
            .and_then(parse_basic)
            .ok_or_else(malformed)?;
        if form.get("client_id").is_some_and(|id| id != client_id) {
            return Err(invalid(
                "client_id differs from the one in the Authorization header",
            ));
        }
        Ok(Self {
            client_id: client_id.into(),
            secret: Some(secret),
            is_basic: true,
        })
    }
}

/// Parses an HTTP Basic header. Client id and secret are form-encoded before they are joined (RFC 6749, 2.3.1); neither has
/// U+0000 (RFC 7617, section 2).
pub(crate) fn parse_basic(authorization: &str) -> Option<(String, SecretString)> {
    let (scheme, encoded) = authorization.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let joined = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (client_id, secret) = joined.split_once(':')?;
    let (client_id, secret) = (form_decode(client_id), form_decode(secret));
    let is_text = !client_id.contains('\0') && !secret.contains('\0');
    is_text.then(|| (client_id, SecretString::from(secret)))
}

fn form_decode(text: &str) -> String {
    // Encoded text contains neither `&` nor `=`, so it parses as one name without a value.
    form_urlencoded::parse(text.as_bytes())
        .map(|(name, _)| name.into_owned())
        .next()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_credentials_are_base64_and_form_decode() {
        let (client_id, secret) =
            parse_basic(&format!("basic {}", STANDARD.encode("a%20b:c%3Ad+e"))).unwrap();
        assert_eq!(
            (client_id.as_str(), secret.expose_secret()),
            ("a b", "c:d e")
        );
    }

    #[test]
    fn malformed_basic_header_is_rejected() {
        for header in [
            "",
            "Basic",
            "Basic !",
            "Bearer YTpi",
            &format!("Basic {}", STANDARD.encode("no colon")),
            &format!("Basic {}", STANDARD.encode("null\0:secret")),
            &format!("Basic {}", STANDARD.encode("null%00:secret")),
            &format!("Basic {}", STANDARD.encode("client:%00")),
        ] {
            assert!(parse_basic(header).is_none(), "{header:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn parsing_never_panics(header: String, bytes: Vec<u8>) {
            let _ = parse_basic(&header);
            let _ = parse_basic(&format!("Basic {}", STANDARD.encode(bytes)));
        }
    }
}
