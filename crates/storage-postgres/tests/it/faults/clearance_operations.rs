//! The writes of clearance in the table: settings of authorities, claims of submissions, and ends of attempts.

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::messages::documents::AuthorityState;
use invoicing_storage::Store;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::clearance::EndOutcome;
use invoicing_storage::documents::{Claim, NumberOutcome};
use invoicing_storage::suite::authorities::settings;
use invoicing_storage::suite::clearance::{
    HOLDER, amend, attempt_of, claim, issue, issued, submission,
};
use invoicing_storage::suite::fixtures::{LATER, NOW, RIYADH, draft, id, key, unlimited};
use invoicing_storage::suite::numbers::invoices;
use uuid::Uuid;

use super::directory_operations::add_tenant;
use super::operations::{Operation, event, events, name};

/// The operations of clearance.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        // The first: the submissions of the others wait unclaimed, and those of its cells do not.
        Box::new(ClaimDue),
        Box::new(ClaimOne),
        Box::new(RetryClearance),
        Box::new(Postpone),
        Box::new(IssueWithSubmission),
        Box::new(EndWithoutAnswer),
        Box::new(EndWithAnswer),
        Box::new(PutFirstAuthority),
        Box::new(PutNextAuthority),
    ]
}

/// Who claims in a cell.
fn holder(cell: u64) -> Uuid {
    Uuid::from_u128(0x9000 + u128::from(cell))
}

/// What is stored of the submission of a cell, its attempts and its document.
async fn stored_submission(store: &dyn Store, cell: u64) -> String {
    let (organization, submission) = (id(RIYADH), submission(cell.into()));
    let found = store.submission(&organization, submission).await.unwrap();
    let found = found.map(|found| {
        let answered_at = found.answered_at;
        (found.state, answered_at, found.failures, found.due_at)
    });
    let attempts = store.attempts(&organization, submission, 10).await;
    let attempts = attempts.unwrap().len();
    let document = store.document(&organization, key(cell.into())).await;
    let status = document.unwrap().map(|document| document.status);
    let history = store.document_history(&organization, key(cell.into()), None, 10);
    let history = history.await.unwrap();
    let actions: Vec<_> = history.iter().map(|revision| &*revision.action).collect();
    format!("{found:?}, attempts {attempts}, status {status:?}, history {actions:?}")
}

/// Whether another caller can claim the submission of a cell at [`NOW`]. It gives the claim back at once.
async fn is_free(store: &dyn Store, cell: u64) -> bool {
    let other = Claim {
        holder: Uuid::from_u128(1),
        until: NOW,
    };
    let claimed = store
        .claim(&id(RIYADH), submission(cell.into()), NOW, other)
        .await;
    claimed.unwrap()
}

struct ClaimDue;

#[async_trait]
impl Operation for ClaimDue {
    fn name(&self) -> &'static str {
        "claim_due"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        issued(store, cell.into(), false).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let everybody = BTreeSet::new();
        let claimed = store.claim_due(NOW, claim(holder(cell)), &everybody).await;
        let own = Some((id(RIYADH), submission(cell.into())));
        format!("{:?}", claimed.map(|claimed| claimed == own))
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let free = is_free(store, cell).await;
        format!("free {free}, {}", stored_submission(store, cell).await)
    }
}

struct ClaimOne;

#[async_trait]
impl Operation for ClaimOne {
    fn name(&self) -> &'static str {
        "claim"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        issued(store, cell.into(), false).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let (organization, submission) = (id(RIYADH), submission(cell.into()));
        let claimed = store.claim(&organization, submission, NOW, claim(holder(cell)));
        format!("{:?}", claimed.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        ClaimDue.stored(store, cell).await
    }
}

struct RetryClearance;

#[async_trait]
impl Operation for RetryClearance {
    fn name(&self) -> &'static str {
        "retry_clearance"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        EndWithoutAnswer.prepare(store, cell).await;
        EndWithoutAnswer.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let (organization, submission) = (id(RIYADH), submission(cell.into()));
        let event = event(AuditEventKind::ClearanceRetried, cell);
        let due = store.retry_clearance(&organization, submission, NOW, &event);
        format!("{:?}", due.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let submission = stored_submission(store, cell).await;
        format!("{submission} events:{}", events(store, cell).await)
    }
}

struct Postpone;

#[async_trait]
impl Operation for Postpone {
    fn name(&self) -> &'static str {
        "postpone"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        issued(store, cell.into(), true).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let (organization, submission) = (id(RIYADH), submission(cell.into()));
        let postponed = store.postpone(&organization, submission, HOLDER, LATER);
        format!("{:?}", postponed.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_submission(store, cell).await
    }
}

struct IssueWithSubmission;

#[async_trait]
impl Operation for IssueWithSubmission {
    fn name(&self) -> &'static str {
        "number_document with a submission"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        let added = store
            .add_document(&draft(cell.into(), 115), &unlimited())
            .await;
        added.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let of = cell.into();
        match issue(store, &invoices(), of, "new", of, true).await {
            NumberOutcome::Stored(document) => format!("stored with status {}", document.status),
            other @ (NumberOutcome::Stale | NumberOutcome::Refused(_)) => format!("{other:?}"),
        }
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_submission(store, cell).await
    }
}

struct EndWithoutAnswer;

#[async_trait]
impl Operation for EndWithoutAnswer {
    fn name(&self) -> &'static str {
        "end_attempt without an answer"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        issued(store, cell.into(), true).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        end(store, cell, AuthorityState::Unknown).await
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_submission(store, cell).await
    }
}

struct EndWithAnswer;

#[async_trait]
impl Operation for EndWithAnswer {
    fn name(&self) -> &'static str {
        "end_attempt with the answer"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        issued(store, cell.into(), true).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        end(store, cell, AuthorityState::Cleared).await
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_submission(store, cell).await
    }
}

async fn end(store: &dyn Store, cell: u64, state: AuthorityState) -> String {
    let ended = attempt_of(cell.into(), cell.into(), HOLDER, state);
    let outcome = store.end_attempt(&ended, amend(cell.into(), state)).await;
    match outcome {
        // The stamp of the document names the cell.
        Ok(EndOutcome::Stored(document)) => {
            let status = document.map(|document| document.status);
            format!("stored with status {status:?}")
        }
        other @ (Ok(EndOutcome::Unknown) | Err(_)) => format!("{other:?}"),
    }
}

/// Stores settings of the tenant of a cell with the stamp `after`.
async fn put(store: &dyn Store, cell: u64, (before, after): (Option<&str>, &str)) -> String {
    let event = event(AuditEventKind::AuthorityChanged, cell);
    let before = before.map(Into::into);
    let settings = settings(&name(cell), after);
    let put = store.put_authority(&settings, before.as_ref(), &event);
    format!("{:?}", put.await)
}

struct PutFirstAuthority;

#[async_trait]
impl Operation for PutFirstAuthority {
    fn name(&self) -> &'static str {
        "put_authority for the first time"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_tenant(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        put(store, cell, (None, "first")).await
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.authority(&id(&name(cell))).await.unwrap();
        let stamp = found.map(|found| found.concurrency_stamp);
        format!("{stamp:?}, events {}", events(store, cell).await)
    }
}

struct PutNextAuthority;

#[async_trait]
impl Operation for PutNextAuthority {
    fn name(&self) -> &'static str {
        "put_authority again"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_tenant(store, cell).await;
        put(store, cell, (None, "first")).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        put(store, cell, (Some("first"), "second")).await
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        PutFirstAuthority.stored(store, cell).await
    }
}
