//! Runs of the outbox that wait for their delay: one for each organization, since a run takes up all drafts of it.

use std::collections::HashMap;

use invoicing_contract::OrganizationId;
use tokio::task::{AbortHandle, JoinSet};

/// The runs that wait. `T` is a run, which its wait resolves to.
pub(super) struct PostponedRuns<T> {
    waits: JoinSet<T>,
    last: HashMap<OrganizationId, AbortHandle>,
}

impl<T: Send + 'static> PostponedRuns<T> {
    pub(super) fn new() -> Self {
        Self {
            waits: JoinSet::new(),
            last: HashMap::new(),
        }
    }

    /// Waits for the next run of an organization. It replaces one that waits already.
    pub(super) fn put(
        &mut self,
        organization: OrganizationId,
        wait: impl Future<Output = T> + Send + 'static,
    ) {
        let wait = self.waits.spawn(wait);
        if let Some(replaced) = self.last.insert(organization, wait) {
            replaced.abort();
        }
    }

    /// The next run whose wait has ended; `None` if none waits.
    pub(super) async fn next(&mut self) -> Option<T> {
        while let Some(ended) = self.waits.join_next().await {
            // One that was replaced ends with an error.
            if let Ok(run) = ended {
                self.last.retain(|_, wait| !wait.is_finished());
                return Some(run);
            }
        }
        None
    }

    /// Ends all waits.
    pub(super) async fn clear(&mut self) {
        self.waits.shutdown().await;
        self.last.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn later_run_of_an_organization_replaces_the_one_that_waits() {
        let mut runs = PostponedRuns::new();
        let (first, first_wait) = tokio::sync::oneshot::channel::<()>();
        runs.put("1".into(), async {
            let _ = first_wait.await;
            "first"
        });
        runs.put("1".into(), async { "second" });
        runs.put("2".into(), async { "other" });
        let mut ended = Vec::new();
        while let Some(run) = runs.next().await {
            ended.push(run);
        }
        ended.sort_unstable();
        assert_eq!(ended, ["other", "second"]);
        assert!(first.is_closed(), "the replaced run waits on");
    }

    #[tokio::test]
    async fn nothing_waits_after_all_runs_are_cleared() {
        let mut runs = PostponedRuns::new();
        runs.put("1".into(), std::future::pending::<()>());
        runs.clear().await;
        assert_eq!(runs.next().await, None);
    }
}
