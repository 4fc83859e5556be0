//! Liveness and readiness of the service. They need no credentials and disclose nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
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

/// Answers 200 while storage answers, else 503.
pub async fn ready(State(readiness): State<Arc<Readiness>>) -> Response {
    if readiness.check().await {
        "ready\n".into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "storage does not answer\n").into_response()
    }
}

/// Whether storage answers.
pub struct Readiness {
    store: Arc<dyn Store>,
    timeout: Duration,
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
        Self::with_timeout(store, PROBE_TIMEOUT)
    }

    fn with_timeout(store: Arc<dyn Store>, timeout: Duration) -> Arc<Self> {
        Arc::new(Self {
            store,
            timeout,
            begun: AtomicU64::new(0),
            last: Mutex::default(),
        })
    }

    /// Whether storage answers within two seconds. Concurrent callers share a probe.
    pub async fn check(&self) -> bool {
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
        let probe = unanswered.get_or_insert_with(|| {
            let store = self.store.clone();
            tokio::spawn(async move {
                let answer = store.organization(&OrganizationId::default()).await;
                if let Err(error) = &answer {
                    tracing::debug!(error = error as &dyn std::error::Error, "probe failed");
                }
                answer.is_ok()
            })
        });
        let Ok(answer) = tokio::time::timeout(self.timeout, probe).await else {
            return false;
        };
        *unanswered = None;
        answer.unwrap_or(false)
    }
}
