//! What the descriptors say of messages, in the form in which they are written.

use std::collections::HashMap;
use std::ops::Range;

use prost_reflect::{Cardinality, FieldDescriptor, Kind, MessageDescriptor};
use thiserror::Error;

use crate::rest::message_reader::is_timestamp;

/// A field of a type that the contract does not use in answers.
#[derive(Debug, Error)]
#[error("{0} has a type that cannot be written as JSON")]
pub(in crate::rest) struct UnsupportedField(pub(in crate::rest) String);

/// A message and the messages in it. The first is the outermost.
pub(super) struct Layouts(Vec<Layout>);

/// The form of a message.
pub(super) enum Layout {
    /// A text: google.protobuf.Timestamp.
    Time,
    /// A form of its own that is rare, as that of google.protobuf.Any: `prost-reflect` writes it.
    Reflected(MessageDescriptor),
    Object(ObjectLayout),
}

/// An object with these fields, in the order of their numbers.
pub(super) struct ObjectLayout {
    pub(super) fields: Vec<FieldLayout>,
    /// What is written of the fields that are not there: a comma, name and default of each, in their order. Nothing of those that can be
    /// absent.
    defaults: String,
    /// Where what is written of a field begins in `defaults`, and at last where it ends.
    starts: Vec<usize>,
}

impl ObjectLayout {
    /// Each field, and the default that is written if it is not there.
    fn new(fields: Vec<(FieldLayout, Option<String>)>) -> Self {
        let mut defaults = String::new();
        let mut starts = vec![0];
        for (field, default) in &fields {
            if let Some(default) = default {
                defaults.extend([",", &field.member, default]);
            }
            starts.push(defaults.len());
        }
        Self {
            fields: fields.into_iter().map(|(field, _)| field).collect(),
            defaults,
            starts,
        }
    }

    /// What is written of neighbouring fields that are not there: members, with a comma before each.
    pub(super) fn defaults(&self, fields: Range<usize>) -> &str {
        &self.defaults[self.starts[fields.start]..self.starts[fields.end]]
    }
}

pub(super) struct FieldLayout {
    pub(super) number: u32,
    /// Its name in JSON, in quotes, and the colon.
    pub(super) member: String,
    pub(super) kind: FieldKind,
    pub(super) presence: Presence,
}

#[derive(Debug)]
pub(super) enum FieldKind {
    String,
    Bytes,
    Bool,
    Int32,
    Int64,
    /// The numbers, and the names in quotes.
    Enum(Vec<(i32, String)>),
    /// The index of its layout.
    Message(usize),
}

impl FieldKind {
    /// Whether values are varints, several of which can be one record of a list.
    pub(super) const fn is_varint(&self) -> bool {
        match self {
            Self::Bool | Self::Int32 | Self::Int64 | Self::Enum(_) => true,
            Self::String | Self::Bytes | Self::Message(_) => false,
        }
    }

    /// The default of proto3 in JSON. A message has none: it can be absent.
    fn zero(&self) -> String {
        match self {
            Self::String | Self::Bytes => "\"\"".to_owned(),
            Self::Bool => "false".to_owned(),
            Self::Int32 => "0".to_owned(),
            Self::Int64 => "\"0\"".to_owned(),
            Self::Enum(names) => {
                let zero = names.iter().find(|(number, _)| *number == 0);
                zero.map_or_else(|| "0".to_owned(), |(_, name)| name.clone())
            }
            Self::Message(_) => "null".to_owned(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Always written.
    Implicit,
    /// Left out if it is absent: `optional`, a message, or one of several.
    Explicit,
    /// Any number of values; always written.
    List,
}

impl Layouts {
    pub(super) fn new(descriptor: &MessageDescriptor) -> Result<Self, UnsupportedField> {
        let mut builder = Builder::default();
        builder.add(descriptor)?;
        Ok(Self(builder.layouts))
    }

    pub(super) fn root(&self) -> &Layout {
        self.get(0)
    }

    pub(super) fn get(&self, index: usize) -> &Layout {
        &self.0[index]
    }
}

#[derive(Default)]
struct Builder {
    layouts: Vec<Layout>,
    /// The indexes of the layouts, by the full names of the messages.
    known: HashMap<String, usize>,
}

impl Builder {
    fn add(&mut self, descriptor: &MessageDescriptor) -> Result<usize, UnsupportedField> {
        if let Some(index) = self.known.get(descriptor.full_name()) {
            return Ok(*index);
        }
        let index = self.layouts.len();
        self.known.insert(descriptor.full_name().to_owned(), index);
        // Replaced when the messages in it, which can contain it, have theirs.
        self.layouts.push(Layout::Time);
        if is_timestamp(descriptor) {
            return Ok(index);
        }
        if descriptor.package_name() == "google.protobuf" {
            self.layouts[index] = Layout::Reflected(descriptor.clone());
        } else {
            let mut fields = descriptor
                .fields()
                .map(|field| self.field(&field))
                .collect::<Result<Vec<_>, _>>()?;
            fields.sort_by_key(|(field, _)| field.number);
            self.layouts[index] = Layout::Object(ObjectLayout::new(fields));
        }
        Ok(index)
    }

    /// A field, and the default that is written if it is not there.
    fn field(
        &mut self,
        field: &FieldDescriptor,
    ) -> Result<(FieldLayout, Option<String>), UnsupportedField> {
        let presence = if field.cardinality() == Cardinality::Repeated {
            Presence::List
        } else if field.supports_presence() {
            Presence::Explicit
        } else {
            Presence::Implicit
        };
        let kind = self.kind(field)?;
        let default = match (presence, &kind) {
            (Presence::Explicit, _) => None,
            (Presence::List, _) => Some("[]".to_owned()),
            (Presence::Implicit, kind) => Some(kind.zero()),
        };
        let field = FieldLayout {
            number: field.number(),
            member: format!("{}:", quoted(field.json_name())),
            kind,
            presence,
        };
        Ok((field, default))
    }

    fn kind(&mut self, field: &FieldDescriptor) -> Result<FieldKind, UnsupportedField> {
        let unsupported = || UnsupportedField(field.full_name().to_owned());
        Ok(match field.kind() {
            _ if field.is_map() => return Err(unsupported()),
            Kind::String => FieldKind::String,
            Kind::Bytes => FieldKind::Bytes,
            Kind::Bool => FieldKind::Bool,
            Kind::Int32 => FieldKind::Int32,
            Kind::Int64 => FieldKind::Int64,
            Kind::Enum(values) => {
                let values = values.values();
                FieldKind::Enum(values.map(|of| (of.number(), quoted(of.name()))).collect())
            }
            Kind::Message(message) => FieldKind::Message(self.add(&message)?),
            Kind::Double
            | Kind::Float
            | Kind::Uint32
            | Kind::Uint64
            | Kind::Sint32
            | Kind::Sint64
            | Kind::Fixed32
            | Kind::Fixed64
            | Kind::Sfixed32
            | Kind::Sfixed64 => return Err(unsupported()),
        })
    }
}

/// A name of the contract has no character that JSON escapes.
fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
