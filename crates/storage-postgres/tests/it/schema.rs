//! The schemas of both engines: every difference is named here, with its reason (decision 0100).

use std::collections::BTreeSet;

use invoicing_storage_sqlite::Sqlite;
use tokio_postgres::NoTls;

/// Lines of one schema that the other does not have: `table`, or of a table that both have `table.column TYPE`, with `NULL` if
/// it can be, and `table (primary key)`.
struct Difference {
    reason: &'static str,
    sqlite: &'static [&'static str],
    postgres: &'static [&'static str],
}

const DIFFERENCES: &[Difference] = &[
    Difference {
        reason: "One process opens a file of SQLite. Processes on PostgreSQL share leases, budgets of requests and versions of what they cache; SQLite counts its one version with triggers.",
        sqlite: &["generation"],
        postgres: &["budgets", "leases", "versions"],
    },
    Difference {
        reason: "A program on PostgreSQL may meet the schema of a later one (decision 0104).",
        sqlite: &[],
        postgres: &["schema_migrations.compatible_from integer"],
    },
    Difference {
        reason: "Programs of the version before write to PostgreSQL after a migration: what it derives is derived of their rows later (decision 0104).",
        sqlite: &[],
        postgres: &["schema_migrations.derived_until integer NULL"],
    },
    Difference {
        reason: "Rows that grow for ever are in partitions by time, which are dropped or detached. The time is part of their keys.",
        sqlite: &["audit_events (id)", "document_history (id)"],
        postgres: &[
            "audit_events (at, id)",
            "document_history (organization_id, key, revision, at, id)",
            "document_history.revision integer",
            "partitioned_tables",
        ],
    },
    Difference {
        reason: "Tokens are keyed by number, hash and bucket. In SQLite one integer is the key, because the table is a B-tree of it (decision 0034).",
        sqlite: &[
            "access_tokens (lookup_key)",
            "access_tokens.lookup_key integer",
            "refresh_tokens (lookup_key)",
            "refresh_tokens.lookup_key integer",
            "families (id)",
            "pushed_requests (lookup_key)",
            "pushed_requests.lookup_key integer",
            "pushed_requests.access_token_key integer NULL",
            "sessions (id)",
        ],
        postgres: &[
            "access_tokens (number, hash, bucket)",
            "access_tokens.bucket integer",
            "access_tokens.number integer",
            "refresh_tokens (number, hash, bucket)",
            "refresh_tokens.bucket integer",
            "refresh_tokens.number integer",
            "families (id, bucket)",
            "families.bucket integer",
            "pushed_requests (hash)",
            "pushed_requests.access_token_number integer NULL",
            "pushed_requests.number integer",
            "sessions (hash)",
        ],
    },
    Difference {
        reason: "A row of PostgreSQL that is updated is written anew, so a family contains its code, and revocations are rows of their own.",
        sqlite: &[
            "access_tokens.revoked_at integer NULL",
            "authorization_codes",
            "families.revoked_at integer NULL",
            "families.session_id text",
            "revoked_families",
        ],
        postgres: &[
            "families.code_challenge text NULL",
            "families.code_expires_at integer NULL",
            "families.code_hash bytes NULL",
            "families.code_number integer NULL",
            "families.code_used_at integer NULL",
            "families.nonce text NULL",
            "families.redirect_uri text NULL",
            "families.session_id text NULL",
            "revoked",
        ],
    },
    Difference {
        reason: "A transaction on PostgreSQL is repeated when the answer to its commit is lost, and recognises what it wrote (decision 0102).",
        sqlite: &[],
        postgres: &[
            "audit_archives.recording integer",
            "families.successor bytes NULL",
            "pushed_requests.use_id integer NULL",
            "refresh_tokens.successor bytes NULL",
        ],
    },
    Difference {
        reason: "The one writer of SQLite numbers events without gaps. On PostgreSQL they get their numbers after their commit.",
        sqlite: &[],
        postgres: &["audit_chain", "audit_locks", "audit_positions"],
    },
    Difference {
        reason: "SQLite reads whole rows, so the body of a document is in a table of its own. PostgreSQL stores large values apart by itself.",
        sqlite: &[
            "document_contents",
            "documents (id)",
            "documents.id integer",
        ],
        postgres: &[
            "documents (organization_id, key)",
            "documents.body bytes",
            "documents.buyer bytes NULL",
            "documents.created bytes NULL",
            "documents.frozen bytes NULL",
            "documents.issued bytes NULL",
            "documents.note text",
            "documents.payable integer",
            "documents.supply_date text",
            "documents.updated bytes NULL",
        ],
    },
    Difference {
        reason: "Texts of buyers are numbered by the one writer of SQLite, and by their hash where many write.",
        sqlite: &[
            "buyer_texts (id)",
            "buyer_texts.id integer",
            "documents.buyer_text_id integer",
        ],
        postgres: &[
            "buyer_texts (organization_id, id)",
            "buyer_texts.id bytes",
            "documents.buyer_text_id bytes",
        ],
    },
    Difference {
        reason: "Writers of one organization wait for each other at a row of sums, so PostgreSQL spreads them over slots.",
        sqlite: &[
            "document_months (organization_id, month)",
            "document_sums (organization_id, issue_date, status, kind, currency)",
        ],
        postgres: &[
            "document_months (organization_id, month, slot)",
            "document_months.slot integer",
            "document_sums (organization_id, issue_date, status, kind, currency, slot)",
            "document_sums.slot integer",
        ],
    },
    Difference {
        reason: "A further row of sums costs a write on SQLite little. PostgreSQL has the classes of amounts in the slots (decisions 0155 and 0156).",
        sqlite: &["document_class_sums", "document_totals"],
        postgres: &[],
    },
    Difference {
        reason: "SQLite has no integers beyond 64 bits: a sum is two of them.",
        sqlite: &[
            "document_sums.gross_high integer",
            "document_sums.gross_low integer",
            "document_sums.net_high integer",
            "document_sums.net_low integer",
            "document_sums.tax_high integer",
            "document_sums.tax_low integer",
            "document_tax_sums.tax_high integer",
            "document_tax_sums.tax_low integer",
            "document_tax_sums.taxable_high integer",
            "document_tax_sums.taxable_low integer",
        ],
        postgres: &[
            "document_sums.gross numeric",
            "document_sums.net numeric",
            "document_sums.tax numeric",
            "document_tax_sums.tax numeric",
            "document_tax_sums.taxable numeric",
        ],
    },
];

/// A column, or the position of a column in the primary key.
struct Column {
    table: String,
    name: String,
    kind: &'static str,
    nullable: bool,
    /// From 1; 0: not in the primary key.
    key_position: i64,
}

/// The lines of a schema.
fn lines(columns: &[Column]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let tables: BTreeSet<_> = columns.iter().map(|column| &column.table).collect();
    for table in tables {
        lines.insert(table.clone());
        let columns = columns.iter().filter(|column| column.table == *table);
        let mut key = Vec::new();
        for column in columns {
            let nullable = if column.nullable { " NULL" } else { "" };
            lines.insert(format!("{table}.{} {}{nullable}", column.name, column.kind));
            if column.key_position > 0 {
                key.push((column.key_position, &*column.name));
            }
        }
        key.sort_unstable();
        let key: Vec<_> = key.into_iter().map(|(_, name)| name).collect();
        lines.insert(format!("{table} ({})", key.join(", ")));
    }
    lines
}

/// The lines of `one` that `other` lacks. Of a table that it lacks only the name.
fn missing(one: &BTreeSet<String>, other: &BTreeSet<String>) -> BTreeSet<String> {
    let lacks_table = |line: &str| {
        let table = line.split(['.', ' ']).next().unwrap_or(line);
        line != table && !other.contains(table)
    };
    let missing = one.difference(other);
    missing.filter(|line| !lacks_table(line)).cloned().collect()
}

async fn sqlite() -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("invoicing.db");
    let store = Sqlite::open(&format!("sqlite:{}", path.display()))
        .await
        .unwrap();
    store.close().await;
    let database = rusqlite::Connection::open(path).unwrap();
    let mut select = database
        .prepare(
            "SELECT t.name, c.name, c.type, c.\"notnull\", c.pk
             FROM pragma_table_list t JOIN pragma_table_info(t.name) c
             WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'",
        )
        .unwrap();
    let columns = select.query_map([], |row| {
        let kind: String = row.get(2)?;
        Ok(Column {
            table: row.get(0)?,
            name: row.get(1)?,
            kind: match &*kind {
                "INTEGER" => "integer",
                "TEXT" => "text",
                "BLOB" => "bytes",
                other => panic!("{other}"),
            },
            nullable: !row.get::<_, bool>(3)?,
            key_position: row.get(4)?,
        })
    });
    let columns: Result<Vec<_>, _> = columns.unwrap().collect();
    lines(&columns.unwrap())
}

async fn postgres() -> BTreeSet<String> {
    let (_store, database) = super::open().await;
    let (client, connection) = tokio_postgres::connect(database.owner_url(), NoTls)
        .await
        .unwrap();
    tokio::spawn(async move {
        // The client sees the end of the connection.
        let _ = connection.await;
    });
    let select = "SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL), NOT a.attnotnull,
            coalesce(array_position(i.indkey::smallint[], a.attnum), -1)::bigint + 1
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition";
    let rows = client.query(select, &[]).await.unwrap();
    let columns: Vec<_> = rows
        .iter()
        .map(|row| Column {
            table: row.get(0),
            name: row.get(1),
            kind: match row.get(2) {
                // A number or a truth value.
                "bigint" | "integer" | "smallint" | "boolean" => "integer",
                "text" => "text",
                "bytea" | "uuid" => "bytes",
                "numeric" => "numeric",
                other => panic!("{other}"),
            },
            nullable: row.get(3),
            key_position: row.get(4),
        })
        .collect();
    lines(&columns)
}

#[tokio::test]
async fn schemas_of_both_engines_differ_as_listed() {
    let (sqlite, postgres) = (sqlite().await, postgres().await);
    let listed = |lines: fn(&Difference) -> &'static [&'static str]| -> BTreeSet<String> {
        let lines = DIFFERENCES.iter().flat_map(lines);
        lines.map(|line| (*line).to_owned()).collect()
    };
    assert!(
        DIFFERENCES
            .iter()
            .all(|difference| !difference.reason.is_empty())
    );
    let only = (missing(&sqlite, &postgres), missing(&postgres, &sqlite));
    let listed = (
        listed(|difference| difference.sqlite),
        listed(|difference| difference.postgres),
    );
    assert_eq!(only, listed, "only in SQLite, and only in PostgreSQL");
}
