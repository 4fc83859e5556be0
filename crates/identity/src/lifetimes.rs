//! Lifetimes of sessions, authorization codes and tokens.

use std::time::Duration;

/// Lifetime of a browser session: one working day.
pub(crate) const SESSION_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);
/// How long a browser is known to the accounts that signed in there (decision 0093).
pub(crate) const DEVICE_LIFETIME: Duration = Duration::from_secs(180 * 24 * 60 * 60);
/// Lifetime of an authorization code (decision 0004).
pub(crate) const AUTHORIZATION_CODE_LIFETIME: Duration = Duration::from_secs(60);
/// Lifetime of an access token (contract, part 8).
pub(crate) const ACCESS_TOKEN_LIFETIME: Duration = Duration::from_secs(43_200);
/// An unused refresh token expires after this time (decision 0004).
pub(crate) const REFRESH_TOKEN_IDLE_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// A token family expires after this time, however often its refresh token is rotated (decision 0004).
pub(crate) const REFRESH_TOKEN_ABSOLUTE_LIFETIME: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// Lifetime of the tokens of an impersonation. They cannot be refreshed (decision 0011).
pub(crate) const IMPERSONATION_LIFETIME: Duration = Duration::from_secs(60 * 60);
/// How long an invited person has to set a password (decision 0116).
pub(crate) const INVITATION_LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long a person whose password was reset has to set another (decision 0116).
pub(crate) const PASSWORD_RESET_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// How far the clocks of two processes may differ.
pub(crate) const CLOCK_LEEWAY: Duration = Duration::from_secs(60);
