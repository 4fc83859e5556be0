//! `cargo xtask failover`: three processes of the service behind HAProxy, a primary with a standby, and load, while processes and the
//! primary are killed.

use crate::steps::{StepError, program, run_long_test};
use crate::workspace::workspace;
use crate::{requirements, ui};

/// Runs the test and prints what was acknowledged and how soon writes resumed.
pub(crate) fn failover() -> Result<(), StepError> {
    requirements::for_test()?;
    // The tests of the window are built, too, because they are named `it` as well, and they hold the built UI.
    ui::build()?;
    let mut test = program("cargo", &["test"]);
    workspace(&mut test)
        .args(["--test", "it", "--", "--nocapture", "--exact"])
        .arg("failover::no_acknowledged_write_is_lost_when_processes_and_the_primary_are_killed");
    run_long_test("failover", &mut test).conclude()
}
