//! Twelve simulated hours of 50 tasks in two processes that share a keyring, with sleep and with clocks that jump.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use invoicing_client::views::{CommandError, Connectivity, WindowBinding};
use jiff::ToSpan as _;

use crate::client::session::{connectivity, session_after_start};
use crate::fixtures::{HOME, NOURA, Service, TestApp, page};

const TASKS_OF_A_PROCESS: usize = 25;
const HOUR: Duration = Duration::from_secs(3600);
/// The interval at which a process polls the lock.
const SHORT: Duration = Duration::from_millis(50);

/// Makes calls until `stop`. Returns how many.
async fn work(app: &TestApp, binding: &WindowBinding, stop: &AtomicBool, calls: &AtomicUsize) {
    while !stop.load(Ordering::Acquire) {
        let answer = app
            .desktop
            .list_invoices(&app.window, binding.clone(), page())
            .await;
        match answer {
            Ok(_) => {
                calls.fetch_add(1, Ordering::AcqRel);
            }
            // The clock jumped while the call was under way.
            Err(CommandError::Offline { .. }) => {}
            Err(error) => panic!("the session was lost: {error:?}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Advances the clock by every sleep that is short, as long as it is polled.
async fn advance_short_sleeps(app: &TestApp) {
    loop {
        let left = app.clock.sleep_matching(|left| left <= SHORT).await;
        tokio::time::sleep(left.min(Duration::from_millis(20))).await;
        app.clock.advance(left);
    }
}

/// One event for both computers' clocks.
fn disturb(apps: &[Arc<TestApp>; 2], hour: u32) {
    for app in apps {
        match hour % 6 {
            // The wall clock jumps ahead by an hour, and back again.
            1 => app.clock.set_wall_clock(app.wall() + 1.hour()),
            2 => app.clock.set_wall_clock(app.wall() - 1.hour()),
            // By 90 days, as after a wrong battery, and back again.
            3 => app.clock.set_wall_clock(app.wall() + (90 * 24).hours()),
            4 => app.clock.set_wall_clock(app.wall() - (90 * 24).hours()),
            // The computer sleeps: the monotonic clock stands still.
            5 => app.clock.set_wall_clock(app.wall() + 3.hours()),
            _ => {}
        }
        app.clock.advance(HOUR);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_tasks_in_two_processes_keep_one_session_over_twelve_hours_of_sleep_and_clock_jumps()
{
    let service = Service::start().await;
    let (one, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let two = one.restart();
    session_after_start(&two).await;
    let other = two.binding().await;
    let apps = [Arc::new(one), Arc::new(two)];
    let bindings = [binding, other];
    let (stop, calls) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let mut tasks = tokio::task::JoinSet::new();
    for (app, binding) in apps.iter().zip(bindings) {
        for _ in 0..TASKS_OF_A_PROCESS {
            let (app, binding) = (Arc::clone(app), binding.clone());
            let (stop, calls) = (Arc::clone(&stop), Arc::clone(&calls));
            tasks.spawn(async move { work(&app, &binding, &stop, &calls).await });
        }
    }
    let clocks: Vec<_> = apps
        .iter()
        .map(|app| {
            let app = Arc::clone(app);
            tokio::spawn(async move { advance_short_sleeps(&app).await })
        })
        .collect();
    for hour in 0..12 {
        disturb(&apps, hour);
        // Every task makes calls after each event.
        let enough = calls.load(Ordering::Acquire) + 2 * TASKS_OF_A_PROCESS * 2;
        while calls.load(Ordering::Acquire) < enough {
            if let Some(ended) = tasks.try_join_next() {
                ended.expect("a task failed");
                panic!("a task ended");
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    stop.store(true, Ordering::Release);
    while let Some(ended) = tasks.join_next().await {
        ended.expect("a task failed");
    }
    for clock in clocks {
        clock.abort();
    }
    for app in &apps {
        assert_eq!(
            connectivity(&app.snapshot().await.session),
            Some(Connectivity::Online)
        );
    }
    let refreshes = service.identity.requests("/oauth/v2/token").len();
    assert!(refreshes >= 4, "the clocks made {refreshes} refreshes");
}
