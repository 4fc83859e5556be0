//! A writer of well-formed XML.

use super::lexical::is_xml;
use super::{WriteError, join_languages};
use crate::content::Text;

/// The document under construction.
pub(crate) struct Writer {
    text: String,
    /// The first error; writing continues and [`Self::finish`] returns it.
    error: Option<WriteError>,
}

/// Attributes of an element, in order. Attributes with an empty value are omitted.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Writer {
    /// Starts a document.
    pub(crate) fn new() -> Self {
        Self {
            text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
            error: None,
        }
    }

    /// Writes an element with the content that `inside` writes, or nothing if that is empty.
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

    /// Writes an element, even if it is empty.
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

    /// Writes an element with a text, or nothing if the text is empty.
    pub(crate) fn text(&mut self, name: &'static str, text: &str) {
        self.text_with(name, &[], text);
    }

    /// Writes an element with attributes and a text, or nothing if all are empty.
    pub(crate) fn text_with(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        if text.is_empty() && attributes.iter().all(|(_, value)| value.is_empty()) {
            return;
        }
        self.start(name, attributes);
        self.write_escaped(name, text, false);
        self.end(name);
    }

    /// Writes the text of the open element.
    pub(crate) fn characters(&mut self, element: &'static str, text: &str) {
        self.write_escaped(element, text, false);
    }

    /// Writes a text in one or both languages.
    pub(crate) fn localized(&mut self, name: &'static str, text: &Text) {
        let (text, language) = join_languages(text);
        if !text.is_empty() {
            self.text_with(name, &[("languageID", language)], &text);
        }
    }

    /// Writes an amount with its currency, or nothing if it is empty.
    pub(crate) fn amount(&mut self, name: &'static str, currency: &str, amount: &str) {
        if !amount.is_empty() {
            self.text_with(name, &[("currencyID", currency)], amount);
        }
    }

    /// Records an error. The first one wins.
    pub(crate) fn fail(&mut self, error: WriteError) {
        self.error.get_or_insert(error);
    }

    /// Returns the document, or the first error.
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

    /// Writes escaped text. Line ends and tabs become character references where a parser would normalize them.
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
