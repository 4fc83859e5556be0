//! The statements that read and write the records of a table.

use std::sync::LazyLock;

use invoicing_storage::StorageError;
use invoicing_storage::transfer::{Column, ColumnKind, MARKS, TABLES, Table};

/// The statements of a table.
pub(super) struct Statements {
    table: &'static Table,
    /// Records from the first on, of the organization `$1` if they belong to one; the limit is the last parameter.
    pub(super) first: String,
    /// Records after the key of which the columns are the first parameters.
    pub(super) next: String,
    /// How many records there are, of the organization `$1` if they belong to one.
    pub(super) count: String,
    /// Executed one after the other with an array for each column. Records that are there already change nothing.
    pub(super) insert: Vec<String>,
}

static STATEMENTS: LazyLock<Vec<Statements>> =
    LazyLock::new(|| TABLES.iter().map(Statements::of).collect());

impl Statements {
    fn of(table: &'static Table) -> Self {
        let columns: Vec<_> = table
            .columns
            .iter()
            .map(|column| select_column(table, column))
            .collect();
        let columns = columns.join(", ");
        let (from, condition, group) = (source(table), condition(table), group(table));
        let order = match table.name {
            "document_history" => "h.key, h.revision, h.at, h.id".to_owned(),
            _ => key(table).join(", "),
        };
        let of_organization = if table.is_of_organizations() {
            format!(" AND {} = $1", qualified(table, "organization_id"))
        } else {
            String::new()
        };
        let after = match table.name {
            "document_history" => {
                format!("h.key >= {KEY} AND (h.key > {KEY} OR {REVISION} > $3::bigint)")
            }
            _ => format!("({}) > ({})", order, parameters(table).join(", ")),
        };
        let (limit, limit_of_first) = (
            table.key + 1,
            if table.is_of_organizations() { 2 } else { 1 },
        );
        Self {
            table,
            first: format!(
                "SELECT {columns} FROM {from} WHERE {condition}{of_organization} {group} ORDER BY {order} LIMIT ${limit_of_first}"
            ),
            next: format!(
                "SELECT {columns} FROM {from} WHERE {condition}{of_organization} AND {after} {group} ORDER BY {order} LIMIT ${limit}"
            ),
            count: format!(
                "SELECT count(*) FROM (SELECT 1 FROM {from} WHERE {condition}{of_organization} {group}) AS record"
            ),
            insert: insert(table),
        }
    }

    pub(super) fn find(table: &Table) -> Result<&'static Self, StorageError> {
        let found = STATEMENTS
            .iter()
            .find(|statements| statements.table.name == table.name);
        found.ok_or_else(|| StorageError::unexpected("an unknown table"))
    }
}

/// The key of a document in `$2`.
const KEY: &str = "encode($2::bytea, 'hex')::uuid";

/// Two processes can have given two revisions one number.
const REVISION: &str = "(SELECT count(*) FROM document_history AS former
     WHERE former.organization_id = h.organization_id AND former.key = h.key
         AND (former.revision, former.at, former.id) <= (h.revision, h.at, h.id))";

/// How a column is stored.
#[derive(Clone, Copy)]
enum Stored {
    Text,
    Bigint,
    Integer,
    Smallint,
    Boolean,
    Bytea,
    Uuid,
    Numeric,
}

fn stored(table: &Table, column: &Column) -> Stored {
    match (table.name, column.name) {
        ("subjects", "email_verified" | "must_change_password")
        | ("applications", "includes_audience" | "organization_only" | "revoke_family_on_reuse")
        | ("access_tokens", "carries_home")
        | ("master_records", "archived")
        | ("authorities", "enabled")
        | ("document_submissions", "has_warnings")
        | ("plans", "api_access") => Stored::Boolean,
        ("documents" | "document_sums", "status" | "kind")
        | (
            "document_series" | "document_tax_sums" | "master_records" | "master_record_history",
            "kind",
        )
        | ("master_record_history", "revision")
        | ("document_submissions" | "document_submission_attempts", "state" | "http_status")
        | ("clearance_queue", "failures")
        | ("document_attachments", "part") => Stored::Integer,
        ("document_series", "year") => Stored::Smallint,
        ("documents" | "document_history" | "master_records" | "master_record_history", "key")
        | ("document_credits" | "document_debits", "original" | "note")
        | ("receivables" | "document_payments", "document")
        | ("document_payments", "key" | "voids")
        | ("document_submissions" | "document_attachments", "id" | "document_key")
        | ("document_submission_attempts", "submission" | "id")
        | ("clearance_queue", "submission" | "holder") => Stored::Uuid,
        ("document_sums", "net" | "tax" | "gross") | ("document_tax_sums", "taxable" | "tax") => {
            Stored::Numeric
        }
        _ => match column.kind {
            ColumnKind::Text => Stored::Text,
            ColumnKind::Integer | ColumnKind::TokenNumber => Stored::Bigint,
            ColumnKind::Bytes => Stored::Bytea,
        },
    }
}

impl Stored {
    /// The stored value `expression` as that of a record.
    fn exported(self, expression: &str) -> String {
        match self {
            Self::Text | Self::Bigint | Self::Bytea => expression.to_owned(),
            Self::Integer | Self::Smallint => format!("{expression}::bigint"),
            Self::Boolean => format!("{expression}::integer::bigint"),
            Self::Uuid => format!("uuid_send({expression})"),
            Self::Numeric => format!("{expression}::text"),
        }
    }

    /// The value of a record `expression` as it is stored.
    fn imported(self, expression: &str) -> String {
        match self {
            Self::Text | Self::Bigint | Self::Bytea => expression.to_owned(),
            Self::Integer => format!("{expression}::integer"),
            Self::Smallint => format!("{expression}::smallint"),
            Self::Boolean => format!("({expression} <> 0)"),
            Self::Uuid => format!("encode({expression}, 'hex')::uuid"),
            Self::Numeric => format!("{expression}::numeric"),
        }
    }
}

/// The type of a parameter.
const fn type_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text => "text",
        ColumnKind::Integer | ColumnKind::TokenNumber => "bigint",
        ColumnKind::Bytes => "bytea",
    }
}

/// The stored columns of the key; an organization is a condition of its own.
fn key(table: &Table) -> Vec<String> {
    let skipped = usize::from(table.is_of_organizations());
    let columns = table.key_columns().skip(skipped);
    columns.map(|name| qualified(table, name)).collect()
}

fn parameters(table: &Table) -> Vec<String> {
    let skipped = usize::from(table.is_of_organizations());
    let columns = table.columns.iter().zip(1..).take(table.key).skip(skipped);
    let parameters = columns.map(|(column, number)| {
        let parameter = format!("${number}::{}", type_name(column.kind));
        stored(table, column).imported(&parameter)
    });
    parameters.collect()
}

fn qualified(table: &Table, name: &str) -> String {
    match table.name {
        "access_tokens" => format!("t.{name}"),
        "audit_events" => format!("place.{name}"),
        "documents" => format!("d.{name}"),
        "document_history" => format!("h.{name}"),
        _ => name.to_owned(),
    }
}

fn source(table: &Table) -> &'static str {
    match table.name {
        "access_tokens" => {
            "access_tokens AS t JOIN token_authorizations AS authorized ON authorized.id = t.token_authorization"
        }
        "audit_events" => {
            "audit_positions AS place JOIN audit_events AS event ON event.at = place.at AND event.id = place.id"
        }
        "documents" => {
            "documents AS d JOIN buyer_texts AS b ON b.organization_id = d.organization_id AND b.id = d.buyer_text_id"
        }
        "document_history" => "document_history AS h",
        _ => table.name,
    }
}

fn condition(table: &Table) -> String {
    match table.name {
        "settings" => format!("name NOT IN ('{}')", MARKS.join("', '")),
        // A row that credit notes lock.
        "document_series" => "year <> 0".to_owned(),
        "document_tax_sums" => "documents <> 0".to_owned(),
        _ => "TRUE".to_owned(),
    }
}

fn group(table: &Table) -> &'static str {
    match table.name {
        // Engines keep rows of no documents, or do not.
        "document_sums" => {
            "GROUP BY organization_id, issue_date, status, kind, currency HAVING sum(documents) <> 0"
        }
        "document_months" => "GROUP BY organization_id, month",
        _ => "",
    }
}

fn select_column(table: &Table, column: &Column) -> String {
    let name = column.name;
    let expression = match (table.name, name) {
        ("families", "revoked") => {
            "(SELECT count(*) FROM revoked WHERE bucket = families.bucket AND kind = 'family' AND number = families.id)".to_owned()
        }
        ("families", "session_id") => "coalesce(session_id, '')".to_owned(),
        ("access_tokens", "revoked") => {
            "(SELECT count(*) FROM revoked AS r
                 WHERE r.bucket = t.bucket AND r.kind = 'access_token' AND r.number = t.number AND r.hash = t.hash)".to_owned()
        }
        ("access_tokens", "client_id" | "scope" | "audiences" | "carries_home") => {
            format!("authorized.{name}")
        }
        ("audit_events", "position") => "place.position".to_owned(),
        ("audit_events", name) => format!("event.{name}"),
        ("documents", "buyer_text") => "b.text".to_owned(),
        ("document_history", "revision") => REVISION.to_owned(),
        ("document_sums", "documents") => "sum(documents)::bigint".to_owned(),
        ("document_sums", "net" | "tax" | "gross") => format!("sum({name})"),
        ("document_months", "created") => "sum(created)::bigint".to_owned(),
        (_, name) => qualified(table, name),
    };
    stored(table, column).exported(&expression)
}

/// The buckets and ids that other columns determine.
const BUYER_TEXT_ID: &str =
    "encode(substring(sha256(convert_to(buyer_text, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid";

fn insert(table: &Table) -> Vec<String> {
    let mut names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
    let mut arrays: Vec<_> = table
        .columns
        .iter()
        .zip(1..)
        .map(|(column, number)| format!("${number}::{}[]", type_name(column.kind)))
        .collect();
    if table.name == "access_tokens" {
        names.push("authorization_id");
        arrays.push(format!("${}::bigint[]", names.len()));
    }
    let records = format!(
        "WITH record AS (SELECT * FROM unnest({}) AS record ({})) ",
        arrays.join(", "),
        names.join(", ")
    );
    let statements = insert_from_records(table);
    statements
        .into_iter()
        .map(|statement| format!("{records}{statement}"))
        .collect()
}

fn insert_from_records(table: &Table) -> Vec<String> {
    let owned = |statements: &[&str]| statements.iter().map(|one| (*one).to_owned()).collect();
    match table.name {
        "families" => owned(&[
            "INSERT INTO families (id, bucket, client_id, subject, session_id, scope, epoch, authenticated_at, expires_at,
                 code_number, code_hash, redirect_uri, code_challenge, nonce, code_expires_at, code_used_at)
             SELECT id, (id & 1023)::smallint, client_id, subject, nullif(session_id, ''), scope, epoch, authenticated_at,
                 expires_at, code_number, code_hash, redirect_uri, code_challenge, nonce, code_expires_at, code_used_at
             FROM record ON CONFLICT DO NOTHING",
            "INSERT INTO revoked (bucket, kind, number, hash, expires_at)
             SELECT (id & 1023)::smallint, 'family', id, ''::bytea, (id >> 21) + 92 * 86400000::bigint FROM record WHERE revoked <> 0
             ON CONFLICT DO NOTHING",
        ]),
        "refresh_tokens" => owned(&[
            "INSERT INTO refresh_tokens (number, hash, bucket, family, expires_at, used_at, reused_at)
             SELECT number, hash, (number & 1023)::smallint, family, expires_at, used_at, reused_at
             FROM record ON CONFLICT DO NOTHING",
        ]),
        "access_tokens" => owned(&[
            "INSERT INTO token_authorizations (id, client_id, scope, audiences, carries_home)
             SELECT DISTINCT authorization_id, client_id, scope, audiences, carries_home <> 0 FROM record
             ON CONFLICT DO NOTHING",
            "INSERT INTO access_tokens (number, hash, bucket, family, token_authorization, subject, epoch, actor, actor_epoch,
                 issued_at, expires_at)
             SELECT number, hash, (number & 1023)::smallint, family, authorization_id, subject, epoch, actor, actor_epoch,
                 issued_at, expires_at
             FROM record ON CONFLICT DO NOTHING",
            "INSERT INTO revoked (bucket, kind, number, hash, expires_at)
             SELECT (number & 1023)::smallint, 'access_token', number, hash, expires_at FROM record WHERE revoked <> 0
             ON CONFLICT DO NOTHING",
        ]),
        "audit_events" => owned(&[
            "INSERT INTO audit_events (at, id, kind, subject, actor, organization_id, client_id, address, detail)
             SELECT at, position, kind, subject, actor, organization_id, client_id, address, detail
             FROM record ON CONFLICT DO NOTHING",
            "INSERT INTO audit_positions (position, at, id) SELECT position, at, position FROM record
             ON CONFLICT DO NOTHING",
            "UPDATE audit_chain SET last_position = greatest(last_position, (SELECT max(position) FROM record))",
        ]),
        "audit_archives" => owned(&[
            "INSERT INTO audit_archives
                 (last_event, first_event, earliest, latest, previous_hash, hash, file, archived_at, recording)
             SELECT last_event, first_event, earliest, latest, previous_hash, hash, file, archived_at, last_event
             FROM record ON CONFLICT DO NOTHING",
        ]),
        "documents" => {
            let columns = table.columns.iter();
            let values: Vec<_> = columns
                .map(|column| match column.name {
                    "buyer_text" => BUYER_TEXT_ID.to_owned(),
                    name => stored(table, column).imported(name),
                })
                .collect();
            let names = column_names(table).replace("buyer_text,", "buyer_text_id,");
            vec![
                format!(
                    "INSERT INTO buyer_texts (organization_id, id, text)
                     SELECT DISTINCT organization_id, {BUYER_TEXT_ID}, buyer_text FROM record ON CONFLICT DO NOTHING"
                ),
                format!(
                    "INSERT INTO documents ({names}) SELECT {} FROM record ON CONFLICT DO NOTHING",
                    values.join(", ")
                ),
            ]
        }
        // A table of slots gets all in the first, where sums are not classified yet, and a revision its number as its id.
        "document_sums" => vec![insert_with(table, "slot", "0")],
        "document_months" => vec![insert_with(table, "slot", "0")],
        "document_history" => vec![insert_with(table, "id", "revision")],
        _ => vec![format!(
            "INSERT INTO {} ({}) SELECT {} FROM record ON CONFLICT DO NOTHING",
            table.name,
            column_names(table),
            values(table)
        )],
    }
}

fn column_names(table: &Table) -> String {
    let names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
    names.join(", ")
}

fn values(table: &Table) -> String {
    let values: Vec<_> = table
        .columns
        .iter()
        .map(|column| stored(table, column).imported(column.name))
        .collect();
    values.join(", ")
}

/// Inserts the columns of the records and one more.
fn insert_with(table: &Table, column: &str, value: &str) -> String {
    format!(
        "INSERT INTO {} ({}, {column}) SELECT {}, {value} FROM record ON CONFLICT DO NOTHING",
        table.name,
        column_names(table),
        values(table)
    )
}
