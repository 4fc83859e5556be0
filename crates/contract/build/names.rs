//! Rust names of protobuf items, as prost and tonic make them.

/// `CREATE_DOCUMENT` of `CreateDocument`.
pub(crate) fn screaming_snake_case(camel: &str) -> String {
    snake_case(camel).to_uppercase()
}

/// `ApiAccess` of `API_ACCESS`.
pub(crate) fn upper_camel_case(screaming: &str) -> String {
    let words = screaming.split('_').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        format!("{first}{}", rest.to_lowercase())
    });
    words.collect()
}

/// `create_document` of `CreateDocument`.
pub(crate) fn snake_case(camel: &str) -> String {
    let mut name = String::new();
    for (index, letter) in camel.char_indices() {
        if letter.is_uppercase() && index > 0 {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// The module of a protobuf package: `crate::messages::invoicing::documents::v2`.
pub(crate) fn module(package: &str) -> String {
    format!("crate::messages::{}", package.replace('.', "::"))
}
