//! Errors of operations on parties and items, and the Status of each.

use invoicing_contract::{Code, FieldViolation, Status};
use invoicing_storage::StorageError;
use invoicing_storage::master_data::MasterDataKind;
use uuid::Uuid;

use crate::documents::DocumentError;
use crate::rpc_response::OperationError;

/// Why an operation was not done. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MasterDataError {
    /// Fields of the request are invalid.
    #[error("{} fields of the request are wrong", .0.len())]
    InvalidRequest(Vec<FieldViolation>),
    /// The organization has no record with the key.
    #[error("there is no such {}", name(*.0))]
    NotFound(MasterDataKind),
    /// The organization has a record with the key of the new one.
    #[error("{} with this key exists", name(*.0))]
    KeyExists(MasterDataKind),
    /// Another record has the tax id or the code.
    #[error("another {} has this {}", name(*kind), identifier_name(*kind))]
    IdentifierTaken {
        /// What it is.
        kind: MasterDataKind,
        /// The key of the other record.
        key: Uuid,
    },
    /// The record was written since the stamp was read.
    #[error("the record has changed since it was read")]
    StampMismatch,
    /// The document has no buyer that could be remembered.
    #[error("the document has no buyer")]
    NoBuyer,
    /// The document has no line with this id.
    #[error("the document has no such line")]
    NoLine,
    /// None of the buyer's latest documents has the item. Earlier ones are not searched (decision 0165).
    #[error(
        "none of this buyer's latest documents has the item: the last hundred, or fewer if they have more than 8 MiB"
    )]
    NoPrice,
    /// The document could not be read.
    #[error(transparent)]
    Document(DocumentError),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

const fn name(kind: MasterDataKind) -> &'static str {
    match kind {
        MasterDataKind::Party => "party",
        MasterDataKind::Item => "item",
    }
}

const fn identifier_name(kind: MasterDataKind) -> &'static str {
    match kind {
        MasterDataKind::Party => "tax id",
        MasterDataKind::Item => "code",
    }
}

impl OperationError for MasterDataError {
    fn storage_error(&self) -> Option<&StorageError> {
        if let Self::Document(error) = self {
            error.storage_error()
        } else if let Self::Storage(error) = self {
            Some(error)
        } else {
            None
        }
    }
}

impl From<FieldViolation> for MasterDataError {
    fn from(violation: FieldViolation) -> Self {
        Self::InvalidRequest(vec![violation])
    }
}

impl From<MasterDataError> for Status {
    fn from(error: MasterDataError) -> Self {
        let message = error.to_string();
        match error {
            MasterDataError::InvalidRequest(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations)
            }
            MasterDataError::NotFound(MasterDataKind::Party) => {
                Self::new(Code::NotFound, "PARTY_NOT_FOUND", message)
            }
            MasterDataError::NotFound(MasterDataKind::Item) => {
                Self::new(Code::NotFound, "ITEM_NOT_FOUND", message)
            }
            MasterDataError::KeyExists(MasterDataKind::Party) => {
                Self::new(Code::AlreadyExists, "PARTY_EXISTS", message)
            }
            MasterDataError::KeyExists(MasterDataKind::Item) => {
                Self::new(Code::AlreadyExists, "ITEM_EXISTS", message)
            }
            MasterDataError::IdentifierTaken {
                kind: MasterDataKind::Party,
                key,
            } => Self::new(Code::AlreadyExists, "PARTY_TAX_ID_EXISTS", message)
                .with_metadata("partyKey", key.to_string()),
            MasterDataError::IdentifierTaken {
                kind: MasterDataKind::Item,
                key,
            } => Self::new(Code::AlreadyExists, "ITEM_CODE_EXISTS", message)
                .with_metadata("itemKey", key.to_string()),
            MasterDataError::StampMismatch => Self::new(Code::Aborted, "STAMP_MISMATCH", message),
            MasterDataError::NoBuyer => {
                Self::new(Code::FailedPrecondition, "DOCUMENT_WITHOUT_BUYER", message)
            }
            MasterDataError::NoLine => Self::new(Code::NotFound, "LINE_NOT_FOUND", message),
            MasterDataError::NoPrice => Self::new(Code::NotFound, "PRICE_NOT_FOUND", message),
            MasterDataError::Document(error) => error.into(),
            MasterDataError::Storage(error) => Self::from(&error),
        }
    }
}
