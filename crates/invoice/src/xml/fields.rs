//! Reads element values into fields: texts, identifiers, numbers and dates.

use std::io::BufRead;

use super::lexical::{wire_date, wire_decimal, without_time_zone};
use super::source::Source;
use super::{ReadError, split_languages};
use crate::content::{Identifier, Text};

impl<R: BufRead> Source<R> {
    /// Reads the text of the element into an empty field. A second one is recorded as unmapped.
    pub(crate) fn read_text(&mut self, field: &mut String) -> Result<(), ReadError> {
        if !field.is_empty() {
            return self.skip();
        }
        *field = self.text()?.to_owned();
        Ok(())
    }

    /// Appends the text of the element to the field on a new line.
    pub(crate) fn append_text(&mut self, field: &mut String) -> Result<(), ReadError> {
        append(field, self.text()?);
        Ok(())
    }

    /// Reads a number as a decimal string. Other text stays unchanged for the rules to report.
    pub(crate) fn read_decimal(&mut self, field: &mut String) -> Result<(), ReadError> {
        self.read_text(field)?;
        if let Some(wire) = wire_decimal(field) {
            *field = wire;
        }
        Ok(())
    }

    /// Reads a date in the format `20261121` (UNTDID 2379: 102) as `2026-11-21`. Other text stays unchanged for the rules to
    /// report.
    pub(crate) fn read_date(&mut self, field: &mut String) -> Result<(), ReadError> {
        let compact = self.attribute_is("format", "102");
        if !compact {
            self.record_unmapped("@format")?;
        }
        self.read_day(field)?;
        if let Some(wire) = wire_date(field).filter(|_| compact) {
            *field = wire;
        }
        Ok(())
    }

    /// Reads an `xs:date` into an empty field, without the time zone that it may have: a day of an invoice has none.
    pub(crate) fn read_day(&mut self, field: &mut String) -> Result<(), ReadError> {
        self.read_text(field)?;
        let length = without_time_zone(field).len();
        field.truncate(length);
        Ok(())
    }

    /// Reads an identifier with its scheme into an empty field.
    pub(crate) fn read_identifier(&mut self, field: &mut Identifier) -> Result<(), ReadError> {
        if !field.value.is_empty() {
            return self.skip();
        }
        field.scheme = self.attribute("schemeID");
        field.value = self.text()?.to_owned();
        Ok(())
    }

    /// Reads a text in one or both languages. A second element may add the missing language.
    pub(crate) fn read_localized(&mut self, field: &mut Text) -> Result<(), ReadError> {
        let language = self.attribute("languageID");
        if !matches!(language.as_str(), "" | "ar" | "en") {
            self.record_unmapped("@languageID")?;
        }
        let text = split_languages(self.text()?.to_owned(), &language);
        if (field.ar.is_empty() || text.ar.is_empty())
            && (field.en.is_empty() || text.en.is_empty())
        {
            field.ar.push_str(&text.ar);
            field.en.push_str(&text.en);
            return Ok(());
        }
        self.record_last_unmapped()
    }

    /// Records the element as unmapped unless its text equals `known`.
    pub(crate) fn expect_text(&mut self, known: &str) -> Result<(), ReadError> {
        if self.text()? == known {
            Ok(())
        } else {
            self.record_last_unmapped()
        }
    }
}

/// Appends a text to the field on a new line.
pub(crate) fn append(field: &mut String, text: &str) {
    if !field.is_empty() && !text.is_empty() {
        field.push('\n');
    }
    field.push_str(text);
}
