//! Bulk runs over selections: sums, lost responses, crashes, and documents that are refused.

use std::time::Duration;

use invoicing_client::views::{
    AccountData, BulkAction, BulkOutcome, BulkPlan, BulkResult, BulkRun, BulkState, CommandError,
    DocumentSelection, InvoiceQuery, InvoiceRow, InvoiceStatus, WindowBinding,
};
use invoicing_client::{FileFault, FileFaults};

use super::windows::OTHER;
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content, files_below};

pub(super) const BATCH_ISSUE: &str = ":batchIssue";
pub(super) const BUYER: &str = "Bulk Trading";

/// The documents of the buyer of these tests.
fn query() -> InvoiceQuery {
    InvoiceQuery {
        buyer: BUYER.to_owned(),
        page_size: 100,
        ..InvoiceQuery::default()
    }
}

fn all_but(excluded: &[InvoiceRow]) -> DocumentSelection {
    DocumentSelection::All {
        query: query(),
        excluded: excluded.to_vec(),
    }
}

/// Creates drafts of the buyer, and returns their rows.
pub(super) async fn create_drafts(
    app: &TestApp,
    binding: &WindowBinding,
    count: usize,
) -> Vec<InvoiceRow> {
    let mut rows = Vec::new();
    for _ in 0..count {
        let mut content = content();
        content.buyer.name.en = BUYER.to_owned();
        let key = crate::fixtures::new_key();
        let created = app.create_invoice(binding, key, content).await;
        rows.push(created.expect("created").row);
    }
    rows
}

pub(super) async fn rows(app: &TestApp, binding: &WindowBinding) -> Vec<InvoiceRow> {
    let page = app
        .desktop
        .list_invoices(&app.window, binding.clone(), query());
    page.await.expect("a page").rows
}

async fn plan(app: &TestApp, binding: &WindowBinding, selection: &DocumentSelection) -> BulkPlan {
    let plan = app.desktop.plan_bulk_run(
        &app.window,
        binding.clone(),
        BulkAction::Issue,
        selection.clone(),
    );
    plan.await.expect("a plan")
}

pub(super) async fn issue(
    app: &TestApp,
    binding: &WindowBinding,
    selection: DocumentSelection,
) -> BulkRun {
    let confirmed = plan(app, binding, &selection).await;
    let started = app
        .desktop
        .issue_documents(&app.window, binding.clone(), selection, confirmed);
    started.await.expect("started")
}

/// The only run.
pub(super) async fn run(app: &TestApp, binding: &WindowBinding) -> BulkRun {
    let runs = app.desktop.bulk_runs(&app.window, binding.clone()).await;
    let mut runs = runs.expect("the runs");
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs.remove(0)
}

/// Waits until the only run is in a state.
pub(super) async fn wait_for(app: &TestApp, binding: &WindowBinding, state: BulkState) -> BulkRun {
    let mut seen = 0;
    let waiting = async {
        loop {
            let found = run(app, binding).await;
            if found.state == state {
                return found;
            }
            let next = app.desktop.watch(&app.window, seen).await;
            seen = next.expect("it answers").revision;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waiting)
        .await
        .expect("the run gets there")
}

pub(super) async fn results(app: &TestApp, binding: &WindowBinding, id: &str) -> Vec<BulkResult> {
    let page = app
        .desktop
        .bulk_results(&app.window, binding.clone(), id.to_owned(), false, 0, 500);
    page.await.expect("results").results
}

#[tokio::test]
async fn all_of_a_filter_but_what_is_excluded_is_issued() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let drafts = create_drafts(&app, &binding, 5).await;
    let selection = all_but(&drafts[1..2]);
    let plan = plan(&app, &binding, &selection).await;
    assert_eq!((plan.count, plan.skipped), (4, 0));
    assert_eq!(plan.sums[0].gross, "5020.92", "four times 1255.23");
    let started = issue(&app, &binding, selection).await;
    assert_eq!(started.state, BulkState::Collecting);
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.failed), (4, 0));
    assert!(run.durable);
    let results = results(&app, &binding, &run.id).await;
    assert_eq!(results.len(), 4);
    assert!(
        results
            .iter()
            .all(|it| it.outcome == BulkOutcome::Done && !it.row.number.is_empty())
    );
    for row in rows(&app, &binding).await {
        let is_excluded = row.key == drafts[1].key;
        assert_eq!(row.status == InvoiceStatus::Draft, is_excluded);
    }
    let after = app.desktop.plan_bulk_run(
        &app.window,
        binding.clone(),
        BulkAction::Freeze,
        all_but(&[]),
    );
    let after = after.await.expect("a plan");
    assert_eq!(
        (after.count, after.skipped),
        (4, 1),
        "the draft is left out"
    );
    app.switch_organization(OTHER).await;
    let work = app.desktop.account_work(&app.window).await;
    let work = work.expect("what is known");
    let known: Vec<_> = work
        .iter()
        .map(|work| (work.organization.as_str(), work.runs.as_slice()))
        .collect();
    assert_eq!(known, [(HOME, std::slice::from_ref(&run))]);
    let binding = app.switch_organization(HOME).await;
    app.desktop
        .close_bulk_run(&app.window, binding.clone(), run.id)
        .await
        .expect("closed");
    let runs = app.desktop.bulk_runs(&app.window, binding).await;
    assert_eq!(runs, Ok(Vec::new()));
}

#[tokio::test]
async fn excluded_document_counts_as_it_is_now_and_not_as_it_was_shown() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let drafts = create_drafts(&app, &binding, 4).await;
    // Since they were shown, one was deleted, one left the filter, and one has another amount.
    let InvoiceRow { key, stamp, .. } = drafts[0].clone();
    let deleted = app
        .desktop
        .delete_document(&app.window, binding.clone(), key, stamp);
    deleted.await.expect("deleted");
    for (row, buyer, quantity) in [(&drafts[1], "Another", "1"), (&drafts[2], BUYER, "7")] {
        let view = app
            .desktop
            .get_invoice(&app.window, binding.clone(), row.key.clone());
        let view = view.await.expect("read");
        let mut changed = view.content.clone();
        changed.buyer.name.en = buyer.to_owned();
        changed.lines[0].quantity = quantity.to_owned();
        let updated = app.update_invoice(&binding, &view, changed).await;
        updated.expect("updated");
    }
    for (excluded, count) in [(0..1, 2), (1..2, 2), (2..3, 1)] {
        let plan = plan(&app, &binding, &all_but(&drafts[excluded])).await;
        assert_eq!((plan.count, plan.skipped), (count, 0));
    }
    let selection = all_but(&drafts[..3]);
    service.gateway.forget_requests();
    let plan = plan(&app, &binding, &selection).await;
    assert_eq!((plan.count, plan.skipped), (1, 0));
    // The totals of the filter, those of drafts, and the page that all rows are on.
    assert_eq!(service.gateway.requests("/invoices/list").len(), 3);
    assert_eq!(plan.sums[0].gross, "1255.23");
    issue(&app, &binding, selection).await;
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.changed), (1, None));
}

#[tokio::test]
async fn filter_that_has_changed_since_the_confirmation_is_left_alone() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    create_drafts(&app, &binding, 2).await;
    let confirmed = plan(&app, &binding, &all_but(&[])).await;
    let mut added = create_drafts(&app, &binding, 1).await;
    app.desktop
        .issue_documents(&app.window, binding.clone(), all_but(&[]), confirmed)
        .await
        .expect("started");
    let run = wait_for(&app, &binding, BulkState::Stopped).await;
    assert_eq!(run.changed.expect("what is there now").count, 3);
    assert_eq!(service.gateway.requests(BATCH_ISSUE).len(), 0);

    // Once the filter has again what was confirmed, it goes on.
    let InvoiceRow { key, stamp, .. } = added.remove(0);
    let deleted = app
        .desktop
        .delete_document(&app.window, binding.clone(), key, stamp);
    deleted.await.expect("deleted");
    let resumed = app
        .desktop
        .continue_bulk_run(&app.window, binding.clone(), run.id);
    resumed.await.expect("it goes on");
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.changed), (2, None));
}

#[tokio::test]
async fn refused_document_has_its_error_and_the_others_are_done() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut drafts = create_drafts(&app, &binding, 3).await;
    drafts[1].stamp = "of another state".into();
    issue(
        &app,
        &binding,
        DocumentSelection::Rows {
            rows: drafts.clone(),
        },
    )
    .await;
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.failed), (2, 1));
    let failed = app
        .desktop
        .bulk_results(&app.window, binding.clone(), run.id, true, 0, 500)
        .await
        .expect("results");
    assert_eq!(failed.total, 1);
    assert_eq!(failed.results[0].row.key, drafts[1].key);
    let BulkOutcome::Failed { error } = &failed.results[0].outcome else {
        panic!("it has failed")
    };
    assert!(matches!(**error, CommandError::Aborted { .. }), "{error:?}");
}

#[tokio::test]
async fn batch_with_a_lost_response_is_sent_again_and_nothing_is_done_twice() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let drafts = create_drafts(&app, &binding, 3).await;
    service.gateway.fault(BATCH_ISSUE, Fault::DropResponse);
    service
        .gateway
        .fault(BATCH_ISSUE, Fault::status(429, 8, "RATE_LIMITED"));
    issue(&app, &binding, DocumentSelection::Rows { rows: drafts }).await;
    let (run, waits) = app
        .run_through_retries(wait_for(&app, &binding, BulkState::Finished))
        .await;
    assert!(waits.len() >= 2, "{waits:?}");
    assert_eq!((run.done, run.failed), (3, 0));
    let numbers: std::collections::BTreeSet<_> = rows(&app, &binding)
        .await
        .into_iter()
        .map(|row| row.number)
        .collect();
    assert_eq!(numbers.len(), 3);
}

#[tokio::test]
async fn run_that_a_crash_interrupted_goes_on_after_the_restart() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let drafts = create_drafts(&app, &binding, 3).await;
    // The service has issued them, and the application ends before it knows.
    service.gateway.fault(BATCH_ISSUE, Fault::DropResponse);
    issue(&app, &binding, DocumentSelection::Rows { rows: drafts }).await;
    app.wait_until(|snapshot| !snapshot.pending_retries.is_empty())
        .await;
    let folder = app.folder.path().join("data/bulk-runs");
    assert!(!contains(&folder, BUYER), "the ledger is in the clear");

    let app = app.restart();
    let binding = app.binding().await;
    let found = run(&app, &binding).await;
    assert_eq!((found.state, found.interrupted), (BulkState::Stopped, true));
    assert_eq!((found.plan.count, found.done), (3, 0));
    app.desktop
        .continue_bulk_run(&app.window, binding.clone(), found.id)
        .await
        .expect("it goes on");
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.failed), (3, 0));
}

#[tokio::test]
async fn stopped_run_is_not_shown_as_interrupted_after_a_restart() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let drafts = create_drafts(&app, &binding, 1).await;
    service.gateway.fault(BATCH_ISSUE, Fault::DropRequest);
    let started = issue(&app, &binding, DocumentSelection::Rows { rows: drafts }).await;
    app.wait_until(|snapshot| !snapshot.pending_retries.is_empty())
        .await;
    app.desktop
        .stop_bulk_run(&app.window, binding.clone(), started.id)
        .await
        .expect("stopped");
    wait_for(&app, &binding, BulkState::Stopped).await;
    let app = app.restart();
    let binding = app.binding().await;
    let found = run(&app, &binding).await;
    assert_eq!(
        (found.state, found.interrupted),
        (BulkState::Stopped, false)
    );
}

#[tokio::test]
async fn run_that_the_disk_keeps_from_going_on_can_be_continued_later() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let drafts = create_drafts(&app, &binding, 1).await;
    service.gateway.fault(BATCH_ISSUE, Fault::DropRequest);
    let started = issue(&app, &binding, DocumentSelection::Rows { rows: drafts }).await;
    app.wait_until(|snapshot| !snapshot.pending_retries.is_empty())
        .await;
    let stopped = app
        .desktop
        .stop_bulk_run(&app.window, binding.clone(), started.id.clone());
    stopped.await.expect("stopped");
    let before = wait_for(&app, &binding, BulkState::Stopped).await;
    assert!(before.error.is_some(), "no connection");

    let resume = || {
        app.desktop
            .continue_bulk_run(&app.window, binding.clone(), started.id.clone())
    };
    let faults = FileFaults::new(app.folder.path().join("data/bulk-runs"));
    faults.set(0, FileFault::IoFromThen);
    let refused = resume().await;
    assert!(
        matches!(refused, Err(CommandError::NotSaved { .. })),
        "{refused:?}"
    );
    drop(faults);
    assert_eq!(run(&app, &binding).await, before, "why it had stopped");
    resume().await.expect("it goes on");
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.failed), (1, 0));
}

#[tokio::test]
async fn run_of_an_account_that_is_deleted_writes_nothing_more() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let drafts = create_drafts(&app, &binding, 1).await;
    service.gateway.fault(BATCH_ISSUE, Fault::DropRequest);
    issue(&app, &binding, DocumentSelection::Rows { rows: drafts }).await;
    let waits = app.wait_until(|snapshot| !snapshot.pending_retries.is_empty());
    let before = waits.await.bulk_progress;
    let accounts = app.desktop.accounts(&app.window).await.expect("a list");
    let (id, data) = (accounts[0].id.clone(), AccountData::default());
    let purged = app.desktop.purge_account(&app.window, id, data).await;
    assert_eq!(purged, Ok(true));
    // It tells that it has stopped after its last batch, and at its end.
    app.wait_until(|snapshot| snapshot.bulk_progress >= before + 2)
        .await;
    let left = std::fs::read_dir(app.folder.path().join("data/bulk-runs"));
    assert_eq!(left.expect("a folder").count(), 0);
}

/// Whether a file below the folder contains a text.
fn contains(folder: &std::path::Path, text: &str) -> bool {
    files_below(folder).iter().any(|path| {
        let bytes = std::fs::read(path).expect("a file");
        bytes.windows(text.len()).any(|at| at == text.as_bytes())
    })
}
