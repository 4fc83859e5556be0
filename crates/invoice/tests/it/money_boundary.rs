//! Only this crate computes money: manifests and sources of the others contain no arithmetic on amounts.

use std::fs;
use std::path::{Path, PathBuf};

/// All other crates.
const OTHERS: [&str; 11] = [
    "crates/contract",
    "crates/client",
    "crates/storage",
    "crates/storage-sqlite",
    "crates/http",
    "crates/identity",
    "crates/gateway",
    "crates/service",
    "crates/embedded-service",
    "src-tauri",
    "crates/xtask",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder with one of the name endings, without tests.
fn sources(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            sources(&path, endings, found);
        } else if endings.iter().any(|ending| name.ends_with(ending)) && !name.contains(".test.") {
            found.push(path);
        }
    }
}

/// The numbered lines of a file before its test module, without comments.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let lines = code.lines().enumerate();
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn no_other_crate_depends_on_a_decimal_library() {
    for folder in OTHERS {
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        // Tests may use decimal libraries.
        let manifest = manifest.split("[dev-dependencies]").next().unwrap_or("");
        for library in [
            "rust_decimal",
            "bigdecimal",
            "fastnum",
            "num-rational",
            "rusty-money",
            "dec",
        ] {
            let named = manifest
                .lines()
                .any(|line| line.split(['.', ' ', '=']).next() == Some(library));
            assert!(!named, "{folder} depends on {library}");
        }
    }
}

#[test]
fn no_other_crate_computes_with_amounts() {
    // The computing functions of this crate, and arithmetic on minor units.
    let computing = [
        "multiply_divide(",
        "calculation::line_amount",
        "calculation::line_tax",
        "calculation::percentage",
        "calculation::totals",
        "inclusive::net_price",
        ".minor() +",
        ".minor() -",
        ".minor() *",
        ".minor() /",
        "Decimal::new(",
    ];
    let mut found = Vec::new();
    for folder in OTHERS {
        let mut files = Vec::new();
        sources(&root().join(folder).join("src"), &[".rs"], &mut files);
        assert!(!files.is_empty(), "{folder} has sources");
        for file in files {
            let text = read(&file);
            for (at, line) in lines(&text) {
                if computing.iter().any(|way| line.contains(way)) {
                    found.push(format!("{}:{}: {}", file.display(), at + 1, line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn ui_converts_no_amount_to_a_number() {
    // One file sums selected amounts exactly as integers, for display only.
    let sums = root().join("ui/src/invoices/decimal.ts");
    let exact = read(&sums);
    assert!(exact.contains("BigInt(") && !exact.contains("Number("));
    let mut files = Vec::new();
    sources(&root().join("ui/src"), &[".ts", ".tsx"], &mut files);
    let amounts = [
        "gross", "net", "tax", "amount", "price", "payable", "total", "rate", "quantity",
    ];
    let mut found = Vec::new();
    for file in files
        .iter()
        .filter(|file| file.file_name() != sums.file_name())
    {
        let text = read(file);
        for (at, line) in lines(&text) {
            let lower = line.to_lowercase();
            let converts = ["parseFloat(", "toFixed(", "BigInt("];
            let numbers = line.split("Number(").skip(1).any(|argument| {
                let argument = argument.split(')').next().unwrap_or("").to_lowercase();
                amounts.iter().any(|amount| argument.contains(amount))
            });
            let of_amounts = amounts.iter().any(|amount| lower.contains(amount));
            if numbers || (of_amounts && converts.iter().any(|way| line.contains(way))) {
                found.push(format!("{}:{}: {}", file.display(), at + 1, line.trim()));
            }
        }
    }
    assert!(files.len() > 20, "there is a UI");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_crate_computes_with_floating_point_numbers() {
    let workspace = read(&root().join("Cargo.toml"));
    assert!(
        workspace.contains("float_arithmetic = \"warn\""),
        "clippy refuses it everywhere, because warnings are errors there"
    );
    for folder in OTHERS.iter().chain(&["crates/invoice"]) {
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        assert!(manifest.contains("[lints]\nworkspace = true"), "{folder}");
    }
}
