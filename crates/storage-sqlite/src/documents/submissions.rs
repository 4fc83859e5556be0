//! Submissions of documents that were numbered, for a tax authority (decision 0020).

use invoicing_contract::messages::documents::AuthorityState;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::documents::NewSubmission;
use rusqlite::{Transaction, params};
use uuid::Uuid;

use crate::engine::EngineError;

/// Supersedes the submissions of a document that is issued again at `at`, whether or not it is submitted again.
pub(super) fn supersede(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    document_key: Uuid,
    at: Timestamp,
) -> Result<(), EngineError> {
    transaction
        .prepare_cached(
            "UPDATE document_submissions SET superseded_at = ?3
             WHERE organization_id = ?1 AND document_key = ?2 AND superseded_at IS NULL",
        )?
        .execute(params![
            organization.as_str(),
            document_key.as_bytes(),
            at.as_millis()
        ])?;
    Ok(())
}

/// Inserts the submission of a document that was issued, and queues it.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    document_key: Uuid,
    new: &NewSubmission,
) -> Result<(), EngineError> {
    let (organization, created_at) = (organization.as_str(), new.created_at.as_millis());
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
