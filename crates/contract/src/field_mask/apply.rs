//! Applies an update to a record: the fields of the mask are taken from the update, all others stay.

use std::sync::LazyLock;

use prost::{Message, Name};
use prost_reflect::{
    DescriptorPool, DynamicMessage, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor,
    Value,
};

use super::{FieldMask, json_path};
use crate::{DESCRIPTORS, FieldViolation};

/// The path of the mask in a request.
const UPDATE_MASK: &str = "updateMask";
/// The path that stands for every field.
const WILDCARD: &str = "*";
/// Most paths of a mask. The largest record has fewer fields.
const MAX_PATHS: usize = 500;
/// Most violations of a mask.
const MAX_VIOLATIONS: usize = 100;
/// Most characters of a path in a description.
const MAX_PATH_CHARACTERS: usize = 100;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let pool = DescriptorPool::decode(DESCRIPTORS).expect("the descriptors are compiled in");
    let output = pool
        .get_extension_by_name("invoicing.output")
        .expect("access.proto defines the option, or the contract would not build");
    Schema { pool, output }
});

struct Schema {
    pool: DescriptorPool,
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
        .map(|mask| read_paths(&descriptor, &mask.paths))
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

fn record_descriptor<Record: Name>() -> MessageDescriptor {
    SCHEMA
        .pool
        .get_message_by_name(&Record::full_name())
        .expect("the record is a message of the contract")
}

fn dynamic<Record: Message>(descriptor: &MessageDescriptor, record: &Record) -> DynamicMessage {
    DynamicMessage::decode(descriptor.clone(), record.encode_to_vec().as_slice())
        .expect("the bytes are those of a message of this type")
}

/// The fields that each path goes through. `None` for all fields.
fn read_paths(
    descriptor: &MessageDescriptor,
    paths: &[String],
) -> Result<Option<Vec<Vec<FieldDescriptor>>>, Vec<FieldViolation>> {
    let whole = |description: String| Err(vec![FieldViolation::new(UPDATE_MASK, description)]);
    if paths.is_empty() {
        return whole("names no field; leave it out, or send *, to replace all fields".to_owned());
    }
    if paths.len() > MAX_PATHS {
        return whole(format!("must have at most {MAX_PATHS} paths"));
    }
    if paths == [WILDCARD] {
        return Ok(None);
    }
    let (mut found, mut violations) = (Vec::new(), Vec::new());
    for (index, path) in paths.iter().enumerate() {
        match read_path(descriptor, path) {
            Ok(fields) => found.push(fields),
            Err(reason) => {
                let path: String = json_path(path).chars().take(MAX_PATH_CHARACTERS).collect();
                violations.push(FieldViolation::new(
                    format!("{UPDATE_MASK}.paths[{index}]"),
                    format!("{path} {reason}"),
                ));
            }
        }
    }
    violations.truncate(MAX_VIOLATIONS);
    if violations.is_empty() {
        Ok(Some(found))
    } else {
        Err(violations)
    }
}

fn read_path(
    descriptor: &MessageDescriptor,
    path: &str,
) -> Result<Vec<FieldDescriptor>, &'static str> {
    if path == WILDCARD {
        return Err("must be the only path");
    }
    let mut fields: Vec<FieldDescriptor> = Vec::new();
    for name in path.split('.') {
        let message = match fields.last() {
            None => descriptor.clone(),
            Some(field) if field.is_list() || field.is_map() => {
                return Err("goes into a repeated field, which is replaced as a whole");
            }
            Some(field) => inner(field).ok_or("goes into a value without fields")?,
        };
        let field = message
            .get_field_by_name(name)
            .ok_or("is not a field of the record")?;
        if is_output(&field) {
            return Err("is computed by the service and cannot be changed");
        }
        fields.push(field);
    }
    Ok(fields)
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
    let inner_update = given.map(|update| update.get_field(field).into_owned());
    if let Some(inner) = target.get_field_mut(field).as_message_mut() {
        set(
            inner,
            inner_update.as_ref().and_then(Value::as_message),
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

/// The message that a single field holds, if it is of the contract.
fn inner(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let Kind::Message(inner) = field.kind() else {
        return None;
    };
    let own = inner.package_name().starts_with("invoicing.");
    (own && !field.is_list()).then_some(inner)
}
