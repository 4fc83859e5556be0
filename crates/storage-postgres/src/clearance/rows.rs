//! Rows of authorities, submissions and attempts.

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::AuthorityState;
use invoicing_storage::StorageError;
use invoicing_storage::clearance::{
    Attempt, AuthorityMode, AuthoritySettings, NewSubmission, Submission,
};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::engine::{
    EngineError, Transaction, identifier, invalid_value, optional_timestamp, timestamp,
};

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
             WHERE s.organization_id = $1 AND ",
            $condition
        )
    };
}
pub(super) use select_submissions;

/// Supersedes the submissions of documents, each of which gets another one.
const SUPERSEDE: &str = "UPDATE document_submissions s SET superseded_at = issued.at
     FROM unnest($2::uuid[], $3::bigint[]) AS issued (key, at)
     WHERE s.organization_id = $1 AND s.document_key = issued.key AND s.superseded_at IS NULL";
const INSERT: &str = "WITH submission AS (
         INSERT INTO document_submissions
             (organization_id, id, document_key, issued_from, number, content, hash, state, created_at)
         SELECT $1, new.* FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bytea[], $7::bytea[], $8::integer[],
             $9::bigint[]) AS new
     )
     INSERT INTO clearance_queue (organization_id, submission, due_at, failures, holder, claimed_until)
     SELECT $1, queued.id, queued.at, 0, queued.holder, queued.claimed_until
     FROM unnest($2::uuid[], $9::bigint[], $10::uuid[], $11::bigint[]) AS queued (id, at, holder, claimed_until)";

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
        content: row.try_get("content")?,
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

pub(super) fn attempt(row: &Row) -> Result<Attempt, EngineError> {
    let http_status: Option<i32> = row.try_get("http_status")?;
    Ok(Attempt {
        id: row.try_get("id")?,
        started_at: timestamp(row, "started_at")?,
        ended_at: timestamp(row, "ended_at")?,
        http_status: http_status.and_then(|status| u16::try_from(status).ok()),
        state: authority_state(row.try_get("state")?)?,
        problem: row.try_get("problem")?,
        answer: row.try_get("answer")?,
    })
}

/// A state from its number in the enum.
pub(crate) fn authority_state(number: i32) -> Result<AuthorityState, EngineError> {
    Ok(AuthorityState::try_from(number).map_err(StorageError::corrupt)?)
}

/// Inserts the submissions of documents that were issued, in place of earlier ones, and queues them.
pub(crate) async fn insert(
    transaction: &Transaction,
    organization: &OrganizationId,
    new: &[(Uuid, &NewSubmission)],
) -> Result<(), EngineError> {
    if new.is_empty() {
        return Ok(());
    }
    let organization = organization.as_str();
    let column = |value: &dyn Fn(&NewSubmission) -> Uuid| -> Vec<Uuid> {
        new.iter()
            .map(|(_, submission)| value(submission))
            .collect()
    };
    let ids = column(&|submission| submission.id);
    let holders = column(&|submission| submission.claim.map_or(Uuid::nil(), |claim| claim.holder));
    let keys: Vec<Uuid> = new.iter().map(|(key, _)| *key).collect();
    let stamps: Vec<&str> = new.iter().map(|(_, of)| of.issued_from.as_str()).collect();
    let numbers: Vec<&str> = new.iter().map(|(_, of)| of.number.as_str()).collect();
    let contents: Vec<&[u8]> = new.iter().map(|(_, of)| of.content.as_slice()).collect();
    let hashes: Vec<&[u8]> = new.iter().map(|(_, of)| of.hash.as_slice()).collect();
    let states = vec![AuthorityState::Pending as i32; new.len()];
    let times: Vec<i64> = new
        .iter()
        .map(|(_, of)| of.created_at.as_millis())
        .collect();
    let claimed: Vec<i64> = new
        .iter()
        .map(|(_, of)| of.claim.map_or(0, |claim| claim.until.as_millis()))
        .collect();
    transaction
        .execute(SUPERSEDE, &[&organization, &keys, &times])
        .await?;
    transaction
        .execute(
            INSERT,
            &[
                &organization,
                &ids,
                &keys,
                &stamps,
                &numbers,
                &contents,
                &hashes,
                &states,
                &times,
                &holders,
                &claimed,
            ],
        )
        .await?;
    Ok(())
}
