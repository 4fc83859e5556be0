//! Archives of the audit: events leave the database for files, which the command line reads like the database (decision
//! 0094).

mod folder;
mod format;
mod verification;

use std::fs::File;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_http::Metrics;
use invoicing_storage::audit::{Query, RecordedEvent};
use invoicing_storage::audit_archives::{ArchiveOutcome, AuditArchive};
use invoicing_storage::{Clock, StorageError, Store};
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

pub use format::{FormatError, MaybeEvent};
pub use verification::{Finding, NotedHash, Verification};

/// Events of one file and of one transaction: other writes wait while they are deleted.
const PORTION: u32 = 10_000;
/// How often old events are looked for.
const INTERVAL: Duration = Duration::from_secs(15 * 60);
/// The pause between two portions, in which other writes run.
const PAUSE: Duration = Duration::from_millis(200);

/// Why archives were not written or read. No event is lost.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A file or the folder cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file that the database has recorded is no intact archive.
    #[error("{path} is damaged: {source}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: FormatError,
    },
    /// Another process is archiving or verifying.
    #[error("another process works on the archives of the audit")]
    Locked,
    /// A blocking task panicked or was cancelled.
    #[error("a task of the archive failed: {0}")]
    Task(#[from] JoinError),
}

impl ArchiveError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Damaged { .. } => 65,
            Self::File { .. } => 74,
            Self::Storage(error) => error.exit_code(),
            Self::Locked => 75,
            Self::Task(_) => 70,
        }
    }
}

/// The archive folder of a database.
#[derive(Debug, Clone)]
pub struct AuditArchiveFolder {
    path: PathBuf,
}

impl AuditArchiveFolder {
    /// The folder at `path`, which need not exist.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Moves the oldest events, up to the one with the latest time before `before`, into one file, and returns how many; 0
    /// when none is left. The file is on the disk before the transaction that records it deletes them.
    ///
    /// # Errors
    /// See [`ArchiveError`]. The events are still in the database then.
    pub async fn archive(
        &self,
        store: &dyn Store,
        before: Timestamp,
        now: Timestamp,
    ) -> Result<usize, ArchiveError> {
        if store.archivable_events(before, 1).await?.is_empty() {
            return Ok(0);
        }
        // Read again under the lock: another process may just have archived them.
        let lock = self.lock().await?;
        let events = store.archivable_events(before, PORTION).await?;
        let times = events.iter().map(|recorded| recorded.event.at);
        let (Some(earliest), Some(latest)) = (times.clone().min(), times.max()) else {
            return Ok(0);
        };
        let (first, last) = (events[0].id, events[events.len() - 1].id);
        let previous_hash = store
            .last_audit_archive()
            .await?
            .map(|archive| archive.hash)
            .unwrap_or_default();
        let count = events.len();
        let folder = self.path.clone();
        let written = tokio::task::spawn_blocking(move || {
            let (bytes, hash) = format::encode(&events, previous_hash)?;
            let stem = format!("audit-{first:012}-{last:012}");
            let file = folder::write(&lock, &folder, &stem, &bytes)?;
            Ok((lock, file, hash))
        });
        let written: io::Result<_> = written.await?;
        let (_lock, file, hash) = written.map_err(|source| self.file_error("", source))?;
        let archive = AuditArchive {
            first,
            last,
            earliest,
            latest,
            previous_hash,
            hash,
            file,
            archived_at: now,
        };
        match store.record_archive(&archive).await? {
            ArchiveOutcome::Recorded => {
                log_step("archive recorded");
                tracing::info!(first, last, file = archive.file, "audit events archived");
                Ok(count)
            }
            // The events are still there. The file stays, unrecorded.
            ArchiveOutcome::Outdated => Err(ArchiveError::Locked),
        }
    }

    /// Keeps `retention` in the database and moves older events into files, in portions, until `stop` is cancelled.
    pub async fn retain(
        self,
        store: Arc<dyn Store>,
        retention: Duration,
        clock: Arc<dyn Clock>,
        metrics: Arc<Metrics>,
        stop: CancellationToken,
    ) {
        loop {
            let now = clock.timestamp();
            let pause = match self.archive(&*store, now.minus(retention), now).await {
                Ok(0) => INTERVAL,
                Ok(_) => PAUSE,
                // Of several replicas with one folder one archives at a time.
                Err(ArchiveError::Locked) => {
                    tracing::debug!("another process archives the audit");
                    INTERVAL
                }
                Err(error) => {
                    metrics.count_archive_failure();
                    tracing::warn!(%error, "audit events could not be archived; the next round tries again");
                    INTERVAL
                }
            };
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// A page of events, of the database and of the archives.
    ///
    /// # Errors
    /// See [`ArchiveError`]. An archive that could hold events of the page is missing or damaged.
    pub async fn query(
        &self,
        store: &dyn Store,
        query: &Query,
    ) -> Result<Vec<RecordedEvent>, ArchiveError> {
        let (mut page, mut archives) = consistent(store, query).await?;
        archives.sort_by_key(|archive| std::cmp::Reverse(archive.latest));
        for archive in archives {
            let is_complete =
                last_of_full_page(query, &page).is_some_and(|last| last.event.at > archive.latest);
            if is_complete {
                break;
            }
            let content = self.read(&archive.file).await?;
            let matching = content.events.into_iter();
            page.extend(matching.filter(|event| query.matches(event)));
            page.sort_by_key(|event| std::cmp::Reverse((event.event.at, event.id)));
            page.truncate(page_size(query));
        }
        Ok(page)
    }

    /// Reads an archive, and checks it by itself.
    async fn read(&self, file: &str) -> Result<format::Content, ArchiveError> {
        let path = self.path.join(file);
        let opened = path.clone();
        let read = tokio::task::spawn_blocking(move || {
            let file = File::open(&opened).map_err(|source| ArchiveError::File {
                path: opened.clone(),
                source,
            })?;
            format::decode(file).map_err(|source| ArchiveError::Damaged {
                path: opened,
                source,
            })
        });
        read.await?
    }

    async fn lock(&self) -> Result<folder::FolderLock, ArchiveError> {
        let folder = self.path.clone();
        let lock = tokio::task::spawn_blocking(move || folder::lock(&folder)).await?;
        lock.map_err(|source| self.file_error("", source))?
            .ok_or(ArchiveError::Locked)
    }

    fn file_error(&self, file: impl AsRef<Path>, source: io::Error) -> ArchiveError {
        ArchiveError::File {
            path: self.path.join(file),
            source,
        }
    }
}

/// The page of the database, and the archives that can have further events of it. Events that are archived between the two reads
/// would be in both, so both are read again then.
async fn consistent(
    store: &dyn Store,
    query: &Query,
) -> Result<(Vec<RecordedEvent>, Vec<AuditArchive>), StorageError> {
    let last = store.last_audit_archive().await?;
    let mut known = last.map_or(0, |archive| archive.last);
    loop {
        let page = store.audit(query).await?;
        let times = times_of_archived(query, &page);
        if times.is_empty() {
            return Ok((page, Vec::new()));
        }
        let archives = store.audit_archives_of(times).await?;
        let last = archives.last().map_or(0, |archive| archive.last);
        if last <= known {
            return Ok((page, archives));
        }
        known = last;
    }
}

/// The times of archived events that can be on the page that has these of the database: none before its last event, if it is
/// full.
fn times_of_archived(query: &Query, stored: &[RecordedEvent]) -> RangeInclusive<Timestamp> {
    let from = query.from.unwrap_or(Timestamp::MIN);
    let start = last_of_full_page(query, stored).map_or(from, |last| from.max(last.event.at));
    let to = query.to.map(|to| to.minus(Duration::from_millis(1)));
    let after = query.after.map(|(at, _)| at);
    let end = [to, after].into_iter().flatten().min();
    start..=end.unwrap_or(Timestamp::MAX)
}

/// The last event of a page that has as many as the query asks for.
fn last_of_full_page<'page>(
    query: &Query,
    page: &'page [RecordedEvent],
) -> Option<&'page RecordedEvent> {
    page.get(page_size(query).saturating_sub(1))
}

fn page_size(query: &Query) -> usize {
    usize::try_from(query.size).unwrap_or(usize::MAX)
}

/// Logs a step of archiving. The tests of crashes stop the process there.
fn log_step(step: &'static str) {
    tracing::debug!(step);
}

#[cfg(test)]
mod tests {
    use invoicing_storage::audit::{AuditEvent, AuditEventKind};

    use super::*;

    #[test]
    fn archives_are_read_for_the_times_of_the_query_and_none_before_a_full_page() {
        let at = Timestamp::from_millis;
        let stored: Vec<_> = [90, 80, 70]
            .into_iter()
            .zip(1..)
            .map(|(time, id)| RecordedEvent {
                id,
                event: AuditEvent::new(at(time), AuditEventKind::SignedIn),
            })
            .collect();
        let all = Query {
            size: 4,
            ..Query::default()
        };
        assert_eq!(
            times_of_archived(&all, &stored),
            Timestamp::MIN..=Timestamp::MAX
        );
        let bounded = Query {
            from: Some(at(10)),
            to: Some(at(95)),
            after: Some((at(99), 7)),
            ..all
        };
        assert_eq!(times_of_archived(&bounded, &stored), at(10)..=at(94));
        let full = Query { size: 3, ..bounded };
        assert_eq!(times_of_archived(&full, &stored), at(70)..=at(94));
    }
}
