//! Generates `RequestLimits` for the messages of requests, from the options `(invoicing.max_items)`,
//! `(invoicing.max_characters)` and `(invoicing.max_bytes)` of their fields.

use std::error::Error;
use std::fmt::Write as _;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::names::module;
use crate::requests::Requests;

/// The most characters of a text without the option.
const DEFAULT_MAX_CHARACTERS: u32 = 10_000;

/// `src/request_limits.rs` implements its limits: its .proto file is not ours.
const FIELD_MASK: &str = "google.protobuf.FieldMask";

/// `impl RequestLimits for …` for every message of the contract that a request contains, and `max_items`.
///
/// # Errors
/// A repeated field of a request has no limit and is no output, or bytes of a request have no limit.
pub(crate) fn generate(requests: &Requests) -> Result<String, Box<dyn Error>> {
    let mut source = String::new();
    let mut limits = String::new();
    let parts = requests.parts.values();
    for message in parts.filter(|message| is_of_contract(message)) {
        source.push_str(&implementation(message, requests, &mut limits)?);
    }
    write!(
        source,
        "/// The most values of a repeated field of a request, by its full name, as `invoicing.documents.v2.Filter.status`.\n#[must_use]\npub fn max_items(field: &str) -> Option<usize> {{\n    Some(match field {{\n{limits}        _ => return None,\n    }})\n}}\n"
    )?;
    source.push_str(&find_in(requests.messages.values())?);
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

fn implementation(
    message: &MessageDescriptor,
    requests: &Requests,
    limits: &mut String,
) -> Result<String, Box<dyn Error>> {
    let mut find = String::new();
    for field in message.fields() {
        let (name, json) = (field.name(), field.json_name());
        if requests.is_output(&field) {
            // A request that contains it is refused.
            continue;
        }
        let text = max_characters(&field, requests);
        let inner = inner(&field);
        if field.kind() == Kind::Bytes {
            let max = requests.max_bytes(&field).filter(|_| !field.is_list());
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
        let Some(max) = requests.max_items(&field) else {
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
fn max_characters(field: &FieldDescriptor, requests: &Requests) -> Option<u32> {
    let own = || requests.max_characters(field);
    (field.kind() == Kind::String).then(|| own().unwrap_or(DEFAULT_MAX_CHARACTERS))
}

/// The message that a field holds, if it is of the contract or a field mask, which has limits of its own.
fn inner(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let Kind::Message(inner) = field.kind() else {
        return None;
    };
    (is_of_contract(&inner) || inner.full_name() == FIELD_MASK).then_some(inner)
}

fn is_of_contract(message: &MessageDescriptor) -> bool {
    message.package_name().starts_with("invoicing.")
}
