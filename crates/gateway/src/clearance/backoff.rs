//! How long to wait before a submission is sent again.

use std::time::Duration;

use invoicing_storage::Rng;

/// After the first attempt without an answer.
const FIRST: Duration = Duration::from_secs(5);
/// The longest wait.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// The wait after `failures` attempts before this one: it doubles up to 15 minutes, and differs by up to a fifth, so that
/// documents which failed together are not sent together. The authority can ask for a longer one.
pub(super) fn delay(failures: u32, retry_after: Option<Duration>, rng: &dyn Rng) -> Duration {
    let doubled = FIRST.saturating_mul(2_u32.saturating_pow(failures.min(16)));
    let wait = doubled.min(LONGEST);
    let mut random = [0];
    rng.fill(&mut random);
    let jitter = wait / 5 * u32::from(random[0]) / u32::from(u8::MAX);
    retry_after.map_or(wait, |asked| asked.max(wait)) + jitter
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NoRandomness;

    impl Rng for NoRandomness {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[test]
    fn delays_double_up_to_15_minutes_and_are_never_shorter_than_asked() {
        let of = |failures, asked| delay(failures, asked, &NoRandomness).as_secs();
        let delays: Vec<_> = (0..10).map(|failures| of(failures, None)).collect();
        assert_eq!(delays, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
        assert_eq!(of(u32::MAX, None), 900);
        assert_eq!(of(0, Some(Duration::from_secs(120))), 120);
        assert_eq!(of(9, Some(Duration::from_secs(1))), 900);
    }
}
