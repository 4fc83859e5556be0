//! The writer beside `prost-reflect`, which decodes the message first, and the limits of what it writes.

use std::slice;

use invoicing_contract::messages::documents::LocalizedText;
use invoicing_contract::{descriptor_pool, operation};
use proptest::prelude::*;
use prost::{Message as _, Name as _};
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};

use super::*;

/// The answers of all operations that have a JSON form.
fn answers() -> Vec<MessageDescriptor> {
    let pool = descriptor_pool();
    let outputs = operation::ALL.iter().map(|operation| {
        let service = pool.get_service_by_name(operation.service);
        let service = service.expect("a service of the contract");
        let method = service
            .methods()
            .find(|method| method.name() == operation.method);
        method.expect("a method of the service").output()
    });
    outputs
        .filter(|output| output.full_name() != "google.api.HttpBody")
        .collect()
}

/// A message whose fields are decided by bytes. Without bytes it is empty.
fn message(
    descriptor: &MessageDescriptor,
    bytes: &mut slice::Iter<'_, u8>,
    depth: u8,
) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    if descriptor.full_name() == "google.protobuf.Timestamp" {
        let mut next = || i64::from(bytes.next().copied().unwrap_or_default());
        message.set_field_by_name("seconds", Value::I64(next() * 9_999_999 - 1_000_000_000));
        message.set_field_by_name(
            "nanos",
            Value::I32([0, 500_000_000, 1_000, 7][next() as usize % 4]),
        );
        return message;
    }
    if descriptor.full_name() == "google.protobuf.Any" {
        let text = LocalizedText {
            en: format!("{:?}", bytes.next()),
            ..LocalizedText::default()
        };
        let url = format!("type.googleapis.com/{}", LocalizedText::full_name());
        message.set_field_by_name("type_url", Value::String(url));
        message.set_field_by_name("value", Value::Bytes(text.encode_to_vec().into()));
        return message;
    }
    for field in descriptor.fields() {
        let count = match bytes.next() {
            Some(byte) if field.is_list() => byte % 4,
            Some(byte) => byte % 2,
            None => 0,
        };
        if depth == 0 && matches!(field.kind(), Kind::Message(_)) {
            continue;
        }
        let mut values: Vec<_> = (0..count).map(|_| value(&field, bytes, depth)).collect();
        if field.is_list() {
            message.set_field(&field, Value::List(values));
        } else if let Some(value) = values.pop() {
            message.set_field(&field, value);
        }
    }
    message
}

fn value(field: &FieldDescriptor, bytes: &mut slice::Iter<'_, u8>, depth: u8) -> Value {
    let byte = bytes.next().copied().unwrap_or_default();
    let signed = i32::from(byte.cast_signed());
    match field.kind() {
        Kind::String => {
            let texts = [
                "",
                "شركة النخيل",
                "\"\\/\n\u{0}\u{1f}",
                "a\u{2028}😀",
                "1,234.50",
            ];
            Value::String(texts[usize::from(byte) % texts.len()].to_owned())
        }
        Kind::Bytes => Value::Bytes(vec![byte; usize::from(byte) % 5].into()),
        Kind::Bool => Value::Bool(byte % 2 == 1),
        Kind::Int32 => Value::I32(signed * 16_777_216),
        Kind::Int64 => Value::I64(i64::from(signed) << 56),
        Kind::Enum(_) => Value::EnumNumber(signed),
        Kind::Message(inner) => Value::Message(message(&inner, bytes, depth - 1)),
        unused @ (Kind::Double
        | Kind::Float
        | Kind::Uint32
        | Kind::Uint64
        | Kind::Sint32
        | Kind::Sint64
        | Kind::Fixed32
        | Kind::Fixed64
        | Kind::Sfixed32
        | Kind::Sfixed64) => panic!("no answer has a field of the type {unused:?}"),
    }
}

proptest! {
    #[test]
    fn answers_are_written_as_by_prost_reflect(
        answer in 0..answers().len(),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let descriptor = &answers()[answer];
        let message = message(descriptor, &mut bytes.iter(), 4);
        let mut expected = Vec::new();
        message
            .serialize_with_options(
                &mut serde_json::Serializer::new(&mut expected),
                &reflection_options(),
            )
            .expect("a message has a JSON form");
        let writer = MessageWriter::new(descriptor).expect("a message of the contract");
        let written = writer.write(&message.encode_to_vec(), Fields::All).expect("an encoded message");
        prop_assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected));
    }

    #[test]
    fn arbitrary_bytes_are_written_or_refused(
        answer in 0..answers().len(),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let writer = MessageWriter::new(&answers()[answer]).expect("a message of the contract");
        if let Ok(written) = writer.write(&bytes, Fields::All) {
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&written).is_ok());
        }
    }
}

#[test]
fn value_of_another_type_is_an_error() {
    let pool = descriptor_pool();
    let descriptor = pool.get_message_by_name("invoicing.documents.v2.Document");
    let descriptor = descriptor.expect("the message of a document");
    let writer = MessageWriter::new(&descriptor).expect("a message of the contract");
    let text = descriptor
        .fields()
        .find(|field| matches!(field.kind(), Kind::String));
    let text = u8::try_from(text.expect("a document has texts").number()).expect("a low number");
    for (bytes, said) in [
        (vec![text << 3, 1], "another type"),
        (vec![text << 3 | 2, 5, b'a'], "longer than the message"),
        (
            vec![text << 3 | 1, 0, 0, 0, 0, 0, 0, 0, 0],
            "as another type",
        ),
        (vec![text << 3 | 2, 1, 0xff], "not UTF-8"),
    ] {
        let error = writer
            .write(&bytes, Fields::All)
            .expect_err("not a document");
        let source = std::error::Error::source(&error).map(ToString::to_string);
        let told = format!("{error} {}", source.unwrap_or_default());
        assert!(told.contains(said), "{told}");
    }
}
