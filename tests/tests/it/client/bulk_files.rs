//! Bulk runs over documents that files wait for: they are sent before, and what keeps one from being sent keeps no other document.

use end_to_end::fault_proxy::{ConnectionFault, Lasting};
use invoicing_client::views::{
    BulkOutcome, BulkState, DocumentSelection, InvoiceRow, InvoiceStatus, WindowBinding,
};

use super::attachments::{ADD, PDF, add, list, names};
use super::bulk::{BATCH_ISSUE, BUYER, create_drafts, issue, results, rows, run, wait_for};
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp};

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

/// Starts a run that issues a document with a waiting file: the service stores the file, and its answer is lost with the connection.
/// The service can be reached again, and the run has not gone on yet.
async fn issue_with_lost_answer_of_file(
    app: &TestApp,
    service: &Service,
    binding: &WindowBinding,
    with_file: &InvoiceRow,
) {
    let (refused, lasting) = (ConnectionFault::Refused, Lasting::UntilCleared);
    service.gateway.fault(ADD, Fault::DropResponse);
    service.gateway.plan_connection_after(ADD, refused, lasting);
    let selection = DocumentSelection::Rows {
        rows: vec![with_file.clone()],
    };
    issue(app, binding, selection).await;
    app.wait_until(|snapshot| !snapshot.pending_retries.is_empty())
        .await;
    service.gateway.recover().await;
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

#[tokio::test]
async fn document_whose_file_was_stored_before_an_outage_is_issued_after_it() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let with_file = create_draft_with_waiting_file(&app, &service, &binding).await;
    issue_with_lost_answer_of_file(&app, &service, &binding, &with_file).await;
    let (run, _) = app
        .run_through_retries(wait_for(&app, &binding, BulkState::Finished))
        .await;
    assert_eq!((run.done, run.failed), (1, 0));
    let attachments = list(&app, &binding, &with_file.key).await;
    assert_eq!(names(&attachments), [("offer.pdf", false)]);
}

#[tokio::test]
async fn document_whose_file_was_stored_before_a_crash_is_issued_after_the_restart() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let with_file = create_draft_with_waiting_file(&app, &service, &binding).await;
    issue_with_lost_answer_of_file(&app, &service, &binding, &with_file).await;
    // The application ends before it knows that the service has the file.
    let app = app.restart();
    let binding = app.binding().await;
    let found = run(&app, &binding).await;
    assert_eq!((found.state, found.done), (BulkState::Stopped, 0));
    app.desktop
        .continue_bulk_run(&app.window, binding.clone(), found.id)
        .await
        .expect("it goes on");
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.done, run.failed), (1, 0));
    let attachments = list(&app, &binding, &with_file.key).await;
    assert_eq!(names(&attachments), [("offer.pdf", false)]);
}
