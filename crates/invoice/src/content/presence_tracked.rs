//! A group of fields whose presence is tracked separately from its values.

use std::ops::{Deref, DerefMut};

/// A value that tracks whether it is present: an address without fields differs from no address. It reads as the default
/// value while it is absent, and becomes present on the first mutable access.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PresenceTracked<T> {
    value: T,
    is_present: bool,
}

impl<T> PresenceTracked<T> {
    /// Whether the value is present, even if it is empty.
    #[must_use]
    pub const fn is_present(&self) -> bool {
        self.is_present
    }
}

impl<T: Default + PartialEq> PresenceTracked<T> {
    /// A value that is present unless it equals the default, for sources that cannot express an empty value, such as a form.
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
