//! `cargo xtask run`: from a fresh machine to the open window.

use std::env;

use crate::steps::{StepError, program, run_step, target_folder};
use crate::{requirements, ui};

/// The profile that is built: optimised, without optimisation across crates.
const PROFILE: &str = "desk";

/// Installs what is missing, builds, and opens the application in its local environment with `invoices` invoices.
pub(crate) fn run(invoices: Option<u64>) -> Result<(), StepError> {
    let without_display = cfg!(target_os = "linux")
        && env::var_os("DISPLAY").is_none()
        && env::var_os("WAYLAND_DISPLAY").is_none();
    requirements::for_run(without_display)?;
    ui::build()?;
    run_step(
        "build the application (the first time takes some minutes)",
        &mut program(
            "cargo",
            &["build", "--package", "invoice-desk", "--profile", PROFILE],
        ),
    )?;

    let binary = target_folder()
        .join(PROFILE)
        .join(format!("invoice-desk{}", env::consts::EXE_SUFFIX));
    let mut application = program(&binary.display().to_string(), &[]);
    if let Some(invoices) = invoices {
        application.env("INVOICE_DESK_LOCAL_INVOICES", invoices.to_string());
    }
    println!(
        "\nSign in to the practice environment as noura@alkhair.example; the window shows the password."
    );
    #[cfg(target_os = "linux")]
    if without_display {
        return run_on_virtual_display(application);
    }
    run_step("Invoice Desk", &mut application)
}

#[cfg(target_os = "linux")]
fn run_on_virtual_display(mut application: std::process::Command) -> Result<(), StepError> {
    use xtask::session::Session;

    // Its home is kept, so that the next start is still signed in.
    let folder = target_folder().join("virtual-home");
    let session = Session::start(&folder, 1360, 850)?;
    let display = session
        .environment()
        .find(|(name, _)| *name == "DISPLAY")
        .map_or("", |(_, value)| value);
    println!(
        "There is no screen here, so the application runs on a virtual one (display {display}), with a keyring and a home of its own in {}.\n\
         Look at it with `import -display {display} -window root screen.png`. Ctrl+C ends it.",
        folder.display()
    );
    application.envs(session.environment());
    run_step("Invoice Desk", &mut application)
}
