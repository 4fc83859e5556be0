//! Protocol elements that several endpoints share: request forms, client authentication, PKCE, redirect URIs, redirects, errors.

mod client_authentication;
mod error;
mod form_body;
mod parameters;
mod pkce;
mod redirect_uri;
mod see_other;

pub(crate) use client_authentication::{ClientAuthentication, authenticate, parse_basic};
pub(crate) use error::{ErrorCode, OAuthError};
pub(crate) use form_body::{FormBody, parse_form};
pub(crate) use parameters::Parameters;
pub(crate) use pkce::{is_s256_challenge, verify_challenge};
pub(crate) use redirect_uri::{form_action_source, is_claimed_https, is_registered};
pub(crate) use see_other::{repeat_as_get, see_other};
