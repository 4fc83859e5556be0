//! How what is given out becomes rows.

use std::sync::Arc;

use rusqlite::{CachedStatement, Connection, params};

use super::audit;
use super::issuing::{Given, Grant, Spends};
use super::reaches::{self, Reaches};
use super::token_rows::ALIKE;
use invoicing_storage::StorageError;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::Reach;

/// Tells that a statement was run, as those of other writes are told.
pub(super) fn told(statement: &'static str) {
    tracing::debug!(summary = statement);
}

/// Inserts what has this hash at its number, or at the next that is free: [`ALIKE`] are looked through for it.
fn at_a_free_number(
    hash: &TokenHash,
    mut insert: impl FnMut(i64) -> rusqlite::Result<usize>,
) -> Result<(), StorageError> {
    for number in (hash.number()..).take(ALIKE) {
        if insert(number)? > 0 {
            return Ok(());
        }
    }
    Err(StorageError::Busy)
}

/// What a grant is written with.
pub(super) struct Statements<'transaction> {
    spend_code: CachedStatement<'transaction>,
    spend_refresh: CachedStatement<'transaction>,
    family: CachedStatement<'transaction>,
    access: CachedStatement<'transaction>,
    refresh: CachedStatement<'transaction>,
    audit: CachedStatement<'transaction>,
    transaction: &'transaction Connection,
    reaches: &'transaction Reaches,
    /// Those that were not known, with their numbers.
    new: Vec<(Arc<Reach>, i64)>,
}

const SPEND_CODE: &str =
    "UPDATE authorization_codes SET used_at = ?3 WHERE lookup_key = ?1 AND hash = ?2 AND used_at IS NULL
     AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL)";
const SPEND_REFRESH: &str =
    "UPDATE refresh_tokens SET used_at = ?3 WHERE lookup_key = ?1 AND hash = ?2 AND used_at IS NULL
     AND EXISTS (SELECT 1 FROM families f WHERE f.id = family AND f.revoked_at IS NULL)";
/// A new authorization. `tokens` has the same with a code.
pub(super) const FAMILY: &str =
    "INSERT INTO families (id, client_id, subject, session_id, scope, authenticated_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const ACCESS: &str =
    "INSERT INTO access_tokens (lookup_key, hash, family, token_authorization, subject, actor, issued_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (lookup_key) DO NOTHING";
const REFRESH: &str = "INSERT INTO refresh_tokens (lookup_key, hash, family, expires_at)
     VALUES (?1, ?2, ?3, ?4) ON CONFLICT (lookup_key) DO NOTHING";

impl<'transaction> Statements<'transaction> {
    pub(super) fn prepare(
        transaction: &'transaction Connection,
        reaches: &'transaction Reaches,
    ) -> rusqlite::Result<Self> {
        Ok(Self {
            spend_code: transaction.prepare_cached(SPEND_CODE)?,
            spend_refresh: transaction.prepare_cached(SPEND_REFRESH)?,
            family: transaction.prepare_cached(FAMILY)?,
            access: transaction.prepare_cached(ACCESS)?,
            refresh: transaction.prepare_cached(REFRESH)?,
            audit: transaction.prepare_cached(audit::INSERT)?,
            transaction,
            reaches,
            new: Vec::new(),
        })
    }

    /// Writes it, unless what it costs is spent.
    pub(super) fn give(&mut self, grant: &Grant) -> Result<Given, StorageError> {
        let paid = match &grant.spends {
            Some(Spends::Code(hash)) => {
                let spent = (hash.number(), hash.as_bytes(), grant.now);
                self.spend_code.execute(spent)? > 0
            }
            Some(Spends::Refresh(hash)) => {
                let spent = (hash.number(), hash.as_bytes(), grant.now);
                self.spend_refresh.execute(spent)? > 0
            }
            None => true,
        };
        match &grant.spends {
            Some(Spends::Code(_)) => told("UPDATE authorization_codes SET used_at"),
            Some(Spends::Refresh(_)) => told("UPDATE refresh_tokens SET used_at"),
            None => {}
        }
        if !paid {
            return Ok(Given::Spent);
        }
        if let Some(family) = &grant.family {
            self.family.execute(params![
                family.id,
                family.client_id,
                family.subject,
                family.session_id.as_deref().unwrap_or_default(),
                family.scope,
                family.authenticated_at,
                family.expires_at
            ])?;
            told("INSERT INTO families (…)");
        }
        let access = &grant.access;
        let reach = self.reach(&access.reach)?;
        at_a_free_number(&access.hash, |number| {
            self.access.execute(params![
                number,
                access.hash.as_bytes(),
                access.family,
                reach,
                access.subject,
                access.actor,
                access.issued_at,
                access.expires_at
            ])
        })?;
        told("INSERT INTO access_tokens (…)");
        if let Some(refresh) = &grant.refresh {
            at_a_free_number(&refresh.hash, |number| {
                self.refresh.execute(params![
                    number,
                    refresh.hash.as_bytes(),
                    access.family,
                    refresh.expires_at
                ])
            })?;
            told("INSERT INTO refresh_tokens (…)");
        }
        for entry in &grant.entries {
            let detail = audit::detail(entry)?;
            self.audit.execute(params![
                entry.at,
                entry.kind.name(),
                entry.subject,
                entry.actor,
                entry.organization,
                entry.client_id,
                entry.address,
                detail
            ])?;
            told("INSERT INTO audit_events (…)");
        }
        Ok(Given::Yes)
    }

    /// Those reaches that were not known, with the numbers they have once all is on the disk.
    pub(super) fn new_reaches(self) -> Vec<(Arc<Reach>, i64)> {
        self.new
    }

    fn reach(&mut self, reach: &Arc<Reach>) -> rusqlite::Result<i64> {
        if let Some(number) = self.reaches.number(reach) {
            return Ok(number);
        }
        let number = reaches::write(reach, self.transaction)?;
        self.new.push((reach.clone(), number));
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn what_has_the_same_number_stands_at_the_next_that_is_free_and_is_found_there() {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch("CREATE TABLE given (number INTEGER PRIMARY KEY, hash BYTEA NOT NULL)")
            .unwrap();
        // The last place that is looked through is taken by somebody else's number.
        let (number, other) = (1_000, TokenHash::of("other"));
        database
            .execute("INSERT INTO given VALUES (1007, ?1)", [other.as_bytes()])
            .unwrap();
        let hashes: Vec<_> = (0..8)
            .map(|each| TokenHash::kept(number, TokenHash::of(&format!("{each}")).as_bytes()))
            .map(Option::unwrap)
            .collect();
        let insert = |hash: &TokenHash| {
            at_a_free_number(hash, |number| {
                let row = params![number, hash.as_bytes()];
                let insert = "INSERT INTO given VALUES (?1, ?2) ON CONFLICT (number) DO NOTHING";
                database.execute(insert, row)
            })
        };
        let (last, first) = hashes.split_last().unwrap();
        for hash in first {
            insert(hash).unwrap();
        }
        assert!(insert(last).is_err(), "never where nobody looks for it");
        for hash in first {
            let select =
                "SELECT number FROM given WHERE number BETWEEN ?1 AND ?1 + 7 AND hash = ?2";
            let key = params![hash.number(), hash.as_bytes()];
            let found: i64 = database.query_row(select, key, |row| row.get(0)).unwrap();
            assert!((1_000..1_007).contains(&found));
        }
    }
}
