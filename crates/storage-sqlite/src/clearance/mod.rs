//! [`ClearanceStore`] on SQLite.

mod end_attempt;
mod rows;

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::clearance::{
    Amendment, Attempt, AuthoritySettings, ClearanceStore, EndOutcome, EndedAttempt, Submission,
};
use invoicing_storage::documents::Claim;
use rusqlite::{OptionalExtension as _, Transaction, params};
use uuid::Uuid;

use self::end_attempt::end_attempt;
use self::rows::{authority_columns, select_submissions};
use crate::Sqlite;
use crate::audit::record_event;
use crate::engine::{EngineError, TransactionEnd};
use crate::values::key;

/// Whether a submission is due at `?1` and nobody sends it, of organizations that are not in `?2`.
const IS_DUE: &str = "SELECT 1 FROM clearance_queue WHERE due_at <= ?1 AND claimed_until <= ?1
     AND organization_id NOT IN (SELECT value FROM json_each(?2)) LIMIT 1";

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

    async fn submissions(
        &self,
        organization: &OrganizationId,
        document_key: Uuid,
    ) -> Result<Vec<Submission>, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(select_submissions!(
                    "x''",
                    "s.document_key = ?2 ORDER BY s.created_at DESC, s.id DESC"
                ))?;
                let key = params![organization.as_str(), document_key.as_bytes()];
                let found = select.query_map(key, rows::submission)?;
                Ok(found.collect::<Result<_, _>>()?)
            })
            .await
    }

    async fn attempts(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        limit: u32,
    ) -> Result<Vec<Attempt>, StorageError> {
        let select = "SELECT id, started_at, ended_at, http_status, state, problem, answer FROM document_submission_attempts
             WHERE organization_id = ?1 AND submission = ?2 ORDER BY ended_at DESC, id DESC LIMIT ?3";
        let key = (organization.as_str(), *submission.as_bytes(), limit);
        self.engine().lookup_all(select, key, rows::attempt).await
    }

    async fn claim_due(
        &self,
        now: Timestamp,
        claim: Claim,
        except: &BTreeSet<OrganizationId>,
    ) -> Result<Option<(OrganizationId, Uuid)>, StorageError> {
        let except = json_array(except);
        // The queue is read all the time, and rarely has something: the writer is not asked then.
        let parameters = (now.as_millis(), except.clone());
        let due = self.engine().lookup_one(IS_DUE, parameters, |_| Ok(()));
        if due.await?.is_none() {
            return Ok(None);
        }
        self.engine()
            .write(move |transaction| {
                let mut update = transaction.prepare_cached(
                    "UPDATE clearance_queue SET holder = ?1, claimed_until = ?2
                     WHERE (organization_id, submission) IN (
                         SELECT organization_id, submission FROM clearance_queue
                         WHERE due_at <= ?3 AND claimed_until <= ?3
                             AND organization_id NOT IN (SELECT value FROM json_each(?4))
                         ORDER BY due_at LIMIT 1)
                     RETURNING organization_id, submission",
                )?;
                let parameters = params![
                    claim.holder.as_bytes(),
                    claim.until.as_millis(),
                    now.as_millis(),
                    except
                ];
                let claimed = update.query_row(parameters, |row| {
                    let organization: String = row.get(0)?;
                    Ok((organization.into(), key(row, "submission")?))
                });
                Ok(claimed.optional()?)
            })
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
