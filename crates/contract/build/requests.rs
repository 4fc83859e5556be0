//! The messages that requests contain, and the options of their fields that say how much a request may hold.

use std::collections::BTreeMap;
use std::error::Error;

use prost_reflect::{
    DescriptorPool, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor, Value,
};

/// The requests of all operations.
pub(crate) struct Requests {
    /// By full name.
    pub(crate) messages: BTreeMap<String, MessageDescriptor>,
    /// These, and the messages of their fields at any depth, by full name.
    pub(crate) parts: BTreeMap<String, MessageDescriptor>,
    max_items: ExtensionDescriptor,
    max_characters: ExtensionDescriptor,
    max_bytes: ExtensionDescriptor,
    output: ExtensionDescriptor,
}

impl Requests {
    /// Those of the operations of `pool`.
    ///
    /// # Errors
    /// A message in a request is nested or recursive, or in a map or a oneof; or access.proto lacks an option.
    pub(crate) fn of(pool: &DescriptorPool) -> Result<Self, Box<dyn Error>> {
        let option = |name: &str| {
            pool.get_extension_by_name(name)
                .ok_or_else(|| format!("access.proto defines no ({name})"))
        };
        let (mut messages, mut parts) = (BTreeMap::new(), BTreeMap::new());
        for service in pool.services() {
            for method in service.methods() {
                let request = method.input();
                collect(&request, &mut Vec::new(), &mut parts)?;
                messages.insert(request.full_name().to_owned(), request);
            }
        }
        Ok(Self {
            messages,
            parts,
            max_items: option("invoicing.max_items")?,
            max_characters: option("invoicing.max_characters")?,
            max_bytes: option("invoicing.max_bytes")?,
            output: option("invoicing.output")?,
        })
    }

    /// Whether a request that contains the field is refused.
    pub(crate) fn is_output(&self, field: &FieldDescriptor) -> bool {
        *field.options().get_extension(&self.output) == Value::Bool(true)
    }

    /// The number in `(invoicing.max_items)`; `None` if it is absent.
    pub(crate) fn max_items(&self, field: &FieldDescriptor) -> Option<u32> {
        number(field, &self.max_items)
    }

    /// The number in `(invoicing.max_characters)`; `None` if it is absent.
    pub(crate) fn max_characters(&self, field: &FieldDescriptor) -> Option<u32> {
        number(field, &self.max_characters)
    }

    /// The number in `(invoicing.max_bytes)`; `None` if it is absent.
    pub(crate) fn max_bytes(&self, field: &FieldDescriptor) -> Option<u32> {
        number(field, &self.max_bytes)
    }
}

fn number(field: &FieldDescriptor, option: &ExtensionDescriptor) -> Option<u32> {
    let number = field.options().get_extension(option).as_u32()?;
    (number > 0).then_some(number)
}

/// Adds a message and the messages of its fields.
fn collect(
    message: &MessageDescriptor,
    parents: &mut Vec<String>,
    found: &mut BTreeMap<String, MessageDescriptor>,
) -> Result<(), Box<dyn Error>> {
    let name = message.full_name().to_owned();
    if parents.contains(&name) {
        return Err(format!("{name} is recursive").into());
    }
    if message.parent_message().is_some() {
        return Err(format!("{name} is nested").into());
    }
    parents.push(name.clone());
    for field in message.fields() {
        if let Kind::Message(inner) = field.kind() {
            if field.is_map() || field.containing_oneof().is_some() {
                return Err(format!("{} is a map or a oneof", field.full_name()).into());
            }
            collect(&inner, parents, found)?;
        }
    }
    parents.pop();
    found.insert(name, message.clone());
    Ok(())
}
