//! What documents tell people to type and to open exists: packages, commands, scripts, files.

use std::fs;
use std::process::Command;

use xtask::test_command::TestCommand;

use crate::repository::{root, text_files};

/// Path and text of every Markdown file.
fn markdown() -> impl Iterator<Item = (String, String)> {
    text_files()
        .into_iter()
        .filter(|(path, _)| path.ends_with(".md"))
}

/// The first word after each occurrence of `words`.
fn words_after<'text>(text: &'text str, words: &str) -> Vec<&'text str> {
    text.match_indices(words)
        .filter_map(|(offset, words)| text[offset + words.len()..].split_whitespace().next())
        .map(|word| word.trim_end_matches(['`', ',', '.', ':', ';', ')', '|']))
        .collect()
}

/// Inline code, without the blocks between fences.
fn inline_code(text: &str) -> Vec<&str> {
    let mut in_block = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}

#[test]
fn every_package_in_a_command_of_a_document_is_in_the_workspace() {
    let mut names = Vec::new();
    for (path, text) in text_files() {
        if path.ends_with("Cargo.toml") {
            let name = text.lines().find_map(|line| line.strip_prefix("name = "));
            names.extend(name.map(|name| name.trim_matches('"').to_owned()));
        }
    }
    for (path, text) in markdown() {
        for package in words_after(&text, "--package ") {
            assert!(
                names.iter().any(|name| name == package),
                "{path}: there is no package {package}"
            );
        }
    }
}

#[test]
fn every_test_in_a_command_of_a_document_exists() {
    let sources: Vec<_> = text_files()
        .into_iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .collect();
    let exists = |name: &str| {
        let function = format!("fn {name}(");
        let module = format!("{}.rs", name.trim_end_matches("::"));
        sources
            .iter()
            .any(|(path, text)| text.contains(&function) || path.ends_with(&format!("/{module}")))
    };
    let mut found = 0;
    for (path, text) in markdown() {
        let commands = inline_code(&text)
            .into_iter()
            .filter_map(TestCommand::parse);
        for test in commands.flat_map(|command| command.filters) {
            found += 1;
            assert!(exists(test), "{path}: there is no test {test}");
        }
    }
    assert!(found > 0, "a document shows how to run one test");
}

#[test]
fn every_xtask_command_in_a_document_is_in_its_help() {
    let help = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("--help")
        .output()
        .expect("xtask prints its help");
    let help = String::from_utf8(help.stdout).expect("the help is text");
    for (path, text) in markdown() {
        for command in words_after(&text, "cargo xtask ") {
            let is_name = command.starts_with(|first: char| first.is_ascii_lowercase())
                && command
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            let is_listed = help
                .lines()
                .any(|line| line.split_whitespace().next() == Some(command));
            assert!(
                !is_name || is_listed,
                "{path}: there is no command cargo xtask {command}"
            );
        }
    }
}

#[test]
fn every_npm_script_in_a_document_exists() {
    let package = fs::read_to_string(root().join("ui/package.json")).expect("the package is there");
    for (path, text) in markdown() {
        for script in words_after(&text, "npm run ") {
            assert!(
                package.contains(&format!("\"{script}\": ")),
                "{path}: there is no script {script}"
            );
        }
    }
}

#[test]
fn every_path_in_a_document_exists() {
    let folders = [
        "crates/",
        "deploy/",
        "docs/",
        "src-tauri/",
        "tests/",
        "ui/",
        ".github/",
    ];
    let mut missing = Vec::new();
    for (path, text) in markdown() {
        // The README of a crate names paths of that crate.
        let folder = root().join(&path);
        let folder = folder.parent().expect("a file is in a folder");
        for code in inline_code(&text) {
            let is_path = folders.iter().any(|folder| code.starts_with(folder))
                && !code.contains([' ', '{', '*', '<', '(', '…']);
            if is_path && !root().join(code).exists() && !folder.join(code).exists() {
                missing.push(format!("{path}: {code}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn glossary_has_at_most_forty_terms() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it can be read");
    let (_, glossary) = text.split_once("## Glossary").expect("it has a glossary");
    let rows = glossary.lines().filter(|line| line.starts_with("| "));
    // Two rows are the head of the table.
    assert!(rows.count() - 2 <= 40, "the glossary is too long");
}
