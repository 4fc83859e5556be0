//! The statements that read and write the records of a table.

use std::sync::LazyLock;

use invoicing_storage::StorageError;
use invoicing_storage::transfer::{MARKS, TABLES, Table};

/// The statements of a table.
pub(super) struct Statements {
    pub(super) table: &'static Table,
    /// Records from the first on; `LIMIT` is the last parameter.
    pub(super) first: String,
    /// Records after a key, whose columns are the first parameters.
    pub(super) next: String,
    /// How many records there are.
    pub(super) count: String,
    /// Executed one after the other with the values of a record. Records that are there already change nothing.
    pub(super) insert: Vec<String>,
}

static STATEMENTS: LazyLock<Vec<Statements>> =
    LazyLock::new(|| TABLES.iter().map(Statements::of).collect());

/// A number that another row has is not free: the next of its eight keys is.
const FREE_KEY: &str =
    "(WITH RECURSIVE candidates (key) AS (SELECT ?1 UNION ALL SELECT key + 1 FROM candidates WHERE key < ?1 + 7)
      SELECT min(key) FROM candidates WHERE key NOT IN (SELECT lookup_key FROM {table} WHERE lookup_key BETWEEN ?1 AND ?1 + 7))";

impl Statements {
    fn of(table: &'static Table) -> Self {
        let (columns, from) = (select_list(table), source(table));
        let condition = condition(table);
        let order = match table.name {
            // The order of revisions, in an index.
            "document_history" => "h.organization_id, h.key, h.id".to_owned(),
            _ => position(table),
        };
        let after = match table.name {
            "document_history" => format!(
                "(h.organization_id, h.key) >= (?1, ?2) AND (h.organization_id, h.key, {REVISION}) > (?1, ?2, ?3)"
            ),
            _ => {
                let position = position(table);
                let parameters = parameters(1, position.split(", ").count());
                format!("({position}) > ({parameters})")
            }
        };
        let limit = table.key + 1;
        Self {
            table,
            first: format!(
                "SELECT {columns} FROM {from} WHERE {condition} ORDER BY {order} LIMIT ?1"
            ),
            next: format!(
                "SELECT {columns} FROM {from} WHERE {condition} AND {after} ORDER BY {order} LIMIT ?{limit}"
            ),
            count: format!("SELECT count(*) FROM {from} WHERE {condition}"),
            insert: insert(table),
        }
    }

    pub(super) fn find(table: &'static Table) -> Result<&'static Self, StorageError> {
        let found = STATEMENTS
            .iter()
            .find(|statements| statements.table.name == table.name);
        found.ok_or_else(|| StorageError::unexpected("an unknown table"))
    }
}

/// `?1, ?2, …`
fn parameters(first: usize, count: usize) -> String {
    let parameters: Vec<_> = (first..first + count)
        .map(|number| format!("?{number}"))
        .collect();
    parameters.join(", ")
}

/// The columns that tell rows apart, for which there is an index.
fn position(table: &Table) -> String {
    let has_lookup_key = matches!(
        table.name,
        "pushed_requests" | "refresh_tokens" | "access_tokens"
    );
    let columns = if has_lookup_key { 1 } else { table.key };
    let columns: Vec<_> = table
        .key_columns()
        .take(columns)
        .map(|name| key_column(table, name))
        .collect();
    columns.join(", ")
}

// CROSS JOIN: the first table is read in the order of its key.
fn source(table: &Table) -> &'static str {
    match table.name {
        "families" => "families AS f LEFT JOIN authorization_codes AS code ON code.family = f.id",
        "access_tokens" => {
            "access_tokens AS t CROSS JOIN token_authorizations AS authorized ON authorized.id = t.token_authorization"
        }
        "documents" => {
            "documents AS d CROSS JOIN document_contents AS c ON c.id = d.id CROSS JOIN buyer_texts AS b ON b.id = d.buyer_text_id"
        }
        "document_history" => "document_history AS h",
        _ => table.name,
    }
}

fn condition(table: &Table) -> String {
    match table.name {
        "settings" => format!("name NOT IN ('{}')", MARKS.join("', '")),
        // Engines keep such rows, or do not.
        "document_sums" | "document_tax_sums" => "documents <> 0".to_owned(),
        _ => "TRUE".to_owned(),
    }
}

/// The expression of a column of the key.
fn key_column(table: &Table, name: &str) -> String {
    match (table.name, name) {
        ("families", "id") => "f.id".to_owned(),
        ("access_tokens", "number") => "t.lookup_key".to_owned(),
        ("pushed_requests" | "refresh_tokens", "number") => "lookup_key".to_owned(),
        ("audit_events", "position") => "id".to_owned(),
        ("documents", name) => format!("d.{name}"),
        ("document_history", "revision") => REVISION.to_owned(),
        (_, name) => name.to_owned(),
    }
}

const REVISION: &str = "(SELECT count(*) FROM document_history AS former
     WHERE former.organization_id = h.organization_id AND former.key = h.key AND former.id <= h.id)";

fn select_list(table: &Table) -> String {
    let columns = table.columns.iter().enumerate().map(|(at, column)| {
        let name = column.name;
        if at < table.key {
            return key_column(table, name);
        }
        match (table.name, name) {
            ("families", "revoked") => "f.revoked_at IS NOT NULL".to_owned(),
            ("families", "code_number") => "code.lookup_key".to_owned(),
            ("families", "code_hash") => "code.hash".to_owned(),
            ("families", "code_expires_at") => "code.expires_at".to_owned(),
            ("families", "code_used_at") => "code.used_at".to_owned(),
            ("families", "redirect_uri" | "code_challenge" | "nonce") => format!("code.{name}"),
            ("families", name) => format!("f.{name}"),
            ("access_tokens", "revoked") => "t.revoked_at IS NOT NULL".to_owned(),
            ("access_tokens", "client_id" | "scope" | "audiences" | "carries_home") => {
                format!("authorized.{name}")
            }
            ("access_tokens", name) => format!("t.{name}"),
            ("pushed_requests", "access_token_number") => "access_token_key".to_owned(),
            ("documents", "buyer_text") => "b.text".to_owned(),
            (
                "documents",
                "supply_date" | "payable" | "note" | "buyer" | "created" | "updated" | "issued"
                | "frozen" | "body",
            ) => format!("c.{name}"),
            ("documents", name) => format!("d.{name}"),
            ("document_sums", "net" | "tax" | "gross")
            | ("document_tax_sums", "taxable" | "tax") => {
                format!("{name}_high || ':' || {name}_low")
            }
            (_, name) => name.to_owned(),
        }
    });
    columns.collect::<Vec<_>>().join(", ")
}

fn insert(table: &Table) -> Vec<String> {
    let values = parameters(1, table.columns.len());
    let names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
    let unless_stored = |condition: &str| {
        let (name, names) = (table.name, names.join(", "));
        format!(
            "INSERT INTO {name} ({names}) SELECT {values} WHERE NOT EXISTS (SELECT 1 FROM {name} WHERE {condition})"
        )
    };
    let token = |columns: &str, values: &str| {
        let (name, key) = (table.name, FREE_KEY.replace("{table}", table.name));
        format!(
            "INSERT INTO {name} (lookup_key, {columns}) SELECT {key}, {values}
             WHERE NOT EXISTS (SELECT 1 FROM {name} WHERE lookup_key BETWEEN ?1 AND ?1 + 7 AND hash = ?2)"
        )
    };
    match table.name {
        "pushed_requests" => vec![token(
            "hash, client_id, parameters, access_token_key, access_token_hash, expires_at, used_at",
            "?2, ?3, ?4, ?5, ?6, ?7, ?8",
        )],
        "refresh_tokens" => vec![token(
            "hash, family, expires_at, used_at, reused_at",
            "?2, ?3, ?4, ?5, ?6",
        )],
        "access_tokens" => vec![
            "INSERT INTO token_authorizations (client_id, scope, audiences, carries_home)
             VALUES (?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING"
                .to_owned(),
            // When it was revoked is not kept by every engine.
            token(
                "hash, family, token_authorization, subject, epoch, actor, actor_epoch, issued_at, expires_at, revoked_at",
                "?2, ?3, (SELECT id FROM token_authorizations
                     WHERE client_id = ?4 AND scope = ?5 AND audiences = ?6 AND carries_home = ?7),
                 ?8, ?9, ?10, ?11, ?12, ?13, CASE WHEN ?14 THEN ?12 END",
            ),
        ],
        "families" => vec![
            "INSERT INTO families (id, client_id, subject, session_id, scope, epoch, authenticated_at, expires_at, revoked_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, CASE WHEN ?9 THEN ?7 END) ON CONFLICT DO NOTHING"
                .to_owned(),
            "INSERT INTO revoked_families (family) SELECT ?1 WHERE ?9 ON CONFLICT DO NOTHING".to_owned(),
            format!(
                "INSERT INTO authorization_codes
                     (lookup_key, hash, family, redirect_uri, code_challenge, nonce, expires_at, used_at)
                 SELECT {}, ?11, ?1, ?12, ?13, ?14, ?15, ?16
                 WHERE ?11 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM authorization_codes WHERE family = ?1)",
                FREE_KEY
                    .replace("{table}", "authorization_codes")
                    .replace("?1", "?10")
            ),
        ],
        "audit_events" => {
            let names = names.join(", ").replacen("position", "id", 1);
            vec![format!(
                "INSERT INTO audit_events ({names}) SELECT {values} WHERE NOT EXISTS (SELECT 1 FROM audit_events WHERE id = ?1)"
            )]
        }
        "documents" => vec![
            "INSERT INTO buyer_texts (organization_id, text) VALUES (?1, ?16) ON CONFLICT DO NOTHING".to_owned(),
            "INSERT INTO documents (organization_id, key, concurrency_stamp, status, kind, number, number_sort_key, issue_date,
                 due_date, currency, net, tax, gross, gross_sort_key, buyer_sort_key, buyer_text_id, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
                 (SELECT id FROM buyer_texts WHERE organization_id = ?1 AND text = ?16), ?17)
             ON CONFLICT DO NOTHING"
                .to_owned(),
            "INSERT INTO document_contents (id, supply_date, payable, note, buyer, created, updated, issued, frozen, body)
             SELECT id, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26 FROM documents WHERE organization_id = ?1 AND key = ?2
             ON CONFLICT DO NOTHING"
                .to_owned(),
        ],
        "document_history" => vec![
            "INSERT INTO document_history (organization_id, key, at, action, subject, subject_name, body)
             SELECT ?1, ?2, ?4, ?5, ?6, ?7, ?8
             WHERE ?3 > (SELECT count(*) FROM document_history WHERE organization_id = ?1 AND key = ?2)"
                .to_owned(),
        ],
        "document_sums" => vec![
            "INSERT INTO document_sums (organization_id, issue_date, status, kind, currency, documents,
                 net_high, net_low, tax_high, tax_low, gross_high, gross_low)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT DO NOTHING"
                .to_owned(),
        ],
        "document_tax_sums" => vec![
            "INSERT INTO document_tax_sums (organization_id, issue_date, kind, currency, category, rate, documents,
                 taxable_high, taxable_low, tax_high, tax_low)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING"
                .to_owned(),
        ],
        _ => {
            let key = table.key_columns().zip(1..);
            let conditions: Vec<_> = key.map(|(name, at)| format!("{name} = ?{at}")).collect();
            vec![unless_stored(&conditions.join(" AND "))]
        }
    }
}
