//! `cargo xtask …`: everything a developer, a newcomer and CI do, in one place.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line talks"
)]

mod api;
mod bench;
mod bindings;
mod browser;
mod deploy;
mod failover;
mod faults;
mod fuzz;
mod installer_hooks;
mod named_tests;
mod npm;
mod package;
mod passed_steps;
mod pictures;
mod postgres;
mod python;
mod requirements;
mod run;
mod steps;
mod temporary_folder;
mod test;
mod tour;
mod ui;
mod workspace;

use std::process::ExitCode;

use lexopt::prelude::*;

const HELP: &str = "\
cargo xtask <command>

  run [--invoices N]   Install what is missing, build, and open the application in its local environment
  test [FILTER]        Every check and test, with what they need installed and started; FILTER narrows the Rust tests
       --again         Also the steps that passed before with the same files
       --only PART     Only one part: ui, browser (FILTER names a flow of ui/tests/run.mjs), core (the client against
                       the real service), window, deploy (the files of deploy/), or api (foreign clients of the API)
  faults [WORDS]       Every fault of the network at every call of the client, as a table; WORDS of a cell's name limit it
  postgres [VERSION]   The tests of the stores on PostgreSQL 16, 17 and 18, or on one of them
  failover             Kill processes of the service and their primary database server under load, and look for lost writes
  fuzz [TARGET]        Fuzz the parsers of bytes from outside, a minute each; --seconds N for another time
  tour                 Go through every screen in the real window and write screenshots to target/tour/
  pictures [SET]       Record the answers of the core for the kept pictures of the screens, of all sets of ui/tests or one, and take
                       the pictures again
  package [FILE]       Build the Debian package, or take FILE, and prove that links of the scheme start what it installs
  installer-hooks      What the hooks of the Windows installer write to the registry, under Wine
  bench invoice        Measure the invoice library against its limits and the last kept figures; --keep keeps the new ones
  bench identity       The same for the identity provider, beside an empty handler under the same load (two free cores)
  bench gateway        Operations of the gateway over a million documents (--invoices N), beside an empty handler and a bare insert
  bench client         The desktop core beside a bare HTTP client, its drafts and its read cache
  bench desk           The window of a release build beside an empty Tauri window and beside Chromium with the same UI, and over
                       a million invoices (--invoices N)
  bench storage        The store on PostgreSQL beside pgbench, and lists over a million documents (--invoices N)
  bindings             Write ui/src/ipc/bindings.ts anew from the list of commands, and beside it the code lists of the rules
";

fn main() -> ExitCode {
    let outcome = match arguments() {
        Ok(Command::Help) => {
            print!("{HELP}");
            Ok(())
        }
        Ok(Command::Run { invoices }) => run::run(invoices),
        Ok(Command::Test {
            filter,
            part,
            again,
        }) => temporary_folder::run_in_own(|| test::test(filter.as_deref(), part, again)),
        Ok(Command::Faults { filter }) => faults::faults(filter.as_deref()),
        Ok(Command::Postgres { version }) => postgres::test_versions(version.as_deref()),
        Ok(Command::Failover) => failover::failover(),
        Ok(Command::Fuzz { target, seconds }) => fuzz::fuzz(target.as_deref(), seconds),
        Ok(Command::Tour) => tour::tour(),
        Ok(Command::Pictures { set }) => pictures::take(set.as_deref()),
        Ok(Command::Package { file }) => package::package(file.as_deref()),
        Ok(Command::InstallerHooks) => installer_hooks::installer_hooks(),
        Ok(Command::Bindings) => bindings::write(),
        Ok(Command::BenchInvoice { keep }) => bench::invoice(keep),
        Ok(Command::BenchIdentity { keep }) => bench::identity(keep),
        Ok(Command::BenchGateway { invoices, keep }) => bench::gateway(invoices, keep),
        Ok(Command::BenchClient { keep }) => bench::client(keep),
        Ok(Command::BenchDesk { invoices, keep }) => bench::desk(invoices, keep),
        Ok(Command::BenchStorage { documents, keep }) => bench::storage(documents, keep),
        Err(error) => {
            eprintln!("{error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            // The counts of tests are the last line: they say that some failed.
            if !failed.0.is_empty() {
                eprintln!("{failed}");
            }
            ExitCode::FAILURE
        }
    }
}

enum Command {
    Help,
    Run {
        invoices: Option<u64>,
    },
    Test {
        filter: Option<String>,
        part: Option<test::Part>,
        again: bool,
    },
    Faults {
        filter: Option<String>,
    },
    Postgres {
        version: Option<String>,
    },
    Failover,
    Fuzz {
        target: Option<String>,
        seconds: Option<u64>,
    },
    Tour,
    Pictures {
        set: Option<String>,
    },
    Package {
        file: Option<String>,
    },
    InstallerHooks,
    Bindings,
    BenchInvoice {
        keep: bool,
    },
    BenchIdentity {
        keep: bool,
    },
    BenchGateway {
        invoices: u64,
        keep: bool,
    },
    BenchClient {
        keep: bool,
    },
    BenchDesk {
        invoices: u64,
        keep: bool,
    },
    BenchStorage {
        documents: u64,
        keep: bool,
    },
}

fn arguments() -> Result<Command, lexopt::Error> {
    let mut arguments = lexopt::Parser::from_env();
    let mut command = None;
    let mut invoices = None;
    let mut filter = None;
    let mut keep = false;
    let mut again = false;
    let mut part = None;
    let mut seconds = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("invoices") => invoices = Some(arguments.value()?.parse()?),
            Long("keep") => keep = true,
            Long("again") => again = true,
            Long("seconds") => seconds = Some(arguments.value()?.parse()?),
            Long("only") => {
                let name = arguments.value()?.string()?;
                let known = test::Part::from_name(&name);
                part = Some(known.ok_or_else(|| format!("there is no part '{name}'"))?);
            }
            Value(name) if command.is_none() => command = Some(name.string()?),
            Value(name) if filter.is_none() => filter = Some(name.string()?),
            argument @ (Short(_) | Long(_) | Value(_)) => return Err(argument.unexpected()),
        }
    }
    match command.as_deref() {
        None | Some("help") => Ok(Command::Help),
        Some("run") => Ok(Command::Run { invoices }),
        Some("test") => Ok(Command::Test {
            filter,
            part,
            again,
        }),
        Some("faults") => Ok(Command::Faults { filter }),
        Some("postgres") => Ok(Command::Postgres { version: filter }),
        Some("failover") => Ok(Command::Failover),
        Some("fuzz") => Ok(Command::Fuzz {
            target: filter,
            seconds,
        }),
        Some("tour") => Ok(Command::Tour),
        Some("pictures") => Ok(Command::Pictures { set: filter }),
        Some("package") => Ok(Command::Package { file: filter }),
        Some("installer-hooks") => Ok(Command::InstallerHooks),
        Some("bindings") => Ok(Command::Bindings),
        Some("bench") if filter.as_deref() == Some("invoice") => Ok(Command::BenchInvoice { keep }),
        Some("bench") if filter.as_deref() == Some("identity") => {
            Ok(Command::BenchIdentity { keep })
        }
        Some("bench") if filter.as_deref() == Some("gateway") => Ok(Command::BenchGateway {
            invoices: invoices.unwrap_or(1_000_000),
            keep,
        }),
        Some("bench") if filter.as_deref() == Some("client") => Ok(Command::BenchClient { keep }),
        Some("bench") if filter.as_deref() == Some("desk") => Ok(Command::BenchDesk {
            invoices: invoices.unwrap_or(1_000_000),
            keep,
        }),
        Some("bench") if filter.as_deref() == Some("storage") => Ok(Command::BenchStorage {
            documents: invoices.unwrap_or(1_000_000),
            keep,
        }),
        Some("bench") => {
            let names = "invoice, identity, gateway, client, desk and storage";
            Err(format!("bench what? There are {names}").into())
        }
        Some(other) => Err(format!("there is no command '{other}'").into()),
    }
}
