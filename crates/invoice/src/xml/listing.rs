//! Lists what was not read, by the way to it.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::source::{Source, Step};
use super::unread::Gathered;
use super::{Limit, ReadError};

/// What is unread unless a word that stands further down is the one it goes by.
#[derive(Debug, Default)]
pub(super) struct Undecided {
    by_word: BTreeMap<String, Gathered>,
    names: usize,
}

impl<R: BufRead> Source<R> {
    /// Lists something of the element whose start tag was just read, or of the one around it.
    pub(crate) fn list(&mut self, what: &str) -> Result<(), ReadError> {
        let (position, most) = (self.position(), self.limits.unread_names);
        let above = &self.path[..self.inside];
        let fits = if what.is_empty() {
            self.unread.add(above, position, most)
        } else {
            self.unread.add(&format!("{above}{what}"), position, most)
        };
        self.listed(fits)
    }

    /// Lists the element that was just read to its end.
    pub(crate) fn list_last(&mut self) -> Result<(), ReadError> {
        let (position, most) = (self.position(), self.limits.unread_names);
        let fits = self.unread.add(&self.path, position, most);
        self.listed(fits)
    }

    /// Lists something that stands in the element that was just read to its end. It is named as the standard does.
    pub(crate) fn list_within_last(&mut self, what: &str) -> Result<(), ReadError> {
        let within = format!("{}/{what}", &self.path[self.inside..]);
        self.list(&within)
    }

    /// Whether there was room for it.
    fn listed(&self, fits: bool) -> Result<(), ReadError> {
        if fits {
            Ok(())
        } else {
            Err(self.limit(Limit::UnreadNames))
        }
    }

    /// Lists something of the element unless `word` is what is given to [`Self::decide`] later.
    pub(crate) fn list_unless(&mut self, word: &str, what: &str) -> Result<(), ReadError> {
        let (position, most) = (self.position(), self.limits.unread_names);
        let name = format!("{}{what}", &self.path[..self.inside]);
        let Undecided { by_word, names } = &mut self.undecided;
        let gathered = match by_word.get_mut(word) {
            Some(gathered) => gathered,
            None => by_word.entry(word.to_owned()).or_default(),
        };
        let before = gathered.len();
        let fits = *names < most && gathered.add(&name, position, most);
        *names += gathered.len() - before;
        self.listed(fits)
    }

    /// Lists all that was waiting for another word than this one.
    pub(crate) fn decide(&mut self, word: &str) -> Result<(), ReadError> {
        let undecided = std::mem::take(&mut self.undecided).by_word;
        for (of, gathered) in undecided {
            if of != word && !self.unread.append(gathered, self.limits.unread_names) {
                return Err(self.limit(Limit::UnreadNames));
            }
        }
        Ok(())
    }

    /// Lists text between elements, after the step that ended it.
    pub(super) fn list_stray_text(&mut self, step: &Step) -> Result<(), ReadError> {
        let around = match step {
            Step::Start => self.open.last().copied().unwrap_or(0),
            Step::End => self.path.len(),
            Step::Eof => return Ok(()),
        };
        let (position, most) = (self.position(), self.limits.unread_names);
        let name = format!("{}/text()", &self.path[..around]);
        let fits = self.unread.add(&name, position, most);
        self.listed(fits)
    }

    /// Lists what was not taken. A hint for a validator says nothing about the invoice.
    pub(super) fn list_attributes(&mut self) -> Result<(), ReadError> {
        for index in 0..self.attributes.len() {
            let attribute = &self.attributes[index];
            let name = attribute.name(&self.tag);
            if attribute.taken || name == "xsi:schemaLocation" {
                continue;
            }
            let name = format!("@{name}");
            self.list(&name)?;
        }
        Ok(())
    }
}
