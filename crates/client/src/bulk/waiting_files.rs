//! The files that wait for the documents of a batch. Issuing closes the attachments, so that they are sent first (decision 0151).

use invoicing_contract::DocumentKey;

use super::ledger::{BegunDocument, Outcome, Outcomes};
use super::run::{ENTRY_ATTEMPTS, Step};
use super::{BulkRuns, Run};
use crate::attachments::{Attachments, ConfirmedDocument};
use crate::files;
use crate::gateway::CallContext;
use crate::views::{BulkOutcome, CommandError, InvoiceRow};

/// What became of the files of a document.
enum Files {
    /// The service has them.
    Sent,
    NotSent(Box<CommandError>),
    /// The user has stopped the run.
    Stopped,
}

impl BulkRuns {
    /// Sends the files that wait for documents of a batch, and writes the stamps after them into the ledger: the batch is issued
    /// with these. A document whose files were not sent has that as its outcome.
    pub(super) async fn send_files(
        &self,
        run: &Run,
        context: &CallContext,
        batch: u32,
        rows: &mut [InvoiceRow],
        outcomes: &mut Outcomes,
    ) -> Result<Step, CommandError> {
        let waiting = self.attachments.waiting_documents(&run.owner).await?;
        let ledger = run.ledger.clone();
        let mut begun = files::run_blocking(move || ledger.begun()).await?;
        for index in 0..rows.len() {
            let row = &mut rows[index];
            let before_files = begun.take_if(|begun| begun.key == row.key);
            let is_to_be_sent = before_files.is_some() || waiting.contains(&row.key);
            if !is_to_be_sent || outcomes.contains_key(&row.key) {
                continue;
            }
            let before = row.stamp.clone();
            let confirmed = match before_files {
                Some(begun) => ConfirmedDocument::begun(before.clone(), begun.document),
                None => ConfirmedDocument::new(before.clone()),
            };
            let sent = self.send_files_of(run, context, row, confirmed).await;
            // Also after a file that was not sent: those before it have changed the stamp.
            if rows[index].stamp != before {
                let (ledger, rows) = (run.ledger.clone(), rows.to_vec());
                files::run_blocking(move || ledger.write_rows(batch, &rows)).await?;
            }
            match sent? {
                Files::Sent => {}
                Files::NotSent(error) => {
                    let outcome = Outcome {
                        row: None,
                        outcome: BulkOutcome::FileNotSent { error },
                    };
                    outcomes.insert(rows[index].key.clone(), outcome);
                }
                Files::Stopped => return Ok(Step::Stopped),
            }
            let ledger = run.ledger.clone();
            files::run_blocking(move || ledger.remove_begun()).await?;
        }
        Ok(Step::Completed)
    }

    /// Sends the files of a document. Its stamp becomes the one after them.
    async fn send_files_of(
        &self,
        run: &Run,
        context: &CallContext,
        row: &mut InvoiceRow,
        mut confirmed: ConfirmedDocument,
    ) -> Result<Files, CommandError> {
        let mut failed_attempts = 0;
        loop {
            let sent = self.send_once(run, context, &row.key, &mut confirmed).await;
            row.stamp.clone_from(&confirmed.stamp);
            let Err(error) = sent else {
                return Ok(Files::Sent);
            };
            // Without a connection no document of the run gets on.
            let is_offline = matches!(error, CommandError::Offline { .. });
            let may_be_repeated = Attachments::is_temporary(&error)
                && (is_offline || failed_attempts + 1 < ENTRY_ATTEMPTS);
            if !may_be_repeated {
                return Ok(Files::NotSent(Box::new(error)));
            }
            if self.wait(run, context, error, failed_attempts).await? == Step::Stopped {
                return Ok(Files::Stopped);
            }
            failed_attempts += 1;
        }
    }

    /// Sends the files of a document, after the ledger has it as it is before the first of them.
    async fn send_once(
        &self,
        run: &Run,
        context: &CallContext,
        key: &DocumentKey,
        confirmed: &mut ConfirmedDocument,
    ) -> Result<(), CommandError> {
        let is_begun = confirmed.read().is_some();
        self.attachments
            .read_confirmed(context, key, confirmed)
            .await?;
        if let Some(document) = confirmed.read().filter(|_| !is_begun) {
            let begun = BegunDocument {
                key: key.clone(),
                document: Box::new(document.clone()),
            };
            let ledger = run.ledger.clone();
            files::run_blocking(move || ledger.write_begun(&begun)).await?;
        }
        self.attachments
            .send_before_issue(context, &run.owner, key, confirmed)
            .await
    }
}
