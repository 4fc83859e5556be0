//! The error of processing one file.

use std::io;
use std::path::{Path, PathBuf};

use invoice::xml::{ReadError, WriteError};
use thiserror::Error;

/// Why a file could not be processed.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    /// The input file cannot be opened or read.
    #[error("{}: {source}", path.display())]
    Open {
        /// The input file.
        path: PathBuf,
        source: io::Error,
    },
    /// The input is not a readable invoice.
    #[error("{}: {source}", path.display())]
    Read {
        /// The input file.
        path: PathBuf,
        source: ReadError,
    },
    /// The document cannot be represented in UBL.
    #[error("{}: {source}", path.display())]
    Convert {
        /// The input file.
        path: PathBuf,
        source: WriteError,
    },
    /// The document cannot be rendered as PDF.
    #[cfg(feature = "pdf")]
    #[error("{}: {source}", path.display())]
    Render {
        /// The input file.
        path: PathBuf,
        source: invoice::pdf::RenderError,
    },
    /// The output file cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The output file.
        path: PathBuf,
        source: io::Error,
    },
}

impl FileError {
    /// The file that the error is about.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Open { path, .. }
            | Self::Read { path, .. }
            | Self::Convert { path, .. }
            | Self::Write { path, .. } => path,
            #[cfg(feature = "pdf")]
            Self::Render { path, .. } => path,
        }
    }

    /// The error without the path.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Open { source, .. } | Self::Write { source, .. } => source.to_string(),
            Self::Read { source, .. } => source.to_string(),
            Self::Convert { source, .. } => source.to_string(),
            #[cfg(feature = "pdf")]
            Self::Render { source, .. } => source.to_string(),
        }
    }

    /// The position of a read error, in bytes from the start of the file.
    pub(crate) fn position(&self) -> Option<u64> {
        match self {
            Self::Read { source, .. } => Some(source.position()),
            Self::Open { .. } | Self::Convert { .. } | Self::Write { .. } => None,
            #[cfg(feature = "pdf")]
            Self::Render { .. } => None,
        }
    }
}
