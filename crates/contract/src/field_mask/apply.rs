//! Applies an update to a record: the fields of the mask are taken from the update, all others stay.

use std::sync::LazyLock;

use prost::{Message, Name};
use prost_reflect::{
    DescriptorPool, DynamicMessage, ExtensionDescriptor, FieldDescriptor, MessageDescriptor, Value,
};

use super::FieldMask;
use super::paths::{MaskUse, inner, read_paths};
use crate::{FieldViolation, descriptor_pool};

const UPDATE: MaskUse = MaskUse {
    field: "updateMask",
    empty: "names no field; leave it out, or send *, to replace all fields",
    repeated: "goes into a repeated field, which is replaced as a whole",
    refusal: |field| is_output(field).then_some("is computed by the service and cannot be changed"),
};

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let pool = descriptor_pool();
    let output = pool
        .get_extension_by_name("invoicing.output")
        .expect("access.proto defines the option, or the contract would not build");
    Schema { pool, output }
});

struct Schema {
    pool: &'static DescriptorPool,
    output: ExtensionDescriptor,
}

/// The record after an update (AIP-134). `mask` has paths from the record; without it, and with the path `*`, every field is
/// taken from `update`. A field that the mask names and the update does not have becomes absent. A repeated field is replaced as
/// a whole. Output fields (`invoicing.output`) stay those of `current`.
///
/// # Errors
/// A violation for each path that is not a field of the record, names an output field, or goes into a repeated field or a value.
/// Its field is `updateMask.paths[i]`, and its description begins with the path in the names of the JSON form.
///
/// # Panics
/// The record is no message of the contract.
pub fn apply<Record: Message + Name + Default>(
    current: &Record,
    update: &Record,
    mask: Option<&FieldMask>,
) -> Result<Record, Vec<FieldViolation>> {
    let descriptor = record_descriptor::<Record>();
    let paths = mask
        .map(|mask| read_paths(&descriptor, mask, &UPDATE))
        .transpose()?
        .flatten();
    let current = dynamic(&descriptor, current);
    let update = dynamic(&descriptor, update);
    let result = match paths {
        None => replace(&current, update),
        Some(paths) => {
            let mut result = current;
            for path in &paths {
                set(&mut result, Some(&update), path);
            }
            result
        }
    };
    Ok(record(&result))
}

fn record<Record: Message + Default>(message: &DynamicMessage) -> Record {
    Record::decode(message.encode_to_vec().as_slice())
        .expect("the bytes are those of a message of this type")
}

pub(super) fn record_descriptor<Record: Name>() -> MessageDescriptor {
    SCHEMA
        .pool
        .get_message_by_name(&Record::full_name())
        .expect("the record is a message of the contract")
}

fn dynamic<Record: Message>(descriptor: &MessageDescriptor, record: &Record) -> DynamicMessage {
    DynamicMessage::decode(descriptor.clone(), record.encode_to_vec().as_slice())
        .expect("the bytes are those of a message of this type")
}

/// Takes the field at the end of `path` from `update`.
fn set(target: &mut DynamicMessage, update: Option<&DynamicMessage>, path: &[FieldDescriptor]) {
    let Some((field, rest)) = path.split_first() else {
        return;
    };
    let given = update.filter(|update| update.has_field(field));
    if rest.is_empty() {
        let value = given.map(|update| replaced(field, target, update));
        match value {
            Some(value) => target.set_field(field, value),
            None => target.clear_field(field),
        }
        return;
    }
    // What the update does not have becomes absent, so a message that is absent on both sides stays so.
    if given.is_none() && !target.has_field(field) {
        return;
    }
    // Borrowed: each path of a mask goes through here, and what it goes through can be the whole update.
    let inner_update = given.map(|update| update.get_field(field));
    if let Some(inner) = target.get_field_mut(field).as_message_mut() {
        set(
            inner,
            inner_update.as_deref().and_then(Value::as_message),
            rest,
        );
    }
}

/// The value of a field after it was taken from `update`, with the output fields of `current`.
fn replaced(field: &FieldDescriptor, current: &DynamicMessage, update: &DynamicMessage) -> Value {
    let value = update.get_field(field).into_owned();
    match (value, inner(field)) {
        (Value::Message(update), Some(_)) => match current.get_field(field).as_message() {
            Some(current) => Value::Message(replace(current, update)),
            None => Value::Message(update),
        },
        (value, _) => value,
    }
}

/// `update` with the output fields of `current`.
fn replace(current: &DynamicMessage, update: DynamicMessage) -> DynamicMessage {
    let fields: Vec<_> = current.fields().map(|(field, _)| field).collect();
    let mut result = update;
    let given: Vec<_> = result.fields().map(|(field, _)| field).collect();
    for field in given.iter().chain(&fields) {
        if is_output(field) {
            if current.has_field(field) {
                result.set_field(field, current.get_field(field).into_owned());
            } else {
                result.clear_field(field);
            }
        } else if result.has_field(field) {
            let value = replaced(field, current, &result);
            result.set_field(field, value);
        }
    }
    result
}

fn is_output(field: &FieldDescriptor) -> bool {
    *field.options().get_extension(&SCHEMA.output) == Value::Bool(true)
}
