//! Tests of what docs/operations.md and the files of deploy/ tell operators to use: subcommands, options and environment
//! variables of the program exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const DOCUMENTS: [&str; 2] = ["docs/operations.md", "README.md"];
/// Options of other programs in the README: of `cargo xtask run`, and of the program `invoice`.
const IN_OTHER_PROGRAMS: [&str; 2] = ["--invoices", "--help"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The help of a subcommand. `None` if there is none of that name.
fn help(subcommand: &[&str]) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_invoicing-service"));
    let output = command.args(subcommand).arg("--help").output();
    let output = output.expect("the program runs");
    let help = String::from_utf8(output.stdout).expect("the help is text");
    output.status.success().then_some(help)
}

/// What follows each occurrence of `begin`, up to the first character that `belongs` refuses.
fn words<'text>(text: &'text str, begin: &str, belongs: fn(char) -> bool) -> BTreeSet<&'text str> {
    text.match_indices(begin)
        .map(|(at, begin)| {
            let rest = &text[at + begin.len()..];
            &rest[..rest.find(|letter| !belongs(letter)).unwrap_or(rest.len())]
        })
        .collect()
}

#[test]
fn subcommands_in_documents_exist() {
    let mut found = 0;
    for document in DOCUMENTS {
        let text = read(document);
        let lines = words(&text, "invoicing-service ", |letter| {
            letter.is_ascii_lowercase() || letter == ' ' || letter == '-'
        });
        for line in lines {
            // In prose a verb may follow the name, so that only lines of code count.
            let is_code = text.contains(&format!("`invoicing-service {line}"))
                || text.contains(&format!("\ninvoicing-service {line}"));
            let subcommand: Vec<_> = line
                .split(' ')
                .take_while(|word| !word.is_empty() && !word.starts_with('-'))
                .collect();
            if is_code && !subcommand.is_empty() {
                found += 1;
                assert!(help(&subcommand).is_some(), "{document}: {subcommand:?}");
            }
        }
    }
    assert!(found >= 5, "{found} subcommands were found");
}

#[test]
fn options_in_documents_exist() {
    let serve = help(&["serve"]).expect("there is a help");
    let others = [
        help(&["admin", "audit", "verify"]),
        help(&["admin", "audit", "archive"]),
    ];
    for document in DOCUMENTS {
        let text = read(document);
        let options = words(&text, "`--", |letter| {
            letter.is_ascii_lowercase() || letter == '-'
        });
        assert!(options.len() > 3, "{document}: {options:?}");
        for option in options {
            let option = format!("--{option}");
            let mut help = others.iter().flatten().chain([&serve]);
            let known =
                help.any(|help| help.contains(&option)) || IN_OTHER_PROGRAMS.contains(&&*option);
            assert!(known, "{document}: there is no option {option}");
        }
    }
}

#[test]
fn environment_variables_in_documents_and_in_deploy_exist() {
    let helps = [help(&["serve"]), help(&["migrate-data"])];
    let mut files: Vec<_> = DOCUMENTS.map(str::to_owned).into();
    let mut folders = vec![PathBuf::from("deploy")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("the folder can be read") {
            let entry = entry.expect("the entry can be read");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else {
                files.push(path.display().to_string());
            }
        }
    }
    let mut found = BTreeSet::new();
    for file in files {
        let text = read(&file);
        for name in words(&text, "INVOICING_", |letter| {
            letter.is_ascii_uppercase() || letter == '_'
        }) {
            let name = format!("INVOICING_{name}");
            // The filter of the log is no option.
            let shown = format!("[env: {name}");
            let mut helps = helps.iter().flatten();
            let known = helps.any(|help| help.contains(&shown)) || name == "INVOICING_LOG";
            assert!(known, "{file}: there is no variable {name}");
            found.insert(name);
        }
    }
    assert!(found.len() > 10, "{found:?}");
}
