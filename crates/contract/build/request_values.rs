//! Generates the shapes of the messages of requests, by which their values are counted before they are decoded.

use std::error::Error;
use std::fmt::Write as _;

use prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};

use crate::names::module;
use crate::requests::Requests;

/// `static …: MessageShape` for every message that a request contains, and `impl RequestValues for …` for every message that is a
/// request or an answer.
///
/// # Errors
/// A message cannot be written.
pub(crate) fn generate(
    pool: &DescriptorPool,
    requests: &Requests,
) -> Result<String, Box<dyn Error>> {
    let mut source = String::new();
    for message in requests.parts.values() {
        source.push_str(&shape(message, requests)?);
    }
    let mut messages = requests.messages.clone();
    for service in pool.services() {
        let answers = service.methods().map(|method| method.output());
        messages.extend(answers.map(|answer| (answer.full_name().to_owned(), answer)));
    }
    for (name, message) in &messages {
        let shape = if requests.messages.contains_key(name) {
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

fn shape(message: &MessageDescriptor, requests: &Requests) -> Result<String, Box<dyn Error>> {
    let (mut nested, mut packed) = (String::new(), String::new());
    for field in message.fields() {
        let (number, kind) = (field.number(), field.kind());
        if let Kind::Message(inner) = &kind {
            write!(
                nested,
                "NestedField {{ number: {number}, name: {:?}, max_items: {}, shape: &{} }}, ",
                field.json_name(),
                max_items(&field, requests),
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
fn max_items(field: &FieldDescriptor, requests: &Requests) -> String {
    if !field.is_list() {
        return "None".to_owned();
    }
    let max = requests.max_items(field);
    match max.filter(|_| !requests.is_output(field)) {
        Some(max) => format!("Some({max})"),
        None => "Some(MAX_REQUEST_VALUES)".to_owned(),
    }
}

/// `INVOICING_DOCUMENTS_V2_LINE` of `invoicing.documents.v2.Line`.
fn shape_name(message: &MessageDescriptor) -> String {
    message.full_name().replace('.', "_").to_uppercase()
}
