//! Records unmapped elements, attributes and text by path.

use std::io::BufRead;

use super::source::{ElementEvent, Source};
use super::unmapped::PendingUnmapped;
use super::{Limit, ReadError};

impl<R: BufRead> Source<R> {
    /// Records a part of the current element; `what` is appended to its path.
    pub(crate) fn record_unmapped(&mut self, what: &str) -> Result<(), ReadError> {
        let (position, most) = (self.position(), self.limits.unmapped_names);
        let above = &self.path[..self.path_length];
        let fits = if what.is_empty() {
            self.unmapped.add(above, position, most)
        } else {
            self.unmapped.add(&format!("{above}{what}"), position, most)
        };
        self.check_capacity(fits)
    }

    /// Records the element that ended last.
    pub(crate) fn record_last_unmapped(&mut self) -> Result<(), ReadError> {
        let (position, most) = (self.position(), self.limits.unmapped_names);
        let fits = self.unmapped.add(&self.path, position, most);
        self.check_capacity(fits)
    }

    /// Records a part of the element that ended last, with the prefixes of the standard.
    pub(crate) fn record_unmapped_in_last(&mut self, what: &str) -> Result<(), ReadError> {
        let within = format!("{}/{what}", &self.path[self.path_length..]);
        self.record_unmapped(&within)
    }

    /// Fails if the limit of unmapped paths was reached.
    fn check_capacity(&self, fits: bool) -> Result<(), ReadError> {
        if fits {
            Ok(())
        } else {
            Err(self.limit(Limit::UnmappedNames))
        }
    }

    /// Records a part of the current element unless a later [`Self::resolve_pending`] is called with `word`.
    pub(crate) fn record_unmapped_unless(
        &mut self,
        word: &str,
        what: &str,
    ) -> Result<(), ReadError> {
        let (position, most) = (self.position(), self.limits.unmapped_names);
        let name = format!("{}{what}", &self.path[..self.path_length]);
        let PendingUnmapped { by_word, names } = &mut self.pending;
        let elements = match by_word.get_mut(word) {
            Some(elements) => elements,
            None => by_word.entry(word.to_owned()).or_default(),
        };
        let before = elements.len();
        let fits = *names < most && elements.add(&name, position, most);
        *names += elements.len() - before;
        self.check_capacity(fits)
    }

    /// Records all pending parts whose word differs from this one.
    pub(crate) fn resolve_pending(&mut self, word: &str) -> Result<(), ReadError> {
        let pending = std::mem::take(&mut self.pending).by_word;
        for (of, elements) in pending {
            if of != word && !self.unmapped.append(elements, self.limits.unmapped_names) {
                return Err(self.limit(Limit::UnmappedNames));
            }
        }
        Ok(())
    }

    /// Records text between elements, after the event that ended it.
    pub(super) fn record_stray_text(&mut self, step: &ElementEvent) -> Result<(), ReadError> {
        let around = match step {
            ElementEvent::Start => self.parent_path_lengths.last().copied().unwrap_or(0),
            ElementEvent::End => self.path.len(),
            ElementEvent::Eof => return Ok(()),
        };
        let (position, most) = (self.position(), self.limits.unmapped_names);
        let name = format!("{}/text()", &self.path[..around]);
        let fits = self.unmapped.add(&name, position, most);
        self.check_capacity(fits)
    }

    /// Records the attributes that were not read, without `xsi:schemaLocation`, which has no meaning for the invoice.
    pub(super) fn record_unmapped_attributes(&mut self) -> Result<(), ReadError> {
        for index in 0..self.attributes.len() {
            let attribute = &self.attributes[index];
            let name = attribute.name(&self.tag);
            if attribute.consumed || name == "xsi:schemaLocation" {
                continue;
            }
            let name = format!("@{name}");
            self.record_unmapped(&name)?;
        }
        Ok(())
    }
}
