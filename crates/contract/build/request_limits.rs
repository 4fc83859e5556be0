//! Generates `RequestLimits` for the messages of requests, from the options `(invoicing.max_items)`,
//! `(invoicing.max_characters)` and `(invoicing.max_bytes)` of their fields.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use prost_reflect::{
    DescriptorPool, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor, Value,
};

use crate::names::module;

/// The most characters of a text without the option.
const DEFAULT_MAX_CHARACTERS: u32 = 10_000;

/// `src/request_limits.rs` implements its limits: its .proto file is not ours.
const FIELD_MASK: &str = "google.protobuf.FieldMask";

/// The options that decide about a field.
struct Options {
    max_items: ExtensionDescriptor,
    max_characters: ExtensionDescriptor,
    max_bytes: ExtensionDescriptor,
    output: ExtensionDescriptor,
}

/// `impl RequestLimits for …` for every message that a request contains, and `max_items`.
///
/// # Errors
/// A repeated field of a request has no limit and is no output, or is in a map, in a oneof, or in a message that is nested or
/// recursive; or bytes of a request have no limit.
pub(crate) fn generate(pool: &DescriptorPool) -> Result<String, Box<dyn Error>> {
    let option = |name: &str| {
        pool.get_extension_by_name(name)
            .ok_or_else(|| format!("access.proto defines no ({name})"))
    };
    let options = Options {
        max_items: option("invoicing.max_items")?,
        max_characters: option("invoicing.max_characters")?,
        max_bytes: option("invoicing.max_bytes")?,
        output: option("invoicing.output")?,
    };
    let mut messages = BTreeMap::new();
    let mut requests = BTreeMap::new();
    for service in pool.services() {
        for method in service.methods() {
            let request = method.input();
            collect(&request, &mut Vec::new(), &mut messages)?;
            requests.insert(request.full_name().to_owned(), request);
        }
    }
    let mut source = String::new();
    let mut limits = String::new();
    for message in messages
        .values()
        .filter(|message| message.full_name() != FIELD_MASK)
    {
        source.push_str(&implementation(message, &options, &mut limits)?);
    }
    write!(
        source,
        "/// The most values of a repeated field of a request, by its full name, as `invoicing.documents.v2.Filter.status`.\n#[must_use]\npub fn max_items(field: &str) -> Option<usize> {{\n    Some(match field {{\n{limits}        _ => return None,\n    }})\n}}\n"
    )?;
    source.push_str(&find_in(requests.values())?);
    Ok(source)
}

/// A function for tests, which finds what is wrong in an encoded request of any type.
fn find_in<'a>(
    requests: impl Iterator<Item = &'a MessageDescriptor>,
) -> Result<String, std::fmt::Error> {
    let mut arms = String::new();
    for request in requests {
        writeln!(
            arms,
            "        {:?} => <{}::{} as prost::Message>::decode(encoded).expect(\"a message\").find_excess(&FieldPath::REQUEST, &mut found),",
            request.full_name(),
            module(request.package_name()),
            request.name(),
        )?;
    }
    Ok(format!(
        "#[cfg(test)]\nfn find_in(request: &str, encoded: &[u8]) -> Vec<FieldViolation> {{\n    let mut found = Vec::new();\n    match request {{\n{arms}        _ => panic!(\"{{request}} is no request\"),\n    }}\n    found\n}}\n"
    ))
}

/// Adds a message and the messages of its fields.
fn collect(
    message: &MessageDescriptor,
    parents: &mut Vec<String>,
    found: &mut BTreeMap<String, MessageDescriptor>,
) -> Result<(), Box<dyn Error>> {
    let name = message.full_name().to_owned();
    if parents.contains(&name) {
        return Err(format!("{name} is recursive").into());
    }
    if message.parent_message().is_some() {
        return Err(format!("{name} is nested").into());
    }
    parents.push(name.clone());
    for field in message.fields() {
        if let Some(inner) = inner(&field) {
            if field.is_map() || field.containing_oneof().is_some() {
                return Err(format!("{} is a map or a oneof", field.full_name()).into());
            }
            collect(&inner, parents, found)?;
        }
    }
    parents.pop();
    found.insert(name, message.clone());
    Ok(())
}

fn implementation(
    message: &MessageDescriptor,
    options: &Options,
    limits: &mut String,
) -> Result<String, Box<dyn Error>> {
    let mut find = String::new();
    for field in message.fields() {
        let (name, json) = (field.name(), field.json_name());
        let is_output = *field.options().get_extension(&options.output) == Value::Bool(true);
        if is_output {
            // A request that contains it is refused.
            continue;
        }
        let text = max_characters(&field, options);
        let inner = inner(&field);
        if field.kind() == Kind::Bytes {
            let max = number(&field, &options.max_bytes).filter(|_| !field.is_list());
            let Some(max) = max else {
                return Err(format!("{} has no (invoicing.max_bytes)", field.full_name()).into());
            };
            writeln!(
                find,
                "        if self.{name}.len() > {max} {{ found.push(path.field({json:?}).too_large({max})); }}"
            )?;
            continue;
        }
        if !field.is_list() {
            if inner.is_some() {
                writeln!(
                    find,
                    "        if let Some(inner) = &self.{name} {{ inner.find_excess(&path.field({json:?}), found); }}"
                )?;
            }
            if let Some(max) = text {
                writeln!(
                    find,
                    "        path.field({json:?}).check_text(&self.{name}, {max}, found);"
                )?;
            }
            continue;
        }
        let Some(max) = number(&field, &options.max_items) else {
            return Err(format!("{} has no (invoicing.max_items)", field.full_name()).into());
        };
        writeln!(limits, "        {:?} => {max},", field.full_name())?;
        writeln!(
            find,
            "        if self.{name}.len() > {max} {{ found.push(path.field({json:?}).too_many({max})); }}"
        )?;
        let check_item = match text {
            Some(max) => {
                format!("path.item({json:?}, index).check_text(item, {max}, found);")
            }
            None if inner.is_some() => {
                format!("item.find_excess(&path.item({json:?}, index), found);")
            }
            None => continue,
        };
        writeln!(
            find,
            "        else {{ for (index, item) in self.{name}.iter().enumerate() {{ {check_item} }} }}"
        )?;
    }
    let (path, found) = if find.is_empty() {
        ("_", "_")
    } else {
        ("path", "found")
    };
    Ok(format!(
        "impl RequestLimits for {}::{} {{\n    fn find_excess(&self, {path}: &FieldPath<'_>, {found}: &mut Vec<FieldViolation>) {{\n{find}    }}\n}}\n",
        module(message.package_name()),
        message.name(),
    ))
}

/// The limit of a text; `None` for a field of another type.
fn max_characters(field: &FieldDescriptor, options: &Options) -> Option<u32> {
    let limit = || number(field, &options.max_characters).unwrap_or(DEFAULT_MAX_CHARACTERS);
    (field.kind() == Kind::String).then(limit)
}

/// The number that an option has; `None` if it is absent.
fn number(field: &FieldDescriptor, option: &ExtensionDescriptor) -> Option<u32> {
    let number = field.options().get_extension(option).as_u32()?;
    (number > 0).then_some(number)
}

/// The message that a field holds, if it is of the contract or a field mask, which has limits of its own.
fn inner(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let Kind::Message(inner) = field.kind() else {
        return None;
    };
    let is_known =
        inner.package_name().starts_with("invoicing.") || inner.full_name() == FIELD_MASK;
    is_known.then_some(inner)
}
