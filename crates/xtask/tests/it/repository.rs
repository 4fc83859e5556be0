//! The text files of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Path from the root, with slashes, and content of every text file that belongs to the repository.
pub(super) fn text_files() -> Vec<(String, String)> {
    let root = root();
    let files: Vec<_> = tracked(&root)
        .unwrap_or_else(|| walked(&root))
        .into_iter()
        .filter_map(|path| {
            // A file that is no UTF-8 is a picture, a font or a sample for a fuzz target.
            let text = fs::read_to_string(root.join(&path)).ok()?;
            Some((path, text))
        })
        .collect();
    assert!(
        files.iter().any(|(path, _)| path == "docs/contract.md"),
        "the files of the repository were not found"
    );
    files
}

/// What Git tracks, and what it would track after `git add`. `None` without Git, as in an unpacked archive.
fn tracked(root: &Path) -> Option<Vec<String>> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let paths = String::from_utf8(listed.stdout).ok()?;
    let paths: Vec<_> = paths
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    (!paths.is_empty()).then_some(paths)
}

/// Everything below `root` except what builds produce.
fn walked(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder can be listed") {
            let entry = entry.expect("an entry can be read");
            let path = folder.join(entry.file_name());
            let kind = entry.file_type().expect("an entry has a type");
            if kind.is_file() {
                files.push(path.to_string_lossy().replace('\\', "/"));
            } else if kind.is_dir() && !is_build_output(&path) {
                folders.push(path);
            }
        }
    }
    files
}

fn is_build_output(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    matches!(name, Some("target" | "node_modules" | "dist" | ".git"))
}

#[test]
fn walk_without_git_finds_every_tracked_text_file() {
    let root = root();
    let Some(tracked) = tracked(&root) else {
        return;
    };
    let walked = walked(&root);
    for path in tracked {
        assert!(
            walked.contains(&path) || !root.join(&path).exists(),
            "{path} was not found"
        );
    }
}
