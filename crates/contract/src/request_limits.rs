//! The most values of the repeated fields of requests, and the most characters of their texts, from the options
//! `(invoicing.max_items)`, `(invoicing.max_characters)` and `(invoicing.max_bytes)` of the .proto files.

use std::fmt;

use crate::field_mask::FieldMask;
use crate::{FieldViolation, Status};

/// The rule of a field with too many values. The library `invoice` has the same rule for the lists that it checks.
const TOO_MANY: &str = "INV-TOO-MANY";
/// The rule of a text that is too long. The library `invoice` has the same rule with lower limits.
const LONG_TEXT: &str = "INV-TEXT";
/// The rule of bytes that are too many.
const TOO_LARGE: &str = "INV-TOO-LARGE";
/// Most violations in a Status. Over gRPC they are in a header, whose size clients limit.
const MAX_VIOLATIONS: usize = 100;

/// A message of a request.
pub trait RequestLimits {
    /// Adds a violation for each repeated field and each text above its limit, at any depth. `path` is that of this message in
    /// the request.
    fn find_excess(&self, path: &FieldPath<'_>, found: &mut Vec<FieldViolation>);
}

/// Paths of a field mask, and characters of each: more than any record has.
const MAX_MASK_PATHS: usize = 200;
const MAX_MASK_PATH_CHARACTERS: usize = 500;

impl RequestLimits for FieldMask {
    fn find_excess(&self, path: &FieldPath<'_>, found: &mut Vec<FieldViolation>) {
        if self.paths.len() > MAX_MASK_PATHS {
            found.push(path.field("paths").too_many(MAX_MASK_PATHS));
            return;
        }
        for (index, text) in self.paths.iter().enumerate() {
            if is_longer(text, MAX_MASK_PATH_CHARACTERS) {
                found.push(
                    path.item("paths", index)
                        .long_text(MAX_MASK_PATH_CHARACTERS),
                );
            }
        }
    }
}

/// Checks the repeated fields and the texts of a request (decision 0089).
///
/// # Errors
/// INVALID_ARGUMENT with the path of each field above its limit.
pub fn check_request_limits(request: &impl RequestLimits) -> Result<(), Status> {
    let mut found = Vec::new();
    request.find_excess(&FieldPath::REQUEST, &mut found);
    if found.is_empty() {
        return Ok(());
    }
    found.truncate(MAX_VIOLATIONS);
    let message = format!("{} fields of the request are too large", found.len());
    Err(Status::invalid("INVALID_REQUEST", message, found))
}

/// The violation of a repeated field at `path` with more than `max` values.
#[must_use]
pub fn too_many(path: impl Into<String>, max: usize) -> FieldViolation {
    FieldViolation::new(path, format!("{TOO_MANY}: must have at most {max} values"))
}

/// The path of a message in a request. It is written as text only if a violation needs it.
#[derive(Debug, Clone, Copy)]
pub struct FieldPath<'parent> {
    parent: Option<&'parent Self>,
    field: &'static str,
    index: Option<usize>,
}

impl FieldPath<'_> {
    /// The path of the request itself.
    pub const REQUEST: Self = FieldPath {
        parent: None,
        field: "",
        index: None,
    };

    fn field(&self, field: &'static str) -> FieldPath<'_> {
        FieldPath {
            parent: Some(self),
            field,
            index: None,
        }
    }

    fn item(&self, field: &'static str, index: usize) -> FieldPath<'_> {
        FieldPath {
            parent: Some(self),
            field,
            index: Some(index),
        }
    }

    fn too_many(&self, max: usize) -> FieldViolation {
        too_many(self.to_string(), max)
    }

    fn too_large(&self, max: usize) -> FieldViolation {
        let description = format!("{TOO_LARGE}: must have at most {max} bytes");
        FieldViolation::new(self.to_string(), description)
    }

    fn long_text(&self, max: usize) -> FieldViolation {
        let description = format!("{LONG_TEXT}: must have at most {max} characters");
        FieldViolation::new(self.to_string(), description)
    }
}

/// In the names of the JSON form, as `invoice.lines[3].attributes`.
impl fmt::Display for FieldPath<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(formatter)?;
            if parent.parent.is_some() {
                formatter.write_str(".")?;
            }
        }
        formatter.write_str(self.field)?;
        match self.index {
            Some(index) => write!(formatter, "[{index}]"),
            None => Ok(()),
        }
    }
}

/// Whether a text has more characters (Unicode scalar values).
fn is_longer(text: &str, max: usize) -> bool {
    text.len() > max && text.chars().count() > max
}

include!(concat!(env!("OUT_DIR"), "/request_limits.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;
    use crate::messages::documents::{
        CreateDocumentRequest, DocumentChanges, DocumentContent, Filter, Identifier, Invoice,
        ItemAttribute, Line, ListDocumentsRequest, Party, UpdateDocumentRequest,
    };

    fn violations(request: &impl RequestLimits) -> Vec<String> {
        let status = check_request_limits(request).expect_err("too many values");
        assert_eq!(status.code, Code::InvalidArgument);
        status
            .violations()
            .map(|violation| violation.field.clone())
            .collect()
    }

    #[test]
    fn as_many_values_as_the_limit_are_accepted_and_one_more_is_reported() {
        let request = |count| ListDocumentsRequest {
            filter: Some(Filter {
                status: vec![1; count],
                ..Filter::default()
            }),
            ..ListDocumentsRequest::default()
        };
        let max = max_items("invoicing.documents.v2.Filter.status").expect("a limit");
        assert!(check_request_limits(&request(max)).is_ok());
        assert_eq!(violations(&request(max + 1)), ["filter.status"]);
        assert_eq!(violations(&request(40_000)), ["filter.status"]);
    }

    #[test]
    fn field_mask_has_limits_of_its_own() {
        let request = |paths: Vec<String>| UpdateDocumentRequest {
            update_mask: Some(FieldMask { paths }),
            ..UpdateDocumentRequest::default()
        };
        assert!(check_request_limits(&request(vec!["note".to_owned(); 200])).is_ok());
        assert_eq!(
            violations(&request(vec!["note".to_owned(); 201])),
            ["updateMask.paths"]
        );
        assert_eq!(
            violations(&request(vec!["a".repeat(501)])),
            ["updateMask.paths[0]"]
        );
    }

    #[test]
    fn path_names_the_fields_and_items_above_the_list() {
        let invoice = Invoice {
            buyer: Some(Party {
                other_ids: vec![Identifier::default(); 101],
                ..Party::default()
            }),
            lines: vec![
                Line::default(),
                Line {
                    attributes: vec![ItemAttribute::default(); 101],
                    ..Line::default()
                },
            ],
            ..Invoice::default()
        };
        let request = CreateDocumentRequest {
            changes: Some(DocumentChanges {
                content: Some(DocumentContent {
                    invoice: Some(invoice),
                }),
            }),
            ..CreateDocumentRequest::default()
        };
        assert_eq!(
            violations(&request),
            [
                "changes.content.invoice.buyer.otherIds",
                "changes.content.invoice.lines[1].attributes"
            ]
        );
    }

    #[test]
    fn text_is_measured_in_characters() {
        let request = |buyer: String| ListDocumentsRequest {
            filter: Some(Filter {
                buyer,
                ..Filter::default()
            }),
            ..ListDocumentsRequest::default()
        };
        assert!(check_request_limits(&request("ش".repeat(10_000))).is_ok());
        assert_eq!(violations(&request("ش".repeat(10_001))), ["filter.buyer"]);
    }

    #[test]
    fn field_of_a_response_has_no_limit() {
        assert_eq!(
            max_items("invoicing.documents.v2.DocumentHistory.revisions"),
            None
        );
    }
}
