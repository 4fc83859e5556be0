//! A JSON object written member by member into one text: what is told again and again is written once and copied into it.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::Serialize;

/// An object that is being written.
pub(super) struct JsonObjectWriter(Vec<u8>);

impl JsonObjectWriter {
    /// Without members yet.
    pub(super) fn new() -> Self {
        // Room for most answers and tokens; those about many roles take more.
        Self(Vec::with_capacity(1024))
    }

    /// And this member.
    pub(super) fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.next();
        write(&mut self.0, name);
        self.0.push(b':');
        write(&mut self.0, &value);
        self
    }

    /// And this member, if it has a value.
    pub(super) fn with_some(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// And those that were [`JsonObjectWriter::into_members`] before.
    pub(super) fn with_members(mut self, written: &str) -> Self {
        if !written.is_empty() {
            self.next();
            self.0.extend_from_slice(written.as_bytes());
        }
        self
    }

    /// Its members, to be copied into another.
    pub(super) fn into_members(self) -> String {
        let members = String::from_utf8(self.0).expect("JSON is UTF-8");
        members.strip_prefix('{').unwrap_or_default().to_owned()
    }

    /// All of it.
    pub(super) fn into_json(mut self) -> Vec<u8> {
        if self.0.is_empty() {
            self.0.push(b'{');
        }
        self.0.push(b'}');
        self.0
    }

    fn next(&mut self) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
    }
}

impl IntoResponse for JsonObjectWriter {
    fn into_response(self) -> Response {
        const JSON: HeaderValue = HeaderValue::from_static("application/json");
        let mut response = Response::new(self.into_json().into());
        let headers = response.headers_mut();
        // And those of every answer, so that no more room has to be made for them.
        headers.reserve(8);
        headers.insert(header::CONTENT_TYPE, JSON);
        response
    }
}

fn write(into: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(into, value)
        .expect("texts, numbers, and lists and maps of texts have a form in JSON");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(object: JsonObjectWriter) -> Value {
        serde_json::from_slice(&object.into_json()).unwrap()
    }

    #[test]
    fn it_is_one_object_however_many_members_there_are() {
        assert_eq!(read(JsonObjectWriter::new()), json!({}));
        assert_eq!(read(JsonObjectWriter::new().with_members("")), json!({}));
        let none: Option<&str> = None;
        assert_eq!(
            read(JsonObjectWriter::new().with_some("none", none)),
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
            read(some),
            json!({"\"quoted\"": "نورة \u{0}\n\"}", "a": 1, "b": ["x"], "c": "d"})
        );
    }
}
