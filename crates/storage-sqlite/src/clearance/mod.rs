//! [`ClearanceStore`] on SQLite.

mod end_attempt;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::clearance::{
    Amendment, Attempt, AuthoritySettings, ClearanceBacklog, ClearanceStore, EndOutcome,
    EndedAttempt, Submission, SubmissionPage, SubmissionPosition,
};
use invoicing_storage::documents::Claim;
use rusqlite::{OptionalExtension as _, Transaction, params};
use uuid::Uuid;

use self::end_attempt::end_attempt;
use self::rows::authority_columns;
use crate::Sqlite;
use crate::audit::record_event;
use crate::engine::{EngineError, TransactionEnd, identifier};
use crate::values::key;

/// The organization with the longest due submission among the first ones, and whether it is wanted: one that is not is the result only
/// if none of them is.
const SELECT_OLDEST: &str = "SELECT organization_id,
         organization_id NOT IN (SELECT value FROM json_each(?2)) AS wanted
     FROM (
         SELECT organization_id, due_at FROM clearance_queue WHERE due_at <= ?1 AND claimed_until <= ?1
         ORDER BY due_at LIMIT 1000) AS oldest
     ORDER BY wanted DESC, due_at LIMIT 1";
/// The same among all submissions, for a long queue of organizations that are not wanted: a few entries of an index for each
/// organization, however many submissions it has. After the last organization comes NULL, which has no submissions.
const SELECT_OLDEST_OF_ORGANIZATIONS: &str = "WITH RECURSIVE queued (organization_id) AS (
         SELECT (SELECT q.organization_id FROM clearance_queue q ORDER BY q.organization_id LIMIT 1)
         UNION ALL
         SELECT (SELECT q.organization_id FROM clearance_queue q WHERE q.organization_id > queued.organization_id
             ORDER BY q.organization_id LIMIT 1)
         FROM queued WHERE queued.organization_id IS NOT NULL
     )
     SELECT organization_id FROM (
         SELECT queued.organization_id, (
             SELECT q.due_at FROM clearance_queue q
             WHERE q.organization_id = queued.organization_id AND q.due_at <= ?1 AND q.claimed_until <= ?1
             ORDER BY q.due_at LIMIT 1) AS due_at
         FROM queued WHERE queued.organization_id NOT IN (SELECT value FROM json_each(?2))) AS oldest
     WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1";
/// The length of the queue, and what was sent most often.
const SELECT_BACKLOG: &str =
    "SELECT (SELECT count(*) FROM clearance_queue), organization_id, submission
     FROM clearance_queue ORDER BY failures DESC, due_at LIMIT 1";
const CLAIM_DUE: &str = "UPDATE clearance_queue SET holder = ?1, claimed_until = ?2
     WHERE (organization_id, submission) IN (
         SELECT organization_id, submission FROM clearance_queue
         WHERE organization_id = ?4 AND due_at <= ?3 AND claimed_until <= ?3
         ORDER BY due_at LIMIT 1)
     RETURNING submission";

#[async_trait]
impl ClearanceStore for Sqlite {
    async fn authority(
        &self,
        organization: &OrganizationId,
    ) -> Result<Option<AuthoritySettings>, StorageError> {
        let select = concat!(
            "SELECT ",
            authority_columns!(),
            " FROM authorities WHERE organization_id = ?1"
        );
        self.engine()
            .lookup_one(select, [organization.as_str()], rows::authority)
            .await
    }

    async fn authorities(
        &self,
        after: &OrganizationId,
        limit: u32,
    ) -> Result<Vec<AuthoritySettings>, StorageError> {
        let select = concat!(
            "SELECT ",
            authority_columns!(),
            " FROM authorities WHERE organization_id > ?1 ORDER BY organization_id LIMIT ?2"
        );
        self.engine()
            .lookup_all(select, (after.as_str(), limit), rows::authority)
            .await
    }

    async fn put_authority(
        &self,
        settings: &AuthoritySettings,
        expected: Option<&ConcurrencyStamp>,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (settings, expected) = (settings.clone(), expected.cloned());
        let event = event.clone();
        self.engine()
            .transact(move |transaction| {
                if !put_authority(transaction, &settings, expected.as_ref())? {
                    return Ok(TransactionEnd::Rollback(false));
                }
                record_event(transaction, &event)?;
                Ok(TransactionEnd::Commit(true))
            })
            .await
    }

    async fn submission(
        &self,
        organization: &OrganizationId,
        id: Uuid,
    ) -> Result<Option<Submission>, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| rows::find(connection, &organization, id))
            .await
    }

    async fn submission_content(
        &self,
        organization: &OrganizationId,
        id: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| rows::content(connection, &organization, id))
            .await
    }

    async fn submissions(
        &self,
        organization: &OrganizationId,
        document_key: Uuid,
        before: Option<SubmissionPosition>,
        size: u32,
    ) -> Result<SubmissionPage, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| {
                rows::page(connection, &organization, document_key, before, size)
            })
            .await
    }

    async fn attempts(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        limit: u32,
    ) -> Result<Vec<Attempt>, StorageError> {
        let key = (organization.as_str(), *submission.as_bytes(), limit);
        self.engine()
            .lookup_all(rows::SELECT_ATTEMPTS, key, rows::attempt)
            .await
    }

    async fn claim_due(
        &self,
        now: Timestamp,
        claim: Claim,
        except: &BTreeSet<OrganizationId>,
    ) -> Result<Option<(OrganizationId, Uuid)>, StorageError> {
        // The queue is read all the time, and rarely has something: the writer is not asked then.
        let Some(organization) = self.due_organization(now, except).await? else {
            return Ok(None);
        };
        self.engine()
            .write(move |transaction| {
                let mut update = transaction.prepare_cached(CLAIM_DUE)?;
                let parameters = params![
                    claim.holder.as_bytes(),
                    claim.until.as_millis(),
                    now.as_millis(),
                    organization.as_str()
                ];
                let claimed = update.query_row(parameters, |row| key(row, "submission"));
                let claimed = claimed.optional()?;
                Ok(claimed.map(|submission| (organization, submission)))
            })
            .await
    }

    async fn clearance_backlog(&self) -> Result<Option<ClearanceBacklog>, StorageError> {
        self.engine()
            .lookup_one(SELECT_BACKLOG, (), rows::backlog)
            .await
    }

    async fn claim(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        now: Timestamp,
        claim: Claim,
    ) -> Result<bool, StorageError> {
        let organization = organization.clone();
        self.engine()
            .write(move |transaction| {
                let claimed = transaction
                    .prepare_cached(
                        "UPDATE clearance_queue SET holder = ?3, claimed_until = ?4
                         WHERE organization_id = ?1 AND submission = ?2 AND claimed_until <= ?5",
                    )?
                    .execute(params![
                        organization.as_str(),
                        submission.as_bytes(),
                        claim.holder.as_bytes(),
                        claim.until.as_millis(),
                        now.as_millis()
                    ])?;
                Ok(claimed > 0)
            })
            .await
    }

    async fn release_claims(&self) -> Result<(), StorageError> {
        self.engine()
            .write(|transaction| {
                transaction.execute(
                    "UPDATE clearance_queue SET claimed_until = 0 WHERE claimed_until > 0",
                    [],
                )?;
                Ok(())
            })
            .await
    }

    async fn retry_clearance(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (organization, event) = (organization.clone(), event.clone());
        self.engine()
            .transact(move |transaction| {
                let reset = transaction
                    .prepare_cached(
                        "UPDATE clearance_queue SET due_at = ?3, failures = 0
                         WHERE organization_id = ?1 AND submission = ?2",
                    )?
                    .execute(params![
                        organization.as_str(),
                        submission.as_bytes(),
                        now.as_millis()
                    ])?;
                if reset == 0 {
                    return Ok(TransactionEnd::Rollback(false));
                }
                record_event(transaction, &event)?;
                Ok(TransactionEnd::Commit(true))
            })
            .await
    }

    async fn postpone(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        holder: Uuid,
        due_at: Timestamp,
    ) -> Result<(), StorageError> {
        let organization = organization.clone();
        self.engine()
            .write(move |transaction| {
                transaction
                    .prepare_cached(
                        "UPDATE clearance_queue SET due_at = ?3, failures = failures + 1, claimed_until = 0
                         WHERE organization_id = ?1 AND submission = ?2 AND holder = ?4 AND claimed_until > 0",
                    )?
                    .execute(params![
                        organization.as_str(),
                        submission.as_bytes(),
                        due_at.as_millis(),
                        holder.as_bytes()
                    ])?;
                Ok(())
            })
            .await
    }

    async fn end_attempt(
        &self,
        ended: &EndedAttempt,
        amend: Amendment,
    ) -> Result<EndOutcome, StorageError> {
        let ended = ended.clone();
        self.engine()
            .write(move |transaction| end_attempt(transaction, &ended, &amend))
            .await
    }
}

impl Sqlite {
    /// The organization with the longest due submission that nobody sends, of those that are not in `except`.
    async fn due_organization(
        &self,
        now: Timestamp,
        except: &BTreeSet<OrganizationId>,
    ) -> Result<Option<OrganizationId>, StorageError> {
        let parameters = (now.as_millis(), json_array(except));
        let oldest =
            self.engine()
                .lookup_one(SELECT_OLDEST, parameters.clone(), rows::due_organization);
        match oldest.await? {
            None => Ok(None),
            Some((organization, true)) => Ok(Some(organization)),
            Some((_, false)) => {
                let select = SELECT_OLDEST_OF_ORGANIZATIONS;
                self.engine()
                    .lookup_one(select, parameters, |row| identifier(row, 0))
                    .await
            }
        }
    }
}

fn json_array(organizations: &BTreeSet<OrganizationId>) -> String {
    let ids = organizations.iter().map(OrganizationId::as_str);
    ids.collect::<serde_json::Value>().to_string()
}

fn put_authority(
    transaction: &Transaction<'_>,
    settings: &AuthoritySettings,
    expected: Option<&ConcurrencyStamp>,
) -> Result<bool, EngineError> {
    let statement = if expected.is_none() {
        concat!(
            "INSERT INTO authorities (",
            authority_columns!(),
            ") SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ?10 IS NULL ON CONFLICT DO NOTHING"
        )
    } else {
        concat!(
            "UPDATE authorities SET (",
            authority_columns!(),
            ") = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) WHERE organization_id = ?1 AND concurrency_stamp = ?10"
        )
    };
    let changed = transaction.prepare_cached(statement)?.execute(params![
        settings.organization.as_str(),
        settings.adapter,
        settings.endpoint,
        settings.credentials,
        settings.mode.name(),
        settings.kind_names(),
        settings.enabled,
        settings.concurrency_stamp.as_str(),
        settings.updated_at.as_millis(),
        expected.map(ConcurrencyStamp::as_str),
    ])?;
    Ok(changed > 0)
}
