//! What fields of requests may hold: the most values and characters, from the options `(invoicing.max_items)`,
//! `(invoicing.max_characters)` and `(invoicing.max_bytes)` of the .proto files, and no U+0000 in a text.

use std::fmt;

use crate::field_mask::FieldMask;
use crate::{FieldViolation, Status};

/// The rule of a field with too many values. The library `invoice` has the same rule for the lists that it checks.
const TOO_MANY: &str = "INV-TOO-MANY";
/// The rule of a text that is too long, or has U+0000. The library `invoice` has the same rule with lower limits.
const TEXT: &str = "INV-TEXT";
/// The rule of bytes that are too many.
const TOO_LARGE: &str = "INV-TOO-LARGE";

/// A message of a request.
pub trait RequestLimits {
    /// Adds a violation for each repeated field and each text above its limit, and each text with U+0000, at any depth. `path` is
    /// that of this message in the request.
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
            path.item("paths", index)
                .check_text(text, MAX_MASK_PATH_CHARACTERS, found);
        }
    }
}

/// Checks the repeated fields and the texts of a request (decision 0089).
///
/// # Errors
/// INVALID_ARGUMENT with the path of each field above its limit, and of each text with U+0000.
pub fn check_request_limits(request: &impl RequestLimits) -> Result<(), Status> {
    let mut found = Vec::new();
    request.find_excess(&FieldPath::REQUEST, &mut found);
    if found.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{} fields of the request are outside their limits",
        found.len()
    );
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

    pub(crate) fn field(&self, field: &'static str) -> FieldPath<'_> {
        FieldPath {
            parent: Some(self),
            field,
            index: None,
        }
    }

    pub(crate) fn item(&self, field: &'static str, index: usize) -> FieldPath<'_> {
        FieldPath {
            parent: Some(self),
            field,
            index: Some(index),
        }
    }

    pub(crate) fn too_many(&self, max: usize) -> FieldViolation {
        too_many(self.to_string(), max)
    }

    fn too_large(&self, max: usize) -> FieldViolation {
        let description = format!("{TOO_LARGE}: must have at most {max} bytes");
        FieldViolation::new(self.to_string(), description)
    }

    /// Adds a violation for the text of this path if it is too long, or has U+0000, which PostgreSQL cannot store.
    fn check_text(&self, text: &str, max: usize, found: &mut Vec<FieldViolation>) {
        let description = if is_longer(text, max) {
            format!("{TEXT}: must have at most {max} characters")
        } else if text.contains('\0') {
            format!("{TEXT}: must not contain U+0000")
        } else {
            return;
        };
        found.push(FieldViolation::new(self.to_string(), description));
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
    use prost::Message as _;
    use prost_reflect::{
        DynamicMessage, ExtensionDescriptor, Kind, MessageDescriptor, MethodDescriptor, Value,
    };

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
    fn text_with_u_0000_is_refused_in_every_field_of_every_request() {
        let pool = crate::descriptor_pool();
        let output = pool
            .get_extension_by_name("invoicing.output")
            .expect("the option exists");
        let methods: Vec<_> = pool
            .services()
            .flat_map(|service| service.methods().collect::<Vec<_>>())
            .collect();
        let mut checked = 0;
        for request in methods.iter().map(MethodDescriptor::input) {
            for (path, message) in messages_with_text(&request, &output, "\0") {
                let found = find_in(request.full_name(), &message.encode_to_vec());
                let found: Vec<_> = found
                    .iter()
                    .map(|violation| (&*violation.field, &*violation.description))
                    .collect();
                let expected = (&*path, "INV-TEXT: must not contain U+0000");
                assert_eq!(found, [expected], "{}", request.full_name());
                checked += 1;
            }
        }
        assert!(checked > 300, "{checked} texts are in requests");
    }

    /// For each text of a message, at any depth, its path and the message with nothing but `text` in it. Outputs are left out: a
    /// request with one is refused.
    fn messages_with_text(
        descriptor: &MessageDescriptor,
        output: &ExtensionDescriptor,
        text: &str,
    ) -> Vec<(String, DynamicMessage)> {
        let mut all = Vec::new();
        for field in descriptor.fields() {
            if *field.options().get_extension(output) == Value::Bool(true) {
                continue;
            }
            let inner = if let Kind::Message(inner) = field.kind() {
                messages_with_text(&inner, output, text)
                    .into_iter()
                    .map(|(path, message)| (format!(".{path}"), Value::Message(message)))
                    .collect()
            } else if field.kind() == Kind::String {
                vec![(String::new(), Value::String(text.to_owned()))]
            } else {
                continue;
            };
            for (path, value) in inner {
                let (index, value) = if field.is_list() {
                    ("[0]", Value::List(vec![value]))
                } else {
                    ("", value)
                };
                let mut message = DynamicMessage::new(descriptor.clone());
                message.set_field(&field, value);
                all.push((format!("{}{index}{path}", field.json_name()), message));
            }
        }
        all
    }

    #[test]
    fn field_of_a_response_has_no_limit() {
        assert_eq!(
            max_items("invoicing.documents.v2.DocumentHistory.revisions"),
            None
        );
    }
}
