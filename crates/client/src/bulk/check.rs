//! What the service would refuse of a selection, asked before a bulk run over it (decision 0134).

use futures_util::future::join_all;

use super::selection::number;
use super::{BulkRuns, CONCURRENT_DOCUMENTS, plan};
use crate::gateway::CallContext;
use crate::views::{
    BulkAction, BulkCheck, BulkOutcome, BulkResult, CommandError, DocumentSelection, InvoiceRow,
};

/// Documents of a part. A check can be stopped between two of them.
const PART: usize = 20;
/// Documents of a selection that are checked. Each is a request of its own, which counts against the limit of the organization.
const MOST: u32 = 200;

impl BulkRuns {
    /// Checks the documents of a part of a selection, from the position `skip` on, that a run would issue. Nothing is written.
    ///
    /// # Errors
    /// What is not about a document, as a lost connection: the others could not be checked either.
    pub(crate) async fn check_issue(
        &self,
        context: &CallContext,
        selection: &DocumentSelection,
        skip: u32,
    ) -> Result<BulkCheck, CommandError> {
        let (part, has_more) = self.part(context, selection, skip).await?;
        let mut refused = Vec::new();
        for rows in part.chunks(CONCURRENT_DOCUMENTS) {
            let checks = rows
                .iter()
                .map(|row| self.invoices.check_issue(context, row));
            for (row, checked) in rows.iter().zip(join_all(checks).await) {
                match checked {
                    Ok(()) => {}
                    Err(error) if is_about_the_document(&error) => refused.push(BulkResult {
                        row: row.clone(),
                        outcome: BulkOutcome::Failed {
                            error: Box::new(error),
                        },
                    }),
                    Err(error) => return Err(error),
                }
            }
        }
        let next = skip.saturating_add(number(PART));
        Ok(BulkCheck {
            checked: number(part.len()),
            refused,
            next: (has_more && next < MOST).then_some(next),
        })
    }

    /// The documents of a part, and whether there may be others after them.
    async fn part(
        &self,
        context: &CallContext,
        selection: &DocumentSelection,
        skip: u32,
    ) -> Result<(Vec<InvoiceRow>, bool), CommandError> {
        match selection {
            DocumentSelection::Rows { rows } => {
                let skip = usize::try_from(skip).unwrap_or(usize::MAX);
                let mut rest = rows
                    .iter()
                    .filter(|row| plan::is_eligible(BulkAction::Issue, row))
                    .skip(skip);
                let part = rest.by_ref().take(PART).cloned().collect();
                Ok((part, rest.next().is_some()))
            }
            DocumentSelection::All { query, excluded } => {
                let Some(query) = plan::eligible_query(BulkAction::Issue, query) else {
                    return Ok((Vec::new(), false));
                };
                let page = self
                    .invoices
                    .rows_from(context, &query, skip, number(PART))
                    .await?;
                let has_more = page.len() == PART;
                let is_selected =
                    |row: &InvoiceRow| excluded.iter().all(|other| other.key != row.key);
                Ok((page.into_iter().filter(is_selected).collect(), has_more))
            }
        }
    }
}

/// Whether the service has refused this document, and would answer for others.
pub(super) const fn is_about_the_document(error: &CommandError) -> bool {
    matches!(
        error,
        CommandError::InvalidArgument { .. }
            | CommandError::FailedPrecondition { .. }
            | CommandError::Aborted { .. }
            | CommandError::NotFound { .. }
    )
}
