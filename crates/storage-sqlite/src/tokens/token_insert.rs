//! What one request inserts: tokens, the condition under which they are inserted, and the audit events about them.

use invoicing_contract::Timestamp;

use invoicing_storage::Basis;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{AccessToken, Family, RefreshToken};

/// Tokens to insert, and the condition under which they are.
pub(super) struct TokenInsert {
    /// What the request presented. Of all requests that present it, one succeeds.
    pub(super) consumes: Option<Consumes>,
    /// A new authorization, unless the tokens belong to one that is stored.
    pub(super) family: Option<Family>,
    pub(super) access: AccessToken,
    pub(super) refresh: Option<RefreshToken>,
    /// Recorded in the same transaction.
    pub(super) events: Vec<AuditEvent>,
    /// When the presented code or token is used.
    pub(super) now: Timestamp,
    /// The version that must be current, if the request has assumed one.
    pub(super) assumed: Option<Basis>,
}

/// A credential for one use.
pub(super) enum Consumes {
    Code(TokenHash),
    RefreshToken(TokenHash),
}

impl TokenInsert {
    /// Inserts an access token and its refresh token at the time of issue.
    pub(super) fn new(access: AccessToken, refresh: Option<RefreshToken>) -> Box<Self> {
        Box::new(Self {
            consumes: None,
            family: None,
            now: access.issued_at,
            access,
            refresh,
            events: Vec::new(),
            assumed: None,
        })
    }
}
