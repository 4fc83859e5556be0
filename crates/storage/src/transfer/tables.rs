//! The tables of a moved database. Engines store some of them in another form; these are the records that they exchange.

/// A table.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its columns. The first ones are the key.
    pub columns: &'static [Column],
    /// How many columns the key has.
    pub key: usize,
}

/// A column.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The values that it has, except NULL.
    pub kind: ColumnKind,
}

/// The values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ColumnKind {
    Text,
    Integer,
    Bytes,
    /// The number of a token: its time and 21 other bits, which can differ between engines.
    TokenNumber,
}

impl Table {
    /// The names of the columns of the key.
    pub fn key_columns(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().take(self.key).map(|column| column.name)
    }

    /// Whether its records belong to organizations: then the organization is the first column.
    #[must_use]
    pub fn is_of_organizations(&self) -> bool {
        matches!(
            self.name,
            "documents"
                | "tenant_history"
                | "document_history"
                | "document_sums"
                | "document_series"
                | "document_months"
                | "document_credits"
                | "document_debits"
                | "master_records"
                | "master_record_history"
                | "receivables"
                | "document_tax_sums"
                | "document_payments"
                | "document_submissions"
                | "document_submission_attempts"
                | "document_attachments"
        )
    }
}

/// A table of columns `name Kind`; those before the semicolon are the key.
macro_rules! table {
    ($name:ident: $($key:ident $key_kind:ident),+; $($column:ident $kind:ident),*) => {
        Table {
            name: stringify!($name),
            columns: &[
                $(Column { name: stringify!($key), kind: ColumnKind::$key_kind },)+
                $(Column { name: stringify!($column), kind: ColumnKind::$kind },)*
            ],
            key: [$(stringify!($key)),+].len(),
        }
    };
}

/// All tables, each after those that it refers to.
pub const TABLES: &[Table] = &[
    table!(settings: name Text; value Text),
    table!(organizations: id Text; name Text, name_ar Text, domain Text),
    table!(domains: name Text; organization_id Text),
    table!(domain_claims: organization_id Text, name Text; token Text, checked_at Integer),
    table!(operator_organization: id Integer; organization_id Text),
    table!(plans: id Text; concurrency_stamp Text, name Text, name_ar Text, search_text Text, monthly_documents Integer,
        requests_per_minute Integer, users Integer, document_kinds Text, languages Text, authorities Text,
        api_access Integer),
    table!(tenants: organization_id Text; currency Text, country Text, time_zone Text, tax_id Text, building Text, street Text,
        district Text, city Text, postal_code Text, monthly_documents Integer, requests_per_minute Integer,
        authority_endpoint Text, profile_completed_at Integer, concurrency_stamp Text, disabled_at Integer, users Integer, plan_id Text,
        registration_number_scheme Text, registration_number_value Text),
    table!(tenant_history: organization_id Text, revision Integer; at Integer, actor Text, action Text, changes Text),
    table!(subjects: id Text; username Text, name Text, email Text, email_verified Integer, home_organization Text,
        password_hash Text, must_change_password Integer, epoch Integer, disabled_at Integer),
    table!(grants: subject Text, organization_id Text, role Text; ),
    table!(rule_versions: number Integer; concurrency_stamp Text, published_by Text, published_at Integer, comment Text,
        restores Integer, text Text),
    table!(applications: client_id Text; name Text, kind Text, secret_hash Bytes, subject Text, organization Text,
        grant_types Text, scopes Text, includes_audience Integer, redirect_uris Text, post_logout_uris Text,
        id_token_algorithm Text, revoke_family_on_reuse Integer, organization_only Integer, disabled_at Integer,
        concurrency_stamp Text),
    table!(retired_client_secrets: client_id Text, hash Bytes; until Integer),
    table!(personal_access_tokens: id Text; hash Bytes, subject Text, epoch Integer, name Text, created_at Integer,
        expires_at Integer, revoked_at Integer),
    table!(password_codes: subject Text; hash Bytes, purpose Text, epoch Integer, created_at Integer, expires_at Integer),
    table!(signing_keys: kid Text; algorithm Text, pkcs8 Bytes, state Text, changed_at Integer),
    table!(failed_attempts: key Bytes; level Integer, drain Integer, at Integer, expires_at Integer),
    table!(sessions: id Text; hash Bytes, subject Text, epoch Integer, authenticated_at Integer, expires_at Integer,
        ended_at Integer, pending Text),
    table!(pushed_requests: number TokenNumber, hash Bytes; client_id Text, parameters Text, access_token_number TokenNumber,
        access_token_hash Bytes, expires_at Integer, used_at Integer),
    // With the code. Without a session, `session_id` is empty.
    table!(families: id Integer; client_id Text, subject Text, session_id Text, scope Text, epoch Integer,
        authenticated_at Integer, expires_at Integer, revoked Integer, code_number TokenNumber, code_hash Bytes,
        redirect_uri Text, code_challenge Text, nonce Text, code_expires_at Integer, code_used_at Integer),
    table!(refresh_tokens: number TokenNumber, hash Bytes; family Integer, expires_at Integer, used_at Integer,
        reused_at Integer),
    table!(access_tokens: number TokenNumber, hash Bytes; family Integer, client_id Text, scope Text, audiences Text,
        carries_home Integer, subject Text, epoch Integer, actor Text, actor_epoch Integer, issued_at Integer,
        expires_at Integer, revoked Integer),
    table!(audit_events: position Integer; at Integer, kind Text, subject Text, actor Text, organization_id Text,
        client_id Text, address Text, detail Text),
    table!(audit_archives: last_event Integer; first_event Integer, earliest Integer, latest Integer, previous_hash Bytes,
        hash Bytes, file Text, archived_at Integer),
    table!(documents: organization_id Text, key Bytes; concurrency_stamp Text, status Integer, kind Integer, number Text,
        number_sort_key Text, issue_date Text, due_date Text, currency Text, net Integer, tax Integer, gross Integer,
        gross_sort_key Integer, buyer_sort_key Text, buyer_text Text, updated_at Integer, supply_date Text, payable Integer,
        note Text, buyer Bytes, created Bytes, updated Bytes, issued Bytes, frozen Bytes, body Bytes),
    // `revision` is 1 for the first write of a document, then ascends by one.
    table!(document_history: organization_id Text, key Bytes, revision Integer; at Integer, action Text, subject Text,
        subject_name Text, body Bytes),
    table!(document_sums: organization_id Text, issue_date Text, status Integer, kind Integer, currency Text;
        documents Integer, net Text, tax Text, gross Text),
    table!(document_series: organization_id Text, kind Integer, year Integer; last_number Integer),
    table!(document_months: organization_id Text, month Text; created Integer),
    table!(document_credits: organization_id Text, original Bytes, note Bytes; taken_off Integer),
    table!(document_debits: organization_id Text, original Bytes, note Bytes; ),
    table!(document_tax_sums: organization_id Text, issue_date Text, kind Integer, currency Text, category Text, rate Text;
        documents Integer, taxable Text, tax Text),
    table!(receivables: organization_id Text, document Bytes; currency Text, due_on Text, payable Integer, paid Integer,
        credited Integer),
    table!(document_payments: organization_id Text, document Bytes, key Bytes; voids Bytes, amount Integer,
        recorded_at Integer, body Bytes),
    table!(master_records: organization_id Text, kind Integer, key Bytes; concurrency_stamp Text, archived Integer,
        identifier Text, search_text Text, last_used_at Integer, body Bytes),
    table!(master_record_history: organization_id Text, kind Integer, key Bytes, revision Integer; action Text, body Bytes),
    // `credentials` is encrypted with a key that is not in the database.
    table!(authorities: organization_id Text; adapter Text, endpoint Text, credentials Bytes, mode Text, kinds Text,
        enabled Integer, concurrency_stamp Text, updated_at Integer),
    table!(document_submissions: organization_id Text, id Bytes; document_key Bytes, issued_from Text, number Text,
        content Bytes, hash Bytes, state Integer, created_at Integer, answered_at Integer, superseded_at Integer,
        has_warnings Integer),
    table!(document_submission_attempts: organization_id Text, submission Bytes, id Bytes; started_at Integer,
        ended_at Integer, http_status Integer, state Integer, problem Text, answer Bytes),
    table!(clearance_queue: organization_id Text, submission Bytes; due_at Integer, failures Integer, holder Bytes,
        claimed_until Integer),
    table!(document_attachments: organization_id Text, document_key Bytes, id Bytes, part Integer; content Bytes),
];
