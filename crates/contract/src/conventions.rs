//! Tests of what all operations share, over the descriptors (decision 0129).

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor};

use crate::descriptor_pool;

fn methods() -> Vec<MethodDescriptor> {
    let pool = descriptor_pool();
    pool.services()
        .flat_map(|service| service.methods().collect::<Vec<_>>())
        .collect()
}

/// Whether a request names the record that it makes, directly or in the record itself.
fn has_key(message: &MessageDescriptor) -> bool {
    let is_key = |field: &FieldDescriptor| {
        let name = field.name();
        field.kind() == Kind::String
            && (name == "key" || name == "id" || name.ends_with("_key") || name.ends_with("_id"))
    };
    message.fields().any(|field| {
        let inner = field.kind();
        is_key(&field)
            || inner
                .as_message()
                .is_some_and(|inner| inner.fields().any(|field| is_key(&field)))
    })
}

#[test]
fn every_create_names_its_record_so_that_it_can_be_repeated() {
    for method in methods() {
        if method.name().starts_with("Create") {
            assert!(has_key(&method.input()), "{}", method.full_name());
        }
    }
}

#[test]
fn every_update_mask_is_a_field_mask() {
    for method in methods() {
        let input = method.input();
        let Some(mask) = input.get_field_by_name("update_mask") else {
            continue;
        };
        let kind = mask.kind();
        let kind = kind.as_message().map(MessageDescriptor::full_name);
        assert_eq!(
            kind,
            Some("google.protobuf.FieldMask"),
            "{}",
            input.full_name()
        );
    }
}
