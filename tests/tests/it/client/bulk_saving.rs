//! Bulk runs that save documents as files: whole, under names that nothing else has, and with an end for each document.

use std::path::{Path, PathBuf};

use invoicing_client::views::{
    BulkAction, BulkOutcome, BulkPlan, BulkRun, BulkState, CommandError, DiskProblem,
    DocumentFormat, DocumentSelection, InvoiceQuery, InvoiceRow, InvoiceStatus, PrintLanguage,
    WindowBinding,
};
use invoicing_client::{FileFault, FileFaults};

use super::bulk::{BUYER, create_drafts, results, run, wait_for};
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, files_below};

const UBL: &str = "/ubl";

async fn plan(
    app: &TestApp,
    binding: &WindowBinding,
    format: DocumentFormat,
    selection: &DocumentSelection,
) -> BulkPlan {
    let action = match format {
        DocumentFormat::Pdf => BulkAction::SavePdf,
        DocumentFormat::Ubl => BulkAction::SaveUbl,
    };
    let (binding, selection) = (binding.clone(), selection.clone());
    let plan = app
        .desktop
        .plan_bulk_run(&app.window, binding, action, selection);
    plan.await.expect("a plan")
}

/// Starts a run over what was confirmed, in the folder that the user chooses. `None`: the user chooses none.
async fn save(
    app: &TestApp,
    binding: &WindowBinding,
    format: DocumentFormat,
    (selection, confirmed): (DocumentSelection, BulkPlan),
    folder: Option<&Path>,
) -> Option<BulkRun> {
    if let Some(folder) = folder {
        app.host.choose_next_file(folder.to_owned());
    }
    let started = app.desktop.save_documents(
        &app.window,
        binding.clone(),
        format,
        PrintLanguage::English,
        selection,
        confirmed,
    );
    started.await.expect("started")
}

/// Saves these documents, and returns the names of their files after the run has ended and was closed.
async fn save_rows(
    app: &TestApp,
    binding: &WindowBinding,
    format: DocumentFormat,
    rows: &[InvoiceRow],
    folder: &Path,
) -> Vec<String> {
    let selection = DocumentSelection::Rows {
        rows: rows.to_vec(),
    };
    let confirmed = plan(app, binding, format, &selection).await;
    save(app, binding, format, (selection, confirmed), Some(folder))
        .await
        .expect("a folder is chosen");
    let run = wait_for(app, binding, BulkState::Finished).await;
    let results = results(app, binding, &run.id).await;
    let closed = app
        .desktop
        .close_bulk_run(&app.window, binding.clone(), run.id);
    closed.await.expect("closed");
    let names = results.iter().map(|result| {
        let BulkOutcome::Saved { file } = &result.outcome else {
            panic!("it is not saved: {result:?}")
        };
        file.clone()
    });
    names.collect()
}

/// A folder of the user, beside those of the application.
fn folder_of(app: &TestApp) -> PathBuf {
    let folder = app.folder.path().join("May");
    std::fs::create_dir(&folder).expect("created");
    folder
}

async fn issued(app: &TestApp, binding: &WindowBinding, count: usize) -> Vec<InvoiceRow> {
    let mut rows = Vec::new();
    for _ in 0..count {
        rows.push(app.issued_invoice(binding).await.row);
    }
    rows
}

#[tokio::test]
async fn documents_are_saved_under_their_numbers_and_no_file_of_the_folder_is_replaced() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let folder = folder_of(&app);
    let mut rows = issued(&app, &binding, 2).await;
    rows.extend(create_drafts(&app, &binding, 1).await);
    let numbers = [rows[0].number.clone(), rows[1].number.clone()];

    let selection = DocumentSelection::Rows { rows: rows.clone() };
    let confirmed = plan(&app, &binding, DocumentFormat::Ubl, &selection).await;
    assert_eq!(
        (confirmed.count, confirmed.skipped),
        (2, 1),
        "the draft has none"
    );
    let none = save(
        &app,
        &binding,
        DocumentFormat::Ubl,
        (selection, confirmed),
        None,
    );
    assert_eq!(none.await, None, "no folder was chosen");
    let runs = app.desktop.bulk_runs(&app.window, binding.clone()).await;
    assert_eq!(runs, Ok(Vec::new()));

    let taken = folder.join(format!("{}.xml", numbers[0]));
    std::fs::write(&taken, "of somebody").expect("written");
    let wanted = [
        format!("{}_2.xml", numbers[0]),
        format!("{}.xml", numbers[1]),
    ];
    for _ in 0..2 {
        // The second time the files are there already.
        let saved = save_rows(&app, &binding, DocumentFormat::Ubl, &rows, &folder).await;
        assert_eq!(saved, wanted);
        assert_eq!(files_below(&folder).len(), 3);
    }
    let kept = std::fs::read_to_string(&taken).expect("read");
    assert_eq!(kept, "of somebody");
    for name in wanted {
        let bytes = std::fs::read(folder.join(name)).expect("a file");
        assert!(bytes.starts_with(b"<"));
    }

    let saved = save_rows(&app, &binding, DocumentFormat::Pdf, &rows[1..], &folder).await;
    assert_eq!(saved[0], format!("{}.pdf", numbers[1]));
    assert!(saved[1].starts_with("draft-"), "{saved:?}");
    for name in saved {
        let bytes = std::fs::read(folder.join(name)).expect("a file");
        assert!(bytes.starts_with(b"%PDF-"));
    }
}

#[tokio::test]
async fn lost_answers_are_waited_for_and_what_is_refused_holds_up_nothing() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let folder = folder_of(&app);
    let mut rows = issued(&app, &binding, 2).await;
    let mut draft = create_drafts(&app, &binding, 1).await.remove(0);
    // As it was shown, before somebody else changed that.
    draft.status = InvoiceStatus::Issued;
    rows.insert(1, draft);
    service.gateway.fault(UBL, Fault::DropResponse);
    service
        .gateway
        .fault(UBL, Fault::status(429, 8, "RATE_LIMITED"));
    let selection = DocumentSelection::Rows { rows };
    let confirmed = plan(&app, &binding, DocumentFormat::Ubl, &selection).await;
    save(
        &app,
        &binding,
        DocumentFormat::Ubl,
        (selection, confirmed),
        Some(&folder),
    )
    .await;
    let waits = app.wait_until(|snapshot| !snapshot.pending_retries.is_empty());
    let retry = waits.await.pending_retries.remove(0);
    assert_eq!(
        (retry.command.as_str(), retry.write),
        ("save_documents", false)
    );
    let (run, _) = app
        .run_through_retries(wait_for(&app, &binding, BulkState::Finished))
        .await;
    assert_eq!((run.done, run.failed), (2, 1));
    assert_eq!(run.folder.as_deref(), Some("May"));
    let results = results(&app, &binding, &run.id).await;
    let BulkOutcome::Failed { error } = &results[1].outcome else {
        panic!("a draft has no data")
    };
    assert!(
        matches!(**error, CommandError::FailedPrecondition { .. }),
        "{error:?}"
    );
    assert_eq!(files_below(&folder).len(), 2);
}

#[tokio::test]
async fn only_document_of_a_run_fails_if_its_answer_stays_unlike_the_services() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let folder = folder_of(&app);
    let rows = issued(&app, &binding, 1).await;
    for _ in 0..4 {
        service.gateway.fault(UBL, Fault::page(200));
    }
    let selection = DocumentSelection::Rows { rows };
    let confirmed = plan(&app, &binding, DocumentFormat::Ubl, &selection).await;
    save(
        &app,
        &binding,
        DocumentFormat::Ubl,
        (selection, confirmed),
        Some(&folder),
    )
    .await;
    let (run, _) = app
        .run_through_retries(wait_for(&app, &binding, BulkState::Finished))
        .await;
    assert_eq!((run.done, run.failed), (0, 1));
    assert!(files_below(&folder).is_empty());
}

#[tokio::test]
async fn run_that_a_crash_interrupted_goes_on_in_its_folder() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let folder = folder_of(&app);
    let rows = issued(&app, &binding, 1).await;
    let name = format!("{}.xml", rows[0].number);
    service.gateway.fault(UBL, Fault::DropRequest);
    let selection = DocumentSelection::Rows { rows };
    let confirmed = plan(&app, &binding, DocumentFormat::Ubl, &selection).await;
    let started = save(
        &app,
        &binding,
        DocumentFormat::Ubl,
        (selection, confirmed),
        Some(&folder),
    );
    let started = started.await.expect("a folder is chosen");
    app.wait_until(|snapshot| !snapshot.pending_retries.is_empty())
        .await;
    // What it had written of a file.
    std::fs::write(folder.join(format!(".{}.new", started.id)), "<Inv").expect("written");

    let app = app.restart();
    let binding = app.binding().await;
    let found = run(&app, &binding).await;
    assert_eq!((found.state, found.interrupted), (BulkState::Stopped, true));
    assert_eq!(found.folder.as_deref(), Some("May"));
    app.desktop
        .continue_bulk_run(&app.window, binding.clone(), found.id)
        .await
        .expect("it goes on");
    let ended = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((ended.done, ended.failed), (1, 0));
    assert_eq!(files_below(&folder), [folder.join(name)]);
}

#[tokio::test]
async fn full_disk_and_a_folder_that_is_gone_stop_the_run_until_they_are_mended() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let folder = folder_of(&app);
    let rows = issued(&app, &binding, 1).await;
    let selection = DocumentSelection::Rows { rows };
    let confirmed = plan(&app, &binding, DocumentFormat::Ubl, &selection).await;
    let faults = FileFaults::new(&folder);
    faults.set(0, FileFault::NoSpaceFromThen);
    let started = save(
        &app,
        &binding,
        DocumentFormat::Ubl,
        (selection, confirmed),
        Some(&folder),
    );
    let id = started.await.expect("a folder is chosen").id;
    let assert_stopped = async |problem: DiskProblem| {
        let stopped = wait_for(&app, &binding, BulkState::Stopped).await;
        let Some(CommandError::NotSaved { problem: found, .. }) = stopped.error.as_deref() else {
            panic!("the disk has refused: {stopped:?}")
        };
        assert_eq!(*found, problem);
        assert_eq!((stopped.done, stopped.failed), (0, 0));
    };
    let resume = async || {
        let resumed = app
            .desktop
            .continue_bulk_run(&app.window, binding.clone(), id.clone());
        resumed.await.expect("it goes on");
    };
    assert_stopped(DiskProblem::NoSpace).await;
    assert!(files_below(&folder).is_empty(), "there is half a file");
    drop(faults);
    std::fs::remove_dir(&folder).expect("removed");
    resume().await;
    assert_stopped(DiskProblem::Missing).await;
    assert!(!folder.exists(), "nobody has made it again");
    std::fs::create_dir(&folder).expect("created");
    resume().await;
    let ended = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((ended.done, ended.failed), (1, 0));
    assert_eq!(files_below(&folder).len(), 1);
}

#[tokio::test]
async fn document_that_the_filter_has_got_since_the_question_is_saved_too() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let folder = folder_of(&app);
    create_drafts(&app, &binding, 1).await;
    let selection = DocumentSelection::All {
        query: InvoiceQuery {
            buyer: BUYER.to_owned(),
            ..InvoiceQuery::default()
        },
        excluded: Vec::new(),
    };
    let confirmed = plan(&app, &binding, DocumentFormat::Pdf, &selection).await;
    assert_eq!(confirmed.count, 1);
    create_drafts(&app, &binding, 1).await;
    save(
        &app,
        &binding,
        DocumentFormat::Pdf,
        (selection, confirmed),
        Some(&folder),
    )
    .await;
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((run.plan.count, run.done, run.changed), (2, 2, None));
    assert_eq!(files_below(&folder).len(), 2);
}
