//! Rows of authorities, submissions and attempts.

use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::clearance::{
    Attempt, AuthorityMode, AuthoritySettings, ClearanceBacklog, MAX_ATTEMPTS, Submission,
    SubmissionPage, SubmissionPosition,
};
use invoicing_storage::documents::PAGE_BYTES;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use crate::engine::{EngineError, count, identifier, invalid_value, optional_timestamp, timestamp};
use crate::values::{authority_state, key};

/// The columns of an authority, as [`authority`] reads them.
macro_rules! authority_columns {
    () => {
        "organization_id, adapter, endpoint, credentials, mode, kinds, enabled, concurrency_stamp, updated_at"
    };
}
pub(super) use authority_columns;

/// A submission without its content, which can be large, with its place in the queue.
macro_rules! select_submissions {
    ($condition:literal) => {
        concat!(
            "SELECT s.id, s.document_key, s.issued_from, s.number, s.hash, s.state, s.created_at, s.answered_at, q.due_at, q.failures
             FROM document_submissions s
                 LEFT JOIN clearance_queue q ON q.organization_id = s.organization_id AND q.submission = s.id
             WHERE s.organization_id = ?1 AND ",
            $condition
        )
    };
}

/// The latest attempts of a submission, newest first.
pub(super) const SELECT_ATTEMPTS: &str =
    "SELECT id, started_at, ended_at, http_status, state, problem, answer FROM document_submission_attempts
     WHERE organization_id = ?1 AND submission = ?2 ORDER BY ended_at DESC, id DESC LIMIT ?3";

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

/// The length of the queue, and a submission in it.
pub(super) fn backlog(row: &Row<'_>) -> rusqlite::Result<ClearanceBacklog> {
    Ok(ClearanceBacklog {
        waiting: count(row, 0)?,
        organization: identifier(row, 1)?,
        submission: key(row, "submission")?,
    })
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

/// What is sent with a submission.
pub(super) fn content(
    connection: &Connection,
    organization: &OrganizationId,
    id: Uuid,
) -> Result<Option<Vec<u8>>, EngineError> {
    let mut select = connection.prepare_cached(
        "SELECT content FROM document_submissions WHERE organization_id = ?1 AND id = ?2",
    )?;
    let parameters = params![organization.as_str(), id.as_bytes()];
    let found = select.query_row(parameters, |row| row.get("content"));
    Ok(found.optional()?)
}

/// What [`invoicing_storage::clearance::ClearanceStore::submissions`] answers. The attempts of each submission are a search of an
/// index in the same snapshot: in one statement the answers of all of them would be sorted, and in memory at the same time.
pub(super) fn page(
    connection: &Connection,
    organization: &OrganizationId,
    document_key: Uuid,
    before: Option<SubmissionPosition>,
    size: u32,
) -> Result<SubmissionPage, EngineError> {
    let mut select = connection.prepare_cached(select_submissions!(
        "s.document_key = ?2 AND (s.created_at, s.id) < (?3, ?4)
             ORDER BY s.created_at DESC, s.id DESC LIMIT ?5"
    ))?;
    let mut select_attempts = connection.prepare_cached(SELECT_ATTEMPTS)?;
    let (at, id) = before.unwrap_or((Timestamp::MAX, Uuid::max()));
    let parameters = params![
        organization.as_str(),
        document_key.as_bytes(),
        at.as_millis(),
        id.as_bytes(),
        // One more tells whether there are older ones.
        i64::from(size) + 1
    ];
    let mut page = SubmissionPage::default();
    let mut bytes = 0;
    for found in select.query_map(parameters, submission)? {
        if page.items.len() >= size as usize || bytes >= PAGE_BYTES {
            page.has_more = true;
            break;
        }
        let found = found?;
        let of_submission = params![organization.as_str(), found.id.as_bytes(), MAX_ATTEMPTS];
        let attempts = select_attempts.query_map(of_submission, attempt)?;
        let attempts = attempts.collect::<Result<Vec<_>, _>>()?;
        let answers = attempts.iter().map(|attempt| attempt.answer.len());
        bytes += answers.sum::<usize>();
        page.items.push((found, attempts));
    }
    Ok(page)
}
