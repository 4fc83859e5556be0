//! Opens files, and tells why one cannot be.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use invoice::Read;
use invoice::xml::{Limits, ReadError, WriteError};
use serde_json::json;
use thiserror::Error;

use crate::arguments::Arguments;

/// Why a file came to nothing.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// It cannot be opened.
    #[error("{}: {error}", path.display())]
    Open {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is not an invoice that can be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why, and where.
        error: ReadError,
    },
    /// It cannot be said in the other format.
    #[error("{}: {error}", path.display())]
    Convert {
        /// Which.
        path: PathBuf,
        /// Why.
        error: WriteError,
    },
    /// The converted file cannot be written.
    #[error("{}: {error}", path.display())]
    Write {
        /// Where to.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Reads one file, or the input if it is `-`.
pub(crate) fn read(path: &Path) -> Result<Read, Failure> {
    let result = if path == Path::new("-") {
        invoice::read(io::stdin().lock(), Limits::default())
    } else {
        let file = File::open(path).map_err(|error| Failure::Open {
            path: path.to_owned(),
            error,
        })?;
        invoice::read(BufReader::with_capacity(1 << 16, file), Limits::default())
    };
    result.map_err(|error| Failure::Read {
        path: path.to_owned(),
        error,
    })
}

/// Adds the failure to the output of the file.
pub(crate) fn tell(failure: &Failure, arguments: &Arguments, output: &mut String) {
    if !arguments.json {
        let _ = writeln!(output, "{failure}");
        return;
    }
    let (path, message, position) = match failure {
        Failure::Open { path, error } | Failure::Write { path, error } => {
            (path, error.to_string(), None)
        }
        Failure::Read { path, error } => (path, error.to_string(), Some(error.position())),
        Failure::Convert { path, error } => (path, error.to_string(), None),
    };
    let line = json!({
        "file": path.to_string_lossy(),
        "error": { "message": message, "position": position },
    });
    let _ = writeln!(output, "{line}");
}
