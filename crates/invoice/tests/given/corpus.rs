//! The public documents that stand beside the project and are no part of it.

use std::fs;
use std::path::{Path, PathBuf};

/// `(file name, bytes)` of every document of the corpus, in the order of their names. `None`, and said so, where it is absent.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub(crate) fn corpus(test: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let folder = folder();
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("{test} was SKIPPED: there is no {}", folder.display());
        return None;
    };
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.expect("the folder can be listed").path();
            let name = path.file_name().expect("an entry has a name");
            let name = name.to_string_lossy().into_owned();
            (name, fs::read(&path).expect("a document can be read"))
        })
        .collect();
    files.sort();
    assert_eq!(files.len(), 59, "the corpus has 59 documents");
    Some(files)
}

/// Beside the project, or where `INVOICE_CORPUS` says.
fn folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("INVOICE_CORPUS") {
        let folder = PathBuf::from(folder);
        let within = folder.join("ubl");
        return if within.is_dir() { within } else { folder };
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/ubl")
}
