//! Indexes on tables that are in use: built beside writers, which `CREATE INDEX` in a transaction would stop (decision 0104).

use tokio_postgres::{Client, Error};

/// A statement `CREATE INDEX name ON table …`, of a table with or without partitions.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConcurrentIndex {
    name: &'static str,
    table: &'static str,
    /// The columns, and what follows them.
    definition: &'static str,
}

/// The partitions of a table, or the table itself if it has none, each with whether it is a partition.
const SELECT_TABLES: &str = "SELECT relation.relname::text, relation.relispartition
    FROM pg_class relation
    WHERE relation.relkind = 'r' AND relation.oid IN (
        SELECT $1::text::regclass::oid UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::text::regclass)
    ORDER BY 1";
/// Whether an index is complete; none is if it does not exist.
const SELECT_VALID: &str =
    "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1))";

impl ConcurrentIndex {
    /// The index that the one statement of a file creates, after its comments; `None` if it is another statement.
    pub(super) fn from_file(sql: &'static str) -> Option<Self> {
        let mut statement = sql;
        while statement.starts_with("--") {
            statement = statement.split_once('\n')?.1;
        }
        let (name, rest) = statement
            .strip_prefix("CREATE INDEX ")?
            .split_once(" ON ")?;
        let (table, definition) = rest.split_once(' ')?;
        Some(Self {
            name,
            table,
            definition: definition.trim_end().trim_end_matches(';'),
        })
    }

    /// Builds the index on the table, or on each of its partitions. Then the statement finds them: it attaches those of the
    /// partitions, and builds only that of a partition that is new. An index that a former caller left incomplete is built again.
    pub(super) async fn build(&self, client: &Client) -> Result<(), Error> {
        // It waits for transactions that began before, however long these are.
        client
            .batch_execute("SET statement_timeout = 0; SET lock_timeout = 0")
            .await?;
        for row in client.query(SELECT_TABLES, &[&self.table]).await? {
            let (table, is_partition): (String, bool) = (row.get(0), row.get(1));
            let name = if is_partition {
                format!("{table}_{}", self.suffix())
            } else {
                self.name.to_owned()
            };
            let valid = client.query_opt(SELECT_VALID, &[&name]).await?;
            match valid.map(|row| row.get(0)) {
                Some(true) => continue,
                Some(false) => {
                    let drop = format!("DROP INDEX CONCURRENTLY \"{name}\"");
                    client.batch_execute(&drop).await?;
                }
                None => {}
            }
            let create = format!(
                "CREATE INDEX CONCURRENTLY \"{name}\" ON \"{table}\" {}",
                self.definition
            );
            client.batch_execute(&create).await?;
        }
        Ok(())
    }

    /// The statement, for a transaction after [`Self::build`].
    pub(super) fn statement(&self) -> String {
        let Self {
            name,
            table,
            definition,
        } = self;
        // That of a table without partitions exists.
        format!("CREATE INDEX IF NOT EXISTS {name} ON {table} {definition}")
    }

    /// The name of the index without that of the table, at the end of the names on partitions.
    fn suffix(&self) -> &'static str {
        let suffix = self.name.strip_prefix(self.table);
        suffix.map_or(self.name, |suffix| suffix.trim_start_matches('_'))
    }
}
