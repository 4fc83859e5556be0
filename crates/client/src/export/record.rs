//! What an export is about, on the disk while it is under way: the end of the application interrupts it, and the next start offers it
//! again. As long as the process lives the record is locked, so that others know that it is not interrupted.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ExportTarget;
use crate::encrypted_records::{OwnerRecords, Record, RecordError};
use crate::files::FileLock;
use crate::views::{DocumentSelection, ExportOptions};

/// The version that is written. A file of another one is left alone.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    version: u32,
    selection: DocumentSelection,
    options: ExportOptions,
    total: u32,
    path: PathBuf,
}

/// Writes the record of an export that begins; on the disk when it returns. Its lock is held until [`end`].
pub(super) fn begin(
    records: &OwnerRecords,
    name: &str,
    target: &ExportTarget,
) -> Result<FileLock, RecordError> {
    // First: a record without it is one of an interrupted export.
    let lock = records.lock(name)?;
    let lock = lock.ok_or_else(|| io::Error::from(io::ErrorKind::WouldBlock))?;
    let ExportTarget {
        selection,
        options,
        total,
        path,
    } = target.clone();
    let stored = Stored {
        version: VERSION,
        selection,
        options,
        total,
        path,
    };
    records.write(name, &serde_json::to_vec(&stored)?)?;
    Ok(lock)
}

/// Removes the record of an export that has ended, and then its lock. One that was interrupted has none.
pub(super) fn end(
    records: &OwnerRecords,
    name: &str,
    lock: Option<FileLock>,
) -> Result<(), RecordError> {
    records.remove(name)?;
    drop(lock);
    records.remove_lock(name)
}

/// The target of an export that was interrupted. `None` if a process has it under way, or its record cannot be read by this version,
/// or with this key.
pub(super) fn read_interrupted(
    records: &OwnerRecords,
    name: &str,
) -> Result<Option<ExportTarget>, RecordError> {
    let Some(Record::Readable(bytes)) = records.read(name)? else {
        return Ok(None);
    };
    // Only of a record that is there: to take a lock makes its file.
    if records.lock(name)?.is_none() {
        return Ok(None);
    }
    let stored = serde_json::from_slice::<Stored>(&bytes).ok();
    let stored = stored.filter(|stored| stored.version == VERSION);
    Ok(stored.map(|stored| ExportTarget {
        selection: stored.selection,
        options: stored.options,
        total: stored.total,
        path: stored.path,
    }))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use jiff::Timestamp;

    use super::*;
    use crate::account_key::AccountKey;
    use crate::clock::FakeClock;
    use crate::drafts::DraftOwner;
    use crate::encrypted_records::EncryptedRecords;
    use crate::encryption::EXPORT;
    use crate::rng::SystemRng;
    use crate::vault::MemoryVault;
    use crate::views::{ExportFormat, InvoiceQuery, Language};

    const NAME: &str = "0190a6c2-0000-7000-8000-000000000000";

    /// The records as another process of the user opens them.
    fn process(data: &Path, vault: &Arc<MemoryVault>) -> EncryptedRecords {
        EncryptedRecords::new(
            EXPORT,
            Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH)),
            Arc::new(SystemRng),
            vault.clone(),
            data,
            "exports",
        )
    }

    #[tokio::test]
    async fn export_is_interrupted_only_once_nobody_has_it_under_way() {
        let data = tempfile::tempdir().expect("a folder");
        let vault = Arc::new(MemoryVault::default());
        let owner = DraftOwner {
            account: AccountKey::new("local", "u"),
            organization: "1".into(),
        };
        let target = ExportTarget {
            selection: DocumentSelection::All {
                query: InvoiceQuery::default(),
                excluded: Vec::new(),
            },
            options: ExportOptions {
                format: ExportFormat::Csv,
                columns: Vec::new(),
                language: Language::En,
            },
            total: 7,
            path: data.path().join("list.csv"),
        };
        let (writer, reader) = (process(data.path(), &vault), process(data.path(), &vault));
        let interrupted = async || {
            let read = reader.transact(&owner, |records| read_interrupted(records, NAME));
            read.await.expect("read").map(|target| target.total)
        };
        let start = async || {
            let target = target.clone();
            let begun = writer.transact(&owner, move |records| begin(records, NAME, &target));
            begun.await.expect("begun")
        };

        // There is no file of it yet.
        let killed = start().await;
        assert_eq!(interrupted().await, None, "it is under way");
        drop(killed);
        assert_eq!(interrupted().await, Some(7), "its process is gone");

        let lock = start().await;
        assert_eq!(interrupted().await, None, "it is under way again");
        let ended = writer.transact(&owner, move |records| end(records, NAME, Some(lock)));
        ended.await.expect("ended");
        assert_eq!(reader.names(&owner).await, Ok(Vec::new()));
        assert_eq!(interrupted().await, None, "it has ended");
    }
}
