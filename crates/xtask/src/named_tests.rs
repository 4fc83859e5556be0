//! Tests that documents name, alone or in a command: each must have run and passed, not only exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use xtask::test_command::TestCommand;

use crate::steps::{TestCount, root, target_folder};

/// The package and binary whose tests are named, as nextest writes it.
const BINARY: &str = "invoicing-service::it";
/// Finds the names of tests in the text of a document.
type NameReader = fn(&str) -> Vec<String>;
/// The security cases, each with its tests.
const CASES: &str = "crates/service/tests/it/security/cases.txt";
/// The documents that name tests.
const DOCUMENTS: [(&str, NameReader); 2] = [
    (CASES, names_of_cases),
    ("docs/conformance.md", names_of_modules),
];

/// The document whose commands run tests.
const COMMANDS: &str = "CONTRIBUTING.md";

/// The file in which nextest writes the results of a run with a profile (.config/nextest.toml).
pub(crate) fn results_file(profile: &str) -> PathBuf {
    target_folder()
        .join("nextest")
        .join(profile)
        .join("junit.xml")
}

/// Checks each document against the results of the run that has just ended: one check for each.
pub(crate) fn check() -> TestCount {
    println!("\n── tests that documents name");
    let passed = results("default");
    let mut count = TestCount::default();
    for (document, names) in DOCUMENTS {
        count += check_document(document, names, &passed);
    }
    count += check_commands(&passed);
    count
}

/// Checks the security cases against the results of the last run with a profile.
pub(crate) fn check_security_cases(profile: &str) -> TestCount {
    println!("\n── tests of the security cases");
    check_document(CASES, names_of_cases, &results(profile))
}

/// The tests that passed in the last run with a profile.
fn results(profile: &str) -> PassedTests {
    let file = results_file(profile);
    match fs::read_to_string(&file) {
        Ok(results) => passed_tests(&results),
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            BTreeSet::new()
        }
    }
}

/// The text of a document. One that cannot be read says why, and has no text, which fails its check.
fn text_of(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|error| {
        eprintln!("{document}: {error}");
        String::new()
    })
}

fn check_document(document: &str, names: NameReader, passed: &PassedTests) -> TestCount {
    let mut count = TestCount::default();
    let names = names(&text_of(document));
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !passed.contains(&(BINARY.to_owned(), (*name).clone())))
        .collect();
    for name in &missing {
        eprintln!("{document}: {name} did not run, or did not pass");
    }
    if names.is_empty() {
        eprintln!("{document}: it names no test");
    }
    if names.is_empty() || !missing.is_empty() {
        count.failed += 1;
    } else {
        println!("{document}: {} tests passed", names.len());
        count.passed += 1;
    }
    count
}

/// Checks that each command of [`COMMANDS`] that runs tests selects some of those that passed.
fn check_commands(passed: &PassedTests) -> TestCount {
    let text = text_of(COMMANDS);
    let commands = test_commands(&text);
    let mut count = TestCount::default();
    for problem in commands
        .iter()
        .flat_map(|command| problems(command, passed))
    {
        eprintln!("{COMMANDS}: {problem}");
        count.failed = 1;
    }
    if commands.is_empty() {
        eprintln!("{COMMANDS}: it has no command that runs tests");
        count.failed = 1;
    }
    if count.failed == 0 {
        println!(
            "{COMMANDS}: {} commands select tests that passed",
            commands.len()
        );
        count.passed = 1;
    }
    count
}

/// The packages and filters of a command that select no test that passed.
fn problems(command: &TestCommand<'_>, passed: &PassedTests) -> Vec<String> {
    if command.packages.is_empty() {
        return vec![format!("a command names no package: {command:?}")];
    }
    let all = [""];
    let filters: &[&str] = if command.filters.is_empty() {
        &all
    } else {
        &command.filters
    };
    let mut problems = Vec::new();
    for package in &command.packages {
        for filter in filters {
            let is_selected = |(binary, name): &(String, String)| {
                is_of_package(binary, package) && name.contains(filter)
            };
            if !passed.iter().any(is_selected) {
                problems.push(format!(
                    "no test of {package} passed whose name contains '{filter}'"
                ));
            }
        }
    }
    problems
}

/// The commands in inline code that run tests.
fn test_commands(text: &str) -> Vec<TestCommand<'_>> {
    text.split('`').filter_map(TestCommand::parse).collect()
}

/// Whether nextest's id of a binary is of this package: `package` for unit tests, `package::name` for others.
fn is_of_package(binary: &str, package: &str) -> bool {
    binary
        .strip_prefix(package)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
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

/// Binary and name of each test that passed.
type PassedTests = BTreeSet<(String, String)>;

/// The tests that passed, in the JUnit report of nextest. A test that did not run is not in it.
fn passed_tests(report: &str) -> PassedTests {
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

/// The binary and the name of a test.
fn test_name(element: &BytesStart<'_>) -> Option<(String, String)> {
    let attribute = |name: &str| {
        let attribute = element.try_get_attribute(name).ok()??;
        Some(
            attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .ok()?
                .into_owned(),
        )
    };
    Some((attribute("classname")?, attribute("name")?))
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
        let test = |binary: &str, name: &str| (binary.to_owned(), name.to_owned());
        assert_eq!(
            passed,
            [
                test(BINARY, "security::codes::passes"),
                test(BINARY, "security::codes::passes_too"),
                test("other::it", "elsewhere"),
            ]
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
    fn commands_that_select_no_test_that_passed_are_found() {
        let text = "Run `cargo nextest run --package a --package b --all-features` or `cargo nextest run --package c name other`.";
        let command = |packages: &[&'static str], filters: &[&'static str]| TestCommand {
            packages: packages.to_vec(),
            filters: filters.to_vec(),
        };
        let commands = [
            command(&["a", "b"], &[]),
            command(&["c"], &["name", "other"]),
        ];
        assert_eq!(test_commands(text), commands);
        let passed = ["a", "b::it", "c::it"].map(|binary| (binary.to_owned(), "name".to_owned()));
        let passed = PassedTests::from(passed);
        assert_eq!(problems(&commands[0], &passed), [""; 0]);
        assert_eq!(
            problems(&commands[1], &passed).len(),
            1,
            "no test is `other`"
        );
        assert_eq!(problems(&command(&[], &["name"]), &passed).len(), 1);
        assert!(is_of_package("a", "a") && is_of_package("a::it", "a"));
        assert!(!is_of_package("ab", "a") && !is_of_package("b", "a"));
        let none = check_commands(&PassedTests::new());
        assert_eq!((none.passed, none.failed), (0, 1));
        let unreadable = check_document("docs/missing.md", names_of_cases, &passed);
        assert_eq!((unreadable.passed, unreadable.failed), (0, 1));
    }

    #[test]
    fn documents_name_tests() {
        for (document, names) in DOCUMENTS {
            let text = fs::read_to_string(root().join(document)).unwrap();
            assert!(names(&text).len() > 20, "{document}");
        }
    }
}
