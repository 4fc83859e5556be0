//! Decisions by authorization rules of the largest size that is expected (decision 0112): the first one after the caches of the
//! processor were overwritten, and one that was made just before.

use std::hint::black_box;
use std::time::{Duration, Instant};

use invoicing_gateway::LargestRules;

use crate::load::Problem;
use crate::load::report::Report;

/// Measurements of each kind, of which the median counts.
const SAMPLES: usize = 101;
/// Decisions of a measurement of repeated ones.
const REPETITIONS: u32 = 10_000;
/// More than the caches of a processor have.
const OVERWRITTEN_BYTES: usize = 64 * 1024 * 1024;
/// Bytes of a line of them.
const CACHE_LINE: usize = 64;

/// Adds the figures to the report.
pub(crate) fn measure(report: &mut Report) -> Result<(), Problem> {
    let rules = LargestRules::default();
    let allows = rules.compile();
    let mut memory = vec![0_u8; OVERWRITTEN_BYTES];
    // Others each time, so that no role and no scope is asked for a second time.
    let first = rules.roles.iter().zip(&rules.scopes).take(SAMPLES);
    let first = first.map(|(role, scope)| {
        for byte in memory.iter_mut().step_by(CACHE_LINE) {
            *byte = byte.wrapping_add(1);
        }
        black_box(&mut memory);
        let (role, scope) = (role.as_str(), scope.as_str());
        let began = Instant::now();
        black_box(allows(black_box(&[role]), black_box(scope)));
        began.elapsed()
    });
    report.figure("rules/decision-cold-ns", median(first.collect())?);
    let (role, scope) = (&*rules.roles[0], &*rules.scopes[0]);
    let repeated = (0..SAMPLES).map(|_| {
        let began = Instant::now();
        for _ in 0..REPETITIONS {
            black_box(allows(black_box(&[role]), black_box(scope)));
        }
        began.elapsed() / REPETITIONS
    });
    report.figure("rules/decision-warm-ns", median(repeated.collect())?);
    Ok(())
}

fn median(mut taken: Vec<Duration>) -> Result<u64, Problem> {
    taken.sort_unstable();
    Ok(u64::try_from(taken[taken.len() / 2].as_nanos())?)
}
