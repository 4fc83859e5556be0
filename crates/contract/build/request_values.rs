//! Generates the shapes of the messages of requests, by which their values are counted before they are decoded.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use prost_reflect::{
    DescriptorPool, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor, Value,
};

use crate::names::module;

/// The options that decide about a list.
struct Options {
    max_items: ExtensionDescriptor,
    output: ExtensionDescriptor,
}

/// `static …: MessageShape` for every message that a request contains, and `impl RequestValues for …` for every message that is a
/// request or an answer.
///
/// # Errors
/// access.proto lacks an option, or a message cannot be written.
pub(crate) fn generate(pool: &DescriptorPool) -> Result<String, Box<dyn Error>> {
    let option = |name: &str| {
        pool.get_extension_by_name(name)
            .ok_or_else(|| format!("access.proto defines no ({name})"))
    };
    let options = Options {
        max_items: option("invoicing.max_items")?,
        output: option("invoicing.output")?,
    };
    let mut shapes = BTreeMap::new();
    let mut messages = BTreeMap::new();
    for service in pool.services() {
        for method in service.methods() {
            let (input, output) = (method.input(), method.output());
            collect(&input, &mut shapes);
            messages
                .entry(output.full_name().to_owned())
                .or_insert((output, false));
            messages.insert(input.full_name().to_owned(), (input, true));
        }
    }
    let mut source = String::new();
    for message in shapes.values() {
        source.push_str(&shape(message, &options)?);
    }
    for (message, is_request) in messages.values() {
        let shape = if *is_request {
            format!("Some(&{})", shape_name(message))
        } else {
            "None".to_owned()
        };
        writeln!(
            source,
            "impl RequestValues for {}::{} {{ const SHAPE: Option<&'static MessageShape> = {shape}; }}",
            module(message.package_name()),
            message.name(),
        )?;
    }
    Ok(source)
}

/// Adds a message and the messages of its fields. `request_limits` refuses recursive ones.
fn collect(message: &MessageDescriptor, found: &mut BTreeMap<String, MessageDescriptor>) {
    if found
        .insert(message.full_name().to_owned(), message.clone())
        .is_some()
    {
        return;
    }
    for field in message.fields() {
        if let Kind::Message(inner) = field.kind() {
            collect(&inner, found);
        }
    }
}

fn shape(message: &MessageDescriptor, options: &Options) -> Result<String, Box<dyn Error>> {
    let (mut nested, mut packed) = (String::new(), String::new());
    for field in message.fields() {
        let (number, kind) = (field.number(), field.kind());
        if let Kind::Message(inner) = &kind {
            write!(
                nested,
                "NestedField {{ number: {number}, name: {:?}, max_items: {}, shape: &{} }}, ",
                field.json_name(),
                max_items(&field, options),
                shape_name(inner),
            )?;
        } else if field.is_list() && !matches!(kind, Kind::String | Kind::Bytes) {
            write!(packed, "{number}, ")?;
        }
    }
    Ok(format!(
        "static {}: MessageShape = MessageShape {{ nested: &[{nested}], packed: &[{packed}] }};\n",
        shape_name(message)
    ))
}

/// The limit of a list of messages: `None` for a field that is no list. Lists of an output are counted only: a request that
/// contains one is refused after it is decoded.
fn max_items(field: &FieldDescriptor, options: &Options) -> String {
    if !field.is_list() {
        return "None".to_owned();
    }
    let of_field = field.options();
    let is_output = *of_field.get_extension(&options.output) == Value::Bool(true);
    let max = of_field.get_extension(&options.max_items).as_u32();
    match max.filter(|max| *max > 0 && !is_output) {
        Some(max) => format!("Some({max})"),
        None => "Some(MAX_REQUEST_VALUES)".to_owned(),
    }
}

/// `INVOICING_DOCUMENTS_V2_LINE` of `invoicing.documents.v2.Line`.
fn shape_name(message: &MessageDescriptor) -> String {
    message.full_name().replace('.', "_").to_uppercase()
}
