//! The turns of exports: few at once, one of each organization, each for a limited time (decision 0122).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::Chunks;
use crate::documents::DocumentError;

/// Exports that run at once in one process.
const MAX_RUNNING: usize = 4;
/// How long the caller may take for the file: a million rows at two megabits a second.
pub(super) const MAX_DURATION: Duration = Duration::from_secs(15 * 60);

/// Bounds the exports of this process.
#[derive(Debug, Default)]
pub(in crate::documents) struct ExportTurns(Arc<Running>);

/// The organizations of which an export runs.
#[derive(Debug, Default)]
struct Running(Mutex<HashSet<OrganizationId>>);

impl Running {
    fn lock(&self) -> MutexGuard<'_, HashSet<OrganizationId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of an export. It is returned when it is dropped.
#[derive(Debug)]
pub(super) struct ExportTurn {
    running: Arc<Running>,
    organization: OrganizationId,
}

impl Drop for ExportTurn {
    fn drop(&mut self) {
        self.running.lock().remove(&self.organization);
    }
}

impl ExportTurns {
    /// A turn for an organization; `None` while an export of it runs, or too many of others.
    pub(super) fn take(&self, organization: &OrganizationId) -> Option<ExportTurn> {
        let mut running = self.0.lock();
        let is_free = running.len() < MAX_RUNNING && running.insert(organization.clone());
        is_free.then(|| ExportTurn {
            running: self.0.clone(),
            organization: organization.clone(),
        })
    }
}

/// `chunks`, which are dropped at the end of `limit`, also if the caller takes none any more; an error follows those that were
/// made. They are made in a task of their own, which ends with the stream.
pub(super) fn within(limit: Duration, mut chunks: Chunks) -> Chunks {
    let (sender, receiver) = mpsc::channel(1);
    let mut making = JoinSet::new();
    making.spawn(tokio::time::timeout(limit, async move {
        while let Some(chunk) = chunks.next().await {
            if sender.send(chunk).await.is_err() {
                return;
            }
        }
    }));
    let state = (receiver, making);
    let limited = stream::unfold(state, |(mut receiver, mut making)| async move {
        if let Some(chunk) = receiver.recv().await {
            return Some((chunk, (receiver, making)));
        }
        // A file that ends early must not look like a complete one.
        let error = match making.join_next().await? {
            Ok(Ok(())) => return None,
            Ok(Err(_elapsed)) => DocumentError::ExportTimeout,
            Err(panic) => StorageError::unexpected(panic).into(),
        };
        Some((Err(error), (receiver, making)))
    });
    limited.boxed()
}

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::google::api::HttpBody;
    use tokio::sync::oneshot;

    use super::*;

    /// Chunks without end, and what ends when they are dropped.
    fn endless() -> (Chunks, oneshot::Receiver<()>) {
        let (held, dropped) = oneshot::channel();
        let chunks = stream::repeat_with(move || {
            let _ = &held;
            Ok(HttpBody::default())
        });
        (chunks.boxed(), dropped)
    }

    #[test]
    fn organization_has_one_turn_and_others_have_the_rest() {
        let turns = ExportTurns::default();
        let first = turns.take(&"1".into()).expect("a turn");
        assert!(turns.take(&"1".into()).is_none(), "it has one");
        let others = ["2", "3", "4"].map(|id| turns.take(&id.into()).expect("a turn"));
        assert!(turns.take(&"5".into()).is_none(), "four run");
        drop(first);
        let _again = turns.take(&"1".into()).expect("a turn");
        drop(others);
        assert!(turns.take(&"5".into()).is_some());
    }

    #[tokio::test]
    async fn chunks_are_dropped_at_the_limit_although_nobody_takes_them_and_an_error_follows() {
        let (chunks, dropped) = endless();
        let limited = within(Duration::ZERO, chunks);
        dropped.await.expect_err("nothing is sent");
        let last = limited.collect::<Vec<_>>().await.pop();
        let last = last.expect("the error");
        assert!(
            matches!(last, Err(DocumentError::ExportTimeout)),
            "{last:?}"
        );
    }

    #[tokio::test]
    async fn chunks_in_time_come_in_their_order_without_an_error() {
        let chunk = |byte| HttpBody {
            data: vec![byte],
            ..HttpBody::default()
        };
        let chunks = stream::iter((0..5).map(move |byte| Ok(chunk(byte)))).boxed();
        let limited = within(Duration::from_secs(60), chunks);
        let received: Vec<_> = limited
            .map(|chunk| chunk.expect("no error").data[0])
            .collect()
            .await;
        assert_eq!(received, [0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn chunks_are_dropped_with_the_stream_of_a_caller_that_goes_away() {
        let (chunks, dropped) = endless();
        drop(within(Duration::from_secs(60), chunks));
        dropped.await.expect_err("nothing is sent");
    }
}
