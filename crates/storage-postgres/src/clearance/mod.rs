//! [`ClearanceStore`] on PostgreSQL.

mod end_attempt;
mod rows;

use std::collections::BTreeSet;
use std::slice;

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::clearance::{
    Amendment, Attempt, AuthoritySettings, ClearanceStore, EndOutcome, EndedAttempt, Submission,
};
use invoicing_storage::documents::Claim;
use uuid::Uuid;

use self::end_attempt::EndAttempt;
use self::rows::{authority_columns, select_submissions};
use crate::Postgres;
use crate::documents::RevisionId;
use crate::engine::{AuditedStatement, EngineError, Parameter};

const INSERT_AUTHORITY: &str = concat!(
    "INSERT INTO authorities (",
    authority_columns!(),
    ") SELECT $1, $2, $3, $4::bytea, $5, $6, $7::boolean, $8, $9::bigint WHERE $10::text IS NULL
     ON CONFLICT (organization_id) DO NOTHING"
);
const UPDATE_AUTHORITY: &str = concat!(
    "UPDATE authorities SET (",
    authority_columns!(),
    ") = ($1, $2, $3, $4::bytea, $5, $6, $7::boolean, $8, $9::bigint)
     WHERE organization_id = $1 AND concurrency_stamp = $10"
);
const SELECT_ATTEMPTS: &str = "SELECT id, started_at, ended_at, http_status, state, problem, answer
     FROM document_submission_attempts WHERE organization_id = $1 AND submission = $2
     ORDER BY ended_at DESC, id DESC LIMIT $3";
const SELECT_DUE: &str =
    "SELECT 1 AS due FROM clearance_queue WHERE due_at <= $1 AND claimed_until <= $1
         AND organization_id <> ALL ($2::text[]) LIMIT 1";
/// Rows that another process is about to claim are skipped. A repetition returns what it has claimed before.
const CLAIM_DUE: &str = "UPDATE clearance_queue SET holder = $1, claimed_until = $2
     WHERE (organization_id, submission) IN (
         SELECT organization_id, submission FROM clearance_queue
         WHERE due_at <= $3 AND (claimed_until <= $3 OR holder = $1) AND organization_id <> ALL ($5::text[])
         ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED)
     RETURNING organization_id, submission";
const CLAIM: &str = "UPDATE clearance_queue SET holder = $3, claimed_until = $4
     WHERE organization_id = $1 AND submission = $2 AND (claimed_until <= $5 OR holder = $3) RETURNING submission";
const RETRY: &str = "UPDATE clearance_queue SET due_at = $3, failures = 0
     WHERE organization_id = $1 AND submission = $2 RETURNING submission";
/// A repetition finds that the claim has ended.
const POSTPONE: &str = "UPDATE clearance_queue SET due_at = $3, failures = failures + 1, claimed_until = 0
     WHERE organization_id = $1 AND submission = $2 AND holder = $4 AND claimed_until > 0 RETURNING submission";

#[async_trait]
impl ClearanceStore for Postgres {
    async fn authority(
        &self,
        organization: &OrganizationId,
    ) -> Result<Option<AuthoritySettings>, StorageError> {
        let select = concat!(
            "SELECT ",
            authority_columns!(),
            " FROM authorities WHERE organization_id = $1"
        );
        self.engine()
            .lookup_one(select, &[&organization.as_str()], rows::authority)
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
            " FROM authorities WHERE organization_id > $1 ORDER BY organization_id LIMIT $2"
        );
        let limit = i64::from(limit);
        self.engine()
            .lookup_all(select, &[&after.as_str(), &limit], rows::authority)
            .await
    }

    async fn put_authority(
        &self,
        settings: &AuthoritySettings,
        expected: Option<&ConcurrencyStamp>,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let kinds = settings.kind_names();
        let statement = if expected.is_none() {
            INSERT_AUTHORITY
        } else {
            UPDATE_AUTHORITY
        };
        let parameters: [Parameter<'_>; 10] = [
            &settings.organization.as_str(),
            &settings.adapter,
            &settings.endpoint,
            &settings.credentials,
            &settings.mode.name(),
            &kinds,
            &settings.enabled,
            &settings.concurrency_stamp.as_str(),
            &settings.updated_at.as_millis(),
            &expected.map(ConcurrencyStamp::as_str),
        ];
        let (events, rng) = (slice::from_ref(event), self.engine().rng());
        let work = AuditedStatement::new(statement, &parameters, events, rng);
        self.engine().write(&work).await
    }

    async fn submission(
        &self,
        organization: &OrganizationId,
        id: Uuid,
    ) -> Result<Option<Submission>, StorageError> {
        let parameters = [&organization.as_str() as _, &id as _];
        let select = select_submissions!("s.id = $2");
        let row = self
            .engine()
            .row(Some(organization), select, &parameters)
            .await?;
        let submission = row.as_ref().map(rows::submission);
        Ok(submission.transpose()?)
    }

    async fn submissions(
        &self,
        organization: &OrganizationId,
        document_key: Uuid,
    ) -> Result<Vec<Submission>, StorageError> {
        let parameters = [&organization.as_str() as _, &document_key as _];
        let select =
            select_submissions!("s.document_key = $2 ORDER BY s.created_at DESC, s.id DESC");
        let rows = self
            .engine()
            .rows(Some(organization), select, &parameters)
            .await?;
        let submissions = rows.iter().map(rows::submission);
        Ok(submissions.collect::<Result<_, _>>()?)
    }

    async fn attempts(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        limit: u32,
    ) -> Result<Vec<Attempt>, StorageError> {
        let limit = i64::from(limit);
        let parameters = [&organization.as_str() as _, &submission as _, &limit as _];
        let rows = self
            .engine()
            .rows(Some(organization), SELECT_ATTEMPTS, &parameters)
            .await?;
        let attempts = rows.iter().map(rows::attempt);
        Ok(attempts.collect::<Result<_, _>>()?)
    }

    async fn is_clearance_due(
        &self,
        now: Timestamp,
        except: &BTreeSet<OrganizationId>,
    ) -> Result<bool, StorageError> {
        let except: Vec<&str> = except.iter().map(OrganizationId::as_str).collect();
        let due = self
            .engine()
            .row(None, SELECT_DUE, &[&now.as_millis(), &except])
            .await?;
        Ok(due.is_some())
    }

    async fn claim_due(
        &self,
        now: Timestamp,
        claim: Claim,
        except: &BTreeSet<OrganizationId>,
        limit: u32,
    ) -> Result<Vec<(OrganizationId, Uuid)>, StorageError> {
        let except: Vec<&str> = except.iter().map(OrganizationId::as_str).collect();
        let parameters: [Parameter<'_>; 5] = [
            &claim.holder,
            &claim.until.as_millis(),
            &now.as_millis(),
            &i64::from(limit),
            &except,
        ];
        let rows = self
            .engine()
            .write_statement(&[], CLAIM_DUE, &parameters)
            .await?;
        let claimed = rows.iter().map(|row| {
            let organization: String = row.try_get("organization_id")?;
            Ok::<_, EngineError>((organization.into(), row.try_get("submission")?))
        });
        Ok(claimed.collect::<Result<_, _>>()?)
    }

    async fn claim(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        now: Timestamp,
        claim: Claim,
    ) -> Result<bool, StorageError> {
        let parameters: [Parameter<'_>; 5] = [
            &organization.as_str(),
            &submission,
            &claim.holder,
            &claim.until.as_millis(),
            &now.as_millis(),
        ];
        let claimed = self.engine().write_statement(&[], CLAIM, &parameters);
        Ok(!claimed.await?.is_empty())
    }

    async fn release_claims(&self) -> Result<(), StorageError> {
        // Other processes may hold them.
        Ok(())
    }

    async fn retry_clearance(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        let parameters: [Parameter<'_>; 3] =
            [&organization.as_str(), &submission, &now.as_millis()];
        let reset = self.engine().write_statement(&[], RETRY, &parameters);
        Ok(!reset.await?.is_empty())
    }

    async fn postpone(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        holder: Uuid,
        due_at: Timestamp,
    ) -> Result<(), StorageError> {
        let parameters: [Parameter<'_>; 4] = [
            &organization.as_str(),
            &submission,
            &due_at.as_millis(),
            &holder,
        ];
        let postponed = self.engine().write_statement(&[], POSTPONE, &parameters);
        postponed.await?;
        Ok(())
    }

    async fn end_attempt(
        &self,
        ended: &EndedAttempt,
        amend: Amendment,
    ) -> Result<EndOutcome, StorageError> {
        let work = EndAttempt {
            ended,
            amend: &amend,
            revision: RevisionId::random(self.engine().rng()),
        };
        self.engine().write(&work).await
    }
}
