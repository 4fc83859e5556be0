//! `cargo xtask package`: the Debian package, and the proof that the system brings the scheme's links to what it installs.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::steps::{StepError, program, root, run_step, target_folder};
use crate::{requirements, ui};

/// The application's own scheme, as in tauri.conf.json.
const SCHEME: &str = "com.invoicedesk.desktop";

/// Unpacks `file`, or the package that it builds, and opens a link as the system would.
pub(crate) fn package(file: Option<&str>) -> Result<(), StepError> {
    requirements::for_run(true)?;
    let package = match file {
        Some(file) => PathBuf::from(file),
        None => build()?,
    };
    let folder = root().join("target/package");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let installed = folder.join("root");
    fs::create_dir_all(&installed)?;
    run_step(
        "unpack",
        program("dpkg-deb", &["--extract"])
            .arg(&package)
            .arg(&installed),
    )?;
    // What the system does for every package that brings a desktop entry.
    run_step(
        "tell the system of it",
        program("update-desktop-database", &[]).arg(installed.join("usr/share/applications")),
    )?;
    #[cfg(target_os = "linux")]
    open_a_link(&folder, &installed)?;
    println!(
        "\nA link of the scheme starts what {} installs.",
        package.display()
    );
    Ok(())
}

fn build() -> Result<PathBuf, StepError> {
    ui::build()?;
    let bundles = target_folder().join("debug/bundle/deb");
    if bundles.exists() {
        fs::remove_dir_all(&bundles)?;
    }
    run_step(
        "bundle",
        program(
            "npx",
            &["--yes", "@tauri-apps/cli@2.12", "build", "--debug"],
        )
        .args(["--bundles", "deb"])
        .current_dir(root().join("src-tauri")),
    )?;
    let mut found = fs::read_dir(&bundles)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "deb"));
    found
        .next()
        .ok_or_else(|| StepError(format!("no package is in {}", bundles.display())))
}

#[cfg(target_os = "linux")]
fn open_a_link(folder: &Path, installed: &Path) -> Result<(), StepError> {
    use xtask::session::Session;

    let session = Session::start(&folder.join("home"), 1280, 800)?;
    let programs = installed.join("usr/bin");
    let command = |name: &str| {
        let mut command = session.command(name);
        let path = env::var("PATH").unwrap_or_default();
        let share = installed.join("usr/share");
        command
            .env("PATH", format!("{}:{path}", programs.display()))
            .env(
                "XDG_DATA_DIRS",
                format!("{}:/usr/local/share:/usr/share", share.display()),
            );
        command
    };
    let asked = command("xdg-mime")
        .args(["query", "default", &format!("x-scheme-handler/{SCHEME}")])
        .output()?;
    let entry = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    let entry = installed.join("usr/share/applications").join(entry);
    if !entry.is_file() {
        return Err(StepError(format!("the system knows nobody for {SCHEME}")));
    }
    run_step(
        "open a link",
        command("xdg-open").arg(format!("{SCHEME}:/oauth/local?code=none&state=none")),
    )?;
    // Started or not within twenty seconds.
    for _ in 0..200 {
        let running = running(&programs);
        if !running.is_empty() {
            for process in running {
                run_step(
                    "end it",
                    &mut program("kill", &["-KILL", &process.to_string()]),
                )?;
            }
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    Err(StepError("the link started nothing".to_owned()))
}

/// The processes whose program lies in `folder`.
#[cfg(target_os = "linux")]
fn running(folder: &Path) -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|process| {
            fs::read_link(process.path().join("exe")).is_ok_and(|exe| exe.starts_with(folder))
        })
        .filter_map(|process| process.file_name().to_str()?.parse().ok())
        .collect()
}
