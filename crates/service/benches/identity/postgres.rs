//! The same database after a move to PostgreSQL: how fast it moves, and a replica on it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Instant;

use invoicing_test_postgres::Server as PostgresServer;

use crate::load::client::Load;
use crate::load::report::Report;
use crate::load::servers::{self, Listener, Server};
use crate::load::{Problem, host, measurement};

/// Moves `database`, which nobody has open, to PostgreSQL, and measures a replica there beside the empty handler. The loads go on
/// with what they got from the first service.
pub(crate) fn measure(
    runtime: &tokio::runtime::Runtime,
    folder: &Path,
    database: &Path,
    scenarios: &[(&str, Rc<dyn Load>)],
    empty: &Server,
    report: &mut Report,
) -> Result<(), Problem> {
    let settings = ["max_wal_size=4GB", "shared_buffers=512MB"];
    let server = PostgresServer::start(&settings);
    let target = runtime.block_on(server.database("bench", async |owner| {
        service(&["migrate", "--database", owner]).expect("the tables are made");
    }));
    let began = Instant::now();
    let from = format!("sqlite:{}", database.display());
    let records = service(&["migrate-data", "--json", &from, target.owner_url()])?;
    let millis = u64::try_from(began.elapsed().as_millis())?;
    let records = moved(&records)?;
    report.figure("move/records", records);
    report.figure("move/records-per-s", records * 1_000 / millis.max(1));

    let folder = folder.join("replica");
    std::fs::create_dir(&folder)?;
    let (replica, _) =
        servers::start_service(&folder, target.application_url(), Listener::Identity, &[])?;
    report.figure(
        "postgres/memory/idle-kib",
        host::resident_kib(replica.process()),
    );
    for (name, load) in scenarios {
        let name = format!("postgres/{name}");
        measurement::measure_beside_empty(runtime, &name, (&replica, load), empty, report)?;
    }
    report.figure(
        "postgres/memory/after-kib",
        host::resident_kib(replica.process()),
    );
    Ok(())
}

/// What a command of the service prints.
fn service(arguments: &[&str]) -> Result<String, Problem> {
    let output = Command::new(env!("CARGO_BIN_EXE_invoicing-service"))
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the service ended: {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The records of all tables, from the answer of `migrate-data --json`.
fn moved(answer: &str) -> Result<u64, Problem> {
    let tables: Vec<serde_json::Value> = serde_json::from_str(answer)?;
    let records = tables.iter().filter_map(|table| table["records"].as_u64());
    Ok(records.sum())
}
