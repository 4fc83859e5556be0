//! Columns of the token tables, and how their rows become records.

use std::sync::Arc;

use invoicing_contract::{SubjectId, Timestamp};
use rusqlite::Row;
use rusqlite::types::Type;

use crate::engine::{identifier, invalid_value, optional_identifier, timestamp};
use invoicing_storage::Basis;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{
    AccessToken, AuthorizationCode, Family, FoundCode, FoundRefreshToken, PendingStep,
    RefreshToken, Session, TokenActor, TokenAuthorization,
};

/// How many keys are probed for a hash, in all statements that find a row by its hash. Two tokens of the same millisecond have
/// the same lookup key once in two million times, two of the same family once in two thousand (decision 0034); the second is
/// stored at the next free key.
pub(super) const PROBE_LIMIT: usize = 8;

/// The columns of a family, which [`family`] and [`is_revoked`] read.
macro_rules! family_columns {
    () => {
        "f.id, f.client_id, f.subject, f.session_id, f.scope, f.authenticated_at, f.expires_at, f.revoked_at, f.epoch"
    };
}

/// An access token that is valid at a time, by lookup key and hash, with the current version.
pub(super) const SELECT_VALID_ACCESS_TOKEN: &str =
    "SELECT a.lookup_key, a.hash, a.family, a.token_authorization, a.subject, a.actor, a.issued_at, a.expires_at,
        (SELECT number FROM generation), a.epoch, a.actor_epoch
     FROM access_tokens a WHERE a.lookup_key BETWEEN ?1 AND ?1 + 7 AND a.hash = ?2 AND a.expires_at > ?3
        AND a.revoked_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM revoked_families r WHERE r.family = a.family)";

/// A code by lookup key and hash, with the current version.
pub(super) const SELECT_CODE: &str = concat!(
    "SELECT ",
    family_columns!(),
    ", c.lookup_key, c.hash, c.used_at, c.expires_at, c.redirect_uri, c.code_challenge, c.nonce, (SELECT number FROM generation)
     FROM authorization_codes c JOIN families f ON f.id = c.family
     WHERE c.lookup_key BETWEEN ?1 AND ?1 + 7 AND c.hash = ?2"
);

/// A refresh token by lookup key and hash, with the current version.
pub(super) const SELECT_REFRESH_TOKEN: &str = concat!(
    "SELECT ",
    family_columns!(),
    ", r.lookup_key, r.hash, r.used_at, r.expires_at, (SELECT number FROM generation)
     FROM refresh_tokens r JOIN families f ON f.id = r.family
     WHERE r.lookup_key BETWEEN ?1 AND ?1 + 7 AND r.hash = ?2"
);

/// A session that has not ended, by the hash of its cookie.
pub(super) const SELECT_SESSION: &str =
    "SELECT id, hash, subject, authenticated_at, expires_at, pending, epoch FROM sessions
     WHERE hash = ?1 AND expires_at > ?2 AND ended_at IS NULL";

/// A row of `access_tokens`: the token without its authorization.
pub(super) struct AccessTokenRow {
    pub(super) authorization_id: i64,
    pub(super) basis: Basis,
    hash: TokenHash,
    family: Option<i64>,
    subject: SubjectId,
    epoch: i64,
    actor: Option<TokenActor>,
    issued_at: Timestamp,
    expires_at: Timestamp,
}

impl AccessTokenRow {
    /// The token with its authorization.
    pub(super) fn into_token(self, authorization: Arc<TokenAuthorization>) -> AccessToken {
        AccessToken {
            hash: self.hash,
            family: self.family,
            authorization,
            subject: self.subject,
            epoch: self.epoch,
            actor: self.actor,
            issued_at: self.issued_at,
            expires_at: self.expires_at,
        }
    }
}

/// A row of [`SELECT_VALID_ACCESS_TOKEN`].
pub(super) fn access_token(row: &Row<'_>) -> rusqlite::Result<AccessTokenRow> {
    let actor = match optional_identifier(row, 5)? {
        Some(subject) => Some(TokenActor {
            subject,
            epoch: row.get(10)?,
        }),
        None => None,
    };
    Ok(AccessTokenRow {
        hash: hash(row, 0)?,
        family: row.get(2)?,
        authorization_id: row.get(3)?,
        subject: identifier(row, 4)?,
        epoch: row.get(9)?,
        actor,
        issued_at: timestamp(row, 6)?,
        expires_at: timestamp(row, 7)?,
        basis: Basis::read(row.get(8)?),
    })
}

/// A row of [`SELECT_CODE`].
pub(super) fn code(row: &Row<'_>) -> rusqlite::Result<FoundCode> {
    Ok(FoundCode {
        code: AuthorizationCode {
            hash: hash(row, 9)?,
            expires_at: timestamp(row, 12)?,
            redirect_uri: row.get(13)?,
            code_challenge: row.get(14)?,
            nonce: row.get(15)?,
        },
        family: family(row)?,
        used: has_value(row, 11)? || is_revoked(row)?,
        basis: Basis::read(row.get(16)?),
    })
}

/// A row of [`SELECT_REFRESH_TOKEN`].
pub(super) fn refresh_token(row: &Row<'_>) -> rusqlite::Result<FoundRefreshToken> {
    Ok(FoundRefreshToken {
        token: RefreshToken {
            hash: hash(row, 9)?,
            expires_at: timestamp(row, 12)?,
        },
        family: family(row)?,
        used: has_value(row, 11)?,
        revoked: is_revoked(row)?,
        basis: Basis::read(row.get(13)?),
    })
}

/// A row of [`SELECT_SESSION`].
pub(super) fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    let pending: Option<String> = row.get(5)?;
    let pending = pending.map(|name| {
        PendingStep::named(&name).ok_or_else(|| invalid_value(&name, "step of signing in"))
    });
    Ok(Session {
        id: row.get(0)?,
        hash: TokenHash::from_bytes(row.get_ref(1)?.as_blob()?).ok_or_else(|| invalid_hash(1))?,
        subject: identifier(row, 2)?,
        epoch: row.get(6)?,
        authenticated_at: timestamp(row, 3)?,
        expires_at: timestamp(row, 4)?,
        pending: pending.transpose()?,
    })
}

fn family(row: &Row<'_>) -> rusqlite::Result<Family> {
    let session_id: String = row.get(3)?;
    Ok(Family {
        id: row.get(0)?,
        client_id: identifier(row, 1)?,
        subject: identifier(row, 2)?,
        session_id: Some(session_id).filter(|id| !id.is_empty()),
        scope: row.get(4)?,
        epoch: row.get(8)?,
        authenticated_at: timestamp(row, 5)?,
        expires_at: timestamp(row, 6)?,
    })
}

fn is_revoked(row: &Row<'_>) -> rusqlite::Result<bool> {
    has_value(row, 7)
}

pub(super) fn has_value(row: &Row<'_>, column: usize) -> rusqlite::Result<bool> {
    Ok(row.get::<_, Option<i64>>(column)?.is_some())
}

/// The lookup key in `column` and the hash in the next.
pub(super) fn hash(row: &Row<'_>, column: usize) -> rusqlite::Result<TokenHash> {
    let lookup_key = row.get(column)?;
    let bytes = row.get_ref(column + 1)?.as_blob()?;
    TokenHash::stored(lookup_key, bytes).ok_or_else(|| invalid_hash(column + 1))
}

fn invalid_hash(column: usize) -> rusqlite::Error {
    let problem = "a hash has 32 bytes";
    rusqlite::Error::FromSqlConversionFailure(column, Type::Blob, problem.into())
}
