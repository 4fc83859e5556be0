//! Three processes of the service behind the proxy of deploy/, a PostgreSQL primary with a synchronous standby, and load. Processes and
//! the primary are killed; nothing that was acknowledged is lost or doubled, and callers get only errors that they may retry. While the
//! processes are restarted in turn they get none.

mod documents;
mod lost_answers;
mod proxy;
mod refreshes;
mod replicas;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use invoicing_service::{Clock as _, SystemClock};
use invoicing_test_postgres::Server;

use self::documents::DocumentLoad;
use self::refreshes::RefreshLoad;
use self::replicas::Replicas;
use crate::fixtures::wait_until;

/// Callers that create and issue documents.
const DOCUMENT_CALLERS: usize = 8;
/// Callers that refresh tokens.
const REFRESH_CALLERS: usize = 4;
/// Between the end of a primary and the first write that its successor acknowledges, beyond the time of the promotion.
const WRITES_RESUME: Duration = Duration::from_secs(2);

/// What all callers share.
#[derive(Default)]
pub(crate) struct Load {
    stop: AtomicBool,
    /// Writes that were acknowledged.
    acknowledged: AtomicU64,
    /// Answers that no caller may get.
    unexpected: std::sync::Mutex<Vec<String>>,
    /// Whether nothing is killed, so that callers may get no error either that they may retry.
    undisturbed: AtomicBool,
    /// Attempts that failed with an error that callers may retry.
    failures: AtomicU64,
}

/// Whether nothing was killed when an attempt began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt {
    undisturbed: bool,
}

impl Load {
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    pub(crate) fn acknowledge(&self) {
        self.acknowledged.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn report(&self, answer: String) {
        self.unexpected
            .lock()
            .expect("no thread panics")
            .push(answer);
    }

    pub(crate) fn begin_attempt(&self) -> Attempt {
        let undisturbed = self.undisturbed.load(Ordering::SeqCst);
        Attempt { undisturbed }
    }

    /// Notes that an attempt failed with an error that callers may retry. Nothing must have been killed in all of its time for that to
    /// be one that no caller may get.
    pub(crate) fn fail(&self, attempt: Attempt, error: &str) {
        self.failures.fetch_add(1, Ordering::SeqCst);
        if attempt.undisturbed && self.undisturbed.load(Ordering::SeqCst) {
            self.report(format!("while nothing is killed: {error}"));
        }
    }

    /// Waits until `more` further writes are acknowledged.
    async fn progress(&self, more: u64) {
        let target = self.acknowledged.load(Ordering::SeqCst) + more;
        wait_until("further writes are acknowledged", async || {
            self.acknowledged.load(Ordering::SeqCst) >= target
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_write_is_lost_when_processes_and_the_primary_are_killed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let primary = Server::start(&["wal_level=replica"]);
    let name = replicas::prepare_database(&primary).await;
    let standby = Server::standby_of(&primary, &[]);
    primary.require_standby().await;
    let database = format!(
        "postgres://application@127.0.0.1:{},127.0.0.1:{}/{name}",
        primary.port(),
        standby.port()
    );
    let mut replicas = Replicas::start(folder.path(), &database).await;
    let client = replicas.client.clone();

    let load = Arc::new(Load::default());
    let documents = DocumentLoad::start(&client, &load, DOCUMENT_CALLERS).await;
    let refreshes = RefreshLoad::start(&client, &load, REFRESH_CALLERS).await;
    load.progress(200).await;

    // One process is killed, and starts again.
    replicas.kill(0);
    load.progress(200).await;
    replicas.start_again(0).await;

    // All are restarted in turn, as an upgrade does, and no attempt fails.
    load.undisturbed.store(true, Ordering::SeqCst);
    for replica in 0..3 {
        replicas.terminate(replica).await;
        load.progress(50).await;
        replicas.start_again(replica).await;
    }
    load.progress(200).await;
    load.undisturbed.store(false, Ordering::SeqCst);

    // The primary is killed, and the standby promoted.
    primary.kill();
    standby.promote();
    let promoted = SystemClock.monotonic();
    load.progress(1).await;
    let resumed = SystemClock.monotonic().saturating_sub(promoted);
    load.progress(200).await;

    load.stop.store(true, Ordering::SeqCst);
    let acknowledged = documents.finish().await;
    let chains = refreshes.finish().await;
    // First: what a caller should not have been told explains what is lost.
    let unexpected = load.unexpected.lock().expect("no thread panics").clone();
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
    documents::verify(&standby.owner_url(&name), &acknowledged).await;
    refreshes::verify(&client, &chains).await;
    eprintln!(
        "{} documents and {} refreshes acknowledged, {} attempts failed; writes resumed {resumed:?} after the promotion",
        acknowledged.len(),
        chains.refreshes,
        load.failures.load(Ordering::SeqCst),
    );
    assert!(resumed < WRITES_RESUME, "writes resumed after {resumed:?}");
}
