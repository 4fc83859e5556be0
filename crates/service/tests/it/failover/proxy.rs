//! HAProxy in front of the processes, with the configuration of deploy/.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::Certificate;

use crate::service::tls::write_certificate;

/// Where the packages have it: not every user looks there for programs.
const PROGRAM: &str = "/usr/sbin/haproxy";
const CONFIGURATION: &str = include_str!("../../../../../deploy/haproxy/haproxy.cfg");
/// The names that its certificate has. The proxy tells by them where a request goes.
const IDENTITY_HOST: &str = "localhost";
const GATEWAY_HOST: &str = "127.0.0.1";

/// The ports of a process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ports {
    pub(super) identity: u16,
    pub(super) gateway: u16,
    pub(super) metrics: u16,
}

/// A running proxy.
pub(super) struct Proxy {
    child: Child,
    /// What its clients trust.
    pub(super) certificate: Certificate,
}

impl Proxy {
    /// Starts it on `port`, with its configuration and its log in `folder`.
    pub(super) fn start(folder: &Path, port: u16, replicas: &[Ports]) -> Self {
        let (files, certificate) = write_certificate(folder);
        let [chain, key] = [&files.certificate, &files.key].map(|file| {
            let pem = std::fs::read_to_string(file);
            pem.expect("it was written")
        });
        let pem = folder.join("proxy.pem");
        std::fs::write(&pem, chain + &key).expect("a file is written");
        let file = folder.join("haproxy.cfg");
        std::fs::write(&file, configuration(port, replicas)).expect("a file is written");
        let log = File::create(folder.join("haproxy.log")).expect("a log file");
        // In the foreground.
        let child = Command::new(PROGRAM)
            .args(["-db", "-f"])
            .arg(file)
            .env("IDENTITY_HOST", IDENTITY_HOST)
            .env("GATEWAY_HOST", GATEWAY_HOST)
            .env("CERTIFICATE", pem)
            .env("RESOLVER", "127.0.0.1:53")
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log file"))
            .stderr(log)
            .spawn()
            .expect("HAProxy is installed: `cargo xtask test` installs it");
        Self { child, certificate }
    }

    /// Fails with its log if it has ended.
    pub(super) fn assert_runs(&mut self, folder: &Path) {
        let ended = self.child.try_wait().expect("its status is readable");
        let log = std::fs::read_to_string(folder.join("haproxy.log")).unwrap_or_default();
        assert!(ended.is_none(), "HAProxy ended: {ended:?}\n{log}");
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The addresses by which clients reach identity provider and gateway through a proxy on `port`.
pub(super) fn public_addresses(port: u16) -> (String, String) {
    let address = |host| format!("https://{host}:{port}");
    (address(IDENTITY_HOST), address(GATEWAY_HOST))
}

/// The configuration of deploy/ on another port, with processes of this machine in place of what a name server knows.
fn configuration(port: u16, replicas: &[Ports]) -> String {
    let mut lines = Vec::new();
    let (mut binds, mut backends) = (0, 0);
    for line in CONFIGURATION.lines() {
        if let Some(options) = line.strip_prefix("    bind :443 ") {
            binds += 1;
            lines.push(format!("    bind 127.0.0.1:{port} {options}"));
        } else if let Some((_, server)) = line.split_once("server-template replica 1-8 ") {
            backends += 1;
            let servers = replicas.iter().enumerate();
            lines.extend(servers.map(|(number, ports)| server_line(server, number, *ports)));
        } else {
            lines.push(line.to_owned());
        }
    }
    assert_eq!((binds, backends), (1, 2), "{CONFIGURATION}");
    lines.push(String::new());
    lines.join("\n")
}

/// `"${REPLICAS}":PORT OPTIONS` of a template, for one process.
fn server_line(template: &str, number: usize, ports: Ports) -> String {
    let template = template.strip_prefix("\"${REPLICAS}\":");
    let (port, options) = template
        .and_then(|template| template.split_once(' '))
        .expect("a port and options");
    let port = match port {
        "8460" => ports.identity,
        "8461" => ports.gateway,
        other => panic!("{other} is no port of the image"),
    };
    let options = options
        .strip_suffix(" resolvers replicas init-addr none")
        .expect("the name server is asked");
    assert!(options.contains(" port 8462 "), "{options}");
    let options = options.replace(" port 8462 ", &format!(" port {} ", ports.metrics));
    format!("    server replica{number} 127.0.0.1:{port} {options}")
}
