//! The examples of the error responses of the OpenAPI document: errors as the code makes them, so that no example differs from what
//! an operation answers (decision 0128).

use std::collections::BTreeMap;
use std::time::Duration;

use http::StatusCode;
use invoice::Currency;
use invoice::xml::{ReadError, WriteError};
use invoicing_contract::{FieldViolation, OrganizationId, Status, operation};
use invoicing_http::missing_stamp;
use invoicing_storage::StorageError;
use invoicing_storage::master_data::MasterDataKind;
use invoicing_storage::payments::Receivable;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::body::MAX_BODY_BYTES;
use crate::clearance::AuthorityError;
use crate::documents::{DocumentError, PdfError};
use crate::gateway_error::GatewayError;
use crate::master_data::MasterDataError;
use crate::payments::PaymentError;
use crate::plans::PlanError;
use crate::rules::{Finding, FindingKind, RulesError};

/// A number, BT-1.
const NUMBER: &str = "INV-2026-0001";

/// The examples of each HTTP status, by name: of this crate, and `others`. The name is the reason of the error, or its code where it
/// has no reason.
pub(super) fn by_status(others: &[Status]) -> BTreeMap<StatusCode, Map<String, Value>> {
    let mut examples: BTreeMap<_, Map<_, _>> = BTreeMap::new();
    let others = others.iter().cloned().map(GatewayError::from);
    // The errors of this crate last: of two with one name they are the examples.
    for error in others.chain(errors()) {
        if let Some((http, status)) = error.rest_status() {
            let name = status.reason().unwrap_or_else(|| status.code.name());
            examples
                .entry(http)
                .or_default()
                .insert(lower_camel_case(name), json!({"value": status}));
        }
    }
    examples
}

/// `documentNotFound` of `DOCUMENT_NOT_FOUND`.
fn lower_camel_case(name: &str) -> String {
    let mut words = name.split('_').map(str::to_lowercase);
    let first = words.next().unwrap_or_default();
    words.fold(first, |joined, word| {
        let (head, rest) = word.split_at(word.len().min(1));
        format!("{joined}{}{rest}", head.to_uppercase())
    })
}

fn violation(field: &str, description: &str) -> Vec<FieldViolation> {
    vec![FieldViolation::new(field, description)]
}

fn errors() -> Vec<GatewayError> {
    let organization = OrganizationId::from("274893001");
    let mut errors = vec![
        GatewayError::PermissionDenied,
        GatewayError::Unauthenticated,
        GatewayError::malformed_body(violation(
            "changes.contents",
            "is not a field of this request",
        )),
        GatewayError::unknown_path(),
        GatewayError::method_not_allowed(&["GET"]),
        GatewayError::body_too_slow(),
        GatewayError::body_too_large(MAX_BODY_BYTES),
        GatewayError::unsupported_content_type(),
        GatewayError::rate_limit(&organization, 1_200, Duration::from_millis(1_500)),
        GatewayError::address_limit(Duration::from_millis(1_200)),
        GatewayError::no_room_for_body(),
    ];
    let statuses = document_errors(organization)
        .into_iter()
        .map(Status::from)
        .chain(master_data_errors().into_iter().map(Status::from))
        .chain(payment_errors().into_iter().map(Status::from))
        .chain(rules_errors().into_iter().map(Status::from))
        .chain(operator_errors());
    errors.extend(statuses.map(GatewayError::from));
    errors
}

fn document_errors(organization: OrganizationId) -> Vec<DocumentError> {
    let number = || NUMBER.to_owned();
    vec![
        DocumentError::InvalidInvoice(violation(
            "changes.content.invoice.lines",
            "BR-16: an invoice has at least one line",
        )),
        DocumentError::InvalidRequest(missing_stamp("", "state").into_iter().collect()),
        DocumentError::NotFound,
        DocumentError::KeyExists,
        DocumentError::StampMismatch,
        DocumentError::Frozen {
            number: number(),
            frozen_at: jiff::Timestamp::from_second(1_772_357_400).ok(),
            frozen_by: "Noura".to_owned(),
        },
        DocumentError::NotIssued,
        DocumentError::AlreadyIssued { number: number() },
        DocumentError::PlanLimit {
            organization,
            limit: 100,
            wait: Duration::from_secs(3_600),
        },
        DocumentError::AttachmentNotFound,
        DocumentError::AttachmentExists,
        DocumentError::TooManyAttachments { most: 10 },
        DocumentError::UnreadableFile(ReadError::Doctype { position: 39 }),
        DocumentError::NotWritable(WriteError::Character {
            element: "cbc:Note",
            character: '\u{1}',
        }),
        DocumentError::NotSealable(WriteError::TypeCode {
            type_code: "381".to_owned(),
        }),
        DocumentError::Pdf(PdfError::QueueFull),
        DocumentError::UblQueueFull,
        DocumentError::CheckQueueFull,
        DocumentError::ExportBusy,
        DocumentError::ExportTimeout,
        DocumentError::ExportTooLarge {
            rows: 2_000_000,
            most: 1_048_575,
        },
        DocumentError::TaxAuthorityUnavailable {
            number: number(),
            state: "unknown",
        },
        DocumentError::AwaitingAuthority {
            number: number(),
            state: "pending",
        },
        DocumentError::NotAwaitingAuthority { number: number() },
        DocumentError::SubmissionNotFound,
        DocumentError::Storage(StorageError::Busy),
        DocumentError::Storage(StorageError::in_doubt("an example")),
        DocumentError::Storage(StorageError::unexpected("an example")),
    ]
}

fn master_data_errors() -> Vec<MasterDataError> {
    let of_kind = |kind| {
        [
            MasterDataError::NotFound(kind),
            MasterDataError::KeyExists(kind),
            MasterDataError::IdentifierTaken {
                kind,
                key: Uuid::from_u128(0x0190_a6c2_7d1e_7f00_a111_0000_0000_0001),
            },
        ]
    };
    let mut errors = vec![
        MasterDataError::NoBuyer,
        MasterDataError::NoLine,
        MasterDataError::NoPrice,
    ];
    errors.extend(of_kind(MasterDataKind::Party));
    errors.extend(of_kind(MasterDataKind::Item));
    errors
}

fn payment_errors() -> Vec<PaymentError> {
    vec![
        PaymentError::NotFound,
        PaymentError::KeyExists,
        PaymentError::AboveOpen(Receivable {
            currency: Currency::SAUDI_RIYAL,
            due_on: "2026-03-31".to_owned(),
            payable: 11_500,
            paid: 10_000,
            credited: 0,
        }),
        PaymentError::AlreadyVoided,
        PaymentError::IsVoid,
        PaymentError::NoReceivable,
    ]
}

fn rules_errors() -> Vec<RulesError> {
    vec![
        RulesError::Invalid(violation(
            "text",
            "line 3: there is no role \"clerks\" that anybody has",
        )),
        RulesError::NotFound { number: 7 },
        RulesError::Refused(vec![Finding {
            kind: FindingKind::PublisherLockedOut,
            organizations: Vec::new(),
            scopes: vec![operation::PUBLISH_RULES.scope.to_owned()],
        }]),
        RulesError::DirectoryBusy,
    ]
}

/// Errors of operations on the platform.
fn operator_errors() -> Vec<Status> {
    vec![
        PlanError::NotFound.into(),
        PlanError::TenantNotFound.into(),
        PlanError::Exists.into(),
        PlanError::InUse.into(),
        AuthorityError::NotFound.into(),
        AuthorityError::Exists.into(),
        AuthorityError::NoEncryptionKey.into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_an_example_with_a_name_of_its_own() {
        let reasons = errors()
            .iter()
            .filter_map(GatewayError::rest_status)
            .count();
        let names = by_status(&[]).values().map(Map::len).sum::<usize>();
        assert_eq!(names, reasons);
    }
}
