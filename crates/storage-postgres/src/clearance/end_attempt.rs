//! Storing an attempt to send a submission, and what follows from it.

use async_trait::async_trait;
use invoicing_contract::messages::documents::AuthorityState;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::clearance::{
    Amendment, AttemptOutcome, EndOutcome, EndedAttempt, LAST_ATTEMPTS,
};
use uuid::Uuid;

use crate::documents::{RevisionId, amend_document, lock_credit_notes, read_document};
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};
use crate::values::authority_state;

/// Of several ends of attempts the others wait here, and see the answer of the first.
const LOCK_SUBMISSION: &str = "SELECT document_key, state, answered_at FROM document_submissions
     WHERE organization_id = $1 AND id = $2 FOR UPDATE";
/// A repetition finds what an attempt before has written.
const INSERT_ATTEMPT: &str = "INSERT INTO document_submission_attempts
         (organization_id, submission, id, started_at, ended_at, http_status, state, problem, answer)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (organization_id, submission, id) DO NOTHING";
/// Those with an answer have no problem.
const REMOVE_ATTEMPTS: &str = "DELETE FROM document_submission_attempts
     WHERE organization_id = $1 AND submission = $2 AND problem <> ''
         AND id NOT IN (SELECT id FROM document_submission_attempts
             WHERE organization_id = $1 AND submission = $2 ORDER BY ended_at DESC, id DESC LIMIT $3)
         AND id <> (SELECT id FROM document_submission_attempts
             WHERE organization_id = $1 AND submission = $2 ORDER BY ended_at, id LIMIT 1)";
const UPDATE_SUBMISSION: &str =
    "UPDATE document_submissions SET state = $3, answered_at = $4, has_warnings = $5
     WHERE organization_id = $1 AND id = $2";
const REMOVE_FROM_QUEUE: &str =
    "DELETE FROM clearance_queue WHERE organization_id = $1 AND submission = $2";
const DELAY: &str =
    "UPDATE clearance_queue SET due_at = $3, failures = failures + 1, claimed_until = 0
     WHERE organization_id = $1 AND submission = $2 AND holder = $4";

pub(super) struct EndAttempt<'a> {
    pub(super) ended: &'a EndedAttempt,
    pub(super) amend: &'a Amendment,
    /// The revision of the document.
    pub(super) revision: RevisionId,
}

impl EndAttempt<'_> {
    /// Changes submission and queue. Returns whether the state of the submission has changed.
    async fn follow(
        &self,
        transaction: &Transaction,
        before: AuthorityState,
    ) -> Result<bool, EngineError> {
        let ended = self.ended;
        let (organization, submission) = (ended.organization.as_str(), ended.submission);
        let (answered_at, has_warnings) = match ended.outcome {
            AttemptOutcome::Answered { has_warnings } => {
                transaction
                    .execute(REMOVE_FROM_QUEUE, &[&organization, &submission])
                    .await?;
                (Some(ended.attempt.ended_at.as_millis()), has_warnings)
            }
            AttemptOutcome::Unanswered { due_at } => {
                let due_at = due_at.as_millis();
                transaction
                    .execute(DELAY, &[&organization, &submission, &due_at, &ended.holder])
                    .await?;
                // What may have been received once stays so.
                if before == AuthorityState::Unknown || ended.attempt.state == before {
                    return Ok(false);
                }
                (None, false)
            }
        };
        let state = ended.attempt.state as i32;
        transaction
            .execute(
                UPDATE_SUBMISSION,
                &[
                    &organization,
                    &submission,
                    &state,
                    &answered_at,
                    &has_warnings,
                ],
            )
            .await?;
        Ok(true)
    }

    /// Whether the attempt was inserted, and not by an attempt at this transaction before.
    async fn insert(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        let EndedAttempt {
            organization,
            submission,
            attempt,
            ..
        } = self.ended;
        let http_status = attempt.http_status.map(i32::from);
        let inserted = transaction
            .execute(
                INSERT_ATTEMPT,
                &[
                    &organization.as_str(),
                    submission,
                    &attempt.id,
                    &attempt.started_at.as_millis(),
                    &attempt.ended_at.as_millis(),
                    &http_status,
                    &(attempt.state as i32),
                    &attempt.problem,
                    &attempt.answer,
                ],
            )
            .await?;
        Ok(inserted > 0)
    }

    /// Removes attempts between the first and the last.
    async fn remove_attempts(&self, transaction: &Transaction) -> Result<(), EngineError> {
        let AttemptOutcome::Unanswered { .. } = self.ended.outcome else {
            return Ok(());
        };
        let organization = self.ended.organization.as_str();
        let last = i64::from(LAST_ATTEMPTS);
        let parameters: [Parameter<'_>; 3] = [&organization, &self.ended.submission, &last];
        transaction.execute(REMOVE_ATTEMPTS, &parameters).await?;
        Ok(())
    }
}

#[async_trait]
impl TransactionWork for EndAttempt<'_> {
    type Output = EndOutcome;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.ended.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        vec![self.ended.attempt.ended_at]
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<EndOutcome>, EngineError> {
        let organization = &self.ended.organization;
        let submission = self.ended.submission;
        let locked = transaction
            .row(LOCK_SUBMISSION, &[&organization.as_str(), &submission])
            .await?;
        let Some(locked) = locked else {
            return Ok(TransactionEnd::Rollback(EndOutcome::Unknown));
        };
        let key: Uuid = locked.try_get("document_key")?;
        let before = authority_state(locked.try_get("state")?)?;
        let answered_at: Option<i64> = locked.try_get("answered_at")?;
        let is_new = self.insert(transaction).await?;
        self.remove_attempts(transaction).await?;
        if is_new && answered_at.is_none() && self.follow(transaction, before).await? {
            if self.ended.attempt.state == AuthorityState::Rejected {
                // Before the document, which can be a note: whoever numbers one locks it after this.
                lock_credit_notes(transaction, organization).await?;
            }
            amend_document(transaction, organization, key, self.amend, self.revision).await?;
        }
        let document = read_document(transaction, organization, key).await?;
        Ok(TransactionEnd::Commit(EndOutcome::Stored(
            document.map(Box::new),
        )))
    }
}
