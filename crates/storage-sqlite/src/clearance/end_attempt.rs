//! Storing an attempt to send a submission, and what follows from it.

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::{AuthorityState, Document};
use invoicing_storage::clearance::{
    Amendment, AttemptOutcome, EndOutcome, EndedAttempt, LAST_ATTEMPTS,
};
use rusqlite::{Transaction, params};
use uuid::Uuid;

use super::rows;
use crate::documents::{amend_document, find_document};
use crate::engine::EngineError;

pub(super) fn end_attempt(
    transaction: &Transaction<'_>,
    ended: &EndedAttempt,
    amend: &Amendment,
) -> Result<EndOutcome, EngineError> {
    let (organization, submission) = (&ended.organization, ended.submission);
    let Some(stored) = rows::find(transaction, organization, submission)? else {
        return Ok(EndOutcome::Unknown);
    };
    let is_new = insert_attempt(transaction, ended)?;
    if let AttemptOutcome::Unanswered { .. } = ended.outcome {
        remove_attempts(transaction, organization, submission)?;
    }
    let key = stored.document_key;
    if is_new && stored.answered_at.is_none() && follow(transaction, ended, stored.state)? {
        amend_by(transaction, organization, key, amend)?;
    }
    let document = find_document(transaction, organization, key)?;
    Ok(EndOutcome::Stored(document.map(Box::new)))
}

/// Whether the attempt was inserted, and not by a call before: an answer is stored again after an error, and the commit of the
/// first call can have been in doubt.
fn insert_attempt(
    transaction: &Transaction<'_>,
    ended: &EndedAttempt,
) -> Result<bool, EngineError> {
    let attempt = &ended.attempt;
    let inserted = transaction
        .prepare_cached(
            "INSERT INTO document_submission_attempts
                 (organization_id, submission, id, started_at, ended_at, http_status, state, problem, answer)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            ended.organization.as_str(),
            ended.submission.as_bytes(),
            attempt.id.as_bytes(),
            attempt.started_at.as_millis(),
            attempt.ended_at.as_millis(),
            attempt.http_status,
            attempt.state as i32,
            attempt.problem,
            attempt.answer
        ])?;
    Ok(inserted > 0)
}

/// Removes attempts between the first and the last. Those with an answer have no problem.
fn remove_attempts(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    submission: Uuid,
) -> Result<(), EngineError> {
    transaction
        .prepare_cached(
            "DELETE FROM document_submission_attempts
             WHERE organization_id = ?1 AND submission = ?2 AND problem <> ''
                 AND id NOT IN (SELECT id FROM document_submission_attempts
                     WHERE organization_id = ?1 AND submission = ?2 ORDER BY ended_at DESC, id DESC LIMIT ?3)
                 AND id <> (SELECT id FROM document_submission_attempts
                     WHERE organization_id = ?1 AND submission = ?2 ORDER BY ended_at, id LIMIT 1)",
        )?
        .execute(params![
            organization.as_str(),
            submission.as_bytes(),
            LAST_ATTEMPTS
        ])?;
    Ok(())
}

/// Changes submission and queue by an attempt. Returns whether the state of the submission has changed.
fn follow(
    transaction: &Transaction<'_>,
    ended: &EndedAttempt,
    state: AuthorityState,
) -> Result<bool, EngineError> {
    let (organization, submission) = (ended.organization.as_str(), ended.submission);
    let (answered_at, has_warnings) = match ended.outcome {
        AttemptOutcome::Answered { has_warnings } => {
            transaction
                .prepare_cached(
                    "DELETE FROM clearance_queue WHERE organization_id = ?1 AND submission = ?2",
                )?
                .execute(params![organization, submission.as_bytes()])?;
            (Some(ended.attempt.ended_at.as_millis()), has_warnings)
        }
        AttemptOutcome::Unanswered { due_at } => {
            transaction
                .prepare_cached(
                    "UPDATE clearance_queue SET due_at = ?3, failures = failures + 1, claimed_until = 0
                     WHERE organization_id = ?1 AND submission = ?2 AND holder = ?4",
                )?
                .execute(params![
                    organization,
                    submission.as_bytes(),
                    due_at.as_millis(),
                    ended.holder.as_bytes()
                ])?;
            // What may have been received once stays so.
            if state == AuthorityState::Unknown || ended.attempt.state == state {
                return Ok(false);
            }
            (None, false)
        }
    };
    transaction
        .prepare_cached(
            "UPDATE document_submissions SET state = ?3, answered_at = ?4, has_warnings = ?5
             WHERE organization_id = ?1 AND id = ?2",
        )?
        .execute(params![
            organization,
            submission.as_bytes(),
            ended.attempt.state as i32,
            answered_at,
            has_warnings
        ])?;
    Ok(true)
}

fn amend_by(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    key: Uuid,
    amend: &Amendment,
) -> Result<(), EngineError> {
    let Some(document) = find_document(transaction, organization, key)? else {
        return Ok(());
    };
    let document: Document = document;
    if let Some((row, action)) = amend(document)? {
        amend_document(transaction, &row, action)?;
    }
    Ok(())
}
