//! One attempt to send a submission: read, send, store what came back.

use std::error::Error;
use std::time::Duration;

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::{AuthorityState, Document, Event, Status};
use invoicing_storage::StorageError;
use invoicing_storage::clearance::{
    Amendment, Attempt, AttemptOutcome, EndOutcome, EndedAttempt, Submission,
};
use invoicing_storage::documents::Action;
use uuid::Uuid;

use super::adapter::{Answer, Decision, Outgoing, Verdict};
use super::backoff::delay;
use super::problem::{Problem, ProblemKind};
use super::{Clearance, state_name, submission_of};
use crate::documents::{document_row, history_event};
use crate::new_identifiers::new_stamp;

/// The name of the authority in the history of a document: it is no subject.
const AUTHOR: &str = "tax authority";
/// How often an answer is stored again after an error: without it the authority is asked once more.
const STORE_ATTEMPTS: u32 = 4;
/// The wait before the second of them, which then doubles.
const STORE_DELAY: Duration = Duration::from_millis(100);

impl Clearance {
    /// Sends a submission that `holder` has claimed, and stores what comes back. Returns the document as it is then; `None` if
    /// it does not exist.
    ///
    /// # Errors
    /// Storage failed. The submission is sent again when the claim has ended.
    pub async fn send(
        &self,
        organization: &OrganizationId,
        id: Uuid,
        holder: Uuid,
    ) -> Result<Option<Document>, StorageError> {
        let Some(submission) = self.store.submission(organization, id).await? else {
            return Ok(None);
        };
        if submission.answered_at.is_some() {
            let key = submission.document_key;
            return self.store.document(organization, key).await;
        }
        let started_at = self.clock.timestamp();
        let Some(answer) = self.submit(organization, &submission).await? else {
            return self.postpone(organization, &submission, holder).await;
        };
        let ended_at = self.clock.timestamp();
        if let Verdict::NotReceived(problem) | Verdict::Unknown(problem) = &answer.verdict {
            tracing::warn!(
                organization = %organization,
                submission = %id,
                problem = %problem.kind,
                failures = submission.failures,
                "the tax authority has not answered"
            );
        }
        let (state, problem, outcome) = match &answer.verdict {
            Verdict::Decided(decision) => {
                let has_warnings = decision.has_warnings;
                let outcome = AttemptOutcome::Answered { has_warnings };
                (decision.state, String::new(), outcome)
            }
            Verdict::NotReceived(problem) => {
                self.unanswered(AuthorityState::Pending, problem, &submission)
            }
            Verdict::Unknown(problem) => {
                self.unanswered(AuthorityState::Unknown, problem, &submission)
            }
        };
        let ended = EndedAttempt {
            organization: organization.clone(),
            submission: id,
            holder,
            attempt: Attempt {
                id: self.random_id(),
                started_at,
                ended_at,
                http_status: answer.http_status,
                state,
                problem,
                answer: answer.body,
            },
            outcome,
        };
        self.store_attempt(&ended, &answer.verdict).await
    }

    fn unanswered(
        &self,
        state: AuthorityState,
        problem: &Problem,
        submission: &Submission,
    ) -> (AuthorityState, String, AttemptOutcome) {
        let wait = delay(submission.failures, problem.retry_after, &*self.rng);
        let due_at = self.clock.timestamp().plus(wait);
        let outcome = AttemptOutcome::Unanswered { due_at };
        (state, problem.kind.to_string(), outcome)
    }

    /// Waits as after an attempt without an answer, and stores none: nothing was sent.
    async fn postpone(
        &self,
        organization: &OrganizationId,
        submission: &Submission,
        holder: Uuid,
    ) -> Result<Option<Document>, StorageError> {
        tracing::warn!(
            organization = %organization,
            submission = %submission.id,
            failures = submission.failures,
            "the tax authority is disabled"
        );
        let wait = delay(submission.failures, None, &*self.rng);
        let due_at = self.clock.timestamp().plus(wait);
        self.store
            .postpone(organization, submission.id, holder, due_at)
            .await?;
        let key = submission.document_key;
        self.store.document(organization, key).await
    }

    /// Sends a submission. `None` if the authority is disabled.
    async fn submit(
        &self,
        organization: &OrganizationId,
        submission: &Submission,
    ) -> Result<Option<Answer>, StorageError> {
        let settings = self.store.authority(organization).await?;
        let Some(settings) = settings.filter(|settings| settings.enabled) else {
            return Ok(None);
        };
        let Ok(credentials) = self.credentials(&settings) else {
            return Ok(Some(Answer {
                http_status: None,
                body: Vec::new(),
                verdict: Verdict::NotReceived(Problem::new(ProblemKind::CredentialsUnreadable)),
            }));
        };
        let adapter = self.adapter(&settings.adapter)?;
        let id = submission.id;
        let content = self.store.submission_content(organization, id).await?;
        let content = content
            .ok_or_else(|| StorageError::corrupt(format!("the submission {id} has no content")))?;
        let answer = adapter.submit(Outgoing {
            content,
            hash: &submission.hash,
            endpoint: &settings.endpoint,
            mode: settings.mode,
            credentials: credentials.as_ref(),
        });
        Ok(Some(answer.await))
    }

    async fn store_attempt(
        &self,
        ended: &EndedAttempt,
        verdict: &Verdict,
    ) -> Result<Option<Document>, StorageError> {
        let mut wait = STORE_DELAY;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let amend = self.amendment(ended.submission, ended.attempt.state, verdict);
            match self.store.end_attempt(ended, amend).await {
                Ok(EndOutcome::Stored(document)) => return Ok(document.map(|document| *document)),
                Ok(EndOutcome::Unknown) => return Ok(None),
                Err(error) if attempts < STORE_ATTEMPTS => {
                    tracing::warn!(
                        submission = %ended.submission,
                        error = &error as &dyn Error,
                        "the answer of the tax authority is stored again"
                    );
                    tokio::time::sleep(wait).await;
                    wait *= 2;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The document in the state that an attempt leads to.
    fn amendment(&self, submission: Uuid, state: AuthorityState, verdict: &Verdict) -> Amendment {
        let stamp = new_stamp(&*self.rng);
        let event = Event {
            by_name: AUTHOR.to_owned(),
            ..history_event(self.clock.now(), &Default::default(), "")
        };
        let (messages, has_warnings) = match verdict {
            Verdict::Decided(Decision {
                messages,
                has_warnings,
                ..
            }) => (messages.clone(), *has_warnings),
            Verdict::NotReceived(_) | Verdict::Unknown(_) => (Vec::new(), false),
        };
        let (status, action) = match state {
            AuthorityState::Rejected => (Status::Rejected, Action::Rejected),
            AuthorityState::Cleared => (Status::Issued, Action::Cleared),
            AuthorityState::Reported => (Status::Issued, Action::Reported),
            AuthorityState::Accepted => (Status::Issued, Action::Accepted),
            AuthorityState::Pending | AuthorityState::Unknown | AuthorityState::Unspecified => {
                (Status::Issued, Action::Unanswered)
            }
        };
        Box::new(move |mut document| {
            if submission_of(&document) != Some(submission) {
                return Ok(None);
            }
            let Some(authority) = &mut document.authority else {
                return Ok(None);
            };
            authority.status = state_name(state).to_owned();
            authority.state = state.into();
            authority.messages.clone_from(&messages);
            authority.has_warnings = has_warnings;
            document.status = status.into();
            document.concurrency_stamp.clone_from(&stamp);
            document.updated = Some(event.clone());
            Ok(Some((document_row(document)?, action)))
        })
    }
}
