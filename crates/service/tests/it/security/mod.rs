//! Security cases: 26 attacks, each with the tests that cover it.
//!
//! Most tests are in the modules here, by theme; the list in cases.txt also names tests of other modules that cover a case.

mod authorization;
mod bodies;
mod browser;
mod codes;
mod headers;
mod production;
mod secrets;
mod throttling;
mod tokens;
mod transport;

use crate::fixtures::assert_test_exists;

/// Lines `number subject`, each followed by indented lines with the paths of its tests in this binary.
const CASES: &str = include_str!("cases.txt");

/// That they pass is checked by `cargo xtask test`, which knows the result of each test.
#[test]
fn every_security_case_names_existing_tests() {
    let mut subjects: Vec<&str> = Vec::new();
    let mut tests = 0;
    let lines = CASES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines {
        if let Some(test) = line.strip_prefix("    ") {
            let subject = subjects.last().expect("a case before its tests");
            assert_test_exists(test, subject);
            tests += 1;
            continue;
        }
        if let Some(former) = subjects.last() {
            assert!(tests > 0, "{former} has no test");
        }
        let (number, subject) = line.split_once(' ').expect("number and subject");
        assert_eq!(number.parse(), Ok(subjects.len() + 1), "{subject}");
        subjects.push(subject);
        tests = 0;
    }
    assert!(tests > 0 && subjects.len() >= 26, "{subjects:?}");
}
