//! A folder for the temporary files of a run of the tests, which is removed with all that they leave: killed programs and browsers
//! remove nothing.

use std::env;
use std::io;
use std::process::Command;

use tempfile::TempDir;

use crate::steps::StepError;

/// Set for the program that has the folder.
const MARK: &str = "XTASK_TEMPORARY_FOLDER";

/// Runs `work` in this program again, started with a temporary folder of its own.
pub(crate) fn run_in_own(work: impl FnOnce() -> Result<(), StepError>) -> Result<(), StepError> {
    if env::var_os(MARK).is_some() || cfg!(not(unix)) {
        return work();
    }
    let folder = create()?;
    let status = Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env("TMPDIR", folder.path())
        .env(MARK, folder.path())
        .status()?;
    // What goes on writing there says nothing about the tests.
    if let Err(error) = folder.close() {
        eprintln!("the folder of temporary files is left: {error}");
    }
    if status.success() {
        Ok(())
    } else {
        // It has printed why.
        Err(StepError(String::new()))
    }
}

/// In memory if there is room: each acknowledged write of a test is flushed, and a disk takes milliseconds for that.
#[cfg(unix)]
fn create() -> io::Result<TempDir> {
    use std::os::unix::fs::PermissionsExt as _;
    // PostgreSQL runs as another user when the tests run as root.
    let passable = std::fs::Permissions::from_mode(0o711);
    let mut folder = tempfile::Builder::new();
    folder.prefix("invoicing-tests-").permissions(passable);
    match memory() {
        Some(memory) => folder.tempdir_in(memory),
        None => folder.tempdir(),
    }
}

#[cfg(not(unix))]
fn create() -> io::Result<TempDir> {
    tempfile::tempdir()
}

/// The file system in memory, if it has room for what the tests and their PostgreSQL write, and programs can be started from it, as the
/// fixtures start scripts. As much memory again is left to the tests.
#[cfg(target_os = "linux")]
fn memory() -> Option<&'static str> {
    use rustix::fs::StatVfsMountFlags;

    const MEMORY: &str = "/dev/shm";
    const BYTES: u64 = 6 << 30;
    let system = rustix::fs::statvfs(MEMORY).ok()?;
    let has_room = system.f_bavail * system.f_frsize >= BYTES
        && available_bytes(&std::fs::read_to_string("/proc/meminfo").ok()?)? >= 2 * BYTES;
    let refuses = StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY;
    (has_room && !system.f_flag.intersects(refuses)).then_some(MEMORY)
}

#[cfg(all(unix, not(target_os = "linux")))]
const fn memory() -> Option<&'static str> {
    None
}

/// The memory that programs can still take, as `/proc/meminfo` tells it.
#[cfg(target_os = "linux")]
fn available_bytes(meminfo: &str) -> Option<u64> {
    let mut lines = meminfo.lines();
    let kib = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = kib.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn script_can_be_started_from_the_folder_and_other_users_can_pass_it() {
        let folder = create().expect("a folder");
        let about = fs::metadata(folder.path()).expect("it exists");
        assert_eq!(about.permissions().mode() & 0o777, 0o711);
        let script = folder.path().join("script");
        fs::write(&script, "#!/bin/sh\nexit 7\n").expect("a script");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).expect("it is ours");
        let status = Command::new(&script).status().expect("it starts");
        assert_eq!(status.code(), Some(7));
    }

    #[test]
    fn available_memory_is_read_in_bytes() {
        let meminfo = "MemTotal:       24000000 kB\nMemAvailable:   20000000 kB\n";
        assert_eq!(available_bytes(meminfo), Some(20_480_000_000));
        assert_eq!(available_bytes("MemTotal: 1 kB\n"), None);
    }
}
