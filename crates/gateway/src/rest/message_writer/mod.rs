//! Writes an encoded message as JSON by the proto3 JSON mapping, from its bytes: fields do not become values in between
//! (decision 0154).

mod layout;
mod records;
#[cfg(test)]
mod tests;

use std::io::Write as _;
use std::ops::{Range, RangeInclusive};
use std::str::Utf8Error;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use invoicing_contract::field_mask::FieldSelection;
use prost::{DecodeError, Message as _};
use prost_reflect::{DynamicMessage, MessageDescriptor, SerializeOptions};
use prost_types::Timestamp;
use thiserror::Error;

pub(super) use self::layout::UnsupportedField;
use self::layout::{FieldKind, FieldLayout, Layout, Layouts, ObjectLayout, Presence};
use self::records::{Record, RecordError, Value, read_records};

/// Seconds of the years 1 to 9999, in which a time in JSON is.
const SECONDS: RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
const NANOS: RangeInclusive<i32> = 0..=999_999_999;

/// Why bytes are not written as JSON.
#[derive(Debug, Error)]
pub(super) enum WriteError {
    #[error("the bytes are not the records of a message")]
    Records(#[from] RecordError),
    #[error("a message in the message cannot be decoded")]
    Message(#[source] DecodeError),
    #[error("a time is not in the years 1 to 9999")]
    TimeRange,
    #[error("a text is not UTF-8")]
    Text(#[from] Utf8Error),
    #[error("a text or a message cannot be written")]
    Json(#[from] serde_json::Error),
    #[error("a value cannot be written")]
    Write(#[from] std::io::Error),
    #[error("the field {0} has a value of another type")]
    Type(u32),
}

/// Writes the messages of one type.
pub(super) struct MessageWriter(Layouts);

impl MessageWriter {
    /// Reads what the descriptors say of a message, and of the messages in it.
    ///
    /// # Errors
    /// A field has a type that the contract does not use.
    pub(super) fn new(descriptor: &MessageDescriptor) -> Result<Self, UnsupportedField> {
        Layouts::new(descriptor).map(Self)
    }

    /// The object of a message that `prost` has encoded. Fields that are not there have their default; those that can be absent
    /// are left out, and those that `fields` does not have.
    ///
    /// # Errors
    /// The bytes are not of this message.
    pub(super) fn write(&self, encoded: &[u8], fields: Fields<'_>) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer {
            layouts: &self.0,
            // JSON has the names of the fields too.
            out: Vec::with_capacity(3 * encoded.len() + 256),
            records: Vec::new(),
        };
        writer.write_message(self.0.root(), encoded, fields)?;
        Ok(writer.out)
    }
}

/// Which fields of a message are written.
#[derive(Clone, Copy)]
pub(super) enum Fields<'selection> {
    All,
    /// All, but of the message in one field only some.
    Of(u32, &'selection FieldSelection),
    Some(&'selection FieldSelection),
}

impl Fields<'_> {
    /// Which fields are written of the message in a field; `None` if the field is not written.
    fn of(self, number: u32) -> Option<Self> {
        match self {
            Self::Of(field, fields) if field == number => Some(Self::Some(fields)),
            Self::All | Self::Of(..) => Some(Self::All),
            Self::Some(fields) => {
                let inner = fields.field(number)?;
                Some(inner.map_or(Self::All, Self::Some))
            }
        }
    }
}

struct Writer<'layouts, 'bytes> {
    layouts: &'layouts Layouts,
    out: Vec<u8>,
    /// The records of the message that is written, after those of the messages that it is in.
    records: Vec<Record<'bytes>>,
}

impl<'bytes> Writer<'_, 'bytes> {
    fn write_message(
        &mut self,
        layout: &Layout,
        bytes: &'bytes [u8],
        written_fields: Fields<'_>,
    ) -> Result<(), WriteError> {
        match layout {
            Layout::Time => self.write_time(bytes),
            Layout::Reflected(descriptor) => self.write_reflected(descriptor, bytes),
            Layout::Object(object) => {
                let begin = self.records.len();
                read_records(bytes, &object.fields, &mut self.records)?;
                let written = self.write_object(object, begin, written_fields);
                self.records.truncate(begin);
                written
            }
        }
    }

    /// The object whose records begin at `begin`, in the order of its fields.
    fn write_object(
        &mut self,
        object: &ObjectLayout,
        begin: usize,
        written: Fields<'_>,
    ) -> Result<(), WriteError> {
        let end = self.records.len();
        let brace = self.out.len();
        let (mut absent, mut next) = (0, begin);
        while next < end {
            let (first, index) = (next, self.records[next].field);
            while next < end && self.records[next].field == index {
                next += 1;
            }
            self.write_defaults(object, absent..index, written);
            absent = index + 1;
            let field = &object.fields[index];
            let Some(inner) = written.of(field.number) else {
                continue;
            };
            self.out.push(b',');
            self.out.extend_from_slice(field.member.as_bytes());
            match field.presence {
                Presence::List => self.write_list(field, first..next, inner)?,
                // The last value of a field counts.
                Presence::Implicit | Presence::Explicit => {
                    self.write_value(field, self.records[next - 1].value, inner)?;
                }
            }
        }
        self.write_defaults(object, absent..object.fields.len(), written);
        // Each member has a comma before it; there is none before the first.
        match self.out.get_mut(brace) {
            Some(comma) => *comma = b'{',
            None => self.out.push(b'{'),
        }
        self.out.push(b'}');
        Ok(())
    }

    /// Neighbouring fields that are not there: most of an invoice.
    fn write_defaults(&mut self, object: &ObjectLayout, absent: Range<usize>, written: Fields<'_>) {
        match written {
            Fields::All | Fields::Of(..) => {
                self.out
                    .extend_from_slice(object.defaults(absent).as_bytes());
            }
            Fields::Some(fields) => {
                for index in absent {
                    if fields.field(object.fields[index].number).is_some() {
                        let default = object.defaults(index..index + 1);
                        self.out.extend_from_slice(default.as_bytes());
                    }
                }
            }
        }
    }

    fn write_list(
        &mut self,
        field: &FieldLayout,
        records: Range<usize>,
        fields: Fields<'_>,
    ) -> Result<(), WriteError> {
        self.out.push(b'[');
        for at in records.clone() {
            if at > records.start {
                self.out.push(b',');
            }
            self.write_value(field, self.records[at].value, fields)?;
        }
        self.out.push(b']');
        Ok(())
    }

    fn write_value(
        &mut self,
        field: &FieldLayout,
        value: Value<'bytes>,
        fields: Fields<'_>,
    ) -> Result<(), WriteError> {
        match (&field.kind, value) {
            (FieldKind::String, Value::Bytes(bytes)) if is_plain(bytes) => {
                self.out.push(b'"');
                self.out.extend_from_slice(bytes);
                self.out.push(b'"');
            }
            (FieldKind::String, Value::Bytes(bytes)) => {
                let text = std::str::from_utf8(bytes)?;
                serde_json::to_writer(&mut self.out, text)?;
            }
            (FieldKind::Bytes, Value::Bytes(bytes)) => {
                write!(self.out, "\"{}\"", Base64Display::new(bytes, &STANDARD))?;
            }
            (FieldKind::Message(index), Value::Bytes(bytes)) => {
                let layouts = self.layouts;
                self.write_message(layouts.get(*index), bytes, fields)?;
            }
            (FieldKind::Bool, Value::Varint(number)) => {
                let text: &[u8] = if number == 0 { b"false" } else { b"true" };
                self.out.extend_from_slice(text);
            }
            (FieldKind::Int32, Value::Varint(number)) => write!(self.out, "{}", int32(number))?,
            // 64 bits are a text: not every reader has integers of that size.
            (FieldKind::Int64, Value::Varint(number)) => {
                write!(self.out, "\"{}\"", number.cast_signed())?;
            }
            (FieldKind::Enum(names), Value::Varint(number)) => {
                let number = int32(number);
                match names.iter().find(|(known, _)| *known == number) {
                    Some((_, name)) => self.out.extend_from_slice(name.as_bytes()),
                    None => write!(self.out, "{number}")?,
                }
            }
            (FieldKind::String | FieldKind::Bytes | FieldKind::Message(_), Value::Varint(_))
            | (
                FieldKind::Bool | FieldKind::Int32 | FieldKind::Int64 | FieldKind::Enum(_),
                Value::Bytes(_),
            ) => return Err(WriteError::Type(field.number)),
        }
        Ok(())
    }

    fn write_reflected(
        &mut self,
        descriptor: &MessageDescriptor,
        bytes: &[u8],
    ) -> Result<(), WriteError> {
        let message = DynamicMessage::decode(descriptor.clone(), bytes);
        let message = message.map_err(WriteError::Message)?;
        let mut serializer = serde_json::Serializer::new(&mut self.out);
        message.serialize_with_options(&mut serializer, &reflection_options())?;
        Ok(())
    }

    fn write_time(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let time = Timestamp::decode(bytes).map_err(WriteError::Message)?;
        if !SECONDS.contains(&time.seconds) || !NANOS.contains(&time.nanos) {
            return Err(WriteError::TimeRange);
        }
        write!(self.out, "\"{time}\"")?;
        Ok(())
    }
}

/// Whether a text is in ASCII and has nothing that JSON escapes. Most are keys, numbers and dates. Every byte is looked at, so that
/// the processor compares many at once.
fn is_plain(text: &[u8]) -> bool {
    text.iter().fold(true, |plain, byte| {
        plain & (b' '..=b'~').contains(byte) & (*byte != b'"') & (*byte != b'\\')
    })
}

/// Fields that are there with their default are written.
pub(super) fn reflection_options() -> SerializeOptions {
    SerializeOptions::new().skip_default_fields(false)
}

/// A number of 32 bits is encoded with its sign in 64 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the wire format drops the upper half"
)]
const fn int32(number: u64) -> i32 {
    number as i32
}
