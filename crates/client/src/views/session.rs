//! The state of the session and of waiting retries, pushed to the UI through `watch`.

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{CommandError, EnvironmentView, OrganizationView, VaultTrouble, WindowBinding};

/// Everything that changes without the UI asking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Grows with every change.
    pub revision: u32,
    /// Signed out, signing in or signed in.
    pub session: SessionView,
    /// The organization that the calling window works in. `None` while nobody is signed in.
    pub binding: Option<WindowBinding>,
    /// Calls that will be retried, oldest first.
    pub pending_retries: Vec<PendingRetry>,
    /// How many drafts the outbox has sent since the start, accepted or not: a change means that lists are out of date.
    pub deliveries: u32,
}

/// Where the session stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "state",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum SessionView {
    /// The keyring is being read at start.
    Starting,
    /// Nobody is signed in.
    SignedOut {
        /// Where somebody was signed in or tried to, since the start.
        last_environment: Option<String>,
        /// Why the last attempt or session ended, if that was not asked for.
        trouble: Option<CommandError>,
    },
    /// The browser has been opened.
    Waiting {
        /// Where to sign in.
        environment: EnvironmentView,
        /// The address that was opened, to be copied. It holds no secret: the verifier stays in Rust.
        address: String,
        /// How the answer comes back.
        way_back: WayBack,
        /// More than 25 seconds have passed.
        slow: bool,
        /// What was wrong with the last answer or with opening the browser; the attempt goes on.
        trouble: Option<CommandError>,
    },
    /// The answer has come and is being checked.
    Finishing {
        /// Where to.
        environment: EnvironmentView,
    },
    /// Somebody is signed in.
    SignedIn {
        /// Who.
        account: Account,
        /// Where.
        environment: EnvironmentView,
        /// The organizations of the verified roles claim, home first, then by name.
        organizations: Vec<OrganizationView>,
        /// Whether calls can be made.
        standing: Standing,
        /// Why the session is not kept for the next start, if it is not.
        vault: Option<VaultTrouble>,
        /// Why signing in again failed; whoever is signed in stays so.
        trouble: Option<Box<CommandError>>,
        /// When the roles claim was made: grants given since are not in it.
        roles_as_of: String,
    },
}

/// How the browser's answer reaches the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum WayBack {
    /// Through the application's own scheme.
    DeepLink,
    /// Through a port of this computer.
    Loopback,
}

/// Whether the session can make calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "state",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Standing {
    /// Yes.
    Online,
    /// The service cannot be reached.
    Offline {
        /// The last time it answered.
        since: String,
    },
    /// The refresh token is dead: sign in to go on; the window stays usable.
    Ended,
}

/// The signed-in user, from the verified id_token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// `sub`
    pub subject: String,
    /// `name`, or else the user name.
    pub name: String,
    /// `preferred_username`
    pub username: String,
}

/// A call that failed with a temporary error and will be retried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PendingRetry {
    /// For `retry_now` and `cancel_retry`.
    pub id: u32,
    /// The command, as `list_invoices`, or `outbox`, which sends drafts in the background.
    pub command: String,
    /// The organization that it targets.
    pub organization: OrganizationId,
    /// Whether it writes.
    pub write: bool,
    /// Why the last attempt failed.
    pub error: CommandError,
    /// Time of the next attempt, RFC 3339.
    pub until: String,
    /// How many attempts have failed.
    pub failed_attempts: u32,
}
