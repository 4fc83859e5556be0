//! One scenario in rounds: the service and the empty handler in turns, and the figures of both.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::client::{self, Load};
use super::report::Report;
use super::servers::Server;
use super::{Problem, Repeated, host};

/// Concurrent connections, each with one request in progress.
pub(crate) const CONNECTIONS: usize = 256;
/// Rounds of each scenario; the report contains medians, to exclude other load on the machine. Many short rounds: a machine
/// that is slow for some seconds then slows both servers of a round.
const ROUNDS: usize = 15;
/// Warm-up before each measurement.
const SETTLE: Duration = Duration::from_millis(200);
/// Duration of each measurement.
const WINDOW: Duration = Duration::from_millis(800);

/// What the figures depend on.
pub(crate) fn settings() -> Vec<(&'static str, String)> {
    vec![
        ("version/service", env!("CARGO_PKG_VERSION").to_owned()),
        ("settings/connections", CONNECTIONS.to_string()),
        (
            "settings/rounds",
            format!("{ROUNDS} of {} ms, in turns, median", WINDOW.as_millis()),
        ),
    ]
}

/// Measures a load at the service and another one at its peer, in turns. The figures are added under `name`, those of the peer
/// as `empty`.
pub(crate) fn measure_in_turns(
    runtime: &tokio::runtime::Runtime,
    name: &str,
    (service, load): (&Server, &Rc<dyn Load>),
    (peer, peer_load): (&Server, &Rc<dyn Load>),
    report: &mut Report,
) -> Result<(), Problem> {
    let rounds: Vec<_> = (0..ROUNDS)
        .map(|_| {
            Ok(Round {
                empty: measure(runtime, peer, peer_load)?,
                service: measure(runtime, service, load)?,
            })
        })
        .collect::<Result<_, Problem>>()?;
    add_figures(report, name, &rounds);
    Ok(())
}

/// The same with the first request of each connection, repeated, as the load of the peer: an empty handler.
pub(crate) fn measure_beside_empty(
    runtime: &tokio::runtime::Runtime,
    name: &str,
    (service, load): (&Server, &Rc<dyn Load>),
    empty: &Server,
    report: &mut Report,
) -> Result<(), Problem> {
    let repeated: Rc<dyn Load> = Rc::new(Repeated::of(&**load, CONNECTIONS));
    measure_in_turns(runtime, name, (service, load), (empty, &repeated), report)
}

/// The figures of one measurement of one server.
struct Figures {
    per_second: u64,
    p50: u64,
    p99: u64,
    errors: u64,
    server_busy: u64,
    load_busy: u64,
}

/// The figures of both servers in one round.
struct Round {
    empty: Figures,
    service: Figures,
}

fn measure(
    runtime: &tokio::runtime::Runtime,
    server: &Server,
    load: &Rc<dyn Load>,
) -> Result<Figures, Problem> {
    let address = server.address;
    let processor_times = || {
        (
            host::processor_ms(server.process()),
            host::processor_ms(std::process::id()),
        )
    };
    let (server_before, load_before) = processor_times();
    let began = Instant::now();
    let mut measurements = client::run(runtime, address, CONNECTIONS, SETTLE, WINDOW, load)?;
    let elapsed = u64::try_from(began.elapsed().as_millis())?.max(1);
    let (server_after, load_after) = processor_times();
    let window = u64::try_from(WINDOW.as_millis())?;
    Ok(Figures {
        per_second: measurements.responses * 1000 / window,
        p50: measurements.percentile(500),
        p99: measurements.percentile(990),
        errors: measurements.errors,
        server_busy: (server_after - server_before) * 1000 / elapsed,
        load_busy: (load_after - load_before) * 1000 / elapsed,
    })
}

fn add_figures(report: &mut Report, name: &str, rounds: &[Round]) {
    let median = |of: &dyn Fn(&Round) -> u64| {
        let mut values: Vec<_> = rounds.iter().map(of).collect();
        values.sort_unstable();
        values[values.len() / 2]
    };
    let mut figure = |what: &str, value: u64| report.figure(&format!("{name}/{what}"), value);
    figure("per-second", median(&|round| round.service.per_second));
    figure("empty-per-second", median(&|round| round.empty.per_second));
    figure(
        "ratio-permille",
        median(&|round| round.service.per_second * 1000 / round.empty.per_second.max(1)),
    );
    figure("p50-us", median(&|round| round.service.p50));
    figure("p99-us", median(&|round| round.service.p99));
    figure("empty-p50-us", median(&|round| round.empty.p50));
    figure("empty-p99-us", median(&|round| round.empty.p99));
    figure(
        "p99-ratio-permille",
        median(&|round| round.service.p99 * 1000 / round.empty.p99.max(1)),
    );
    // Processor time per response: comparable where other programs share the machine.
    let cost = |figures: &Figures| figures.server_busy * 1_000_000 / figures.per_second.max(1);
    figure("cost-ns", median(&|round| cost(&round.service)));
    figure("empty-cost-ns", median(&|round| cost(&round.empty)));
    figure(
        "cost-ratio-permille",
        median(&|round| cost(&round.empty) * 1000 / cost(&round.service).max(1)),
    );
    figure(
        "errors",
        rounds
            .iter()
            .map(|round| round.service.errors + round.empty.errors)
            .sum(),
    );
    figure(
        "server-busy-permille",
        median(&|round| round.service.server_busy),
    );
    figure(
        "load-busy-permille",
        median(&|round| round.service.load_busy),
    );
    figure(
        "empty-server-busy-permille",
        median(&|round| round.empty.server_busy),
    );
    figure(
        "empty-load-busy-permille",
        median(&|round| round.empty.load_busy),
    );
}
