//! Finds citations and links in a text and reports those that do not resolve.

use std::path::Path;

use super::norms::Norms;

const BY_NUMBER: &str = "decisions are cited by number, as in 'decision 0005'";

/// A citation or link that does not resolve.
pub(super) struct Problem {
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) message: String,
}

/// Checks `contract, part N[, "Heading"][, rule M]` and `decision NNNN[, step M]`, also where a comment wraps.
pub(super) fn check_citations(text: &str, norms: &Norms) -> Vec<Problem> {
    let text = Unwrapped::new(text);
    let mut problems = Vec::new();
    let mut report = |offset, message| {
        problems.push(Problem {
            line: text.line(offset),
            message,
        });
    };
    // In two pieces, because this file is checked too.
    for (offset, rest) in occurrences(&text.text, concat!("contract, ", "part")) {
        if let Err(message) = contract(rest, norms) {
            report(offset, message);
        }
    }
    for (offset, rest) in occurrences(&text.text, concat!("contract ", "part ")) {
        if rest.starts_with(|first: char| first.is_ascii_digit()) {
            report(
                offset,
                "a comma stands between contract and part".to_owned(),
            );
        }
    }
    for (offset, rest) in occurrences(&text.text, "decision") {
        if let Err(message) = decisions(rest, norms) {
            report(offset, message);
        }
    }
    for (offset, _) in occurrences(&text.text, concat!("(decisions", ")")) {
        report(offset, BY_NUMBER.to_owned());
    }
    problems
}

/// Checks that the files exist to which a Markdown text in `folder` links. Addresses and code are left out.
pub(super) fn check_links(markdown: &str, folder: &Path) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut in_code = false;
    for (index, line) in markdown.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // Every second piece is inline code.
        for piece in line.split('`').step_by(2) {
            for (_, rest) in occurrences(piece, "](") {
                let Some((target, _)) = rest.split_once(')') else {
                    continue;
                };
                let path = target.split(['#', ' ']).next().unwrap_or_default();
                if path.is_empty() || path.contains(':') || folder.join(path).exists() {
                    continue;
                }
                problems.push(Problem {
                    line: index + 1,
                    message: format!("there is no file {path}"),
                });
            }
        }
    }
    problems
}

/// What follows the word `part` in a citation of the contract.
fn contract(rest: &str, norms: &Norms) -> Result<(), String> {
    let mut cursor = Cursor(rest.strip_prefix('s').unwrap_or(rest));
    // The form itself, as the documentation of citations shows it.
    if cursor.skip(" N") {
        return Ok(());
    }
    let numbers = cursor.numbers();
    let Some(&last) = numbers.last() else {
        return Err("a citation of the contract needs the number of a part".to_owned());
    };
    for number in numbers {
        if !norms.parts.contains_key(&number) {
            return Err(format!("the contract has no part {number}"));
        }
    }
    let part = &norms.parts[&last];
    let heading = cursor.quoted();
    if let Some(heading) = heading
        && !part.has_heading(heading)
    {
        return Err(format!(
            "part {last} of the contract has no heading \"{heading}\""
        ));
    }
    for rule in cursor.list(", rule") {
        if !part.has_rule(heading, rule) {
            let under = heading.map(|heading| format!(" under \"{heading}\""));
            return Err(format!(
                "part {last} of the contract has no rule {rule}{}",
                under.unwrap_or_default()
            ));
        }
    }
    Ok(())
}

/// What follows `decision`. The word alone is no citation.
fn decisions(rest: &str, norms: &Norms) -> Result<(), String> {
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    if rest.starts_with(", \"") || rest.starts_with(", order") {
        return Err(BY_NUMBER.to_owned());
    }
    let mut cursor = Cursor(rest);
    let mut last = None;
    while let Some(number) = cursor.decision(last.is_none()) {
        last = Some(
            norms
                .decisions
                .get(number)
                .ok_or_else(|| format!("there is no decision {number}"))?,
        );
    }
    let Some(decision) = last else {
        return Ok(());
    };
    for step in cursor.list(", step") {
        if !decision.steps.contains(&step) {
            return Err(format!("decision {} has no step {step}", decision.number));
        }
    }
    Ok(())
}

/// Where `pattern` occurs, in any case, and what follows it.
fn occurrences<'text>(text: &'text str, pattern: &str) -> Vec<(usize, &'text str)> {
    // ASCII only, so that offsets stay the same.
    let lower = text.to_ascii_lowercase();
    let found = lower.match_indices(pattern);
    found
        .map(|(offset, pattern)| (offset, &text[offset + pattern.len()..]))
        .collect()
}

/// A text whose lines are joined: a citation may go on in the next line of a comment.
struct Unwrapped {
    text: String,
    /// Where each line begins in `text`.
    starts: Vec<usize>,
}

impl Unwrapped {
    fn new(text: &str) -> Self {
        let mut joined = Self {
            text: String::with_capacity(text.len()),
            starts: Vec::new(),
        };
        for line in text.lines() {
            joined.starts.push(joined.text.len());
            let content = line.trim().trim_start_matches(['/', '!', '*', '#', '-']);
            joined.text.push_str(content.trim());
            joined.text.push(' ');
        }
        joined
    }

    /// The line of an offset, counted from 1.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }
}

/// Reads a citation piece by piece; what does not fit is left where it is.
struct Cursor<'text>(&'text str);

impl<'text> Cursor<'text> {
    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.0.strip_prefix(prefix);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// ` 4`, ` 4 and 5` or ` 4, 5 and 6`.
    fn numbers(&mut self) -> Vec<u32> {
        let mut numbers = Vec::new();
        loop {
            let before = self.0;
            if !numbers.is_empty() && !self.skip(" and") {
                self.skip(",");
            }
            let digits = self.skip(" ").then(|| self.digits());
            match digits.and_then(|digits| digits.parse().ok()) {
                Some(number) => numbers.push(number),
                None => {
                    self.0 = before;
                    return numbers;
                }
            }
        }
    }

    /// The numbers after `word` or its plural.
    fn list(&mut self, word: &str) -> Vec<u32> {
        if !self.skip(word) {
            return Vec::new();
        }
        self.skip("s");
        self.numbers()
    }

    /// ` 0005`; after the first also `, 0005` and ` and 0005`.
    fn decision(&mut self, first: bool) -> Option<&'text str> {
        let before = self.0;
        if !first && !self.skip(" and") {
            self.skip(",");
        }
        let digits = if self.skip(" ") { self.digits() } else { "" };
        if digits.len() == 4 {
            return Some(digits);
        }
        self.0 = before;
        None
    }

    /// `, "Heading"`.
    fn quoted(&mut self) -> Option<&'text str> {
        let (heading, rest) = self.0.strip_prefix(", \"")?.split_once('"')?;
        self.0 = rest;
        Some(heading)
    }

    fn digits(&mut self) -> &'text str {
        let end = self.0.find(|character: char| !character.is_ascii_digit());
        let (digits, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = rest;
        digits
    }
}
