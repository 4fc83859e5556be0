//! A value of fields that may be absent as a whole.

use std::ops::{Deref, DerefMut};

/// A value that knows whether it stands there: an address without a single field is not the same as no address. It reads as
/// empty where it does not stand, and stands as soon as it is written to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PresenceTracked<T> {
    value: T,
    is_present: bool,
}

impl<T> PresenceTracked<T> {
    /// Whether it stands there, be it empty.
    #[must_use]
    pub const fn is_present(&self) -> bool {
        self.is_present
    }
}

impl<T: Default + PartialEq> PresenceTracked<T> {
    /// A value from where an empty one and none are the same, such as a form.
    #[must_use]
    pub fn present_unless_empty(value: T) -> Self {
        let is_present = value != T::default();
        Self { value, is_present }
    }
}

impl<T> Deref for PresenceTracked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for PresenceTracked<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.is_present = true;
        &mut self.value
    }
}

impl<T> From<T> for PresenceTracked<T> {
    fn from(value: T) -> Self {
        Self {
            value,
            is_present: true,
        }
    }
}
