//! Reads input files.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use invoice::ParsedDocument;
use invoice::xml::Limits;

use crate::error::FileError;

/// Reads one document from a file, or from the standard input if the path is `-`.
pub(crate) fn read(path: &Path) -> Result<ParsedDocument, FileError> {
    if path == Path::new("-") {
        return parse(path, io::stdin().lock());
    }
    parse(path, BufReader::with_capacity(1 << 16, open(path)?))
}

/// Parses the contents of a file. `path` is for the error only.
pub(crate) fn parse(path: &Path, bytes: impl BufRead) -> Result<ParsedDocument, FileError> {
    invoice::read(bytes, Limits::default()).map_err(|source| FileError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Reads all bytes of a file, or of the standard input if the path is `-`. Stops one byte after the limit, so that parsing
/// reports the limit.
#[cfg(feature = "pdf")]
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    use std::io::Read as _;

    let most = Limits::default().bytes + 1;
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        open(path)?.take(most).read_to_end(&mut bytes)
    };
    match result {
        Ok(_) => Ok(bytes),
        Err(source) => Err(FileError::Open {
            path: path.to_owned(),
            source,
        }),
    }
}

fn open(path: &Path) -> Result<File, FileError> {
    File::open(path).map_err(|source| FileError::Open {
        path: path.to_owned(),
        source,
    })
}
