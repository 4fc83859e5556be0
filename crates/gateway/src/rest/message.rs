//! JSON into a message (the proto3 JSON mapping, strictly): nothing is dropped, and everything wrong is told with its path.

use invoicing_contract::FieldViolation;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage as _, Value,
};

use super::json::Json;

/// Most violations of one body that are told.
const MOST_VIOLATIONS: usize = 100;

/// Reads, and gathers everything wrong.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) violations: Vec<FieldViolation>,
}

impl Reading {
    /// The message at `path`, as far as it can be read.
    pub(super) fn message(
        &mut self,
        descriptor: &MessageDescriptor,
        json: Json,
        path: &str,
    ) -> DynamicMessage {
        let mut message = DynamicMessage::new(descriptor.clone());
        let Json::Object(members) = json else {
            self.wrong(path, "must be an object");
            return message;
        };
        let mut seen = Vec::new();
        for (name, value) in members {
            let at = join(path, &name);
            let Some(field) = field(descriptor, &name) else {
                self.wrong(&at, "is not a field of this request");
                continue;
            };
            if seen.contains(&field.number()) {
                self.wrong(&at, "is given twice");
                continue;
            }
            seen.push(field.number());
            // null is the absent value.
            if value == Json::Null {
                continue;
            }
            if let Some(value) = self.field(&field, value, &join(path, field.json_name())) {
                message.set_field(&field, value);
            }
        }
        message
    }

    /// Fields that the path gives. The body may repeat them, but not contradict them.
    pub(super) fn variables(
        &mut self,
        message: &mut DynamicMessage,
        variables: &[(String, String)],
    ) {
        for (name, value) in variables {
            let Some(field) = message.descriptor().get_field_by_name(name) else {
                continue;
            };
            let given = message.get_field(&field);
            if given
                .as_str()
                .is_some_and(|given| !given.is_empty() && given != value)
            {
                self.wrong(field.json_name(), "differs from the path");
            }
            message.set_field(&field, Value::String(value.clone()));
        }
    }

    /// Query parameters: fields of the message where it has no body, else nothing.
    pub(super) fn query(&mut self, message: &mut DynamicMessage, query: &str, allowed: bool) {
        let descriptor = message.descriptor();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let known = field(&descriptor, &name).filter(|field| allowed && !field.is_list());
            let Some(field) = known.filter(|field| !matches!(field.kind(), Kind::Message(_)))
            else {
                self.wrong(&name, "is not a parameter of this request");
                continue;
            };
            if message.has_field(&field) {
                self.wrong(&name, "is given twice");
                continue;
            }
            let value = match (field.kind(), &*value) {
                (Kind::Bool, "true") => Json::Bool(true),
                (Kind::Bool, "false") => Json::Bool(false),
                _ => Json::String(value.into_owned()),
            };
            if let Some(value) = self.field(&field, value, field.json_name()) {
                message.set_field(&field, value);
            }
        }
    }

    fn field(&mut self, field: &FieldDescriptor, json: Json, path: &str) -> Option<Value> {
        if !field.is_list() {
            return self.value(&field.kind(), json, path);
        }
        let Json::Array(items) = json else {
            self.wrong(path, "must be an array");
            return None;
        };
        let mut values = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            values.extend(self.value(&field.kind(), item, &format!("{path}[{index}]")));
        }
        Some(Value::List(values))
    }

    fn value(&mut self, kind: &Kind, json: Json, path: &str) -> Option<Value> {
        match (kind, json) {
            (Kind::Message(descriptor), json @ Json::Object(_)) => {
                Some(Value::Message(self.message(descriptor, json, path)))
            }
            (Kind::String, Json::String(text)) => Some(Value::String(text)),
            (Kind::String, Json::BrokenString) => {
                self.none(path, "contains half of a surrogate pair")
            }
            (Kind::Bool, Json::Bool(value)) => Some(Value::Bool(value)),
            (Kind::Enum(descriptor), Json::String(name)) => {
                match descriptor.get_value_by_name(&name) {
                    Some(value) => Some(Value::EnumNumber(value.number())),
                    None => self.none(path, "is not one of the names that exist"),
                }
            }
            (Kind::Enum(descriptor), Json::Number(text)) => {
                let known = text
                    .parse()
                    .ok()
                    .and_then(|number| descriptor.get_value(number));
                match known {
                    Some(value) => Some(Value::EnumNumber(value.number())),
                    None => self.none(path, "is not one of the numbers that exist"),
                }
            }
            (
                Kind::Int32 | Kind::Sint32 | Kind::Sfixed32,
                Json::Number(text) | Json::String(text),
            ) => match text.parse() {
                Ok(number) => Some(Value::I32(number)),
                Err(_) => self.none(
                    path,
                    "is not a whole number between -2147483648 and 2147483647",
                ),
            },
            (Kind::Message(_), _) => self.none(path, "must be an object"),
            (Kind::String, _) => self.none(path, "must be a string"),
            (Kind::Bool, _) => self.none(path, "must be true or false"),
            (Kind::Enum(_), _) => self.none(path, "must be a name"),
            (_, _) => self.none(path, "must be a whole number"),
        }
    }

    fn none(&mut self, path: &str, description: &str) -> Option<Value> {
        self.wrong(path, description);
        None
    }

    fn wrong(&mut self, path: &str, description: &str) {
        if self.violations.len() < MOST_VIOLATIONS {
            self.violations.push(FieldViolation::new(path, description));
        }
    }
}

/// Whether this module can read a field of this kind. Routes are refused at start if one of theirs cannot be.
pub(super) fn readable(field: &FieldDescriptor) -> bool {
    let known = matches!(
        field.kind(),
        Kind::Message(_)
            | Kind::String
            | Kind::Bool
            | Kind::Enum(_)
            | Kind::Int32
            | Kind::Sint32
            | Kind::Sfixed32
    );
    known && !field.is_map()
}

/// By its JSON name or its name in the .proto file, as the mapping says.
fn field(descriptor: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    descriptor
        .get_field_by_json_name(name)
        .or_else(|| descriptor.get_field_by_name(name))
}

/// A name as it came, bounded: it goes into the answer.
fn join(path: &str, name: &str) -> String {
    let name: String = name.chars().take(100).collect();
    if path.is_empty() {
        name
    } else {
        format!("{path}.{name}")
    }
}
