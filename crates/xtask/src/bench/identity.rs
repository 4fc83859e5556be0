//! `cargo xtask bench identity`: the provider on one core, beside an empty handler under the same load.

use super::{Benchmark, Figures, Limits, conclude, figure, measure};
use crate::steps::{StepError, program};

/// What at least is done of the empty handler's requests, in thousandths.
const RATIOS: [(&str, u64); 5] = [
    ("introspection", 400),
    ("userinfo", 400),
    ("client-credentials", 250),
    ("refresh", 120),
    ("code-exchange", 100),
];
/// What the slowest hundredth may take of the empty handler's, in thousandths.
const P99: [(&str, u64); 2] = [("introspection", 3_000), ("userinfo", 3_000)];
/// Resident memory in KiB.
const MEMORY: [(&str, u64); 3] = [
    ("memory/idle-kib", 40 * 1024),
    ("memory/after-kib", 150 * 1024),
    ("postgres/memory/after-kib", 150 * 1024),
];

/// The kept report, and what it is held against.
pub(super) const BENCHMARK: Benchmark = Benchmark {
    report: "crates/service/benches/identity.json",
    broken,
};

/// Measures the identity provider. `keep` makes the report the one to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn identity(keep: bool) -> Result<(), StepError> {
    let mut bench = program(
        "cargo",
        &[
            "bench",
            "--package",
            "invoicing-service",
            "--bench",
            "identity",
        ],
    );
    let measured = measure("identity", &mut bench)?;
    conclude(&measured, &BENCHMARK, keep)
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut limits = Limits::default();
    for (name, least) in RATIOS {
        limits.hold(
            &format!("{name} has at least {least} ‰ of the empty handler's rate"),
            figure(figures, &format!("{name}/ratio-permille")).map(|ratio| ratio >= least),
        );
        limits.hold(
            &format!("{name} has no error"),
            figure(figures, &format!("{name}/errors")).map(|errors| errors == 0),
        );
    }
    for (name, most) in P99 {
        limits.hold(
            &format!(
                "the slowest hundredth of {name} takes less than {most} ‰ of the empty handler's"
            ),
            figure(figures, &format!("{name}/p99-ratio-permille")).map(|ratio| ratio < most),
        );
    }
    for (name, most) in MEMORY {
        limits.hold(
            &format!("{name} is less than {most}"),
            figure(figures, name).map(|kib| kib < most),
        );
    }
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
        for (name, most) in P99 {
            figures.insert(format!("{name}/p99-ratio-permille"), most - 1);
        }
        for (name, most) in MEMORY {
            figures.insert(name.to_owned(), most - 1);
        }
        assert_eq!(broken(&figures), [""; 0]);
        for (name, breaking) in [
            ("refresh/ratio-permille", 119),
            ("userinfo/errors", 1),
            ("introspection/p99-ratio-permille", 3_000),
            ("memory/idle-kib", 40 * 1024),
        ] {
            let kept = figures.insert(name.to_owned(), breaking);
            assert_eq!(broken(&figures).len(), 1, "{name}");
            figures.extend(kept.map(|kept| (name.to_owned(), kept)));
        }
        assert_eq!(broken(&Figures::new()).len(), 15, "nothing was measured");
    }
}
