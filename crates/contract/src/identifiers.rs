//! Identifiers that client and service exchange. Each is a type of its own, so that swapped arguments do not compile.

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! identifiers {
    ($($(#[$documentation:meta])* $name:ident;)*) => {$(
        $(#[$documentation])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        #[cfg_attr(feature = "specta", derive(specta::Type))]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// An identifier with this text. Its issuer defines the form, so nothing is checked.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text, as it is sent and stored.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text, as it is sent and stored.
            #[must_use]
            pub fn into_string(self) -> String {
                self.0
            }

            /// Whether the text is empty, as in a protobuf message whose field is absent.
            #[must_use]
            pub const fn is_empty(&self) -> bool {
                self.0.is_empty()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        /// Maps with this key can be searched by text.
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(identifier: $name) -> Self {
                identifier.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, text: &str) -> bool {
                self.0 == text
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, text: &&str) -> bool {
                self.0 == *text
            }
        }
    )*};
}

identifiers! {
    /// An organization (tenant): the key of a roles claim's inner map, and the value of the header that targets one
    /// (contract, parts 2 and 5).
    OrganizationId;
    /// A user or machine user: the claim `sub` (contract, part 2).
    SubjectId;
    /// A registered application: the OAuth `client_id` (RFC 6749, section 2.2).
    ClientId;
    /// A document, by the UUIDv7 that its creator chose (decision 0018).
    DocumentKey;
    /// A plan, by the UUIDv7 that its creator chose (decision 0118).
    PlanId;
    /// The version of a document that a write is based on (contract, part 7, "Concurrency").
    ConcurrencyStamp;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_its_text_in_json() {
        let organization = OrganizationId::new("274");
        assert_eq!(serde_json::to_string(&organization).unwrap(), "\"274\"");
        let read: OrganizationId = serde_json::from_str("\"274\"").unwrap();
        assert_eq!(read, organization);
    }

    #[test]
    fn a_map_is_searched_by_text() {
        let map = std::collections::BTreeMap::from([(SubjectId::new("7"), 1)]);
        assert_eq!(map.get("7"), Some(&1));
    }
}
