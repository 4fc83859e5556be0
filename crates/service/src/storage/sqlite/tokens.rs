//! [`TokenStore`] on SQLite.

use std::sync::LazyLock;

use async_trait::async_trait;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqlitePool;

use super::Sqlite;
use super::audit::record;
use crate::identity::secret::TokenHash;
use crate::storage::StorageError;
use crate::storage::audit::Entry;
use crate::storage::tokens::{
    AccessToken, Attempts, AuthorizationCode, Bearer, Family, FoundCode, FoundRefresh,
    IssuedTokens, PendingStep, Session, TokenStore,
};

/// Rows that one purge removes from a table at most, so that writers never wait long.
const PURGED_AT_ONCE: i64 = 5_000;

/// Longer than any window in which attempts are counted.
const ATTEMPTS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// Tokens that one statement reads at most.
pub(super) const READ_TOGETHER: usize = 64;

/// A statement for one token and one for many: each is prepared once.
static BEARER: LazyLock<[String; 2]> = LazyLock::new(|| [1, READ_TOGETHER].map(bearers));

fn bearers(many: usize) -> String {
    let hashes: Vec<_> = (2..many + 2).map(|number| format!("${number}")).collect();
    format!(
        "SELECT a.*, s.id, s.username, s.name, s.email, s.home_organization, s.password_hash,
            s.must_change_password, s.valid_from
         FROM access_tokens a JOIN subjects s ON s.id = a.subject LEFT JOIN families f ON f.id = a.family
         WHERE a.hash IN ({}) AND a.expires_at > $1 AND a.revoked_at IS NULL AND f.revoked_at IS NULL
            AND s.disabled_at IS NULL AND a.issued_at >= s.valid_from
            AND (a.actor IS NULL OR EXISTS (SELECT 1 FROM subjects d WHERE d.id = a.actor AND d.disabled_at IS NULL
                AND a.issued_at >= d.valid_from))",
        hashes.join(", ")
    )
}

/// What the tokens with these hashes stand for, as far as they are valid at `now`.
pub(super) async fn read_bearers(
    pool: &SqlitePool,
    hashes: &[&TokenHash],
    now: i64,
) -> Result<Vec<Bearer>, StorageError> {
    let [one, many]: &'static [String; 2] = &BEARER;
    let (statement, places) = if hashes.len() == 1 {
        (one, 1)
    } else {
        (many, READ_TOGETHER)
    };
    let mut query = sqlx::query_as(statement.as_str()).bind(now);
    // Places that are left over match nothing.
    for place in 0..places {
        query = query.bind(hashes.get(place).map(|hash| hash.as_bytes()));
    }
    Ok(query.fetch_all(pool).await?)
}

#[async_trait]
impl TokenStore for Sqlite {
    async fn begin_session(&self, session: &Session, entry: &Entry) -> Result<(), StorageError> {
        let insert = sqlx::query("INSERT INTO sessions (id, hash, subject, authenticated_at, expires_at, pending) VALUES ($1, $2, $3, $4, $5, $6)")
            .bind(&session.id)
            .bind(session.hash.as_bytes())
            .bind(&session.subject)
            .bind(session.authenticated_at)
            .bind(session.expires_at)
            .bind(session.pending.map(PendingStep::name));
        self.change(insert, entry).await?;
        Ok(())
    }

    async fn advance_session(
        &self,
        id: &str,
        pending: Option<PendingStep>,
        now: i64,
    ) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query(
            "UPDATE sessions SET pending = $2, authenticated_at = $3 WHERE id = $1 AND ended_at IS NULL",
        )
        .bind(id)
        .bind(pending.map(PendingStep::name))
        .bind(now)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn session(&self, cookie: &TokenHash, now: i64) -> Result<Option<Session>, StorageError> {
        let row = sqlx::query_as(
            "SELECT * FROM sessions WHERE hash = $1 AND expires_at > $2 AND ended_at IS NULL",
        )
        .bind(cookie.as_bytes())
        .bind(now);
        Ok(row.fetch_optional(self.readers()).await?)
    }

    async fn end_session(&self, id: &str, now: i64, entry: &Entry) -> Result<(), StorageError> {
        let update =
            sqlx::query("UPDATE sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL");
        self.change(update.bind(id).bind(now), entry).await?;
        Ok(())
    }

    async fn authorize(
        &self,
        family: &Family,
        code: &AuthorizationCode,
    ) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        keep_family(&mut write, family).await?;
        sqlx::query(
            "INSERT INTO authorization_codes (hash, family, redirect_uri, code_challenge, nonce, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(code.hash.as_bytes())
        .bind(&family.id)
        .bind(&code.redirect_uri)
        .bind(&code.code_challenge)
        .bind(&code.nonce)
        .bind(code.expires_at)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn authorize_directly(
        &self,
        family: &Family,
        tokens: &IssuedTokens,
        entries: &[Entry],
    ) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        keep_family(&mut write, family).await?;
        keep(&mut write, tokens).await?;
        for entry in entries {
            record(&mut write, entry).await?;
        }
        Ok(write.commit().await?)
    }

    async fn code(&self, hash: &TokenHash) -> Result<Option<FoundCode>, StorageError> {
        let row = sqlx::query_as(
            "SELECT c.hash, c.redirect_uri, c.code_challenge, c.nonce, c.expires_at AS token_expires_at, c.used_at, f.*
             FROM authorization_codes c JOIN families f ON f.id = c.family WHERE c.hash = $1",
        );
        Ok(row
            .bind(hash.as_bytes())
            .fetch_optional(self.readers())
            .await?)
    }

    async fn redeem_code(
        &self,
        hash: &TokenHash,
        tokens: &IssuedTokens,
        now: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let mut write = self.write().await?;
        let spent = sqlx::query(
            "UPDATE authorization_codes SET used_at = $2 WHERE hash = $1 AND used_at IS NULL
             AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL)",
        )
        .bind(hash.as_bytes())
        .bind(now)
        .execute(&mut *write)
        .await?;
        if spent.rows_affected() == 0 {
            return Ok(false);
        }
        keep(&mut write, tokens).await?;
        record(&mut write, entry).await?;
        write.commit().await?;
        Ok(true)
    }

    async fn refresh_token(&self, hash: &TokenHash) -> Result<Option<FoundRefresh>, StorageError> {
        let row = sqlx::query_as(
            "SELECT r.hash, r.expires_at AS token_expires_at, r.used_at, f.*
             FROM refresh_tokens r JOIN families f ON f.id = r.family WHERE r.hash = $1",
        );
        Ok(row
            .bind(hash.as_bytes())
            .fetch_optional(self.readers())
            .await?)
    }

    async fn rotate(
        &self,
        hash: &TokenHash,
        tokens: &IssuedTokens,
        now: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let mut write = self.write().await?;
        let spent = sqlx::query(
            "UPDATE refresh_tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL
             AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL)",
        )
        .bind(hash.as_bytes())
        .bind(now)
        .execute(&mut *write)
        .await?;
        if spent.rows_affected() == 0 {
            return Ok(false);
        }
        keep(&mut write, tokens).await?;
        record(&mut write, entry).await?;
        write.commit().await?;
        Ok(true)
    }

    async fn refresh_reused(
        &self,
        hash: &TokenHash,
        revoke_family: bool,
        now: i64,
        entry: &Entry,
    ) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        let first = sqlx::query(
            "UPDATE refresh_tokens SET reused_at = $2 WHERE hash = $1 AND reused_at IS NULL",
        )
        .bind(hash.as_bytes())
        .bind(now)
        .execute(&mut *write)
        .await?;
        if first.rows_affected() == 0 {
            return Ok(());
        }
        if revoke_family {
            sqlx::query(
                "UPDATE families SET revoked_at = $2
                 WHERE id = (SELECT family FROM refresh_tokens WHERE hash = $1) AND revoked_at IS NULL",
            )
            .bind(hash.as_bytes())
            .bind(now)
            .execute(&mut *write)
            .await?;
        }
        record(&mut write, entry).await?;
        Ok(write.commit().await?)
    }

    async fn issue(&self, access: &AccessToken, entry: &Entry) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        keep_access(&mut write, access).await?;
        record(&mut write, entry).await?;
        Ok(write.commit().await?)
    }

    async fn access_token(
        &self,
        hash: &TokenHash,
        now: i64,
    ) -> Result<Option<AccessToken>, StorageError> {
        let row = sqlx::query_as(
            "SELECT a.* FROM access_tokens a LEFT JOIN families f ON f.id = a.family
             WHERE a.hash = $1 AND a.expires_at > $2 AND a.revoked_at IS NULL AND f.revoked_at IS NULL",
        );
        Ok(row
            .bind(hash.as_bytes())
            .bind(now)
            .fetch_optional(self.readers())
            .await?)
    }

    async fn bearer(&self, hash: &TokenHash, now: i64) -> Result<Option<Bearer>, StorageError> {
        self.kept().bearer(hash, now).await
    }

    async fn revoke_family(
        &self,
        family: &str,
        now: i64,
        entry: &Entry,
    ) -> Result<(), StorageError> {
        let update =
            sqlx::query("UPDATE families SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL");
        self.change(update.bind(family).bind(now), entry).await?;
        Ok(())
    }

    async fn revoke_access_token(
        &self,
        hash: &TokenHash,
        now: i64,
        entry: &Entry,
    ) -> Result<(), StorageError> {
        let update = sqlx::query(
            "UPDATE access_tokens SET revoked_at = $2 WHERE hash = $1 AND revoked_at IS NULL",
        );
        self.change(update.bind(hash.as_bytes()).bind(now), entry)
            .await?;
        Ok(())
    }

    async fn count_attempt(
        &self,
        account: &str,
        address: &str,
        now: i64,
        since: i64,
    ) -> Result<Attempts, StorageError> {
        let mut write = self.write().await?;
        let before = attempts(&mut write, account, address, since).await?;
        sqlx::query(
            "INSERT INTO sign_in_attempts (account, address, attempts, last_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (account, address) DO UPDATE SET attempts = excluded.attempts, last_at = excluded.last_at",
        )
        .bind(account)
        .bind(address)
        .bind(before.count + 1)
        .bind(now)
        .execute(&mut *write)
        .await?;
        write.commit().await?;
        Ok(before)
    }

    async fn attempts(
        &self,
        account: &str,
        address: &str,
        since: i64,
    ) -> Result<Attempts, StorageError> {
        attempts(
            &mut *self.readers().acquire().await?,
            account,
            address,
            since,
        )
        .await
    }

    async fn forgive_attempts(&self, account: &str, address: &str) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query("DELETE FROM sign_in_attempts WHERE account = $1 AND address = $2")
            .bind(account)
            .bind(address)
            .execute(&mut *write)
            .await?;
        sqlx::query(
            "UPDATE sign_in_attempts SET attempts = attempts - 1
             WHERE account = '' AND address = $1 AND attempts > 0",
        )
        .bind(address)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn purge(&self, now: i64) -> Result<u64, StorageError> {
        let mut removed = 0;
        for (statement, before) in [
            (
                "DELETE FROM access_tokens WHERE hash IN (SELECT hash FROM access_tokens WHERE expires_at < $1 LIMIT $2)",
                now,
            ),
            (
                "DELETE FROM families WHERE id IN (SELECT id FROM families WHERE expires_at < $1 LIMIT $2)",
                now,
            ),
            (
                "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < $1 LIMIT $2)",
                now,
            ),
            (
                // Nobody came back with the code: nothing descends from it.
                "DELETE FROM families WHERE id IN
                    (SELECT family FROM authorization_codes WHERE used_at IS NULL AND expires_at < $1 LIMIT $2)",
                now,
            ),
            (
                "DELETE FROM sign_in_attempts WHERE (account, address) IN
                    (SELECT account, address FROM sign_in_attempts WHERE last_at < $1 LIMIT $2)",
                now - ATTEMPTS_KEPT_MS,
            ),
        ] {
            let mut write = self.write().await?;
            let gone = sqlx::query(statement)
                .bind(before)
                .bind(PURGED_AT_ONCE)
                .execute(&mut *write)
                .await?;
            write.commit().await?;
            removed += gone.rows_affected();
        }
        Ok(removed)
    }
}

async fn keep_family(write: &mut SqliteConnection, family: &Family) -> Result<(), StorageError> {
    sqlx::query(
        "INSERT INTO families (id, client_id, subject, session_id, scope, authenticated_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&family.id)
    .bind(&family.client_id)
    .bind(&family.subject)
    .bind(family.session_id.as_deref().unwrap_or_default())
    .bind(&family.scope)
    .bind(family.authenticated_at)
    .bind(family.expires_at)
    .execute(write)
    .await?;
    Ok(())
}

async fn keep(write: &mut SqliteConnection, tokens: &IssuedTokens) -> Result<(), StorageError> {
    keep_access(write, &tokens.access).await?;
    if let Some(refresh) = &tokens.refresh {
        sqlx::query("INSERT INTO refresh_tokens (hash, family, expires_at) VALUES ($1, $2, $3)")
            .bind(refresh.hash.as_bytes())
            .bind(&tokens.access.family)
            .bind(refresh.expires_at)
            .execute(write)
            .await?;
    }
    Ok(())
}

async fn keep_access(
    write: &mut SqliteConnection,
    access: &AccessToken,
) -> Result<(), StorageError> {
    sqlx::query(
        "INSERT INTO access_tokens (hash, family, client_id, subject, scope, audiences, carries_home, actor, issued_at,
            expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(access.hash.as_bytes())
    .bind(&access.family)
    .bind(&access.client_id)
    .bind(&access.subject)
    .bind(&access.scope)
    .bind(access.audiences.join(" "))
    .bind(access.carries_home)
    .bind(&access.actor)
    .bind(access.issued_at)
    .bind(access.expires_at)
    .execute(write)
    .await?;
    Ok(())
}

async fn attempts(
    connection: &mut SqliteConnection,
    account: &str,
    address: &str,
    since: i64,
) -> Result<Attempts, StorageError> {
    let row: Option<(i64, i64)> = sqlx::query_as(
        "SELECT attempts, last_at FROM sign_in_attempts WHERE account = $1 AND address = $2 AND last_at > $3",
    )
    .bind(account)
    .bind(address)
    .bind(since)
    .fetch_optional(connection)
    .await?;
    Ok(row
        .map(|(count, last_at)| Attempts { count, last_at })
        .unwrap_or_default())
}
