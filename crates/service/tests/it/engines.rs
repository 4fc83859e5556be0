//! Checks of the list of tests that run on SQLite only.

use std::fs;
use std::path::Path;

use crate::fixtures::assert_test_exists;

/// A reason, followed by indented lines with names.
const SQLITE_ONLY: &str = include_str!("sqlite_only.txt");
const CASES: &str = include_str!("security/cases.txt");

/// The names of the list, each after a reason.
fn sqlite_only() -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut reason = None;
    for line in SQLITE_ONLY.lines() {
        if let Some(name) = line.strip_prefix("    ") {
            reason.expect("a reason before its tests");
            names.push(name);
        } else if !line.is_empty() && !line.starts_with('#') {
            reason = Some(line);
        }
    }
    names
}

#[test]
fn tests_on_sqlite_only_exist_and_have_a_reason() {
    let names = sqlite_only();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        match name.strip_suffix("::") {
            Some(module) => {
                let path = module.replace("::", "/");
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
                let is_module = ["", "/mod"]
                    .iter()
                    .any(|rest| folder.join(format!("{path}{rest}.rs")).is_file());
                assert!(is_module, "{name}");
            }
            None => assert_test_exists(name, "sqlite_only.txt"),
        }
    }
}

#[test]
fn every_security_case_and_every_test_of_identity_and_gateway_runs_on_both_engines() {
    let excluded = sqlite_only();
    let cases = CASES.lines().filter_map(|line| line.strip_prefix("    "));
    for test in cases {
        let is_excluded = excluded
            .iter()
            .any(|name| test == *name || (name.ends_with("::") && test.starts_with(name)));
        assert!(!is_excluded, "{test} runs on SQLite only");
    }
    for name in excluded {
        for suite in ["identity::", "gateway::", "security::"] {
            assert!(!name.starts_with(suite), "{name} runs on SQLite only");
        }
    }
}

#[test]
fn every_fixture_of_a_database_is_of_the_engine_that_the_tests_run_on() {
    const ALLOWED: [&str; 2] = ["fixtures/service_folder.rs", "service/audit_archive/mod.rs"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut folders = vec![folder.clone()];
    let mut files = 0;
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path
                .strip_prefix(&folder)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            if name == "engines.rs" || !name.ends_with(".rs") || ALLOWED.contains(&&*name) {
                continue;
            }
            files += 1;
            let source = fs::read_to_string(&path).unwrap();
            for word in ["rusqlite::", "use invoicing_storage_sqlite", "Sqlite::open"] {
                assert!(!source.contains(word), "{name} opens {word}");
            }
        }
    }
    assert!(files > 50, "{files}");
}
