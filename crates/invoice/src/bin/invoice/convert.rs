//! `invoice convert`

use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use invoice::ubl;
use serde_json::json;

use crate::Outcome;
use crate::arguments::Arguments;
use crate::input::{self, Failure};

pub(crate) fn convert(
    file: &Path,
    arguments: &Arguments,
    output: &mut String,
) -> Result<Outcome, Failure> {
    let read = input::read(file)?;
    let written = ubl::write(&read.document).map_err(|error| Failure::Convert {
        path: file.to_owned(),
        error,
    })?;
    let name = file.to_string_lossy();
    let Some(folder) = &arguments.out else {
        output.push_str(&written);
        output.push('\n');
        return Ok(Outcome::Right);
    };
    let target = folder.join(file.file_name().unwrap_or("invoice.xml".as_ref()));
    let failed = |error: io::Error| Failure::Write {
        path: target.clone(),
        error,
    };
    // Two files of one name, or a file of before, are not lost.
    if target.exists() {
        return Err(failed(ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(folder).map_err(failed)?;
    // Never half a file under its name.
    let partial = target.with_extension("partial");
    fs::write(&partial, written).map_err(failed)?;
    fs::rename(&partial, &target).map_err(failed)?;
    if arguments.json {
        let unread: Vec<_> = read.unread.iter().map(|unread| &unread.name).collect();
        let line = json!({ "file": name, "written": target.to_string_lossy(), "unread": unread });
        let _ = writeln!(output, "{line}");
        return Ok(Outcome::Right);
    }
    let _ = writeln!(output, "{name}: written to {}", target.display());
    for unread in &read.unread {
        let _ = writeln!(output, "{name}: not read: {}", unread.name);
    }
    Ok(Outcome::Right)
}
