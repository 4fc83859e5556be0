//! What stood in a file and has no place in the model.

use std::collections::BTreeMap;

/// A name that was not read, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmappedElement {
    /// The way to it, as in `Invoice/cac:InvoiceLine/cbc:Note@languageID`.
    pub name: String,
    /// How often it stood there.
    pub count: u64,
    /// Where the first one is, in bytes from the start of the file.
    pub position: u64,
}

/// Gathers them by name.
#[derive(Debug, Default)]
pub(super) struct UnmappedElements(BTreeMap<String, (u64, u64)>);

impl UnmappedElements {
    /// Whether there was room for it among `most` names.
    pub(super) fn add(&mut self, name: &str, position: u64, most: usize) -> bool {
        if let Some((count, _)) = self.0.get_mut(name) {
            *count += 1;
            return true;
        }
        if self.0.len() >= most {
            return false;
        }
        self.0.insert(name.to_owned(), (1, position));
        true
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes over what another has elements. Whether there was room for it.
    pub(super) fn append(&mut self, other: Self, most: usize) -> bool {
        for (name, (count, position)) in other.0 {
            let entry = self.0.entry(name).or_insert((0, position));
            *entry = (entry.0 + count, entry.1.min(position));
        }
        self.0.len() <= most
    }

    pub(super) fn into_vec(self) -> Vec<UnmappedElement> {
        self.0
            .into_iter()
            .map(|(name, (count, position))| UnmappedElement {
                name,
                count,
                position,
            })
            .collect()
    }
}

/// What is unread unless a word that stands further down is the one it goes by.
#[derive(Debug, Default)]
pub(super) struct PendingUnmapped {
    pub(super) by_word: BTreeMap<String, UnmappedElements>,
    pub(super) names: usize,
}
