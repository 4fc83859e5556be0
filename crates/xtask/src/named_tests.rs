//! Tests that documents name: each must have run and passed, not only exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::steps::{TestCount, root};

/// The package and binary whose tests are named, as nextest writes it.
const BINARY: &str = "invoicing-service::it";
/// Named tests: (file, reader of its names).
const DOCUMENTS: [(&str, fn(&str) -> Vec<String>); 2] = [
    ("crates/service/tests/it/security/cases.txt", names_of_cases),
    ("docs/conformance.md", names_of_modules),
];

/// The file in which nextest writes the results of a run (.config/nextest.toml).
pub(crate) fn results_file() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root().join("target"), PathBuf::from);
    target.join("nextest/default/junit.xml")
}

/// Checks each document against the results of the run that has just ended: one check for each.
pub(crate) fn check() -> TestCount {
    println!("\n── tests that documents name");
    let passed = match fs::read_to_string(results_file()) {
        Ok(results) => passed_tests(&results),
        Err(error) => {
            eprintln!("{}: {error}", results_file().display());
            BTreeSet::new()
        }
    };
    let mut count = TestCount::default();
    for (document, names) in DOCUMENTS {
        let names = fs::read_to_string(root().join(document)).map(|text| names(&text));
        let names = names.unwrap_or_default();
        let missing: Vec<_> = names
            .iter()
            .filter(|name| !passed.contains(*name))
            .collect();
        for name in &missing {
            eprintln!("{document}: {name} did not run, or did not pass");
        }
        if names.is_empty() || !missing.is_empty() {
            count.failed += 1;
        } else {
            println!("{document}: {} tests passed", names.len());
            count.passed += 1;
        }
    }
    count
}

/// The indented lines of the list of security cases.
fn names_of_cases(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.strip_prefix("    "));
    names.map(str::to_owned).collect()
}

/// The third cells of the rows of the conformance modules.
fn names_of_modules(text: &str) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(3));
    cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

/// The names of the tests of [`BINARY`] that passed, in the JUnit report of nextest. A test that did not run is not in it.
fn passed_tests(report: &str) -> BTreeSet<String> {
    let mut reader = Reader::from_str(report);
    let mut passed = BTreeSet::new();
    let mut current = None;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => match element.name().as_ref() {
                "testcase" => current = test_name(&element),
                "failure" | "error" | "skipped" => current = None,
                _ => {}
            },
            Ok(Event::Empty(element)) => match element.name().as_ref() {
                "testcase" => passed.extend(test_name(&element)),
                "failure" | "error" | "skipped" => current = None,
                _ => {}
            },
            Ok(Event::End(element)) if element.name().as_ref() == "testcase" => {
                passed.extend(current.take());
            }
            Ok(Event::Eof) | Err(_) => return passed,
            Ok(_) => {}
        }
    }
}

/// The name of a test of [`BINARY`].
fn test_name(element: &BytesStart<'_>) -> Option<String> {
    let attribute = |name: &str| {
        let attribute = element.try_get_attribute(name).ok()??;
        Some(
            attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .ok()?
                .into_owned(),
        )
    };
    (attribute("classname")? == BINARY).then(|| attribute("name"))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tests_that_ran_and_passed_are_found_in_a_report() {
        let report = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="4" failures="1">
  <testsuite name="invoicing-service::it" tests="4">
    <testcase name="security::codes::passes" classname="invoicing-service::it" time="0.1"></testcase>
    <testcase name="security::codes::passes_too" classname="invoicing-service::it" time="0.1"/>
    <testcase name="security::codes::fails" classname="invoicing-service::it" time="0.1">
      <failure type="test failure">a &lt;reason&gt;</failure>
      <system-out>text</system-out>
    </testcase>
    <testcase name="security::codes::ignored" classname="invoicing-service::it"><skipped/></testcase>
  </testsuite>
  <testsuite name="other"><testcase name="elsewhere" classname="other::it"/></testsuite>
</testsuites>"#;
        let passed: Vec<_> = passed_tests(report).into_iter().collect();
        assert_eq!(
            passed,
            ["security::codes::passes", "security::codes::passes_too"]
        );
    }

    #[test]
    fn names_are_read_from_both_forms_of_documents() {
        let cases = "# Cases\n\n1 replay\n    a::b\n    a::c\n2 other\n    d::e\n";
        assert_eq!(names_of_cases(cases), ["a::b", "a::c", "d::e"]);
        let table =
            "| Module | What | Tests |\n| --- | --- | --- |\n| `m` | it | `a::b`, `a::c` |\n";
        assert_eq!(names_of_modules(table), ["a::b", "a::c"]);
    }

    #[test]
    fn documents_name_tests() {
        for (document, names) in DOCUMENTS {
            let text = fs::read_to_string(root().join(document)).unwrap();
            assert!(names(&text).len() > 20, "{document}");
        }
    }
}
