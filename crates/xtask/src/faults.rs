//! `cargo xtask faults`: the table of every fault of the network at every call of the client.

use crate::steps::{StepError, program, run_long_test};
use crate::workspace::workspace;
use crate::{requirements, ui};

/// Runs the cells whose names contain all words of `filter`, or all, and prints the table.
pub(crate) fn faults(filter: Option<&str>) -> Result<(), StepError> {
    requirements::for_test()?;
    // The tests are one binary with those of the window, which holds the built UI.
    ui::build()?;
    // The only test of this name.
    let mut table = program("cargo", &["test", "--test", "it"]);
    workspace(&mut table)
        .args(["--", "--exact", "faults::whole_table_holds"])
        .args(["--ignored", "--nocapture"])
        .env("INVOICE_DESK_FAULTS", filter.unwrap_or_default());
    run_long_test("faults", &mut table).conclude()
}
