//! `cargo xtask installer-hooks`: what the hooks of the Windows installer write to the registry, under Wine.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::requirements;
use crate::steps::{StepError, program, root, run_step};

/// Where the user's types of files are.
const CLASSES: &str = r"HKCU\Software\Classes";
/// The type of the program's own.
const INVOICE_FILE: &str = "InvoiceDesk.InvoiceFile";
/// The program that opens XML before the installation.
const OTHER: &str = "OtherProgram";

/// Installs and uninstalls, and looks at the registry after each.
///
/// # Errors
/// If a program fails, a type of file is not offered, another program has lost one, or something stays after the uninstallation.
pub(crate) fn installer_hooks() -> Result<(), StepError> {
    requirements::for_windows_installer()?;
    let folder = root().join("target/installer-hooks");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let installer = folder.join("installer.exe");
    run_step(
        "compile the hooks",
        program("makensis", &["-V2", "-WX"])
            .arg(format!("-DOUTFILE={}", installer.display()))
            .arg(root().join("src-tauri/windows/hooks.nsi")),
    )?;
    let wine = Wine {
        prefix: folder.join("wine"),
    };
    let xml = format!(r"{CLASSES}\.xml");
    let set = ["reg", "add", &xml, "/ve", "/d", OTHER, "/f"];
    run_step("let another program open XML", wine.command().args(set))?;
    run_step("install", wine.command().arg(&installer).arg("/S"))?;
    for extension in [".xml", ".pdf"] {
        wine.expect(extension, INVOICE_FILE, true)?;
    }
    wine.expect(".xml", OTHER, true)?;
    let command = r#""C:\Invoice Desk\invoice-desk.exe" "%1""#;
    wine.expect(INVOICE_FILE, command, true)?;
    let uninstaller = wine.prefix.join("drive_c/Invoice Desk/uninstall.exe");
    // `_?=` makes it run where it is, and not a copy of it that nobody waits for.
    let uninstall = ["/S", r"_?=C:\Invoice Desk"];
    run_step("uninstall", wine.command().arg(uninstaller).args(uninstall))?;
    for class in [".xml", ".pdf", INVOICE_FILE] {
        wine.expect(class, INVOICE_FILE, false)?;
    }
    wine.expect(".xml", OTHER, true)?;
    println!("\nInvoice files are offered to the program, and no other program loses them.");
    Ok(())
}

/// A Windows of its own.
struct Wine {
    prefix: PathBuf,
}

impl Wine {
    fn command(&self) -> Command {
        let mut wine = program("wine", &[]);
        wine.env("WINEPREFIX", &self.prefix)
            .env("WINEDEBUG", "-all");
        wine
    }

    /// An error unless the entries of `class` have `text`, or have it not.
    fn expect(&self, class: &str, text: &str, expected: bool) -> Result<(), StepError> {
        let class = format!(r"{CLASSES}\{class}");
        let output = self.command().args(["reg", "query", &class, "/s"]).output();
        let entries = String::from_utf8_lossy(&output?.stdout).into_owned();
        if entries.contains(text) == expected {
            return Ok(());
        }
        let has = if expected { "has not" } else { "still has" };
        Err(StepError(format!("{class} {has} {text}:\n{entries}")))
    }
}
