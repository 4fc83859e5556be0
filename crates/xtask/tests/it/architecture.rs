//! Crates depend on each other as the table in ARCHITECTURE.md allows, and in no other direction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use crate::repository::root;

/// A row of the table.
struct Row {
    folder: String,
    package: String,
    /// Folders under `crates/`; `None` where everything is allowed.
    may_depend_on: Option<BTreeSet<String>>,
}

/// The rows that are Rust packages.
fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page can be read");
    let rows: Vec<_> = text.lines().filter_map(row).collect();
    assert!(rows.len() > 10, "the table was not found");
    rows
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<_> = line.strip_prefix("| ")?.split(" | ").collect();
    let [folder, package, _, may_depend_on] = cells[..] else {
        return None;
    };
    let names = |cell: &str| -> Vec<String> {
        let names = cell.split('`').skip(1).step_by(2);
        names.map(str::to_owned).collect()
    };
    Some(Row {
        folder: names(folder).pop()?,
        package: names(package).pop()?,
        may_depend_on: (!may_depend_on.starts_with("everything"))
            .then(|| names(may_depend_on).into_iter().collect()),
    })
}

/// The keys of the tables of ordinary and build dependencies of a manifest.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut in_dependencies = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            in_dependencies =
                table.ends_with("dependencies") && !table.ends_with("dev-dependencies");
        } else if in_dependencies && !line.starts_with('#') {
            found.extend(
                line.split(['.', '=', ' '])
                    .next()
                    .filter(|key| !key.is_empty()),
            );
        }
    }
    found
}

#[test]
fn every_crate_depends_only_on_what_the_architecture_allows() {
    let rows = rows();
    let folders: BTreeMap<&str, &str> = rows
        .iter()
        .map(|row| (row.package.as_str(), row.folder.as_str()))
        .collect();
    for row in &rows {
        let Some(allowed) = &row.may_depend_on else {
            continue;
        };
        let path = root().join(&row.folder).join("Cargo.toml");
        let manifest =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for dependency in dependencies(&manifest) {
            let Some(folder) = folders.get(dependency) else {
                continue;
            };
            let name = folder.trim_start_matches("crates/");
            assert!(
                allowed.contains(name),
                "{} must not depend on {name}",
                row.folder
            );
        }
    }
}

#[test]
fn every_package_of_the_workspace_is_in_the_architecture() {
    let rows = rows();
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest can be read");
    let (_, members) = manifest.split_once("members = [").expect("it has members");
    let (members, _) = members.split_once("\n]").expect("the list of members ends");
    for member in members.split('"').skip(1).step_by(2) {
        assert!(
            rows.iter().any(|row| row.folder == member),
            "{member} is not in the table"
        );
    }
}

#[test]
fn identity_and_gateway_know_neither_an_engine_nor_each_other() {
    for row in rows() {
        let name = row.folder.trim_start_matches("crates/");
        if !["identity", "gateway", "storage", "http"].contains(&name) {
            continue;
        }
        let allowed = row.may_depend_on.expect("its dependencies are listed");
        for forbidden in [
            "identity",
            "gateway",
            "storage-sqlite",
            "storage-postgres",
            "service",
            "client",
        ] {
            assert!(
                !allowed.contains(forbidden),
                "the table lets {name} depend on {forbidden}"
            );
        }
    }
}

/// The ordinary and build dependencies of a package whose names begin with one of `names`.
fn dependencies_among(folder: &str, names: &[&str]) -> Vec<String> {
    let path = root().join(folder).join("Cargo.toml");
    let manifest =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let found = dependencies(&manifest).into_iter();
    let found = found.filter(|dependency| names.iter().any(|name| dependency.starts_with(name)));
    found.map(str::to_owned).collect()
}

#[test]
fn identity_and_gateway_have_no_engine_among_their_dependencies() {
    const ENGINES: &[&str] = &[
        "rusqlite",
        "sqlx",
        "tokio-postgres",
        "deadpool",
        "libsqlite3",
    ];
    for folder in ["crates/identity", "crates/gateway", "crates/http"] {
        assert_eq!(
            dependencies_among(folder, ENGINES),
            [""; 0],
            "{folder} must not depend on an engine"
        );
    }
}

#[test]
fn storage_has_no_http_dependency() {
    const HTTP: &[&str] = &["axum", "http", "hyper", "reqwest", "tonic", "tower"];
    assert_eq!(dependencies_among("crates/storage", HTTP), [""; 0]);
}

#[test]
fn only_the_shell_depends_on_tauri() {
    for row in rows() {
        if row.folder != "src-tauri" {
            assert_eq!(
                dependencies_among(&row.folder, &["tauri"]),
                [""; 0],
                "{} must not depend on Tauri",
                row.folder
            );
        }
    }
}

/// The packages that `package` is built from, with the features of its manifest.
fn packages_below(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", package, "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}", "--locked"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout).expect("names are ASCII");
    let names = lines.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn desktop_contains_the_service_without_postgresql() {
    let postgres = "invoicing-storage-postgres";
    let desktop = packages_below("invoice-desk");
    assert!(desktop.contains("invoicing-storage-sqlite"));
    assert!(!desktop.contains(postgres) && !desktop.contains("tokio-postgres"));
    assert!(packages_below("invoicing-service").contains(postgres));
}

#[test]
fn invoice_depends_on_no_package_of_the_workspace() {
    let names = rows().into_iter().map(|row| row.package);
    let names: Vec<_> = names.filter(|name| name != "invoice").collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    assert_eq!(dependencies_among("crates/invoice", &names), [""; 0]);
}

#[test]
fn client_and_the_crates_of_the_service_do_not_depend_on_each_other() {
    const SERVICE: &[&str] = &[
        "invoicing-storage",
        "invoicing-http",
        "invoicing-identity",
        "invoicing-gateway",
        "invoicing-service",
    ];
    assert_eq!(dependencies_among("crates/client", SERVICE), [""; 0]);
    for folder in [
        "crates/storage",
        "crates/storage-sqlite",
        "crates/storage-postgres",
        "crates/http",
        "crates/identity",
        "crates/gateway",
        "crates/service",
    ] {
        assert_eq!(
            dependencies_among(folder, &["invoicing-client"]),
            [""; 0],
            "{folder} must not depend on the client"
        );
    }
}

#[test]
fn dependencies_of_a_manifest_are_found_in_every_form() {
    let manifest = "[package]\nname = \"x\"\n\n[dependencies]\n# a comment\na.workspace = true\nb = { path = \"b\" }\n\
        [dev-dependencies]\nc = \"1\"\n[target.'cfg(unix)'.dependencies]\nd = \"1\"\n[build-dependencies]\ne = \"1\"\n";
    let found = dependencies(manifest);
    assert_eq!(found, ["a", "b", "d", "e"]);
}
