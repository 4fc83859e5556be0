//! Rows of authorities, submissions and attempts.

use invoicing_contract::OrganizationId;
use invoicing_storage::clearance::{Attempt, AuthorityMode, AuthoritySettings, Submission};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use crate::engine::{EngineError, identifier, invalid_value, optional_timestamp, timestamp};
use crate::values::{authority_state, key};

/// The columns of an authority, as [`authority`] reads them.
macro_rules! authority_columns {
    () => {
        "organization_id, adapter, endpoint, credentials, mode, kinds, enabled, concurrency_stamp, updated_at"
    };
}
pub(super) use authority_columns;

/// A submission with `$content`, which can be large, and its place in the queue.
macro_rules! select_submissions {
    ($content:literal, $condition:literal) => {
        concat!(
            "SELECT s.id, s.document_key, s.issued_from, s.number, ",
            $content,
            " AS content, s.hash, s.state, s.created_at, s.answered_at, q.due_at, q.failures
             FROM document_submissions s
                 LEFT JOIN clearance_queue q ON q.organization_id = s.organization_id AND q.submission = s.id
             WHERE s.organization_id = ?1 AND ",
            $condition
        )
    };
}
pub(super) use select_submissions;

pub(super) fn authority(row: &Row<'_>) -> rusqlite::Result<AuthoritySettings> {
    let mode: String = row.get("mode")?;
    let kinds: String = row.get("kinds")?;
    Ok(AuthoritySettings {
        organization: row.get::<_, String>("organization_id")?.into(),
        adapter: row.get("adapter")?,
        endpoint: row.get("endpoint")?,
        credentials: row.get("credentials")?,
        mode: AuthorityMode::named(&mode)
            .ok_or_else(|| invalid_value(&mode, "mode of an authority"))?,
        kinds: AuthoritySettings::kinds_named(&kinds)
            .ok_or_else(|| invalid_value(&kinds, "list of kinds"))?,
        enabled: row.get("enabled")?,
        concurrency_stamp: row.get::<_, String>("concurrency_stamp")?.into(),
        updated_at: timestamp(row, "updated_at")?,
    })
}

pub(super) fn submission(row: &Row<'_>) -> rusqlite::Result<Submission> {
    let failures: Option<u32> = row.get("failures")?;
    Ok(Submission {
        id: key(row, "id")?,
        document_key: key(row, "document_key")?,
        issued_from: row.get::<_, String>("issued_from")?.into(),
        number: row.get("number")?,
        content: row.get("content")?,
        hash: row.get("hash")?,
        state: authority_state(row.get("state")?)?,
        created_at: timestamp(row, "created_at")?,
        answered_at: optional_timestamp(row, "answered_at")?,
        failures: failures.unwrap_or_default(),
        due_at: optional_timestamp(row, "due_at")?,
    })
}

pub(super) fn attempt(row: &Row<'_>) -> rusqlite::Result<Attempt> {
    Ok(Attempt {
        id: key(row, "id")?,
        started_at: timestamp(row, "started_at")?,
        ended_at: timestamp(row, "ended_at")?,
        http_status: row.get("http_status")?,
        state: authority_state(row.get("state")?)?,
        problem: row.get("problem")?,
        answer: row.get("answer")?,
    })
}

/// An organization with a due submission, and whether it is wanted.
pub(super) fn due_organization(row: &Row<'_>) -> rusqlite::Result<(OrganizationId, bool)> {
    Ok((identifier(row, 0)?, row.get(1)?))
}

/// A submission with its place in the queue.
pub(super) fn find(
    connection: &Connection,
    organization: &OrganizationId,
    id: Uuid,
) -> Result<Option<Submission>, EngineError> {
    let mut select = connection.prepare_cached(select_submissions!("s.content", "s.id = ?2"))?;
    let found = select.query_row(params![organization.as_str(), id.as_bytes()], submission);
    Ok(found.optional()?)
}
