//! `cargo xtask tour`: every screen in the real window, as numbered screenshots.

use std::fs;
use std::path::{Path, PathBuf};

use crate::steps::{StepError, program, root, run_step, target_folder};
use crate::workspace::{build, workspace};
use crate::{requirements, ui};

/// Walks the main job and writes target/tour/.
pub(crate) fn tour() -> Result<(), StepError> {
    requirements::for_test()?;
    ui::build()?;
    build()?;
    let mut build_tour = program("cargo", &["build", "--example", "tour"]);
    run_step("build of the tour", workspace(&mut build_tour))?;
    let tour = target_folder().join("debug/examples/tour");
    run_step("tour", &mut program(&tour.display().to_string(), &[]))?;
    run_step(
        "every error",
        program("npm", &["run", "--silent", "screenshots", "--"])
            .arg(root().join("target/tour"))
            .current_dir(root().join("ui")),
    )?;
    for Illustration {
        appearance,
        screenshot,
        name,
    } in ILLUSTRATIONS
    {
        // Small enough for the repository.
        let to = root().join("docs/pictures").join(name);
        run_step(
            name,
            program("convert", &[])
                .arg(find(
                    &root().join("target/tour").join(appearance),
                    screenshot,
                )?)
                .args(["-resize", "1000x", "-colors", "96", "-strip"])
                .arg(to),
        )?;
    }
    println!("The screenshots are in target/tour/, those of the README in docs/pictures/.");
    Ok(())
}

/// The screenshot with this name, whatever its number is.
fn find(folder: &Path, screenshot: &str) -> Result<PathBuf, StepError> {
    let is_it = |path: &PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str());
        let unnumbered =
            name.map(|name| name.trim_start_matches(|letter: char| letter.is_ascii_digit()));
        unnumbered.and_then(|name| name.strip_prefix('-')) == Some(screenshot)
    };
    fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .find(is_it)
        .ok_or_else(|| {
            StepError(format!(
                "{} has no screenshot {screenshot}",
                folder.display()
            ))
        })
}

/// A screenshot that the README shows.
struct Illustration {
    /// Language and theme: a folder of the tour.
    appearance: &'static str,
    /// The name of the screenshot in that folder.
    screenshot: &'static str,
    /// The file name in docs/pictures.
    name: &'static str,
}

const ILLUSTRATIONS: [Illustration; 5] = [
    Illustration {
        appearance: "en-light",
        screenshot: "an-invoice",
        name: "invoices-en-light.png",
    },
    Illustration {
        appearance: "ar-dark",
        screenshot: "an-invoice",
        name: "invoices-ar-dark.png",
    },
    Illustration {
        appearance: "en-light",
        screenshot: "what-is-wrong-with-it",
        name: "what-is-wrong-with-it.png",
    },
    Illustration {
        appearance: "ar-light",
        screenshot: "freezing",
        name: "freezing-ar-light.png",
    },
    Illustration {
        appearance: "en-light",
        screenshot: "an-organization-that-is-not-available",
        name: "not-available.png",
    },
];
