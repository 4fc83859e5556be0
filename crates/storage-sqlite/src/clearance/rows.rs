//! Rows of authorities, submissions and attempts.

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::AuthorityState;
use invoicing_storage::clearance::{
    Attempt, AuthorityMode, AuthoritySettings, NewSubmission, Submission,
};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use uuid::Uuid;

use crate::documents::uuid;
use crate::engine::{EngineError, invalid_value, optional_timestamp, timestamp};

/// The columns of an authority, as [`authority`] reads them.
macro_rules! authority_columns {
    () => {
        "organization_id, adapter, endpoint, credentials, mode, kinds, enabled, concurrency_stamp, updated_at"
    };
}
pub(super) use authority_columns;

/// A submission and its place in the queue.
macro_rules! select_submissions {
    ($condition:literal) => {
        concat!(
            "SELECT s.id, s.document_key, s.issued_from, s.number, s.content, s.hash, s.state, s.created_at, s.answered_at,
                 q.due_at, q.failures
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
        id: id(row, "id")?,
        document_key: id(row, "document_key")?,
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
        id: id(row, "id")?,
        started_at: timestamp(row, "started_at")?,
        ended_at: timestamp(row, "ended_at")?,
        http_status: row.get("http_status")?,
        state: authority_state(row.get("state")?)?,
        problem: row.get("problem")?,
        answer: row.get("answer")?,
    })
}

/// Inserts the submission of a document that was issued, in place of earlier ones, and queues it.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    document_key: Uuid,
    new: &NewSubmission,
) -> Result<(), EngineError> {
    let (organization, created_at) = (organization.as_str(), new.created_at.as_millis());
    transaction
        .prepare_cached(
            "UPDATE document_submissions SET superseded_at = ?3
             WHERE organization_id = ?1 AND document_key = ?2 AND superseded_at IS NULL",
        )?
        .execute(params![organization, document_key.as_bytes(), created_at])?;
    transaction
        .prepare_cached(
            "INSERT INTO document_submissions
                 (organization_id, id, document_key, issued_from, number, content, hash, state, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            organization,
            new.id.as_bytes(),
            document_key.as_bytes(),
            new.issued_from.as_str(),
            new.number,
            new.content,
            new.hash,
            AuthorityState::Pending as i32,
            created_at
        ])?;
    let claim = new.claim;
    transaction
        .prepare_cached(
            "INSERT INTO clearance_queue (organization_id, submission, due_at, failures, holder, claimed_until)
             VALUES (?1, ?2, ?3, 0, ?4, ?5)",
        )?
        .execute(params![
            organization,
            new.id.as_bytes(),
            created_at,
            claim.map_or(Uuid::nil(), |claim| claim.holder).as_bytes(),
            claim.map_or(0, |claim| claim.until.as_millis()),
        ])?;
    Ok(())
}

/// A submission with its place in the queue.
pub(super) fn find(
    connection: &Connection,
    organization: &OrganizationId,
    id: Uuid,
) -> Result<Option<Submission>, EngineError> {
    let mut select = connection.prepare_cached(select_submissions!("s.id = ?2"))?;
    let found = select.query_row(params![organization.as_str(), id.as_bytes()], submission);
    Ok(found.optional()?)
}

pub(super) fn id(row: &Row<'_>, column: &str) -> rusqlite::Result<Uuid> {
    uuid(row.get_ref(column)?.as_blob()?)
}

/// A state from its number in the enum.
pub(crate) fn authority_state(number: i32) -> rusqlite::Result<AuthorityState> {
    AuthorityState::try_from(number).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Integer, Box::new(error))
    })
}
