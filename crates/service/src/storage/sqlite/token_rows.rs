//! How rows become the records of [`crate::storage::tokens`].

use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};

use crate::identity::secret::TokenHash;
use crate::storage::subjects::Subject;
use crate::storage::tokens::{
    AccessToken, AuthorizationCode, Bearer, Family, FoundCode, FoundRefresh, PendingStep,
    RefreshToken, Session,
};

fn hash(row: &SqliteRow) -> sqlx::Result<TokenHash> {
    let bytes: Vec<u8> = row.try_get("hash")?;
    TokenHash::from_bytes(&bytes).ok_or_else(|| sqlx::Error::Decode("a hash has 32 bytes".into()))
}

impl FromRow<'_, SqliteRow> for Session {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let pending: Option<String> = row.try_get("pending")?;
        let pending = pending
            .map(|name| {
                PendingStep::named(&name).ok_or_else(|| {
                    sqlx::Error::Decode(format!("{name:?} is no step of signing in").into())
                })
            })
            .transpose()?;
        Ok(Self {
            pending,
            id: row.try_get("id")?,
            hash: hash(row)?,
            subject: row.try_get("subject")?,
            authenticated_at: row.try_get("authenticated_at")?,
            expires_at: row.try_get("expires_at")?,
        })
    }
}

impl FromRow<'_, SqliteRow> for Family {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let session_id: String = row.try_get("session_id")?;
        Ok(Self {
            id: row.try_get("id")?,
            client_id: row.try_get("client_id")?,
            subject: row.try_get("subject")?,
            session_id: Some(session_id).filter(|id| !id.is_empty()),
            scope: row.try_get("scope")?,
            authenticated_at: row.try_get("authenticated_at")?,
            expires_at: row.try_get("expires_at")?,
        })
    }
}

impl FromRow<'_, SqliteRow> for FoundCode {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let used_at: Option<i64> = row.try_get("used_at")?;
        let revoked_at: Option<i64> = row.try_get("revoked_at")?;
        Ok(Self {
            code: AuthorizationCode {
                hash: hash(row)?,
                redirect_uri: row.try_get("redirect_uri")?,
                code_challenge: row.try_get("code_challenge")?,
                nonce: row.try_get("nonce")?,
                expires_at: row.try_get("token_expires_at")?,
            },
            family: Family::from_row(row)?,
            spent: used_at.is_some() || revoked_at.is_some(),
        })
    }
}

impl FromRow<'_, SqliteRow> for FoundRefresh {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let used_at: Option<i64> = row.try_get("used_at")?;
        let revoked_at: Option<i64> = row.try_get("revoked_at")?;
        Ok(Self {
            token: RefreshToken {
                hash: hash(row)?,
                expires_at: row.try_get("token_expires_at")?,
            },
            family: Family::from_row(row)?,
            used: used_at.is_some(),
            revoked: revoked_at.is_some(),
        })
    }
}

impl FromRow<'_, SqliteRow> for AccessToken {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let audiences: String = row.try_get("audiences")?;
        Ok(Self {
            hash: hash(row)?,
            family: row.try_get("family")?,
            client_id: row.try_get("client_id")?,
            subject: row.try_get("subject")?,
            scope: row.try_get("scope")?,
            audiences: audiences.split_whitespace().map(str::to_owned).collect(),
            carries_home: row.try_get("carries_home")?,
            actor: row.try_get("actor")?,
            issued_at: row.try_get("issued_at")?,
            expires_at: row.try_get("expires_at")?,
        })
    }
}

impl FromRow<'_, SqliteRow> for Bearer {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            token: AccessToken::from_row(row)?,
            subject: Subject::from_row(row)?,
        })
    }
}
