//! The state of the session and of pending retries, returned to the UI by `watch`.

use invoicing_contract::{OrganizationId, SubjectId};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{CommandError, EnvironmentView, OrganizationView, VaultProblem, WindowBinding};

/// Everything that changes without a command of the UI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Incremented by every change.
    pub revision: u32,
    /// Signed out, signing in or signed in.
    pub session: SessionView,
    /// The organization that the calling window works in. `None` while nobody is signed in.
    pub binding: Option<WindowBinding>,
    /// What the organization is called that the window showed, if the user has no role in it any more and the window shows
    /// another one in its place.
    pub lost_organization: Option<String>,
    /// Calls that will be retried, oldest first.
    pub pending_retries: Vec<PendingRetry>,
    /// How many drafts of the window's organization the outbox has sent since the window was opened, accepted or not.
    pub deliveries: u32,
    /// How often data of the window's organization was changed outside of the window.
    pub changed_data: ChangeCounts,
    /// How many files wait for the calling window that the system asked this program to open.
    pub opened_files: u32,
    /// Whether a link to a document waits for the calling window.
    pub link_waits: bool,
    /// Whether a choice of the menu bar waits for the calling window.
    pub menu_choice_waits: bool,
    /// How often preferences were saved since the start, by any window: a change means that those of this window are out of
    /// date.
    pub preferences_saved: u32,
    /// How often a bulk run or an export has got on since the start: a change means that what is shown of them is out of
    /// date.
    pub bulk_progress: u32,
}

/// How often data was changed outside of a window since it was opened, by another window or in the background. A higher number
/// means that what the window shows of it is out of date.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangeCounts {
    /// Documents, their payments and attachments.
    pub documents: u32,
    /// Drafts on this computer.
    pub drafts: u32,
    /// Remembered buyers and items.
    pub master_data: u32,
    /// Templates and their schedules.
    pub templates: u32,
    /// Saved views and columns of lists.
    pub list_settings: u32,
    /// People, machine users, tenants and plans.
    pub administration: u32,
}

/// The state of the session.
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
        /// The environment of the last session or attempt since the start.
        last_environment: Option<String>,
        /// Why the last attempt or session ended, unless the user ended it.
        error: Option<CommandError>,
    },
    /// The browser was opened; the authorization response is pending.
    Waiting {
        /// The environment to sign in to.
        environment: EnvironmentView,
        /// The address that was opened, to be copied. It contains no secret: the PKCE verifier stays in Rust.
        address: String,
        /// How the authorization response reaches the application.
        callback_method: CallbackMethod,
        /// More than 25 seconds have passed.
        slow: bool,
        /// Why the last callback was rejected, or the browser not opened; the attempt goes on.
        error: Option<CommandError>,
    },
    /// The authorization response was accepted; the code is being exchanged.
    Finishing {
        /// The environment to sign in to.
        environment: EnvironmentView,
    },
    /// A user is signed in.
    SignedIn {
        /// Who.
        account: Account,
        /// Where.
        environment: EnvironmentView,
        /// The organizations of the verified roles claim, home first, then by name.
        organizations: Vec<OrganizationView>,
        /// Whether calls can be made.
        connectivity: Connectivity,
        /// Why the session is not stored for the next start, if it is not.
        vault: Option<VaultProblem>,
        /// Why signing in again failed; the session goes on.
        error: Option<Box<CommandError>>,
        /// When the roles claim was issued: role grants made later are not in it.
        roles_as_of: String,
        /// Whom the user acts as in this window, if that is somebody else. The organizations are those of that person.
        impersonation: Option<Box<ImpersonationView>>,
        /// When the session ends, if it cannot be renewed: the provider issued no refresh token, or refuses it.
        ends: Option<String>,
    },
}

/// An administrator acts as another person in one window (decision 0145).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImpersonationView {
    /// The person.
    pub person: Account,
    /// When it began, RFC 3339.
    pub since: String,
    /// When it ends by itself, RFC 3339.
    pub ends: String,
}

/// How the authorization response reaches the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CallbackMethod {
    /// Through the application's own scheme.
    DeepLink,
    /// Through a loopback redirect URI.
    Loopback,
}

/// Whether the session can make calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "state",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Connectivity {
    /// The last call got an answer.
    Online,
    /// The service cannot be reached.
    Offline {
        /// When it answered last.
        since: String,
    },
    /// The session cannot be renewed: the user has to sign in again. The window stays usable.
    Ended,
}

/// The signed-in user, from the verified id_token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// `sub`
    pub subject: SubjectId,
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
