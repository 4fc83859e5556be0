//! System packages: detected, installed with apt, and otherwise named for each distribution.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::{StepError, program, run_step};

/// A package of the system.
struct Requirement {
    /// How it is detected.
    probe: Probe,
    /// Debian, Ubuntu.
    apt: &'static str,
    /// Fedora.
    dnf: &'static str,
    /// Arch.
    pacman: &'static str,
}

enum Probe {
    /// A library known to pkg-config.
    Library(&'static str),
    /// A program on the path.
    Program(&'static str),
    /// A file or folder.
    File(&'static str),
    /// A module of Python.
    PythonModule(&'static str),
    /// The programs of a PostgreSQL server: Debian keeps those of each version in a folder of its own.
    Postgres,
}

use Probe::{File, Library, Postgres, Program, PythonModule};

const fn requirement(
    probe: Probe,
    apt: &'static str,
    dnf: &'static str,
    pacman: &'static str,
) -> Requirement {
    Requirement {
        probe,
        apt,
        dnf,
        pacman,
    }
}

/// To build and run the application.
const BUILD: &[Requirement] = &[
    requirement(
        Program("cc"),
        "build-essential",
        "gcc gcc-c++ make",
        "base-devel",
    ),
    requirement(
        Program("pkg-config"),
        "pkg-config",
        "pkgconf-pkg-config",
        "pkgconf",
    ),
    requirement(
        Library("webkit2gtk-4.1"),
        "libwebkit2gtk-4.1-dev",
        "webkit2gtk4.1-devel",
        "webkit2gtk-4.1",
    ),
    requirement(
        Library("librsvg-2.0"),
        "librsvg2-dev",
        "librsvg2-devel",
        "librsvg",
    ),
    requirement(Program("xdg-open"), "xdg-utils", "xdg-utils", "xdg-utils"),
    requirement(
        Program("update-desktop-database"),
        "desktop-file-utils",
        "desktop-file-utils",
        "desktop-file-utils",
    ),
    requirement(Program("gio"), "libglib2.0-bin", "glib2", "glib2"),
];

/// To run it where there is no screen.
const VIRTUAL_DISPLAY: &[Requirement] = &[
    requirement(
        Program("Xvfb"),
        "xvfb",
        "xorg-x11-server-Xvfb",
        "xorg-server-xvfb",
    ),
    requirement(Program("openbox"), "openbox", "openbox", "openbox"),
    requirement(Program("dbus-daemon"), "dbus", "dbus-daemon", "dbus"),
    requirement(Program("gdbus"), "libglib2.0-bin", "glib2", "glib2"),
    requirement(
        Program("gnome-keyring-daemon"),
        "gnome-keyring",
        "gnome-keyring",
        "gnome-keyring",
    ),
    // Shows the keyring's prompts.
    requirement(File("/usr/libexec/gcr-prompter"), "gcr", "gcr3", "gcr"),
    requirement(Program("chromium"), "chromium", "chromium", "chromium"),
    requirement(
        File("/usr/share/fonts/truetype/noto"),
        "fonts-noto-core",
        "google-noto-sans-fonts",
        "noto-fonts",
    ),
];

/// To test it.
const TEST: &[Requirement] = &[
    requirement(
        Program("pdftotext"),
        "poppler-utils",
        "poppler-utils",
        "poppler",
    ),
    requirement(
        Program("chromedriver"),
        "chromium-driver",
        "chromedriver",
        "chromium",
    ),
    requirement(
        Program("WebKitWebDriver"),
        "webkit2gtk-driver",
        "webkit2gtk4.1",
        "webkit2gtk-4.1",
    ),
    requirement(Postgres, "postgresql", "postgresql-server", "postgresql"),
    requirement(Program("xdotool"), "xdotool", "xdotool", "xdotool"),
    // For the examples of the API.
    requirement(Program("curl"), "curl", "curl", "curl"),
    requirement(Program("jq"), "jq", "jq", "jq"),
    // For the linters of deploy/ and the clients of the API.
    requirement(
        PythonModule("ensurepip"),
        "python3-venv",
        "python3",
        "python",
    ),
    // Checks the configuration of the proxy, and runs with it in the test of a failover. Its path, since not every user looks there for
    // programs. Debian also starts it as a service, which listens nowhere: "systemctl disable --now haproxy" ends that.
    requirement(File("/usr/sbin/haproxy"), "haproxy", "haproxy", "haproxy"),
    requirement(Program("openssl"), "openssl", "openssl", "openssl"),
    // Runs the service as in its container.
    requirement(Program("bwrap"), "bubblewrap", "bubblewrap", "bubblewrap"),
    requirement(
        Program("import"),
        "imagemagick",
        "ImageMagick",
        "imagemagick",
    ),
];

/// To run what the Windows installer does.
const WINDOWS_INSTALLER: &[Requirement] = &[
    requirement(Program("makensis"), "nsis", "mingw64-nsis", "nsis"),
    requirement(Program("wine"), "wine wine64", "wine", "wine"),
];

/// Installs or names the packages for the hooks of the Windows installer.
pub(crate) fn for_windows_installer() -> Result<(), StepError> {
    install(&[WINDOWS_INSTALLER])
}

/// Installs or names the packages for building and running.
pub(crate) fn for_run(without_display: bool) -> Result<(), StepError> {
    install(if without_display {
        &[BUILD, VIRTUAL_DISPLAY]
    } else {
        &[BUILD]
    })
}

/// Installs or names the packages for the tests, and installs cargo-nextest.
pub(crate) fn for_test() -> Result<(), StepError> {
    install(&[BUILD, VIRTUAL_DISPLAY, TEST])?;
    if !is_program("cargo-nextest") {
        run_step(
            "install cargo-nextest",
            &mut program("cargo", &["install", "--locked", "cargo-nextest"]),
        )?;
    }
    Ok(())
}

/// The versions of Node.js that every locked package of the UI names in its `engines`. Odd versions are not maintained.
const NODE: &str = "20.19, 22.13 or 24 and newer";

fn require_node() -> Result<(), StepError> {
    let output = Command::new("node").arg("--version").output();
    let version = output.ok().filter(|output| output.status.success());
    let Some(version) = version.filter(|_| is_program("npm")) else {
        return Err(StepError(format!(
            "Node.js is not installed (version {NODE}, with npm): https://nodejs.org"
        )));
    };
    let version = String::from_utf8_lossy(&version.stdout);
    if is_node_supported(&version) {
        return Ok(());
    }
    Err(StepError(format!(
        "Node.js {} is not supported (version {NODE} is needed): https://nodejs.org",
        version.trim()
    )))
}

/// Whether the output of `node --version`, as `v22.12.0`, is a version for the tools of the UI.
fn is_node_supported(version: &str) -> bool {
    let mut numbers = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(20)), Some(Ok(minor))) => minor >= 19,
        (Some(Ok(22)), Some(Ok(minor))) => minor >= 13,
        (Some(Ok(major)), Some(Ok(_))) => major >= 24,
        _ => false,
    }
}

fn install(lists: &[&[Requirement]]) -> Result<(), StepError> {
    require_node()?;
    if !cfg!(target_os = "linux") {
        return describe_for_other_systems();
    }
    let missing: Vec<&Requirement> = lists
        .iter()
        .copied()
        .flatten()
        .filter(|requirement| !is_installed(&requirement.probe))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = |of: fn(&Requirement) -> &'static str| {
        let mut names: Vec<_> = missing
            .iter()
            .flat_map(|requirement| of(requirement).split(' '))
            .collect();
        names.dedup();
        names
    };
    if !is_program("apt-get") {
        return Err(StepError(format!(
            "Some packages are missing.\n  Fedora:  sudo dnf install {}\n  Arch:    sudo pacman -S {}\n  Debian:  sudo apt-get install {}",
            packages(|requirement| requirement.dnf).join(" "),
            packages(|requirement| requirement.pacman).join(" "),
            packages(|requirement| requirement.apt).join(" "),
        )));
    }
    let names = packages(|requirement| requirement.apt);
    println!(
        "These packages are missing and will be installed with apt:\n  {}",
        names.join("\n  ")
    );
    update_package_lists()?;
    let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
    arguments.extend(names);
    run_step("apt-get install", &mut apt(&arguments))
}

/// Lets apt know of the packages that there are.
pub(crate) fn update_package_lists() -> Result<(), StepError> {
    run_step("apt-get update", &mut apt(&["update", "-qq"]))
}

fn apt(arguments: &[&str]) -> Command {
    let root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = if root {
        program("apt-get", arguments)
    } else {
        let mut words = vec!["apt-get"];
        words.extend(arguments);
        program("sudo", &words)
    };
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn is_installed(probe: &Probe) -> bool {
    match probe {
        Library(name) => Command::new("pkg-config")
            .args(["--exists", name])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success()),
        Program(name) => is_program(name),
        File(path) => Path::new(path).exists(),
        PythonModule(name) => Command::new("python3")
            .args(["-c", &format!("import {name}")])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success()),
        Postgres => {
            let versions = std::fs::read_dir("/usr/lib/postgresql")
                .into_iter()
                .flatten();
            is_program("initdb")
                || versions
                    .flatten()
                    .any(|version| version.path().join("bin/initdb").exists())
        }
    }
}

/// Whether the path has a program.
pub(crate) fn is_program(name: &str) -> bool {
    let Some(folders) = std::env::var_os("PATH") else {
        return false;
    };
    let names = if cfg!(windows) {
        vec![format!("{name}.exe"), format!("{name}.cmd")]
    } else {
        vec![name.to_owned()]
    };
    std::env::split_paths(&folders)
        .any(|folder| names.iter().any(|name| folder.join(name).is_file()))
}

fn describe_for_other_systems() -> Result<(), StepError> {
    if cfg!(target_os = "macos") && !Path::new("/Library/Developer/CommandLineTools").exists() {
        return Err(StepError(
            "Apple's command line tools are missing: xcode-select --install".to_owned(),
        ));
    }
    if cfg!(windows) {
        println!(
            "Windows needs the Visual Studio Build Tools with 'Desktop development with C++' \
             (winget install Microsoft.VisualStudio.2022.BuildTools) and NASM (winget install NASM.NASM); WebView2 is part of Windows."
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_that_the_tools_of_the_ui_refuse_are_not_supported() {
        for version in ["v20.19.0\n", "v20.20.2\n", "v22.13.0", "v24.0.0", "v26.1.0"] {
            assert!(is_node_supported(version), "{version}");
        }
        for version in [
            "v18.20.4", "v20.18.3", "v21.7.3", "v22.12.0", "v23.11.0", "node", "",
        ] {
            assert!(!is_node_supported(version), "{version}");
        }
    }
}
