//! Reads JSON into a message by the proto3 JSON mapping. Every member must be a field; each violation is reported with its path.

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::DecodePaddingMode::Indifferent;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use invoicing_contract::request_limits::{max_items, too_many};
use invoicing_contract::status::MAX_VIOLATIONS;
use invoicing_contract::{FieldMask, FieldViolation};
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage as _, Value,
};

use super::json::Json;
use super::whole_number::parse_int32;

/// Most characters of a member name in a reported path.
const MAX_NAME_CHARACTERS: usize = 100;

/// Reads one message, and collects the violations.
#[derive(Default)]
pub(super) struct MessageReader {
    pub(super) violations: Vec<FieldViolation>,
}

impl MessageReader {
    /// The message at `path`, as far as it can be read.
    pub(super) fn read_message(
        &mut self,
        descriptor: &MessageDescriptor,
        json: Json,
        path: &str,
    ) -> DynamicMessage {
        let mut message = DynamicMessage::new(descriptor.clone());
        let Json::Object(members) = json else {
            self.add_violation(path, "must be an object");
            return message;
        };
        let mut seen = Vec::new();
        for (name, value) in members {
            let at = join(path, &name);
            let Some(field) = field(descriptor, &name) else {
                self.add_violation(&at, "is not a field of this request");
                continue;
            };
            if seen.contains(&field.number()) {
                self.add_violation(&at, "is given twice");
                continue;
            }
            seen.push(field.number());
            // In the proto3 JSON mapping null is an absent field.
            if value == Json::Null {
                continue;
            }
            if let Some(value) = self.read_field(&field, value, &join(path, field.json_name())) {
                message.set_field(&field, value);
            }
        }
        message
    }

    /// Sets the fields that the path contains. The body may repeat them with the same value.
    pub(super) fn set_path_variables(
        &mut self,
        message: &mut DynamicMessage,
        variables: &[(String, String)],
    ) {
        for (name, value) in variables {
            let Some(field) = message.descriptor().get_field_by_name(name) else {
                continue;
            };
            let in_body = message.get_field(&field);
            if in_body
                .as_str()
                .is_some_and(|text| !text.is_empty() && text != value)
            {
                self.add_violation(field.json_name(), "differs from the path");
            }
            message.set_field(&field, Value::String(value.clone()));
        }
    }

    /// Sets the fields that the query contains. Without `allowed`, each parameter is a violation. Bytes are in a body only.
    pub(super) fn set_query_parameters(
        &mut self,
        message: &mut DynamicMessage,
        query: &str,
        allowed: bool,
    ) {
        let descriptor = message.descriptor();
        // A message does not tell a field with its default from an absent one.
        let mut seen = Vec::new();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let known = field(&descriptor, &name).filter(|field| allowed && !field.is_list());
            let is_value = |field: &FieldDescriptor| {
                let kind = field.kind();
                kind != Kind::Bytes && kind.as_message().is_none_or(is_field_mask)
            };
            let Some(field) = known.filter(is_value) else {
                self.add_violation(&name, "is not a parameter of this request");
                continue;
            };
            if message.has_field(&field) || seen.contains(&field.number()) {
                self.add_violation(&name, "is given twice");
                continue;
            }
            seen.push(field.number());
            let value = match (field.kind(), &*value) {
                (Kind::Bool, "true") => Json::Bool(true),
                (Kind::Bool, "false") => Json::Bool(false),
                _ => Json::String(value.into_owned()),
            };
            if let Some(value) = self.read_field(&field, value, field.json_name()) {
                message.set_field(&field, value);
            }
        }
    }

    fn read_field(&mut self, field: &FieldDescriptor, json: Json, path: &str) -> Option<Value> {
        if !field.is_list() {
            return self.read_value(&field.kind(), json, path);
        }
        let Json::Array(items) = json else {
            self.add_violation(path, "must be an array");
            return None;
        };
        if let Some(max) = max_items(field.full_name()).filter(|max| items.len() > *max) {
            self.push_violation(too_many(path, max));
            return None;
        }
        let mut values = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            values.extend(self.read_value(&field.kind(), item, &format!("{path}[{index}]")));
        }
        Some(Value::List(values))
    }

    fn read_value(&mut self, kind: &Kind, json: Json, path: &str) -> Option<Value> {
        match (kind, json) {
            (Kind::Message(descriptor), json) if is_field_mask(descriptor) => {
                self.read_field_mask(descriptor, json, path)
            }
            (Kind::Message(descriptor), json) if is_timestamp(descriptor) => {
                self.read_timestamp(descriptor, &json, path)
            }
            (Kind::Message(descriptor), json @ Json::Object(_)) => {
                Some(Value::Message(self.read_message(descriptor, json, path)))
            }
            (Kind::String, Json::String(text)) => Some(Value::String(text)),
            (Kind::String, Json::UnpairedSurrogate) => {
                self.invalid(path, "contains half of a surrogate pair")
            }
            (Kind::Bool, Json::Bool(value)) => Some(Value::Bool(value)),
            (Kind::Enum(descriptor), Json::String(name)) => {
                match descriptor.get_value_by_name(&name) {
                    Some(value) => Some(Value::EnumNumber(value.number())),
                    None => self.invalid(path, "is not one of the names that exist"),
                }
            }
            (Kind::Enum(descriptor), Json::Number(text)) => {
                let known = parse_int32(&text).and_then(|number| descriptor.get_value(number));
                match known {
                    Some(value) => Some(Value::EnumNumber(value.number())),
                    None => self.invalid(path, "is not one of the numbers that exist"),
                }
            }
            (
                Kind::Int32 | Kind::Sint32 | Kind::Sfixed32,
                Json::Number(text) | Json::String(text),
            ) => match parse_int32(&text) {
                Some(number) => Some(Value::I32(number)),
                None => self.invalid(
                    path,
                    "is not a whole number between -2147483648 and 2147483647",
                ),
            },
            (Kind::Bytes, Json::String(text)) => match decode_base64(&text) {
                Some(bytes) => Some(Value::Bytes(bytes.into())),
                None => self.invalid(path, "is not Base64"),
            },
            (Kind::Message(_), _) => self.invalid(path, "must be an object"),
            (Kind::String | Kind::Bytes, _) => self.invalid(path, "must be a string"),
            (Kind::Bool, _) => self.invalid(path, "must be true or false"),
            (Kind::Enum(_), _) => self.invalid(path, "must be a name"),
            (_, _) => self.invalid(path, "must be a whole number"),
        }
    }

    /// The paths are in one text, as `buyer.taxId,dueDate`.
    fn read_field_mask(
        &mut self,
        descriptor: &MessageDescriptor,
        json: Json,
        path: &str,
    ) -> Option<Value> {
        let Json::String(text) = json else {
            return self.invalid(path, "must be a string");
        };
        match FieldMask::parse(&text) {
            Ok(mask) => {
                let mut message = DynamicMessage::new(descriptor.clone());
                let paths = mask.paths.into_iter().map(Value::String).collect();
                message.set_field_by_name("paths", Value::List(paths));
                Some(Value::Message(message))
            }
            Err(index) => self.invalid(
                &format!("{path}.paths[{index}]"),
                "is not a path in lowerCamelCase",
            ),
        }
    }

    /// A time is one text of RFC 3339. Requests have times in filters, and as output fields of records.
    fn read_timestamp(
        &mut self,
        descriptor: &MessageDescriptor,
        json: &Json,
        path: &str,
    ) -> Option<Value> {
        let time = if let Json::String(text) = json {
            text.parse::<jiff::Timestamp>().ok()
        } else {
            None
        };
        let Some(time) = time else {
            return self.invalid(path, "is not a time such as 2026-11-14T08:30:00Z");
        };
        let mut message = DynamicMessage::new(descriptor.clone());
        message.set_field_by_name("seconds", Value::I64(time.as_second()));
        message.set_field_by_name("nanos", Value::I32(time.subsec_nanosecond()));
        Some(Value::Message(message))
    }

    fn invalid(&mut self, path: &str, description: &str) -> Option<Value> {
        self.add_violation(path, description);
        None
    }

    fn add_violation(&mut self, path: &str, description: &str) {
        self.push_violation(FieldViolation::new(path, description));
    }

    fn push_violation(&mut self, violation: FieldViolation) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(violation);
        }
    }
}

/// Whether [`MessageReader`] can read a field of this type. The gateway does not start with a route that has another.
pub(super) fn is_readable(field: &FieldDescriptor) -> bool {
    let known = matches!(
        field.kind(),
        Kind::Message(_)
            | Kind::String
            | Kind::Bytes
            | Kind::Bool
            | Kind::Enum(_)
            | Kind::Int32
            | Kind::Sint32
            | Kind::Sfixed32
    );
    known && !field.is_map()
}

/// Whether the JSON form of a message is one text, so that its fields are not read.
pub(super) fn is_timestamp(descriptor: &MessageDescriptor) -> bool {
    descriptor.full_name() == "google.protobuf.Timestamp"
}

fn is_field_mask(descriptor: &MessageDescriptor) -> bool {
    descriptor.full_name() == "google.protobuf.FieldMask"
}

/// The proto3 JSON mapping takes both alphabets, with and without padding.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let alphabet = if text.contains(['-', '_']) {
        &URL_SAFE
    } else {
        &STANDARD
    };
    let padding = GeneralPurposeConfig::new().with_decode_padding_mode(Indifferent);
    GeneralPurpose::new(alphabet, padding).decode(text).ok()
}

/// The field with this JSON name, or with this name in the .proto file. The JSON mapping allows both.
fn field(descriptor: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    descriptor
        .get_field_by_json_name(name)
        .or_else(|| descriptor.get_field_by_name(name))
}

/// The path of a member. Its name can be any text of the caller, so the path has only the beginning of it.
fn join(path: &str, name: &str) -> String {
    let name: String = name.chars().take(MAX_NAME_CHARACTERS).collect();
    if path.is_empty() {
        name
    } else {
        format!("{path}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::descriptor_pool;

    use super::*;

    /// The violations of a query of a request.
    fn violations(request: &str, query: &str) -> Vec<String> {
        let pool = descriptor_pool();
        let descriptor = pool.get_message_by_name(request).expect("a request");
        let mut reader = MessageReader::default();
        reader.set_query_parameters(&mut DynamicMessage::new(descriptor), query, true);
        let violations = reader.violations.into_iter();
        violations
            .map(|violation| format!("{} {}", violation.field, violation.description))
            .collect()
    }

    #[test]
    fn parameter_with_its_default_counts_as_given() {
        let of = |query| violations("invoicing.payments.v2.ListPaymentsRequest", query);
        assert!(of("pageSize=0&pageToken=").is_empty());
        assert_eq!(of("pageSize=0&pageSize=5"), ["pageSize is given twice"]);
        assert_eq!(of("pageSize=0&page_size=5"), ["page_size is given twice"]);
        assert_eq!(of("pageToken=&pageToken=x"), ["pageToken is given twice"]);
    }

    #[test]
    fn bytes_are_no_parameter() {
        let of = |query| violations("invoicing.documents.v2.ImportDocumentRequest", query);
        assert!(of("validateOnly=true").is_empty());
        assert_eq!(
            of("content=AAAA"),
            ["content is not a parameter of this request"]
        );
    }
}
