//! Lookups of sessions, codes and tokens, and how their rows become records.

use std::sync::Arc;

use invoicing_contract::{SubjectId, Timestamp};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{
    AccessToken, AuthorizationCode, Family, FoundCode, FoundRefreshToken, PendingStep,
    RefreshToken, Session, TokenActor, TokenAuthorization,
};
use invoicing_storage::{Basis, StorageError};
use tokio_postgres::Row;

use crate::engine::{
    EngineError, identifier, invalid_value, optional_identifier, optional_timestamp, timestamp,
};

/// Whether the family with the id `$family` in the bucket `$bucket` is revoked. The row is read as a value: for an EXISTS the
/// planner may read all revoked families.
macro_rules! family_is_revoked {
    ($bucket:literal, $family:literal) => {
        concat!(
            "(SELECT number FROM revoked WHERE bucket = ",
            $bucket,
            " AND kind = 'family' AND number = ",
            $family,
            " AND hash = '') IS NOT NULL"
        )
    };
}
pub(super) use family_is_revoked;

/// The families that can have the code with the number `$code`. Their ids and that of the code begin with times that differ by a
/// day at most, so that the lookup visits one partition or two.
macro_rules! families_around_code {
    ($code:literal) => {
        concat!(
            "f.code_number = ",
            $code,
            "::bigint AND f.bucket = (",
            $code,
            "::bigint & 1023)::smallint AND f.id BETWEEN (",
            $code,
            "::bigint >> 21) - 86400000 << 21 AND (",
            $code,
            "::bigint >> 21) + 86400001 << 21"
        )
    };
}
pub(super) use families_around_code;

/// The columns of a family `f`, which [`family`] reads, and the current version.
macro_rules! family_columns {
    () => {
        concat!(
            "f.id, f.client_id, f.subject, f.session_id, f.scope, f.epoch, f.authenticated_at, f.expires_at AS family_expires_at, ",
            family_is_revoked!("f.bucket", "f.id"),
            " AS revoked, (SELECT number FROM versions WHERE name = 'directory') AS version"
        )
    };
}

/// An access token that is valid at a time, by number and hash, with the current version.
pub(super) const SELECT_VALID_ACCESS_TOKEN: &str = concat!(
    "SELECT a.number, a.hash, a.family, a.token_authorization, a.subject, a.epoch, a.actor, a.actor_epoch, a.issued_at,
        a.expires_at, (SELECT number FROM versions WHERE name = 'directory') AS version
     FROM access_tokens a
     WHERE a.number = $1::bigint AND a.hash = $2 AND a.bucket = ($1::bigint & 1023)::smallint AND a.expires_at > $3
        AND (SELECT number FROM revoked
            WHERE bucket = a.bucket AND kind = 'access_token' AND number = a.number AND hash = a.hash) IS NULL
        AND NOT ",
    family_is_revoked!("a.bucket", "a.family")
);

/// A code by number and hash.
pub(super) const SELECT_CODE: &str = concat!(
    "SELECT f.code_number, f.code_hash, f.redirect_uri, f.code_challenge, f.nonce, f.code_expires_at, f.code_used_at, ",
    family_columns!(),
    " FROM families f WHERE f.code_hash = $2 AND ",
    families_around_code!("$1")
);

/// A refresh token by number and hash. The family is looked up by its id: without the limit the planner may join all families.
pub(super) const SELECT_REFRESH_TOKEN: &str = concat!(
    "SELECT r.number, r.hash, r.expires_at, r.used_at, ",
    family_columns!(),
    " FROM refresh_tokens r CROSS JOIN LATERAL
        (SELECT * FROM families WHERE id = r.family AND bucket = r.bucket LIMIT 1) f
     WHERE r.number = $1::bigint AND r.hash = $2 AND r.bucket = ($1::bigint & 1023)::smallint"
);

/// A session that has not ended, by the hash of its cookie.
pub(super) const SELECT_SESSION: &str =
    "SELECT id, hash, subject, epoch, authenticated_at, expires_at, pending FROM sessions
     WHERE hash = $1 AND expires_at > $2 AND ended_at IS NULL";

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
pub(super) fn access_token(row: &Row) -> Result<AccessTokenRow, EngineError> {
    let actor = optional_identifier(row, "actor")?;
    let actor_epoch: Option<i64> = row.try_get("actor_epoch")?;
    Ok(AccessTokenRow {
        authorization_id: row.try_get("token_authorization")?,
        basis: Basis::read(row.try_get("version")?),
        hash: hash(row, "number", "hash")?,
        family: row.try_get("family")?,
        subject: identifier(row, "subject")?,
        epoch: row.try_get("epoch")?,
        actor: actor
            .zip(actor_epoch)
            .map(|(subject, epoch)| TokenActor { subject, epoch }),
        issued_at: timestamp(row, "issued_at")?,
        expires_at: timestamp(row, "expires_at")?,
    })
}

/// A row of [`SELECT_CODE`].
pub(super) fn code(row: &Row) -> Result<FoundCode, EngineError> {
    let revoked: bool = row.try_get("revoked")?;
    Ok(FoundCode {
        code: AuthorizationCode {
            hash: hash(row, "code_number", "code_hash")?,
            redirect_uri: row.try_get("redirect_uri")?,
            code_challenge: row.try_get("code_challenge")?,
            nonce: row.try_get("nonce")?,
            expires_at: timestamp(row, "code_expires_at")?,
        },
        family: family(row)?,
        used: optional_timestamp(row, "code_used_at")?.is_some() || revoked,
        basis: Basis::read(row.try_get("version")?),
    })
}

/// A row of [`SELECT_REFRESH_TOKEN`].
pub(super) fn refresh_token(row: &Row) -> Result<FoundRefreshToken, EngineError> {
    Ok(FoundRefreshToken {
        token: RefreshToken {
            hash: hash(row, "number", "hash")?,
            expires_at: timestamp(row, "expires_at")?,
        },
        family: family(row)?,
        used: optional_timestamp(row, "used_at")?.is_some(),
        revoked: row.try_get("revoked")?,
        basis: Basis::read(row.try_get("version")?),
    })
}

/// A row of [`SELECT_SESSION`].
pub(super) fn session(row: &Row) -> Result<Session, EngineError> {
    let pending: Option<&str> = row.try_get("pending")?;
    let pending = pending.map(|name| {
        PendingStep::named(name).ok_or_else(|| invalid_value(name, "step of signing in"))
    });
    Ok(Session {
        id: row.try_get("id")?,
        hash: TokenHash::from_bytes(row.try_get("hash")?).ok_or_else(invalid_hash)?,
        subject: identifier(row, "subject")?,
        epoch: row.try_get("epoch")?,
        authenticated_at: timestamp(row, "authenticated_at")?,
        expires_at: timestamp(row, "expires_at")?,
        pending: pending.transpose()?,
    })
}

fn family(row: &Row) -> Result<Family, EngineError> {
    Ok(Family {
        id: row.try_get("id")?,
        client_id: identifier(row, "client_id")?,
        subject: identifier(row, "subject")?,
        session_id: row.try_get("session_id")?,
        scope: row.try_get("scope")?,
        epoch: row.try_get("epoch")?,
        authenticated_at: timestamp(row, "authenticated_at")?,
        expires_at: timestamp(row, "family_expires_at")?,
    })
}

/// The hash in a column, with its number in another.
pub(super) fn hash(row: &Row, number: &str, hash: &str) -> Result<TokenHash, EngineError> {
    let number = row.try_get(number)?;
    TokenHash::stored(number, row.try_get(hash)?).ok_or_else(invalid_hash)
}

pub(super) fn invalid_hash() -> EngineError {
    StorageError::corrupt("a hash has 32 bytes").into()
}
