//! Runs cells: some at a time, each worker with a service of its own.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;

use super::bench::Bench;
use super::cell::{self, Cell, Invariant, Violation};
use super::report::Table;
use crate::fixtures::Log;

/// Workers for each transport. Each waits most of its time, for the disk or the other side.
const WORKERS: usize = 2;
/// A cell that takes longer has stopped.
const CELL_LIMIT: Duration = Duration::from_secs(90);

/// In bytes. The futures of a cell hold whole flows, which without optimisation need more than the stack of a worker.
const STACK: usize = 16 * 1024 * 1024;

/// Runs all cells.
pub(crate) fn run(cells: Vec<Cell>) -> Table {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK)
        .build()
        .expect("a runtime")
        .block_on(run_all(cells))
}

async fn run_all(cells: Vec<Cell>) -> Table {
    let log = Log::record("invoicing_client=trace,reqwest=trace,hyper=debug,hyper_util=debug");
    let cells = interleaved(cells);
    let (encrypted, plain): (VecDeque<_>, VecDeque<_>) =
        cells.into_iter().partition(|cell| cell.tls);
    let mut workers = JoinSet::new();
    for queue in [encrypted, plain] {
        let workers_needed = WORKERS.min(queue.len());
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..workers_needed {
            workers.spawn(work(Arc::clone(&queue), log.clone()));
        }
    }
    let results = workers.join_all().await;
    Table::new(results.into_iter().flatten().collect())
}

async fn work(queue: Arc<Mutex<VecDeque<Cell>>>, log: Log) -> Vec<(Cell, Vec<Violation>)> {
    let mut results = Vec::new();
    let mut bench = None;
    loop {
        let next = queue.lock().expect("not poisoned").pop_front();
        let Some(cell) = next else {
            return results;
        };
        let mut used = match bench.take() {
            Some(bench) => bench,
            None => Bench::start(cell.tls).await,
        };
        let (begin, recorded) = (log.len(), log.clone());
        let log = log.clone();
        // A task of its own, so that a panic ends the cell and not the table.
        let running = tokio::spawn(async move {
            let found =
                tokio::time::timeout(CELL_LIMIT, Box::pin(cell::run(&mut used, cell, &log))).await;
            (used, found)
        });
        let found = match running.await {
            Ok((used, Ok(found))) => {
                bench = Some(used);
                found
            }
            Ok((_, Err(_))) => vec![(Invariant::End, "it did not end".to_owned())],
            Err(error) => vec![(Invariant::End, error.to_string())],
        };
        report(cell, &found, &recorded.text_from(begin));
        results.push((cell, found));
    }
}

/// The cells in another order, so that those of one call, which fail together, are apart.
fn interleaved(cells: Vec<Cell>) -> Vec<Cell> {
    const STRIDE: usize = 97;
    (0..STRIDE)
        .flat_map(|first| cells.iter().skip(first).step_by(STRIDE))
        .copied()
        .collect()
}

#[expect(
    clippy::print_stderr,
    reason = "the table takes minutes: what does not hold is told at once"
)]
fn report(cell: Cell, found: &[Violation], log: &str) {
    if !found.is_empty() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{cell}.log"));
        let written = std::fs::write(&path, log).is_ok();
        let place = if written {
            path.display().to_string()
        } else {
            String::new()
        };
        eprintln!("{cell}: {found:?} {place}");
    }
}
