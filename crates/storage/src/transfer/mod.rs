//! The move of a whole database to another engine: records in a form that all engines share, copied table by table and
//! compared (decision 0109).

mod digest;
mod tables;
mod token_numbers;

pub use digest::Digest;
pub use tables::{Column, ColumnKind, TABLES, Table};
pub use token_numbers::restore_token_numbers;

use async_trait::async_trait;

use crate::secret::random_id;
use crate::{DirectoryStore, Rng, StorageError};

/// Most records that are read and written at once.
pub const PAGE: u32 = 1_000;
/// Records of the first page of a table: nobody knows yet how large they are.
const FIRST_PAGE: u32 = 16;
/// Bytes that a page should not exceed. A document alone can have four megabytes.
const PAGE_BYTES: usize = 32 * 1024 * 1024;

/// Setting of a database that was moved, or is being moved, to another: the id of the move and the name of the other one.
pub const MOVED_TO: &str = "moved_to";
/// Setting of a database that another one is being moved into: the id of the move.
pub const MOVED_FROM: &str = "moved_from";
/// Setting of a database that another one is being moved into: the last table that is complete.
const COMPLETE_TABLE: &str = "moved_table";
/// The settings of moves. They are no records: each database has its own.
pub const MARKS: [&str; 3] = [MOVED_TO, MOVED_FROM, COMPLETE_TABLE];

/// A value of a record. Booleans are 0 and 1, UUIDs are their 16 bytes, amounts that can exceed 64 bits are decimal texts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Value {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Value {
    const fn bytes(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::Integer(_) => size_of::<i64>(),
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

/// The values of a record, in the order of [`Table::columns`].
pub type Record = Vec<Value>;

/// What an engine does to be moved from or to. Nothing else may write meanwhile.
#[async_trait]
pub trait TransferStore: DirectoryStore {
    /// Prepares the database for being read by [`TransferStore::export`]. Doing it again is no error.
    async fn begin_export(&self) -> Result<(), StorageError>;
    /// How many records [`TransferStore::export`] has of a table.
    async fn count(&self, table: &'static Table) -> Result<u64, StorageError>;
    /// The records after `after` in an order of the engine's own, at most `limit`; none after the last.
    async fn export(
        &self,
        table: &'static Table,
        after: Option<&Record>,
        limit: u32,
    ) -> Result<Vec<Record>, StorageError>;
    /// Stores records. Those whose key is there already are skipped.
    async fn import(&self, table: &'static Table, records: Vec<Record>)
    -> Result<(), StorageError>;
    /// Derives what an engine keeps beside the imported records. Doing it again is no error.
    async fn end_import(&self) -> Result<(), StorageError>;
    /// Sets one of [`MARKS`], or removes it.
    async fn set_mark(&self, mark: &'static str, value: Option<String>)
    -> Result<(), StorageError>;
}

/// Why a database is not served or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Moved {
    /// Its records are in another one now.
    #[error(
        "this database was moved, or is being moved, to {0}: use that one, or run migrate-data again if it was interrupted"
    )]
    To(String),
    /// Another one is being moved into it.
    #[error("another database is being moved into this one: run migrate-data again")]
    Incomplete,
}

/// Whether a database may be served: `None` unless it takes part in a move.
///
/// # Errors
/// When it cannot be read.
pub async fn moved(store: &dyn DirectoryStore) -> Result<Option<Moved>, StorageError> {
    if store.setting(MOVED_FROM).await?.is_some() {
        return Ok(Some(Moved::Incomplete));
    }
    let to = store.setting(MOVED_TO).await?;
    Ok(to.map(|to| Moved::To(other_name(&to).to_owned())))
}

/// The id of a move and the name of the other database, as they are stored.
fn other_name(mark: &str) -> &str {
    mark.split_once(' ').map_or(mark, |(_, name)| name)
}

/// Why a move did not end. Nothing is lost: the source has all records.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// One of the databases failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The source was moved, or began to be moved, to another database.
    #[error("the database was moved, or is being moved, to {0}")]
    SourceMoved(String),
    /// The source is the target of a move that has not ended.
    #[error("another database is being moved into the one to move: complete that move first")]
    SourceIncomplete,
    /// The target has records that do not come from this move.
    #[error("the database to move to has records in the table {0}: it must be empty")]
    TargetNotEmpty(&'static str),
    /// The target is the source, or the target of another move.
    #[error("the database to move to takes part in another move")]
    TargetInUse,
    /// Source and target differ after the copy, because somebody wrote to one of them.
    #[error(
        "the table {table} differs after the copy: {source_records} records in the source, {target_records} in the target; stop every service of both, empty the target and begin anew"
    )]
    Differs {
        /// The table.
        table: &'static str,
        /// Records of the source.
        source_records: u64,
        /// Records of the target.
        target_records: u64,
    },
}

/// What a move is doing, for people who wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Some records of a table are stored.
    Copied {
        /// The table.
        table: &'static str,
        /// How many of its records.
        records: u64,
        /// How many the source had when its copy began.
        total: u64,
    },
    /// A table is the same in both databases.
    Compared {
        /// The table.
        table: &'static str,
        /// Its records.
        digest: Digest,
    },
}

/// Moves all records from `source` to `target`, which is empty or the target of the same move that was interrupted, and compares
/// both. The source, which keeps its records, is marked first, and the target until it is complete. `name` names the target.
/// Nothing is copied before `noticed` completes: by then the processes that served the source when it was marked serve it no
/// more.
///
/// # Errors
/// Every variant of [`TransferError`]. After an interruption the same call continues.
pub async fn move_records(
    source: &dyn TransferStore,
    target: &dyn TransferStore,
    name: &str,
    rng: &dyn Rng,
    noticed: impl Future<Output = ()>,
    mut progress: impl FnMut(Progress),
) -> Result<(), TransferError> {
    begin(source, target, name, rng).await?;
    noticed.await;
    source.begin_export().await?;
    let complete = target.setting(COMPLETE_TABLE).await?;
    let complete = TABLES
        .iter()
        .position(|table| Some(table.name) == complete.as_deref());
    for table in TABLES.iter().skip(complete.map_or(0, |last| last + 1)) {
        copy(source, target, table, &mut progress).await?;
        let mark = Some(table.name.to_owned());
        target.set_mark(COMPLETE_TABLE, mark).await?;
    }
    target.end_import().await?;
    for table in TABLES {
        let (of_source, of_target) = (digest(source, table).await?, digest(target, table).await?);
        if of_source != of_target {
            return Err(TransferError::Differs {
                table: table.name,
                source_records: of_source.records(),
                target_records: of_target.records(),
            });
        }
        progress(Progress::Compared {
            table: table.name,
            digest: of_source,
        });
    }
    target.set_mark(COMPLETE_TABLE, None).await?;
    // Last: from here on the target is served.
    target.set_mark(MOVED_FROM, None).await?;
    Ok(())
}

/// Checks that both databases may take part, and marks them.
async fn begin(
    source: &dyn TransferStore,
    target: &dyn TransferStore,
    name: &str,
    rng: &dyn Rng,
) -> Result<(), TransferError> {
    if source.setting(MOVED_FROM).await?.is_some() {
        return Err(TransferError::SourceIncomplete);
    }
    let from = target.setting(MOVED_FROM).await?;
    let to = source.setting(MOVED_TO).await?;
    let id = match &to {
        Some(to) => to.split_once(' ').map_or(&**to, |(id, _)| id).to_owned(),
        None => random_id(rng),
    };
    if let Some(from) = from {
        return if from == id {
            Ok(())
        } else {
            Err(TransferError::TargetInUse)
        };
    }
    if let Some(to) = to.filter(|to| other_name(to) != name) {
        return Err(TransferError::SourceMoved(other_name(&to).to_owned()));
    }
    if target.setting(MOVED_TO).await?.is_some() {
        return Err(TransferError::TargetInUse);
    }
    for table in TABLES {
        if !target.export(table, None, 1).await?.is_empty() {
            return Err(TransferError::TargetNotEmpty(table.name));
        }
    }
    // The source first, so that a target that is marked has its source.
    let mark = Some(format!("{id} {name}"));
    source.set_mark(MOVED_TO, mark).await?;
    target.set_mark(MOVED_FROM, Some(id)).await?;
    Ok(())
}

async fn copy(
    source: &dyn TransferStore,
    target: &dyn TransferStore,
    table: &'static Table,
    progress: &mut impl FnMut(Progress),
) -> Result<(), StorageError> {
    let total = source.count(table).await?;
    let (mut after, mut limit) = (None, FIRST_PAGE);
    let mut copied = 0;
    loop {
        let records = source.export(table, after.as_ref(), limit).await?;
        let Some(last) = records.last().cloned() else {
            return Ok(());
        };
        limit = next_limit(&records);
        copied += u64::try_from(records.len()).unwrap_or_default();
        target.import(table, records).await?;
        progress(Progress::Copied {
            table: table.name,
            records: copied,
            total,
        });
        after = Some(last);
    }
}

/// The digest of the records of a table.
///
/// # Errors
/// When the database fails.
pub async fn digest(
    store: &dyn TransferStore,
    table: &'static Table,
) -> Result<Digest, StorageError> {
    let mut digest = Digest::default();
    let (mut after, mut limit) = (None, FIRST_PAGE);
    loop {
        let mut records = store.export(table, after.as_ref(), limit).await?;
        let Some(last) = records.last().cloned() else {
            return Ok(digest);
        };
        limit = next_limit(&records);
        // A number beside the one that was issued can be of the next millisecond.
        restore_token_numbers(table, &mut records);
        for record in &records {
            digest.add(table, record);
        }
        after = Some(last);
    }
}

/// How many records the page after these has: as many as fit into [`PAGE_BYTES`] if they are as large.
fn next_limit(records: &[Record]) -> u32 {
    let bytes: usize = records.iter().flatten().map(Value::bytes).sum();
    let fitting = records.len().saturating_mul(PAGE_BYTES) / bytes.max(1);
    u32::try_from(fitting).unwrap_or(PAGE).clamp(1, PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_after_large_records_has_as_many_as_fit_into_its_bytes() {
        let records = |count: usize, bytes: usize| {
            let record = vec![Value::Integer(1), Value::Bytes(vec![0; bytes - 8])];
            vec![record; count]
        };
        for (count, bytes, expected) in [
            (1_000, 3 * 1024, PAGE),
            (16, 1024, PAGE),
            (16, 1024 * 1024, 32),
            (32, 2 * 1024 * 1024, 16),
            (1, 33 * 1024 * 1024, 1),
        ] {
            let limit = next_limit(&records(count, bytes));
            assert_eq!(limit, expected, "{count} records of {bytes} bytes");
        }
        assert_eq!(next_limit(&[vec![Value::Null]]), PAGE);
    }
}
