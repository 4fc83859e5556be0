//! The list of modules in ARCHITECTURE.md names the folders of the sources, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::repository::{root, text_files};

/// What is in a folder of sources.
struct Sources {
    /// The folders directly in the folder of sources.
    folders: BTreeSet<String>,
    /// The names of all folders and files, without their ends.
    names: BTreeSet<String>,
}

impl Sources {
    /// Those below `folder`, as `crates/client/src/`.
    fn below(folder: &str, paths: &[String]) -> Self {
        let mut sources = Self {
            folders: BTreeSet::new(),
            names: BTreeSet::new(),
        };
        for path in paths.iter().filter_map(|path| path.strip_prefix(folder)) {
            if let Some((first, _)) = path.split_once('/') {
                sources.folders.insert(first.to_owned());
            }
            let names = path.split(['/', '.']).map(str::to_owned);
            sources.names.extend(names);
        }
        sources
    }
}

/// The folder of the sources of an entry.
fn folder_of(entry: &str) -> String {
    match entry {
        "ui" => "ui/src/".to_owned(),
        entry => format!("crates/{entry}/src/"),
    }
}

/// Each entry of the list with the names in code that it has.
fn entries(page: &str) -> BTreeMap<String, Vec<String>> {
    let (_, list) = page.split_once("### Modules").expect("it has a list");
    let (list, _) = list.split_once("\n## ").expect("a part follows");
    let entries = list.split("\n- ").skip(1).map(|entry| {
        let mut names = entry.split('`').skip(1).step_by(2).map(str::to_owned);
        let of = names.next().expect("an entry begins with its folder");
        (of, names.collect())
    });
    entries.collect()
}

#[test]
fn every_folder_of_the_sources_is_in_the_list_of_modules() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it can be read");
    let paths: Vec<_> = text_files().into_iter().map(|(path, _)| path).collect();
    let entries = entries(&page);
    assert!(entries.len() > 7, "{entries:?}");
    // Programs of a package.
    let not_modules = "bin";
    for (entry, names) in &entries {
        let sources = Sources::below(&folder_of(entry), &paths);
        assert!(!sources.folders.is_empty(), "{entry} has no folders");
        let missing = sources.folders.iter().filter(|folder| {
            folder.as_str() != not_modules && !names.iter().any(|name| name == *folder)
        });
        let missing: Vec<_> = missing.collect();
        assert!(missing.is_empty(), "{entry} has also {missing:?}");
    }
}

#[test]
fn every_name_in_the_list_of_modules_is_a_module() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it can be read");
    let paths: Vec<_> = text_files().into_iter().map(|(path, _)| path).collect();
    let engines = ["storage-sqlite", "storage-postgres"];
    for (entry, names) in entries(&page) {
        let mut known = Sources::below(&folder_of(&entry), &paths).names;
        // The entry of `storage` is about the engines as well.
        if entry == "storage" {
            for engine in engines {
                known.insert(engine.to_owned());
                known.extend(Sources::below(&folder_of(engine), &paths).names);
            }
        }
        // A name of a type has capitals, and a path of one has colons.
        let is_module = |name: &str| !name.contains(|c: char| c.is_ascii_uppercase() || c == ':');
        let module_names = names.iter().filter(|name| is_module(name));
        let unknown: Vec<_> = module_names.filter(|name| !known.contains(*name)).collect();
        assert!(unknown.is_empty(), "{entry} has no {unknown:?}");
    }
}
