//! `invoice convert`: writes a document as UBL.

use std::path::Path;

use invoice::ubl;
use serde_json::json;

use crate::Outcome;
use crate::error::FileError;
use crate::input;
use crate::options::Options;
use crate::output::{self, Output, describe_unmapped};

pub(crate) fn convert(
    file: &Path,
    options: &Options,
    output: &mut Output,
) -> Result<Outcome, FileError> {
    let parsed = input::read(file)?;
    let document = parsed.document.with_ubl_values();
    let written = ubl::write(&document).map_err(|source| FileError::Convert {
        path: file.to_owned(),
        source,
    })?;
    let name = file.to_string_lossy();
    let Some(folder) = &options.out else {
        output.line(written);
        for element in &parsed.unmapped {
            output.note(format_args!("{name}: {}", describe_unmapped(element)));
        }
        return Ok(Outcome::Valid);
    };
    let target = output::write_file(folder, file, "xml", written.as_bytes())?;
    if options.json {
        let unread: Vec<_> = parsed.unmapped.iter().map(|one| &one.name).collect();
        let line = json!({ "file": name, "written": target.to_string_lossy(), "unread": unread });
        output.line(line);
        return Ok(Outcome::Valid);
    }
    output.line(format_args!("{name}: written to {}", target.display()));
    for element in &parsed.unmapped {
        output.line(format_args!("{name}: {}", describe_unmapped(element)));
    }
    Ok(Outcome::Valid)
}
