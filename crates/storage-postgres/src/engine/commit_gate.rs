//! Refuses writes while commits wait for a standby that is lost: each of them would leave a backend that waits (decision 0182).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use invoicing_storage::StorageError;

use super::connection::PooledConnection;
use super::error::EngineError;

/// Connections of this process that were closed before the answer to a request came. Their backends may work on it still.
#[derive(Debug, Clone, Default)]
pub(super) struct UnansweredConnections(Arc<AtomicU64>);

impl UnansweredConnections {
    pub(super) fn add(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

/// Whether a write may begin.
#[derive(Debug, Default)]
pub(super) struct CommitGate {
    unanswered: UnansweredConnections,
    /// How many of these there were when no commit was waiting.
    seen: AtomicU64,
}

/// Whether a commit has waited for longer than a standby that is there needs. The backends of other processes count too: they have
/// the same role, and the standby is the same.
const SELECT_WAITING: &str = "SELECT EXISTS (
         SELECT FROM pg_stat_activity
         WHERE wait_event = 'SyncRep' AND state_change < clock_timestamp() - interval '5 seconds'
     ) AS is_waiting";

impl CommitGate {
    /// What connections add themselves to.
    pub(super) const fn unanswered(&self) -> &UnansweredConnections {
        &self.unanswered
    }

    /// Lets a write pass that has got `connection`, unless a commit waits for a standby. The server is asked only after a request got
    /// no answer, and then by each write until none waits.
    ///
    /// # Errors
    /// [`StorageError::Busy`] while one waits, or the error of the question. Nothing is written.
    pub(super) async fn pass(&self, connection: &PooledConnection) -> Result<(), EngineError> {
        let unanswered = self.unanswered.count();
        if unanswered == self.seen.load(Ordering::Acquire) {
            return Ok(());
        }
        let select = connection.prepare(SELECT_WAITING).await?;
        for row in connection.query(&select, &[]).await? {
            if row.try_get("is_waiting")? {
                tracing::warn!(
                    "a write is refused: commits wait for a standby that does not answer"
                );
                return Err(StorageError::Busy.into());
            }
        }
        self.seen.store(unanswered, Ordering::Release);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::future::join_all;
    use invoicing_contract::Timestamp;
    use invoicing_storage::SystemRng;
    use invoicing_test_postgres::{Database, Server};
    use tokio::time::timeout;

    use super::*;
    use crate::{Options, Postgres, migrate, schema_name};

    const CONNECTIONS: usize = 3;
    /// More writes than there are connections.
    const WRITES: usize = 9;
    /// Longer than any wait here.
    const BOUND: Duration = Duration::from_secs(120);
    const INSERT: &str = "INSERT INTO settings (name, value) VALUES ($1, '')
         ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING value";

    async fn open(server: &Server) -> (Postgres, Database) {
        let name = schema_name();
        let database = server.database(&name, async |owner_url| {
            let options = Options::from_url(owner_url).unwrap();
            migrate(&options, Timestamp::from_millis(0)).await.unwrap();
        });
        let database = database.await;
        let mut options = Options::from_url(database.application_url()).unwrap();
        options.connections = CONNECTIONS;
        options.statement_timeout = Duration::from_secs(1);
        let store = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
        (store, database)
    }

    async fn write(store: &Postgres, name: String) -> Result<(), StorageError> {
        let written = timeout(BOUND, async {
            store.engine().write_statement(&[], INSERT, &[&name]).await
        });
        written.await.expect("a write ends").map(drop)
    }

    /// Sets the names of the standbys that a commit waits for.
    async fn set_standbys(server: &Server, names: &str) {
        let administrator = server.administrator().await;
        let set = format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'");
        for statement in [&*set, "SELECT pg_reload_conf()"] {
            administrator.batch_execute(statement).await.unwrap();
        }
    }

    #[tokio::test]
    async fn commits_that_wait_for_a_lost_standby_do_not_pile_up_and_reads_go_on() {
        let server = Server::start(&["fsync=off"]);
        let (store, database) = open(&server).await;
        write(&store, "before".to_owned()).await.unwrap();

        // There is no standby of this name: every commit waits, from when the server has read the setting on.
        set_standbys(&server, "missing").await;
        let prober = server.connect_as_superuser(&database).await;
        let probe = "INSERT INTO settings (name, value) SELECT gen_random_uuid()::text, ''";
        while timeout(Duration::from_millis(500), prober.batch_execute(probe))
            .await
            .is_ok()
        {}

        let writes = (0..WRITES).map(|number| write(&store, format!("lost {number}")));
        for outcome in join_all(writes).await {
            let expected = matches!(outcome, Err(StorageError::InDoubt(_) | StorageError::Busy));
            assert!(expected, "{outcome:?}");
        }
        for number in 0..WRITES {
            let refused = write(&store, format!("refused {number}")).await;
            assert!(matches!(refused, Err(StorageError::Busy)), "{refused:?}");
            let read = store.engine().row(None, "SELECT 1", &[]).await;
            assert!(read.unwrap().is_some());
        }
        let waiting = "SELECT count(*) FROM pg_stat_activity
             WHERE wait_event = 'SyncRep' AND usename = 'application'";
        let observer = server.administrator().await;
        let waiting = observer.query_one(waiting, &[]).await.unwrap();
        let waiting = usize::try_from(waiting.get::<_, i64>(0));
        assert_eq!(waiting, Ok(CONNECTIONS), "one for each connection");

        set_standbys(&server, "").await;
        let resumed = timeout(BOUND, async {
            while write(&store, "after".to_owned()).await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        resumed.await.expect("writes go on without a restart");
    }

    #[tokio::test]
    async fn write_after_a_read_without_an_answer_is_not_refused() {
        let (store, _database) = open(Server::shared()).await;
        let read = store.engine().rows(None, "SELECT pg_sleep(1)", &[]);
        let cancelled = timeout(Duration::from_millis(200), read).await;
        assert!(cancelled.is_err(), "the read is cancelled");
        write(&store, "after".to_owned()).await.unwrap();
    }
}
