//! The begin of a bulk run: what the user has confirmed is written into its ledger before anything is done.

use std::collections::HashSet;
use std::sync::Arc;

use super::ledger::Header;
use super::saving::Saving;
use super::{BATCH, BulkRuns, Run, owner_of, plan, stored};
use crate::drafts::account_file;
use crate::files;
use crate::gateway::CallContext;
use crate::rng::time_ordered_id;
use crate::views::{BulkAction, BulkPlan, BulkRun, BulkState, CommandError, DocumentSelection};

impl BulkRuns {
    /// Starts a run over what the user has confirmed. One that saves files has a folder for them.
    pub(crate) async fn start(
        self: &Arc<Self>,
        context: CallContext,
        action: BulkAction,
        saving: Option<Saving>,
        selection: DocumentSelection,
        confirmed: BulkPlan,
    ) -> Result<BulkRun, CommandError> {
        let owner = owner_of(&context);
        // Until the run is known: whoever reads the runs of the owner meanwhile would take its files for what a crash has left.
        let mut keys = self.key.lock().await;
        let key = self.read_owner(&mut keys, &owner).await?;
        let id = time_ordered_id(&*self.clock, &*self.rng).to_string();
        let ledger = self.ledger(&owner, &key, &id);
        let started = self.clock.now().to_string();
        let mut header = Header::new(action, saving, confirmed.clone(), started);
        let mut batches = Vec::new();
        match selection {
            DocumentSelection::Rows { rows } => {
                let mut seen = HashSet::new();
                let rows: Vec<_> = rows
                    .into_iter()
                    .filter(|row| plan::is_eligible(action, row) && seen.insert(row.key.clone()))
                    .collect();
                if !plan::agree(&plan::plan_of(&rows), &confirmed) {
                    return Err(CommandError::InvalidCall {
                        reason: "the selection is not what was confirmed".to_owned(),
                    });
                }
                batches = rows.chunks(BATCH).map(<[_]>::to_vec).collect();
                header.batches = u32::try_from(batches.len()).unwrap_or(u32::MAX);
            }
            all @ DocumentSelection::All { .. } => header.to_collect = Some(all),
        }
        let state = match header.to_collect {
            Some(_) => BulkState::Collecting,
            None => BulkState::Running,
        };
        let (folder, account) = (self.owner_folder(&owner), owner.account.clone());
        let run = Run::new(
            owner,
            ledger.clone(),
            BulkRun {
                state,
                interrupted: false,
                ..stored::view(id, &header, (0, 0), key.durable)
            },
        );
        files::run_blocking(move || {
            account_file::write(&folder, &account);
            if !key.durable {
                // Before anything of the run: what a crash leaves of it is removed at the next start.
                ledger.set_without_keyring()?;
            }
            for (batch, rows) in (0..).zip(batches) {
                ledger.write_rows(batch, &rows)?;
            }
            // Last: without it there is no run.
            ledger.write_header(&header)
        })
        .await?;
        self.lock().push(Arc::clone(&run));
        drop(keys);
        let view = run.view().clone();
        self.spawn(run, context);
        Ok(view)
    }
}
