//! Submissions of documents that were numbered, for a tax authority (decision 0020).

use invoicing_contract::messages::documents::AuthorityState;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::documents::NewSubmission;
use serde_json::Value;
use uuid::Uuid;

use crate::engine::{EngineError, Parameter, Transaction};

/// The answers that accepted documents without a word about remarks: by programs before the migration of the column, or without any.
const SELECT_ANSWERS: &str = "SELECT s.id, a.http_status, a.answer FROM document_submissions s
         JOIN document_submission_attempts a ON a.organization_id = $1 AND a.submission = s.id
             AND a.state = s.state AND a.ended_at = s.answered_at
     WHERE s.organization_id = $1 AND s.document_key = ANY ($2) AND s.state IN (3, 4, 5) AND NOT s.has_warnings";
const SET_REMARKS: &str = "UPDATE document_submissions SET has_warnings = TRUE WHERE organization_id = $1 AND id = ANY ($2)";
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

/// Supersedes the submissions of documents that are issued again, each at a time, whether or not they are submitted again.
pub(super) async fn supersede(
    transaction: &Transaction,
    organization: &OrganizationId,
    reissued: &[(Uuid, Timestamp)],
) -> Result<(), EngineError> {
    if reissued.is_empty() {
        return Ok(());
    }
    let keys: Vec<Uuid> = reissued.iter().map(|(key, _)| *key).collect();
    let times: Vec<i64> = reissued.iter().map(|(_, at)| at.as_millis()).collect();
    let parameters: [Parameter<'_>; 3] = [&organization.as_str(), &keys, &times];
    transaction.execute(SUPERSEDE, &parameters).await?;
    Ok(())
}

/// Inserts the submissions of documents that were issued, and queues them.
pub(super) async fn insert(
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

/// Stores that the tax authority has accepted documents with remarks, where a program before the migration of the column has not.
pub(super) async fn derive_remarks(
    transaction: &Transaction,
    organization: &OrganizationId,
    documents: &[Uuid],
) -> Result<(), EngineError> {
    let organization = organization.as_str();
    let parameters: [Parameter<'_>; 2] = [&organization, &documents];
    let rows = transaction.rows(SELECT_ANSWERS, &parameters).await?;
    let mut remarked = Vec::<Uuid>::new();
    for row in &rows {
        if has_remarks(row.try_get("http_status")?, row.try_get("answer")?) {
            remarked.push(row.try_get("id")?);
        }
    }
    if !remarked.is_empty() {
        let parameters: [Parameter<'_>; 2] = [&organization, &remarked];
        transaction.execute(SET_REMARKS, &parameters).await?;
    }
    Ok(())
}

/// What the adapter reads in an answer that accepts a document: the status 202, or remarks in the body. A body that is no JSON has none.
fn has_remarks(http_status: Option<i32>, answer: &[u8]) -> bool {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    let remarks = answer.get("warnings").and_then(Value::as_array);
    http_status == Some(202) || remarks.is_some_and(|remarks| !remarks.is_empty())
}
