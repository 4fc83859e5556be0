//! Where a content has texts, for tests of what is done with each field.

use serde_json::Value;

/// The JSON pointers (RFC 6901) of the texts of a content. Lines are compared without their ids, and an allowance of a line has
/// no tax of its own: ids and empty texts are left out.
pub(super) fn text_pointers(content: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find(content, "", &mut found);
    found
}

fn find(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                find(field, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                find(item, &format!("{at}/{index}"), found);
            }
        }
        Value::String(text) if at.ends_with("/id") || text.is_empty() => {}
        Value::String(_) => found.push(at.to_owned()),
        // No part of a document.
        Value::Null if at == "/dueTerms" => {}
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            panic!("{at} has no text")
        }
    }
}
