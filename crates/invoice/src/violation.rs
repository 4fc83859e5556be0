//! One thing that is wrong with an invoice, and the list they are gathered in.

use std::fmt::Display;

/// One thing wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where, relative to the invoice and in the names of the wire: `lines[2].tax.rate`.
    pub path: String,
    /// The rule: `BR-S-05` of EN 16931, `BR-KSA-56` of Saudi Arabia, or one of our own that begins with `INV-`.
    pub rule: &'static str,
    /// What is wrong, in English.
    pub description: String,
    /// What the words need, by name: `("currency", "SAR")`.
    pub data: Vec<(&'static str, String)>,
}

/// All that is wrong, in the order in which it was found.
#[derive(Debug)]
pub(crate) struct Violations {
    found: Vec<Violation>,
    /// Whether texts are bounded and printable: ours are, those of others are as they are.
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
