//! Writes elements in order. What it writes is well-formed, or it is not written.

use super::lexical::is_xml;
use super::{WriteError, join_languages};
use crate::content::Text;

/// A document as it grows.
pub(crate) struct Writer {
    text: String,
    /// The first text that XML cannot hold.
    error: Option<WriteError>,
}

/// Attributes of an element, in order. An empty value is not written.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Writer {
    /// Begins a document.
    pub(crate) fn new() -> Self {
        Self {
            text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
            error: None,
        }
    }

    /// An element with what `inside` writes. Nothing at all if that is nothing.
    pub(crate) fn group(&mut self, name: &'static str, inside: impl FnOnce(&mut Self)) {
        let start = self.text.len();
        self.text.push('<');
        self.text.push_str(name);
        self.text.push('>');
        let empty = self.text.len();
        inside(self);
        if self.text.len() == empty {
            self.text.truncate(start);
        } else {
            self.end(name);
        }
    }

    /// An element that stands there even if it is empty.
    pub(crate) fn element(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.start(name, attributes);
        inside(self);
        self.end(name);
    }

    /// An element with a text. Nothing if the text is empty.
    pub(crate) fn text(&mut self, name: &'static str, text: &str) {
        self.text_with(name, &[], text);
    }

    /// An element with attributes and a text. Nothing if all of them are empty.
    pub(crate) fn text_with(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        if text.is_empty() && attributes.iter().all(|(_, value)| value.is_empty()) {
            return;
        }
        self.start(name, attributes);
        self.write_escaped(name, text, false);
        self.end(name);
    }

    /// The text of an element that is open.
    pub(crate) fn characters(&mut self, element: &'static str, text: &str) {
        self.write_escaped(element, text, false);
    }

    /// A text in one or both languages.
    pub(crate) fn localized(&mut self, name: &'static str, text: &Text) {
        match join_languages(text) {
            Some((text, language)) if !text.is_empty() => {
                self.text_with(name, &[("languageID", language)], &text);
            }
            Some(_) => {}
            None => self.fail(WriteError::Languages { element: name }),
        }
    }

    /// An amount of money with its currency. Nothing if there is none.
    pub(crate) fn amount(&mut self, name: &'static str, currency: &str, amount: &str) {
        if !amount.is_empty() {
            self.text_with(name, &[("currencyID", currency)], amount);
        }
    }

    /// Remembers that the document cannot be written.
    pub(crate) fn fail(&mut self, error: WriteError) {
        self.error.get_or_insert(error);
    }

    /// The document.
    pub(crate) fn finish(self) -> Result<String, WriteError> {
        self.error.map_or(Ok(self.text), Err)
    }

    fn start(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            self.text.push(' ');
            self.text.push_str(key);
            self.text.push_str("=\"");
            self.write_escaped(name, value, true);
            self.text.push('"');
        }
        self.text.push('>');
    }

    fn end(&mut self, name: &str) {
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push('>');
    }

    /// Line ends and tabs are written as references where a reader would turn them into something else.
    fn write_escaped(&mut self, element: &'static str, text: &str, in_attribute: bool) {
        for character in text.chars() {
            match character {
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '&' => self.text.push_str("&amp;"),
                '"' if in_attribute => self.text.push_str("&quot;"),
                '\r' => self.text.push_str("&#13;"),
                '\n' if in_attribute => self.text.push_str("&#10;"),
                '\t' if in_attribute => self.text.push_str("&#9;"),
                character if is_xml(character) => self.text.push(character),
                character => self.fail(WriteError::Character { element, character }),
            }
        }
    }
}
