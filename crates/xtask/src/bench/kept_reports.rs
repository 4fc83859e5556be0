//! The kept reports break the limits that are listed here, and no others.

use super::{Benchmark, Report, client, desk, gateway, identity, invoice, storage};
use crate::steps::root;

/// What each kept report breaks. A limit that holds with a new report leaves the list.
const BROKEN: [(Benchmark, &[&str]); 6] = [
    (client::BENCHMARK, &[]),
    (desk::BENCHMARK, &[]),
    (
        gateway::BENCHMARK,
        &[
            "broken: get has at least 300 ‰ of its peer's rate",
            "there is no figure rules/decision-cold-ns",
            "there is no figure rules/decision-warm-ns",
        ],
    ),
    (
        identity::BENCHMARK,
        &[
            "broken: introspection has at least 400 ‰ of the empty handler's rate",
            "broken: userinfo has at least 400 ‰ of the empty handler's rate",
            "broken: client-credentials has at least 250 ‰ of the empty handler's rate",
            "broken: the slowest hundredth of introspection takes less than 3000 ‰ of the empty handler's",
            "broken: the slowest hundredth of userinfo takes less than 3000 ‰ of the empty handler's",
            "broken: memory/idle-kib is less than 40960",
        ],
    ),
    (invoice::BENCHMARK, &[]),
    (
        storage::BENCHMARK,
        &[
            "broken: rotation reaches at least 450 ‰ of its peer",
            "broken: client-credentials reaches at least 1000 ‰ of its peer",
            "broken: issue reaches at least 200 ‰ of its peer",
            "broken: issue-one-organization reaches at least 5000 ‰ of its peer",
            "broken: slow-disk/client-credentials reaches at least 1000 ‰ of its peer",
            "broken: list/page-without-sums takes at most 3000 ‰ of the time of its peer",
            "broken: list/filtered-within-a-class-of-amounts takes at most 1500 ‰ of the time of its peer",
        ],
    ),
];

#[test]
fn kept_reports_break_the_listed_limits_and_no_others() {
    for (benchmark, listed) in BROKEN {
        let report = Report::read(&root().join(benchmark.report)).expect("a report is kept");
        let broken = (benchmark.broken)(&report.figures);
        assert_eq!(broken, listed, "{}", benchmark.report);
    }
}
