//! Tests of the throttle.

use super::*;

const NOW: Duration = Duration::from_secs(100_000);
const SECOND: Duration = Duration::from_secs(1);

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
    let throttle = PasswordThrottle::new();
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
    let throttle = PasswordThrottle::new();
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
    let throttle = PasswordThrottle::new();
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
    let throttle = PasswordThrottle::new();
    let now = use_up_three_devices(&throttle);
    let [first, second] = [1, 2].map(|device| on_device(&throttle, device));
    assert_eq!(throttle.count(&first, now), Ok(()));
    throttle.succeed(&first);
    assert_eq!(seconds(throttle.count(&second, now)), Some(5));
}

#[test]
fn ipv6_sites_are_delayed_however_many_of_their_addresses_they_use() {
    for (addresses, admitted) in [("2001:db8:1:2", 50), ("2001:db8:1", 800)] {
        let throttle = PasswordThrottle::new();
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
fn success_clears_the_account_at_its_address_and_takes_one_attempt_back_from_the_others() {
    let throttle = PasswordThrottle::new();
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
fn withdrawn_attempt_is_not_counted() {
    let throttle = PasswordThrottle::new();
    let one = attempt(&throttle, "noura", "192.0.2.1");
    for _ in 0..100 {
        assert_eq!(throttle.count(&one, NOW), Ok(()));
        throttle.withdraw(&one);
    }
}

#[test]
fn attempts_are_forgotten_after_the_window() {
    let throttle = PasswordThrottle::new();
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
    let throttle = PasswordThrottle::new();
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
    let throttle = PasswordThrottle::new();
    for number in 0..200_000_u32 {
        let address = std::net::Ipv4Addr::from(number).to_string();
        let one = attempt(&throttle, &number.to_string(), &address);
        let _ = throttle.count(&one, NOW);
    }
    let counts = throttle.counts.lock().unwrap();
    assert!(counts.len() <= CAPACITY, "{}", counts.len());
}
