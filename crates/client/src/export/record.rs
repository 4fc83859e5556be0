//! What an export is about, on the disk while it is under way: the end of the application interrupts it, and the next start offers it
//! again.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ExportTarget;
use crate::encrypted_records::{OwnerRecords, Record, RecordError};
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

/// Writes the record with a name; on the disk when it returns.
pub(super) fn write(
    records: &OwnerRecords,
    name: &str,
    target: &ExportTarget,
) -> Result<(), RecordError> {
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
    records.write(name, &serde_json::to_vec(&stored)?)
}

/// The target in the record with a name; `None` if it cannot be read by this version, or with this key.
pub(super) fn read(
    records: &OwnerRecords,
    name: &str,
) -> Result<Option<ExportTarget>, RecordError> {
    let Some(Record::Readable(bytes)) = records.read(name)? else {
        return Ok(None);
    };
    let stored = serde_json::from_slice::<Stored>(&bytes).ok();
    let stored = stored.filter(|stored| stored.version == VERSION);
    Ok(stored.map(|stored| ExportTarget {
        selection: stored.selection,
        options: stored.options,
        total: stored.total,
        path: stored.path,
    }))
}
