//! `cargo xtask failover`: three processes of the service, a primary with a standby, and load, while processes and the primary
//! are killed.

use crate::requirements;
use crate::steps::{StepError, program, run_step};
use crate::workspace::workspace;

/// Runs the test and prints what was acknowledged and how soon writes resumed.
pub(crate) fn failover() -> Result<(), StepError> {
    requirements::for_test()?;
    // Not nextest, which shows no output of a test that passes.
    let mut test = program("cargo", &["test"]);
    workspace(&mut test)
        .args(["--test", "it", "--", "--nocapture", "--exact"])
        .arg("failover::no_acknowledged_write_is_lost_when_processes_and_the_primary_are_killed");
    run_step("failover", &mut test)
}
