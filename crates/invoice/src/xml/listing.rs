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
        let position = self.position();
        let length = self.path.len();
        self.path.push_str(what);
        let fits = self
            .unread
            .add(&self.path, position, self.limits.unread_names);
        self.path.truncate(length);
        if fits {
            Ok(())
        } else {
            Err(self.limit(Limit::UnreadNames))
        }
    }

    /// Lists the element that was just read to its end.
    pub(crate) fn list_last(&mut self) -> Result<(), ReadError> {
        let closed = std::mem::take(&mut self.closed);
        let listed = self.list(&closed);
        self.closed = closed;
        listed
    }

    /// Lists something that stands in the element that was just read to its end. It is named as the standard does.
    pub(crate) fn list_within_last(&mut self, what: &str) -> Result<(), ReadError> {
        let within = format!("{}/{what}", self.closed);
        self.list(&within)
    }

    /// Lists something of the element unless `word` is what is given to [`Self::decide`] later.
    pub(crate) fn list_unless(&mut self, word: &str, what: &str) -> Result<(), ReadError> {
        let (position, most) = (self.position(), self.limits.unread_names);
        let length = self.path.len();
        self.path.push_str(what);
        let Undecided { by_word, names } = &mut self.undecided;
        let gathered = match by_word.get_mut(word) {
            Some(gathered) => gathered,
            None => by_word.entry(word.to_owned()).or_default(),
        };
        let before = gathered.len();
        let fits = *names < most && gathered.add(&self.path, position, most);
        *names += gathered.len() - before;
        self.path.truncate(length);
        if fits {
            Ok(())
        } else {
            Err(self.limit(Limit::UnreadNames))
        }
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
        let whole = match step {
            Step::Start => self.path[..self.open.last().copied().unwrap_or(0)].to_owned(),
            Step::End => format!("{}{}", self.path, self.closed),
            Step::Eof => return Ok(()),
        };
        let path = std::mem::replace(&mut self.path, whole);
        let listed = self.list("/text()");
        self.path = path;
        listed
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
