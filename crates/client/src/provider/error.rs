//! What an identity provider can answer instead of helping.

use openidconnect::core::CoreErrorResponseType;
use openidconnect::{RequestTokenError, StandardErrorResponse};
use thiserror::Error;

use super::transport::TransportError;
use crate::environments::Environment;
use crate::views::{CommandError, Support};

type TokenError = RequestTokenError<TransportError, StandardErrorResponse<CoreErrorResponseType>>;

/// Why the identity provider did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum ProviderError {
    /// No connection: nothing was sent.
    #[error("the identity provider cannot be reached")]
    Unreachable,
    /// Something was sent, and no answer came.
    #[error("the identity provider's answer was lost")]
    AnswerLost,
    /// 5xx or 429: later, perhaps.
    #[error("the identity provider answered {status}")]
    Busy { status: u16 },
    /// Not an answer of an identity provider: a captive portal's page, a broken body.
    #[error("not the answer of an identity provider ({status})")]
    Strange { status: u16 },
    /// An OAuth error.
    #[error("the identity provider refused: {code}")]
    Refused { code: String },
    /// It does not stand up to verification.
    #[error("not to be trusted: {check}")]
    NotTrusted { check: &'static str },
    /// This computer's clock is wrong by so many minutes; positive: ahead.
    #[error("the clock is {minutes} minutes off")]
    ClockOff { minutes: i32 },
}

impl ProviderError {
    /// The refresh token is dead.
    pub(crate) fn is_invalid_grant(&self) -> bool {
        matches!(self, Self::Refused { code } if code == "invalid_grant")
    }

    /// The error in a command's terms.
    pub(crate) fn into_command_error(
        self,
        environment: &Environment,
        support: Support,
    ) -> CommandError {
        let support = Box::new(support);
        match self {
            Self::Unreachable | Self::AnswerLost => CommandError::Offline { support },
            Self::Busy { status } => CommandError::Unavailable {
                authority: false,
                support: Box::new(Support {
                    status: Some(status),
                    ..*support
                }),
            },
            Self::Strange { status } => CommandError::UnexpectedResponse {
                status,
                support: Box::new(Support {
                    status: Some(status),
                    ..*support
                }),
            },
            // A project id of another environment (contract, part 1).
            Self::Refused { code } if code == "invalid_client" => {
                CommandError::WrongEnvironmentPair {
                    auth_url: environment.issuer().to_owned(),
                }
            }
            Self::Refused { code } => CommandError::SignInRefused { code },
            Self::NotTrusted { check } => CommandError::NotTrusted {
                check: check.to_owned(),
            },
            Self::ClockOff { minutes } => CommandError::ClockOff { minutes },
        }
    }
}

/// `RequestTokenError` can hold the whole body, tokens included, so only its kind goes further.
pub(super) fn oauth_error(error: TokenError) -> ProviderError {
    match error {
        RequestTokenError::ServerResponse(refusal) => ProviderError::Refused {
            code: refusal.error().as_ref().to_owned(),
        },
        RequestTokenError::Request(error) => error.into(),
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
            ProviderError::Strange { status: 200 }
        }
    }
}
