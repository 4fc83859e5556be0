//! Lifetimes of sessions, authorization codes and tokens.

/// Lifetime of a browser session: one working day.
pub(crate) const SESSION_SECONDS: i64 = 12 * 60 * 60;
/// Lifetime of an authorization code (decision 0004).
pub(crate) const AUTHORIZATION_CODE_MS: i64 = 60 * 1000;
/// Lifetime of an access token (contract, part 8).
pub(crate) const ACCESS_TOKEN_SECONDS: i64 = 43_200;
/// An unused refresh token expires after this time (decision 0004).
pub(crate) const REFRESH_TOKEN_IDLE_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// A token family expires after this time, however often its refresh token is rotated (decision 0004).
pub(crate) const REFRESH_TOKEN_ABSOLUTE_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// Lifetime of the tokens of an impersonation. They cannot be refreshed (decision 0011).
pub(crate) const IMPERSONATION_SECONDS: i64 = 60 * 60;
