//! A violation of a rule, and the list of violations that a check builds.

use std::fmt::Display;

/// Most violations that a check reports: the first ones. An invoice with more lines than anybody reads could break millions of rules
/// (decision 0164).
pub const MAX_VIOLATIONS: usize = 1_000;

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

/// Violations in the order of their detection, at most [`MAX_VIOLATIONS`].
#[derive(Debug)]
pub(crate) struct Violations {
    found: Vec<Violation>,
    /// Takes the parameters of a violation that is not kept.
    dropped: Violation,
    /// Whether the length and characters of texts are checked, and how many digits after the point a number has: for contents of our own,
    /// not for received documents.
    pub(crate) limits_values: bool,
}

impl Violations {
    /// Keeps the first [`MAX_VIOLATIONS`], and of those that follow nothing: neither path nor description is written for them.
    pub(crate) const fn new(limits_values: bool) -> Self {
        Self {
            found: Vec::new(),
            dropped: Violation {
                path: String::new(),
                rule: "",
                description: String::new(),
                data: Vec::new(),
            },
            limits_values,
        }
    }

    pub(crate) fn add(
        &mut self,
        path: impl Display,
        rule: &'static str,
        description: impl Into<String>,
    ) -> &mut Violation {
        if self.found.len() >= MAX_VIOLATIONS {
            self.dropped.data.clear();
            return &mut self.dropped;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violations_are_kept_in_their_order_up_to_the_limit() {
        let mut violations = Violations::new(true);
        assert!(violations.is_empty());
        for number in 0..MAX_VIOLATIONS {
            let path = format_args!("lines[{number}]");
            violations.add(path, "BR-25", "it").with("number", "1");
        }
        violations.add("lines", "BR-16", "above").with("most", "1");
        assert!(!violations.is_empty());
        let kept = violations.into_vec();
        assert_eq!(kept.len(), MAX_VIOLATIONS);
        assert_eq!(kept[7].path, "lines[7]");
        assert_eq!(kept[MAX_VIOLATIONS - 1].path, "lines[999]");
        assert!(kept.iter().all(|violation| violation.data.len() == 1));
    }

    #[test]
    fn violation_above_the_limit_costs_no_text() {
        struct Unwritten;
        impl Display for Unwritten {
            fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                panic!("the path of a violation that is not kept is written")
            }
        }
        let mut violations = Violations::new(true);
        for _ in 0..MAX_VIOLATIONS {
            violations.add("lines", "BR-25", "it");
        }
        violations.add(Unwritten, "BR-25", "it").with("number", "1");
        assert_eq!(violations.into_vec().len(), MAX_VIOLATIONS);
    }
}
