//! Opens files, and tells why one cannot be.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use invoice::Read;
use invoice::xml::{Limits, ReadError, WriteError};
use serde_json::json;
use thiserror::Error;

use crate::arguments::Arguments;
use crate::output::Output;

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
    /// It cannot be printed.
    #[cfg(feature = "pdf")]
    #[error("{}: {error}", path.display())]
    Render {
        /// Which.
        path: PathBuf,
        /// Why.
        error: invoice::pdf::RenderError,
    },
    /// The file that was made cannot be written.
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
    if path == Path::new("-") {
        return parse(path, io::stdin().lock());
    }
    parse(path, BufReader::with_capacity(1 << 16, open(path)?))
}

/// Reads what stands in a file.
pub(crate) fn parse(path: &Path, bytes: impl BufRead) -> Result<Read, Failure> {
    invoice::read(bytes, Limits::default()).map_err(|error| Failure::Read {
        path: path.to_owned(),
        error,
    })
}

/// The bytes of a file, or of the input if it is `-`. One more than may be read, at most.
#[cfg(feature = "pdf")]
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    use std::io::Read as _;

    let most = Limits::default().bytes + 1;
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        open(path)?.take(most).read_to_end(&mut bytes)
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::Open {
            path: path.to_owned(),
            error,
        }),
    }
}

fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| Failure::Open {
        path: path.to_owned(),
        error,
    })
}

/// Adds the failure to the output of the file.
pub(crate) fn tell(failure: &Failure, arguments: &Arguments, output: &mut Output) {
    if !arguments.json {
        output.note(failure);
        return;
    }
    let (path, message, position) = match failure {
        Failure::Open { path, error } | Failure::Write { path, error } => {
            (path, error.to_string(), None)
        }
        Failure::Read { path, error } => (path, error.to_string(), Some(error.position())),
        Failure::Convert { path, error } => (path, error.to_string(), None),
        #[cfg(feature = "pdf")]
        Failure::Render { path, error } => (path, error.to_string(), None),
    };
    output.line(json!({
        "file": path.to_string_lossy(),
        "error": { "message": message, "position": position },
    }));
}
