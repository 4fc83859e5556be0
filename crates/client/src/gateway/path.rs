//! Fields of a request in its address (google.api.http): those that the path names, and the others of a request without a body.

use serde::Serialize;
use serde_json::Value;

/// The path with the fields that it names, as `{user_id}`, and with `query` all others behind it.
pub(super) fn with_fields(path: String, body: &impl Serialize, query: bool) -> String {
    if !query && !path.contains('{') {
        return path;
    }
    let Ok(Value::Object(fields)) = serde_json::to_value(body) else {
        return path;
    };
    let mut path = path;
    let mut rest = Vec::new();
    for (name, value) in &fields {
        let Some(text) = scalar(value) else { continue };
        let placeholder = format!("{{{}}}", snake_case(name));
        if path.contains(&placeholder) {
            path = path.replace(&placeholder, &percent_encode(&text));
        } else if query && name != "documentKey" {
            rest.push(format!("{name}={}", percent_encode(&text)));
        }
    }
    if !rest.is_empty() {
        rest.sort();
        path.push('?');
        path.push_str(&rest.join("&"));
    }
    path
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// `userId` as `user_id`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// A text as one path segment or value of a query (RFC 3986, section 3.3), whatever it contains.
pub(super) fn percent_encode(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_that_the_path_names_are_in_it_and_encoded() {
        let body = json!({ "userId": "a/b", "role": "clerk" });
        let path = "/users/{user_id}:revokeRole".to_owned();
        assert_eq!(with_fields(path, &body, false), "/users/a%2Fb:revokeRole");
    }

    #[test]
    fn other_fields_of_a_request_without_a_body_are_its_query() {
        let body = json!({ "version": 0, "pageToken": "a=b" });
        assert_eq!(
            with_fields("/rules".to_owned(), &body, true),
            "/rules?pageToken=a%3Db&version=0"
        );
        assert_eq!(with_fields("/rules".to_owned(), &json!({}), true), "/rules");
    }
}
