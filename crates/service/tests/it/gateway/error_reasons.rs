//! Every reason of an error has an example in the description of the API and a test, or a cause why it has none (decision 0128).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use invoicing_contract::Status;

use super::description::openapi_document;

/// The crates whose errors a caller of the gateway gets.
const CRATES: [&str; 5] = ["contract", "gateway", "http", "identity", "storage"];

const NOT_OF_THE_GATEWAY: &str = "only the command line meets it";
const OVER_GRPC: &str = "only gRPC has it, and the description is that of REST";
const BEFORE_THE_GATEWAY: &str = "the listener answers it to a request for another host";

/// Reasons without an example, and why.
const WITHOUT_EXAMPLE: [(&str, &str); 11] = [
    (
        "BATCH_DEADLINE",
        "it is that of an entry, in an answer with 200",
    ),
    ("DEADLINE_EXCEEDED", OVER_GRPC),
    ("HOST_NOT_SERVED", BEFORE_THE_GATEWAY),
    ("MALFORMED_HOST", BEFORE_THE_GATEWAY),
    ("METHOD_NOT_FOUND", OVER_GRPC),
    ("NAME_NOT_FOUND", OVER_GRPC),
    ("NO_CURRENT_KEY", NOT_OF_THE_GATEWAY),
    ("OPERATOR_EXISTS", NOT_OF_THE_GATEWAY),
    ("OPERATOR_NOT_FOUND", NOT_OF_THE_GATEWAY),
    ("OPERATOR_ROLE", NOT_OF_THE_GATEWAY),
    ("ROLE_EXISTS", "to grant a role again changes nothing"),
];

/// Reasons that no test asserts, and why.
const WITHOUT_TEST: [(&str, &str); 5] = [
    ("NO_CURRENT_KEY", NOT_OF_THE_GATEWAY),
    ("OPERATOR_EXISTS", NOT_OF_THE_GATEWAY),
    ("OPERATOR_NOT_FOUND", NOT_OF_THE_GATEWAY),
    ("OPERATOR_ROLE", NOT_OF_THE_GATEWAY),
    ("ROLE_EXISTS", "to grant a role again changes nothing"),
];

#[test]
fn every_reason_of_an_error_has_an_example_and_a_test() {
    let (code, tests) = sources();
    let all: BTreeSet<_> = code.iter().flat_map(|code| reasons(code)).collect();
    assert!(all.len() > 90, "the sources are read: {all:?}");

    let described = described();
    let without = all.iter().filter(|reason| !described.contains(**reason));
    let without: BTreeSet<_> = without.copied().collect();
    assert_listed(&without, &WITHOUT_EXAMPLE, "no example in examples.rs");

    let without = all
        .iter()
        .filter(|reason| !tests.contains(&format!("\"{reason}\"")));
    let without: BTreeSet<_> = without.copied().collect();
    assert_listed(&without, &WITHOUT_TEST, "no test that asserts it");
}

/// Asserts that the list names all reasons that lack something, and no others.
#[track_caller]
fn assert_listed(lacking: &BTreeSet<&str>, list: &[(&str, &str)], what: &str) {
    let listed: BTreeSet<_> = list.iter().map(|(reason, _why)| *reason).collect();
    let missing: Vec<_> = lacking.difference(&listed).collect();
    assert!(missing.is_empty(), "{what}: {missing:?}");
    let needless: Vec<_> = listed.difference(lacking).collect();
    assert!(needless.is_empty(), "not excused any more: {needless:?}");
}

/// The reasons of all examples of the description.
fn described() -> BTreeSet<String> {
    let document = openapi_document();
    let responses = document["components"]["responses"].as_object();
    let mut reasons = BTreeSet::new();
    for response in responses.expect("responses").values() {
        let examples = &response["content"]["application/json"]["examples"];
        for example in examples.as_object().expect("examples").values() {
            let status = serde_json::from_value::<Status>(example["value"].clone());
            let status = status.expect("a Status");
            reasons.extend(status.reason().map(str::to_owned));
        }
    }
    reasons
}

/// The code of the crates, file by file and without white space, and the text of all tests of theirs.
fn sources() -> (Vec<String>, String) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut code, mut tests) = (Vec::new(), String::new());
    for name in CRATES {
        for file in rust_files(&here.join("..").join(name).join("src")) {
            let text: String = read(&file).split_whitespace().collect();
            if file.to_string_lossy().ends_with("tests.rs") {
                tests.push_str(&text);
                continue;
            }
            let (of_file, test) = text
                .split_once("#[cfg(test)]modtests{")
                .unwrap_or((text.as_str(), ""));
            code.push(of_file.to_owned());
            tests.push_str(test);
        }
    }
    for file in rust_files(&here.join("tests/it")) {
        // This one names the reasons that no other has.
        if !file.ends_with("error_reasons.rs") {
            tests.push_str(&read(&file));
        }
    }
    (code, tests)
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The reasons that code without white space makes: literals in calls that make a Status, and those that `…reason(self)` returns.
fn reasons(code: &str) -> Vec<&str> {
    let after_code = code.split("::new(Code::").skip(1);
    let of_new = after_code.filter_map(|rest| {
        let (_code, rest) = rest.split_once(',')?;
        let argument = rest.split(',').next()?;
        assert!(
            reason_literal(argument).is_some()
                || argument.starts_with('"')
                || argument.contains("reason"),
            "a reason that this test does not find: {argument}"
        );
        Some(rest)
    });
    let of_invalid = code.split("::invalid(").skip(1);
    let of_exhausted = code.split("exhausted(").skip(1);
    let calls = of_new.chain(of_invalid).chain(of_exhausted);
    let functions = code.split("reason(self)->&'staticstr{matchself{").skip(1);
    let arms = functions.filter_map(|rest| rest.split('}').next());
    let arms = arms.flat_map(|arms| arms.split("=>").skip(1));
    calls.chain(arms).filter_map(reason_literal).collect()
}

/// The literal in upper snake case that a text begins with, or the constant, which has the name of its reason.
fn reason_literal(text: &str) -> Option<&str> {
    let is_of_reason = |letter: char| letter.is_ascii_uppercase() || letter == '_';
    let (name, end) = match text.strip_prefix('"') {
        Some(literal) => literal.split_once('"')?,
        None => text.split_at(
            text.find(|letter| !is_of_reason(letter))
                .unwrap_or(text.len()),
        ),
    };
    let is_whole = text.starts_with('"') || end.is_empty() || end.starts_with([',', ')']);
    let is_reason = !name.is_empty() && name.chars().all(is_of_reason) && is_whole;
    is_reason.then_some(name)
}

#[test]
fn reasons_are_found_in_calls_and_in_functions() {
    let code = r#"Status::new(Code::NotFound,"A_B","text")Status::new(Code::Ok,K_L,"text")Self::invalid("C",message)exhausted("D_E",message)
        fnreason(self)->&'staticstr{matchself{Self::F=>"F_G",Self::H=>"H",}}Self::I=>"I_J""#;
    assert_eq!(reasons(code), ["A_B", "K_L", "C", "D_E", "F_G", "H"]);
}
