//! A group of fields that may be absent as a whole.

use std::ops::{Deref, DerefMut};

/// A group that knows whether it stands there: an address without a single field is not the same as no address. It reads as
/// empty where it does not stand, and stands as soon as it is written to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated<T> {
    group: T,
    is_stated: bool,
}

impl<T> Stated<T> {
    /// Whether it stands there, be it empty.
    #[must_use]
    pub const fn is_stated(&self) -> bool {
        self.is_stated
    }
}

impl<T: Default + PartialEq> Stated<T> {
    /// A group from where an empty one and none are the same, such as a form.
    #[must_use]
    pub fn unless_empty(group: T) -> Self {
        let is_stated = group != T::default();
        Self { group, is_stated }
    }
}

impl<T> Deref for Stated<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.group
    }
}

impl<T> DerefMut for Stated<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.is_stated = true;
        &mut self.group
    }
}

impl<T> From<T> for Stated<T> {
    fn from(group: T) -> Self {
        Self {
            group,
            is_stated: true,
        }
    }
}
