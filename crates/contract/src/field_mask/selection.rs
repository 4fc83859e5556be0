//! Which fields of a record an answer has (AIP-157).

use std::collections::BTreeMap;

use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_key, encode_varint, skip_field,
};
use prost::{DecodeError, Message, Name};
use prost_reflect::{FieldDescriptor, MessageDescriptor};

use super::FieldMask;
use super::apply::record_descriptor;
use super::paths::{MaskUse, read_paths};
use crate::FieldViolation;

const READ: MaskUse = MaskUse {
    field: "readMask",
    empty: "names no field; leave it out, or send *, to read all fields",
    repeated: "goes into a repeated field, which is read as a whole",
    refusal: |_| None,
};

/// The numbers of the fields that are read; of a message, all of its fields (`None`) or some.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldSelection(BTreeMap<u32, Option<Self>>);

impl FieldSelection {
    /// The fields that a mask names. `None` for all fields.
    ///
    /// # Errors
    /// A violation of `readMask` for each path that is not a field of the record, or goes into a repeated field or a value.
    pub fn read(
        descriptor: &MessageDescriptor,
        mask: &FieldMask,
    ) -> Result<Option<Self>, Vec<FieldViolation>> {
        let paths = read_paths(descriptor, mask, &READ)?;
        Ok(paths.map(|paths| {
            let mut selection = Self::default();
            for path in &paths {
                selection.add(path);
            }
            selection
        }))
    }

    /// [`Self::read`] for a record of the contract.
    ///
    /// # Errors
    /// As [`Self::read`].
    ///
    /// # Panics
    /// The record is no message of the contract.
    pub fn of_record<Record: Name>(mask: &FieldMask) -> Result<Option<Self>, Vec<FieldViolation>> {
        Self::read(&record_descriptor::<Record>(), mask)
    }

    fn add(&mut self, path: &[FieldDescriptor]) {
        let Some((field, rest)) = path.split_first() else {
            return;
        };
        if rest.is_empty() {
            self.0.insert(field.number(), None);
            return;
        }
        let inner = self
            .0
            .entry(field.number())
            .or_insert_with(|| Some(Self::default()));
        // A path that ends before selects these fields too.
        if let Some(inner) = inner {
            inner.add(rest);
        }
    }

    /// What is read of the field with a number: nothing, all (`Some(None)`), or some fields of its message.
    #[must_use]
    pub fn field(&self, number: u32) -> Option<Option<&Self>> {
        self.0.get(&number).map(Option::as_ref)
    }

    /// The record with these fields only.
    ///
    /// # Errors
    /// The record has another type than the mask was read for.
    pub fn keep<Record: Message + Default>(&self, record: &Record) -> Result<Record, DecodeError> {
        let mut kept = Vec::new();
        self.copy(&record.encode_to_vec(), &mut kept)?;
        Record::decode(kept.as_slice())
    }

    /// Copies the records of the selected fields.
    fn copy(&self, mut bytes: &[u8], kept: &mut Vec<u8>) -> Result<(), DecodeError> {
        while !bytes.is_empty() {
            let record = bytes;
            let (number, wire_type) = decode_key(&mut bytes)?;
            let value = bytes;
            skip_field(wire_type, number, &mut bytes, DecodeContext::default())?;
            match self.field(number) {
                None => {}
                Some(Some(inner)) if wire_type == WireType::LengthDelimited => {
                    let mut value = &value[..value.len() - bytes.len()];
                    decode_varint(&mut value)?;
                    let mut message = Vec::new();
                    inner.copy(value, &mut message)?;
                    encode_key(number, wire_type, kept);
                    encode_varint(u64::try_from(message.len()).unwrap_or(u64::MAX), kept);
                    kept.extend_from_slice(&message);
                }
                Some(_) => kept.extend_from_slice(&record[..record.len() - bytes.len()]),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::documents::{Address, LocalizedText, Party};
    use crate::messages::simple::Invoice;

    fn read(paths: &[&str]) -> Result<Option<FieldSelection>, Vec<FieldViolation>> {
        FieldSelection::of_record::<Invoice>(&FieldMask::of(paths.iter().copied()))
    }

    fn invoice() -> Invoice {
        Invoice {
            number: "INV-2026-0001".to_owned(),
            note: "Thank you".to_owned(),
            buyer: Some(Party {
                name: Some(LocalizedText {
                    en: "Palm".to_owned(),
                    ..LocalizedText::default()
                }),
                tax_id: "1".to_owned(),
                address: Some(Address::default()),
                ..Party::default()
            }),
            lines: vec![Default::default(), Default::default()],
            ..Invoice::default()
        }
    }

    #[test]
    fn fields_of_the_mask_are_kept_and_others_are_not() {
        let selection = read(&["number", "buyer.name", "lines"]);
        let selection = selection.expect("a mask of fields").expect("some fields");
        let kept = selection.keep(&invoice()).expect("an invoice");
        let expected = Invoice {
            note: String::new(),
            buyer: Some(Party {
                name: invoice().buyer.and_then(|buyer| buyer.name),
                ..Party::default()
            }),
            ..invoice()
        };
        assert_eq!(kept, expected);
        let nothing = selection.keep(&Invoice::default()).expect("an invoice");
        assert_eq!(nothing, Invoice::default());
    }

    #[test]
    fn field_and_a_field_in_it_are_the_whole_field() {
        for paths in [["buyer", "buyer.name"], ["buyer.name", "buyer"]] {
            let selection = read(&paths).expect("a mask of fields");
            let kept = selection.expect("some fields").keep(&invoice());
            assert_eq!(kept.expect("an invoice").buyer, invoice().buyer);
        }
        assert_eq!(read(&["*"]), Ok(None));
    }

    #[test]
    fn path_that_is_no_field_is_a_violation_with_its_place() {
        let violations = read(&["number", "nothing", "lines.quantity", "number.en", "*"]);
        let violations = violations.expect_err("wrong paths").into_iter();
        let violations: Vec<_> = violations
            .map(|violation| format!("{}: {}", violation.field, violation.description))
            .collect();
        assert_eq!(
            violations,
            [
                "readMask.paths[1]: nothing is not a field of the record",
                "readMask.paths[2]: lines.quantity goes into a repeated field, which is read as a whole",
                "readMask.paths[3]: number.en goes into a value without fields",
                "readMask.paths[4]: * must be the only path",
            ]
        );
        let empty = read(&[]).expect_err("an empty mask");
        assert_eq!(empty.len(), 1);
    }
}
