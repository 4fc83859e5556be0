//! Tax authorities: their settings, and what they have answered about a document.

use invoicing_contract::messages::{authorities, documents};
use invoicing_contract::{Code, DocumentKey, FieldMask, FieldViolation, operation};

use super::write::FailedWrite;
use super::{Administration, from_wire::time};
use crate::form_paths;
use crate::gateway::CallContext;
use crate::views::{
    AuthorityMode, AuthorityProblem, AuthorityProblemKind, AuthoritySettings, AuthorityTest,
    AuthorityView, CommandError, CredentialsChange, InvoiceKind, SubmissionState, SubmissionView,
    Violation,
};

impl Administration {
    /// What the tax authority says about a document as it was issued last. `None`: it was not sent to one.
    pub(crate) async fn submission(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<Option<SubmissionView>, CommandError> {
        let request = documents::GetDocumentRequest {
            document_key: key.as_str().to_owned(),
        };
        let operation = &operation::GET_DOCUMENT;
        let called = self.gateway.call(context, operation, Some(key), &request);
        let document: documents::Document = called
            .await
            .map_err(|error| error.to_command_error(context, operation, self.clock.now()))?;
        let Some(authority) = document.authority else {
            return Ok(None);
        };
        let Some(state) = submission_state(authority.state()) else {
            return Ok(None);
        };
        let view = SubmissionView {
            state,
            messages: authority
                .messages
                .iter()
                .map(|text| message(text))
                .collect(),
            has_warnings: authority.has_warnings,
            next_attempt: None,
            problem: None,
        };
        let waits = matches!(
            state,
            SubmissionState::Pending | SubmissionState::Unanswered
        );
        if !waits {
            return Ok(Some(view));
        }
        let request = documents::GetSubmissionRequest {
            document_key: key.as_str().to_owned(),
            submission_id: authority.submission_id,
        };
        let attempts: documents::Submission = self
            .call(context, &operation::GET_SUBMISSION, &request)
            .await?;
        let latest = attempts.attempts.into_iter().next();
        let problem = latest.and_then(|attempt| {
            authority_problem(attempt.problem_code(), attempt.http_status, attempt.problem)
        });
        Ok(Some(SubmissionView {
            next_attempt: time(attempts.next_attempt),
            problem,
            ..view
        }))
    }

    /// Sends a document without an answer at once. It is sent in any case; this does not wait for the next attempt.
    pub(crate) async fn retry_submission(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<(), CommandError> {
        let request = documents::RetryClearanceRequest {
            document_key: key.as_str().to_owned(),
        };
        let sent: Result<documents::Submission, CommandError> = self
            .call(context, &operation::RETRY_CLEARANCE, &request)
            .await;
        sent.map(drop)
    }

    /// The tax authority of a tenant. `None`: it has none.
    pub(crate) async fn authority(
        &self,
        context: &CallContext,
        organization_id: String,
    ) -> Result<Option<AuthorityView>, CommandError> {
        let operation = &operation::GET_AUTHORITY;
        let request = authorities::GetAuthorityRequest { organization_id };
        match self.gateway.call(context, operation, None, &request).await {
            Ok(authority) => Ok(Some(view(authority))),
            Err(error) if error.code() == Some(Code::NotFound) => Ok(None),
            Err(error) => Err(error.to_command_error(context, operation, self.clock.now())),
        }
    }

    /// Gives a tenant a tax authority, or changes that of the state that was read. It is saved also if the answer to an attempt was lost:
    /// then these settings are there, with another stamp. Credentials are never read: a refusal of a new secret stays one, since the one
    /// that is there may be of somebody else. Without an answer only is compared whether there are any.
    pub(crate) async fn save_authority(
        &self,
        context: &CallContext,
        organization_id: String,
        stamp: Option<String>,
        settings: AuthoritySettings,
        credentials: CredentialsChange,
    ) -> Result<AuthorityView, CommandError> {
        let settings = AuthoritySettings {
            kinds: kinds_in_order(settings.kinds),
            ..settings
        };
        let authority = Some(to_wire(settings.clone()));
        let credentials = match credentials {
            CredentialsChange::Keep => None,
            CredentialsChange::Remove => Some(authorities::AuthorityCredentials::default()),
            CredentialsChange::Replace { username, secret } => {
                Some(authorities::AuthorityCredentials {
                    username,
                    secret: secret.into_text(),
                })
            }
        };
        let has_credentials = credentials.as_ref().map(|new| !new.secret.is_empty());
        let saved: Result<authorities::TaxAuthority, FailedWrite> = match &stamp {
            None => {
                let request = authorities::CreateAuthorityRequest {
                    organization_id: organization_id.clone(),
                    authority,
                    credentials,
                    ..Default::default()
                };
                self.write(context, &operation::CREATE_AUTHORITY, &request)
                    .await
            }
            Some(stamp) => {
                let fields = ["adapter", "endpoint", "mode", "kinds", "enabled"];
                let request = authorities::UpdateAuthorityRequest {
                    organization_id: organization_id.clone(),
                    concurrency_stamp: stamp.clone(),
                    authority,
                    update_mask: Some(FieldMask::of(fields)),
                    credentials,
                    ..Default::default()
                };
                self.write(context, &operation::UPDATE_AUTHORITY, &request)
                    .await
            }
        };
        let failed = match saved {
            Ok(saved) => return Ok(view(saved)),
            Err(failed) => failed,
        };
        let is_refused_secret = has_credentials == Some(true) && failed.is_conflict();
        if failed.may_be_done
            && !is_refused_secret
            && let Ok(Some(found)) = self.authority(context, organization_id).await
            && stamp.as_ref() != Some(&found.stamp)
            && found.settings == settings
            && has_credentials.is_none_or(|wanted| found.has_credentials == wanted)
        {
            return Ok(found);
        }
        Err(failed.into())
    }

    /// Connects to the authority of a tenant with the stored credentials. No document is sent.
    pub(crate) async fn test_authority(
        &self,
        context: &CallContext,
        organization_id: String,
    ) -> Result<AuthorityTest, CommandError> {
        let request = authorities::TestConnectionRequest { organization_id };
        let answer: authorities::TestConnectionResponse = self
            .call(context, &operation::TEST_CONNECTION, &request)
            .await?;
        Ok(AuthorityTest {
            reachable: answer.reachable,
            http_status: answer.http_status,
            problem: authority_problem(answer.problem_code(), answer.http_status, answer.problem),
        })
    }
}

/// A message of an authority. Authorities write `RULE: sentence`, or begin with the path of a field: then it is shown there.
fn message(text: &str) -> Violation {
    let (path, description) = match text.split_once(": ") {
        Some((path, rest)) if form_paths::content_path(path).is_some() => (path, rest),
        _ => ("", text),
    };
    let mut violation = form_paths::to_view(&FieldViolation::new(path, description));
    violation.field = form_paths::content_path(path)
        .or_else(|| form_paths::field_of_rule(&violation.rule).map(ToOwned::to_owned));
    violation
}

/// Why an authority has not answered; `None`: it has.
fn authority_problem(
    code: documents::AuthorityProblem,
    http_status: i32,
    description: String,
) -> Option<AuthorityProblem> {
    use documents::AuthorityProblem as Wire;
    if description.is_empty() {
        return None;
    }
    let kind = match code {
        Wire::Endpoint => AuthorityProblemKind::Endpoint,
        Wire::Service => AuthorityProblemKind::Service,
        Wire::CredentialsUnreadable => AuthorityProblemKind::CredentialsUnreadable,
        Wire::CredentialsRefused => AuthorityProblemKind::CredentialsRefused,
        Wire::NotConnected => AuthorityProblemKind::NotConnected,
        Wire::NoAnswer => AuthorityProblemKind::NoAnswer,
        Wire::ConnectionLost => AuthorityProblemKind::ConnectionLost,
        Wire::Status => AuthorityProblemKind::Status,
        Wire::NotADecision => AuthorityProblemKind::NotADecision,
        Wire::Unspecified => AuthorityProblemKind::Other,
    };
    Some(AuthorityProblem {
        kind,
        http_status,
        description,
    })
}

/// A state of a tax authority; `None`: there is none.
pub(crate) fn submission_state(state: documents::AuthorityState) -> Option<SubmissionState> {
    use documents::AuthorityState;
    match state {
        AuthorityState::Unspecified => None,
        AuthorityState::Pending => Some(SubmissionState::Pending),
        AuthorityState::Unknown => Some(SubmissionState::Unanswered),
        AuthorityState::Cleared => Some(SubmissionState::Cleared),
        AuthorityState::Reported => Some(SubmissionState::Reported),
        AuthorityState::Accepted => Some(SubmissionState::Accepted),
        AuthorityState::Rejected => Some(SubmissionState::Rejected),
    }
}

fn view(authority: authorities::TaxAuthority) -> AuthorityView {
    AuthorityView {
        settings: AuthoritySettings {
            mode: match authority.mode() {
                authorities::AuthorityMode::Reporting => AuthorityMode::Reporting,
                authorities::AuthorityMode::Clearance | authorities::AuthorityMode::Unspecified => {
                    AuthorityMode::Clearance
                }
            },
            kinds: authority.kinds().filter_map(kind_from_wire).collect(),
            adapter: authority.adapter,
            endpoint: authority.endpoint,
            enabled: authority.enabled,
        },
        has_credentials: authority.has_credentials,
        stamp: authority.concurrency_stamp,
    }
}

fn to_wire(settings: AuthoritySettings) -> authorities::TaxAuthority {
    let mode = match settings.mode {
        AuthorityMode::Clearance => authorities::AuthorityMode::Clearance,
        AuthorityMode::Reporting => authorities::AuthorityMode::Reporting,
    };
    authorities::TaxAuthority {
        adapter: settings.adapter,
        endpoint: settings.endpoint,
        mode: mode.into(),
        kinds: settings
            .kinds
            .into_iter()
            .map(|kind| documents::Kind::from(kind).into())
            .collect(),
        enabled: settings.enabled,
        ..Default::default()
    }
}

pub(super) fn kind_from_wire(kind: documents::Kind) -> Option<InvoiceKind> {
    match kind {
        documents::Kind::Unspecified => None,
        documents::Kind::Invoice => Some(InvoiceKind::Invoice),
        documents::Kind::CreditNote => Some(InvoiceKind::CreditNote),
        documents::Kind::DebitNote => Some(InvoiceKind::DebitNote),
    }
}

/// Kinds as the service stores them: in the order of the contract, each once.
pub(super) fn kinds_in_order(mut kinds: Vec<InvoiceKind>) -> Vec<InvoiceKind> {
    kinds.sort_by_key(|kind| i32::from(documents::Kind::from(*kind)));
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<String>, String, String) {
        let Violation {
            field,
            rule,
            description,
            ..
        } = message(text);
        (field, rule, description)
    }

    #[test]
    fn message_of_an_authority_is_at_the_field_that_its_path_or_its_rule_names() {
        let at = |field: &str| Some(field.to_owned());
        assert_eq!(
            read("lines[1].tax.rate: BR-S-05: the rate is not one of the country"),
            (
                at("lines[1].taxRate"),
                "BR-S-05".to_owned(),
                "the rate is not one of the country".to_owned()
            )
        );
        assert_eq!(
            read("BR-KSA-63: the address is not complete"),
            (
                at("buyer.street"),
                "BR-KSA-63".to_owned(),
                "the address is not complete".to_owned()
            )
        );
        let unplaced = "the certificate has expired";
        assert_eq!(read(unplaced), (None, String::new(), unplaced.to_owned()));
    }
}
