//! What the command line says.

use std::path::PathBuf;

use jiff::civil::Date;
use lexopt::prelude::*;

/// What is done with each file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Check,
    Explain,
    Convert,
}

/// A command line that makes sense.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) command: Command,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) json: bool,
    pub(crate) today: Date,
    pub(crate) out: Option<PathBuf>,
}

impl Arguments {
    /// `None` if help is asked for.
    pub(crate) fn from_env() -> Result<Option<Self>, lexopt::Error> {
        let mut parser = lexopt::Parser::from_env();
        let (mut command, mut today, mut out) = (None, None, None);
        let (mut files, mut json) = (Vec::new(), false);
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => return Ok(None),
                Long("json") => json = true,
                Long("today") => today = Some(parser.value()?.parse()?),
                Long("out") => out = Some(PathBuf::from(parser.value()?)),
                Value(name) if command.is_none() => {
                    command = Some(match name.to_str() {
                        Some("check") => Command::Check,
                        Some("explain") => Command::Explain,
                        Some("convert") => Command::Convert,
                        _ => return Err(format!("there is no command {name:?}").into()),
                    });
                }
                Value(file) => files.push(PathBuf::from(file)),
                argument @ (Short(_) | Long(_)) => return Err(argument.unexpected()),
            }
        }
        let Some(command) = command else {
            return Ok(None);
        };
        if files.is_empty() {
            return Err("which files?".into());
        }
        if command == Command::Convert && files.len() > 1 && out.is_none() {
            return Err("more than one file goes into a folder: give --out".into());
        }
        Ok(Some(Self {
            command,
            files,
            json,
            today: today.unwrap_or_else(utc_today),
            out,
        }))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is where the time is taken that everything else is passed"
)]
fn utc_today() -> Date {
    jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
}
