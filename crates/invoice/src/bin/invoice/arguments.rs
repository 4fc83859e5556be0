//! What the command line says.

use std::path::PathBuf;

use jiff::civil::{Date, DateTime};
use lexopt::prelude::*;

/// What is done with each file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Check,
    Explain,
    Convert,
    #[cfg(feature = "pdf")]
    Render,
}

impl Command {
    fn named(name: &str) -> Option<Self> {
        match name {
            "check" => Some(Self::Check),
            "explain" => Some(Self::Explain),
            "convert" => Some(Self::Convert),
            #[cfg(feature = "pdf")]
            "render" => Some(Self::Render),
            _ => None,
        }
    }

    /// Whether it makes a file of a file.
    const fn writes(self) -> bool {
        match self {
            Self::Check | Self::Explain => false,
            Self::Convert => true,
            #[cfg(feature = "pdf")]
            Self::Render => true,
        }
    }
}

/// A command line that makes sense.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) command: Command,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) json: bool,
    pub(crate) today: Date,
    pub(crate) out: Option<PathBuf>,
    #[cfg(feature = "pdf")]
    pub(crate) layout: invoice::pdf::Layout,
}

impl Arguments {
    /// `None` if help is asked for.
    pub(crate) fn from_env() -> Result<Option<Self>, lexopt::Error> {
        let mut parser = lexopt::Parser::from_env();
        let (mut command, mut today, mut out) = (None, None, None);
        #[cfg(feature = "pdf")]
        let mut layout = crate::render::default_layout(utc_now());
        // The first option that says how something is printed.
        #[cfg(feature = "pdf")]
        let mut printing = None;
        let (mut files, mut json) = (Vec::new(), false);
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => return Ok(None),
                Long("json") => json = true,
                Long("today") => today = Some(parser.value()?.parse()?),
                Long("out") => out = Some(PathBuf::from(parser.value()?)),
                #[cfg(feature = "pdf")]
                Long("paper") => {
                    printing.get_or_insert("--paper");
                    layout.paper = parser.value()?.parse_with(crate::render::paper)?;
                }
                #[cfg(feature = "pdf")]
                Long("language") => {
                    printing.get_or_insert("--language");
                    layout.languages = parser.value()?.parse_with(crate::render::languages)?;
                }
                #[cfg(feature = "pdf")]
                Long("digits") => {
                    printing.get_or_insert("--digits");
                    layout.digits = parser.value()?.parse_with(crate::render::digits)?;
                }
                Value(name) if command.is_none() => {
                    let known = name.to_str().and_then(Command::named);
                    let Some(known) = known else {
                        return Err(unknown(&name.to_string_lossy()).into());
                    };
                    command = Some(known);
                }
                Value(file) => files.push(PathBuf::from(file)),
                argument @ (Short(_) | Long(_)) => return Err(argument.unexpected()),
            }
        }
        let Some(command) = command else {
            return Ok(None);
        };
        #[cfg(feature = "pdf")]
        if let Some(option) = printing.filter(|_| command != Command::Render) {
            return Err(format!("{option} is for render only").into());
        }
        if files.is_empty() {
            return Err("which files?".into());
        }
        if command.writes() && out.is_none() {
            if files.len() > 1 {
                return Err("more than one file goes into a folder: give --out".into());
            }
            if json {
                return Err("the output is either a file or JSON: give --out".into());
            }
        }
        Ok(Some(Self {
            command,
            files,
            json,
            today: today.unwrap_or_else(|| utc_now().date()),
            out,
            #[cfg(feature = "pdf")]
            layout,
        }))
    }
}

fn unknown(name: &str) -> String {
    if name == "render" {
        return "render is not built in: build with --features pdf".to_owned();
    }
    format!("there is no command '{name}'")
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is where the time is taken that everything else is passed"
)]
fn utc_now() -> DateTime {
    jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .datetime()
}
