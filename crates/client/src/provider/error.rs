//! Errors of requests to the OpenID Provider.

use std::error::Error;
use std::fmt;

use oauth2::RequestTokenError;
use oauth2::basic::{BasicErrorResponse, BasicErrorResponseType};
use openidconnect::DiscoveryError;
use thiserror::Error;

use super::transport::{ResponseDefect, TransportError};
use crate::environments::Environment;
use crate::views::{CommandError, Support};

/// An OAuth error code (RFC 6749, sections 4.1.2.1 and 5.2).
pub(crate) type OAuthErrorCode = BasicErrorResponseType;

/// Why a request to the OpenID Provider failed. No variant holds a token, code or verifier.
#[derive(Debug, Error)]
pub(crate) enum ProviderError {
    /// No connection: nothing was sent.
    #[error("the identity provider cannot be reached")]
    Unreachable(#[source] TransportError),
    /// The request was sent, and no complete response was received.
    #[error("the response of the identity provider was lost")]
    ResponseLost(#[source] TransportError),
    /// 5xx or 429: a later request may succeed.
    #[error("the identity provider answered with HTTP status {status}")]
    Unavailable { status: u16 },
    /// Not a response of an OpenID Provider, such as the page of a captive portal or a malformed body.
    #[error("unexpected response with HTTP status {status}")]
    UnexpectedResponse {
        status: u16,
        #[source]
        source: ResponseError,
    },
    /// An OAuth error response.
    #[error("the identity provider returned the OAuth error {code}")]
    OAuth { code: OAuthErrorCode },
    /// A check of the discovery document, the token response or the id_token failed.
    #[error("the check of {check} failed")]
    VerificationFailed {
        check: Check,
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// This computer's clock is wrong by so many minutes; positive if it is ahead.
    #[error("the clock is off by {minutes} minutes")]
    ClockSkew { minutes: i32 },
}

/// Why a response cannot be used. It holds positions in the body but nothing of the body, which may contain tokens.
#[derive(Debug, Error)]
pub(crate) enum ResponseError {
    /// Recognized by its status and headers.
    #[error(transparent)]
    Defect(#[from] ResponseDefect),
    /// The body is not the expected JSON.
    #[error("the body is not the expected JSON at {path} (line {line}, column {column})")]
    Json {
        path: String,
        line: usize,
        column: usize,
    },
    /// Refused by `oauth2` or `openidconnect`, in their words.
    #[error("{0}")]
    Library(String),
}

/// The checks of the discovery document, the token response and the id_token.
/// Each is the field or claim of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    Issuer,
    AuthorizationEndpoint,
    TokenEndpoint,
    JwksUri,
    RevocationEndpoint,
    EndSessionEndpoint,
    PushedAuthorizationRequestEndpoint,
    RequestUri,
    RedirectUri,
    ExpiresIn,
    IdToken,
    Alg,
    Kid,
    Signature,
    Iss,
    Aud,
    Azp,
    Exp,
    Iat,
    Nonce,
    AtHash,
    Act,
    Roles,
}

impl Check {
    /// The name of the field or claim, as the UI shows it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Issuer => "issuer",
            Self::AuthorizationEndpoint => "authorization_endpoint",
            Self::TokenEndpoint => "token_endpoint",
            Self::JwksUri => "jwks_uri",
            Self::RevocationEndpoint => "revocation_endpoint",
            Self::EndSessionEndpoint => "end_session_endpoint",
            Self::PushedAuthorizationRequestEndpoint => "pushed_authorization_request_endpoint",
            Self::RequestUri => "request_uri",
            Self::RedirectUri => "redirect_uri",
            Self::ExpiresIn => "expires_in",
            Self::IdToken => "id_token",
            Self::Alg => "alg",
            Self::Kid => "kid",
            Self::Signature => "signature",
            Self::Iss => "iss",
            Self::Aud => "aud",
            Self::Azp => "azp",
            Self::Exp => "exp",
            Self::Iat => "iat",
            Self::Nonce => "nonce",
            Self::AtHash => "at_hash",
            Self::Act => "act",
            Self::Roles => "roles",
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl ProviderError {
    /// A failed check without a further cause.
    pub(super) const fn failed(check: Check) -> Self {
        Self::VerificationFailed {
            check,
            source: None,
        }
    }

    /// For `map_err`: a failed check with its cause.
    pub(super) fn because<E: Into<Box<dyn Error + Send + Sync>>>(
        check: Check,
    ) -> impl FnOnce(E) -> Self {
        move |source| Self::VerificationFailed {
            check,
            source: Some(source.into()),
        }
    }

    /// Whether the refresh token or code is invalid, expired or revoked (RFC 6749, section 5.2).
    pub(crate) fn is_invalid_grant(&self) -> bool {
        matches!(
            self,
            Self::OAuth {
                code: OAuthErrorCode::InvalidGrant
            }
        )
    }

    /// Whether no response was received.
    pub(crate) const fn is_offline(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::ResponseLost(_))
    }

    /// The error as a command returns it.
    pub(crate) fn to_command_error(
        &self,
        environment: &Environment,
        support: Support,
    ) -> CommandError {
        let with_status = |status| {
            Box::new(Support {
                status: Some(status),
                ..support.clone()
            })
        };
        match self {
            Self::Unreachable(_) | Self::ResponseLost(_) => CommandError::Offline {
                support: Box::new(support),
            },
            Self::Unavailable { status } => CommandError::Unavailable {
                authority: false,
                support: with_status(*status),
            },
            Self::UnexpectedResponse { status, .. } => CommandError::UnexpectedResponse {
                status: *status,
                support: with_status(*status),
            },
            // The project id belongs to another environment (contract, part 1).
            Self::OAuth {
                code: OAuthErrorCode::InvalidClient,
            } => CommandError::WrongEnvironmentPair {
                auth_url: environment.issuer().to_owned(),
            },
            Self::OAuth { code } => CommandError::SignInRefused {
                code: code.as_ref().to_owned(),
            },
            Self::VerificationFailed { check, .. } => CommandError::NotTrusted {
                check: check.name().to_owned(),
            },
            Self::ClockSkew { minutes } => CommandError::ClockOff { minutes: *minutes },
        }
    }
}

impl From<TransportError> for ProviderError {
    fn from(error: TransportError) -> Self {
        match error {
            TransportError::NoClient | TransportError::NotSent(_) => Self::Unreachable(error),
            TransportError::ResponseLost(_) => Self::ResponseLost(error),
            TransportError::Unavailable { status } => Self::Unavailable { status },
            TransportError::UnexpectedResponse { status, defect } => Self::UnexpectedResponse {
                status,
                source: defect.into(),
            },
        }
    }
}

/// Converts an error of the token endpoint. `RequestTokenError::Parse` holds the body, tokens included, so only the
/// position of the error is returned.
pub(super) fn token_request_error(
    error: RequestTokenError<TransportError, BasicErrorResponse>,
) -> ProviderError {
    match error {
        RequestTokenError::ServerResponse(response) => ProviderError::OAuth {
            code: response.error().clone(),
        },
        RequestTokenError::Request(error) => error.into(),
        RequestTokenError::Parse(error, _) => unparsable(&error),
        RequestTokenError::Other(message) => unexpected(200, ResponseError::Library(message)),
    }
}

/// Converts an error of the discovery document or the key set.
pub(super) fn discovery_error(error: DiscoveryError<TransportError>) -> ProviderError {
    match error {
        DiscoveryError::Request(error) => error.into(),
        DiscoveryError::Response(status, _, message) => {
            unexpected(status.as_u16(), ResponseError::Library(message))
        }
        DiscoveryError::Validation(message) => ProviderError::because(Check::Issuer)(message),
        DiscoveryError::Parse(error) => unparsable(&error),
        DiscoveryError::UrlParse(error) => {
            unexpected(200, ResponseError::Library(error.to_string()))
        }
        DiscoveryError::Other(message) => unexpected(200, ResponseError::Library(message)),
        error => unexpected(200, ResponseError::Library(error.to_string())),
    }
}

fn unparsable(error: &serde_path_to_error::Error<serde_json::Error>) -> ProviderError {
    let source = ResponseError::Json {
        path: error.path().to_string(),
        line: error.inner().line(),
        column: error.inner().column(),
    };
    unexpected(200, source)
}

const fn unexpected(status: u16, source: ResponseError) -> ProviderError {
    ProviderError::UnexpectedResponse { status, source }
}
