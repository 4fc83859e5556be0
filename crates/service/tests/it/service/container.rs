//! Tests of what the image of deploy/Containerfile promises, without a container engine (decision 0110): the program needs only
//! the libraries of the base image, and runs for another user on a file system without anything else and nothing to write.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::process::{Command, Stdio};

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::{NOURA, ServiceClient, ServiceFolder};
use reqwest::StatusCode;

const PROGRAM: &str = env!("CARGO_BIN_EXE_invoicing-service");
/// The libraries of the base image, distroless/cc, that a program may link: those of glibc and of the compiler.
const LIBRARIES: [&str; 9] = [
    "ld-linux-aarch64.so.1",
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "libstdc++.so.6",
];
/// `nonroot` of the base image.
const USER: &str = "65532";

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {arguments:?}");
    String::from_utf8(output.stdout).expect("the output is text")
}

#[test]
fn program_links_only_libraries_of_the_base_image() {
    let sections = output("readelf", &["--dynamic", "--wide", PROGRAM]);
    let needed: BTreeSet<_> = sections
        .lines()
        .filter(|line| line.contains("(NEEDED)"))
        .filter_map(|line| line.split(['[', ']']).nth(1))
        .collect();
    assert!(needed.contains("libc.so.6"), "{sections}");
    let others: Vec<_> = needed
        .iter()
        .filter(|library| !LIBRARIES.contains(library))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

/// `invoicing-service serve` as another user, on a read-only file system that holds the program, its libraries and the
/// certificates of the system. Only `folder` can be written.
fn contained(folder: &ServiceFolder) -> Command {
    let inner = command(folder, &[]);
    let folder = folder.path();
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("log"));
    let mut bwrap = Command::new("bwrap");
    bwrap
        .args(["--unshare-user", "--uid", USER, "--gid", USER])
        .args(["--unshare-pid", "--unshare-ipc", "--die-with-parent"])
        .args(["--proc", "/proc", "--dev", "/dev", "--clearenv"])
        .args(["--cap-drop", "ALL"])
        .args(["--ro-bind", PROGRAM, "/usr/local/bin/invoicing-service"])
        .args(["--ro-bind-try", "/etc/ssl", "/etc/ssl"]);
    // "libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)", and the loader without an arrow.
    for line in output("ldd", &[PROGRAM]).lines() {
        if let Some(path) = line.split_whitespace().find(|word| word.starts_with('/')) {
            bwrap.args(["--ro-bind", path, path]);
        }
    }
    for (name, value) in inner.get_envs() {
        if let Some(value) = value {
            bwrap.arg("--setenv").args([name, value]);
        }
    }
    bwrap
        .arg("--bind")
        .args([folder, folder])
        .args(["--remount-ro", "/", "--chdir", "/"])
        .arg("/usr/local/bin/invoicing-service")
        .args(inner.get_args())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log.expect("a log file"));
    bwrap
}

#[tokio::test]
async fn service_runs_for_another_user_on_a_read_only_file_system_without_a_shell() {
    let folder = ServiceFolder::new();
    let process = Process::started(contained(&folder), folder.path()).await;
    let client: &ServiceClient = &process.client;
    let tokens = client.sign_in(NOURA).await;
    let read = client.userinfo(tokens.text("access_token")).await;
    assert_eq!(read.status, StatusCode::OK, "{}", log(folder.path()));
    // The volume holds the database, what the test asked for, and nothing else.
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name();
        let name = name.to_string_lossy();
        assert!(
            name.starts_with("invoicing.db") || name == "ready.json" || name == "log",
            "{name}"
        );
    }
}
