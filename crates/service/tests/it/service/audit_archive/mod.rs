//! Tests of the archives of the audit: reading and verification here, retention and the command line in a module.

mod command_line;

use std::fs;
use std::path::Path;
use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_service::audit_archive::{ArchiveError, NotedHash, Verification};
use invoicing_service::{AuditArchiveFolder, DatabaseOptions};
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query, RecordedEvent};
use invoicing_storage::{AuditArchiveStore as _, AuditStore as _};
use invoicing_storage_sqlite::Sqlite;
use tempfile::TempDir;

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// A database with old events, and its archive folder.
struct Archived {
    store: Sqlite,
    folder: AuditArchiveFolder,
    path: TempDir,
    /// All events that were recorded, in the order of their ids.
    recorded: Vec<RecordedEvent>,
}

fn numbered(number: i64) -> AuditEvent {
    let turn = |of: i64| usize::try_from(number % of).expect("a small number");
    let kinds = [
        AuditEventKind::TokenIssued,
        AuditEventKind::SignedIn,
        AuditEventKind::SignInFailed,
    ];
    // Not in the order of the ids, except that the last of ten is the latest so far.
    let earlier = if number % 10 == 9 { 0 } else { number % 7 * 2 };
    let at = NOW.minus(Duration::from_secs(1_000_000)).as_millis() + number - earlier;
    AuditEvent::new(Timestamp::from_millis(at), kinds[turn(3)])
        .subject(&["noura", "salem"][turn(2)].into())
        .organization(&["riyadh", "jeddah", "tabuk"][turn(3)].into())
        .detail("number", number.to_string())
}

/// Archives `portions`, each of 30 events; 10 more stay in the database.
async fn archived(portions: i64) -> Archived {
    let path = tempfile::tempdir().expect("a temporary folder");
    let database = format!("sqlite:{}", path.path().join("invoicing.db").display());
    let store = Sqlite::open(&database).await.expect("a database");
    let folder = DatabaseOptions::from(database)
        .audit_archive_folder(None)
        .expect("the database is a file");
    for portion in 0..=portions {
        let count = if portion < portions { 30 } else { 10 };
        for number in 0..count {
            let event = numbered(portion * 30 + number);
            store.record(&event).await.expect("storage responds");
        }
        // The newest event always stays: it is archived with the next portion.
        if portion < portions {
            folder.archive(&store, NOW, NOW).await.expect("archived");
        }
    }
    let recorded = (1..).zip(0..portions * 30 + 10);
    let recorded = recorded.map(|(id, number)| RecordedEvent {
        id,
        event: numbered(number),
    });
    Archived {
        store,
        folder,
        path,
        recorded: recorded.collect(),
    }
}

impl Archived {
    async fn verify(&self) -> Verification {
        let verified = self.folder.verify(&self.store, None).await;
        verified.expect("the archive can be verified")
    }

    /// What is wrong: each file with its problem.
    async fn findings(&self) -> Vec<(Option<String>, String)> {
        let findings = self.verify().await.findings.into_iter();
        findings
            .map(|finding| (finding.file, finding.problem))
            .collect()
    }

    fn file(&self, number: usize) -> std::path::PathBuf {
        let mut files: Vec<_> = fs::read_dir(self.path.path().join("invoicing.db-audit"))
            .expect("the archive folder")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "gz"))
            .collect();
        files.sort();
        files[number].clone()
    }
}

#[tokio::test]
async fn queries_return_the_same_pages_after_events_are_archived() {
    let archived = archived(3).await;
    assert_eq!(archived.store.audit_archives().await.unwrap().len(), 3);
    let stored = archived.store.events_from(0, 1_000).await.unwrap();
    assert_eq!(stored.len(), 11, "the rest is in files only");
    let mut newest_first = archived.recorded.clone();
    newest_first.sort_by_key(|event| std::cmp::Reverse((event.event.at, event.id)));
    let all = Query {
        size: 1_000,
        ..Query::default()
    };
    let middle = &newest_first[50];
    for query in [
        all.clone(),
        Query {
            size: 7,
            ..all.clone()
        },
        Query {
            subject: Some("noura".into()),
            organization: Some("jeddah".into()),
            ..all.clone()
        },
        Query {
            kinds: vec![AuditEventKind::SignInFailed],
            size: 25,
            ..all.clone()
        },
        Query {
            from: Some(newest_first[70].event.at),
            to: Some(newest_first[20].event.at),
            ..all.clone()
        },
        Query {
            after: Some((middle.event.at, middle.id)),
            size: 20,
            ..all.clone()
        },
        Query {
            subject: Some("nobody".into()),
            ..all.clone()
        },
    ] {
        let expected = newest_first.iter().filter(|event| query.matches(event));
        let expected: Vec<_> = expected.take(query.size as usize).cloned().collect();
        let found = archived.folder.query(&archived.store, &query).await;
        assert_eq!(found.unwrap(), expected, "{query:?}");
    }
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let query = Query {
            after,
            size: 9,
            ..all.clone()
        };
        let page = archived
            .folder
            .query(&archived.store, &query)
            .await
            .unwrap();
        let Some(last) = page.last() else { break };
        after = Some((last.event.at, last.id));
        paged.extend(page);
    }
    assert_eq!(paged, newest_first, "each once");
}

#[tokio::test]
async fn complete_audit_is_verified_and_its_head_proves_later_that_nothing_changed() {
    let archived = archived(2).await;
    let verification = archived.verify().await;
    assert_eq!(verification.findings, []);
    assert_eq!(
        (
            verification.archives,
            verification.archived_events,
            verification.stored_events
        ),
        (2, 59, 11)
    );
    assert_eq!(verification.unrecorded_files, [""; 0]);
    let noted: NotedHash = verification.head.to_string().parse().unwrap();
    assert_eq!(noted.event, 70);

    let later = numbered(70);
    archived.store.record(&later).await.unwrap();
    let again = archived.folder.archive(&archived.store, NOW, NOW).await;
    assert_eq!(again.unwrap(), 11, "the events behind the noted head");
    let verified = archived.folder.verify(&archived.store, Some(&noted)).await;
    assert_eq!(verified.unwrap().findings, []);
    let other = NotedHash { event: 30, ..noted };
    let verified = archived.folder.verify(&archived.store, Some(&other)).await;
    assert_eq!(verified.unwrap().findings.len(), 1, "another history");
    let beyond = NotedHash {
        event: 700,
        ..noted
    };
    let verified = archived.folder.verify(&archived.store, Some(&beyond)).await;
    assert_eq!(
        verified.unwrap().findings.len(),
        1,
        "events that were there"
    );
}

#[tokio::test]
async fn missing_changed_truncated_and_exchanged_files_are_found() {
    type Damage = fn(&Archived);
    let damages: [(&str, Damage, &str); 5] = [
        (
            "missing",
            |archived| fs::remove_file(archived.file(1)).unwrap(),
            "it is missing",
        ),
        (
            "truncated",
            |archived| {
                let content = fs::read(archived.file(1)).unwrap();
                fs::write(archived.file(1), &content[..content.len() - 40]).unwrap();
            },
            "it cannot be read to its end",
        ),
        (
            "emptied",
            |archived| fs::write(archived.file(1), "").unwrap(),
            "it cannot be read to its end",
        ),
        (
            "replaced by another archive",
            |archived| {
                fs::copy(archived.file(0), archived.file(1)).unwrap();
            },
            "it is intact, but not the file that the database has recorded",
        ),
        (
            "rewritten with another event",
            |archived| {
                rewrite(&archived.file(1), |text| {
                    text.replace("\"number\":\"40\"", "\"number\":\"41\"")
                })
            },
            "its events were changed",
        ),
    ];
    for (name, damage, problem) in damages {
        let archived = archived(3).await;
        damage(&archived);
        let findings = archived.findings().await;
        let [(Some(file), found)] = findings.as_slice() else {
            panic!("{name}: {findings:?}");
        };
        assert!(
            archived.file(0).parent().unwrap().join(file) != archived.file(0),
            "{name}"
        );
        assert!(found.starts_with(problem), "{name}: {found}");
        let all = Query {
            size: 1_000,
            ..Query::default()
        };
        let query = archived.folder.query(&archived.store, &all).await;
        if name != "replaced by another archive" {
            assert!(query.is_err(), "{name}: an incomplete page is an error");
        }
    }
}

#[tokio::test]
async fn exchanged_order_of_files_is_found() {
    let archived = archived(3).await;
    let (one, other) = (archived.file(0), archived.file(1));
    let kept = fs::read(&one).unwrap();
    fs::copy(&other, &one).unwrap();
    fs::write(&other, kept).unwrap();
    assert_eq!(archived.findings().await.len(), 2);
}

/// Decompresses a file, changes its text, and compresses it again with a header that fits.
fn rewrite(file: &Path, change: impl FnOnce(String) -> String) {
    use std::io::{Read as _, Write as _};
    let mut text = String::new();
    let compressed = fs::read(file).expect("the file is there");
    flate2::read::GzDecoder::new(&compressed[..])
        .read_to_string(&mut text)
        .expect("it is intact");
    let changed = change(text.clone());
    assert_ne!(changed, text);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder
        .write_all(changed.as_bytes())
        .expect("memory and a temporary file");
    fs::write(file, encoder.finish().expect("memory and a temporary file"))
        .expect("memory and a temporary file");
}

#[tokio::test]
async fn event_deleted_from_the_database_behind_its_back_is_found() {
    let archived = archived(1).await;
    archived.store.close().await;
    let database = archived.path.path().join("invoicing.db");
    let connection = rusqlite::Connection::open(&database).unwrap();
    let refused = connection.execute("DELETE FROM audit_events WHERE id = 35", ());
    assert!(refused.unwrap_err().to_string().contains("append-only"));
    for statement in [
        "UPDATE audit_archives SET file = 'other'",
        "DELETE FROM audit_archives",
        "INSERT INTO audit_archives VALUES (39, 35, 0, 0, zeroblob(32), zeroblob(32), 'x', 0)",
    ] {
        assert!(connection.execute(statement, ()).is_err(), "{statement}");
    }
    connection
        .execute_batch(
            "DROP TRIGGER audit_events_are_not_deleted; DELETE FROM audit_events WHERE id = 35",
        )
        .unwrap();
    drop(connection);
    let store = Sqlite::open(&format!("sqlite:{}", database.display()))
        .await
        .unwrap();
    let verification = archived.folder.verify(&store, None).await.unwrap();
    let problems = verification.findings.into_iter();
    let problems: Vec<_> = problems.map(|finding| finding.problem).collect();
    assert_eq!(problems, ["the event 35 is missing: 36 follows"]);
    store.close().await;
}

#[tokio::test]
async fn archives_are_written_by_one_process_at_a_time() {
    let archived = archived(1).await;
    let lock = fs::File::open(archived.path.path().join("invoicing.db-audit/.lock")).unwrap();
    lock.try_lock().unwrap();
    let refused = archived.folder.archive(&archived.store, NOW, NOW).await;
    assert!(matches!(refused, Err(ArchiveError::Locked)), "{refused:?}");
    lock.unlock().unwrap();
    assert_eq!(
        archived
            .folder
            .archive(&archived.store, NOW, NOW)
            .await
            .unwrap(),
        10
    );
    assert_eq!(archived.findings().await, []);
}

#[tokio::test]
async fn file_that_an_interrupted_run_left_is_neither_overwritten_nor_read() {
    let archived = archived(1).await;
    let folder = archived.path.path().join("invoicing.db-audit");
    let left = folder.join("audit-000000000030-000000000039.jsonl.gz");
    fs::write(&left, "another content").unwrap();
    assert_eq!(
        archived
            .folder
            .archive(&archived.store, NOW, NOW)
            .await
            .unwrap(),
        10
    );
    let verification = archived.verify().await;
    assert_eq!(verification.findings, []);
    assert_eq!(
        verification.unrecorded_files,
        ["audit-000000000030-000000000039.jsonl.gz"]
    );
    assert_eq!(fs::read(&left).unwrap(), b"another content");
}
