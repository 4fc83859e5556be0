//! [`TokenStore`] on SQLite.

use async_trait::async_trait;
use sqlx::SqliteConnection;

use super::audit::record;
use super::issuing::{Grant, Spends};
use super::kept::{self, Known};
use super::token_rows::SessionRow;
use super::{Sqlite, issuing_rows, token_rows};
use invoicing_storage::StorageError;
use invoicing_storage::audit::Entry;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::subjects::SubjectStore as _;
use invoicing_storage::tokens::{
    AccessToken, Attempts, AuthorizationCode, Bearer, Family, FoundCode, FoundRefresh,
    IssuedTokens, PendingStep, Session, TokenStore,
};

/// Rows that one purge removes from a table at most, so that writers never wait long.
const PURGED_AT_ONCE: i64 = 5_000;

/// Longer than an access token lives that its family gave just before its own end.
const LONGER_THAN_ACCESS_TOKENS_MS: i64 = 24 * 60 * 60 * 1000;

/// Longer than any window in which attempts are counted.
const ATTEMPTS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

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
        let row: Option<SessionRow> = row.fetch_optional(self.readers()).await?;
        Ok(row.map(|SessionRow(session)| session))
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
        sqlx::query(issuing_rows::FAMILY)
            .bind(family.id)
            .bind(&family.client_id)
            .bind(&family.subject)
            .bind(family.session_id.as_deref().unwrap_or_default())
            .bind(&family.scope)
            .bind(family.authenticated_at)
            .bind(family.expires_at)
            .execute(&mut *write)
            .await?;
        for number in (code.hash.number()..).take(token_rows::ALIKE) {
            let inserted = sqlx::query(
                "INSERT INTO authorization_codes (lookup_key, hash, family, redirect_uri, code_challenge, nonce, expires_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (lookup_key) DO NOTHING",
            )
            .bind(number)
            .bind(code.hash.as_bytes())
            .bind(family.id)
            .bind(&code.redirect_uri)
            .bind(&code.code_challenge)
            .bind(&code.nonce)
            .bind(code.expires_at)
            .execute(&mut *write)
            .await?;
            if inserted.rows_affected() > 0 {
                return Ok(write.commit().await?);
            }
        }
        Err(StorageError::Busy)
    }

    async fn authorize_directly(
        &self,
        family: Family,
        tokens: IssuedTokens,
        entries: Vec<Entry>,
    ) -> Result<(), StorageError> {
        let grant = Grant::of(tokens.access, tokens.refresh)
            .with_family(family)
            .recorded(entries);
        self.issuing.give(grant).await?;
        Ok(())
    }

    async fn code(&self, hash: &TokenHash) -> Result<Option<FoundCode>, StorageError> {
        for number in numbers(hash) {
            let key = (number, hash.as_bytes());
            let found = self
                .engine()
                .lookup_one(token_rows::CODE, key, token_rows::code);
            if let Some((found, generation)) = found.await? {
                kept::has_read(generation);
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    async fn redeem_code(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: i64,
        entry: Entry,
    ) -> Result<bool, StorageError> {
        let grant = Grant::of(tokens.access, tokens.refresh)
            .for_what(Spends::Code(hash.clone()), now)
            .recorded(vec![entry]);
        self.issuing.give(grant).await
    }

    async fn refresh_token(&self, hash: &TokenHash) -> Result<Option<FoundRefresh>, StorageError> {
        let select = token_rows::REFRESH_TOKEN;
        for number in numbers(hash) {
            let key = (number, hash.as_bytes());
            let found = self
                .engine()
                .lookup_one(select, key, token_rows::refresh_token);
            if let Some((found, generation)) = found.await? {
                kept::has_read(generation);
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    async fn rotate(
        &self,
        hash: &TokenHash,
        tokens: IssuedTokens,
        now: i64,
        entry: Entry,
    ) -> Result<bool, StorageError> {
        let grant = Grant::of(tokens.access, tokens.refresh)
            .for_what(Spends::Refresh(hash.clone()), now)
            .recorded(vec![entry]);
        self.issuing.give(grant).await
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
            "UPDATE refresh_tokens SET reused_at = $3 WHERE lookup_key = $1 AND hash = $2 AND reused_at IS NULL",
        )
        .bind(hash.number())
        .bind(hash.as_bytes())
        .bind(now)
        .execute(&mut *write)
        .await?;
        if first.rows_affected() == 0 {
            return Ok(());
        }
        if revoke_family {
            sqlx::query(
                "UPDATE families SET revoked_at = $3
                 WHERE id = (SELECT family FROM refresh_tokens WHERE lookup_key = $1 AND hash = $2) AND revoked_at IS NULL",
            )
            .bind(hash.number())
            .bind(hash.as_bytes())
            .bind(now)
            .execute(&mut *write)
            .await?;
        }
        record(&mut write, entry).await?;
        Ok(write.commit().await?)
    }

    fn suppose(&self) {
        self.kept().suppose();
    }

    fn supposes(&self) -> bool {
        matches!(kept::known(), Known::Supposed(_) | Known::Changed)
    }

    async fn supposed_right(&self) -> Result<bool, StorageError> {
        self.kept().supposed_right(self.engine()).await
    }

    async fn issue(&self, access: AccessToken, entry: Entry) -> Result<(), StorageError> {
        let grant = Grant::of(access, None).recorded(vec![entry]);
        self.issuing.give(grant).await?;
        Ok(())
    }

    async fn access_token(
        &self,
        hash: &TokenHash,
        now: i64,
    ) -> Result<Option<AccessToken>, StorageError> {
        for number in numbers(hash) {
            let key = (number, hash.as_bytes(), now);
            let select = token_rows::VALID_ACCESS_TOKEN;
            let found = self
                .engine()
                .lookup_one(select, key, token_rows::access_token);
            if let Some((found, generation)) = found.await? {
                kept::has_read(generation);
                let reach = self.reaches.known(found.reach, self.engine()).await?;
                return Ok(Some(found.reaching(reach)));
            }
        }
        Ok(None)
    }

    async fn bearer(&self, hash: &TokenHash, now: i64) -> Result<Option<Bearer>, StorageError> {
        let Some(token) = self.access_token(hash, now).await? else {
            return Ok(None);
        };
        // Whoever is disabled is not found, also when it is the administrator behind the token.
        if let Some(actor) = &token.actor {
            let actor = self.member(actor).await?;
            if actor.is_none_or(|actor| token.issued_at < actor.subject.valid_from) {
                return Ok(None);
            }
        }
        let member = self.member(&token.subject).await?;
        Ok(member
            .filter(|member| token.issued_at >= member.subject.valid_from)
            .map(|member| Bearer { token, member }))
    }

    async fn revoke_family(
        &self,
        family: i64,
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
            "UPDATE access_tokens SET revoked_at = $3 WHERE lookup_key = $1 AND hash = $2 AND revoked_at IS NULL",
        );
        let update = update.bind(hash.number()).bind(hash.as_bytes());
        self.change(update.bind(now), entry).await?;
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
            // Tokens are found by their dated numbers: what was given out longer ago than an access token (12 hours) or an unused
            // refresh token (30 days) lives. What stands after now is not
            // dated, as in earlier versions.
            (
                "DELETE FROM access_tokens WHERE lookup_key IN
                    (SELECT lookup_key FROM access_tokens
                     WHERE (lookup_key < ($1 - 43200000) << 21 OR lookup_key > ($1 + 86400000) << 21) AND expires_at < $1 LIMIT $2)",
                now,
            ),
            (
                "DELETE FROM refresh_tokens WHERE lookup_key IN
                    (SELECT lookup_key FROM refresh_tokens
                     WHERE (lookup_key < ($1 - 2592000000) << 21 OR lookup_key > ($1 + 86400000) << 21) AND expires_at < $1 LIMIT $2)",
                now,
            ),
            (
                // After the last of its access tokens: they say by their family whether they are revoked.
                "DELETE FROM families WHERE id IN (SELECT id FROM families WHERE expires_at < $1 LIMIT $2)",
                now - LONGER_THAN_ACCESS_TOKENS_MS,
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

/// Where to look for what has this hash: what is not dated, as in earlier versions, stands where its hash puts it.
fn numbers(hash: &TokenHash) -> impl Iterator<Item = i64> + use<> {
    let undated = hash.number_undated();
    let dated = Some(hash.number()).filter(|dated| *dated != undated);
    dated.into_iter().chain([undated])
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
