//! What a row takes on the disk, and an operation in the WAL.

use invoicing_test_postgres::{Database, Server};
use tokio_postgres::Client;

use crate::Figures;

/// Tables whose rows are many, with the name of the figure.
const TABLES: [(&str, &str); 5] = [
    ("access_tokens", "access-token"),
    ("refresh_tokens", "refresh-token"),
    ("audit_events", "audit-event"),
    ("documents", "document"),
    ("document_history", "revision"),
];

/// A table, whose own size is 0 if it has partitions, and these: bytes of the rows with what is stored apart, bytes of the indexes, and the number of rows.
const BYTES: &str = "SELECT coalesce(sum(pg_table_size(relid)), 0)::bigint, coalesce(sum(pg_indexes_size(relid)), 0)::bigint
    FROM (SELECT relid FROM pg_partition_tree($1::text::regclass) WHERE isleaf UNION SELECT $1::text::regclass) parts";

/// A connection that measures, to one database.
pub(crate) struct Sizes(Client);

impl Sizes {
    pub(crate) async fn connect(server: &Server, database: &Database) -> Self {
        Self(server.connect_as_superuser(database).await)
    }

    /// Bytes of WAL that the server has written.
    pub(crate) async fn wal(&self) -> u64 {
        let select = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";
        let row = self.0.query_one(select, &[]).await.unwrap();
        u64::try_from(row.get::<_, i64>(0)).unwrap()
    }

    /// Bytes of a row of each table, and of its entries in the indexes. Of tables with too few rows nothing.
    pub(crate) async fn measure(&self, figures: &mut Figures) {
        self.0.batch_execute("CHECKPOINT").await.unwrap();
        for (table, name) in TABLES {
            let row = self.0.query_one(BYTES, &[&table]).await.unwrap();
            let (heap, indexes): (i64, i64) = (row.get(0), row.get(1));
            let count = format!("SELECT count(*) FROM {table}");
            let rows: i64 = self.0.query_one(&count, &[]).await.unwrap().get(0);
            if rows > 1_000 {
                for (what, bytes) in [("row", heap), ("indexes", indexes)] {
                    let bytes = u64::try_from(bytes / rows).unwrap();
                    figures.insert(format!("size/{name}-{what}-bytes"), bytes);
                }
            }
        }
    }
}
