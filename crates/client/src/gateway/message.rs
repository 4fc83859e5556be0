//! The messages of successful responses, and the check that a message is about the document that was asked for.

use invoicing_contract::messages::{documents, simple};
use serde::de::DeserializeOwned;

use super::response::MalformedResponse;

/// The message of a successful response.
pub(crate) trait ResponseMessage: DeserializeOwned + Send {
    /// The document that the message is; `None` if it is a list.
    fn identity(&self) -> Option<MessageIdentity<'_>>;
}

/// What identifies a version of a document.
pub(crate) struct MessageIdentity<'a> {
    key: &'a str,
    organization: &'a str,
    stamp: &'a str,
}

/// The document that a call is about.
pub(super) struct ExpectedDocument<'a> {
    /// `None` if the call is not about one document.
    pub(super) key: Option<&'a str>,
    pub(super) organization: &'a str,
}

/// Fails unless a message is about the expected document and has a stamp, without which it is no stored version
/// (decision 0019).
pub(super) fn check(
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
    fn identity(&self) -> Option<MessageIdentity<'_>> {
        Some(MessageIdentity {
            key: &self.document_key,
            organization: &self.organization_id,
            stamp: &self.concurrency_stamp,
        })
    }
}

impl ResponseMessage for documents::Document {
    fn identity(&self) -> Option<MessageIdentity<'_>> {
        Some(MessageIdentity {
            key: &self.document_key,
            organization: &self.organization_id,
            stamp: &self.concurrency_stamp,
        })
    }
}

impl ResponseMessage for simple::ListInvoicesResponse {
    fn identity(&self) -> Option<MessageIdentity<'_>> {
        None
    }
}
