//! The commands of documents that run tests.

/// A command `cargo nextest run`.
#[derive(Debug, PartialEq, Eq)]
pub struct TestCommand<'text> {
    /// The packages whose tests it runs.
    pub packages: Vec<&'text str>,
    /// Parts of the names of the tests that it selects. None for all.
    pub filters: Vec<&'text str>,
}

impl<'text> TestCommand<'text> {
    /// Reads a command; `None` if it is another one.
    #[must_use]
    pub fn parse(code: &'text str) -> Option<Self> {
        let arguments = code.strip_prefix("cargo nextest run ")?;
        let mut command = Self {
            packages: Vec::new(),
            filters: Vec::new(),
        };
        let mut words = arguments.split_whitespace();
        while let Some(word) = words.next() {
            if word == "--package" {
                command.packages.extend(words.next());
            } else if !word.starts_with("--") {
                command.filters.push(word);
            }
        }
        Some(command)
    }
}
