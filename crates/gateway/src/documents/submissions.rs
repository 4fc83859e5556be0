//! What was sent to the tax authority for a document, and what it answered (decision 0126).

use invoicing_contract::DocumentKey;
use invoicing_contract::messages::documents::submissions_server::Submissions as SubmissionsRpc;
use invoicing_contract::messages::documents::{
    GetSubmissionRequest, ListSubmissionsRequest, ListSubmissionsResponse, RetryClearanceRequest,
    Submission, SubmissionAttempt,
};
use invoicing_http::{PageRequest, RequestContext};
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::clearance::{self, MAX_ATTEMPTS, SubmissionPosition};
use invoicing_storage::documents::assigned_number;
use tonic::Request;
use uuid::Uuid;

use super::document_key::parse_key;
use super::{DocumentError, Documents};
use crate::audit_event::audit_event;
use crate::clearance::{is_unanswered, problem_code, submission_of};
use crate::rpc_response::{RpcResult, respond};

impl Documents {
    /// A page of the submissions of a document.
    async fn list_submissions(
        &self,
        context: &RequestContext,
        request: ListSubmissionsRequest,
    ) -> Result<ListSubmissionsResponse, DocumentError> {
        let organization = context.organization();
        let key = parse_key(&request.document_key)?;
        let list = format!("submissions {organization} {key}");
        let page: PageRequest<SubmissionPosition> = self
            .page_tokens
            .read_request(request.page_size, &request.page_token, list.as_bytes())
            .map_err(DocumentError::InvalidRequest)?;
        let found = self
            .store
            .submissions(organization, key, page.after, page.size)
            .await?;
        if found.items.is_empty() {
            // A document that was not sent has none, and one that does not exist neither.
            self.get(context, &request.document_key.into()).await?;
        }
        let last = found.items.last().filter(|_| found.has_more);
        let next_page_token = last.map(|(last, _)| {
            let position: SubmissionPosition = (last.created_at, last.id);
            self.page_tokens.sign(&position, list.as_bytes())
        });
        let items = found.items.into_iter();
        Ok(ListSubmissionsResponse {
            next_page_token: next_page_token.unwrap_or_default(),
            items: items
                .map(|(submission, attempts)| message(submission, attempts))
                .collect(),
        })
    }

    async fn get_submission(
        &self,
        context: &RequestContext,
        request: GetSubmissionRequest,
    ) -> Result<Submission, DocumentError> {
        let key = parse_key(&request.document_key)?;
        let id = Uuid::try_parse(&request.submission_id)
            .map_err(|_not_a_uuid| DocumentError::SubmissionNotFound)?;
        let found = self.store.submission(context.organization(), id).await?;
        let found = found
            .filter(|found| found.document_key == key)
            .ok_or(DocumentError::SubmissionNotFound)?;
        let content = self.store.submission_content(context.organization(), id);
        let content = content.await?.ok_or(DocumentError::SubmissionNotFound)?;
        let found = self.with_attempts(context, found).await?;
        Ok(Submission { content, ..found })
    }

    /// A submission with its latest attempts, and without its content.
    async fn with_attempts(
        &self,
        context: &RequestContext,
        submission: clearance::Submission,
    ) -> Result<Submission, DocumentError> {
        let attempts = self
            .store
            .attempts(context.organization(), submission.id, MAX_ATTEMPTS)
            .await?;
        Ok(message(submission, attempts))
    }

    /// Makes the submission of a document due at once. The worker sends it.
    async fn retry_clearance(
        &self,
        context: &RequestContext,
        key: DocumentKey,
    ) -> Result<Submission, DocumentError> {
        let document = self.get(context, &key).await?;
        let organization = context.organization();
        let not_waiting = || DocumentError::NotAwaitingAuthority {
            number: assigned_number(&document).to_owned(),
        };
        let id = submission_of(&document)
            .filter(|_| is_unanswered(&document))
            .ok_or_else(not_waiting)?;
        let now = self.clock.timestamp();
        let event = audit_event(context, now, AuditEventKind::ClearanceRetried)
            .detail("document", key.as_str())
            .detail("submission", id.to_string());
        let retried = self.store.retry_clearance(organization, id, now, &event);
        if !retried.await? {
            return Err(not_waiting());
        }
        self.clearance.wake();
        let retried = self.store.submission(organization, id).await?;
        let retried = retried.ok_or(DocumentError::SubmissionNotFound)?;
        self.with_attempts(context, retried).await
    }
}

/// Without its content.
fn message(submission: clearance::Submission, attempts: Vec<clearance::Attempt>) -> Submission {
    Submission {
        id: submission.id.to_string(),
        document_key: submission.document_key.to_string(),
        number: submission.number,
        state: submission.state.into(),
        hash: base16ct::lower::encode_string(&submission.hash),
        created: Some(submission.created_at.into()),
        answered: submission.answered_at.map(Into::into),
        next_attempt: submission.due_at.map(Into::into),
        failures: i32::try_from(submission.failures).unwrap_or(i32::MAX),
        attempts: attempts.into_iter().map(attempt).collect(),
        content: Vec::new(),
    }
}

fn attempt(attempt: clearance::Attempt) -> SubmissionAttempt {
    let problem_code = problem_code(&attempt.problem, attempt.http_status);
    SubmissionAttempt {
        started: Some(attempt.started_at.into()),
        ended: Some(attempt.ended_at.into()),
        http_status: attempt.http_status.map_or(0, i32::from),
        state: attempt.state.into(),
        problem: attempt.problem,
        answer: attempt.answer,
        problem_code: problem_code.into(),
    }
}

#[tonic::async_trait]
impl SubmissionsRpc for Documents {
    async fn list_submissions(
        &self,
        request: Request<ListSubmissionsRequest>,
    ) -> RpcResult<ListSubmissionsResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(
            &context,
            Self::list_submissions(self, &context, request).await,
        )
    }

    async fn get_submission(
        &self,
        request: Request<GetSubmissionRequest>,
    ) -> RpcResult<Submission> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(
            &context,
            Self::get_submission(self, &context, request).await,
        )
    }

    async fn retry_clearance(
        &self,
        request: Request<RetryClearanceRequest>,
    ) -> RpcResult<Submission> {
        let (context, request) = RequestContext::from_request(request)?;
        let key = request.document_key.into();
        respond(&context, Self::retry_clearance(self, &context, key).await)
    }
}
