//! `invoice check|explain|convert FILE…`: checks, explains and converts invoices.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line talks"
)]

mod arguments;
mod check;
mod convert;
mod explain;
mod input;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use arguments::{Arguments, Command};

const HELP: &str = "\
invoice check FILE...      Check invoices, and tell everything that is wrong with each
invoice explain FILE...    Tell how every total of an invoice comes about
invoice convert FILE...    Write invoices as UBL 2.1; of one file to the output, of more into --out

  --json         One line of JSON for each file
  --today DATE   The latest issue date, as 2026-11-21; today in UTC if absent
  --out FOLDER   Where converted files go, under their own names
  -h, --help     This

FILE is UBL 2.1 (Invoice or CreditNote) or a Cross Industry Invoice D16B; - is the input.
Exit codes: 0 all is right, 1 an invoice is wrong, 2 the command is, 3 a file could not be read or written.
";

/// What a file came to. The worst of all files is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Right = 0,
    Wrong = 1,
    Failed = 3,
}

fn main() -> ExitCode {
    let arguments = match Arguments::from_env() {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let mut worst = Outcome::Right;
    let shows_progress = arguments.files.len() > 1 && std::io::stderr().is_terminal();
    for (index, file) in arguments.files.iter().enumerate() {
        if shows_progress {
            eprint!("\r\x1b[K{} of {}", index + 1, arguments.files.len());
        }
        let mut output = String::new();
        let outcome = match arguments.command {
            Command::Check => check::check(file, &arguments, &mut output),
            Command::Explain => explain::explain(file, &arguments, &mut output),
            Command::Convert => convert::convert(file, &arguments, &mut output),
        };
        let outcome = outcome.unwrap_or_else(|failure| {
            input::tell(&failure, &arguments, &mut output);
            Outcome::Failed
        });
        if shows_progress {
            eprint!("\r\x1b[K");
        }
        worst = worst.max(outcome);
        // Whoever reads the output may have seen enough.
        if std::io::stdout().write_all(output.as_bytes()).is_err() {
            break;
        }
    }
    ExitCode::from(worst as u8)
}
