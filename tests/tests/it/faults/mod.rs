//! The table of faults: every fault of a network at every call of every flow of the client, against the real service.
//!
//! Each cell starts a client of its own, prepares a flow, injects one fault at one call, and checks the invariants of
//! [`cell::Invariant`]. `cargo xtask faults` runs all cells and prints the table.

mod action;
mod bench;
mod call;
mod cell;
mod drive;
mod fault_kind;
mod foreign;
mod known_failures;
mod oracle;
mod report;
mod run;
mod scenario;
mod session_files;

use std::collections::BTreeSet;

use call::Call;
use cell::Cell;
use end_to_end::fault_proxy::Lasting;
use fault_kind::FaultKind;

/// The variable with words that the names of cells contain, which limits `cargo xtask faults`.
const FILTER: &str = "INVOICE_DESK_FAULTS";

/// Cells that together have every call and every fault, each transport and each duration.
fn representative() -> impl Iterator<Item = Cell> {
    Cell::all().filter(|cell| {
        let (call, fault) = (cell.call as usize, cell.fault as usize);
        // Encrypted connections cost most of the time, so they are tried where they make a difference.
        let transport = cell.tls == cell.fault.needs_tls();
        let lasting = cell.lasting == Lasting::UntilCleared;
        let sum = call + fault;
        let either = lasting == (sum / 10 % 2 == 0) || !cell.fault.can_be_once();
        transport && either && sum % 10 == 0
    })
}

#[test]
fn every_call_and_every_fault_is_in_the_table_and_in_its_representative_part() {
    for cells in [
        Cell::all().collect::<Vec<_>>(),
        representative().collect::<Vec<_>>(),
    ] {
        let calls: BTreeSet<_> = cells.iter().map(|cell| cell.call).collect();
        let faults: BTreeSet<_> = cells.iter().map(|cell| cell.fault).collect();
        assert_eq!(calls.len(), Call::ALL.len(), "{calls:?}");
        assert_eq!(faults.len(), FaultKind::ALL.len(), "{faults:?}");
    }
}

#[test]
fn readme_says_how_many_cells_the_table_has() {
    let readme = include_str!("../../../../README.md");
    let cells = Cell::all().count();
    let thousands = format!("{},{:03} cells", cells / 1000, cells % 1000);
    assert!(
        readme.contains(&thousands),
        "the README does not say {thousands}"
    );
}

#[test]
fn representative_cells_of_the_table_hold() {
    let table = run::run(representative().collect());
    assert!(table.holds(), "{}", table.failures());
}

#[test]
#[ignore = "takes minutes: cargo xtask faults"]
fn whole_table_holds() {
    let filter = std::env::var(FILTER).unwrap_or_default();
    let cells = Cell::all().filter(|cell| {
        let name = cell.to_string();
        filter.split_whitespace().all(|word| name.contains(word))
    });
    let cells: Vec<_> = cells.collect();
    assert!(!cells.is_empty(), "no cell has {filter:?} in its name");
    let table = run::run(cells);
    println!("{table}");
    assert!(table.holds(), "{}", table.failures());
}
