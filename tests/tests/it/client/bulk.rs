//! Bulk runs over selections: sums, lost responses, crashes, and documents that are refused.

use std::time::Duration;

use invoicing_client::views::{
    BulkAction, BulkOutcome, BulkPlan, BulkResult, BulkRun, BulkState, CommandError,
    DocumentSelection, InvoiceQuery, InvoiceRow, InvoiceStatus, WindowBinding,
};

use end_to_end::fault_proxy::Lasting;

use super::attachments::{ADD, PDF, add, list, names};
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content};

const BATCH_ISSUE: &str = ":batchIssue";
const BUYER: &str = "Bulk Trading";

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
async fn create_drafts(app: &TestApp, binding: &WindowBinding, count: usize) -> Vec<InvoiceRow> {
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

async fn rows(app: &TestApp, binding: &WindowBinding) -> Vec<InvoiceRow> {
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

async fn issue(app: &TestApp, binding: &WindowBinding, selection: DocumentSelection) -> BulkRun {
    let confirmed = plan(app, binding, &selection).await;
    let started = app
        .desktop
        .issue_documents(&app.window, binding.clone(), selection, confirmed);
    started.await.expect("started")
}

async fn run(app: &TestApp, binding: &WindowBinding) -> BulkRun {
    let runs = app.desktop.bulk_runs(&app.window, binding.clone()).await;
    let mut runs = runs.expect("the runs");
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs.remove(0)
}

/// Waits until the only run is in a state.
async fn wait_for(app: &TestApp, binding: &WindowBinding, state: BulkState) -> BulkRun {
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

async fn results(app: &TestApp, binding: &WindowBinding, id: &str) -> Vec<BulkResult> {
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
    app.desktop
        .close_bulk_run(&app.window, binding.clone(), run.id)
        .await
        .expect("closed");
    let runs = app.desktop.bulk_runs(&app.window, binding).await;
    assert_eq!(runs, Ok(Vec::new()));
}

#[tokio::test]
async fn filter_that_has_changed_since_the_confirmation_is_left_alone() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    create_drafts(&app, &binding, 2).await;
    let confirmed = plan(&app, &binding, &all_but(&[])).await;
    create_drafts(&app, &binding, 1).await;
    app.desktop
        .issue_documents(&app.window, binding.clone(), all_but(&[]), confirmed)
        .await
        .expect("started");
    let run = wait_for(&app, &binding, BulkState::Stopped).await;
    assert_eq!(run.changed.expect("what is there now").count, 3);
    assert_eq!(service.gateway.requests(BATCH_ISSUE).len(), 0);
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

/// A document of the buyer whose file the service refused when the document was created.
async fn create_draft_with_waiting_file(
    app: &TestApp,
    service: &Service,
    binding: &WindowBinding,
) -> InvoiceRow {
    let mut draft = app.new_draft(binding).await;
    draft.content.buyer.name.en = BUYER.to_owned();
    let kept = add(app, binding, &draft.key, "offer.pdf", PDF).await;
    kept.expect("kept");
    service.gateway.fault(ADD, Fault::status(400, 3, "X"));
    let created = app.send_draft(binding, draft).await.expect("created");
    let attachments = list(app, binding, &created.row.key).await;
    assert_eq!(names(&attachments), [("offer.pdf", true)]);
    created.row
}

#[tokio::test]
async fn file_that_waits_is_sent_before_its_document_is_issued_among_many() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut drafts = create_drafts(&app, &binding, 2).await;
    let with_file = create_draft_with_waiting_file(&app, &service, &binding).await;
    drafts.insert(1, with_file.clone());
    issue(&app, &binding, DocumentSelection::Rows { rows: drafts }).await;
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.failed), (3, 0));
    let attachments = list(&app, &binding, &with_file.key).await;
    assert_eq!(names(&attachments), [("offer.pdf", false)]);
    let handled = service.gateway.exchanges("");
    let place = |end: &str| {
        handled
            .iter()
            .position(|exchange| exchange.request.path.ends_with(end))
    };
    let (sent, issued) = (place(ADD), place(BATCH_ISSUE));
    assert!(sent.is_some() && sent < issued, "{sent:?}, {issued:?}");
}

#[tokio::test]
async fn document_whose_file_is_refused_again_stays_a_draft_and_the_others_are_issued() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut drafts = create_drafts(&app, &binding, 2).await;
    let with_file = create_draft_with_waiting_file(&app, &service, &binding).await;
    drafts.insert(1, with_file.clone());
    let refused = Fault::status(400, 3, "X");
    service.gateway.plan(ADD, refused, Lasting::UntilCleared);
    issue(&app, &binding, DocumentSelection::Rows { rows: drafts }).await;
    let run_before = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run_before.done, run_before.failed), (2, 1));
    for result in results(&app, &binding, &run_before.id).await {
        let is_with_file = result.row.key == with_file.key;
        let is_not_sent = matches!(result.outcome, BulkOutcome::FileNotSent { .. });
        assert_eq!(is_not_sent, is_with_file, "{:?}", result.outcome);
    }
    for row in rows(&app, &binding).await {
        let is_draft = row.status == InvoiceStatus::Draft;
        assert_eq!(is_draft, row.key == with_file.key);
    }
    let attachments = list(&app, &binding, &with_file.key).await;
    assert_eq!(names(&attachments), [("offer.pdf", true)], "it waits on");

    service.gateway.clear_faults();
    let closed = app
        .desktop
        .close_bulk_run(&app.window, binding.clone(), run_before.id);
    closed.await.expect("closed");
    let again = vec![with_file.clone()];
    issue(&app, &binding, DocumentSelection::Rows { rows: again }).await;
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.failed), (1, 0));
    let attachments = list(&app, &binding, &with_file.key).await;
    assert_eq!(names(&attachments), [("offer.pdf", false)]);
}

/// Whether a file below the folder contains a text.
fn contains(folder: &std::path::Path, text: &str) -> bool {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return contains(&path, text);
        }
        let bytes = std::fs::read(path).expect("a file");
        bytes.windows(text.len()).any(|at| at == text.as_bytes())
    })
}
