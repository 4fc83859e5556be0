//! The order of a run: seed, idle memory, every scenario in turns with the empty handler, memory after, report.

use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::client::{self, Load};
use crate::report::Report;
use crate::scenarios::{
    ClientCredentials, CodeExchange, Introspection, Refresh, Repeated, Userinfo,
};
use crate::servers::{self, Server};
use crate::{Problem, host, seed};

/// Connections at once, each with one request under way.
const CONNECTIONS: usize = 256;
/// Turns of each scenario; the median counts, so that what others do on the machine does not. Many short ones: a machine that
/// is slower for some seconds is so for both servers of most turns.
const ROUNDS: usize = 15;
/// Unnoted before each measurement.
const SETTLE: Duration = Duration::from_millis(200);
/// Noted.
const WINDOW: Duration = Duration::from_millis(800);

/// The whole run. The report is printed and written to the target folder, where `cargo xtask bench` reads it.
pub(crate) fn run(folder: &Path) -> Result<(), Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(host::about());
    for (name, value) in settings() {
        report.about(name, value);
    }
    report.about("machine/load average before", host::load_average());

    let database = folder.join("invoicing.db");
    let began = Instant::now();
    runtime.block_on(seed::plant(&database, CONNECTIONS))?;
    println!("seeded in {} s", began.elapsed().as_secs());
    report.figure("disk/sync-us", host::sync_micros(folder)?);
    let empty = servers::start_empty()?;
    let service = servers::start_service(folder, &format!("sqlite:{}", database.display()))?;
    report.figure("memory/idle-kib", host::resident_kib(service.process()));

    let scenarios: [(&str, Rc<dyn Load>); 6] = [
        ("introspection", Rc::new(Introspection::new())),
        ("userinfo", Rc::new(Userinfo::new())),
        ("client-credentials", Rc::new(ClientCredentials::new())),
        ("refresh", Rc::new(Refresh::new(CONNECTIONS))),
        ("code-exchange", Rc::new(CodeExchange::new(seed::WEB))),
        (
            "code-exchange-rs256",
            Rc::new(CodeExchange::new(seed::WEB_RSA)),
        ),
    ];
    let wanted = std::env::var("BENCH_ONLY").ok();
    for (name, load) in &scenarios {
        if wanted.as_deref().is_some_and(|only| only != *name) {
            continue;
        }
        let repeated: Rc<dyn Load> = Rc::new(Repeated::of(&**load, CONNECTIONS));
        let turns: Vec<_> = (0..ROUNDS)
            .map(|_| {
                Ok(Turn {
                    empty: measure(&runtime, &empty, &repeated)?,
                    ours: measure(&runtime, &service, load)?,
                })
            })
            .collect::<Result<_, Problem>>()?;
        note(&mut report, name, &turns);
    }
    report.figure("memory/after-kib", host::resident_kib(service.process()));
    report.about("machine/load average after", host::load_average());
    report.write()
}

fn settings() -> Vec<(&'static str, String)> {
    vec![
        ("version/service", env!("CARGO_PKG_VERSION").to_owned()),
        ("settings/connections", CONNECTIONS.to_string()),
        (
            "settings/rounds",
            format!("{ROUNDS} of {} ms, in turns, median", WINDOW.as_millis()),
        ),
        ("settings/users", seed::USERS.to_string()),
        ("settings/live tokens", seed::TOKENS.to_string()),
        ("settings/machine users", seed::MACHINES.to_string()),
        (
            "settings/server",
            "one core, defaults: info log to a file, SQLite WAL, synchronous=FULL".to_owned(),
        ),
        (
            "settings/id_token",
            "Ed25519; RS256 where the name says so".to_owned(),
        ),
    ]
}

/// One measurement of one server.
struct Figures {
    per_second: u64,
    p50: u64,
    p99: u64,
    errors: u64,
    server_busy: u64,
    load_busy: u64,
}

struct Turn {
    empty: Figures,
    ours: Figures,
}

fn measure(
    runtime: &tokio::runtime::Runtime,
    server: &Server,
    load: &Rc<dyn Load>,
) -> Result<Figures, Problem> {
    let address: SocketAddr = server.address;
    let used = || {
        (
            host::processor_ms(server.process()),
            host::processor_ms(std::process::id()),
        )
    };
    let (server_before, load_before) = used();
    let began = Instant::now();
    let mut seen = client::run(runtime, address, CONNECTIONS, SETTLE, WINDOW, load)?;
    let elapsed = u64::try_from(began.elapsed().as_millis())?.max(1);
    let (server_after, load_after) = used();
    let window = u64::try_from(WINDOW.as_millis())?;
    Ok(Figures {
        per_second: seen.answers * 1000 / window,
        p50: seen.percentile(500),
        p99: seen.percentile(990),
        errors: seen.errors,
        server_busy: (server_after - server_before) * 1000 / elapsed,
        load_busy: (load_after - load_before) * 1000 / elapsed,
    })
}

fn note(report: &mut Report, name: &str, turns: &[Turn]) {
    let median = |of: &dyn Fn(&Turn) -> u64| {
        let mut values: Vec<_> = turns.iter().map(of).collect();
        values.sort_unstable();
        values[values.len() / 2]
    };
    let mut figure = |what: &str, value: u64| report.figure(&format!("{name}/{what}"), value);
    figure("per-second", median(&|turn| turn.ours.per_second));
    figure("empty-per-second", median(&|turn| turn.empty.per_second));
    figure(
        "ratio-permille",
        median(&|turn| turn.ours.per_second * 1000 / turn.empty.per_second.max(1)),
    );
    figure("p50-us", median(&|turn| turn.ours.p50));
    figure("p99-us", median(&|turn| turn.ours.p99));
    figure("empty-p50-us", median(&|turn| turn.empty.p50));
    figure("empty-p99-us", median(&|turn| turn.empty.p99));
    figure(
        "p99-ratio-permille",
        median(&|turn| turn.ours.p99 * 1000 / turn.empty.p99.max(1)),
    );
    // What an answer costs the server's core. It says how fast it is where other programs share the machine.
    let cost = |figures: &Figures| figures.server_busy * 1_000_000 / figures.per_second.max(1);
    figure("cost-ns", median(&|turn| cost(&turn.ours)));
    figure("empty-cost-ns", median(&|turn| cost(&turn.empty)));
    figure(
        "cost-ratio-permille",
        median(&|turn| cost(&turn.empty) * 1000 / cost(&turn.ours).max(1)),
    );
    figure(
        "errors",
        turns
            .iter()
            .map(|turn| turn.ours.errors + turn.empty.errors)
            .sum(),
    );
    figure(
        "server-busy-permille",
        median(&|turn| turn.ours.server_busy),
    );
    figure("load-busy-permille", median(&|turn| turn.ours.load_busy));
    figure(
        "empty-server-busy-permille",
        median(&|turn| turn.empty.server_busy),
    );
    figure(
        "empty-load-busy-permille",
        median(&|turn| turn.empty.load_busy),
    );
}
