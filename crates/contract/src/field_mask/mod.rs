//! `google.protobuf.FieldMask`: which fields an update changes (AIP-134, AIP-161), and which an answer has (AIP-157).

#[cfg(feature = "grpc")]
mod apply;
#[cfg(all(test, feature = "grpc"))]
mod apply_tests;

#[cfg(feature = "grpc")]
mod paths;
#[cfg(feature = "grpc")]
mod selection;

#[cfg(feature = "grpc")]
pub use apply::apply;
#[cfg(feature = "grpc")]
pub use selection::FieldSelection;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Fields of a record that is updated or read, as paths from it. Unlike the type of `pbjson-types` its JSON form is that
/// of the proto3 JSON mapping: one text, as `buyer.name,dueDate`.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct FieldMask {
    /// The paths, in the names of the .proto file, as `buyer.tax_id`; or only `*`, for every field.
    #[prost(string, repeated, tag = "1")]
    pub paths: Vec<String>,
}

impl FieldMask {
    /// The mask of some paths, in the names of the .proto file.
    pub fn of<Path: Into<String>>(paths: impl IntoIterator<Item = Path>) -> Self {
        Self {
            paths: paths.into_iter().map(Into::into).collect(),
        }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// The index of the first path that is empty, or not in lowerCamelCase.
    pub fn parse(text: &str) -> Result<Self, usize> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let paths = text.split(',').enumerate();
        let paths = paths.map(|(index, path)| proto_path(path.trim()).ok_or(index));
        Ok(Self {
            paths: paths.collect::<Result<_, _>>()?,
        })
    }

    /// The JSON form.
    #[must_use]
    pub fn text(&self) -> String {
        let paths: Vec<_> = self.paths.iter().map(|path| json_path(path)).collect();
        paths.join(",")
    }
}

impl Serialize for FieldMask {
    fn serialize<Target: Serializer>(
        &self,
        serializer: Target,
    ) -> Result<Target::Ok, Target::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for FieldMask {
    fn deserialize<Source: Deserializer<'de>>(source: Source) -> Result<Self, Source::Error> {
        let text = String::deserialize(source)?;
        Self::parse(&text).map_err(|index| {
            serde::de::Error::custom(format_args!("path {index} is not a lowerCamelCase path"))
        })
    }
}

/// `buyer.tax_id` of `buyer.taxId`. `None` if it is not in lowerCamelCase.
fn proto_path(path: &str) -> Option<String> {
    if path.is_empty() || path.contains('_') {
        return None;
    }
    let mut name = String::with_capacity(path.len() + 4);
    for letter in path.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    Some(name)
}

/// `buyer.taxId` of `buyer.tax_id`.
fn json_path(path: &str) -> String {
    let mut name = String::with_capacity(path.len());
    let mut upper = false;
    for letter in path.chars() {
        if letter == '_' {
            upper = true;
        } else if upper {
            name.push(letter.to_ascii_uppercase());
            upper = false;
        } else {
            name.push(letter);
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_form_is_one_text_in_lower_camel_case() {
        let mask = FieldMask::of(["buyer.tax_id", "due_date"]);
        let json = serde_json::to_string(&mask).expect("a text");
        assert_eq!(json, r#""buyer.taxId,dueDate""#);
        assert_eq!(
            serde_json::from_str::<FieldMask>(&json).expect("a mask"),
            mask
        );
        assert_eq!(FieldMask::parse(""), Ok(FieldMask::default()));
        assert_eq!(FieldMask::parse("*"), Ok(FieldMask::of(["*"])));
    }

    #[test]
    fn path_that_is_empty_or_in_snake_case_is_refused() {
        assert_eq!(FieldMask::parse("dueDate,,note"), Err(1));
        assert_eq!(FieldMask::parse("note,due_date"), Err(1));
        assert!(serde_json::from_str::<FieldMask>(r#"{"paths": ["note"]}"#).is_err());
    }
}
