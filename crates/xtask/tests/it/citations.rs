//! Citations of the contract and of decisions resolve, and so do links between Markdown files.

mod checker;
mod norms;

use std::fs;

use crate::repository::{root, text_files};
use checker::{check_citations, check_links};
use norms::Norms;

fn norms() -> Norms {
    Norms::read(&root().join("docs"))
}

/// The problems of a text, as the checker reports them.
fn problems(text: &str) -> Vec<String> {
    let problems = check_citations(text, &norms());
    problems
        .into_iter()
        .map(|problem| format!("{}: {}", problem.line, problem.message))
        .collect()
}

// The words of a citation are put together here, because this file is checked too.

fn part(rest: &str) -> String {
    format!("contract, {} {rest}", "part")
}

fn decision(rest: &str) -> String {
    format!("{} {rest}", "decision")
}

#[test]
fn every_citation_in_the_repository_resolves() {
    let norms = norms();
    let mut found = Vec::new();
    for (path, text) in text_files() {
        for problem in check_citations(&text, &norms) {
            found.push(format!("{path}:{}: {}", problem.line, problem.message));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_link_between_markdown_files_resolves() {
    let mut found = Vec::new();
    for (path, text) in text_files() {
        if !path.ends_with(".md") {
            continue;
        }
        let file = root().join(&path);
        let folder = file.parent().expect("a file is in a folder");
        for problem in check_links(&text, folder) {
            found.push(format!("{path}:{}: {}", problem.line, problem.message));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn index_of_decisions_names_every_decision_with_its_title() {
    let folder = root().join("docs/decisions");
    let index = fs::read_to_string(folder.join("README.md")).expect("the index can be read");
    let norms = norms();
    for decision in norms.decisions.values() {
        let row = format!(
            "| [{}]({}) | {} |",
            decision.number, decision.file, decision.title
        );
        assert!(index.contains(&row), "the index has no row {row}");
    }
    let rows = index.lines().filter(|line| line.starts_with("| [")).count();
    assert_eq!(
        rows,
        norms.decisions.len(),
        "a row of the index has no decision"
    );
}

#[test]
fn every_decision_has_context_decision_and_consequences() {
    for decision in norms().decisions.values() {
        assert_eq!(
            decision.headings,
            ["Context", "Decision", "Consequences"],
            "{}",
            decision.file
        );
    }
}

#[test]
fn citations_that_resolve_are_accepted() {
    for text in [
        part("1"),
        format!("({})", part("5, \"Using the token\", rule 3")),
        format!("({})", part("1, rule 2; RFC 6749, section 5.2")),
        format!("contract, {}s 4 and 5", "part"),
        part("N, \"Heading\""),
        decision("0025, steps 4 and 5"),
        format!("({}s 0004, 0005 and 0006)", "decision"),
        decision("NNNN"),
        format!(
            "    /// as it says ({}\n    /// \"Choosing a flow\", rule 1)",
            part("5,")
        ),
    ] {
        assert_eq!(problems(&text), [""; 0], "{text}");
    }
}

#[test]
fn citations_that_do_not_resolve_are_reported_with_their_line() {
    let by_number = "decisions are cited by number, as in 'decision 0005'";
    for (text, line, message) in [
        (part("10"), 1, "the contract has no part 10".to_owned()),
        (
            part("five"),
            1,
            "a citation of the contract needs the number of a part".to_owned(),
        ),
        (
            part("5, \"Using a token\""),
            1,
            "part 5 of the contract has no heading \"Using a token\"".to_owned(),
        ),
        (
            part("5, \"Using the token\", rule 9"),
            1,
            "part 5 of the contract has no rule 9 under \"Using the token\"".to_owned(),
        ),
        (
            part("6, rule 1"),
            1,
            "part 6 of the contract has no rule 1".to_owned(),
        ),
        (
            decision("9999"),
            1,
            format!("there is no {}", decision("9999")),
        ),
        (
            format!("\n// as in {}\n", decision("9998")),
            2,
            format!("there is no {}", decision("9998")),
        ),
        (
            decision("0025, step 12"),
            1,
            format!("{} has no step 12", decision("0025")),
        ),
        (
            format!("({}s, \"Identity\")", "decision"),
            1,
            by_number.to_owned(),
        ),
        (
            format!("contract {} 5", "part"),
            1,
            "a comma stands between contract and part".to_owned(),
        ),
        (format!("({}s)", "decision"), 1, by_number.to_owned()),
    ] {
        assert_eq!(problems(&text), [format!("{line}: {message}")], "{text}");
    }
}

#[test]
fn links_to_missing_files_are_reported_and_others_are_not() {
    let folder = root();
    let good = "[a](README.md) [b](docs/contract.md#7-errors) [c](https://example.com/x) [d](#here)\n\
        `[e](missing.md)`\n```\n[f](missing.md)\n```\n";
    assert!(check_links(good, &folder).is_empty());
    let missing = check_links("text\n[a](missing.md)\n", &folder);
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].line, 2);
}
