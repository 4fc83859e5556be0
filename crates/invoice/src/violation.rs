//! A violation of a rule, and the list of violations that a check builds.

use std::fmt::Display;

/// One violation of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The JSON path of the field, relative to the invoice: `lines[2].tax.rate`.
    pub path: String,
    /// The rule: `BR-S-05` of EN 16931, `BR-KSA-56` of Saudi Arabia, or a rule of this library with the prefix `INV-`.
    pub rule: &'static str,
    /// A description in English.
    pub description: String,
    /// The parameters of the message, by name: `("currency", "SAR")`.
    pub data: Vec<(&'static str, String)>,
}

/// Violations in the order of their detection.
#[derive(Debug)]
pub(crate) struct Violations {
    found: Vec<Violation>,
    /// Whether the length and characters of texts are checked: for contents of our own, not for received documents.
    pub(crate) limits_texts: bool,
}

impl Violations {
    pub(crate) const fn new(limits_texts: bool) -> Self {
        Self {
            found: Vec::new(),
            limits_texts,
        }
    }

    pub(crate) fn add(
        &mut self,
        path: impl Display,
        rule: &'static str,
        description: impl Into<String>,
    ) -> &mut Violation {
        self.found.push(Violation {
            path: path.to_string(),
            rule,
            description: description.into(),
            data: Vec::new(),
        });
        self.found.last_mut().expect("one was just pushed")
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(crate) fn into_vec(self) -> Vec<Violation> {
        self.found
    }
}

impl Violation {
    pub(crate) fn with(&mut self, name: &'static str, value: impl Into<String>) -> &mut Self {
        self.data.push((name, value.into()));
        self
    }
}
