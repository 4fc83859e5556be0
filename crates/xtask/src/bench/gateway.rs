//! `cargo xtask bench gateway`: operations of the gateway on one core, beside an empty handler and a bare insert under the same
//! load.

use super::{Benchmark, Figures, Limits, conclude, figure, measure};
use crate::steps::{StepError, program};

/// What at least is done of the peer's requests, in thousandths: of an empty handler, and for a creation of a bare insert of
/// the same bytes.
const RATIOS: [(&str, u64); 3] = [("get", 300), ("list-50", 100), ("create", 500)];
/// Filtered lists over a tenant with a million invoices, with their sums, in microseconds.
const LISTS: [&str; 4] = [
    "list/status-and-dates",
    "list/buyer",
    "list/amounts-and-dates",
    "list/currency",
];
const MAX_LIST_MICROS: u64 = 50_000;
/// Decisions by rules with 1,000 roles and 200 scopes, in nanoseconds (decision 0112).
const DECISIONS: [(&str, u64); 2] = [
    ("rules/decision-cold-ns", 10_000),
    ("rules/decision-warm-ns", 200),
];
/// Bytes of a row of such a list, of which a client asks for the fields that it shows.
const MAX_ROW_BYTES: u64 = 700;

/// The kept report, and what it is held against.
pub(super) const BENCHMARK: Benchmark = Benchmark {
    report: "crates/service/benches/gateway.json",
    broken,
};

/// Measures the gateway over a tenant with `invoices` documents. `keep` makes the report the one to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn gateway(invoices: u64, keep: bool) -> Result<(), StepError> {
    let mut bench = program(
        "cargo",
        &[
            "bench",
            "--package",
            "invoicing-service",
            "--bench",
            "gateway",
        ],
    );
    bench.env("BENCH_INVOICES", invoices.to_string());
    let measured = measure("gateway", &mut bench)?;
    conclude(&measured, &BENCHMARK, keep)
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut limits = Limits::default();
    for (name, least) in RATIOS {
        limits.hold(
            &format!("{name} has at least {least} ‰ of its peer's rate"),
            figure(figures, &format!("{name}/ratio-permille")).map(|ratio| ratio >= least),
        );
        limits.hold(
            &format!("{name} has no error"),
            figure(figures, &format!("{name}/errors")).map(|errors| errors == 0),
        );
    }
    for name in LISTS {
        limits.hold(
            &format!("{name} takes less than {MAX_LIST_MICROS} µs"),
            figure(figures, &format!("{name}/p50-us")).map(|micros| micros < MAX_LIST_MICROS),
        );
    }
    for name in LISTS {
        limits.hold(
            &format!("{name} selects documents"),
            figure(figures, &format!("{name}/rows")).map(|rows| rows > 0),
        );
    }
    for (name, most) in DECISIONS {
        limits.hold(
            &format!("{name} is less than {most}"),
            figure(figures, name).map(|taken| taken < most),
        );
    }
    limits.hold(
        &format!("a row of a list has less than {MAX_ROW_BYTES} bytes"),
        figure(figures, "list/row-bytes").map(|bytes| bytes < MAX_ROW_BYTES),
    );
    limits.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_told_when_it_breaks() {
        let mut figures = Figures::new();
        for (name, least) in RATIOS {
            figures.insert(format!("{name}/ratio-permille"), least);
            figures.insert(format!("{name}/errors"), 0);
        }
        for name in LISTS {
            figures.insert(format!("{name}/p50-us"), MAX_LIST_MICROS - 1);
            figures.insert(format!("{name}/rows"), 1);
        }
        for (name, most) in DECISIONS {
            figures.insert(name.to_owned(), most - 1);
        }
        figures.insert("list/row-bytes".to_owned(), MAX_ROW_BYTES - 1);
        assert_eq!(broken(&figures), [""; 0]);
        for (name, breaking) in [
            ("get/ratio-permille", 299),
            ("create/errors", 1),
            ("list/buyer/p50-us", MAX_LIST_MICROS),
            ("list/currency/rows", 0),
            ("rules/decision-cold-ns", 10_000),
            ("rules/decision-warm-ns", 200),
            ("list/row-bytes", MAX_ROW_BYTES),
        ] {
            let kept = figures.insert(name.to_owned(), breaking);
            assert_eq!(broken(&figures).len(), 1, "{name}");
            figures.extend(kept.map(|kept| (name.to_owned(), kept)));
        }
        assert_eq!(broken(&Figures::new()).len(), 17, "nothing was measured");
    }
}
