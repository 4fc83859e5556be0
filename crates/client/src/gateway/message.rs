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
            match message.missing_field() {
                Some(field) => Err(MalformedResponse::MissingField { field }),
                None => Ok(message),
            }
        });
        // A proxy or another server may have sent it (decision 0096).
        message.map_err(|source| response.unexpected(source))
    }
}

/// The message of a successful response.
pub(crate) trait ResponseMessage: DeserializeOwned + Send {
    /// The documents that the message holds.
    fn identities(&self) -> Vec<MessageIdentity<'_>>;

    /// A field that is absent, and without which the message is no answer of the service: any JSON object without known fields is a
    /// message with none.
    fn missing_field(&self) -> Option<&'static str> {
        None
    }
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

/// What identifies a document, or a version of it.
pub(crate) struct MessageIdentity<'a> {
    key: &'a str,
    /// `None` if the message has no such field.
    organization: Option<&'a str>,
    /// `None` if the message has no such field.
    stamp: Option<&'a str>,
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
    } else if found
        .organization
        .is_some_and(|organization| organization != expected.organization)
    {
        "organizationId"
    } else if found.stamp.is_some_and(str::is_empty) {
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
            organization: Some(&self.organization_id),
            stamp: Some(&self.concurrency_stamp),
        }]
    }
}

impl ResponseMessage for documents::Document {
    fn identities(&self) -> Vec<MessageIdentity<'_>> {
        vec![MessageIdentity {
            key: &self.document_key,
            organization: Some(&self.organization_id),
            stamp: Some(&self.concurrency_stamp),
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

impl ResponseMessage for payments::RecordPaymentResponse {
    fn identities(&self) -> Vec<MessageIdentity<'_>> {
        let recorded = self.payment.iter();
        recorded
            .map(|payment| MessageIdentity {
                key: &payment.document_key,
                organization: None,
                stamp: None,
            })
            .collect()
    }

    fn missing_field(&self) -> Option<&'static str> {
        let fields = [
            ("payment", self.payment.is_missing()),
            ("balance", self.balance.is_missing()),
        ];
        first_missing(&fields)
    }
}

/// A field that a message can lack.
trait Field {
    fn is_missing(&self) -> bool;
}

impl Field for String {
    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}

impl<T> Field for Option<T> {
    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

/// The name of the first field that is missing. Each name comes with whether its field is.
fn first_missing(fields: &[(&'static str, bool)]) -> Option<&'static str> {
    let missing = fields.iter().find(|(_, is_missing)| *is_missing);
    missing.map(|(field, _)| *field)
}

/// Messages of master data, reports and administration name no organization and no document's stamp. Each has the fields that the
/// service always fills; a list or a sum over nothing has none.
macro_rules! without_document {
    ($($message:ty $({ $($field:ident),+ $(,)? })?),* $(,)?) => {$(
        impl ResponseMessage for $message {
            fn identities(&self) -> Vec<MessageIdentity<'_>> {
                Vec::new()
            }

            $(
                fn missing_field(&self) -> Option<&'static str> {
                    first_missing(&[$((stringify!($field), self.$field.is_missing())),+])
                }
            )?
        }
    )*};
}

without_document!(
    documents::DeleteDocumentResponse,
    parties::ListPartiesResponse,
    parties::Party { party_key },
    items::ListItemsResponse,
    items::Item { item_key },
    items::LastPrice { document_key },
    payments::ListPaymentsResponse,
    reports::Ageing,
    reports::MonthlySums,
    reports::BuyerSums,
    reports::TaxSums,
    identity::User { user_id },
    identity::InviteUserResponse { user },
    identity::ListUsersResponse,
    identity::RevokeRoleResponse,
    identity::ResetPasswordResponse { password_code },
    identity::ListMachineUsersResponse,
    identity::CreateMachineUserResponse {
        machine_user,
        client_id,
        client_secret,
    },
    identity::ListApplicationsResponse,
    identity::RotateApplicationSecretResponse { client_secret },
    identity::ListPatsResponse,
    identity::MintPatResponse { pat, token },
    identity::Pat { pat_id },
    rules::RuleSet { version },
    rules::CheckRulesResponse,
    rules::ListRuleVersionsResponse,
    permissions::CallerPermissions,
    plans::TenantPlan { organization_id },
    plans::ListPlansResponse,
    plans::Plan { plan_id },
    plans::DeletePlanResponse,
    identity::Tenant { organization_id },
    identity::ListTenantsResponse,
    identity::ListCallerOrganizationsResponse,
    identity::CreateTenantResponse {
        tenant,
        client_id,
        client_secret,
    },
    identity::TenantHistory,
    identity::SetTenantLimitsResponse { limits },
    identity::ImpersonateResponse { access_token },
    audit::ListAuditEventsResponse,
    authorities::TaxAuthority { organization_id },
    authorities::TestConnectionResponse,
    documents::Submission { id },
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
