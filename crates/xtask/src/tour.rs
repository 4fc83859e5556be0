//! `cargo xtask tour`: the main job in the real window, as numbered pictures.

use crate::steps::{Failed, program, root, step};
use crate::{requirements, ui};

/// Walks the main job and writes target/tour/.
pub(crate) fn tour() -> Result<(), Failed> {
    requirements::for_test()?;
    ui::build()?;
    step(
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
    step(
        "tour",
        &mut program(&root().join("target/debug/tour").display().to_string(), &[]),
    )?;
    step(
        "every error",
        program("npm", &["run", "--silent", "pictures", "--"])
            .arg(root().join("target/tour"))
            .current_dir(root().join("ui")),
    )?;
    for (picture, name) in KEPT {
        // Small enough to be kept with the sources.
        let from = root().join("target/tour").join(picture);
        let to = root().join("docs/pictures").join(name);
        step(
            name,
            program("convert-im6", &[])
                .arg(from)
                .args(["-resize", "1000x", "-colors", "96", "-strip"])
                .arg(to),
        )?;
    }
    println!("The pictures are in target/tour/, and the README's in docs/pictures/.");
    Ok(())
}

/// The pictures that the README shows.
const KEPT: &[(&str, &str)] = &[
    ("en-light/07-an-invoice.png", "invoices-en-light.png"),
    ("ar-dark/07-an-invoice.png", "invoices-ar-dark.png"),
    (
        "en-light/10-what-is-wrong-with-it.png",
        "what-is-wrong-with-it.png",
    ),
    ("ar-light/14-freezing.png", "freezing-ar-light.png"),
    (
        "en-light/19-an-organization-that-is-not-available.png",
        "not-available.png",
    ),
];
