//! The records of an encoded message: which field, and its value.

use prost::DecodeError;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use thiserror::Error;

use super::layout::FieldLayout;

/// Why bytes are not the records of a message.
#[derive(Debug, Error)]
pub(in crate::rest) enum RecordError {
    #[error("a record cannot be decoded")]
    Decode(#[from] DecodeError),
    #[error("the field {0} is longer than the message")]
    Truncated(u32),
    #[error("the field {0} is encoded as another type")]
    WireType(u32),
}

/// A value of a field.
#[derive(Clone, Copy)]
pub(super) struct Record<'bytes> {
    /// The index of the field.
    pub(super) field: usize,
    pub(super) value: Value<'bytes>,
}

#[derive(Clone, Copy)]
pub(super) enum Value<'bytes> {
    Varint(u64),
    Bytes(&'bytes [u8]),
}

/// Appends the records of a message in the order of its fields. Fields that are not known are skipped.
pub(super) fn read_records<'bytes>(
    mut bytes: &'bytes [u8],
    fields: &[FieldLayout],
    records: &mut Vec<Record<'bytes>>,
) -> Result<(), RecordError> {
    let begin = records.len();
    let mut expected = 0;
    while !bytes.is_empty() {
        let (number, wire_type) = decode_key(&mut bytes)?;
        let Some(field) = find(fields, number, expected) else {
            skip_field(wire_type, number, &mut bytes, DecodeContext::default())?;
            continue;
        };
        expected = field;
        let mut push = |value| records.push(Record { field, value });
        match wire_type {
            WireType::Varint => push(Value::Varint(decode_varint(&mut bytes)?)),
            WireType::LengthDelimited => {
                let length = usize::try_from(decode_varint(&mut bytes)?);
                let split = length
                    .ok()
                    .and_then(|length| bytes.split_at_checked(length));
                let (mut value, rest) = split.ok_or(RecordError::Truncated(number))?;
                bytes = rest;
                if fields[field].kind.is_varint() {
                    while !value.is_empty() {
                        push(Value::Varint(decode_varint(&mut value)?));
                    }
                } else {
                    push(Value::Bytes(value));
                }
            }
            WireType::SixtyFourBit
            | WireType::ThirtyTwoBit
            | WireType::StartGroup
            | WireType::EndGroup => return Err(RecordError::WireType(number)),
        }
    }
    // They are in this order already if `prost` has encoded the message.
    records[begin..].sort_by_key(|record| record.field);
    Ok(())
}

/// The index of a field. It is looked for from `expected` on first: records are in the order of the fields, so that it is one of the
/// next.
fn find(fields: &[FieldLayout], number: u32, expected: usize) -> Option<usize> {
    const NEAR: usize = 4;
    let near = fields.iter().enumerate().skip(expected).take(NEAR);
    let mut found = near.filter(|(_, field)| field.number == number);
    if let Some((index, _)) = found.next() {
        return Some(index);
    }
    fields
        .binary_search_by_key(&number, |field| field.number)
        .ok()
}
