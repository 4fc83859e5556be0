//! What a command says and writes.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use invoice::xml::Unread;

use crate::input::Failure;

/// What one file came to.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// Goes to the output: text, or the file itself.
    pub(crate) bytes: Vec<u8>,
    /// What is to be known besides, where the output is the file itself.
    pub(crate) notes: String,
}

impl Output {
    /// One line for the output.
    pub(crate) fn line(&mut self, line: impl std::fmt::Display) {
        self.bytes.extend_from_slice(format!("{line}\n").as_bytes());
    }

    /// One line besides.
    pub(crate) fn note(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.notes, "{line}");
    }
}

/// What was not read, and how often.
pub(crate) fn not_read(unread: &Unread) -> String {
    let times = if unread.count == 1 {
        String::new()
    } else {
        format!(", {} times", unread.count)
    };
    format!("not read: {}{times}", unread.name)
}

/// Writes a file into the folder, under the name of the one it was made of. Never half a file, and never over another one.
pub(crate) fn into_folder(
    folder: &Path,
    from: &Path,
    extension: &str,
    bytes: &[u8],
) -> Result<PathBuf, Failure> {
    let name = from
        .file_stem()
        .filter(|stem| *stem != "-")
        .unwrap_or("invoice".as_ref());
    let target = folder.join(name).with_added_extension(extension);
    let failed = |error: io::Error| Failure::Write {
        path: target.clone(),
        error,
    };
    if target.exists() {
        return Err(failed(ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(folder).map_err(failed)?;
    let partial = target.with_added_extension("partial");
    let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, &target));
    if let Err(error) = written {
        // It may not even be there.
        let _ = fs::remove_file(&partial);
        return Err(failed(error));
    }
    Ok(target)
}
