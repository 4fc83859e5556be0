//! Statements that insert tokens: one each, with the condition under which they are inserted and the audit events about them.

use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::secret::{TokenHash, time_of};
use invoicing_storage::tokens::{AccessToken, Family, RefreshToken};

use super::TokenAuthorizationCache;
use super::rows::{families_around_code, family_is_revoked};
use crate::audit::{NewEvents, insert_events_where};
use crate::engine::{Engine, Parameter};

/// Inserts the tokens and events of a [`TokenInsert`] for each row of `authorized`, which has the id of their family. Returns how
/// many there were, 0 or 1. A repetition whose rows are stored already inserts none.
macro_rules! insert_tokens {
    () => {
        concat!(
            "access AS (
                INSERT INTO access_tokens (number, hash, bucket, family, token_authorization, subject, epoch, actor, actor_epoch,
                    issued_at, expires_at)
                SELECT $2::bigint, $3::bytea, ($2::bigint & 1023)::smallint, family, $4::bigint, $5::text, $6::bigint, $7::text,
                    $8::bigint, $9::bigint, $10::bigint
                FROM authorized ON CONFLICT DO NOTHING
             ), refresh AS (
                INSERT INTO refresh_tokens (number, hash, bucket, family, expires_at)
                SELECT $11::bigint, $12::bytea, ($11::bigint & 1023)::smallint, family, $13::bigint
                FROM authorized WHERE $11::bigint IS NOT NULL ON CONFLICT DO NOTHING
             ), event AS (",
            insert_events_where!("EXISTS (SELECT FROM authorized)"),
            ") SELECT count(*) AS authorized FROM authorized"
        )
    };
}

/// Redeems the code `$14`, `$15`. The update decides the race: it waits for another one of the same row, and then finds the code
/// used. A repetition recognises its own access token.
const REDEEM_CODE: &str = concat!(
    "WITH authorized AS (
        UPDATE families f SET code_used_at = coalesce(f.code_used_at, $16::bigint), successor = $3::bytea
        WHERE f.code_hash = $15::bytea AND ",
    families_around_code!("$14"),
    " AND (f.successor = $3::bytea OR (f.code_used_at IS NULL AND NOT ",
    family_is_revoked!("f.bucket", "f.id"),
    ")) RETURNING f.id AS family
     ), ",
    insert_tokens!()
);

/// Uses the refresh token `$14`, `$15`, as [`REDEEM_CODE`].
///
/// A family that is revoked while this runs is not seen here. Its tokens are not valid all the same, because each lookup of a token
/// looks for the revocation of its family.
pub(super) const ROTATE_REFRESH_TOKEN: &str = concat!(
    "WITH authorized AS (
        UPDATE refresh_tokens r SET used_at = coalesce(r.used_at, $16::bigint), successor = $3::bytea
        WHERE r.number = $14::bigint AND r.hash = $15::bytea AND r.bucket = ($14::bigint & 1023)::smallint
            AND (r.successor = $3::bytea OR (r.used_at IS NULL AND NOT ",
    family_is_revoked!("r.bucket", "r.family"),
    ")) RETURNING r.family
     ), ",
    insert_tokens!()
);

/// Inserts a family with its tokens. The update changes nothing: it only returns the row of a repetition, and none if the id
/// belongs to another family.
const INSERT_FAMILY_WITH_TOKENS: &str = concat!(
    "WITH authorized AS (
        INSERT INTO families AS f (id, bucket, client_id, subject, session_id, scope, epoch, authenticated_at, expires_at, successor)
        VALUES ($14::bigint, ($14::bigint & 1023)::smallint, $15, $16, $17, $18, $19, $20, $21, $3::bytea)
        ON CONFLICT (id, bucket) DO UPDATE SET id = excluded.id WHERE f.successor = excluded.successor
        RETURNING f.id AS family
     ), ",
    insert_tokens!()
);

/// A credential for one use.
pub(super) enum Consumes<'a> {
    Code(&'a TokenHash),
    RefreshToken(&'a TokenHash),
}

/// Tokens to insert, and the audit events about them.
pub(super) struct TokenInsert<'a> {
    access: &'a AccessToken,
    refresh: Option<&'a RefreshToken>,
    authorization: i64,
    refresh_number: Option<i64>,
    /// JSON.
    events: String,
    /// Of the rows, which need their partitions.
    times: Vec<Timestamp>,
}

impl<'a> TokenInsert<'a> {
    /// Tokens of one response. The authorization of the access token is stored when this returns.
    pub(super) async fn new(
        access: &'a AccessToken,
        refresh: Option<&'a RefreshToken>,
        events: &[AuditEvent],
        engine: &Engine,
        authorizations: &TokenAuthorizationCache,
    ) -> Result<Self, StorageError> {
        let authorization = authorizations.id(&access.authorization, engine).await?;
        let events = NewEvents::new(events, engine.rng());
        let refresh_number = refresh.map(|refresh| refresh.hash.lookup_key());
        let mut times = events.times();
        times.push(time_of(access.hash.lookup_key()));
        times.extend(refresh_number.map(time_of));
        Ok(Self {
            access,
            refresh,
            authorization,
            refresh_number,
            events: events.to_json()?,
            times,
        })
    }

    /// Inserts them if this is the first use of `consumes`. Returns whether they are stored.
    pub(super) async fn redeem(
        &self,
        consumes: &Consumes<'_>,
        now: Timestamp,
        engine: &Engine,
    ) -> Result<bool, StorageError> {
        let (statement, hash) = match consumes {
            Consumes::Code(hash) => (REDEEM_CODE, hash),
            Consumes::RefreshToken(hash) => (ROTATE_REFRESH_TOKEN, hash),
        };
        let condition: [Parameter<'_>; 3] =
            [&hash.lookup_key(), &hash.as_bytes(), &now.as_millis()];
        self.execute(statement, &condition, engine).await
    }

    /// Inserts them with their family. Returns whether they are stored: they are not when the id belongs to another family.
    pub(super) async fn insert_with_family(
        mut self,
        family: &Family,
        engine: &Engine,
    ) -> Result<bool, StorageError> {
        self.times.push(time_of(family.id));
        let family: [Parameter<'_>; 8] = [
            &family.id,
            &family.client_id.as_str(),
            &family.subject.as_str(),
            &family.session_id,
            &family.scope,
            &family.epoch,
            &family.authenticated_at.as_millis(),
            &family.expires_at.as_millis(),
        ];
        self.execute(INSERT_FAMILY_WITH_TOKENS, &family, engine)
            .await
    }

    async fn execute(
        &self,
        statement: &'static str,
        condition: &[Parameter<'_>],
        engine: &Engine,
    ) -> Result<bool, StorageError> {
        let access = self.access;
        let actor = access.actor.as_ref();
        let tokens: [Parameter<'_>; 13] = [
            &self.events,
            &access.hash.lookup_key(),
            &access.hash.as_bytes(),
            &self.authorization,
            &access.subject.as_str(),
            &access.epoch,
            &actor.map(|actor| actor.subject.as_str()),
            &actor.map(|actor| actor.epoch),
            &access.issued_at.as_millis(),
            &access.expires_at.as_millis(),
            &self.refresh_number,
            &self.refresh.map(|refresh| refresh.hash.as_bytes()),
            &self.refresh.map(|refresh| refresh.expires_at.as_millis()),
        ];
        let parameters = [&tokens, condition].concat();
        let rows = engine
            .write_statement(&self.times, statement, &parameters)
            .await?;
        let authorized = rows.first().map(|row| row.try_get::<_, i64>("authorized"));
        let authorized = authorized
            .transpose()
            .map_err(crate::engine::EngineError::from)?;
        Ok(authorized == Some(1))
    }
}
