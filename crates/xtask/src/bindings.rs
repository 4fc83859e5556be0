//! Writes the TypeScript bindings and code lists by running the tests that check them.

use crate::steps::{StepError, program, run_step};
use crate::ui;
use crate::workspace::workspace;

/// Writes ui/src/ipc/bindings.ts, invoiceCodes.ts and minorUnits.ts.
pub(crate) fn write() -> Result<(), StepError> {
    // The window embeds the built UI, so it does not compile without.
    ui::build()?;
    let mut test = program("cargo", &["test", "--quiet"]);
    workspace(&mut test)
        .args(["--lib", "bindings"])
        .env("UPDATE_BINDINGS", "1");
    run_step("write the bindings", &mut test)
}
