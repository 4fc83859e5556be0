//! Elements and texts, written one after the other.

use std::fmt::Write as _;

use invoice::content::{Identifier, Text};

/// Elements in order.
pub(super) struct Xml(pub(super) String);

impl Xml {
    pub(super) fn group(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        let _ = write!(self.0, "<{name}>");
        inside(self);
        let _ = write!(self.0, "</{name}>");
    }

    pub(super) fn with(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        if text.is_empty() && attributes.iter().all(|(_, value)| value.is_empty()) {
            return;
        }
        let _ = write!(self.0, "<{name}");
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            let _ = write!(self.0, " {key}=\"{}\"", escaped(value));
        }
        let _ = write!(self.0, ">{}</{name}>", escaped(text));
    }

    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.with(name, &[], text);
    }

    pub(super) fn only(&mut self, name: &str, child: &str, text: &str) {
        if !text.is_empty() {
            self.group(name, |xml| xml.text(child, text));
        }
    }

    pub(super) fn localized(&mut self, name: &str, text: &Text) {
        self.with(name, &[("languageID", "ar")], &text.ar.clone());
        if !text.en.is_empty() {
            self.with(name, &[("languageID", "en")], &text.en);
        }
    }

    pub(super) fn identifier(&mut self, name: &str, id: &Identifier) {
        self.with(name, &[("schemeID", &id.scheme)], &id.value);
    }

    pub(super) fn date(&mut self, name: &str, inner: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let compact = text.replace('-', "");
        let is_date = text.len() == 10 && compact.len() == 8 && compact.parse::<u32>().is_ok();
        let text = if is_date { &compact } else { text };
        self.group(name, |xml| xml.with(inner, &[("format", "102")], text));
    }

    pub(super) fn indicator(&mut self, is_charge: bool) {
        let word = if is_charge { "true" } else { "false" };
        self.only("ram:ChargeIndicator", "udt:Indicator", word);
    }

    /// An element that stands there even if it is empty.
    pub(super) fn group_with_text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        let _ = write!(self.0, "<{name}");
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            let _ = write!(self.0, " {key}=\"{}\"", escaped(value));
        }
        let _ = write!(self.0, ">{}</{name}>", escaped(text));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
        .replace(']', "&#93;")
        .replace('\r', "&#13;")
}
