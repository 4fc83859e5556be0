//! Requests for numbers of one series share a transaction: alone, each would wait for the commit of the one before, because the
//! last number is one row.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoicing_contract::messages::documents::Kind;
use invoicing_storage::StorageError;
use invoicing_storage::documents::NumberOutcome;
use tokio::task::yield_now;

use super::numbering::{NumberDocuments, NumberRequest, NumberResult, Numbered, SeriesKey};
use crate::engine::{Engine, OutcomeSender, RequestQueue};

/// Most documents of a transaction.
const MAX_REQUESTS: usize = 64;

/// The requests for numbers of a series that wait.
type SeriesQueue = RequestQueue<NumberRequest, NumberOutcome>;

/// The requests that wait, by series. A series has an entry while a task works for it.
#[derive(Default)]
pub(crate) struct NumberQueue(Mutex<HashMap<SeriesKey, SeriesQueue>>);

impl NumberQueue {
    /// Numbers a document. Requests that arrive while a transaction of their series runs share the next one.
    ///
    /// # Errors
    /// [`StorageError::Busy`] also when too many requests of the series wait, or no transaction has taken this one in time.
    pub(super) async fn number(
        self: &Arc<Self>,
        engine: &Arc<Engine>,
        series: SeriesKey,
        request: NumberRequest,
    ) -> NumberResult {
        let (is_first, outcome) = {
            let mut queues = self.lock();
            let is_first = !queues.contains_key(&series);
            let queue = queues.entry(series.clone()).or_default();
            (is_first, queue.push(request)?)
        };
        if is_first {
            // A task of its own: its work is also that of others, whoever stops waiting.
            tokio::spawn(self.clone().work(engine.clone(), series));
        }
        outcome.wait().await
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SeriesKey, SeriesQueue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next requests of a series. Removes the entry when there are none.
    fn take(&self, series: &SeriesKey) -> Vec<(NumberRequest, OutcomeSender<NumberOutcome>)> {
        // Of two credit notes of one document the second is checked against the first, as it is stored.
        let most = if series.kind == Kind::CreditNote {
            1
        } else {
            MAX_REQUESTS
        };
        let mut queues = self.lock();
        let Some(queue) = queues.get_mut(series) else {
            return Vec::new();
        };
        let taken = queue.take(most);
        if taken.is_empty() {
            queues.remove(series);
        }
        taken
    }

    async fn work(self: Arc<Self>, engine: Arc<Engine>, series: SeriesKey) {
        let mut entry = SeriesEntry {
            queue: self.clone(),
            series: series.clone(),
            is_removed: false,
        };
        loop {
            // Those who got their numbers from the transaction before ask for the next ones first.
            yield_now().await;
            let (requests, senders): (Vec<_>, Vec<_>) = self.take(&series).into_iter().unzip();
            if requests.is_empty() {
                entry.is_removed = true;
                return;
            }
            let results = number_together(&engine, &series, &requests).await;
            for (sender, result) in senders.into_iter().zip(results) {
                // Its caller may have stopped waiting.
                let _ = sender.send(result);
            }
        }
    }
}

/// The entry of a series while a task works for it. It is removed also if the task panics: else no task would ever work for the
/// series again. The callers that wait then get [`StorageError::InDoubt`].
struct SeriesEntry {
    queue: Arc<NumberQueue>,
    series: SeriesKey,
    is_removed: bool,
}

impl Drop for SeriesEntry {
    fn drop(&mut self) {
        if !self.is_removed {
            self.queue.lock().remove(&self.series);
        }
    }
}

/// The results of requests. If they cannot be stored together, each is tried alone.
async fn number_together(
    engine: &Engine,
    series: &SeriesKey,
    requests: &[NumberRequest],
) -> Vec<NumberResult> {
    match number(engine, series, requests).await {
        Ok(results) => results,
        // Trying again would add to the load, or could number a document twice.
        Err(error @ (StorageError::Busy | StorageError::NoSpace | StorageError::InDoubt(_))) => {
            requests.iter().map(|_| Err(error.clone())).collect()
        }
        Err(error @ (StorageError::Corrupt(_) | StorageError::Unexpected(_))) => {
            if requests.len() == 1 {
                return vec![Err(error)];
            }
            let mut results = Vec::new();
            for request in requests {
                let alone = number(engine, series, std::slice::from_ref(request)).await;
                match alone {
                    Ok(result) => results.extend(result),
                    Err(error) => results.push(Err(error)),
                }
            }
            results
        }
    }
}

/// One transaction.
async fn number(
    engine: &Engine,
    series: &SeriesKey,
    requests: &[NumberRequest],
) -> Result<Vec<NumberResult>, StorageError> {
    let mut work = NumberDocuments {
        engine,
        series,
        requests,
        times: Vec::new(),
    };
    loop {
        match engine.write(&work).await? {
            Numbered::Results(results) => return Ok(results),
            Numbered::MissingPartition { at } => work.times.push(at),
        }
    }
}
