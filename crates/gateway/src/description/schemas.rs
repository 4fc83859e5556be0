//! JSON Schemas (2020-12) of the messages, by the proto3 JSON mapping.

use std::collections::{BTreeMap, BTreeSet};

use invoicing_contract::request_limits::max_items;
use prost_reflect::{
    DescriptorPool, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor,
    Value as OptionValue,
};
use serde_json::{Map, Value, json};

use super::comments::Comments;

/// The most characters of a text of a request without the option (decision 0089).
const DEFAULT_MAX_CHARACTERS: u32 = 10_000;

/// The schemas of the messages that operations use.
pub(super) struct Schemas<'comments> {
    comments: &'comments Comments,
    output: Option<ExtensionDescriptor>,
    max_characters: Option<ExtensionDescriptor>,
    /// Full names of the messages that requests contain. Only they refuse unknown fields.
    requests: BTreeSet<String>,
    components: BTreeMap<String, Value>,
}

impl<'comments> Schemas<'comments> {
    pub(super) fn new(pool: &DescriptorPool, comments: &'comments Comments) -> Self {
        let mut requests = BTreeSet::new();
        for service in pool.services() {
            for method in service.methods() {
                collect(&method.input(), &mut requests);
            }
        }
        Self {
            comments,
            output: pool.get_extension_by_name("invoicing.output"),
            max_characters: pool.get_extension_by_name("invoicing.max_characters"),
            requests,
            components: BTreeMap::new(),
        }
    }

    /// A reference to the schema of a message.
    pub(super) fn reference(&mut self, message: &MessageDescriptor) -> Value {
        let name = message.full_name().to_owned();
        if !self.components.contains_key(&name) {
            // The place is taken first, because a message may contain itself.
            self.components.insert(name.clone(), Value::Null);
            let schema = self.message(message, &[]);
            self.components.insert(name.clone(), schema);
        }
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    /// The schema of a request's body: its message `without` the fields that the path contains.
    pub(super) fn request(&mut self, message: &MessageDescriptor, without: &[String]) -> Value {
        if without.is_empty() {
            return self.reference(message);
        }
        self.message(message, without)
    }

    /// The schema of one field of a request.
    pub(super) fn request_field(&mut self, field: &FieldDescriptor) -> Value {
        self.field(field, true)
    }

    pub(super) fn into_components(self) -> Map<String, Value> {
        self.components.into_iter().collect()
    }

    fn message(&mut self, message: &MessageDescriptor, without: &[String]) -> Value {
        let of_request = self.requests.contains(message.full_name());
        let mut properties = Map::new();
        for field in message.fields() {
            if !without.iter().any(|name| name == field.name()) {
                let schema = self.field(&field, of_request);
                properties.insert(field.json_name().to_owned(), schema);
            }
        }
        let mut schema = json!({"type": "object", "properties": properties});
        if of_request {
            schema["additionalProperties"] = json!(false);
        }
        if let Some(comment) = self.comments.message(message) {
            schema["description"] = json!(comment);
        }
        schema
    }

    fn field(&mut self, field: &FieldDescriptor, of_request: bool) -> Value {
        let is_output = is_set(field, self.output.as_ref());
        // An output field is in no request, so no limit of requests is its own.
        let limited = of_request && !is_output;
        let mut schema = if field.is_map() {
            let entry = field.kind();
            let value = entry
                .as_message()
                .map(MessageDescriptor::map_entry_value_field);
            let value = value.map_or_else(|| json!({}), |value| self.single(&value, limited));
            json!({"type": "object", "additionalProperties": value})
        } else if field.is_list() {
            let mut schema = json!({"type": "array", "items": self.single(field, limited)});
            if let Some(max) = max_items(field.full_name()).filter(|_| limited) {
                schema["maxItems"] = json!(max);
            }
            schema
        } else {
            self.single(field, limited)
        };
        if is_output {
            schema["readOnly"] = json!(true);
        }
        if let Some(comment) = self.comments.field(field) {
            schema["description"] = json!(comment);
        }
        schema
    }

    /// The schema of one value of a field.
    fn single(&mut self, field: &FieldDescriptor, limited: bool) -> Value {
        match field.kind() {
            Kind::Bool => json!({"type": "boolean"}),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                json!({"type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX})
            }
            Kind::Uint32 | Kind::Fixed32 => {
                json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": u32::MAX})
            }
            // The JSON mapping writes them as text, because they do not fit into a number of JavaScript.
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                json!({"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"})
            }
            Kind::Uint64 | Kind::Fixed64 => {
                json!({"type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$"})
            }
            Kind::Float | Kind::Double => json!({"type": "number"}),
            Kind::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
            Kind::String => {
                let mut schema = json!({"type": "string"});
                if limited {
                    schema["maxLength"] = json!(self.max_characters(field));
                }
                schema
            }
            Kind::Enum(kind) => self.enumeration(&kind),
            Kind::Message(message) => {
                well_known(&message).unwrap_or_else(|| self.reference(&message))
            }
        }
    }

    fn enumeration(&mut self, kind: &EnumDescriptor) -> Value {
        let name = kind.full_name().to_owned();
        let names: Vec<_> = kind.values().map(|value| value.name().to_owned()).collect();
        let mut schema = json!({"type": "string", "enum": names});
        if let Some(comment) = self.comments.enumeration(kind) {
            schema["description"] = json!(comment);
        }
        self.components.insert(name.clone(), schema);
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    fn max_characters(&self, field: &FieldDescriptor) -> u32 {
        let option = self.max_characters.as_ref();
        let own = option.and_then(|option| field.options().get_extension(option).as_u32());
        own.filter(|max| *max > 0).unwrap_or(DEFAULT_MAX_CHARACTERS)
    }
}

/// The JSON form of a message of `google.protobuf`. `None` for a message of ours.
fn well_known(message: &MessageDescriptor) -> Option<Value> {
    Some(match message.full_name() {
        "google.protobuf.Timestamp" => json!({"type": "string", "format": "date-time"}),
        "google.protobuf.Duration" => {
            json!({"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,9})?s$"})
        }
        // An empty mask is a violation, and names of fields are not known here. The star stands for all of them.
        "google.protobuf.FieldMask" => {
            json!({"type": "string", "pattern": "^(\\*|[a-z][A-Za-z0-9.]*(,[a-z][A-Za-z0-9.]*)*)$"})
        }
        // With `@type`, and the fields of that message.
        "google.protobuf.Any" => json!({"type": "object"}),
        "google.protobuf.Empty" => json!({"type": "object"}),
        "google.protobuf.Struct" => json!({"type": "object"}),
        "google.protobuf.Value" => json!({}),
        "google.protobuf.BoolValue" => json!({"type": "boolean"}),
        "google.protobuf.StringValue" => json!({"type": "string"}),
        "google.protobuf.Int32Value" => json!({"type": "integer"}),
        "google.protobuf.Int64Value" => json!({"type": "string"}),
        _ => return None,
    })
}

fn is_set(field: &FieldDescriptor, option: Option<&ExtensionDescriptor>) -> bool {
    option.is_some_and(|option| *field.options().get_extension(option) == OptionValue::Bool(true))
}

/// Adds a message and the messages of its fields.
fn collect(message: &MessageDescriptor, found: &mut BTreeSet<String>) {
    if found.insert(message.full_name().to_owned()) {
        for field in message.fields() {
            if let Kind::Message(inner) = field.kind() {
                collect(&inner, found);
            }
        }
    }
}
