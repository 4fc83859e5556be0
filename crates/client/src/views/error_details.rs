//! What an error says beside its kind: broken rules, names, and what support finds a request by.

use std::fmt;

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};
use specta::datatype::DataType;
use specta::{Type, Types};

/// A broken rule, at a field of the form.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// Path within [`InvoiceContent`](super::InvoiceContent), as `lines[2].taxRate`. `None`: the form has no such field.
    pub field: Option<String>,
    /// Path within the request, as `changes.content.invoice.lines[2].tax.rate`, or within the invoice if the client found
    /// it.
    pub path: String,
    /// The rule, as `BR-S-05`, or empty.
    pub rule: String,
    /// In English, for rules that the UI has no text for.
    pub description: String,
}

/// Without the description, which can quote what was typed.
impl fmt::Debug for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Violation")
            .field("field", &self.field)
            .field("path", &self.path)
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

/// The data by which support finds a request. The UI shows it under 'Details' and copies it with one button.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Support {
    /// Numeric gRPC code, if there was one.
    pub code: Option<u16>,
    /// HTTP status, if there was one.
    pub status: Option<u16>,
    /// The service's reason, as `DOCUMENT_FROZEN` (decision 0026), or empty.
    pub reason: String,
    /// The command, as `freeze_document`.
    pub operation: String,
    /// Organization id, or empty.
    pub organization: OrganizationId,
    /// RFC 3339
    pub time: String,
    /// x-correlation-id
    pub correlation_id: String,
    /// The server's message, never shown as the reason.
    pub message: String,
    /// Shortest delay before a retry, in seconds.
    pub retry_after: Option<u32>,
}

/// Without the message, which can quote what was typed.
impl fmt::Debug for Support {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Support")
            .field("code", &self.code)
            .field("status", &self.status)
            .field("reason", &self.reason)
            .field("operation", &self.operation)
            .field("organization", &self.organization)
            .field("time", &self.time)
            .field("correlation_id", &self.correlation_id)
            .field("retry_after", &self.retry_after)
            .finish_non_exhaustive()
    }
}

/// A name of a file or an account, which `Debug` does not show. For the UI it is text.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RedactedText(String);

impl From<String> for RedactedText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for RedactedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RedactedText")
    }
}

impl Type for RedactedText {
    fn definition(types: &mut Types) -> DataType {
        String::definition(types)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{AttachmentProblem, CommandError};

    #[test]
    fn error_in_a_log_names_rule_and_field_and_quotes_nothing_that_was_typed() {
        let error = CommandError::InvalidArgument {
            violations: vec![Violation {
                field: Some("buyer.taxId".to_owned()),
                path: "changes.content.invoice.buyer.taxId".to_owned(),
                rule: "BR-KSA-44".to_owned(),
                description: "\"canary\" is no VAT number".to_owned(),
            }],
            support: Box::new(Support {
                reason: "INVALID_INVOICE".to_owned(),
                correlation_id: "desk-1".to_owned(),
                message: "there is no \"canary\"".to_owned(),
                ..Support::default()
            }),
        };
        let logged = format!("{error:?}");
        for found in ["buyer.taxId", "BR-KSA-44", "INVALID_INVOICE", "desk-1"] {
            assert!(logged.contains(found), "{logged}");
        }
        assert!(!logged.contains("canary"), "{logged}");

        let error = CommandError::AttachmentRefused {
            file: "canary.pdf".to_owned().into(),
            problem: AttachmentProblem::TooLarge,
        };
        let logged = format!("{error:?}");
        assert!(logged.contains("TooLarge"), "{logged}");
        assert!(!logged.contains("canary"), "{logged}");
        let error = CommandError::OtherAccount {
            username: "canary@example.com".to_owned().into(),
        };
        let logged = format!("{error:?}");
        assert!(!logged.contains("canary"), "{logged}");
    }
}
