//! What a bulk run over a selection would do, counted by the service.

use std::collections::HashSet;

use futures_util::future::try_join_all;

use super::{BulkRuns, plan};
use crate::gateway::CallContext;
use crate::invoices::COLLECTED_PAGE;
use crate::views::{
    BulkAction, BulkPlan, CommandError, DocumentSelection, InvoiceQuery, InvoiceRow,
};

/// Excluded rows that are asked for at a time.
const CONCURRENT_ROWS: usize = 8;

impl BulkRuns {
    /// What a run over a selection would do.
    pub(crate) async fn plan(
        &self,
        context: &CallContext,
        action: BulkAction,
        selection: &DocumentSelection,
    ) -> Result<BulkPlan, CommandError> {
        match selection {
            DocumentSelection::Rows { rows } => {
                let plan = plan::plan_of(rows.iter().filter(|row| plan::is_eligible(action, row)));
                Ok(BulkPlan {
                    skipped: number(rows.len()).saturating_sub(plan.count),
                    ..plan
                })
            }
            DocumentSelection::All { query, excluded } => {
                let all = self.invoices.totals(context, query).await?.total;
                let excluded = self.still_listed(context, query, excluded, all).await?;
                let selected = all.saturating_sub(number(excluded.len()));
                let Some(query) = plan::eligible_query(action, query) else {
                    return Ok(BulkPlan {
                        skipped: selected,
                        ..BulkPlan::default()
                    });
                };
                let page = self.invoices.totals(context, &query).await?;
                let plan = BulkPlan {
                    count: page.total,
                    skipped: 0,
                    sums: page.sums,
                };
                let excluded = excluded.iter().filter(|row| plan::is_eligible(action, row));
                let plan = plan::without(plan, excluded);
                Ok(BulkPlan {
                    skipped: selected.saturating_sub(plan.count),
                    ..plan
                })
            }
        }
    }

    /// The excluded rows that the filter still has, as they are now. One that has left it since it was shown is not in the totals,
    /// so that it must not be subtracted from them.
    ///
    /// No filter of the service takes keys: each row is asked for by itself, or all pages of the filter are read if they are fewer
    /// than the rows.
    async fn still_listed(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
        excluded: &[InvoiceRow],
        total: u32,
    ) -> Result<Vec<InvoiceRow>, CommandError> {
        if number(excluded.len()) > total.div_ceil(COLLECTED_PAGE) {
            return self.find_in_pages(context, query, excluded).await;
        }
        let mut listed = Vec::new();
        for rows in excluded.chunks(CONCURRENT_ROWS) {
            let found = rows
                .iter()
                .map(|row| self.find_current(context, query, row));
            listed.extend(try_join_all(found).await?.into_iter().flatten());
        }
        Ok(listed)
    }

    /// The excluded rows as they are now among all documents of the filter.
    async fn find_in_pages(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
        excluded: &[InvoiceRow],
    ) -> Result<Vec<InvoiceRow>, CommandError> {
        let mut missing: HashSet<_> = excluded.iter().map(|row| &row.key).collect();
        let (mut listed, mut token) = (Vec::new(), String::new());
        loop {
            let (rows, next) = self.invoices.collect(context, query, token).await?;
            // A document that was changed meanwhile can be on two pages.
            listed.extend(rows.into_iter().filter(|row| missing.remove(&row.key)));
            if missing.is_empty() || next.is_empty() {
                return Ok(listed);
            }
            token = next;
        }
    }

    /// An excluded row as it is now, if the filter still has it.
    async fn find_current(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
        row: &InvoiceRow,
    ) -> Result<Option<InvoiceRow>, CommandError> {
        let found = self.find_listed(context, query, row).await?;
        if found.is_some() {
            return Ok(found);
        }
        // It may have another amount or date than was shown.
        match self.invoices.find_document(context, &row.key).await? {
            Some(current) => self.find_listed(context, query, &current.row).await,
            None => Ok(None),
        }
    }

    /// The row of a filter with the key of `row`, if it has the date, currency and amount of that.
    async fn find_listed(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
        row: &InvoiceRow,
    ) -> Result<Option<InvoiceRow>, CommandError> {
        let Some(query) = plan::query_of_row(query, row) else {
            return Ok(None);
        };
        let mut token = String::new();
        loop {
            let (rows, next) = self.invoices.collect(context, &query, token).await?;
            let found = rows.into_iter().find(|found| found.key == row.key);
            if found.is_some() || next.is_empty() {
                return Ok(found);
            }
            token = next;
        }
    }
}

pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
