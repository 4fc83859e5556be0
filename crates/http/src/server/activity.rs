//! What one connection is doing: requests in progress, and since when there is none.
//!
//! A request changes a few atomic numbers; everything else is computed when the listener looks for connections to close.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use super::limits::ConnectionLimits;
use super::stopwatch::Stopwatch;

// The parts of `Activity::state`.
/// Requests whose handler runs.
const HANDLED: u64 = 1;
/// Responses that the client has not taken completely.
const DELIVERED: u64 = 1 << 16;
/// Responses that wait for an event, as those of `grpc.health.v1.Health/Watch` do.
const WAITING: u64 = 1 << 32;
/// The first bytes of a head have arrived (HTTP/1.1).
const HEAD_BEGUN: u64 = 1 << 48;
/// There has been a request.
const SERVED: u64 = 1 << 49;
/// The connection speaks HTTP/2.
const HTTP_2: u64 = 1 << 50;
/// It ends once no request is in progress.
const ENDING: u64 = 1 << 51;
/// It is being closed, and no request starts any more.
const CLOSED: u64 = 1 << 52;

const fn count(state: u64, unit: u64) -> u64 {
    (state / unit) & 0xFFFF
}

const fn in_progress(state: u64) -> bool {
    count(state, HANDLED) > 0 || count(state, DELIVERED) > 0
}

/// How long a connection that has been told to end may take when nothing is in progress.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// Which time limit a connection exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overdue {
    /// [`ConnectionLimits::first_head`]
    FirstHead,
    /// [`ConnectionLimits::later_head`]
    LaterHead,
    /// [`ConnectionLimits::idle`]
    Idle,
    /// [`ConnectionLimits::response_stall`]
    Response,
    /// It was told to end, and did not.
    End,
}

/// What the task of a connection is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// End when no request is in progress.
    End,
    /// Close at once.
    Close,
}

/// The activity of one connection.
#[derive(Debug)]
pub(super) struct Activity {
    stopwatch: Arc<Stopwatch>,
    state: AtomicU64,
    /// Microseconds: when the connection was opened, the last request ended, or the head of the next one began.
    since: AtomicU64,
    /// Microseconds: when a response last made progress.
    progress: AtomicU64,
    /// Microseconds: since when the socket takes no more bytes; 0 while it does.
    blocked_since: AtomicU64,
    order: AtomicU8,
    ordered: Notify,
}

impl Activity {
    pub(super) fn new(stopwatch: Arc<Stopwatch>) -> Self {
        Self {
            state: AtomicU64::new(0),
            since: AtomicU64::new(stopwatch.elapsed()),
            progress: AtomicU64::new(0),
            blocked_since: AtomicU64::new(0),
            order: AtomicU8::new(0),
            ordered: Notify::new(),
            stopwatch,
        }
    }

    fn now(&self) -> u64 {
        self.stopwatch.elapsed()
    }

    /// Notes that bytes arrived.
    pub(super) fn note_read(&self) {
        let state = self.state.load(Ordering::Relaxed);
        let others = HEAD_BEGUN | HTTP_2 | CLOSED;
        if state & SERVED != 0 && state & others == 0 && !in_progress(state) {
            self.since.store(self.now(), Ordering::Relaxed);
            self.state.fetch_or(HEAD_BEGUN, Ordering::Release);
        }
    }

    /// Notes whether the socket took bytes.
    pub(super) fn note_write(&self, taken: bool) {
        if taken {
            if self.blocked_since.load(Ordering::Relaxed) != 0 {
                self.blocked_since.store(0, Ordering::Relaxed);
            }
        } else if self.blocked_since.load(Ordering::Relaxed) == 0 {
            self.blocked_since.store(self.now(), Ordering::Relaxed);
        }
    }

    /// Begins a request. `false` if the connection is being closed: the request must not be handled.
    pub(super) fn start_request(&self, http_2: bool) -> bool {
        let protocol = if http_2 { HTTP_2 } else { 0 };
        let started = self
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
                let open = state & CLOSED == 0;
                open.then_some(((state | SERVED | protocol) & !HEAD_BEGUN) + HANDLED)
            });
        started.is_ok()
    }

    /// The handler has returned the response.
    pub(super) fn begin_response(&self) {
        self.note_progress();
        self.state.fetch_add(DELIVERED - HANDLED, Ordering::Release);
    }

    /// A part of a response was taken.
    pub(super) fn note_progress(&self) {
        self.progress.store(self.now(), Ordering::Relaxed);
    }

    /// A response has nothing to send until an event.
    pub(super) fn begin_waiting(&self) {
        self.since.store(self.now(), Ordering::Relaxed);
        self.state.fetch_add(WAITING - DELIVERED, Ordering::Release);
    }

    /// The event came.
    pub(super) fn end_waiting(&self) {
        self.note_progress();
        self.state.fetch_sub(WAITING - DELIVERED, Ordering::Release);
    }

    /// A request ended in `stage`.
    pub(super) fn end_request(&self, stage: Stage) {
        self.since.store(self.now(), Ordering::Relaxed);
        let unit = match stage {
            Stage::Handled => HANDLED,
            Stage::Delivered => DELIVERED,
            Stage::Waiting => WAITING,
        };
        self.state.fetch_sub(unit, Ordering::Release);
    }

    /// Since when the connection has been idle, in microseconds. `None` while a request is in progress, and once it is closed.
    pub(super) fn idle_since(&self) -> Option<u64> {
        let state = self.state.load(Ordering::Acquire);
        let idle = state & CLOSED == 0
            && !in_progress(state)
            && self.blocked_since.load(Ordering::Relaxed) == 0;
        idle.then(|| self.since.load(Ordering::Relaxed))
    }

    /// The time limit that is exceeded.
    pub(super) fn overdue(&self, limits: &ConnectionLimits) -> Option<Overdue> {
        let state = self.state.load(Ordering::Acquire);
        let now = self.now();
        let longer = |since: &AtomicU64, limit: Duration| {
            let elapsed = now.saturating_sub(since.load(Ordering::Relaxed));
            Duration::from_micros(elapsed) > limit
        };
        if state & CLOSED != 0 {
            return None;
        }
        let blocked = self.blocked_since.load(Ordering::Relaxed) != 0;
        if blocked || count(state, DELIVERED) > 0 {
            let since = if blocked {
                &self.blocked_since
            } else {
                &self.progress
            };
            return longer(since, limits.response_stall).then_some(Overdue::Response);
        }
        if count(state, HANDLED) > 0 {
            return None;
        }
        let (limit, overdue) = if state & SERVED == 0 {
            (limits.first_head, Overdue::FirstHead)
        } else if state & HEAD_BEGUN != 0 {
            (limits.later_head, Overdue::LaterHead)
        } else if state & ENDING != 0 {
            (END_TIMEOUT, Overdue::End)
        } else if count(state, WAITING) > 0 {
            return None;
        } else {
            (limits.idle, Overdue::Idle)
        };
        longer(&self.since, limit).then_some(overdue)
    }

    /// Closes the connection if no request is in progress.
    pub(super) fn close_if_idle(&self) -> bool {
        if self.blocked_since.load(Ordering::Relaxed) != 0 {
            return false;
        }
        let closed = self
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
                (state & CLOSED == 0 && !in_progress(state)).then_some(state | CLOSED)
            });
        if closed.is_ok() {
            self.give(Order::Close);
        }
        closed.is_ok()
    }

    /// Closes the connection, whatever is in progress.
    pub(super) fn close(&self) {
        self.state.fetch_or(CLOSED, Ordering::AcqRel);
        self.give(Order::Close);
    }

    /// Ends the connection when no request is in progress.
    pub(super) fn end(&self) {
        self.since.store(self.now(), Ordering::Relaxed);
        self.state.fetch_or(ENDING, Ordering::AcqRel);
        self.give(Order::End);
    }

    fn give(&self, order: Order) {
        let order = match order {
            Order::End => 1,
            Order::Close => 2,
        };
        self.order.fetch_max(order, Ordering::AcqRel);
        self.ordered.notify_one();
    }

    /// The next order.
    pub(super) async fn ordered(&self) -> Order {
        self.ordered.notified().await;
        match self.order.load(Ordering::Acquire) {
            2 => Order::Close,
            _ => Order::End,
        }
    }
}

/// How far a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its handler runs.
    Handled,
    /// The client takes the response.
    Delivered,
    /// The response waits for an event.
    Waiting,
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use invoicing_storage::AdjustableClock;

    use super::*;

    fn limits() -> ConnectionLimits {
        let seconds = Duration::from_secs;
        ConnectionLimits {
            first_head: seconds(10),
            later_head: seconds(5),
            idle: seconds(60),
            response_stall: seconds(30),
            ..ConnectionLimits::default()
        }
    }

    fn activity() -> (Activity, impl Fn(i64)) {
        let clock = Arc::new(AdjustableClock::default());
        let activity = Activity::new(Arc::new(Stopwatch::start(clock.clone())));
        (activity, move |seconds| clock.advance(seconds))
    }

    #[test]
    fn each_stage_of_a_connection_has_its_time_limit() {
        let (activity, pass) = activity();
        pass(9);
        // The time limit of the first head includes the TLS handshake, so bytes do not extend it.
        activity.note_read();
        assert_eq!(activity.overdue(&limits()), None);
        pass(2);
        assert_eq!(activity.overdue(&limits()), Some(Overdue::FirstHead));

        assert!(activity.start_request(false));
        pass(100);
        assert_eq!(activity.overdue(&limits()), None, "the handler runs");
        activity.begin_response();
        pass(29);
        activity.note_progress();
        pass(29);
        assert_eq!(activity.overdue(&limits()), None, "there was progress");
        pass(2);
        assert_eq!(activity.overdue(&limits()), Some(Overdue::Response));
        activity.end_request(Stage::Delivered);

        pass(59);
        assert_eq!(activity.overdue(&limits()), None);
        activity.note_read();
        pass(4);
        activity.note_read();
        assert_eq!(activity.overdue(&limits()), None, "the next head arrives");
        pass(2);
        assert_eq!(activity.overdue(&limits()), Some(Overdue::LaterHead));
        assert!(activity.start_request(false));
        activity.end_request(Stage::Handled);
        pass(61);
        assert_eq!(activity.overdue(&limits()), Some(Overdue::Idle));
        activity.end();
        assert_eq!(activity.overdue(&limits()), None);
        pass(3);
        assert_eq!(activity.overdue(&limits()), Some(Overdue::End));
    }

    #[test]
    fn socket_that_takes_nothing_is_in_progress_until_its_time_limit() {
        let (activity, pass) = activity();
        assert!(activity.start_request(true));
        activity.end_request(Stage::Handled);
        activity.note_write(false);
        assert_eq!(activity.idle_since(), None);
        assert!(!activity.close_if_idle());
        pass(31);
        assert_eq!(activity.overdue(&limits()), Some(Overdue::Response));
        activity.note_write(true);
        assert_eq!(activity.overdue(&limits()), None);
    }

    #[test]
    fn response_that_waits_for_an_event_may_be_closed_but_has_no_time_limit() {
        let (activity, pass) = activity();
        assert!(activity.start_request(true));
        activity.begin_response();
        activity.begin_waiting();
        pass(1_000);
        assert_eq!(activity.overdue(&limits()), None);
        assert!(activity.idle_since().is_some());
        activity.end_waiting();
        assert_eq!(activity.idle_since(), None, "an event is delivered");
        activity.begin_waiting();
        assert!(activity.close_if_idle());
    }

    #[test]
    fn connection_with_a_request_is_not_closed_and_a_closed_one_starts_no_request() {
        let (activity, _) = activity();
        assert!(activity.start_request(false));
        assert!(!activity.close_if_idle());
        activity.begin_response();
        assert!(!activity.close_if_idle());
        activity.end_request(Stage::Delivered);
        assert!(activity.close_if_idle());
        assert!(!activity.close_if_idle(), "once");
        assert!(!activity.start_request(false));
        let order = activity.ordered().now_or_never();
        assert_eq!(order, Some(Order::Close));
    }
}
