//! `cargo xtask pictures`: the kept pictures of the screens, taken again with answers of the core that are recorded anew.

use crate::steps::{StepError, program, root, run_step, target_folder};
use crate::workspace::build;
use crate::{requirements, ui};

/// Records the answers of all sets of screens, or of the one that is named, and takes their pictures, to be looked at. The
/// desktop session has an unlocked keyring: without one, each screen says that the sign-in is not kept.
pub(crate) fn take(set: Option<&str>) -> Result<(), StepError> {
    requirements::for_test()?;
    ui::build()?;
    build()?;
    let mut command = program(
        "node",
        &[
            "tests/run.mjs",
            "screens",
            "--keep",
            &set.map_or("--record".to_owned(), |set| format!("--record={set}")),
        ],
    );
    command
        .current_dir(root().join("ui"))
        .env("UI_HOST", target_folder().join("debug/ui-host"));
    #[cfg(target_os = "linux")]
    let session =
        xtask::session::Session::start(&root().join("target/end-to-end/pictures"), 1280, 800)?;
    #[cfg(target_os = "linux")]
    command.envs(session.environment());
    run_step("pictures of the screens", &mut command)
}
