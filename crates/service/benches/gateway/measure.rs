//! The sequence of a run: a tenant with many invoices, then each scenario in turns with its peer, then filtered lists.

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use serde_json::{Value, json};

use crate::decisions;
use crate::load::client::Load;
use crate::load::measurement::{self, measure_beside_empty, measure_in_turns};
use crate::load::report::Report;
use crate::load::servers::Listener;
use crate::load::{Problem, host, servers};
use crate::scenarios::{Create, Get, List, ListAnew};
use crate::session::Session;

/// Invoices of the tenant, if `BENCH_INVOICES` has no other number.
const INVOICES: &str = "1000000";
/// Documents that Get reads.
const KEYS: usize = 20_000;
/// Calls of each filtered list, one after the other.
const LIST_CALLS: usize = 21;

/// What the desktop asks for of a row.
const SHOWN_FIELDS: &str = "documentKey,organizationId,number,kind,status,buyer.name,issueDate,dueDate,currency,net,tax,gross,open,\
                            paymentState,authorityState,concurrencyStamp";

/// Runs all scenarios. The report is printed and written to the target folder, where `cargo xtask bench` reads it.
pub(crate) fn run(folder: &Path) -> Result<(), Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(host::about());
    let invoices = std::env::var("BENCH_INVOICES").unwrap_or_else(|_| INVOICES.to_owned());
    for (name, value) in measurement::settings() {
        report.about(name, value);
    }
    report.about("settings/invoices", invoices.clone());
    report.about(
        "settings/server",
        "one core, defaults: info log to a file, SQLite WAL, synchronous=FULL; limits of requests out of reach".to_owned(),
    );
    report.about("machine/load average before", host::load_average());
    report.figure("disk/sync-us", host::sync_micros(folder)?);
    decisions::measure(&mut report)?;

    let database = format!("sqlite:{}", folder.join("invoicing.db").display());
    let began = Instant::now();
    let seed = ["--seed", "demo", "--invoices", &invoices];
    let (service, ready) = servers::start_service(folder, &database, Listener::Gateway, &seed)?;
    println!("seeded in {} s", began.elapsed().as_secs());
    let session = runtime.block_on(Session::start(&ready))?;
    let keys = runtime.block_on(session.keys(KEYS))?;
    let empty = servers::start_empty()?;
    let token = &session.token;
    let get: Rc<dyn Load> = Rc::new(Get::new(keys, token.clone()));
    measure_beside_empty(&runtime, "get", (&service, &get), &empty, &mut report)?;
    let list: Rc<dyn Load> = Rc::new(List::new(token.clone()));
    measure_beside_empty(&runtime, "list-50", (&service, &list), &empty, &mut report)?;

    let list: Rc<dyn Load> = Rc::new(ListAnew::new(token.clone()));
    measure_beside_empty(
        &runtime,
        "list-50-anew",
        (&service, &list),
        &empty,
        &mut report,
    )?;

    runtime.block_on(filtered_lists(&session, &mut report))?;

    let table = folder.join("bare.db");
    let bare = servers::start_own(&["insert", &table.display().to_string()])?;
    let create: Rc<dyn Load> = Rc::new(Create::new(token.clone()));
    measure_in_turns(
        &runtime,
        "create",
        (&service, &create),
        (&bare, &create),
        &mut report,
    )?;
    report.figure("memory/after-kib", host::resident_kib(service.process()));
    report.about("machine/load average after", host::load_average());
    report.write("bench-gateway.json")
}

/// The first page with sums of filtered lists, and the bytes of a row.
async fn filtered_lists(session: &Session, report: &mut Report) -> Result<(), Problem> {
    let filters = [
        (
            "status-and-dates",
            json!({"status": ["ISSUED", "FROZEN"], "issueDate": {"from": "2026-01-01", "to": "2026-06-30"}}),
        ),
        ("buyer", json!({"buyer": "nakheel"})),
        (
            "amounts-and-dates",
            json!({"gross": {"from": "100", "to": "50000"}, "issueDate": {"from": "2025-01-01", "to": "2026-06-30"}}),
        ),
        ("currency", json!({"currency": ["EUR"]})),
    ];
    for (name, filter) in filters {
        let request = json!({"pageSize": 50, "filter": filter});
        let mut micros = Vec::new();
        let mut rows = 0;
        for call in 0..LIST_CALLS {
            let (body, taken) = session.list(&request, u32::try_from(call)?).await?;
            let page: Value = serde_json::from_str(&body)?;
            rows = page["totalSize"].as_u64().unwrap_or_default();
            micros.push(u64::try_from(taken.as_micros())?);
        }
        micros.sort_unstable();
        report.figure(&format!("list/{name}/rows"), rows);
        report.figure(&format!("list/{name}/p50-us"), micros[LIST_CALLS / 2]);
        report.figure(&format!("list/{name}/max-us"), micros[LIST_CALLS - 1]);
    }
    let whole = row_bytes(session, &json!({})).await?;
    report.figure("list/whole-row-bytes", whole);
    let shown = row_bytes(session, &json!({"readMask": SHOWN_FIELDS})).await?;
    report.figure("list/row-bytes", shown);
    Ok(())
}

/// What one row more costs.
async fn row_bytes(session: &Session, request: &Value) -> Result<u64, Problem> {
    let mut bytes = Vec::new();
    for size in [1, 101] {
        let mut request = request.clone();
        request["pageSize"] = size.into();
        let (body, _) = session.list(&request, 0).await?;
        bytes.push(u64::try_from(body.len())?);
    }
    Ok((bytes[1] - bytes[0]) / 100)
}
