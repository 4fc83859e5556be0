//! `invoice convert`

use std::path::Path;

use invoice::ubl;
use serde_json::json;

use crate::Outcome;
use crate::arguments::Arguments;
use crate::input::{self, Failure};
use crate::output::{self, Output};

pub(crate) fn convert(
    file: &Path,
    arguments: &Arguments,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let read = input::read(file)?;
    let written = ubl::write(&read.document).map_err(|error| Failure::Convert {
        path: file.to_owned(),
        error,
    })?;
    let name = file.to_string_lossy();
    let Some(folder) = &arguments.out else {
        output.line(written);
        for unread in &read.unread {
            output.note(format_args!("{name}: {}", output::not_read(unread)));
        }
        return Ok(Outcome::Right);
    };
    let target = output::into_folder(folder, file, "xml", written.as_bytes())?;
    if arguments.json {
        let unread: Vec<_> = read.unread.iter().map(|unread| &unread.name).collect();
        let line = json!({ "file": name, "written": target.to_string_lossy(), "unread": unread });
        output.line(line);
        return Ok(Outcome::Right);
    }
    output.line(format_args!("{name}: written to {}", target.display()));
    for unread in &read.unread {
        output.line(format_args!("{name}: {}", output::not_read(unread)));
    }
    Ok(Outcome::Right)
}
