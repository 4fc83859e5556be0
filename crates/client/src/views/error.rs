//! The error of all commands. The UI's table gives each kind its text, position and actions.

use invoicing_contract::{DocumentKey, OrganizationId};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{
    AttachmentProblem, EnvironmentProblem, FileProblem, InvoiceView, MoveProblem, RedactedText,
    Support, Violation,
};

/// Why a command failed, tagged by `kind`. No variant carries a server's message as the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum CommandError {
    // Errors of the gateway (contract, part 7).
    /// INVALID_ARGUMENT (3)
    InvalidArgument {
        /// All of them.
        violations: Vec<Violation>,
        /// For the details.
        support: Box<Support>,
    },
    /// FAILED_PRECONDITION (9)
    FailedPrecondition {
        /// The document as it is now, read again, if that worked.
        current: Option<Box<InvoiceView>>,
        /// For the details.
        support: Box<Support>,
    },
    /// ABORTED (10): another user wrote, and the changes overlap.
    Aborted {
        /// The document as it is now, read again, if that worked.
        current: Option<Box<InvoiceView>>,
        /// For the details.
        support: Box<Support>,
    },
    /// ALREADY_EXISTS (6)
    AlreadyExists {
        /// The document with that key, if it can be read.
        current: Option<Box<InvoiceView>>,
        /// For the details.
        support: Box<Support>,
    },
    /// NOT_FOUND (5)
    NotFound {
        /// For the details.
        support: Box<Support>,
    },
    /// PERMISSION_DENIED (7)
    PermissionDenied {
        /// The scope that the operation requires. It is from the contract: the service does not return it.
        scope: String,
        /// For the details.
        support: Box<Support>,
    },
    /// UNAUTHENTICATED (16), and refreshing has failed for good.
    SessionEnded {
        /// For the details.
        support: Box<Support>,
    },
    /// RESOURCE_EXHAUSTED (8), a rate.
    RateLimited {
        /// For the details.
        support: Box<Support>,
    },
    /// RESOURCE_EXHAUSTED (8), the plan: waiting does not help.
    PlanLimit {
        /// For the details.
        support: Box<Support>,
    },
    /// 503 with an empty body: the organization cannot be resolved to a tenant. Nothing was written.
    OrganizationUnavailable {
        /// Whether another organization of the user answers. Otherwise the whole service is out of order, as far as can be
        /// told from here.
        others_answer: bool,
        /// For the details.
        support: Box<Support>,
    },
    /// UNAVAILABLE (14)
    Unavailable {
        /// The tax authority, and not the service, does not answer.
        authority: bool,
        /// For the details.
        support: Box<Support>,
    },
    /// INTERNAL (13), and anything else the contract does not know.
    Internal {
        /// For the details.
        support: Box<Support>,
    },

    // Errors of the transport.
    /// There is no connection, and nothing was sent.
    Offline {
        /// For the details.
        support: Box<Support>,
    },
    /// A write was sent and its response was lost.
    UnknownOutcome {
        /// The document to check. `None`: the write was of no document, but of the administration, whose lists are read again.
        key: Option<DocumentKey>,
        /// For the details.
        support: Box<Support>,
    },
    /// The response is not one of the contract: a proxy's page, a malformed body.
    UnexpectedResponse {
        /// HTTP status.
        status: u16,
        /// For the details.
        support: Box<Support>,
    },

    // Refused by the client, before any request.
    /// Nobody is signed in.
    NotSignedIn,
    /// The window has switched to another organization since.
    StaleBinding,
    /// The organization is not in the roles claim.
    OrganizationNotGranted {
        /// Its id.
        organization: OrganizationId,
    },
    /// The user acts as another person in this window, and nothing that outlives it is written on this computer (decision 0145).
    NotWhileImpersonating,
    /// There is no local draft with this key.
    DraftNotFound,
    /// The draft is being edited in another window. Nothing was changed.
    DraftInOtherWindow {
        /// Its key.
        key: DocumentKey,
    },
    /// The draft stays in its organization. Nothing was changed.
    DraftNotMoved {
        /// Why.
        problem: MoveProblem,
    },
    /// No other window was opened.
    WindowNotOpened {
        /// How many windows are open, if no more than that can be; otherwise the system did not open it.
        limit: Option<u32>,
    },
    /// Another version of the application saved the draft, in a form that this one cannot read. The draft is unchanged.
    UnknownDraftVersion {
        /// The version of the stored form.
        version: u32,
    },
    /// The disk refused to save something.
    NotSaved {
        /// Why.
        problem: DiskProblem,
        /// What the system says, without paths; for support.
        reason: String,
    },
    /// The pages of a document could not be made.
    NotPrinted,
    /// A file is no invoice that can be read. Nothing of it is kept.
    FileNotRead {
        /// Why.
        problem: FileProblem,
        /// Where, in bytes from its start.
        position: Option<u32>,
    },
    /// A file cannot be attached. Nothing of it is kept.
    AttachmentRefused {
        /// Its name.
        file: RedactedText,
        /// Why.
        problem: AttachmentProblem,
    },
    /// The disk does not give what is stored of the session, so that it is unknown who is signed in. Nothing was deleted.
    AccountNotRead {
        /// Why.
        problem: DiskProblem,
        /// What the system says, without paths; for support.
        reason: String,
    },
    /// The arguments of the command are invalid: a defect of the UI.
    InvalidCall {
        /// Which.
        reason: String,
    },

    // Signing in.
    /// There is no environment with this name.
    UnknownEnvironment,
    /// The configuration of the environment is invalid. Nothing was saved.
    EnvironmentRefused {
        /// All problems of the configuration.
        problems: Vec<EnvironmentProblem>,
    },
    /// No sign-in attempt is in progress.
    NothingToContinue,
    /// The system could not open a browser. The user can copy the address.
    BrowserNotOpened,
    /// This computer gave no port for the answer of the browser, and no sign-in has begun.
    LoopbackNotOpened {
        /// What the system says; for support.
        reason: String,
    },
    /// The callback was refused.
    CallbackRefused {
        /// Why.
        refusal: CallbackRefusal,
    },
    /// The identity provider refused, with its OAuth error code.
    SignInRefused {
        /// As `access_denied`.
        code: String,
    },
    /// Somebody else is signed in to the browser than to this session, which goes on as it was.
    OtherAccount {
        /// The user name of the other.
        username: RedactedText,
    },
    /// The verification of the id_token or of the discovery document failed.
    NotTrusted {
        /// Which check failed.
        check: String,
    },
    /// `invalid_client`: the project-audience id does not belong to this identity provider.
    WrongEnvironmentPair {
        /// Address of the identity provider.
        auth_url: String,
    },
    /// This computer's clock differs from the service's by more than five minutes.
    ClockOff {
        /// Positive: ahead.
        minutes: i32,
    },
    /// The keyring could not be used.
    Vault {
        /// Why.
        problem: VaultProblem,
    },
    /// The application stopped during a refresh, and the session was lost.
    SessionInterrupted,
    /// The embedded local environment did not start.
    LocalEnvironment {
        /// Why.
        reason: LocalEnvironmentProblem,
        /// The port or the folder, or the error's text.
        what: String,
    },
}

impl CommandError {
    /// What could not be saved for another reason than the disk: a value that has no stored form, a file that is missing.
    pub(crate) fn not_saved(reason: impl ToString) -> Self {
        Self::NotSaved {
            problem: DiskProblem::Other,
            reason: reason.to_string(),
        }
    }

    /// The support data of the error; empty if no request was made.
    pub(crate) fn into_support(self) -> Box<Support> {
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the others were refused before any request"
        )]
        match self {
            Self::InvalidArgument { support, .. }
            | Self::FailedPrecondition { support, .. }
            | Self::Aborted { support, .. }
            | Self::AlreadyExists { support, .. }
            | Self::NotFound { support }
            | Self::PermissionDenied { support, .. }
            | Self::SessionEnded { support }
            | Self::RateLimited { support }
            | Self::PlanLimit { support }
            | Self::OrganizationUnavailable { support, .. }
            | Self::Unavailable { support, .. }
            | Self::Internal { support }
            | Self::Offline { support }
            | Self::UnknownOutcome { support, .. }
            | Self::UnexpectedResponse { support, .. } => support,
            _ => Box::default(),
        }
    }
}

/// Why the disk refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DiskProblem {
    /// It is full, or what the user may use of it.
    NoSpace,
    /// The user may not do that there.
    NotPermitted,
    /// It can only be read.
    ReadOnly,
    /// The file or its folder is not there.
    Missing,
    /// Another reason.
    Other,
}

/// Why the embedded local environment did not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum LocalEnvironmentProblem {
    /// Another program listens on its port.
    PortInUse,
    /// Its database cannot be read.
    CorruptDatabase,
    /// The disk is full.
    NoSpace,
    /// Another error.
    Other,
}

/// Why a callback was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CallbackRefusal {
    /// It is malformed: no URL, another scheme or path, a fragment, a duplicate or missing parameter.
    Broken,
    /// Its `state` belongs to another attempt, or no attempt is in progress.
    OtherAttempt,
    /// Its `iss` is another identity provider.
    OtherIssuer,
    /// The attempt is too old.
    TooLate,
}

/// Why the keyring cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum VaultProblem {
    /// It is locked, or the user dismissed the unlock dialog.
    Locked,
    /// The system has none.
    Absent,
    /// It has not answered yet: its prompt is open, perhaps behind another window.
    Waiting,
}
