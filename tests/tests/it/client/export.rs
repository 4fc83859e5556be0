//! Exports to a file: complete or not there at all.

use std::time::Duration;

use end_to_end::fault_proxy::Place;
use invoicing_client::views::{
    CommandError, DocumentSelection, Export, ExportFormat, ExportOptions, ExportState,
    InvoiceQuery, InvoiceRow, Language, WindowBinding,
};

use crate::fixtures::{
    Browser, CLERK, Defect, Fault, HOME, NOURA, Service, TestApp, UNRESOLVABLE, files_below,
};

const EXPORT: &str = ":export";

fn all(excluded: Vec<InvoiceRow>) -> DocumentSelection {
    DocumentSelection::All {
        query: InvoiceQuery::default(),
        excluded,
    }
}

/// Options of a CSV file whose columns are not chosen.
fn csv() -> ExportOptions {
    ExportOptions {
        format: ExportFormat::Csv,
        columns: Vec::new(),
        language: Language::En,
    }
}

async fn page(app: &TestApp, binding: &WindowBinding) -> (Vec<InvoiceRow>, u32) {
    let query = InvoiceQuery {
        page_size: 5,
        ..InvoiceQuery::default()
    };
    let page = app
        .desktop
        .list_invoices(&app.window, binding.clone(), query);
    let page = page.await.expect("a page");
    (page.rows, page.total)
}

/// Exports to `list.csv` or another name in the folder of the application, and waits for the end.
async fn export(
    app: &TestApp,
    binding: &WindowBinding,
    selection: DocumentSelection,
    format: ExportFormat,
    name: &str,
) -> Export {
    app.host.choose_next_file(app.folder.path().join(name));
    let options = ExportOptions {
        format,
        columns: vec!["documentKey".to_owned(), "note".to_owned()],
        language: Language::En,
    };
    let started = app
        .desktop
        .export_documents(&app.window, binding.clone(), selection, options, 0);
    let started = started.await.expect("started").expect("a file is chosen");
    ended(app, binding, started.id).await
}

async fn ended(app: &TestApp, binding: &WindowBinding, id: u32) -> Export {
    let mut seen = 0;
    loop {
        let exports = app.desktop.exports(&app.window, binding.clone()).await;
        let exports = exports.expect("the exports");
        let found = exports.into_iter().find(|export| export.id == id);
        let found = found.expect("it is listed");
        if found.state != ExportState::Running {
            return found;
        }
        let next = app.desktop.watch(&app.window, seen).await;
        seen = next.expect("it answers").revision;
    }
}

/// The names of the files in the folder of the application, besides its own folders.
fn files(app: &TestApp) -> Vec<String> {
    let entries = std::fs::read_dir(app.folder.path()).expect("listed");
    entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Leaves the exports that are under way as a kill does: nobody holds their locks.
fn unlock_exports(app: &TestApp) {
    for path in files_below(&app.folder.path().join("data/exports")) {
        if path.extension().is_some_and(|end| end == "lock") {
            std::fs::remove_file(path).expect("removed");
        }
    }
}

#[tokio::test]
async fn selection_is_exported_to_the_chosen_file() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (rows, total) = page(&app, &binding).await;

    let exported = export(
        &app,
        &binding,
        all(Vec::new()),
        ExportFormat::Csv,
        "all.csv",
    )
    .await;
    assert_eq!(exported.state, ExportState::Finished, "{exported:?}");
    assert_eq!(exported.rows, Some(total));

    let some = DocumentSelection::Rows {
        rows: rows[1..3].to_vec(),
    };
    let exported = export(&app, &binding, some, ExportFormat::Csv, "some.csv").await;
    assert_eq!(exported.state, ExportState::Finished, "{exported:?}");
    assert_eq!(exported.rows, Some(2));
    let text = std::fs::read_to_string(app.folder.path().join("some.csv")).expect("written");
    assert!(text.starts_with("\u{feff}Key,Note\r\n"), "{text}");
    for (index, row) in rows.iter().enumerate() {
        let is_selected = (1..3).contains(&index);
        assert_eq!(text.contains(row.key.as_str()), is_selected, "{index}");
    }

    let but_one = all(rows[..1].to_vec());
    let exported = export(&app, &binding, but_one, ExportFormat::Csv, "rest.csv").await;
    assert_eq!(exported.rows, Some(total - 1));

    let exported = export(
        &app,
        &binding,
        all(Vec::new()),
        ExportFormat::Xlsx,
        "all.xlsx",
    )
    .await;
    assert_eq!(exported.state, ExportState::Finished, "{exported:?}");
    assert_eq!(exported.rows, Some(total), "as the service says");
    let bytes = std::fs::read(app.folder.path().join("all.xlsx")).expect("written");
    assert!(bytes.starts_with(b"PK\x03\x04"), "a ZIP archive");
}

#[tokio::test]
async fn selected_document_is_exported_although_its_date_has_changed_since() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let created = app.send_draft(&binding, draft).await.expect("created");
    let mut content = created.content.clone();
    content.issue_date = "2024-01-15".to_owned();
    let changed = app.update_invoice(&binding, &created, content).await;
    assert_eq!(changed.expect("changed").row.issue_date, "2024-01-15");
    let rows = vec![created.row];
    let selection = DocumentSelection::Rows { rows };
    let exported = export(&app, &binding, selection, ExportFormat::Csv, "one.csv").await;
    assert_eq!(exported.state, ExportState::Finished, "{exported:?}");
    assert_eq!(exported.rows, Some(1));
}

#[tokio::test]
async fn export_of_no_row_is_refused_and_is_not_one_of_all() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    app.host
        .choose_next_file(app.folder.path().join("none.csv"));
    let options = csv();
    let selection = DocumentSelection::Rows { rows: Vec::new() };
    let refused = app
        .desktop
        .export_documents(&app.window, binding, selection, options, 0);
    let refused = refused.await;
    assert!(
        matches!(refused, Err(CommandError::InvalidCall { .. })),
        "{refused:?}"
    );
    assert_eq!(service.gateway.requests(EXPORT).len(), 0);
}

#[tokio::test]
async fn refused_export_leaves_the_earlier_file_and_nothing_else() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let path = app.folder.path().join("list.csv");
    std::fs::write(&path, "earlier").expect("written");
    service
        .gateway
        .fault(EXPORT, Fault::status(403, 7, "PERMISSION_DENIED"));
    let exported = export(
        &app,
        &binding,
        all(Vec::new()),
        ExportFormat::Csv,
        "list.csv",
    )
    .await;
    assert_eq!(exported.state, ExportState::Failed);
    assert!(exported.error.is_some());
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "earlier");
    assert_eq!(files(&app), ["list.csv"]);
}

#[tokio::test]
async fn export_of_an_unavailable_organization_says_that_another_one_answers() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, UNRESOLVABLE).await;
    let exporting = export(
        &app,
        &binding,
        all(Vec::new()),
        ExportFormat::Csv,
        "list.csv",
    );
    let (exported, _) = app.run_through_retries(exporting).await;
    assert!(
        matches!(
            exported.error.as_deref(),
            Some(CommandError::OrganizationUnavailable {
                others_answer: true,
                ..
            })
        ),
        "{exported:?}"
    );
}

#[tokio::test]
async fn refused_export_ends_although_the_body_of_the_answer_does_not_come() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let stalled = Fault::Deliver(Defect::Stall(Place::BodyStart));
    service.gateway.fault(EXPORT, stalled);
    app.host
        .choose_next_file(app.folder.path().join("list.csv"));
    let options = ExportOptions {
        columns: vec!["unknown".to_owned()],
        ..csv()
    };
    let selection = all(Vec::new());
    let started = app
        .desktop
        .export_documents(&app.window, binding.clone(), selection, options, 0);
    let started = started.await.expect("started").expect("a file is chosen");
    service.gateway.held_after(0).await;
    let mut ending = std::pin::pin!(ended(&app, &binding, started.id));
    let exported = loop {
        tokio::select! {
            exported = &mut ending => break exported,
            () = tokio::time::sleep(Duration::from_millis(5)) => {
                app.clock.advance(Duration::from_secs(60));
            }
        }
    };
    assert_eq!(exported.state, ExportState::Failed);
    assert_eq!(files(&app), [""; 0]);
}

#[tokio::test]
async fn export_that_the_end_of_the_application_interrupts_is_started_again() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    service.gateway.fault(EXPORT, Fault::HoldRequest);
    let path = app.folder.path().join("list.csv");
    app.host.choose_next_file(path.clone());
    let options = ExportOptions {
        language: Language::Ar,
        ..csv()
    };
    let selection = all(Vec::new());
    let started = app
        .desktop
        .export_documents(&app.window, binding, selection, options, 7);
    started.await.expect("started").expect("a file is chosen");
    service.gateway.held_after(0).await;

    unlock_exports(&app);
    let app = app.restart();
    let binding = app.binding().await;
    let exports = app.desktop.exports(&app.window, binding.clone()).await;
    let [interrupted] = &exports.expect("the exports")[..] else {
        panic!("one is known");
    };
    assert_eq!(interrupted.state, ExportState::Interrupted);
    assert_eq!((&*interrupted.file, interrupted.total), ("list.csv", 7));
    assert!(!path.exists());
    let id = interrupted.id;
    let again = app
        .desktop
        .restart_export(&app.window, binding.clone(), id)
        .await;
    let again = again.expect("started").expect("it can be started");
    let finished = ended(&app, &binding, again.id).await;
    assert_eq!(finished.state, ExportState::Finished, "{finished:?}");
    let text = std::fs::read_to_string(&path).expect("written");
    assert!(text.starts_with("\u{feff}الرقم,"), "{text}");
    let twice = app
        .desktop
        .restart_export(&app.window, binding.clone(), again.id)
        .await;
    assert_eq!(twice, Ok(None), "what is finished is not started again");

    let app = app.restart();
    let binding = app.binding().await;
    let exports = app.desktop.exports(&app.window, binding).await;
    assert_eq!(exports, Ok(Vec::new()), "nothing of it stays");
}

#[tokio::test]
async fn export_that_another_process_writes_is_not_taken_for_an_interrupted_one() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    // Not one byte of the list has come.
    service.gateway.fault(EXPORT, Fault::HoldRequest);
    app.host
        .choose_next_file(app.folder.path().join("list.csv"));
    let selection = all(Vec::new());
    let started = app
        .desktop
        .export_documents(&app.window, binding.clone(), selection, csv(), 0);
    let started = started.await.expect("started").expect("a file is chosen");
    service.gateway.held_after(0).await;

    let other = app.restart();
    let bound = other.binding().await;
    let listed = other.desktop.exports(&other.window, bound.clone()).await;
    assert_eq!(listed, Ok(Vec::new()), "it is not interrupted");
    assert_eq!(files(&app).len(), 1, "the file that is written stays");

    let cancelled = app
        .desktop
        .cancel_export(&app.window, binding.clone(), started.id);
    cancelled.await.expect("cancelled");
    let cancelled = ended(&app, &binding, started.id).await;
    assert_eq!(cancelled.state, ExportState::Cancelled);
    let listed = other.desktop.exports(&other.window, bound).await;
    assert_eq!(listed, Ok(Vec::new()), "its record has gone");
}

#[tokio::test]
async fn exports_that_were_interrupted_are_listed_newest_first_after_the_next_start() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    for (held, name) in (0..).zip(["1.csv", "2.csv", "3.csv", "4.csv"]) {
        service.gateway.fault(EXPORT, Fault::HoldRequest);
        app.host.choose_next_file(app.folder.path().join(name));
        let selection = all(Vec::new());
        let started =
            app.desktop
                .export_documents(&app.window, binding.clone(), selection, csv(), 0);
        started.await.expect("started").expect("a file is chosen");
        service.gateway.held_after(held).await;
        app.clock.advance(Duration::from_millis(1));
    }

    unlock_exports(&app);
    let app = app.restart();
    let binding = app.binding().await;
    let exports = app.desktop.exports(&app.window, binding).await;
    let exports = exports.expect("the exports");
    let files: Vec<_> = exports.iter().map(|export| export.file.as_str()).collect();
    assert_eq!(files, ["4.csv", "3.csv", "2.csv", "1.csv"]);
}

#[tokio::test]
async fn exports_of_one_account_are_not_those_of_another_in_the_same_organization() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let selection = all(Vec::new());
    let exported = export(&app, &binding, selection, ExportFormat::Csv, "all.csv").await;
    app.sign_in(&service, CLERK, &mut Browser::new()).await;
    let binding = app.switch_organization(HOME).await;
    let exports = app.desktop.exports(&app.window, binding.clone()).await;
    assert_eq!(exports, Ok(Vec::new()));
    let restarted = app
        .desktop
        .restart_export(&app.window, binding, exported.id);
    assert_eq!(restarted.await, Ok(None));
}

#[tokio::test]
async fn without_a_chosen_file_nothing_is_exported() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let exported = app
        .desktop
        .export_documents(&app.window, binding, all(Vec::new()), csv(), 0);
    assert_eq!(exported.await, Ok(None));
    assert_eq!(service.gateway.requests(EXPORT).len(), 0);
}
