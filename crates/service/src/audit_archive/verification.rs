//! Verification of the archives: no event is missing, changed or out of its place, from the first one to the newest.

use std::fmt;
use std::str::FromStr;

use invoicing_storage::Store;
use invoicing_storage::audit_archives::{AuditArchive, ChainHash};

use super::{ArchiveError, AuditArchiveFolder, PORTION, folder, format};

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Archives that the database has recorded.
    pub archives: usize,
    /// Events that they have by the record of the database.
    pub archived_events: i64,
    /// Events in the database that have their place in the chain: all on SQLite, those about to be archived on PostgreSQL.
    pub stored_events: i64,
    /// The hash of the chain after the last of these. Noted elsewhere, it proves later that nothing before was changed.
    pub head: NotedHash,
    /// Files of the folder that the database has not recorded. An interruption or the restore of a database leaves them; their
    /// events are in the database or in other archives.
    pub unrecorded_files: Vec<String>,
    /// What is wrong; empty if the audit is complete.
    pub findings: Vec<Finding>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The archive, or `None` for the events of the database.
    pub file: Option<String>,
    /// What is wrong with it.
    pub problem: String,
}

/// The hash of the chain after an event, as `ID:HASH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotedHash {
    /// The id of the event; 0 before the first one.
    pub event: i64,
    /// The hash.
    pub hash: ChainHash,
}

impl fmt::Display for NotedHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.event, format::hash_text(self.hash))
    }
}

impl FromStr for NotedHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once(':').and_then(|(event, hash)| {
            let (event, hash) = (event.parse().ok()?, format::parse_hash(hash)?);
            Some(Self { event, hash })
        });
        parsed.ok_or("the head that an earlier verification printed, as ID:HASH")
    }
}

/// The chain so far.
struct Chain<'a> {
    head: NotedHash,
    /// A hash of an earlier verification, to compare with.
    noted: Option<&'a NotedHash>,
    findings: Vec<Finding>,
}

impl Chain<'_> {
    fn find(&mut self, file: Option<&AuditArchive>, problem: impl Into<String>) {
        self.findings.push(Finding {
            file: file.map(|archive| archive.file.clone()),
            problem: problem.into(),
        });
    }

    fn advance(&mut self, file: Option<&AuditArchive>, event: i64, hash: ChainHash) {
        self.head = NotedHash { event, hash };
        if let Some(noted) = self.noted.filter(|noted| noted.event == event)
            && noted.hash != hash
        {
            self.find(
                file,
                format!("events up to {event} are not those of the noted hash"),
            );
        }
    }
}

impl AuditArchiveFolder {
    /// Checks every archive and every event of the database. With `noted`, also that the chain still has this hash of an
    /// earlier verification.
    ///
    /// # Errors
    /// See [`ArchiveError`]; a missing or damaged file is no error but a finding.
    pub async fn verify(
        &self,
        store: &dyn Store,
        noted: Option<&NotedHash>,
    ) -> Result<Verification, ArchiveError> {
        let _lock = match store.last_audit_archive().await? {
            Some(_) => Some(self.lock().await?),
            None => None,
        };
        // Read under the lock.
        let archives = store.audit_archives().await?;
        let mut chain = Chain {
            head: NotedHash {
                event: 0,
                hash: ChainHash::default(),
            },
            noted,
            findings: Vec::new(),
        };
        for archive in &archives {
            self.verify_archive(archive, &mut chain).await?;
        }
        let archived_events = chain.head.event;
        let stored_events = verify_stored(store, &mut chain).await?;
        if let Some(noted) = noted.filter(|noted| noted.event > chain.head.event) {
            chain.find(
                None,
                format!("the event {} of the noted hash is missing", noted.event),
            );
        }
        let path = self.path.clone();
        let names = tokio::task::spawn_blocking(move || folder::names(&path)).await?;
        let mut unrecorded_files = names.map_err(|source| self.file_error("", source))?;
        unrecorded_files.retain(|name| archives.iter().all(|archive| archive.file != *name));
        Ok(Verification {
            archives: archives.len(),
            archived_events,
            stored_events,
            head: chain.head,
            unrecorded_files,
            findings: chain.findings,
        })
    }

    async fn verify_archive(
        &self,
        archive: &AuditArchive,
        chain: &mut Chain<'_>,
    ) -> Result<(), ArchiveError> {
        if archive.first != chain.head.event + 1 || archive.previous_hash != chain.head.hash {
            chain.find(
                Some(archive),
                "the database records that it does not follow the one before",
            );
        }
        match self.read(&archive.file).await {
            Ok(content) => {
                let recorded = [archive.previous_hash, archive.hash].map(format::hash_text);
                let header = &content.header;
                if header.hashes() != (&*recorded[0], &*recorded[1])
                    || (header.first, header.last) != (archive.first, archive.last)
                {
                    chain.find(
                        Some(archive),
                        "it is intact, but not the file that the database has recorded",
                    );
                } else {
                    for (event, hash) in content.events.iter().zip(&content.hashes) {
                        chain.advance(Some(archive), event.id, *hash);
                    }
                }
            }
            Err(ArchiveError::File { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                chain.find(Some(archive), "it is missing");
            }
            Err(ArchiveError::Damaged { source, .. }) => {
                chain.find(Some(archive), source.to_string());
            }
            Err(error) => return Err(error),
        }
        // The rest is verified from where the database records that this one ends.
        chain.head = NotedHash {
            event: archive.last,
            hash: archive.hash,
        };
        Ok(())
    }
}

/// Continues the chain over the events of the database that have their place in it, and returns how many there are.
async fn verify_stored(store: &dyn Store, chain: &mut Chain<'_>) -> Result<i64, ArchiveError> {
    let last_position = store.last_position().await?;
    let mut stored = 0;
    // From the first id, to find events that were archived and are still there.
    let mut from = 0;
    loop {
        let mut events = store.events_from(from, PORTION).await?;
        events.retain(|event| event.id <= last_position);
        let Some(last) = events.last() else {
            if chain.head.event < last_position {
                chain.find(None, format!("the event {last_position} is missing"));
            }
            return Ok(stored);
        };
        from = last.id + 1;
        for event in &events {
            stored += 1;
            let expected = chain.head.event + 1;
            if event.id != expected {
                chain.find(
                    None,
                    format!("the event {expected} is missing: {} follows", event.id),
                );
            }
            let hash = format::chain(chain.head.hash, event);
            chain.advance(None, event.id, hash);
        }
    }
}
