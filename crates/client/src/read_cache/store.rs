//! The file of one account's read cache: an SQLite database whose values are encrypted.
//!
//! Row ids are digests with a secret part, so that the file shows neither organizations nor search texts.

use std::fs;
use std::path::Path;

use invoicing_contract::OrganizationId;
use rusqlite::{Connection, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::encryption::{CACHE, RecordCipher, TooLarge};
use crate::files;
use crate::rng::Rng;

/// The version of the tables. A file with another one is replaced.
const VERSION: i64 = 2;
/// Larger values are not stored.
const MAX_ENTRY: usize = 4 << 20;
/// What eviction leaves, in percent of the limit, so that it does not run at every write.
const AFTER_EVICTION: u64 = 90;
const TABLES: &str = "
    CREATE TABLE entry (
        id           BLOB PRIMARY KEY,
        organization BLOB NOT NULL,
        kind         BLOB NOT NULL,
        used         INTEGER NOT NULL,
        bytes        INTEGER NOT NULL,
        sealed       BLOB NOT NULL
    );
    CREATE INDEX entry_by_use ON entry (used, bytes);
    CREATE INDEX entry_by_organization ON entry (organization, bytes);
    CREATE INDEX entry_by_kind ON entry (kind);
";

/// Why the file was not read or written.
#[derive(Debug, Error)]
pub(super) enum StoreError {
    #[error("the database of the read cache failed")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the file of the read cache cannot be used: {}", .0.kind())]
    Io(#[from] std::io::Error),
    #[error("the database of the read cache has an unknown version")]
    Version,
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// What an entry is found by and encrypted for.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryKey<'a> {
    pub(super) organization: &'a OrganizationId,
    /// Distinguishes lists from documents.
    pub(super) kind: &'static str,
    /// The request, or the document's key.
    pub(super) name: &'a [u8],
}

/// An open file.
pub(super) struct Store {
    connection: Connection,
    cipher: RecordCipher,
    /// The secret part of row ids.
    index_key: Zeroizing<[u8; 32]>,
    /// What is authenticated with every value, besides the key of the entry.
    account: String,
    /// Sum of the sizes of the values.
    bytes: u64,
    max_bytes: u64,
}

impl Store {
    /// Opens the file, or makes it. A file that cannot be used is replaced by an empty one: everything in it can be read
    /// from the service again.
    pub(super) fn open(
        path: &Path,
        account: &str,
        key: &Zeroizing<[u8; 32]>,
        max_bytes: u64,
    ) -> Result<Self, StoreError> {
        let connection = match open_database(path) {
            Ok(connection) => connection,
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the read cache cannot be used and starts anew"
                );
                remove(path)?;
                open_database(path)?
            }
        };
        let bytes =
            connection.query_row("SELECT coalesce(sum(bytes), 0) FROM entry", [], |row| {
                row.get::<_, i64>(0)
            })?;
        let mut index_key = Zeroizing::new([0; 32]);
        index_key.copy_from_slice(
            &Sha256::new()
                .chain_update(b"read cache row ids")
                .chain_update(key.as_slice())
                .finalize(),
        );
        Ok(Self {
            connection,
            cipher: RecordCipher::new(CACHE, key),
            index_key,
            account: account.to_owned(),
            bytes: u64::try_from(bytes).unwrap_or(0),
            max_bytes,
        })
    }

    /// The value of an entry. `now` is the time of use, by which the oldest entries are evicted. A value that cannot be
    /// decrypted is deleted.
    pub(super) fn get(
        &mut self,
        key: EntryKey<'_>,
        now: i64,
    ) -> Result<Option<Zeroizing<Vec<u8>>>, StoreError> {
        let id = self.row_id(key);
        let sealed: Option<Vec<u8>> = self
            .connection
            .prepare_cached("SELECT sealed FROM entry WHERE id = ?1")?
            .query_row([&id], |row| row.get(0))
            .optional()?;
        let Some(sealed) = sealed else {
            return Ok(None);
        };
        match self.cipher.decrypt(&self.associated_data(key), &sealed) {
            Ok(value) => {
                self.connection
                    .prepare_cached("UPDATE entry SET used = ?2 WHERE id = ?1")?
                    .execute(params![id, now])?;
                Ok(Some(value))
            }
            Err(error) => {
                tracing::warn!(%error, "an entry of the read cache is dropped");
                self.remove(key)?;
                Ok(None)
            }
        }
    }

    /// Stores a value in place of an older one, and evicts the entries that were not used for longest if the file is full.
    pub(super) fn put(
        &mut self,
        rng: &dyn Rng,
        key: EntryKey<'_>,
        value: &[u8],
        now: i64,
    ) -> Result<(), StoreError> {
        if value.len() > MAX_ENTRY {
            return self.remove(key);
        }
        let id = self.row_id(key);
        let sealed = self
            .cipher
            .encrypt(rng, &self.associated_data(key), value)?;
        let size = u64::try_from(sealed.len()).unwrap_or(u64::MAX);
        let before = self.size_of(&id)?;
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO entry VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
            .execute(params![
                id,
                self.organization_id(key.organization),
                self.kind_id(key.organization, key.kind),
                now,
                i64::try_from(size).unwrap_or(i64::MAX),
                sealed
            ])?;
        self.bytes = self.bytes.saturating_sub(before) + size;
        if self.bytes > self.max_bytes {
            self.evict()?;
        }
        Ok(())
    }

    /// Deletes one entry, if there is one.
    pub(super) fn remove(&mut self, key: EntryKey<'_>) -> Result<(), StoreError> {
        let id = self.row_id(key);
        let before = self.size_of(&id)?;
        self.connection
            .prepare_cached("DELETE FROM entry WHERE id = ?1")?
            .execute([&id])?;
        self.bytes = self.bytes.saturating_sub(before);
        Ok(())
    }

    /// Deletes all entries of a kind that an organization has.
    pub(super) fn remove_kind(
        &mut self,
        organization: &OrganizationId,
        kind: &str,
    ) -> Result<(), StoreError> {
        self.connection.execute(
            "DELETE FROM entry WHERE kind = ?1",
            [self.kind_id(organization, kind)],
        )?;
        self.count_bytes()
    }

    /// Deletes all entries of organizations other than these.
    pub(super) fn retain_organizations<'a>(
        &mut self,
        organizations: impl Iterator<Item = &'a OrganizationId>,
    ) -> Result<(), StoreError> {
        let kept: Vec<_> = organizations.map(|id| self.organization_id(id)).collect();
        let stored: Vec<Vec<u8>> = self
            .connection
            .prepare("SELECT DISTINCT organization FROM entry")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for organization in stored.iter().filter(|id| !kept.contains(id)) {
            self.connection
                .execute("DELETE FROM entry WHERE organization = ?1", [organization])?;
        }
        self.count_bytes()
    }

    fn evict(&mut self) -> Result<(), StoreError> {
        let target = self.max_bytes / 100 * AFTER_EVICTION;
        while self.bytes > target {
            let oldest: Option<(Vec<u8>, i64)> = self
                .connection
                .prepare_cached("SELECT id, bytes FROM entry ORDER BY used LIMIT 1")?
                .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let Some((id, size)) = oldest else {
                break;
            };
            self.connection
                .prepare_cached("DELETE FROM entry WHERE id = ?1")?
                .execute([id])?;
            self.bytes = self.bytes.saturating_sub(u64::try_from(size).unwrap_or(0));
        }
        Ok(())
    }

    fn count_bytes(&mut self) -> Result<(), StoreError> {
        let sum = "SELECT coalesce(sum(bytes), 0) FROM entry";
        let bytes: i64 = self.connection.query_row(sum, [], |row| row.get(0))?;
        self.bytes = u64::try_from(bytes).unwrap_or(0);
        Ok(())
    }

    fn size_of(&self, id: &[u8]) -> Result<u64, StoreError> {
        let size: Option<i64> = self
            .connection
            .prepare_cached("SELECT bytes FROM entry WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        Ok(u64::try_from(size.unwrap_or(0)).unwrap_or(0))
    }

    fn row_id(&self, key: EntryKey<'_>) -> Vec<u8> {
        self.digest(&[
            key.organization.as_str().as_bytes(),
            key.kind.as_bytes(),
            key.name,
        ])
    }

    fn organization_id(&self, organization: &OrganizationId) -> Vec<u8> {
        self.digest(&[organization.as_str().as_bytes()])
    }

    fn kind_id(&self, organization: &OrganizationId, kind: &str) -> Vec<u8> {
        self.digest(&[organization.as_str().as_bytes(), kind.as_bytes()])
    }

    fn digest(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut digest = Sha256::new().chain_update(self.index_key.as_slice());
        for part in parts {
            digest.update(length(part));
            digest.update(part);
        }
        digest.finalize().to_vec()
    }

    fn associated_data(&self, key: EntryKey<'_>) -> Vec<u8> {
        let parts = [
            self.account.as_bytes(),
            key.organization.as_str().as_bytes(),
            key.kind.as_bytes(),
            key.name,
        ];
        let mut data = Vec::new();
        for part in parts {
            data.extend(length(part));
            data.extend(part);
        }
        data
    }
}

/// The length of a part before the part itself, so that no two lists of parts have the same bytes.
fn length(part: &[u8]) -> [u8; 8] {
    u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes()
}

/// Deletes the file of a read cache, with the files that SQLite keeps beside it.
pub(super) fn remove(path: &Path) -> Result<(), std::io::Error> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        match fs::remove_file(name) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn open_database(path: &Path) -> Result<Connection, StoreError> {
    files::create_private_dir(path.parent().unwrap_or_else(|| Path::new(".")))?;
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(2))?;
    // A crash of the computer may lose the last entries, and never damages the file.
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    let transaction = connection.transaction()?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        VERSION => {}
        0 => {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        _ => return Err(StoreError::Version),
    }
    transaction.commit()?;
    Ok(connection)
}
