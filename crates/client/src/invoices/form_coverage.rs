//! Tests that the form has every field that a caller can send in an invoice, loses none of a stored one, and leads each error to its
//! input.

use std::collections::BTreeSet;

use invoicing_contract::OutputFields as _;
use invoicing_contract::messages::documents;
use invoicing_contract::{descriptor_pool, invoice_mapping};
use prost_reflect::{Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::form::to_form;
use super::overlay::overlay;
use crate::form_paths;
use crate::views::full_content;

/// The fields that the form leaves out, each with all fields below it.
const LEFT_OUT: [(&str, &str); 7] = [
    (
        "expectedTotals",
        "what callers have computed themselves; the window shows what the core computes",
    ),
    ("buyer.taxRegistration", "BT-32 is of sellers"),
    ("buyer.legalForm", "BT-33 is of sellers"),
    (
        "documents[].uuid",
        "of the documents that Saudi Arabia adds to an issued file; kept",
    ),
    (
        "documents[].attachment",
        "files are attachments beside the document (decision 0151); kept",
    ),
    (
        "allowancesCharges[].tax.exemptionReason",
        "the code of the reason says it in words; kept while there is a code",
    ),
    (
        "lines[].allowancesCharges[].tax",
        "the tax of a line is that of its allowances and charges",
    ),
];

/// The paths of a message's fields without fields below them, in the names of the JSON form.
fn leaf_fields(message: &MessageDescriptor, prefix: &str, found: &mut BTreeSet<String>) {
    for field in message.fields() {
        let list = if field.is_list() { "[]" } else { "" };
        let path = format!("{prefix}{}{list}", field.json_name());
        if let Kind::Message(inner) = field.kind() {
            leaf_fields(&inner, &format!("{path}."), found);
        } else {
            found.insert(path);
        }
    }
}

/// The paths of the texts, numbers and flags in a JSON value.
fn leaf_values(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let point = if path.is_empty() { "" } else { "." };
                leaf_values(field, &format!("{path}{point}{name}"), found);
            }
        }
        Value::Array(items) => {
            for item in items {
                leaf_values(item, &format!("{path}[]"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.insert(path.to_owned());
        }
    }
}

/// A message with a value in every field: each text is its path.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "every other field of an invoice is a text"
)]
fn filled(message: &MessageDescriptor, prefix: &str) -> Value {
    let fields = message.fields().map(|field| {
        let path = format!("{prefix}{}", field.json_name());
        let value = match field.kind() {
            Kind::Message(inner) => filled(&inner, &format!("{path}.")),
            Kind::Enum(values) => {
                let other = values.values().find(|value| value.number() > 0);
                Value::from(other.expect("a value").name())
            }
            Kind::Bool => Value::from(true),
            _ => Value::from(path),
        };
        let value = if field.is_list() {
            json!([value])
        } else {
            value
        };
        (field.json_name().to_owned(), value)
    });
    Value::Object(fields.collect::<Map<_, _>>())
}

fn is_within(path: &str, group: &str) -> bool {
    path.strip_prefix(group)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn invoice_message() -> MessageDescriptor {
    let pool = descriptor_pool();
    pool.get_message_by_name("invoicing.documents.v2.Invoice")
        .expect("the invoice")
}

/// What a caller can send in an invoice.
fn input_fields() -> BTreeSet<String> {
    let mut fields = BTreeSet::new();
    leaf_fields(&invoice_message(), "", &mut fields);
    fields.retain(|path| {
        !documents::Invoice::PATHS
            .iter()
            .any(|output| is_within(path, output))
    });
    fields
}

/// What is sent of a form with a text in every field.
fn sent_fields() -> BTreeSet<String> {
    let content = overlay(invoice::Content::default(), &full_content());
    let message = invoice_mapping::to_message(content);
    let mut sent = BTreeSet::new();
    leaf_values(&serde_json::to_value(message).expect("JSON"), "", &mut sent);
    sent
}

#[test]
fn form_has_every_field_of_the_invoice_or_names_why_not() {
    let (fields, sent) = (input_fields(), sent_fields());
    let missing: Vec<&String> = fields
        .difference(&sent)
        .filter(|path| !LEFT_OUT.iter().any(|(group, _)| is_within(path, group)))
        .collect();
    assert!(missing.is_empty(), "the form lacks {missing:#?}");
    for (group, _) in LEFT_OUT {
        assert!(
            fields.iter().any(|path| is_within(path, group)),
            "{group} is no field"
        );
        assert!(
            !sent.iter().any(|path| is_within(path, group)),
            "the form has {group}"
        );
    }
}

#[test]
fn error_of_every_field_leads_to_a_field_of_the_form() {
    let form = serde_json::to_value(full_content()).expect("JSON");
    for path in sent_fields() {
        let path = path.replace("[]", "[0]");
        // What the form shows of a document, and does not have as a field.
        if path == "lines[0].id" || path.ends_with(".isCharge") {
            continue;
        }
        let field = form_paths::content_path(&path).unwrap_or_else(|| panic!("{path}: no row"));
        let pointer = format!("/{}", field.replace(['.', '['], "/").replace(']', ""));
        let found = form.pointer(&pointer).and_then(Value::as_str);
        assert!(found.is_some(), "{path}: the form has no text at {field}");
    }
}

#[test]
fn stored_invoice_with_every_field_changes_only_where_the_form_did() {
    let stored: documents::Invoice =
        serde_json::from_value(filled(&invoice_message(), "")).expect("an invoice");
    let (content, _) = invoice_mapping::to_content(stored.clone());
    let mut form = to_form(content.clone());
    form.lines[0].description.en = "changed".to_owned();
    let sent = invoice_mapping::to_message(overlay(content, &form));

    let mut expected = stored;
    expected.clear_output_fields();
    // Of the content as it was before.
    expected.expected_totals = None;
    if let Some(description) = &mut expected.lines[0].description {
        description.en = "changed".to_owned();
    }
    assert_eq!(
        serde_json::to_value(sent).expect("JSON"),
        serde_json::to_value(expected).expect("JSON")
    );
}
