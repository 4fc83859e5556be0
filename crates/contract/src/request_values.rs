//! The most values of a whole request, which are counted in its bytes: decoded, a message can take hundreds of times as much memory.

use prost::DecodeError;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use crate::request_limits::{FieldPath, too_many};
use crate::{FieldViolation, Status};

/// Most values of a request, at any depth: messages, texts, numbers, and each item of a list. An invoice with the most lines, which
/// are 10,000, may have 25 values in each of them (decision 0164).
pub const MAX_REQUEST_VALUES: usize = 250_000;

/// A message that is a request or an answer of an operation.
pub trait RequestValues {
    /// What of it can contain other values; `None` for an answer, whose values are not counted.
    const SHAPE: Option<&'static MessageShape>;
}

/// The fields of a message that contain other values.
#[derive(Debug)]
pub struct MessageShape {
    nested: &'static [NestedField],
    /// The numbers of lists of numbers, several of which can be one record.
    packed: &'static [u32],
}

/// A field that holds a message.
#[derive(Debug)]
struct NestedField {
    number: u32,
    /// In JSON.
    name: &'static str,
    /// The limit of a list; `None` for a single message.
    max_items: Option<usize>,
    shape: &'static MessageShape,
}

/// Why the bytes of a request are not decoded.
#[derive(Debug)]
pub enum RefusedRequest {
    /// They are no message.
    Malformed(DecodeError),
    /// A field is longer than the message that it is in.
    Truncated {
        /// Its number.
        field: u32,
    },
    /// The request has more than [`MAX_REQUEST_VALUES`].
    TooManyValues,
    /// A list has more items than its limit, or a message is given twice.
    Field(FieldViolation),
}

impl From<DecodeError> for RefusedRequest {
    fn from(error: DecodeError) -> Self {
        Self::Malformed(error)
    }
}

impl From<RefusedRequest> for tonic::Status {
    fn from(refused: RefusedRequest) -> Self {
        match refused {
            // As prost answers to what it cannot decode.
            RefusedRequest::Malformed(error) => Self::internal(error.to_string()),
            RefusedRequest::Truncated { field } => {
                Self::internal(format!("the field {field} is longer than the message"))
            }
            RefusedRequest::TooManyValues => too_many_values().into(),
            RefusedRequest::Field(violation) => refused_field(violation).into(),
        }
    }
}

/// INVALID_ARGUMENT for a request with more than [`MAX_REQUEST_VALUES`], over REST and gRPC.
#[must_use]
pub fn too_many_values() -> Status {
    refused_field(too_many("", MAX_REQUEST_VALUES))
}

fn refused_field(violation: FieldViolation) -> Status {
    Status::invalid(
        "INVALID_REQUEST",
        "the request has too many values",
        vec![violation],
    )
}

/// Counts the values of an encoded request, and checks the limits of its lists of messages (decision 0164). Bytes that it accepts
/// take a bounded amount of memory when they are decoded.
///
/// # Errors
/// [`RefusedRequest`]. Bytes that are no message are refused, too: a decoder may not notice before it has decoded the rest.
pub fn check_encoded(shape: &MessageShape, bytes: &[u8]) -> Result<(), RefusedRequest> {
    Counter { values: 0 }.check_message(shape, bytes, &FieldPath::REQUEST)
}

struct Counter {
    values: usize,
}

impl Counter {
    fn check_message(
        &mut self,
        shape: &MessageShape,
        mut bytes: &[u8],
        path: &FieldPath<'_>,
    ) -> Result<(), RefusedRequest> {
        // How often each nested field is there.
        let mut counts = vec![0_usize; shape.nested.len()];
        while !bytes.is_empty() {
            self.add(1)?;
            let (number, wire_type) = decode_key(&mut bytes)?;
            if wire_type != WireType::LengthDelimited {
                skip_field(wire_type, number, &mut bytes, DecodeContext::default())?;
                continue;
            }
            let length = usize::try_from(decode_varint(&mut bytes)?).ok();
            let split = length.and_then(|length| bytes.split_at_checked(length));
            let (value, rest) = split.ok_or(RefusedRequest::Truncated { field: number })?;
            bytes = rest;
            let mut nested = shape.nested.iter().zip(&mut counts);
            if let Some((field, count)) = nested.find(|(field, _)| field.number == number) {
                let inner = field.path_of_next(*count, path)?;
                *count += 1;
                self.check_message(field.shape, value, &inner)?;
            } else if shape.packed.contains(&number) {
                // The last byte of each number has no continuation bit.
                self.add(value.iter().filter(|byte| **byte < 0x80).count())?;
            }
        }
        Ok(())
    }

    fn add(&mut self, values: usize) -> Result<(), RefusedRequest> {
        self.values += values;
        if self.values > MAX_REQUEST_VALUES {
            return Err(RefusedRequest::TooManyValues);
        }
        Ok(())
    }
}

impl NestedField {
    /// The path of one more message of the field, which has `count` already.
    fn path_of_next<'parent>(
        &self,
        count: usize,
        parent: &'parent FieldPath<'parent>,
    ) -> Result<FieldPath<'parent>, RefusedRequest> {
        match self.max_items {
            Some(max) if count >= max => {
                Err(RefusedRequest::Field(parent.field(self.name).too_many(max)))
            }
            Some(_) => Ok(parent.item(self.name, count)),
            // A decoder joins them, and with them lists that are within their limits.
            None if count > 0 => Err(RefusedRequest::Field(FieldViolation::new(
                parent.field(self.name).to_string(),
                "is given twice",
            ))),
            None => Ok(parent.field(self.name)),
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/request_values.rs"));

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use prost::Message;
    use prost::encoding::encode_varint;

    use super::*;
    use crate::messages::documents::{
        AllowanceCharge, CreateDocumentRequest, Document, DocumentChanges, DocumentContent, Filter,
        Invoice, Line, ListDocumentsRequest, Party, TaxSubtotal,
    };

    fn request(invoice: Invoice) -> CreateDocumentRequest {
        CreateDocumentRequest {
            changes: Some(DocumentChanges {
                content: Some(DocumentContent {
                    invoice: Some(invoice),
                }),
            }),
            ..CreateDocumentRequest::default()
        }
    }

    fn with_lines(lines: usize, allowances_of_each: usize) -> CreateDocumentRequest {
        let line = Line {
            allowances_charges: vec![AllowanceCharge::default(); allowances_of_each],
            ..Line::default()
        };
        request(Invoice {
            lines: vec![line; lines],
            ..Invoice::default()
        })
    }

    fn check<Request: Message + RequestValues>(request: &Request) -> Result<(), RefusedRequest> {
        let shape = Request::SHAPE.expect("the message is a request");
        check_encoded(shape, &request.encode_to_vec())
    }

    /// The path of the violation that a request has.
    fn violation(refused: Result<(), RefusedRequest>) -> (String, String) {
        let status: tonic::Status = refused.expect_err("the request is refused").into();
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
        let status = Status::from(&status);
        assert_eq!(status.reason(), Some("INVALID_REQUEST"));
        let mut violations = status.violations();
        let one = violations.next().expect("a violation").clone();
        assert!(violations.next().is_none());
        (one.field, one.description)
    }

    #[test]
    fn values_are_counted_at_every_depth() {
        // Changes, content and invoice are three, and a line with 24 allowances 25.
        let most = (MAX_REQUEST_VALUES - 3) / 25;
        assert!(check(&with_lines(most, 24)).is_ok());
        let (field, description) = violation(check(&with_lines(most + 1, 24)));
        assert_eq!(field, "");
        assert_eq!(description, "INV-TOO-MANY: must have at most 250000 values");
        assert!(check(&with_lines(10_000, 0)).is_ok());
        assert!(check(&with_lines(1_000, 100)).is_ok());
    }

    #[test]
    fn list_of_messages_has_its_limit_with_its_path() {
        let (field, description) = violation(check(&with_lines(10_001, 0)));
        assert_eq!(field, "changes.content.invoice.lines");
        assert_eq!(description, "INV-TOO-MANY: must have at most 10000 values");
        let (field, _) = violation(check(&with_lines(2, 101)));
        assert_eq!(field, "changes.content.invoice.lines[0].allowancesCharges");
    }

    #[test]
    fn list_that_is_an_output_is_counted_only() {
        let outputs = |count| {
            request(Invoice {
                tax_breakdown: vec![TaxSubtotal::default(); count],
                ..Invoice::default()
            })
        };
        assert!(check(&outputs(20_000)).is_ok());
        assert_eq!(violation(check(&outputs(MAX_REQUEST_VALUES))).0, "");
    }

    #[test]
    fn numbers_count_each_in_records_of_their_own_and_in_one() {
        let separate = |count| ListDocumentsRequest {
            filter: Some(Filter {
                status: vec![1; count],
                ..Filter::default()
            }),
            ..ListDocumentsRequest::default()
        };
        // The filter is one more. The limit of the list is checked when it is decoded.
        let most = MAX_REQUEST_VALUES - 1;
        assert!(check(&separate(most)).is_ok());
        assert_eq!(violation(check(&separate(most + 1))).0, "");
        let record = |value: &[u8]| {
            let mut bytes = vec![0x0a];
            encode_varint(value.len() as u64, &mut bytes);
            bytes.extend_from_slice(value);
            bytes
        };
        let packed = |count| {
            let numbers = [0x81, 0x00].repeat(count);
            let shape = ListDocumentsRequest::SHAPE.expect("a request");
            check_encoded(shape, &record(&record(&numbers)))
        };
        // So is the record.
        assert!(packed(most - 1).is_ok());
        assert_eq!(violation(packed(most)).0, "");
    }

    #[test]
    fn message_that_is_given_twice_is_refused() {
        // A decoder would join them to one invoice with 20,000 lines.
        let mut bytes = with_lines(10_000, 0).encode_to_vec();
        bytes.extend(with_lines(10_000, 0).encode_to_vec());
        let shape = CreateDocumentRequest::SHAPE.expect("a request");
        let refused = check_encoded(shape, &bytes);
        assert_eq!(
            violation(refused),
            ("changes".to_owned(), "is given twice".to_owned())
        );
    }

    #[test]
    fn field_that_is_longer_than_its_message_is_refused() {
        // An invoice of two bytes, whose first field claims the bytes that follow the invoice. prost decodes them before it
        // notices.
        let lines = with_lines(10_000, 0);
        let mut bytes = vec![0x12, 0x06, 0x0a, 0x04, 0x0a, 0x02, 0x3a, 0x7f];
        bytes.extend(lines.encode_to_vec());
        let shape = CreateDocumentRequest::SHAPE.expect("a request");
        let refused = check_encoded(shape, &bytes);
        assert!(
            matches!(refused, Err(RefusedRequest::Truncated { .. })),
            "{refused:?}"
        );
        let status: tonic::Status = refused.expect_err("it is malformed").into();
        assert_eq!(status.code(), tonic::Code::Internal);
    }

    #[test]
    fn text_is_one_value() {
        let large = request(Invoice {
            // Would be records if the field were a message.
            note: "\u{12}\u{0}".repeat(MAX_REQUEST_VALUES + 1),
            ..Invoice::default()
        });
        assert!(check(&large).is_ok());
    }

    #[test]
    fn answer_is_not_counted() {
        assert!(Document::SHAPE.is_none());
    }

    proptest! {
        #[test]
        fn what_is_accepted_is_what_prost_decodes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let shape = CreateDocumentRequest::SHAPE.expect("a request");
            let checked = check_encoded(shape, &bytes);
            let decoded = CreateDocumentRequest::decode(bytes.as_slice());
            if matches!(checked, Err(RefusedRequest::Malformed(_) | RefusedRequest::Truncated { .. })) {
                prop_assert!(decoded.is_err(), "{checked:?}");
            }
        }

        #[test]
        fn encoded_request_within_the_limits_is_accepted(
            lines in 0_usize..20,
            allowances in 0_usize..100,
            ids in 0_usize..100,
        ) {
            let mut sent = with_lines(lines, allowances);
            let content = sent.changes.as_mut().and_then(|changes| changes.content.as_mut());
            let invoice = content.and_then(|content| content.invoice.as_mut()).expect("an invoice");
            invoice.buyer = Some(Party {
                other_ids: vec![Default::default(); ids],
                ..Party::default()
            });
            prop_assert!(check(&sent).is_ok());
        }
    }
}
