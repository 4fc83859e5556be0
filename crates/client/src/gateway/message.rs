//! The messages of successful responses, and the check that they are about what was asked for.

use invoicing_contract::Status;
use invoicing_contract::messages::{
    audit, authorities, documents, identity, items, parties, payments, permissions, plans, reports,
    rules, simple,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::response::{GatewayResponse, MalformedResponse};
use super::{GatewayError, JSON};

/// What a call returns: a message, or a file.
pub(crate) trait Answer: Send + Sized {
    /// The media type that is asked for.
    const ACCEPT: &'static str;

    /// Reads a response, or the error that it stands for.
    fn read(
        response: GatewayResponse,
        expected: &ExpectedDocument<'_>,
    ) -> Result<Self, GatewayError>;
}

impl<T: ResponseMessage> Answer for T {
    const ACCEPT: &'static str = JSON;

    fn read(
        response: GatewayResponse,
        expected: &ExpectedDocument<'_>,
    ) -> Result<Self, GatewayError> {
        let response = response.successful()?;
        let message = response.message::<T>().and_then(|message| {
            for found in message.identities() {
                check(&found, expected)?;
            }
            Ok(message)
        });
        // A proxy or another server may have sent it (decision 0096).
        message.map_err(|source| response.unexpected(source))
    }
}

/// The message of a successful response.
pub(crate) trait ResponseMessage: DeserializeOwned + Send {
    /// The documents that the message holds.
    fn identities(&self) -> Vec<MessageIdentity<'_>>;
}

/// The response to a batch. Over REST the error of an entry is a Status as in the body of a failed call (decision 0120).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BatchResponse {
    #[serde(default)]
    pub(crate) results: Vec<BatchResult>,
}

/// What became of one entry of a batch.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BatchResult {
    pub(crate) document_key: String,
    #[serde(default)]
    pub(crate) document: Option<documents::Document>,
    #[serde(default)]
    pub(crate) error: Option<Status>,
}

impl ResponseMessage for BatchResponse {
    fn identities(&self) -> Vec<MessageIdentity<'_>> {
        let documents = self.results.iter().filter_map(|it| it.document.as_ref());
        documents.flat_map(ResponseMessage::identities).collect()
    }
}

/// What identifies a version of a document.
pub(crate) struct MessageIdentity<'a> {
    key: &'a str,
    organization: &'a str,
    stamp: &'a str,
}

/// The document that a call is about.
pub(crate) struct ExpectedDocument<'a> {
    /// `None` if the call is not about one document.
    pub(super) key: Option<&'a str>,
    pub(super) organization: &'a str,
}

/// Fails unless a message is about the expected document and has a stamp, without which it is no stored version
/// (decision 0019).
fn check(
    found: &MessageIdentity<'_>,
    expected: &ExpectedDocument<'_>,
) -> Result<(), MalformedResponse> {
    let field = if expected.key.is_some_and(|key| key != found.key) {
        "documentKey"
    } else if expected.organization != found.organization {
        "organizationId"
    } else if found.stamp.is_empty() {
        "concurrencyStamp"
    } else {
        return Ok(());
    };
    Err(MalformedResponse::OtherDocument { field })
}

impl ResponseMessage for simple::Invoice {
    fn identities(&self) -> Vec<MessageIdentity<'_>> {
        vec![MessageIdentity {
            key: &self.document_key,
            organization: &self.organization_id,
            stamp: &self.concurrency_stamp,
        }]
    }
}

impl ResponseMessage for documents::Document {
    fn identities(&self) -> Vec<MessageIdentity<'_>> {
        vec![MessageIdentity {
            key: &self.document_key,
            organization: &self.organization_id,
            stamp: &self.concurrency_stamp,
        }]
    }
}

impl ResponseMessage for simple::ListInvoicesResponse {
    fn identities(&self) -> Vec<MessageIdentity<'_>> {
        self.items
            .iter()
            .flat_map(ResponseMessage::identities)
            .collect()
    }
}

/// Messages of master data, payments and reports name no organization and no document's stamp.
macro_rules! without_document {
    ($($message:ty),* $(,)?) => {$(
        impl ResponseMessage for $message {
            fn identities(&self) -> Vec<MessageIdentity<'_>> {
                Vec::new()
            }
        }
    )*};
}

without_document!(
    documents::DeleteDocumentResponse,
    parties::ListPartiesResponse,
    parties::Party,
    items::ListItemsResponse,
    items::Item,
    items::LastPrice,
    payments::ListPaymentsResponse,
    payments::RecordPaymentResponse,
    reports::Ageing,
    reports::MonthlySums,
    reports::BuyerSums,
    reports::TaxSums,
    identity::User,
    identity::InviteUserResponse,
    identity::ListUsersResponse,
    identity::RevokeRoleResponse,
    identity::ResetPasswordResponse,
    identity::ListMachineUsersResponse,
    identity::CreateMachineUserResponse,
    identity::ListPatsResponse,
    identity::MintPatResponse,
    identity::Pat,
    rules::RuleSet,
    rules::CheckRulesResponse,
    rules::ListRuleVersionsResponse,
    permissions::CallerPermissions,
    plans::TenantPlan,
    plans::ListPlansResponse,
    plans::Plan,
    plans::DeletePlanResponse,
    identity::Tenant,
    identity::ListTenantsResponse,
    identity::ListCallerOrganizationsResponse,
    identity::CreateTenantResponse,
    identity::TenantHistory,
    identity::SetTenantLimitsResponse,
    identity::ImpersonateResponse,
    audit::ListAuditEventsResponse,
    authorities::TaxAuthority,
    authorities::TestConnectionResponse,
    documents::Submission,
);

/// It names other documents of the organization by their keys alone.
impl ResponseMessage for documents::DocumentRelations {
    fn identities(&self) -> Vec<MessageIdentity<'_>> {
        Vec::new()
    }
}

impl ResponseMessage for documents::DocumentHistory {
    fn identities(&self) -> Vec<MessageIdentity<'_>> {
        let documents = self.revisions.iter().filter_map(|it| it.document.as_ref());
        documents.flat_map(ResponseMessage::identities).collect()
    }
}
