//! The attributes of a start tag, kept as parts of it.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

/// Attributes of one element.
const MOST: usize = 64;

/// One attribute of a tag.
pub(super) struct Attribute {
    name: Range<usize>,
    value: Value,
    /// Somebody asked for it.
    pub(super) consumed: bool,
}

/// Mostly a part of the tag as it stands there.
enum Value {
    Raw(Range<usize>),
    Resolved(String),
}

/// Why attributes are not read.
pub(super) enum AttributeError {
    TooMany,
    Malformed(String),
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

    /// The prefix that it binds, if it does.
    pub(super) fn prefix<'a>(&self, tag: &'a str) -> Option<&'a str> {
        match self.name(tag).strip_prefix("xmlns")? {
            "" => Some(""),
            rest => rest.strip_prefix(':'),
        }
    }
}

/// Reads the attributes of a tag whose name has so many bytes.
pub(super) fn read(
    tag: &str,
    name: usize,
    into: &mut Vec<Attribute>,
) -> Result<(), AttributeError> {
    let start = BytesStart::from_content(tag, name);
    let malformed = |reason: String| AttributeError::Malformed(reason);
    // Keys and values that are parts of the tag are kept as such.
    let within = |part: &str| {
        let at = part.as_ptr() as usize - tag.as_ptr() as usize;
        at..at + part.len()
    };
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| malformed(error.to_string()))?;
        if into.len() == MOST {
            return Err(AttributeError::TooMany);
        }
        let key = attribute.key.into_inner();
        if into.iter().any(|known| known.name(tag) == key) {
            return Err(malformed(format!("the attribute {key} stands twice")));
        }
        let value = match &attribute.value {
            Cow::Borrowed(raw) if !raw.contains(['&', '\t', '\n', '\r']) => Value::Raw(within(raw)),
            Cow::Borrowed(_) | Cow::Owned(_) => {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                Value::Resolved(
                    value
                        .map_err(|error| malformed(error.to_string()))?
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
