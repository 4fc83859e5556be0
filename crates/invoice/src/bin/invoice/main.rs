//! `invoice check|explain|convert|render FILE…`: checks, explains, converts and prints invoices.

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
mod output;
#[cfg(feature = "pdf")]
mod render;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use arguments::{Arguments, Command};
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
    run(&arguments)
}

fn run(arguments: &Arguments) -> ExitCode {
    #[cfg(feature = "pdf")]
    let typesetter = std::cell::LazyCell::new(invoice::pdf::Typesetter::new);
    let mut worst = Outcome::Right;
    let (count, mut failures) = (arguments.files.len(), 0);
    let shows_progress = count > 1 && std::io::stderr().is_terminal();
    for (index, file) in arguments.files.iter().enumerate() {
        if shows_progress {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            eprint!(
                "\r\x1b[K{} of {count}, {failures} failed: {name}",
                index + 1
            );
        }
        let mut output = Output::default();
        let outcome = match arguments.command {
            Command::Check => check::check(file, arguments, &mut output),
            Command::Explain => explain::explain(file, arguments, &mut output),
            Command::Convert => convert::convert(file, arguments, &mut output),
            #[cfg(feature = "pdf")]
            Command::Render => render::render(file, arguments, &typesetter, &mut output),
        };
        let outcome = outcome.unwrap_or_else(|failure| {
            input::tell(&failure, arguments, &mut output);
            Outcome::Failed
        });
        failures += usize::from(outcome == Outcome::Failed);
        if shows_progress {
            eprint!("\r\x1b[K");
        }
        eprint!("{}", output.notes);
        worst = worst.max(outcome);
        // Whoever reads the output may have seen enough.
        if std::io::stdout().write_all(&output.bytes).is_err() {
            break;
        }
    }
    ExitCode::from(worst as u8)
}
