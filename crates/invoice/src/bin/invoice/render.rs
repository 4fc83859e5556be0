//! `invoice render`

use std::path::Path;

use invoice::pdf::{Digits, Languages, Layout, Paper, Typesetter};
use invoice::{Syntax, ubl};
use jiff::civil::DateTime;
use serde_json::json;

use crate::Outcome;
use crate::arguments::Arguments;
use crate::input::{self, Failure};
use crate::output::{self, Output};

/// A4, English, Latin digits.
pub(crate) fn default_layout(created: DateTime) -> Layout {
    Layout {
        paper: Paper::default(),
        languages: Languages::default(),
        digits: Digits::default(),
        created,
    }
}

pub(crate) fn paper(name: &str) -> Result<Paper, &'static str> {
    match name {
        "a4" => Ok(Paper::A4),
        "letter" => Ok(Paper::Letter),
        _ => Err("paper is a4 or letter"),
    }
}

pub(crate) fn languages(name: &str) -> Result<Languages, &'static str> {
    match name {
        "en" => Ok(Languages::English),
        "ar" => Ok(Languages::Arabic),
        "both" => Ok(Languages::Both),
        _ => Err("the language is en, ar or both"),
    }
}

pub(crate) fn digits(name: &str) -> Result<Digits, &'static str> {
    match name {
        "latn" => Ok(Digits::Latin),
        "arab" => Ok(Digits::Arabic),
        _ => Err("digits are latn or arab"),
    }
}

pub(crate) fn render(
    file: &Path,
    arguments: &Arguments,
    typesetter: &Typesetter,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let bytes = input::bytes(file)?;
    let read = input::parse(file, bytes.as_slice())?;
    // UBL goes inside as it came, so that a signature in it stays valid.
    let inside = match read.syntax {
        Syntax::Ubl => bytes,
        Syntax::Cii => {
            let written = ubl::write(&read.document).map_err(|error| Failure::Convert {
                path: file.to_owned(),
                error,
            })?;
            written.into_bytes()
        }
    };
    let rendered = typesetter
        .render(&read.document, &inside, &arguments.layout)
        .map_err(|error| Failure::Render {
            path: file.to_owned(),
            error,
        })?;
    let name = file.to_string_lossy();
    let missing: String = rendered.missing.iter().collect();
    let Some(folder) = &arguments.out else {
        output.bytes = rendered.pdf;
        if !missing.is_empty() {
            output.note(format_args!("{name}: cannot be printed: {missing}"));
        }
        return Ok(Outcome::Right);
    };
    let target = output::into_folder(folder, file, "pdf", &rendered.pdf)?;
    if arguments.json {
        output.line(json!({
            "file": name,
            "written": target.to_string_lossy(),
            "pages": rendered.pages,
            "missing": missing,
        }));
        return Ok(Outcome::Right);
    }
    output.line(format_args!("{name}: written to {}", target.display()));
    if !missing.is_empty() {
        output.line(format_args!("{name}: cannot be printed: {missing}"));
    }
    Ok(Outcome::Right)
}
