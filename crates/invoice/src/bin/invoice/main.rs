//! `invoice check|explain|convert|render FILE…`: checks, explains, converts and prints invoices.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line prints its results"
)]

mod check;
mod convert;
mod error;
mod explain;
mod input;
mod options;
mod output;
#[cfg(feature = "pdf")]
mod render;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use options::{Command, Options};
use output::Output;

const HELP: &str = "\
invoice check FILE...      Check invoices, and tell everything that is wrong with each
invoice explain FILE...    Tell how every total of an invoice comes about
invoice convert FILE...    Write invoices as UBL 2.1; one file to the output, more into --out
invoice render FILE...     Print invoices as PDF/A-3 with the UBL inside; one file to the output, more into --out
                           (only if built with the feature pdf)

  --json           One line of JSON for each file, whatever became of it
  --today DATE     The latest issue date, as 2026-11-21; today in UTC if absent
  --out FOLDER     Where converted and printed files go, under their own names; none is overwritten
  --paper SIZE     a4 or letter
  --language NAME  en, ar or both
  --digits NAME    latn or arab
  -h, --help       This

FILE is UBL 2.1 (Invoice or CreditNote) or a Cross Industry Invoice D16B; - is the input.
The exit code is that of the worst file:
  0  check: all is right. explain: all has totals. convert, render: all is written
  1  check: something is wrong with an invoice. explain: the totals of one cannot be computed
  2  the command line makes no sense, and nothing was done
  3  a file could not be read or written
";

/// The result of one file; its value is the exit code. The exit code of the process is the largest of all files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Valid = 0,
    Invalid = 1,
    Failed = 3,
}

fn main() -> ExitCode {
    let options = match Options::from_env() {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    run(&options)
}

fn run(options: &Options) -> ExitCode {
    #[cfg(feature = "pdf")]
    let typesetter = std::cell::LazyCell::new(invoice::pdf::Typesetter::new);
    let mut worst = Outcome::Valid;
    let (count, mut failures) = (options.files.len(), 0);
    let shows_progress = count > 1 && std::io::stderr().is_terminal();
    for (index, file) in options.files.iter().enumerate() {
        if shows_progress {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            eprint!(
                "\r\x1b[K{} of {count}, {failures} failed: {name}",
                index + 1
            );
        }
        let mut output = Output::default();
        let outcome = match options.command {
            Command::Check => check::check(file, options, &mut output),
            Command::Explain => explain::explain(file, options, &mut output),
            Command::Convert => convert::convert(file, options, &mut output),
            #[cfg(feature = "pdf")]
            Command::Render => render::render(file, options, &typesetter, &mut output),
        };
        let outcome = outcome.unwrap_or_else(|error| {
            output.error(&error, options.json);
            Outcome::Failed
        });
        failures += usize::from(outcome == Outcome::Failed);
        if shows_progress {
            eprint!("\r\x1b[K");
        }
        eprint!("{}", output.notes);
        worst = worst.max(outcome);
        // The reader of a pipe may have closed it.
        if std::io::stdout().write_all(&output.bytes).is_err() {
            break;
        }
    }
    ExitCode::from(worst as u8)
}
