//! Rows of authorities, submissions and attempts.

use invoicing_storage::clearance::{
    Attempt, AuthorityMode, AuthoritySettings, ClearanceBacklog, Submission, SubmissionPage,
};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::engine::{EngineError, count, identifier, invalid_value, optional_timestamp, timestamp};
use crate::values::authority_state;

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
             WHERE s.organization_id = $1 AND ",
            $condition
        )
    };
}
pub(super) use select_submissions;

/// The length of the queue, and a submission in it.
pub(super) fn backlog(row: &Row) -> Result<ClearanceBacklog, EngineError> {
    Ok(ClearanceBacklog {
        waiting: count(row, "waiting")?,
        organization: identifier(row, "organization_id")?,
        submission: row.try_get("submission")?,
    })
}

pub(super) fn authority(row: &Row) -> Result<AuthoritySettings, EngineError> {
    let mode: &str = row.try_get("mode")?;
    let kinds: &str = row.try_get("kinds")?;
    Ok(AuthoritySettings {
        organization: identifier(row, "organization_id")?,
        adapter: row.try_get("adapter")?,
        endpoint: row.try_get("endpoint")?,
        credentials: row.try_get("credentials")?,
        mode: AuthorityMode::named(mode)
            .ok_or_else(|| invalid_value(mode, "mode of an authority"))?,
        kinds: AuthoritySettings::kinds_named(kinds)
            .ok_or_else(|| invalid_value(kinds, "list of kinds"))?,
        enabled: row.try_get("enabled")?,
        concurrency_stamp: identifier(row, "concurrency_stamp")?,
        updated_at: timestamp(row, "updated_at")?,
    })
}

pub(super) fn submission(row: &Row) -> Result<Submission, EngineError> {
    let failures: Option<i32> = row.try_get("failures")?;
    Ok(Submission {
        id: row.try_get("id")?,
        document_key: row.try_get("document_key")?,
        issued_from: identifier(row, "issued_from")?,
        number: row.try_get("number")?,
        hash: row.try_get("hash")?,
        state: authority_state(row.try_get("state")?)?,
        created_at: timestamp(row, "created_at")?,
        answered_at: optional_timestamp(row, "answered_at")?,
        failures: failures
            .and_then(|failures| u32::try_from(failures).ok())
            .unwrap_or_default(),
        due_at: optional_timestamp(row, "due_at")?,
    })
}

/// The submissions of a page and whether there are older ones, from rows of submissions with their attempts in the order of the page.
/// A row without an attempt is that of a submission which has none.
pub(super) fn page(rows: &[Row], size: u32) -> Result<SubmissionPage, EngineError> {
    let mut page = SubmissionPage::default();
    for row in rows {
        let id: Uuid = row.try_get("id")?;
        if page.items.last().is_none_or(|(last, _)| last.id != id) {
            let is_listed: bool = row.try_get("is_listed")?;
            if !is_listed || page.items.len() >= size as usize {
                page.has_more = true;
                break;
            }
            page.items.push((submission(row)?, Vec::new()));
        }
        let attempted: Option<Uuid> = row.try_get("attempt")?;
        if let Some((_, attempts)) = page.items.last_mut().filter(|_| attempted.is_some()) {
            attempts.push(attempt(row)?);
        }
    }
    Ok(page)
}

pub(super) fn attempt(row: &Row) -> Result<Attempt, EngineError> {
    let http_status: Option<i32> = row.try_get("http_status")?;
    Ok(Attempt {
        id: row.try_get("attempt")?,
        started_at: timestamp(row, "started_at")?,
        ended_at: timestamp(row, "ended_at")?,
        http_status: http_status.and_then(|status| u16::try_from(status).ok()),
        state: authority_state(row.try_get("attempt_state")?)?,
        problem: row.try_get("problem")?,
        answer: row.try_get("answer")?,
    })
}
