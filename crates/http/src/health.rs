//! Liveness and readiness of the service. They need no credentials and disclose nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::StatusCode;
use invoicing_contract::OrganizationId;
use invoicing_storage::Store;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// How long storage may take to answer a probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// Answers while the process accepts connections.
pub async fn live() -> &'static str {
    "live\n"
}

/// Answers 200 while storage answers and the service does not stop, else 503.
pub async fn ready(State(readiness): State<Arc<Readiness>>) -> Response {
    if readiness.check().await {
        return "ready\n".into_response();
    }
    let reason = if readiness.is_withdrawn() {
        "the service is stopping\n"
    } else {
        "storage does not answer\n"
    };
    (StatusCode::SERVICE_UNAVAILABLE, reason).into_response()
}

/// A read of storage, and whether it succeeded.
type Probe = Box<dyn Fn() -> BoxFuture<'static, bool> + Send + Sync>;

/// Whether storage answers (decision 0086), until the service stops.
pub struct Readiness {
    probe: Probe,
    timeout: Duration,
    withdrawn: AtomicBool,
    /// Probes that have begun.
    begun: AtomicU64,
    last: Mutex<LastProbe>,
}

#[derive(Default)]
struct LastProbe {
    number: u64,
    ready: bool,
    /// A probe that storage has not answered yet. It may hold a thread, so there is only one.
    unanswered: Option<JoinHandle<bool>>,
}

impl Readiness {
    /// The readiness of `store`.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Arc<Self> {
        let probe = move || {
            let store = store.clone();
            async move {
                let answer = store.organization(&OrganizationId::default()).await;
                if let Err(error) = &answer {
                    tracing::debug!(error = error as &dyn std::error::Error, "probe failed");
                }
                answer.is_ok()
            }
            .boxed()
        };
        Self::with_probe(Box::new(probe), PROBE_TIMEOUT)
    }

    /// The readiness of a service whose storage has not answered since its start: it is not ready.
    #[must_use]
    pub fn without_storage() -> Arc<Self> {
        let probe = || async { false }.boxed();
        Self::with_probe(Box::new(probe), PROBE_TIMEOUT)
    }

    fn with_probe(probe: Probe, timeout: Duration) -> Arc<Self> {
        Arc::new(Self {
            probe,
            timeout,
            withdrawn: AtomicBool::new(false),
            begun: AtomicU64::new(0),
            last: Mutex::default(),
        })
    }

    /// Makes the service not ready for the rest of its life, because it is about to stop.
    pub fn withdraw(&self) {
        self.withdrawn.store(true, Ordering::Release);
    }

    fn is_withdrawn(&self) -> bool {
        self.withdrawn.load(Ordering::Acquire)
    }

    /// Whether storage answers within two seconds. Concurrent callers share a probe. `false` without one after
    /// [`Self::withdraw`].
    pub async fn check(&self) -> bool {
        self.storage_answers().await && !self.is_withdrawn()
    }

    async fn storage_answers(&self) -> bool {
        if self.is_withdrawn() {
            return false;
        }
        let begun_before = self.begun.load(Ordering::Acquire);
        let mut last = self.last.lock().await;
        if last.number > begun_before {
            return last.ready;
        }
        let number = self.begun.fetch_add(1, Ordering::AcqRel) + 1;
        let ready = self.probe(&mut last.unanswered).await;
        if last.ready && !ready {
            tracing::warn!("not ready: storage does not answer");
        } else if !last.ready && ready && number > 1 {
            tracing::info!("ready: storage answers");
        }
        last.number = number;
        last.ready = ready;
        ready
    }

    async fn probe(&self, unanswered: &mut Option<JoinHandle<bool>>) -> bool {
        // In a task of its own, because a read from a disk that hangs blocks its thread.
        let probe = unanswered.get_or_insert_with(|| tokio::spawn((self.probe)()));
        let Ok(answer) = tokio::time::timeout(self.timeout, probe).await else {
            return false;
        };
        *unanswered = None;
        answer.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures_util::future::join_all;
    use tokio::sync::Semaphore;

    use super::*;

    /// The readiness of storage that answers as often as `answers` has permits, and how often it was asked.
    fn readiness(answers: &Arc<Semaphore>) -> (Arc<Readiness>, Arc<AtomicUsize>) {
        let asked = Arc::new(AtomicUsize::new(0));
        let (answers, counted) = (answers.clone(), asked.clone());
        let probe: Probe = Box::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
            let answers = answers.clone();
            Box::pin(async move {
                answers.acquire().await.expect("never closed").forget();
                true
            })
        });
        let timeout = Duration::from_millis(50);
        (Readiness::with_probe(probe, timeout), asked)
    }

    #[tokio::test]
    async fn storage_that_hangs_is_not_ready_is_asked_once_and_is_ready_when_it_answers() {
        let answers = Arc::new(Semaphore::new(1));
        let (readiness, asked) = readiness(&answers);
        assert!(readiness.check().await);
        for _ in 0..3 {
            assert!(!readiness.check().await);
        }
        assert_eq!(
            asked.load(Ordering::SeqCst),
            2,
            "the probe that hangs is one"
        );
        answers.add_permits(2);
        assert!(readiness.check().await, "the probe is answered");
        assert!(readiness.check().await);
        assert_eq!(asked.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn service_without_storage_is_not_ready() {
        let readiness = Readiness::without_storage();
        assert!(!readiness.check().await);
        assert!(!readiness.check().await);
    }

    #[tokio::test]
    async fn concurrent_callers_share_a_probe() {
        let answers = Arc::new(Semaphore::new(100));
        let (readiness, asked) = readiness(&answers);
        let checked = join_all((0..100).map(|_| readiness.check())).await;
        assert!(checked.into_iter().all(|ready| ready));
        assert!(asked.load(Ordering::SeqCst) <= 2);
    }
}
