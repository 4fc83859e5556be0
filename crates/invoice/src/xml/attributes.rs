//! Attributes of a start tag, stored as ranges of its text.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

use super::MalformedXml;

/// The largest number of attributes of one element.
const MAX_ATTRIBUTES: usize = 64;

/// The largest name of an element or attribute with its prefix, in bytes. Paths are made of names, and many paths are kept: names of
/// any length would multiply the size of a file.
pub(super) const MAX_NAME_BYTES: usize = 256;

/// One attribute of a start tag.
pub(super) struct Attribute {
    name: Range<usize>,
    value: Value,
    /// Whether the caller has read it.
    pub(super) consumed: bool,
}

/// A value, mostly a range of the tag.
enum Value {
    Raw(Range<usize>),
    Resolved(String),
}

/// Why attributes cannot be read.
pub(super) enum AttributeError {
    TooMany,
    LongName,
    Malformed(MalformedXml),
}

impl Attribute {
    pub(super) fn name<'a>(&self, tag: &'a str) -> &'a str {
        &tag[self.name.clone()]
    }

    pub(super) fn value<'a>(&'a self, tag: &'a str) -> &'a str {
        match &self.value {
            Value::Raw(range) => &tag[range.clone()],
            Value::Resolved(value) => value,
        }
    }

    /// The prefix that a namespace declaration binds; empty for the default namespace.
    pub(super) fn prefix<'a>(&self, tag: &'a str) -> Option<&'a str> {
        match self.name(tag).strip_prefix("xmlns")? {
            "" => Some(""),
            rest => rest.strip_prefix(':'),
        }
    }
}

/// Reads the attributes of a start tag whose name has `name` bytes.
pub(super) fn read(
    tag: &str,
    name: usize,
    into: &mut Vec<Attribute>,
) -> Result<(), AttributeError> {
    let start = BytesStart::from_content(tag, name);
    // Borrowed keys and values are stored as ranges of the tag.
    let within = |part: &str| {
        let at = part.as_ptr() as usize - tag.as_ptr() as usize;
        at..at + part.len()
    };
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| AttributeError::Malformed(error.into()))?;
        if into.len() == MAX_ATTRIBUTES {
            return Err(AttributeError::TooMany);
        }
        let key = attribute.key.into_inner();
        if key.len() > MAX_NAME_BYTES {
            return Err(AttributeError::LongName);
        }
        if into.iter().any(|known| known.name(tag) == key) {
            return Err(AttributeError::Malformed(
                MalformedXml::DuplicateAttribute {
                    name: key.to_owned(),
                },
            ));
        }
        let value = match &attribute.value {
            Cow::Borrowed(raw) if !raw.contains(['&', '\t', '\n', '\r']) => Value::Raw(within(raw)),
            Cow::Borrowed(_) | Cow::Owned(_) => {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                Value::Resolved(
                    value
                        .map_err(|error| AttributeError::Malformed(error.into()))?
                        .into_owned(),
                )
            }
        };
        into.push(Attribute {
            name: within(key),
            value,
            consumed: false,
        });
    }
    Ok(())
}
