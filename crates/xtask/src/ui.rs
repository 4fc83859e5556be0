//! Installs the UI's packages and builds it, each only when something has changed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::steps::{StepError, program, root, run_step};

/// `npm ci`, if the lock file is not the one that was installed.
pub(crate) fn install() -> Result<(), StepError> {
    let ui = root().join("ui");
    when_changed(
        &[&ui.join("package-lock.json")],
        &ui.join("node_modules/.installed"),
        || {
            run_step(
                "install the UI's packages",
                program("npm", &["ci", "--no-audit", "--no-fund"]).current_dir(&ui),
            )
        },
    )
}

/// `npm run build`, if a source of the UI has changed.
pub(crate) fn build() -> Result<(), StepError> {
    install()?;
    let ui = root().join("ui");
    let sources = [
        "src",
        "locales",
        "scripts",
        "index.html",
        "vite.config.ts",
        "tsconfig.json",
        "package.json",
        "package-lock.json",
    ];
    let sources: Vec<_> = sources.iter().map(|name| ui.join(name)).collect();
    let sources: Vec<&Path> = sources.iter().map(AsRef::as_ref).collect();
    when_changed(&sources, &ui.join("dist/.built"), || {
        run_step(
            "build the UI",
            program("npm", &["run", "--silent", "build"]).current_dir(&ui),
        )
    })
}

/// Fails if the script of a first screen of the built UI is larger than its limit.
pub(crate) fn check_size() -> Result<(), StepError> {
    run_step(
        "size of the first screens",
        program("npm", &["run", "--silent", "size"]).current_dir(root().join("ui")),
    )
}

/// Runs `work` unless `stamp` says that it was done for just these files, by their sizes and times.
pub(crate) fn when_changed(
    sources: &[&Path],
    stamp: &Path,
    work: impl FnOnce() -> Result<(), StepError>,
) -> Result<(), StepError> {
    let mut files = BTreeMap::new();
    for source in sources {
        list(source, &mut files)?;
    }
    let now = format!("{files:?}");
    if fs::read_to_string(stamp).is_ok_and(|then| then == now) {
        return Ok(());
    }
    work()?;
    Ok(fs::write(stamp, now)?)
}

fn list(path: &Path, files: &mut BTreeMap<String, (u64, u128)>) -> io::Result<()> {
    let Ok(about) = fs::metadata(path) else {
        return Ok(());
    };
    if about.is_dir() {
        for entry in fs::read_dir(path)? {
            list(&entry?.path(), files)?;
        }
    } else {
        let modified = about
            .modified()?
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis());
        files.insert(path.display().to_string(), (about.len(), modified));
    }
    Ok(())
}
