//! `cargo xtask fuzz`: libFuzzer over the parsers of bytes from outside (decision 0146).

use std::fs;
use std::path::{Path, PathBuf};

use crate::steps::{StepError, program, root, run_step, target_folder};

/// The crates with fuzz targets, each in the folder `fuzz` with a workspace of its own.
const CRATES: [&str; 2] = ["crates/invoice", "crates/service"];
/// How long each target runs when nobody says.
const SECONDS: u64 = 60;
/// No input is longer: what is found is found in small ones, and they are tried faster.
const MAX_BYTES: &str = "-max_len=16384";

/// A fuzz target and the `fuzz` folder that it is in.
struct Target {
    name: String,
    folder: PathBuf,
}

/// Runs `target`, or all of them one after the other, for some seconds each. Installs cargo-fuzz under target/ at the first time.
pub(crate) fn fuzz(target: Option<&str>, seconds: Option<u64>) -> Result<(), StepError> {
    let all = targets()?;
    let chosen: Vec<_> = all
        .iter()
        .filter(|each| target.is_none_or(|name| each.name == name))
        .collect();
    if chosen.is_empty() {
        let names: Vec<_> = all.iter().map(|target| &*target.name).collect();
        let names = names.join(", ");
        return Err(StepError(format!("there are the fuzz targets {names}")));
    }
    let cargo_fuzz = install()?;
    for target in chosen {
        run(&cargo_fuzz, target, seconds.unwrap_or(SECONDS))?;
    }
    Ok(())
}

/// All fuzz targets by name.
fn targets() -> Result<Vec<Target>, StepError> {
    let mut targets = Vec::new();
    for package in CRATES {
        let folder = root().join(package).join("fuzz");
        for entry in fs::read_dir(folder.join("fuzz_targets"))? {
            if let Some(name) = entry?.path().file_stem() {
                targets.push(Target {
                    name: name.to_string_lossy().into_owned(),
                    folder: folder.clone(),
                });
            }
        }
    }
    targets.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(targets)
}

/// The folder of everything that fuzzing makes.
fn output() -> PathBuf {
    target_folder().join("fuzz")
}

/// Installs cargo-fuzz. The program.
fn install() -> Result<PathBuf, StepError> {
    let tools = output().join("tools");
    let installed = tools
        .join("bin")
        .join(format!("cargo-fuzz{}", std::env::consts::EXE_SUFFIX));
    if !installed.exists() {
        let mut install = program("cargo", &["install", "cargo-fuzz", "--locked", "--root"]);
        run_step("install cargo-fuzz", install.arg(&tools))?;
    }
    Ok(installed)
}

fn run(cargo_fuzz: &Path, target: &Target, seconds: u64) -> Result<(), StepError> {
    let Target { name, folder } = target;
    // The dependencies are those that the workspace is tested with.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let found = output().join("corpus").join(name);
    let failures = output().join("failures").join(name);
    for folder in [&found, &failures] {
        fs::create_dir_all(folder)?;
    }
    let package = folder.parent().and_then(Path::file_name);
    let mut command = program(&cargo_fuzz.display().to_string(), &["run"]);
    command
        .arg("--fuzz-dir")
        .arg(folder)
        .arg("--target-dir")
        .arg(output().join(package.unwrap_or_default()))
        .arg(name)
        // New inputs go into the first folder; the second one is part of the repository.
        .arg(&found);
    let seeds = folder.join("corpus").join(name);
    if seeds.exists() {
        command.arg(seeds);
    }
    command
        .args(["--", MAX_BYTES])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", failures.display()))
        // The sanitizers need flags that stable compilers hide.
        .env("RUSTC_BOOTSTRAP", "1");
    run_step(&format!("fuzz {name}"), &mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fuzz_target_is_found_and_has_a_name_of_its_own() {
        let targets = targets().expect("the folders can be read");
        let names: Vec<_> = targets.iter().map(|target| &*target.name).collect();
        for name in ["cii", "form", "rest_request", "ubl"] {
            assert!(names.contains(&name), "{names:?}");
        }
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
    }
}
