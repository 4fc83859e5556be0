//! Source files are short, and begin with a line that says what they are for (CONTRIBUTING.md, "Style").

use crate::repository::text_files;

/// The most lines of a source file.
const MAX_LINES: usize = 400;

/// What the comment at the begin of a file starts with, by the end of its name. An inner comment documents a Rust module.
const LANGUAGES: &[(&str, &[&str])] = &[
    (".rs", &["//!"]),
    (".ts", &["/**", "//"]),
    (".tsx", &["/**", "//"]),
    (".mjs", &["/**", "//"]),
    (".sql", &["--"]),
];

/// Generated files, which begin with a line but may be longer.
const GENERATED: &[&str] = &["ui/src/i18n/messages.ts", "ui/src/ipc/bindings.ts"];

/// Released migrations: a database has their bytes recorded, so they are not split.
const RELEASED_MIGRATIONS: &[&str] = &["crates/storage-sqlite/migrations/0001_initial.sql"];

/// What is wrong with a source file. Nothing of a file in another language.
fn violations(path: &str, text: &str) -> Vec<String> {
    let language = LANGUAGES.iter().find(|(end, _)| path.ends_with(end));
    let Some((_, comments)) = language else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let comment = comments.iter().find_map(|start| text.strip_prefix(start));
    let mut lines = comment.unwrap_or_default().lines();
    // A block comment may begin with an empty line.
    let purpose = lines.find_map(|line| {
        let words = line.trim_matches([' ', '*', '/']);
        (!words.is_empty()).then_some(words)
    });
    // One word is a directive to a tool.
    if purpose.is_none_or(|purpose| purpose.split_whitespace().count() < 2) {
        found.push(format!("{path}: it does not begin with what it is for"));
    }
    if path.ends_with(".rs") && has_example(text) {
        found.push(format!(
            "{path}: examples in documentation are not run, tests are"
        ));
    }
    let lines = text.lines().count();
    let exempt = [GENERATED, RELEASED_MIGRATIONS];
    let may_be_longer = exempt.iter().any(|files| files.contains(&path));
    if lines > MAX_LINES && !may_be_longer {
        found.push(format!("{path}: {lines} lines are more than {MAX_LINES}"));
    }
    found
}

/// Whether a comment of documentation has a block of Rust. A block of something else names its language.
fn has_example(text: &str) -> bool {
    let comments = text.lines().map(str::trim_start);
    let comments = comments.filter_map(|line| {
        let content = line.strip_prefix("///").or(line.strip_prefix("//!"))?;
        content.trim_start().strip_prefix("```")
    });
    // Each second one ends a block.
    comments.step_by(2).any(|language| {
        let language = language.trim_end();
        !["text", "sh", "sql", "json", "xml", "proto"].contains(&language)
    })
}

#[test]
fn every_source_file_is_short_and_begins_with_its_purpose() {
    let files = text_files();
    let exempt = [GENERATED, RELEASED_MIGRATIONS];
    for path in exempt.into_iter().flatten() {
        assert!(
            files.iter().any(|(file, _)| file == path),
            "there is no {path}"
        );
    }
    let found: Vec<_> = files
        .iter()
        .flat_map(|(path, text)| violations(path, text))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn long_file_and_file_without_a_purpose_are_found() {
    let long = format!("//! A purpose.\n{}", "\n".repeat(MAX_LINES));
    assert_eq!(violations("a.rs", &long).len(), 1);
    assert_eq!(violations("a.rs", &long[..long.len() - 1]), [""; 0]);
    let example =
        |language: &str| format!("//! A purpose.\n\n/// As\n/// ```{language}\n/// 1\n/// ```\n");
    assert_eq!(violations("a.rs", &example("")).len(), 1);
    assert_eq!(violations("a.rs", &example("text").repeat(2)), [""; 0]);
    for (path, text) in [
        ("a.rs", "use std::fs;\n"),
        ("a.rs", "// Not of the module.\n"),
        ("a.ts", "import { test } from \"vitest\";\n"),
        ("a.ts", "// @ts-nocheck\n"),
        ("a.sql", "SELECT 1;\n"),
        ("a.tsx", ""),
    ] {
        assert_eq!(violations(path, text).len(), 1, "{path} {text:?}");
    }
    assert_eq!(violations("a.md", &long), [""; 0]);
}
