//! The options of the command line, parsed from its arguments.

use std::path::PathBuf;

#[cfg(feature = "pdf")]
use invoice::pdf::{Digits, Languages, Layout, Paper};
use jiff::civil::{Date, DateTime};
use lexopt::prelude::*;

/// The command to run on each file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Check,
    Explain,
    Convert,
    #[cfg(feature = "pdf")]
    Render,
}

impl Command {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "check" => Some(Self::Check),
            "explain" => Some(Self::Explain),
            "convert" => Some(Self::Convert),
            #[cfg(feature = "pdf")]
            "render" => Some(Self::Render),
            _ => None,
        }
    }

    /// Whether the command produces an output file for each input file.
    const fn writes_files(self) -> bool {
        match self {
            Self::Check | Self::Explain => false,
            Self::Convert => true,
            #[cfg(feature = "pdf")]
            Self::Render => true,
        }
    }
}

/// Validated options.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) command: Command,
    /// The input files; `-` is the standard input.
    pub(crate) files: Vec<PathBuf>,
    /// Print one line of JSON for each file instead of text.
    pub(crate) json: bool,
    /// The latest valid issue date.
    pub(crate) today: Date,
    /// The folder for output files; the standard output if absent.
    pub(crate) out: Option<PathBuf>,
    #[cfg(feature = "pdf")]
    pub(crate) layout: Layout,
}

impl Options {
    /// Parses the arguments of the process. `None` if help was requested.
    pub(crate) fn from_env() -> Result<Option<Self>, lexopt::Error> {
        let mut parser = lexopt::Parser::from_env();
        let (mut command, mut today, mut out) = (None, None, None);
        #[cfg(feature = "pdf")]
        let mut layout = default_layout(utc_now());
        // The first option that is valid for `render` only.
        #[cfg(feature = "pdf")]
        let mut render_option = None;
        let (mut files, mut json) = (Vec::new(), false);
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => return Ok(None),
                Long("json") => json = true,
                Long("today") => today = Some(parser.value()?.parse()?),
                Long("out") => out = Some(PathBuf::from(parser.value()?)),
                #[cfg(feature = "pdf")]
                Long("paper") => {
                    render_option.get_or_insert("--paper");
                    layout.paper = parser.value()?.parse_with(parse_paper)?;
                }
                #[cfg(feature = "pdf")]
                Long("language") => {
                    render_option.get_or_insert("--language");
                    layout.languages = parser.value()?.parse_with(parse_languages)?;
                }
                #[cfg(feature = "pdf")]
                Long("digits") => {
                    render_option.get_or_insert("--digits");
                    layout.digits = parser.value()?.parse_with(parse_digits)?;
                }
                Value(name) if command.is_none() => {
                    let Some(parsed) = name.to_str().and_then(Command::parse) else {
                        return Err(unknown_command(&name.to_string_lossy()).into());
                    };
                    command = Some(parsed);
                }
                Value(file) => files.push(PathBuf::from(file)),
                argument @ (Short(_) | Long(_)) => return Err(argument.unexpected()),
            }
        }
        let Some(command) = command else {
            return Ok(None);
        };
        #[cfg(feature = "pdf")]
        if let Some(option) = render_option.filter(|_| command != Command::Render) {
            return Err(format!("{option} is for render only").into());
        }
        if files.is_empty() {
            return Err("which files?".into());
        }
        if command.writes_files() && out.is_none() {
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

fn unknown_command(name: &str) -> String {
    if name == "render" {
        return "render is not built in: build with --features pdf".to_owned();
    }
    format!("there is no command '{name}'")
}

/// A4, English, Latin digits.
#[cfg(feature = "pdf")]
fn default_layout(created: DateTime) -> Layout {
    Layout {
        paper: Paper::default(),
        languages: Languages::default(),
        digits: Digits::default(),
        created,
        is_draft: false,
    }
}

#[cfg(feature = "pdf")]
fn parse_paper(name: &str) -> Result<Paper, &'static str> {
    match name {
        "a4" => Ok(Paper::A4),
        "letter" => Ok(Paper::Letter),
        _ => Err("paper is a4 or letter"),
    }
}

#[cfg(feature = "pdf")]
fn parse_languages(name: &str) -> Result<Languages, &'static str> {
    match name {
        "en" => Ok(Languages::English),
        "ar" => Ok(Languages::Arabic),
        "both" => Ok(Languages::Both),
        _ => Err("the language is en, ar or both"),
    }
}

#[cfg(feature = "pdf")]
fn parse_digits(name: &str) -> Result<Digits, &'static str> {
    match name {
        "latn" => Ok(Digits::Latin),
        "arab" => Ok(Digits::Arabic),
        _ => Err("digits are latn or arab"),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the system clock; everything else takes the time as an argument"
)]
fn utc_now() -> DateTime {
    jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .datetime()
}
