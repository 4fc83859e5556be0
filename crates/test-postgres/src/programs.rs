//! The programs of PostgreSQL, run as a user that they accept.

use std::path::PathBuf;
use std::process::Command;

/// Where Debian keeps the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// The user that the programs run as when the tests run as root, whom they refuse.
pub(crate) const SYSTEM_USER: &str = "postgres";

/// The folder of `initdb` and `pg_ctl`: `POSTGRES_PROGRAMS`, or the latest version that Debian has installed, or the one on the
/// path.
pub(crate) fn folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("POSTGRES_PROGRAMS") {
        return folder.into();
    }
    let versions = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let versions = versions.filter_map(|entry| {
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((version, entry.path().join("bin")))
    });
    if let Some((_, folder)) = versions
        .filter(|(_, folder)| folder.join("initdb").exists())
        .max()
    {
        return folder;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folder = std::env::split_paths(&path).find(|folder| folder.join("initdb").exists());
    folder.expect("PostgreSQL is installed: `cargo xtask test` installs it")
}

/// `program` of PostgreSQL.
pub(crate) fn command(program: &str) -> Command {
    let program = folder().join(program);
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command
        .args([
            "--reuid",
            SYSTEM_USER,
            "--regid",
            SYSTEM_USER,
            "--init-groups",
            "--",
        ])
        .arg(program)
        // The folder of the caller may be closed to that user.
        .current_dir(std::env::temp_dir());
    command
}

/// Whether this process runs as root.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
    assert!(
        output.status.success(),
        "{command:?} failed: {}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
