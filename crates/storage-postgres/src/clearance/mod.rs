//! [`ClearanceStore`] on PostgreSQL.

mod end_attempt;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::slice;

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::clearance::{
    Amendment, Attempt, AuthoritySettings, ClearanceBacklog, ClearanceStore, EndOutcome,
    EndedAttempt, MAX_ATTEMPTS, Submission, SubmissionPage, SubmissionPosition,
};
use invoicing_storage::documents::{Claim, PAGE_BYTES};
use uuid::Uuid;

use self::end_attempt::EndAttempt;
use self::rows::{authority_columns, select_submissions};
use crate::Postgres;
use crate::documents::RevisionId;
use crate::engine::{AuditedStatement, EngineError, Parameter, identifier};

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
const SELECT_ATTEMPTS: &str = "SELECT id AS attempt, started_at, ended_at, http_status, state AS attempt_state, problem, answer
     FROM document_submission_attempts WHERE organization_id = $1 AND submission = $2
     ORDER BY ended_at DESC, id DESC LIMIT $3";
/// A page of submissions, a row for each of their latest attempts. Those after others whose answers have `$7` bytes have no answers:
/// the length of an answer is known without reading it.
const SELECT_PAGE: &str = concat!(
    "WITH page AS (",
    select_submissions!(
        "s.document_key = $2 AND (s.created_at, s.id) < ($3, $4) ORDER BY s.created_at DESC, s.id DESC LIMIT $5"
    ),
    "), listed AS (
         SELECT page.*, a.id AS attempt, a.started_at, a.ended_at, a.http_status, a.state AS attempt_state, a.problem, a.answer,
             coalesce(sum(octet_length(a.answer)) OVER newer, 0) < $7::bigint AS is_listed
         FROM page LEFT JOIN LATERAL (
             SELECT t.id, t.started_at, t.ended_at, t.http_status, t.state, t.problem, t.answer FROM document_submission_attempts t
             WHERE t.organization_id = $1 AND t.submission = page.id ORDER BY t.ended_at DESC, t.id DESC LIMIT $6
         ) AS a ON TRUE
         WINDOW newer AS (ORDER BY page.created_at DESC, page.id DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     )
     SELECT id, document_key, issued_from, number, hash, state, created_at, answered_at, due_at, failures,
         attempt, started_at, ended_at, http_status, attempt_state, problem, CASE WHEN is_listed THEN answer END AS answer, is_listed
     FROM listed ORDER BY created_at DESC, id DESC, ended_at DESC, attempt DESC"
);
/// The organization with the longest due submission among the first ones, and whether it is wanted: one that is not is the result only
/// if none of them is. Their order is that of an index, so that the planner reads no others, whatever it knows of the queue.
const SELECT_OLDEST: &str =
    "SELECT organization_id, organization_id <> ALL ($2::text[]) AS wanted FROM (
         SELECT organization_id, due_at FROM clearance_queue WHERE due_at <= $1 AND claimed_until <= $1
         ORDER BY due_at LIMIT 1000) AS oldest
     ORDER BY wanted DESC, due_at LIMIT 1";
/// The same among all submissions, for a long queue of organizations that are not wanted: a few entries of an index for each
/// organization, however many submissions it has. BETWEEN leaves one index to the planner. With = it may choose that of times, which has the
/// submissions of all organizations.
const SELECT_OLDEST_OF_ORGANIZATIONS: &str = "WITH RECURSIVE queued (organization_id) AS (
         (SELECT organization_id FROM clearance_queue ORDER BY organization_id LIMIT 1)
         UNION ALL
         SELECT following.organization_id FROM queued CROSS JOIN LATERAL (
             SELECT q.organization_id FROM clearance_queue q WHERE q.organization_id > queued.organization_id
             ORDER BY q.organization_id LIMIT 1) AS following
     )
     SELECT queued.organization_id FROM queued CROSS JOIN LATERAL (
         SELECT q.due_at FROM clearance_queue q
         WHERE q.organization_id BETWEEN queued.organization_id AND queued.organization_id
             AND q.due_at <= $1 AND q.claimed_until <= $1
         ORDER BY q.organization_id, q.due_at LIMIT 1) AS oldest
     WHERE queued.organization_id <> ALL ($2::text[]) ORDER BY oldest.due_at LIMIT 1";
/// The length of the queue, and what was sent most often.
const SELECT_BACKLOG: &str =
    "SELECT (SELECT count(*) FROM clearance_queue) AS waiting, organization_id, submission
     FROM clearance_queue ORDER BY failures DESC, due_at LIMIT 1";
/// A row that another process is about to claim is skipped. A repetition returns what it has claimed before. The subquery is a
/// value, which is read once: with IN the planner may read it for each row of the queue, and each time it locks another one.
const CLAIM_DUE: &str = "UPDATE clearance_queue SET holder = $1, claimed_until = $2
     WHERE (organization_id, submission) = (
         SELECT organization_id, submission FROM clearance_queue
         WHERE organization_id BETWEEN $4 AND $4 AND due_at <= $3 AND (claimed_until <= $3 OR holder = $1)
         ORDER BY organization_id, due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING submission";
const CLAIM: &str = "UPDATE clearance_queue SET holder = $3, claimed_until = $4
     WHERE organization_id = $1 AND submission = $2 AND (claimed_until <= $5 OR holder = $3) RETURNING submission";
const RETRY: &str = "UPDATE clearance_queue SET due_at = $3, failures = 0
     WHERE organization_id = $1 AND submission = $2";
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

    async fn submission_content(
        &self,
        organization: &OrganizationId,
        id: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let parameters = [&organization.as_str() as _, &id as _];
        let select =
            "SELECT content FROM document_submissions WHERE organization_id = $1 AND id = $2";
        let row = self
            .engine()
            .row(Some(organization), select, &parameters)
            .await?;
        let content = row.map(|row| row.try_get::<_, Vec<u8>>("content"));
        Ok(content.transpose().map_err(EngineError::from)?)
    }

    async fn submissions(
        &self,
        organization: &OrganizationId,
        document_key: Uuid,
        before: Option<SubmissionPosition>,
        size: u32,
    ) -> Result<SubmissionPage, StorageError> {
        let (at, id) = before.unwrap_or((Timestamp::MAX, Uuid::max()));
        // One more tells whether there are older ones.
        let limit = i64::from(size) + 1;
        let parameters: [Parameter<'_>; 7] = [
            &organization.as_str(),
            &document_key,
            &at.as_millis(),
            &id,
            &limit,
            &i64::from(MAX_ATTEMPTS),
            &(PAGE_BYTES as i64),
        ];
        let rows = self
            .engine()
            .rows(Some(organization), SELECT_PAGE, &parameters)
            .await?;
        Ok(rows::page(&rows, size)?)
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

    async fn claim_due(
        &self,
        now: Timestamp,
        claim: Claim,
        except: &BTreeSet<OrganizationId>,
    ) -> Result<Option<(OrganizationId, Uuid)>, StorageError> {
        let Some(organization) = self.due_organization(now, except).await? else {
            return Ok(None);
        };
        let parameters: [Parameter<'_>; 4] = [
            &claim.holder,
            &claim.until.as_millis(),
            &now.as_millis(),
            &organization.as_str(),
        ];
        let claimed = self.engine().write_statement(&[], CLAIM_DUE, &parameters);
        let claimed = claimed.await?;
        let submission = claimed
            .first()
            .map(|row| row.try_get::<_, Uuid>("submission"));
        let submission = submission.transpose().map_err(EngineError::from)?;
        Ok(submission.map(|submission| (organization, submission)))
    }

    async fn clearance_backlog(&self) -> Result<Option<ClearanceBacklog>, StorageError> {
        self.engine()
            .lookup_one(SELECT_BACKLOG, &[], rows::backlog)
            .await
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
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let parameters: [Parameter<'_>; 3] =
            [&organization.as_str(), &submission, &now.as_millis()];
        self.execute_audited(RETRY, &parameters, event).await
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

impl Postgres {
    /// The organization with the longest due submission that nobody sends, of those that are not in `except`.
    async fn due_organization(
        &self,
        now: Timestamp,
        except: &BTreeSet<OrganizationId>,
    ) -> Result<Option<OrganizationId>, StorageError> {
        let except: Vec<&str> = except.iter().map(OrganizationId::as_str).collect();
        let parameters: [Parameter<'_>; 2] = [&now.as_millis(), &except];
        let oldest = self.engine().row(None, SELECT_OLDEST, &parameters).await?;
        let Some(oldest) = oldest else {
            return Ok(None);
        };
        let is_wanted: bool = oldest.try_get("wanted").map_err(EngineError::from)?;
        let found = if is_wanted {
            Some(oldest)
        } else {
            let select = SELECT_OLDEST_OF_ORGANIZATIONS;
            self.engine().row(None, select, &parameters).await?
        };
        let organization = found.map(|row| identifier(&row, "organization_id"));
        Ok(organization.transpose()?)
    }
}
