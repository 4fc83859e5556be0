//! How rows become the records of [`invoicing_storage::tokens`].

use std::sync::Arc;

use rusqlite::types::Type;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};

use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{
    AccessToken, AuthorizationCode, Family, FoundCode, FoundRefresh, PendingStep, Reach,
    RefreshToken, Session,
};

/// How many places are looked through, in the statements below too. Two that were given out in the same millisecond have
/// the same number once in two million times: the second stands at the next that is free.
pub(super) const ALIKE: usize = 8;

/// An access token that is valid at a time, by its number and hash, and the number of changes at that time (table
/// `generation`). The columns are those that [`access_token`] takes.
pub(super) const VALID_ACCESS_TOKEN: &str =
    "SELECT a.lookup_key, a.hash, a.family, a.token_authorization, a.subject, a.actor, a.issued_at, a.expires_at,
        (SELECT number FROM generation)
     FROM access_tokens a WHERE a.lookup_key BETWEEN ?1 AND ?1 + 7 AND a.hash = ?2 AND a.expires_at > ?3
        AND a.revoked_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM revoked_families r WHERE r.family = a.family)";

/// A code by its number and hash, and the number of changes, for [`code`].
pub(super) const CODE: &str =
    "SELECT f.id, f.client_id, f.subject, f.session_id, f.scope, f.authenticated_at, f.expires_at, f.revoked_at,
        c.lookup_key, c.hash, c.used_at, c.expires_at, c.redirect_uri, c.code_challenge, c.nonce,
        (SELECT number FROM generation)
     FROM authorization_codes c JOIN families f ON f.id = c.family
     WHERE c.lookup_key BETWEEN ?1 AND ?1 + 7 AND c.hash = ?2";

/// A refresh token by its number and hash, and the number of changes, for [`refresh_token`].
pub(super) const REFRESH_TOKEN: &str =
    "SELECT f.id, f.client_id, f.subject, f.session_id, f.scope, f.authenticated_at, f.expires_at, f.revoked_at,
        r.lookup_key, r.hash, r.used_at, r.expires_at, (SELECT number FROM generation)
     FROM refresh_tokens r JOIN families f ON f.id = r.family
     WHERE r.lookup_key BETWEEN ?1 AND ?1 + 7 AND r.hash = ?2";

/// An access token, of which another row says how far it reaches.
pub(super) struct FoundAccess {
    /// Its number.
    pub(super) reach: i64,
    hash: TokenHash,
    family: Option<i64>,
    subject: String,
    actor: Option<String>,
    issued_at: i64,
    expires_at: i64,
}

impl FoundAccess {
    /// The token.
    pub(super) fn reaching(self, reach: Arc<Reach>) -> AccessToken {
        AccessToken {
            hash: self.hash,
            family: self.family,
            reach,
            subject: self.subject,
            actor: self.actor,
            issued_at: self.issued_at,
            expires_at: self.expires_at,
        }
    }
}

/// A row of [`VALID_ACCESS_TOKEN`].
pub(super) fn access_token(row: &rusqlite::Row<'_>) -> rusqlite::Result<(FoundAccess, i64)> {
    let found = FoundAccess {
        hash: hash(row, 0)?,
        family: row.get(2)?,
        reach: row.get(3)?,
        subject: row.get(4)?,
        actor: row.get(5)?,
        issued_at: row.get(6)?,
        expires_at: row.get(7)?,
    };
    Ok((found, row.get(8)?))
}

/// A row of [`CODE`].
pub(super) fn code(row: &rusqlite::Row<'_>) -> rusqlite::Result<(FoundCode, i64)> {
    let found = FoundCode {
        code: AuthorizationCode {
            hash: hash(row, 8)?,
            expires_at: row.get(11)?,
            redirect_uri: row.get(12)?,
            code_challenge: row.get(13)?,
            nonce: row.get(14)?,
        },
        family: family(row)?,
        spent: is_there(row, 10)? || is_there(row, REVOKED)?,
    };
    Ok((found, row.get(15)?))
}

/// A row of [`REFRESH_TOKEN`].
pub(super) fn refresh_token(row: &rusqlite::Row<'_>) -> rusqlite::Result<(FoundRefresh, i64)> {
    let found = FoundRefresh {
        token: RefreshToken {
            hash: hash(row, 8)?,
            expires_at: row.get(11)?,
        },
        family: family(row)?,
        used: is_there(row, 10)?,
        revoked: is_there(row, REVOKED)?,
    };
    Ok((found, row.get(12)?))
}

/// Where a row that begins with a family says when it was revoked.
const REVOKED: usize = 7;

fn family(row: &rusqlite::Row<'_>) -> rusqlite::Result<Family> {
    let session_id: String = row.get(3)?;
    Ok(Family {
        id: row.get(0)?,
        client_id: row.get(1)?,
        subject: row.get(2)?,
        session_id: Some(session_id).filter(|id| !id.is_empty()),
        scope: row.get(4)?,
        authenticated_at: row.get(5)?,
        expires_at: row.get(6)?,
    })
}

fn is_there(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<bool> {
    Ok(row.get::<_, Option<i64>>(column)?.is_some())
}

/// The number in `column` and the hash in the next.
fn hash(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<TokenHash> {
    let number = row.get(column)?;
    TokenHash::kept(number, row.get_ref(column + 1)?.as_blob()?).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(column + 1, Type::Blob, NOT_A_HASH.into())
    })
}

const NOT_A_HASH: &str = "a hash has 32 bytes";

/// A row as its record.
pub(super) struct SessionRow(pub(super) Session);

impl FromRow<'_, SqliteRow> for SessionRow {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let pending: Option<String> = row.try_get("pending")?;
        let pending = pending
            .map(|name| {
                PendingStep::named(&name).ok_or_else(|| {
                    sqlx::Error::Decode(format!("{name:?} is no step of signing in").into())
                })
            })
            .transpose()?;
        let hash: Vec<u8> = row.try_get("hash")?;
        Ok(Self(Session {
            pending,
            id: row.try_get("id")?,
            hash: TokenHash::from_bytes(&hash)
                .ok_or_else(|| sqlx::Error::Decode(NOT_A_HASH.into()))?,
            subject: row.try_get("subject")?,
            authenticated_at: row.try_get("authenticated_at")?,
            expires_at: row.try_get("expires_at")?,
        }))
    }
}
