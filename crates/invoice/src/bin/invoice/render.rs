//! `invoice render`: renders a document as PDF/A-3 with its XML embedded.

use std::path::Path;

use invoice::pdf::Typesetter;
use invoice::{Syntax, ubl};
use serde_json::json;

use crate::Outcome;
use crate::error::FileError;
use crate::input;
use crate::options::Options;
use crate::output::{self, Output};

pub(crate) fn render(
    file: &Path,
    options: &Options,
    typesetter: &Typesetter,
    output: &mut Output,
) -> Result<Outcome, FileError> {
    let bytes = input::read_bytes(file)?;
    let parsed = input::parse(file, bytes.as_slice())?;
    // UBL is embedded byte by byte, so that a signature in it stays valid.
    let embedded = match parsed.syntax {
        Syntax::Ubl => bytes,
        Syntax::Cii => {
            let document = parsed.document.clone().with_ubl_values();
            let written = ubl::write(&document).map_err(|source| FileError::Convert {
                path: file.to_owned(),
                source,
            })?;
            written.into_bytes()
        }
    };
    let rendered = typesetter
        .render(&parsed.document, &embedded, &options.layout)
        .map_err(|source| FileError::Render {
            path: file.to_owned(),
            source,
        })?;
    let name = file.to_string_lossy();
    let missing: String = rendered.missing_characters.iter().collect();
    let Some(folder) = &options.out else {
        output.bytes = rendered.pdf;
        if !missing.is_empty() {
            output.note(format_args!("{name}: cannot be printed: {missing}"));
        }
        return Ok(Outcome::Valid);
    };
    let target = output::write_file(folder, file, "pdf", &rendered.pdf)?;
    if options.json {
        output.line(json!({
            "file": name,
            "written": target.to_string_lossy(),
            "pages": rendered.pages,
            "missing": missing,
        }));
        return Ok(Outcome::Valid);
    }
    output.line(format_args!("{name}: written to {}", target.display()));
    if !missing.is_empty() {
        output.line(format_args!("{name}: cannot be printed: {missing}"));
    }
    Ok(Outcome::Valid)
}
