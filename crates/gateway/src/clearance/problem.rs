//! Why a tax authority has not answered: the text that is stored with an attempt, and the code of it that callers have words for.

use std::time::Duration;

use invoicing_contract::messages::documents::AuthorityProblem;

use super::addresses::EndpointProblem;

/// Why there is no decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) kind: ProblemKind,
    /// How long the authority asks to wait.
    pub(crate) retry_after: Option<Duration>,
}

impl Problem {
    pub(super) const fn new(kind: ProblemKind) -> Self {
        Self {
            kind,
            retry_after: None,
        }
    }
}

impl From<EndpointProblem> for Problem {
    fn from(problem: EndpointProblem) -> Self {
        Self::new(ProblemKind::Endpoint(problem))
    }
}

/// Its text has no addresses and credentials. It is stored with an attempt, and [`problem_code`] reads it: a text that is changed has no
/// code any more where it is stored already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProblemKind {
    #[error("{0}")]
    Endpoint(EndpointProblem),
    #[error(
        "the service cannot set up encrypted connections: its log says why, most likely the certificates of its system cannot be read"
    )]
    NoClient,
    #[error("the credentials cannot be decrypted")]
    CredentialsUnreadable,
    #[error("the authority refuses the credentials")]
    CredentialsRefused,
    #[error("the connection failed")]
    NotConnected,
    #[error("no answer in time")]
    NoAnswer,
    #[error("the connection broke")]
    ConnectionLost,
    #[error("the authority answered with status {0}")]
    Status(u16),
    #[error("the answer is not a decision")]
    NotADecision,
    #[error("the answer is too large")]
    TooLarge,
}

/// All kinds but those of a status.
const WITHOUT_STATUS: [ProblemKind; 12] = [
    ProblemKind::Endpoint(EndpointProblem::NotAUrl),
    ProblemKind::Endpoint(EndpointProblem::NotEncrypted),
    ProblemKind::Endpoint(EndpointProblem::Credentials),
    ProblemKind::Endpoint(EndpointProblem::Private),
    ProblemKind::NoClient,
    ProblemKind::CredentialsUnreadable,
    ProblemKind::CredentialsRefused,
    ProblemKind::NotConnected,
    ProblemKind::NoAnswer,
    ProblemKind::ConnectionLost,
    ProblemKind::NotADecision,
    ProblemKind::TooLarge,
];

impl ProblemKind {
    pub(super) const fn code(self) -> AuthorityProblem {
        match self {
            Self::Endpoint(_) => AuthorityProblem::Endpoint,
            Self::NoClient => AuthorityProblem::Service,
            Self::CredentialsUnreadable => AuthorityProblem::CredentialsUnreadable,
            Self::CredentialsRefused => AuthorityProblem::CredentialsRefused,
            Self::NotConnected => AuthorityProblem::NotConnected,
            Self::NoAnswer => AuthorityProblem::NoAnswer,
            Self::ConnectionLost => AuthorityProblem::ConnectionLost,
            Self::Status(_) => AuthorityProblem::Status,
            Self::NotADecision | Self::TooLarge => AuthorityProblem::NotADecision,
        }
    }
}

/// The code of the text that an attempt was stored with.
pub(crate) fn problem_code(text: &str, http_status: Option<u16>) -> AuthorityProblem {
    let of_status = http_status.map(ProblemKind::Status);
    WITHOUT_STATUS
        .into_iter()
        .chain(of_status)
        .find(|kind| kind.to_string() == text)
        .map_or(AuthorityProblem::Unspecified, ProblemKind::code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_is_read_from_the_text_that_was_stored() {
        let status = ProblemKind::Status(503);
        let kinds = || WITHOUT_STATUS.into_iter().chain([status]);
        for kind in kinds() {
            let http_status = (kind == status).then_some(503);
            assert_eq!(problem_code(&kind.to_string(), http_status), kind.code());
        }
        let codes = (1..).map_while(|code| AuthorityProblem::try_from(code).ok());
        for code in codes {
            assert!(kinds().any(|kind| kind.code() == code), "{code:?}");
        }
        for text in ["", "the answer of an earlier release"] {
            assert_eq!(problem_code(text, None), AuthorityProblem::Unspecified);
        }
    }
}
