//! Properties of the machine, and processor and memory use of a process (Linux, procfs).

use std::fs;
use std::process::Command;

/// Properties of machine and build that affect the figures: name and value.
pub(crate) fn about() -> Vec<(&'static str, String)> {
    let first = |file: &str, key: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split_once(':')).map_or_else(
            || "unknown".to_owned(),
            |(_, value)| value.trim().to_owned(),
        )
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let online = fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    vec![
        ("machine/processor", first("/proc/cpuinfo", "model name")),
        ("machine/cores online", online.trim().to_owned()),
        ("machine/cores of the load", cores.to_string()),
        ("machine/memory", first("/proc/meminfo", "MemTotal")),
        (
            "machine/kernel",
            fs::read_to_string("/proc/sys/kernel/osrelease")
                .unwrap_or_default()
                .trim()
                .to_owned(),
        ),
        ("version/rustc", command_output("rustc", &["--version"])),
        (
            "version/commit",
            command_output("git", &["describe", "--always", "--dirty"]),
        ),
    ]
}

/// The load average of the last minute.
pub(crate) fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Resident memory of a process in KiB.
pub(crate) fn resident_kib(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_ascii_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}

/// Processor time that a process has used, in milliseconds.
pub(crate) fn processor_ms(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // After the name, which is in parentheses and may hold spaces: user and system time are fields 14 and 15.
    let fields = text.rsplit_once(')').map(|(_, fields)| fields);
    let ticks = fields.map(|fields| {
        fields
            .split_ascii_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum::<u64>()
    });
    // USER_HZ is 100 on every Linux.
    ticks.unwrap_or(0) * 10
}

/// Duration of a write to this disk in microseconds: median of 50 page writes, each followed by fdatasync.
pub(crate) fn sync_micros(folder: &std::path::Path) -> std::io::Result<u64> {
    use std::io::Write as _;
    let mut file = fs::File::create(folder.join("sync"))?;
    let mut taken = Vec::new();
    for _ in 0..50 {
        let began = std::time::Instant::now();
        file.write_all(&[1; 4096])?;
        file.sync_data()?;
        taken.push(began.elapsed().as_micros());
    }
    taken.sort_unstable();
    fs::remove_file(folder.join("sync"))?;
    Ok(u64::try_from(taken[25]).unwrap_or(u64::MAX))
}

fn command_output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map_or_else(
        |_| "unknown".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}
