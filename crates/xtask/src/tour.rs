//! `cargo xtask tour`: the main job in the real window, as numbered pictures.

use std::fs;
use std::path::{Path, PathBuf};

use crate::steps::{StepError, program, root, run_step};
use crate::{requirements, ui};

/// Walks the main job and writes target/tour/.
pub(crate) fn tour() -> Result<(), StepError> {
    requirements::for_test()?;
    ui::build()?;
    run_step(
        "build",
        &mut program(
            "cargo",
            &[
                "build",
                "--package",
                "invoice-desk",
                "--package",
                "end-to-end",
                "--bins",
            ],
        ),
    )?;
    run_step(
        "tour",
        &mut program(&root().join("target/debug/tour").display().to_string(), &[]),
    )?;
    run_step(
        "every error",
        program("npm", &["run", "--silent", "screenshots", "--"])
            .arg(root().join("target/tour"))
            .current_dir(root().join("ui")),
    )?;
    for (look, picture, name) in KEPT {
        // Small enough to be kept with the sources.
        let to = root().join("docs/pictures").join(name);
        run_step(
            name,
            program("convert-im6", &[])
                .arg(taken(&root().join("target/tour").join(look), picture)?)
                .args(["-resize", "1000x", "-colors", "96", "-strip"])
                .arg(to),
        )?;
    }
    println!("The pictures are in target/tour/, and the README's in docs/pictures/.");
    Ok(())
}

/// The picture of that name, whatever its number is.
fn taken(folder: &Path, picture: &str) -> Result<PathBuf, StepError> {
    let is_it = |path: &PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str());
        let unnumbered =
            name.map(|name| name.trim_start_matches(|letter: char| letter.is_ascii_digit()));
        unnumbered.and_then(|name| name.strip_prefix('-')) == Some(picture)
    };
    fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .find(is_it)
        .ok_or_else(|| StepError(format!("{} has no picture of {picture}", folder.display())))
}

/// The pictures that the README shows: of which look, which, and how they are called there.
const KEPT: &[(&str, &str, &str)] = &[
    ("en-light", "an-invoice", "invoices-en-light.png"),
    ("ar-dark", "an-invoice", "invoices-ar-dark.png"),
    (
        "en-light",
        "what-is-wrong-with-it",
        "what-is-wrong-with-it.png",
    ),
    ("ar-light", "freezing", "freezing-ar-light.png"),
    (
        "en-light",
        "an-organization-that-is-not-available",
        "not-available.png",
    ),
];
