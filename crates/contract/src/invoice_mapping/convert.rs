//! Conversion of one field, in either direction, and the macros that implement it for whole messages.

use invoice::content::{Address, PresenceTracked};

use crate::messages::documents;

/// Converts a value to the type of the same field on the other side. `From` cannot be implemented here for `Option` and
/// `Vec` of generated messages.
pub(super) trait Convert<To> {
    fn convert(self) -> To;
}

impl Convert<Self> for String {
    fn convert(self) -> Self {
        self
    }
}

impl Convert<Self> for bool {
    fn convert(self) -> Self {
        self
    }
}

impl<From: Convert<To>, To> Convert<Vec<To>> for Vec<From> {
    fn convert(self) -> Vec<To> {
        self.into_iter().map(Convert::convert).collect()
    }
}

impl<From: Convert<To>, To> Convert<Option<To>> for Option<From> {
    fn convert(self) -> Option<To> {
        self.map(Convert::convert)
    }
}

/// Implements both directions for messages whose fields have the same names on both sides. A field that is missing in the
/// list does not compile.
macro_rules! same_fields {
    ($($message:ident <=> $content:ident { $($field:ident),* $(,)? })*) => {$(
        impl Convert<content::$content> for documents::$message {
            fn convert(self) -> content::$content {
                let Self { $($field),* } = self;
                content::$content { $($field: $field.convert()),* }
            }
        }

        impl Convert<documents::$message> for content::$content {
            fn convert(self) -> documents::$message {
                let Self { $($field),* } = self;
                documents::$message { $($field: $field.convert()),* }
            }
        }
    )*};
}
pub(super) use same_fields;

/// Implements both directions for groups that the message may leave out and the content always has: an absent group and
/// one without any field are the same.
macro_rules! absent_if_empty {
    ($($message:ident <=> $content:ident;)*) => {$(
        impl Convert<content::$content> for Option<documents::$message> {
            fn convert(self) -> content::$content {
                self.map(Convert::convert).unwrap_or_default()
            }
        }

        impl Convert<Option<documents::$message>> for content::$content {
            fn convert(self) -> Option<documents::$message> {
                (self != Self::default()).then(|| self.convert())
            }
        }
    )*};
}
pub(super) use absent_if_empty;

impl Convert<PresenceTracked<Address>> for Option<documents::Address> {
    fn convert(self) -> PresenceTracked<Address> {
        PresenceTracked::present_unless_empty(self.map(Convert::convert).unwrap_or_default())
    }
}

impl Convert<Option<documents::Address>> for PresenceTracked<Address> {
    fn convert(self) -> Option<documents::Address> {
        let address = (*self).clone();
        (address != Address::default()).then(|| address.convert())
    }
}
