//! Tests of the throttle.

use invoicing_contract::Timestamp;
use invoicing_storage::failed_attempts::AttemptCount;

use super::*;

/// The wall clock at a moment of other processes.
const WALL: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const NOW: Duration = Duration::from_secs(100_000);
const SECOND: Duration = Duration::from_secs(1);

fn new_throttle() -> PasswordThrottle {
    PasswordThrottle::new(AttemptKeys::new("key"))
}

fn attempt(throttle: &PasswordThrottle, account: &str, address: &str) -> SignInAttempt {
    let address = address.parse().unwrap();
    throttle.attempt(account, address, AttemptOrigin::Browser(None))
}

fn seconds(result: Result<(), ThrottledAttempt>) -> Option<i64> {
    result.err().map(|throttled| throttled.delay.seconds)
}

#[test]
fn delay_doubles_after_five_attempts_up_to_fifteen_minutes() {
    let delayed = |attempts, elapsed: u64| {
        let last = NOW;
        let count = Count {
            attempts,
            last,
            is_reported: false,
        };
        let remaining = delay(count, UNDELAYED_ATTEMPTS, NOW + SECOND * elapsed as u32);
        remaining.map(|delay| delay.as_secs())
    };
    assert_eq!(delayed(4, 0), None);
    assert_eq!(
        (delayed(5, 0), delayed(6, 0), delayed(7, 0)),
        (Some(5), Some(10), Some(20))
    );
    assert_eq!(delayed(5, 5), None, "the delay has elapsed");
    assert_eq!(delayed(1_000, 0), Some(900));
}

#[test]
fn account_is_delayed_after_thirty_attempts_from_as_many_addresses() {
    let throttle = new_throttle();
    let from = |number: u32| attempt(&throttle, "noura", &format!("198.51.100.{number}"));
    for number in 0..30 {
        assert_eq!(throttle.count(&from(number), NOW), Ok(()), "{number}");
    }
    let throttled = throttle.count(&from(30), NOW).unwrap_err();
    assert_eq!(throttled.delay.seconds, 5);
    assert_eq!(throttled.report, Some(ThrottledSubject::Account));
    let again = throttle.count(&from(31), NOW).unwrap_err();
    assert_eq!(again.report, None, "reported once");

    let day = (0_u32..)
        .scan(NOW, |now, number| {
            let address = format!("2001:db8:{number:x}::1");
            while let Some(delay) =
                seconds(throttle.count(&attempt(&throttle, "noura", &address), *now))
            {
                *now += SECOND * u32::try_from(delay).unwrap();
            }
            Some(*now)
        })
        .take_while(|now| *now < NOW + ACCOUNT_WINDOW);
    assert!(day.count() < 110, "attempts of a day from any addresses");
    let other = attempt(&throttle, "salem", "198.51.100.99");
    assert_eq!(throttle.count(&other, NOW), Ok(()), "another account");
}

#[test]
fn known_device_is_counted_by_itself() {
    let throttle = new_throttle();
    for number in 0..1_000 {
        let address = format!("198.51.{}.{}", number / 250, number % 250);
        let _ = throttle.count(&attempt(&throttle, "noura", &address), NOW);
    }
    let address = "198.51.0.1".parse().unwrap();
    let device = |id| AttemptOrigin::Browser(Some(KnownDevice::of_test(id)));
    let known = throttle.attempt("noura", address, device(1));
    for _ in 0..5 {
        assert_eq!(throttle.count(&known, NOW), Ok(()));
    }
    assert_eq!(seconds(throttle.count(&known, NOW)), Some(5));
    let other = throttle.attempt("noura", address, device(2));
    assert_eq!(throttle.count(&other, NOW), Ok(()));
}

/// An attempt for Noura in a browser that knows her.
fn on_device(throttle: &PasswordThrottle, device: u8) -> SignInAttempt {
    let origin = AttemptOrigin::Browser(Some(KnownDevice::of_test(device)));
    throttle.attempt("noura", "192.0.2.1".parse().unwrap(), origin)
}

/// Thirty attempts on three devices, each of which waits until its own attempts are forgotten. Returns the time when they are
/// forgotten again.
fn use_up_three_devices(throttle: &PasswordThrottle) -> Duration {
    for now in [NOW, NOW + WINDOW] {
        for device in 1..=3 {
            let one = on_device(throttle, device);
            for _ in 0..5 {
                assert_eq!(throttle.count(&one, now), Ok(()), "{device}");
            }
        }
    }
    NOW + WINDOW * 2
}

#[test]
fn known_devices_of_an_account_have_thirty_attempts_together() {
    let throttle = new_throttle();
    let now = use_up_three_devices(&throttle);
    let [first, second, third] = [1, 2, 3].map(|device| on_device(&throttle, device));
    assert_eq!(throttle.count(&first, now), Ok(()), "after the delay");
    let throttled = throttle.count(&second, now).unwrap_err();
    assert_eq!(throttled.delay.seconds, 10);
    assert_eq!(throttled.report, Some(ThrottledSubject::Account));
    assert_eq!(seconds(throttle.count(&third, now)), Some(10));
    let now = now + SECOND * 10;
    assert_eq!(throttle.count(&second, now), Ok(()));
    assert_eq!(seconds(throttle.count(&third, now)), Some(20));
    let never_used = on_device(&throttle, 4);
    assert_eq!(seconds(throttle.count(&never_used, now)), Some(20));

    let stranger = attempt(&throttle, "noura", "198.51.100.1");
    assert_eq!(throttle.count(&stranger, now), Ok(()), "counted apart");
    let day_later = now + ACCOUNT_WINDOW;
    assert_eq!(throttle.count(&third, day_later), Ok(()));
    assert_eq!(throttle.count(&first, day_later), Ok(()), "forgotten");
}

#[test]
fn success_on_a_known_device_gives_the_others_no_new_attempts() {
    let throttle = new_throttle();
    let now = use_up_three_devices(&throttle);
    let [first, second] = [1, 2].map(|device| on_device(&throttle, device));
    assert_eq!(throttle.count(&first, now), Ok(()));
    throttle.succeed(&first);
    assert_eq!(seconds(throttle.count(&second, now)), Some(5));
}

#[test]
fn ipv6_sites_are_delayed_however_many_of_their_addresses_they_use() {
    for (addresses, admitted) in [("2001:db8:1:2", 50), ("2001:db8:1", 800)] {
        let throttle = new_throttle();
        let counted = (0..2_000).filter(|number| {
            let account = format!("person-{number}");
            let address = format!("{addresses}:{:x}::1", number * 32);
            throttle
                .count(&attempt(&throttle, &account, &address), NOW)
                .is_ok()
        });
        assert_eq!(counted.count(), admitted, "{addresses}");
    }
}

#[test]
fn success_clears_the_account_at_its_address_and_takes_one_attempt_back_from_the_address() {
    let throttle = new_throttle();
    let one = attempt(&throttle, "noura", "192.0.2.1");
    for _ in 0..100 {
        assert_eq!(throttle.count(&one, NOW), Ok(()));
        throttle.succeed(&one);
    }
    for _ in 0..5 {
        assert_eq!(throttle.count(&one, NOW), Ok(()));
    }
    assert_eq!(seconds(throttle.count(&one, NOW)), Some(5));
}

#[test]
fn who_mistypes_every_day_before_signing_in_is_never_delayed() {
    let throttle = new_throttle();
    let own = attempt(&throttle, "noura", "192.0.2.1");
    let mut now = NOW;
    for _ in 0..30 {
        now += ACCOUNT_WINDOW - SECOND;
        for _ in 0..3 {
            assert_eq!(throttle.count(&own, now), Ok(()));
        }
        throttle.succeed(&own);
    }
}

#[test]
fn success_takes_nothing_back_that_failed_elsewhere() {
    let throttle = new_throttle();
    let elsewhere = |number: u32| attempt(&throttle, "noura", &format!("198.51.100.{number}"));
    for number in 0..27 {
        assert_eq!(throttle.count(&elsewhere(number), NOW), Ok(()));
    }
    let own = attempt(&throttle, "noura", "192.0.2.1");
    for _ in 0..2 {
        for _ in 0..3 {
            assert_eq!(throttle.count(&own, NOW), Ok(()));
        }
        throttle.succeed(&own);
    }
    for number in 27..30 {
        assert_eq!(throttle.count(&elsewhere(number), NOW), Ok(()));
    }
    assert_eq!(seconds(throttle.count(&elsewhere(30), NOW)), Some(5));
}

#[test]
fn withdrawn_attempt_is_not_counted() {
    let throttle = new_throttle();
    let one = attempt(&throttle, "noura", "192.0.2.1");
    for _ in 0..100 {
        assert_eq!(throttle.count(&one, NOW), Ok(()));
        throttle.withdraw(&one);
    }
}

#[test]
fn attempts_are_forgotten_after_the_window() {
    let throttle = new_throttle();
    let one = attempt(&throttle, "noura", "192.0.2.1");
    for _ in 0..5 {
        assert_eq!(throttle.count(&one, NOW), Ok(()));
    }
    assert_eq!(seconds(throttle.count(&one, NOW)), Some(5));
    for _ in 0..5 {
        assert_eq!(throttle.count(&one, NOW + WINDOW), Ok(()));
    }
}

#[test]
fn throttle_of_many_addresses_is_reported_once_for_the_address_and_names_no_account() {
    let throttle = new_throttle();
    let spray = |number| attempt(&throttle, &format!("person-{number}"), "192.0.2.1");
    for number in 0..50 {
        assert_eq!(throttle.count(&spray(number), NOW), Ok(()));
    }
    let reports = (50..100).map(|number| throttle.count(&spray(number), NOW).unwrap_err().report);
    let reports: Vec<_> = reports.flatten().collect();
    assert_eq!(reports, [ThrottledSubject::Address]);
}

#[test]
fn number_of_counters_is_bounded() {
    let throttle = new_throttle();
    for number in 0..200_000_u32 {
        let address = std::net::Ipv4Addr::from(number).to_string();
        let one = attempt(&throttle, &number.to_string(), &address);
        let _ = throttle.count(&one, NOW);
    }
    let counts = throttle.counts.lock().unwrap();
    assert!(counts.len() <= CAPACITY, "{}", counts.len());
}

/// What all processes have counted at the counters of an account: at the address or in the browser, and everywhere.
fn counted(narrow: i64, wide: i64) -> [AttemptCount; 2] {
    [narrow, wide].map(|level| AttemptCount { level, last: WALL })
}

#[test]
fn attempt_is_delayed_by_those_that_other_processes_have_counted() {
    let throttle = new_throttle();
    let mut one = attempt(&throttle, "noura", "192.0.2.1");
    assert_eq!(one.shared_counters().len(), 2);
    throttle.learn(&mut one, &counted(4, 4), WALL, NOW);
    assert_eq!(throttle.count(&one, NOW), Ok(()), "the fifth");
    throttle.learn(&mut one, &counted(4, 4), WALL, NOW);
    assert_eq!(seconds(throttle.count(&one, NOW)), Some(5));
    // Three more at others, two seconds ago.
    let now = NOW + SECOND * 20;
    throttle.learn(&mut one, &counted(8, 8), WALL.plus(SECOND * 2), now);
    assert!(throttle.is_delayed(&one, now));
    assert_eq!(seconds(throttle.count(&one, now)), Some(38));

    let mut elsewhere = attempt(&throttle, "noura", "192.0.2.2");
    throttle.learn(&mut elsewhere, &counted(0, 30), WALL, now);
    assert_eq!(
        seconds(throttle.count(&elsewhere, now)),
        Some(5),
        "everywhere"
    );
}

#[test]
fn attempt_that_a_clock_ahead_has_counted_delays_once() {
    let throttle = new_throttle();
    let mut one = attempt(&throttle, "noura", "192.0.2.1");
    let ahead = WALL.minus(SECOND * 600);
    throttle.learn(&mut one, &counted(5, 5), ahead, NOW);
    assert_eq!(seconds(throttle.count(&one, NOW)), Some(5));
    let after = NOW + SECOND * 5;
    throttle.learn(&mut one, &counted(5, 5), ahead, after);
    assert_eq!(throttle.count(&one, after), Ok(()));
}

#[test]
fn success_takes_back_what_is_stored_about_its_own_place() {
    let throttle = new_throttle();
    let mut one = attempt(&throttle, "noura", "192.0.2.1");
    assert_eq!(one.shared_to_take_back(), None, "nothing is stored");
    throttle.learn(&mut one, &counted(2, 7), WALL, NOW);
    let counters = one.shared_counters();
    let keys: Vec<_> = counters.iter().map(|counter| counter.key).collect();
    assert_eq!(one.shared_to_take_back(), Some((keys, 2)));
    throttle.learn(&mut one, &counted(0, 7), WALL, NOW);
    let cleared = one.shared_to_take_back();
    assert_eq!(cleared, None, "another process has cleared it");
}

#[test]
fn counters_of_an_account_are_those_of_every_process() {
    let [here, there] = [new_throttle(), new_throttle()];
    let counters = |throttle: &PasswordThrottle, name: &str, address: &str| {
        attempt(throttle, name, address).shared_counters()
    };
    let own = counters(&here, "Noura", "2001:db8:1:2::1");
    assert_eq!(own, counters(&there, "noura", "2001:db8:1:2::9"));
    let [at, everywhere] = &own[..] else {
        panic!("{own:?}")
    };
    let elsewhere = counters(&there, "noura", "192.0.2.1");
    assert_ne!(elsewhere[0], *at);
    assert_eq!(elsewhere[1], *everywhere);
    let other = counters(&there, "salem", "2001:db8:1:2::1");
    assert!(!other.contains(at) && !other.contains(everywhere));
    let known = on_device(&there, 1).shared_counters();
    assert!(!known.contains(at) && !known.contains(everywhere));
}
