//! `cargo xtask bench client`: calls of the desktop core beside the same calls of a bare HTTP client, drafts, the read cache.

use super::{Benchmark, Figures, Limits, conclude, figure, measure};
use crate::steps::{StepError, program};

/// What a call of the core may take of a bare one's time, in thousandths: the median of pairs.
const CALL_RATIO: u64 = 1_050;
/// What at most these take, in microseconds: the median. A save is measured without what a bare write to the same disk takes.
const TIMES: [(&str, u64); 2] = [
    ("draft/own-us", 2_000),
    ("cache/first-page-of-100000-us", 50_000),
];
/// What the resident memory may grow by during the calls, in KiB: what an allocator keeps, and no more.
const MEMORY_GROWTH: u64 = 4 * 1024;

/// The kept report, and what it is held against.
pub(super) const BENCHMARK: Benchmark = Benchmark {
    report: "crates/client/benches/client.json",
    broken,
};

/// Measures the desktop core. `keep` makes the report the one to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn client(keep: bool) -> Result<(), StepError> {
    let mut bench = program(
        "cargo",
        &[
            "bench",
            "--package",
            "invoicing-client",
            "--features",
            "testing",
            "--bench",
            "client",
        ],
    );
    let measured = measure("client", &mut bench)?;
    conclude(&measured, &BENCHMARK, keep)
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut limits = Limits::default();
    limits.hold(
        &format!("a call takes at most {CALL_RATIO} \u{2030} of a bare one"),
        figure(figures, "call/ratio-permille").map(|ratio| ratio <= CALL_RATIO),
    );
    for (name, most) in TIMES {
        limits.hold(
            &format!("{name} is less than {most}"),
            figure(figures, name).map(|time| time < most),
        );
    }
    limits.hold(
        &format!("a million calls take at most {MEMORY_GROWTH} KiB more memory"),
        figure(figures, "memory/growth-kib").map(|growth| growth <= MEMORY_GROWTH),
    );
    limits.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_of_the_client_is_told_when_it_breaks() {
        let mut figures = Figures::from([
            ("call/ratio-permille".to_owned(), CALL_RATIO),
            ("memory/growth-kib".to_owned(), MEMORY_GROWTH),
        ]);
        for (name, most) in TIMES {
            figures.insert(name.to_owned(), most - 1);
        }
        assert_eq!(broken(&figures), [""; 0]);
        for (name, breaking) in [
            ("call/ratio-permille", CALL_RATIO + 1),
            ("draft/own-us", 2_000),
            ("cache/first-page-of-100000-us", 50_000),
            ("memory/growth-kib", MEMORY_GROWTH + 1),
        ] {
            let kept = figures.insert(name.to_owned(), breaking);
            assert_eq!(broken(&figures).len(), 1, "{name}");
            figures.extend(kept.map(|kept| (name.to_owned(), kept)));
        }
        assert_eq!(broken(&Figures::new()).len(), 4, "nothing was measured");
    }
}
