//! Writes a JSON object member by member. Serialized fragments can be cached and inserted.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::Serialize;

/// A JSON object under construction.
pub(crate) struct JsonObjectWriter(Vec<u8>);

impl JsonObjectWriter {
    /// An empty object.
    pub(crate) fn new() -> Self {
        // Sufficient for most responses and tokens; those with many roles grow.
        Self(Vec::with_capacity(1024))
    }

    /// Adds a member.
    pub(crate) fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.push_separator();
        write(&mut self.0, name);
        self.0.push(b':');
        write(&mut self.0, &value);
        self
    }

    /// Adds a member if it has a value.
    pub(crate) fn with_some(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds members that [`JsonObjectWriter::into_members`] serialized.
    pub(crate) fn with_members(mut self, members: &str) -> Self {
        if !members.is_empty() {
            self.push_separator();
            self.0.extend_from_slice(members.as_bytes());
        }
        self
    }

    /// The serialized members without braces, for [`JsonObjectWriter::with_members`].
    pub(crate) fn into_members(self) -> String {
        let members = String::from_utf8(self.0).expect("JSON is UTF-8");
        members.strip_prefix('{').unwrap_or_default().to_owned()
    }

    /// The serialized object.
    pub(crate) fn into_json(mut self) -> Vec<u8> {
        if self.0.is_empty() {
            self.0.push(b'{');
        }
        self.0.push(b'}');
        self.0
    }

    fn push_separator(&mut self) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
    }
}

impl IntoResponse for JsonObjectWriter {
    fn into_response(self) -> Response {
        const JSON: HeaderValue = HeaderValue::from_static("application/json");
        const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");
        let mut response = Response::new(self.into_json().into());
        let headers = response.headers_mut();
        // Reserves space for the default response headers, so that the map grows only once.
        headers.reserve(8);
        headers.insert(header::CONTENT_TYPE, JSON);
        // With the default Cache-Control: no-store, for what has tokens (RFC 6749, 5.1).
        headers.insert(header::PRAGMA, NO_CACHE);
        response
    }
}

fn write(buffer: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(buffer, value)
        .expect("strings, numbers, and lists and maps of strings serialize");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn parse(object: JsonObjectWriter) -> Value {
        serde_json::from_slice(&object.into_json()).unwrap()
    }

    #[test]
    fn members_and_fragments_form_one_object() {
        assert_eq!(parse(JsonObjectWriter::new()), json!({}));
        assert_eq!(parse(JsonObjectWriter::new().with_members("")), json!({}));
        let none: Option<&str> = None;
        assert_eq!(
            parse(JsonObjectWriter::new().with_some("none", none)),
            json!({})
        );
        let some = JsonObjectWriter::new()
            .with("\"quoted\"", "نورة \u{0}\n\"}")
            .with_members(&JsonObjectWriter::new().into_members())
            .with_members(
                &JsonObjectWriter::new()
                    .with("a", 1)
                    .with("b", ["x"])
                    .into_members(),
            )
            .with_some("c", Some("d"));
        assert_eq!(
            parse(some),
            json!({"\"quoted\"": "نورة \u{0}\n\"}", "a": 1, "b": ["x"], "c": "d"})
        );
    }
}
