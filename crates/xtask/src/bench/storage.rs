//! `cargo xtask bench storage`: operations of the store on PostgreSQL beside pgbench in the same run, and lists over a million
//! documents.

use super::{Benchmark, Figures, Limits, conclude, figure, measure};
use crate::steps::{StepError, program};

/// What an operation reaches at least of its peer's rate, in thousandths. Rotation, client_credentials, create and issue beside
/// one-row inserts of as many clients; admission beside selects by key; issue in one organization beside inserts of one client.
/// Rotation and admission are one statement each, called at the store: they have the limits of statements, and not the lower ones of a
/// service that answers requests with them.
/// The two that share transactions are held to their limits on a disk whose flushes take 2 ms too. Those with a synchronous standby
/// are beside themselves without one.
const RATIOS: [(&str, u64); 13] = [
    ("rotation", 450),
    ("client-credentials", 1_000),
    ("client-credentials-of-128", 1_000),
    ("admission", 400),
    ("create", 250),
    ("issue", 200),
    ("issue-of-128", 200),
    ("issue-one-organization", 5_000),
    ("slow-disk/client-credentials", 1_000),
    ("slow-disk/client-credentials-of-128", 1_000),
    ("slow-disk/issue-one-organization", 5_000),
    ("standby/create", 600),
    ("standby/issue", 600),
];
/// How many times as long as its peer a list takes at most, in thousandths: a page as its bodies by key, and a page with its sums
/// as the count of its filter from an index.
const TIMES_PEER: [(&str, u64); 3] = [
    ("list/page-without-sums", 3_000),
    ("list/filtered-by-amount-and-date", 1_500),
    ("list/filtered-within-a-class-of-amounts", 1_500),
];
/// What a first page with its sums takes at most, in microseconds: the median.
const LISTS: [&str; 4] = [
    "list/first-page-us",
    "list/filtered-by-buyer-us",
    "list/filtered-by-amount-and-date-us",
    "list/filtered-within-a-class-of-amounts-us",
];
const LIST_MICROS: u64 = 50_000;

/// The kept report, and what it is held against.
pub(super) const BENCHMARK: Benchmark = Benchmark {
    report: "crates/storage-postgres/benches/storage.json",
    broken,
};

/// Measures the store on PostgreSQL with `documents` documents in the list. `keep` makes the report the one to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn storage(documents: u64, keep: bool) -> Result<(), StepError> {
    let documents = documents.to_string();
    let mut bench = program(
        "cargo",
        &[
            "bench",
            "--package",
            "invoicing-storage-postgres",
            "--bench",
            "storage",
            "--",
            "--documents",
            &documents,
        ],
    );
    let measured = measure("storage", &mut bench)?;
    conclude(&measured, &BENCHMARK, keep)
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut limits = Limits::default();
    for (name, least) in RATIOS {
        limits.hold(
            &format!("{name} reaches at least {least} \u{2030} of its peer"),
            figure(figures, &format!("{name}/ratio-permille")).map(|ratio| ratio >= least),
        );
    }
    for (name, most) in TIMES_PEER {
        limits.hold(
            &format!("{name} takes at most {most} \u{2030} of the time of its peer"),
            figure(figures, &format!("{name}/times-peer-permille")).map(|times| times <= most),
        );
    }
    for name in LISTS {
        limits.hold(
            &format!("{name} is less than {LIST_MICROS}"),
            figure(figures, name).map(|time| time < LIST_MICROS),
        );
    }
    limits.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_of_the_store_is_told_when_it_breaks() {
        let mut figures = Figures::new();
        for (name, least) in RATIOS {
            figures.insert(format!("{name}/ratio-permille"), least);
        }
        for name in LISTS {
            figures.insert(name.to_owned(), LIST_MICROS - 1);
        }
        for (name, most) in TIMES_PEER {
            figures.insert(format!("{name}/times-peer-permille"), most);
        }
        assert_eq!(broken(&figures), [""; 0]);
        for (name, most) in TIMES_PEER {
            let name = format!("{name}/times-peer-permille");
            figures.insert(name.clone(), most + 1);
            assert_eq!(broken(&figures).len(), 1, "{name}");
            figures.insert(name, most);
        }
        for (name, least) in RATIOS {
            let name = format!("{name}/ratio-permille");
            figures.insert(name.clone(), least - 1);
            assert_eq!(broken(&figures).len(), 1, "{name}");
            figures.insert(name, least);
        }
        figures.insert(LISTS[0].to_owned(), LIST_MICROS);
        assert_eq!(broken(&figures).len(), 1);
        assert_eq!(broken(&Figures::new()).len(), 20, "nothing was measured");
    }
}
