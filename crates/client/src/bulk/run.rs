//! The work of a bulk run: collects its documents, then sends or saves them batch by batch.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::ledger::{self, Header, Outcome, Outcomes};
use super::plan::{self, Sums};
use super::saving::Saving;
use super::{BATCH, BulkRuns, Run};
use crate::files;
use crate::gateway::{CallContext, RetryDescription, background_delay, wait_for_retry};
use crate::invoices::{BatchAction, BatchOutcome};
use crate::views::{
    BulkAction, BulkOutcome, BulkPlan, BulkState, CommandError, DocumentFormat, DocumentSelection,
    InvoiceRow, InvoiceStatus, Support,
};

/// How often an entry with a temporary error is sent before it counts as failed.
pub(super) const ENTRY_ATTEMPTS: u32 = 4;

/// Whether a step of the work was completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Completed,
    /// The user has stopped the run, or the filter has other documents than were confirmed.
    Stopped,
}

/// What is done with each batch.
#[derive(Debug, Clone, Copy)]
enum Work<'header> {
    Send(BatchAction),
    Save(DocumentFormat, &'header Saving),
}

impl<'header> Work<'header> {
    fn of(header: &'header Header) -> Result<Self, CommandError> {
        let save = |format| match &header.saving {
            Some(saving) => Ok(Self::Save(format, saving)),
            None => Err(CommandError::not_saved("the ledger has no folder")),
        };
        match header.action {
            BulkAction::Issue => Ok(Self::Send(BatchAction::Issue)),
            BulkAction::Freeze => Ok(Self::Send(BatchAction::Freeze)),
            BulkAction::SavePdf => save(DocumentFormat::Pdf),
            BulkAction::SaveUbl => save(DocumentFormat::Ubl),
        }
    }
}

impl BulkRuns {
    /// Works on a run in the background. It belongs to the organization that it was started for, whatever windows show.
    pub(super) fn spawn(self: &Arc<Self>, run: Arc<Run>, context: CallContext) {
        let runs = Arc::clone(self);
        let context = CallContext {
            retries: false,
            ..context
        };
        tokio::spawn(async move {
            let ended = runs.work(&run, &context).await;
            {
                let mut view = run.view();
                view.state = match ended {
                    Ok(Step::Completed) => BulkState::Finished,
                    Ok(Step::Stopped) | Err(_) => BulkState::Stopped,
                };
                if let Err(error) = ended {
                    tracing::warn!(?error, "a bulk run does not go on");
                    view.error = Some(Box::new(error));
                }
            }
            runs.progress.note();
        });
    }

    async fn work(&self, run: &Run, context: &CallContext) -> Result<Step, CommandError> {
        let ledger = run.ledger.clone();
        let header = files::run_blocking(move || ledger.header()).await?;
        let mut header = header.ok_or_else(|| CommandError::not_saved("the ledger is missing"))?;
        if let Some(selection) = header.to_collect.take() {
            run.view().state = BulkState::Collecting;
            let collected = self.collect(run, context, &header, &selection).await?;
            let Some((batches, found)) = collected else {
                return Ok(Step::Stopped);
            };
            header.batches = batches;
            header.plan = BulkPlan {
                skipped: header.plan.skipped,
                ..found
            };
            let (ledger, written) = (run.ledger.clone(), header.clone());
            files::run_blocking(move || ledger.write_header(&written)).await?;
            run.view().plan = header.plan.clone();
        }
        let work = Work::of(&header)?;
        if let Work::Save(_, saving) = work {
            Self::remove_unfinished(run, saving).await?;
        }
        run.view().state = BulkState::Running;
        self.progress.note();
        for batch in 0..header.batches {
            if *run.stop.borrow() {
                return Ok(Step::Stopped);
            }
            let step = match work {
                Work::Send(action) => self.send_batch(run, context, action, batch).await?,
                Work::Save(format, saving) => {
                    self.save_batch(run, context, format, saving, batch).await?
                }
            };
            if step == Step::Stopped {
                return Ok(Step::Stopped);
            }
        }
        Ok(Step::Completed)
    }

    /// Reads the documents of a filter into the ledger, and returns the number of batches with what is in them. `None` if the run is
    /// stopped, or would change other documents than were confirmed: nothing is changed then.
    async fn collect(
        &self,
        run: &Run,
        context: &CallContext,
        header: &Header,
        selection: &DocumentSelection,
    ) -> Result<Option<(u32, BulkPlan)>, CommandError> {
        let DocumentSelection::All { query, excluded } = selection else {
            return Ok(Some((header.batches, header.plan.clone())));
        };
        let Some(query) = plan::eligible_query(header.action, query) else {
            return Ok(Some((0, BulkPlan::default())));
        };
        let excluded: HashSet<_> = excluded.iter().map(|row| &row.key).collect();
        let (mut sums, mut seen) = (Sums::default(), HashSet::new());
        let (mut token, mut waiting, mut batches) = (String::new(), Vec::new(), 0);
        run.view().collected = 0;
        loop {
            let page = self.read_page(run, context, &query, &token).await?;
            let Some((rows, next)) = page else {
                return Ok(None);
            };
            for row in rows {
                // A document that was changed meanwhile can be on two pages.
                if !excluded.contains(&row.key) && seen.insert(row.key.clone()) {
                    sums.add(&row);
                    waiting.push(row);
                }
            }
            token = next;
            let is_last = token.is_empty();
            while waiting.len() >= BATCH || (is_last && !waiting.is_empty()) {
                let rows: Vec<_> = waiting.drain(..waiting.len().min(BATCH)).collect();
                let ledger = run.ledger.clone();
                files::run_blocking(move || ledger.write_rows(batches, &rows)).await?;
                batches += 1;
            }
            run.view().collected = u32::try_from(seen.len()).unwrap_or(u32::MAX);
            self.progress.note();
            if is_last {
                break;
            }
        }
        let found = sums.into_plan();
        // To save what has been added meanwhile does no harm.
        if header.saving.is_some() || plan::agree(&found, &header.plan) {
            return Ok(Some((batches, found)));
        }
        run.view().changed = Some(found);
        Ok(None)
    }

    /// A page of the filter, tried again after temporary errors. `None` if the run is stopped.
    async fn read_page(
        &self,
        run: &Run,
        context: &CallContext,
        query: &crate::views::InvoiceQuery,
        token: &str,
    ) -> Result<Option<(Vec<InvoiceRow>, String)>, CommandError> {
        let mut failed_attempts = 0;
        loop {
            if *run.stop.borrow() {
                return Ok(None);
            }
            let error = match self
                .invoices
                .collect(context, query, token.to_owned())
                .await
            {
                Ok(page) => return Ok(Some(page)),
                Err(error) => error,
            };
            if self.wait(run, context, error, failed_attempts).await? == Step::Stopped {
                return Ok(None);
            }
            failed_attempts += 1;
        }
    }

    /// Sends the documents of a batch until each has an outcome, and writes the outcomes.
    async fn send_batch(
        &self,
        run: &Run,
        context: &CallContext,
        action: BatchAction,
        batch: u32,
    ) -> Result<Step, CommandError> {
        let (mut rows, mut outcomes) = Self::read_batch(run, batch).await?;
        if rows.iter().all(|row| outcomes.contains_key(&row.key)) {
            return Ok(Step::Completed);
        }
        let before = ledger::count(&outcomes);
        let mut sent = Ok(Step::Completed);
        if action == BatchAction::Issue {
            let files = self.send_files(run, context, batch, &mut rows, &mut outcomes);
            sent = files.await;
        }
        if sent == Ok(Step::Completed) {
            sent = self
                .send_rows(run, context, action, &rows, &mut outcomes)
                .await;
        }
        let written = self.write_outcomes(run, batch, before, outcomes).await;
        // Without its outcomes the batch is sent again, which does no harm.
        let step = sent?;
        written?;
        Ok(step)
    }

    /// The documents of a batch, and the outcomes of those that have one.
    pub(super) async fn read_batch(
        run: &Run,
        batch: u32,
    ) -> Result<(Vec<InvoiceRow>, Outcomes), CommandError> {
        let ledger = run.ledger.clone();
        let read = move || Ok::<_, CommandError>((ledger.rows(batch)?, ledger.outcomes(batch)?));
        files::run_blocking(read).await
    }

    /// Writes the outcomes of a batch, and counts what they have more than `before`. What is not written is done again, and counted
    /// then.
    pub(super) async fn write_outcomes(
        &self,
        run: &Run,
        batch: u32,
        before: (u32, u32),
        outcomes: Outcomes,
    ) -> Result<(), CommandError> {
        let after = ledger::count(&outcomes);
        let ledger = run.ledger.clone();
        let written = files::run_blocking(move || ledger.write_outcomes(batch, &outcomes)).await;
        if written.is_ok() {
            let mut view = run.view();
            view.done += after.0 - before.0;
            view.failed += after.1 - before.1;
        }
        self.progress.note();
        written
    }

    async fn send_rows(
        &self,
        run: &Run,
        context: &CallContext,
        action: BatchAction,
        rows: &[InvoiceRow],
        outcomes: &mut Outcomes,
    ) -> Result<Step, CommandError> {
        let mut attempts: HashMap<_, u32> = HashMap::new();
        let (mut failed_attempts, mut size) = (0, rows.len());
        loop {
            let left = rows.iter().filter(|row| !outcomes.contains_key(&row.key));
            let left: Vec<_> = left.take(size).cloned().collect();
            if left.is_empty() {
                return Ok(Step::Completed);
            }
            let before = outcomes.len();
            let mut temporary = None;
            match self.invoices.batch(context, action, &left).await {
                Ok(mut answers) => {
                    for row in &left {
                        let outcome = match answers.remove(&row.key) {
                            Some(BatchOutcome::Done(after)) => Outcome {
                                outcome: match after.status {
                                    InvoiceStatus::Rejected => BulkOutcome::Rejected,
                                    InvoiceStatus::Draft
                                    | InvoiceStatus::Issued
                                    | InvoiceStatus::Frozen => BulkOutcome::Done,
                                },
                                row: Some(*after),
                            },
                            Some(BatchOutcome::Failed(error)) => {
                                let attempts = attempts.entry(row.key.clone()).or_default();
                                *attempts += 1;
                                let is_temporary = background_delay(&error, 0).is_some();
                                if is_temporary && *attempts < ENTRY_ATTEMPTS {
                                    temporary = Some(*error);
                                    continue;
                                }
                                Outcome {
                                    row: None,
                                    outcome: BulkOutcome::Failed { error },
                                }
                            }
                            Some(BatchOutcome::NotBegun) | None => continue,
                        };
                        outcomes.insert(row.key.clone(), outcome);
                    }
                    if temporary.is_none() && outcomes.len() == before {
                        temporary = Some(CommandError::Unavailable {
                            authority: false,
                            support: Box::new(Support::default()),
                        });
                    }
                }
                Err(error) => {
                    if matches!(
                        error,
                        CommandError::UnexpectedResponse { .. } | CommandError::Offline { .. }
                    ) {
                        // The response may have been too large or too late.
                        size = (size / 2).max(1);
                    }
                    temporary = Some(error);
                }
            }
            let Some(error) = temporary else {
                (failed_attempts, size) = (0, rows.len());
                continue;
            };
            if self.wait(run, context, error, failed_attempts).await? == Step::Stopped {
                return Ok(Step::Stopped);
            }
            failed_attempts += 1;
        }
    }

    /// Waits after a temporary error, shown as a pending retry. Other errors are returned.
    pub(super) async fn wait(
        &self,
        run: &Run,
        context: &CallContext,
        error: CommandError,
        failed_attempts: u32,
    ) -> Result<Step, CommandError> {
        let Some(delay) = background_delay(&error, failed_attempts) else {
            return Err(error);
        };
        let description = RetryDescription {
            command: context.command.to_owned(),
            organization: context.organization.clone(),
            write: context.write,
            error: error.clone(),
            failed_attempts: failed_attempts.saturating_add(1),
        };
        let retry = wait_for_retry(
            self.clock.as_ref(),
            self.rng.as_ref(),
            &self.pending_retries,
            description,
            delay,
        );
        let mut stop = run.stop.subscribe();
        let goes_on = tokio::select! {
            goes_on = retry => goes_on,
            _ = stop.wait_for(|stop| *stop) => false,
        };
        if goes_on {
            return Ok(Step::Completed);
        }
        run.view().error = Some(Box::new(error));
        Ok(Step::Stopped)
    }
}
