//! The report: machine, versions, settings and figures as JSON, one per line so that reports can be compared with diff.

use std::collections::BTreeMap;
use std::path::Path;

use super::Problem;

/// Figures, and the properties that they depend on.
pub(crate) struct Report {
    about: BTreeMap<String, String>,
    figures: BTreeMap<String, u64>,
}

impl Report {
    pub(crate) fn new(about: Vec<(&'static str, String)>) -> Self {
        let about = about.into_iter();
        Self {
            about: about
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            figures: BTreeMap::new(),
        }
    }

    /// Adds a property that the figures depend on.
    pub(crate) fn about(&mut self, name: &str, value: String) {
        self.about.insert(name.to_owned(), value);
    }

    /// Adds and prints a figure; its unit is in its name.
    pub(crate) fn figure(&mut self, name: &str, value: u64) {
        println!("{name:<44} {value:>10}");
        self.figures.insert(name.to_owned(), value);
    }

    /// Writes the report as `file` to the target folder.
    pub(crate) fn write(&self, file: &str) -> Result<(), Problem> {
        let mut lines: Vec<_> = self
            .about
            .iter()
            .map(|(name, value)| format!("  {name:?}: {}", serde_json::Value::from(value.clone())))
            .collect();
        lines.extend(
            self.figures
                .iter()
                .map(|(name, value)| format!("  {name:?}: {value}")),
        );
        // CARGO_TARGET_TMPDIR is the folder `tmp` of the target folder.
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
        std::fs::write(file, format!("{{\n{}\n}}\n", lines.join(",\n")))?;
        Ok(())
    }
}
