//! Elements and attributes that the model does not represent.

use std::collections::BTreeMap;

/// An element or attribute that was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmappedElement {
    /// The path: `Invoice/cac:InvoiceLine/cbc:Note@languageID`.
    pub name: String,
    /// The number of occurrences.
    pub count: u64,
    /// The position of the first occurrence, in bytes from the start of the file.
    pub position: u64,
}

/// Unmapped elements by path, each with its count and first position.
#[derive(Debug, Default)]
pub(super) struct UnmappedElements(BTreeMap<String, (u64, u64)>);

impl UnmappedElements {
    /// Adds an occurrence. `false` if there are `most` other paths already.
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

    /// Adds all elements of another collection. `false` if there are more than `most` paths then.
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

/// Attributes that are unmapped unless a value read later, such as the document currency, equals theirs.
#[derive(Debug, Default)]
pub(super) struct PendingUnmapped {
    pub(super) by_word: BTreeMap<String, UnmappedElements>,
    pub(super) names: usize,
}
