//! The paths of masks as fields of a message.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use super::{FieldMask, json_path};
use crate::FieldViolation;
use crate::status::MAX_VIOLATIONS;

/// The path that stands for every field.
const WILDCARD: &str = "*";
/// Most paths of a mask. The largest record has fewer fields.
const MAX_PATHS: usize = 500;
/// Most characters of a path in a description.
const MAX_PATH_CHARACTERS: usize = 100;

/// What a mask is for.
pub(super) struct MaskUse {
    /// Its path in a request.
    pub(super) field: &'static str,
    /// Why it must not be empty.
    pub(super) empty: &'static str,
    /// Why a path must not go into a repeated field.
    pub(super) repeated: &'static str,
    /// Why the mask cannot name a field; `None` if it can.
    pub(super) refusal: fn(&FieldDescriptor) -> Option<&'static str>,
}

/// The fields that each path of a mask goes through, once for each path. `None` for all fields.
pub(super) fn read_paths(
    descriptor: &MessageDescriptor,
    mask: &FieldMask,
    of: &MaskUse,
) -> Result<Option<Vec<Vec<FieldDescriptor>>>, Vec<FieldViolation>> {
    let whole = |description: String| Err(vec![FieldViolation::new(of.field, description)]);
    let paths = &mask.paths;
    if paths.is_empty() {
        return whole(of.empty.to_owned());
    }
    if paths.len() > MAX_PATHS {
        return whole(format!("must have at most {MAX_PATHS} paths"));
    }
    if paths == &[WILDCARD] {
        return Ok(None);
    }
    let mut found: Vec<Vec<FieldDescriptor>> = Vec::new();
    let mut violations = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        match read_path(descriptor, path, of) {
            // One that is given twice counts once: a list is copied for each path.
            Ok(fields) if found.contains(&fields) => {}
            Ok(fields) => found.push(fields),
            Err(reason) => {
                let path: String = json_path(path).chars().take(MAX_PATH_CHARACTERS).collect();
                violations.push(FieldViolation::new(
                    format!("{}.paths[{index}]", of.field),
                    format!("{path} {reason}"),
                ));
            }
        }
    }
    violations.truncate(MAX_VIOLATIONS);
    if violations.is_empty() {
        Ok(Some(found))
    } else {
        Err(violations)
    }
}

fn read_path(
    descriptor: &MessageDescriptor,
    path: &str,
    of: &MaskUse,
) -> Result<Vec<FieldDescriptor>, &'static str> {
    if path == WILDCARD {
        return Err("must be the only path");
    }
    let mut fields: Vec<FieldDescriptor> = Vec::new();
    for name in path.split('.') {
        let message = match fields.last() {
            None => descriptor.clone(),
            Some(field) if field.is_list() || field.is_map() => return Err(of.repeated),
            Some(field) => inner(field).ok_or("goes into a value without fields")?,
        };
        let field = message
            .get_field_by_name(name)
            .ok_or("is not a field of the record")?;
        if let Some(reason) = (of.refusal)(&field) {
            return Err(reason);
        }
        fields.push(field);
    }
    Ok(fields)
}

/// The message that a single field holds, if it is of the contract.
pub(super) fn inner(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let Kind::Message(inner) = field.kind() else {
        return None;
    };
    let own = inner.package_name().starts_with("invoicing.");
    (own && !field.is_list()).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field_mask::apply::record_descriptor;
    use crate::messages::documents::Invoice;

    #[test]
    fn path_that_is_given_twice_counts_once() {
        let any = MaskUse {
            field: "updateMask",
            empty: "",
            repeated: "",
            refusal: |_| None,
        };
        let invoice = record_descriptor::<Invoice>();
        let paths = |paths: &[&str]| {
            let mask = FieldMask::of(paths.iter().copied());
            let found = read_paths(&invoice, &mask, &any).expect("a mask of fields");
            found.map(|found| found.len())
        };
        assert_eq!(paths(&["lines"; 200]), Some(1));
        assert_eq!(paths(&["lines", "buyer", "buyer.name", "lines"]), Some(3));
        assert_eq!(paths(&["*"]), None);
    }
}
