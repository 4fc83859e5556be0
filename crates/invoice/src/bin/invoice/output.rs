//! Collects what a command prints, and writes output files.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use invoice::xml::UnmappedElement;
use serde_json::json;

use crate::error::FileError;

/// What processing one file prints.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// For the standard output: text, or the output file itself.
    pub(crate) bytes: Vec<u8>,
    /// For the standard error: messages beside an output file on the standard output.
    pub(crate) notes: String,
}

impl Output {
    /// Adds a line to the standard output.
    pub(crate) fn line(&mut self, line: impl std::fmt::Display) {
        self.bytes.extend_from_slice(format!("{line}\n").as_bytes());
    }

    /// Adds a line to the standard error.
    pub(crate) fn note(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.notes, "{line}");
    }

    /// Adds an error: a line of JSON on the standard output, or text on the standard error.
    pub(crate) fn error(&mut self, error: &FileError, json: bool) {
        if !json {
            self.note(error);
            return;
        }
        self.line(json!({
            "file": error.path().to_string_lossy(),
            "error": { "message": error.message(), "position": error.position() },
        }));
    }
}

/// Describes an element that was not read, with its number of occurrences.
pub(crate) fn describe_unmapped(element: &UnmappedElement) -> String {
    let times = if element.count == 1 {
        String::new()
    } else {
        format!(", {} times", element.count)
    };
    format!("not read: {}{times}", element.name)
}

/// Writes an output file into the folder under the name of its input file, atomically and without replacing a file.
pub(crate) fn write_file(
    folder: &Path,
    input: &Path,
    extension: &str,
    bytes: &[u8],
) -> Result<PathBuf, FileError> {
    let name = input
        .file_stem()
        .filter(|stem| *stem != "-")
        .unwrap_or("invoice".as_ref());
    let target = folder.join(name).with_added_extension(extension);
    let write_error = |source: io::Error| FileError::Write {
        path: target.clone(),
        source,
    };
    if target.exists() {
        return Err(write_error(ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(folder).map_err(write_error)?;
    let partial = target.with_added_extension("partial");
    let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, &target));
    if let Err(error) = written {
        // The error to report is that of writing; the partial file may not exist.
        let _ = fs::remove_file(&partial);
        return Err(write_error(error));
    }
    Ok(target)
}
