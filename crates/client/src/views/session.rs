//! The state of the session and of waiting retries, pushed to the UI through `watch`.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{CommandError, EnvironmentView, OrganizationView, Place, VaultTrouble};

/// Everything that changes without the UI asking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Grows with every change.
    pub revision: u32,
    /// Signed out, signing in or signed in.
    pub session: SessionView,
    /// What the calling window is bound to.
    pub place: Option<Place>,
    /// Calls that wait to be tried again, oldest first.
    pub waits: Vec<Wait>,
    /// How many drafts have left by themselves since the start, accepted or not: then lists are out of date.
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

/// A call that failed in a way that may pass, and will be tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Wait {
    /// For `try_now` and `stop_waiting`.
    pub id: u32,
    /// What waits: a command, as `list_invoices`, or `outbox`, which sends drafts by itself.
    pub command: String,
    /// The organization it asks.
    pub organization: String,
    /// Whether it writes.
    pub write: bool,
    /// What it waits on.
    pub error: CommandError,
    /// When it goes again.
    pub until: String,
    /// How many tries have failed.
    pub tries: u32,
}
