//! The sequence of a run: seed, idle memory, each scenario alternating with the empty handler, final memory, report.

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use invoicing_service::{Clock as _, SystemClock};

use crate::load::client::Load;
use crate::load::measurement::{self, CONNECTIONS};
use crate::load::report::Report;
use crate::load::servers::Listener;
use crate::load::{Problem, host, servers};
use crate::scenarios::{ClientCredentials, CodeExchange, Introspection, Refresh, Userinfo};
use crate::seed::{self, Numbering};

/// Runs all scenarios. The report is printed and written to the target folder, where `cargo xtask bench` reads it.
pub(crate) fn run(folder: &Path) -> Result<(), Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(host::about());
    for (name, value) in measurement::settings().into_iter().chain(settings()) {
        report.about(name, value);
    }
    report.about("machine/load average before", host::load_average());

    let database = folder.join("invoicing.db");
    let began = Instant::now();
    let numbering = Numbering::until(SystemClock.timestamp())?;
    runtime.block_on(seed::create(&database, numbering, CONNECTIONS))?;
    println!("seeded in {} s", began.elapsed().as_secs());
    report.figure("disk/sync-us", host::sync_micros(folder)?);
    let empty = servers::start_empty()?;
    let (service, _) = servers::start_service(
        folder,
        &format!("sqlite:{}", database.display()),
        Listener::Identity,
        &[],
    )?;
    report.figure("memory/idle-kib", host::resident_kib(service.process()));

    let scenarios: [(&str, Rc<dyn Load>); 6] = [
        ("introspection", Rc::new(Introspection::new(numbering))),
        ("userinfo", Rc::new(Userinfo::new(numbering))),
        ("client-credentials", Rc::new(ClientCredentials::new())),
        ("refresh", Rc::new(Refresh::new(numbering, CONNECTIONS))),
        (
            "code-exchange",
            Rc::new(CodeExchange::new(numbering, seed::WEB)),
        ),
        (
            "code-exchange-rs256",
            Rc::new(CodeExchange::new(numbering, seed::WEB_RSA)),
        ),
    ];
    let selected = std::env::var("BENCH_ONLY").ok();
    for (name, load) in &scenarios {
        if selected.as_deref().is_some_and(|only| only != *name) {
            continue;
        }
        if name.starts_with("code-exchange") {
            seed::renew_codes(&database)?;
        }
        measurement::measure_beside_empty(&runtime, name, (&service, load), &empty, &mut report)?;
    }
    report.figure("memory/after-kib", host::resident_kib(service.process()));
    drop(service);
    #[cfg(unix)]
    if selected.is_none_or(|only| only == "postgres") {
        // The codes have expired.
        let (scenarios, _) = scenarios.split_at(4);
        crate::postgres::measure(&runtime, folder, &database, scenarios, &empty, &mut report)?;
    }
    report.about("machine/load average after", host::load_average());
    report.write("bench-identity.json")
}

fn settings() -> Vec<(&'static str, String)> {
    vec![
        ("settings/users", seed::USERS.to_string()),
        ("settings/live tokens", seed::TOKENS.to_string()),
        ("settings/machine users", seed::MACHINES.to_string()),
        (
            "settings/server",
            "one core, defaults: info log to a file, SQLite WAL, synchronous=FULL; limits of requests out of reach".to_owned(),
        ),
        (
            "settings/id_token",
            "Ed25519; RS256 where the name says so".to_owned(),
        ),
    ]
}
