//! Generates `OutputFields` for the messages that have fields with the option `(invoicing.output)`, directly or in fields of
//! them.

use std::error::Error;
use std::fmt::Write as _;

use prost_reflect::{
    DescriptorPool, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor, Value,
};

use crate::names::module;

/// `impl OutputFields for …` for every message of the contract that has output fields.
///
/// # Errors
/// A message with output fields is nested, recursive, or has them in a map or a oneof.
pub(crate) fn generate(pool: &DescriptorPool) -> Result<String, Box<dyn Error>> {
    let option = pool
        .get_extension_by_name("invoicing.output")
        .ok_or("access.proto defines no (invoicing.output)")?;
    let mut source = String::new();
    let messages = pool
        .all_messages()
        .filter(|message| message.package_name().starts_with("invoicing."));
    for message in messages {
        let paths = paths(&message, &option, &mut Vec::new())?;
        if !paths.is_empty() {
            source.push_str(&implementation(&message, &option, &paths)?);
        }
    }
    Ok(source)
}

/// Paths of the output fields in the names of the JSON form, as `lines[].net`.
fn paths(
    message: &MessageDescriptor,
    option: &ExtensionDescriptor,
    parents: &mut Vec<String>,
) -> Result<Vec<String>, Box<dyn Error>> {
    if parents.iter().any(|parent| parent == message.full_name()) {
        return Err(format!("{} is recursive", message.full_name()).into());
    }
    parents.push(message.full_name().to_owned());
    let mut found = Vec::new();
    for field in message.fields() {
        let suffix = if field.is_list() { "[]" } else { "" };
        if is_output(&field, option) {
            found.push(field.json_name().to_owned());
        } else if let Some(inner) = inner(&field) {
            let inner = paths(&inner, option, parents)?;
            if !inner.is_empty() && (field.is_map() || field.containing_oneof().is_some()) {
                return Err(format!("{} is a map or a oneof", field.full_name()).into());
            }
            let name = field.json_name();
            found.extend(inner.iter().map(|path| format!("{name}{suffix}.{path}")));
        }
    }
    parents.pop();
    Ok(found)
}

fn implementation(
    message: &MessageDescriptor,
    option: &ExtensionDescriptor,
    all: &[String],
) -> Result<String, Box<dyn Error>> {
    if message.parent_message().is_some() {
        return Err(format!("{} is nested", message.full_name()).into());
    }
    let (mut find, mut clear) = (String::new(), String::new());
    for field in message.fields() {
        let (name, json) = (field.name(), field.json_name());
        if is_output(&field, option) {
            writeln!(
                find,
                "        if is_set(&self.{name}) {{ found.push(format!(\"{{path}}{json}\")); }}"
            )?;
            writeln!(clear, "        self.{name} = Default::default();")?;
            continue;
        }
        let Some(inner) = inner(&field) else { continue };
        if paths(&inner, option, &mut Vec::new())?.is_empty() {
            continue;
        }
        let (find_item, clear_item) = if field.is_list() {
            (
                format!(
                    "for (index, item) in self.{name}.iter().enumerate() {{ item.find_output_fields(&format!(\"{{path}}{json}[{{index}}].\"), found); }}"
                ),
                format!("for item in &mut self.{name} {{ item.clear_output_fields(); }}"),
            )
        } else {
            (
                format!(
                    "if let Some(item) = &self.{name} {{ item.find_output_fields(&format!(\"{{path}}{json}.\"), found); }}"
                ),
                format!("if let Some(item) = &mut self.{name} {{ item.clear_output_fields(); }}"),
            )
        };
        writeln!(find, "        {find_item}")?;
        writeln!(clear, "        {clear_item}")?;
    }
    Ok(format!(
        "impl OutputFields for {}::{} {{\n    const PATHS: &[&str] = &{all:?};\n    fn find_output_fields(&self, path: &str, found: &mut Vec<String>) {{\n{find}    }}\n    fn clear_output_fields(&mut self) {{\n{clear}    }}\n}}\n",
        module(message.package_name()),
        message.name(),
    ))
}

fn is_output(field: &FieldDescriptor, option: &ExtensionDescriptor) -> bool {
    *field.options().get_extension(option) == Value::Bool(true)
}

/// The message that a field holds, if it is of the contract.
fn inner(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let Kind::Message(inner) = field.kind() else {
        return None;
    };
    inner
        .package_name()
        .starts_with("invoicing.")
        .then_some(inner)
}
